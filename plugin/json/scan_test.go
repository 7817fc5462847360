package json

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// slowTextEnd finds what textEnd finds, character by character.
func slowTextEnd(text []byte, i int) (end, escapes int) {
	for {
		r, n := utf8.DecodeRune(text[i:])
		if r == '\\' && strings.IndexByte(`"\bfnrt`, text[i+1]) >= 0 {
			i += 2
			escapes++
			continue
		}
		if r < 0x20 || r == '"' || r == '\\' || r == utf8.RuneError && n == 1 {
			return i, escapes
		}
		i += n
	}
}

func checkTextEnd(t *testing.T, text []byte) {
	t.Helper()
	p := padded(string(text))
	for i := range text {
		if !utf8.RuneStart(text[i]) {
			continue
		}
		end, escapes := slowTextEnd(p, i)
		if e, n := textEnd(p, i); e != end || n != escapes {
			t.Fatalf("%q from %d: %d with %d escapes, want %d with %d", text, i, e, n, end, escapes)
		}
		if e, n := plainTextEnd(p, i); e != end || n != escapes {
			t.Fatalf("%q from %d: the twin says %d with %d escapes, want %d with %d", text, i, e, n, end, escapes)
		}
	}
}

func FuzzTextEnd(f *testing.F) {
	for n := range 20 {
		f.Add([]byte(strings.Repeat("a", n) + "é本🙂\""))
		f.Add([]byte(strings.Repeat("é", n) + "\xed\xa0\x80"))
		f.Add([]byte(strings.Repeat("🙂", n) + "\x1f\\"))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkTextEnd(t, text) })
}

// Every byte may end a text, whatever stands before and behind it.
func TestTextEndAtEachByte(t *testing.T) {
	for _, around := range []string{"abcdefgh", "é", "本", "🙂", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf", "\xee\x80\x80", "\xed\x9f\xbf本", "\xe0\xa0\x80本", "\xf0\x90\x80\x80\xf1\x80\x80\x80"} {
		for c := range 256 {
			for n := range 10 {
				text := strings.Repeat(around, n) + "x" + string([]byte{byte(c)}) + around
				checkTextEnd(t, []byte(text))
				checkTextEnd(t, []byte(text[n:]))
			}
		}
	}
}

func TestTextEndOfEscapes(t *testing.T) {
	for c := range 256 {
		for n := range 10 {
			checkTextEnd(t, []byte(strings.Repeat("x", n)+`\n\"\`+string([]byte{byte(c)})+"本\""))
			checkTextEnd(t, []byte(strings.Repeat(`\\`, n)+`\`+string([]byte{byte(c)})))
		}
	}
}

// Every start of a sequence, well-formed or not.
func TestTextEndOfSequences(t *testing.T) {
	tails := []string{"", "\x80", "\xbf\x80", "\x80\x80\x80", "a", "\x80a", "\x80\x80a", "\xc0\x80"}
	for lead := 0x80; lead < 0x100; lead++ {
		for second := range 256 {
			for _, tail := range tails {
				checkTextEnd(t, []byte(string([]byte{byte(lead), byte(second)})+tail+"本本\""))
				checkTextEnd(t, []byte("本🙂🙂"+string([]byte{byte(lead), byte(second)})+tail+"🙂\""))
				checkTextEnd(t, []byte("🙂本"+string([]byte{byte(lead), byte(second)})+tail+"本\""))
			}
		}
	}
}

func TestTextEndOfRandomText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "abcdefgh", "é", "ß", "本", "語", "한", "\ud7ff", "🙂", "\x7f", "\ufeff", "\"", "\\", "\x80", "\xed", "\xa0", "\xf0", "\xc1", "\x00", `\n`, `\\`, `\"`, `\u0041`, `\/`}
	for range 3000 {
		var text strings.Builder
		for range r.IntN(40) {
			text.WriteString(pieces[r.IntN(1+r.IntN(len(pieces)))])
		}
		checkTextEnd(t, []byte(text.String()))
	}
}

func TestEqualBytes(t *testing.T) {
	for n := range 100 {
		text := []byte(strings.Repeat("x", n) + "|" + strings.Repeat("x", n) + "|" + strings.Repeat("\x00", Pad))
		check := func(want bool) {
			t.Helper()
			if got := equal(text, 0, n+1, n); got != want {
				t.Errorf("%d bytes: %v", n, got)
			}
			if got := plainEqual(text, 0, n+1, n); got != want {
				t.Errorf("%d bytes: the twin says %v", n, got)
			}
		}
		check(true)
		for i := range n {
			text[i] = 'y'
			check(false)
			text[i] = 'x'
		}
	}
}

func TestLeads(t *testing.T) {
	text := []byte(strings.Repeat("aé本🙂\x80\xbf\xc0\xff", 9))
	for from := range text {
		for to := from; to <= len(text); to++ {
			want := 0
			for _, c := range text[from:to] {
				if utf8.RuneStart(c) {
					want++
				}
			}
			if got := leads(text, from, to); got != want {
				t.Fatalf("[%d, %d): %d, want %d", from, to, got, want)
			}
			if got := plainLeads(text, from, to); got != want {
				t.Fatalf("[%d, %d): the twin says %d, want %d", from, to, got, want)
			}
		}
	}
}
