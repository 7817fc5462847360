package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
	tiktokengo "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/turncontext/turncontext/plugin/tiktoken"
	"github.com/turncontext/turncontext/plugin/tiktoken/internal/texts"
)

// unicodeVersion is that of the classes of characters in package tiktoken.
const unicodeVersion = "15.0.0"

// A pair is an encoding of package tiktoken, and tiktoken-go's of that name.
type pair struct {
	name    string
	ours    *tiktoken.Encoding
	theirs  *tiktokengo.Tiktoken
	pattern *regexp2.Regexp // theirs
}

func pairs(t testing.TB) (pairs []pair) {
	t.Helper()
	tiktokengo.SetBpeLoader(loader.NewOfflineLoader())
	for _, name := range tiktoken.Names() {
		ours, err := tiktoken.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := tiktokengo.GetEncoding(name)
		if err != nil {
			t.Fatal(err)
		}
		// tiktoken-go does not export it.
		pattern := reflect.ValueOf(theirs).Elem().FieldByName("pbeEncoding").Elem().FieldByName("PatStr").String()
		pairs = append(pairs, pair{name, ours, theirs, regexp2.MustCompile(pattern, regexp2.None)})
	}
	return pairs
}

// comparable reports whether both sides should agree on the text. It is not
// UTF-8, or has a contraction with a long s, which is one in tiktoken's Python
// package, but not in regexp2.
func comparable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "'ſ") }

// check compares pieces and counts.
func (p pair) check(text string) error {
	var got []string
	for i := 0; i < len(text); {
		end := p.ours.PieceEnd([]byte(text), i)
		got = append(got, text[i:end])
		i = end
	}
	want, err := p.pieces(text)
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s, %.200q: pieces %.300q, want %.300q", p.name, text, got, want)
	}
	return nil
}

// pieces splits as tiktoken-go does.
func (p pair) pieces(text string) (pieces []string, err error) {
	match, err := p.pattern.FindStringMatch(text)
	for ; err == nil && match != nil; match, err = p.pattern.FindNextMatch(match) {
		pieces = append(pieces, match.String())
	}
	return pieces, err
}

func (p pair) checkCount(text string) error {
	got, want := p.ours.Count([]byte(text)), len(p.theirs.EncodeOrdinary(text))
	if got != want {
		return fmt.Errorf("%s, %.200q: %d tokens, want %d", p.name, text, got, want)
	}
	return nil
}

func TestTexts(t *testing.T) {
	for _, p := range pairs(t) {
		for _, text := range texts.All() {
			if !comparable(text) {
				continue
			}
			if err := p.check(text); err != nil {
				t.Error(err)
			}
			if len(text) > 2000 { // theirs is quadratic
				continue
			}
			if err := p.checkCount(text); err != nil {
				t.Error(err)
			}
		}
	}
}

// Every character is of the same class on both sides.
func TestCharacters(t *testing.T) {
	if testing.Short() {
		t.Skip("a million characters take half a minute")
	}
	if unicode.Version != unicodeVersion {
		t.Skipf("regexp2 has the characters of Unicode %s, the tables %s", unicode.Version, unicodeVersion)
	}
	for _, p := range pairs(t) {
		for r := rune(0); r <= unicode.MaxRune; r += 8 {
			var b strings.Builder
			for c := r; c < r+8; c++ {
				if utf8.ValidRune(c) {
					fmt.Fprintf(&b, "a%cAA%c 1%c-%c", c, c, c, c)
				}
			}
			if text := b.String(); comparable(text) {
				if err := p.check(text); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func FuzzSplit(f *testing.F) {
	for i, text := range texts.All() {
		if i%20 == 0 {
			f.Add(text)
		}
	}
	pairs := pairs(f)
	f.Fuzz(func(t *testing.T, text string) {
		if !comparable(text) || len(text) > 1000 {
			return
		}
		for _, p := range pairs {
			if err := p.check(text); err != nil {
				t.Error(err)
			}
			if err := p.checkCount(text); err != nil {
				t.Error(err)
			}
		}
	})
}
