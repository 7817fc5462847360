package budget

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/turncontext/turncontext/plugin/json"
)

// testExtra is what the attribute wrapper adds.
func testExtra(part []byte) int {
	return 4*bytes.Count(part, []byte("&")) + 3*bytes.Count(part, []byte("<")) + 3*bytes.Count(part, []byte(">"))
}

// size is the length of a text as it is written.
func size(text string, extra Extra) int {
	return len(text) + written(extra, []byte(text))
}

// beginning is the longest beginning of at most n bytes that ends at a
// character; ending is the longest end.
func beginning(text string, n int) string {
	if n >= len(text) {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

func ending(text string, n int) string {
	i := max(len(text)-n, 0)
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return text[i:]
}

// plainStrict says what a strict cut leaves: it tries every budget.
func plainStrict(value string, t Truncation, limit int, extra Extra) (left string, removed int, cut bool) {
	if size(value, extra) <= limit {
		return value, 0, false
	}
	for b := len(value) - 1; b >= 0; b-- {
		head, tail := t.split(b)
		removed := Tokens(len(value) - b)
		marker := beforeNumber + strconv.Itoa(removed) + afterNumber
		kept := beginning(value, head) + marker + ending(value, tail)
		if size(kept, extra) <= limit {
			return kept, removed, true
		}
	}
	for n := len(value); n >= 0; n-- {
		kept := beginning(value, n)
		if t == Tail {
			kept = ending(value, n)
		}
		if size(kept, extra) <= limit {
			return kept, Tokens(len(value) - len(kept)), true
		}
	}
	panic("nothing always fits")
}

// checkStrict compares a cut with plainStrict's, for the value written in both
// ways.
func checkStrict(t *testing.T, value string, limit Limit, extra Extra) {
	t.Helper()
	want, removed, wantCut := plainStrict(value, limit.Truncation, limit.Tokens*bytesPerToken, extra)
	for _, write := range []func(string) []byte{quote, escapeAll} {
		text, s := read(t, value, write)
		got, cut := value, Cut{}
		isCut := cut.Cut(&limit, text, &s, extra)
		if isCut {
			var w json.Writer
			w.Text(`"`)
			n := writeCut(&w, &cut, text, s)
			w.Text(`"`)
			text, s := read(t, "", func(string) []byte { return w.Bytes() })
			if got = string(s.Bytes(text, nil)); n != len(got) {
				t.Fatalf("%+v of %q: length %d, is %d", limit, value, n, len(got))
			}
		}
		if extra := written(extra, []byte(got)); int(cut.Extra) != extra {
			t.Fatalf("%+v of %q: %d bytes more, want %d", limit, value, cut.Extra, extra)
		}
		if isCut != wantCut || got != want || int(cut.Removed) != removed {
			t.Fatalf("%+v of %q: got %q (%v, %d), want %q (%v, %d)", limit, value, got, isCut, cut.Removed, want, wantCut, removed)
		}
	}
}

func TestStrict(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "bc", "é", "本", "🙂", "<", "&", ">", "\n", "\"", "<<<<", strings.Repeat("x", 30), strings.Repeat("&", 30)}
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(40) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		extra := Extra(testExtra)
		if rng.IntN(2) == 0 {
			extra = nil
		}
		checkStrict(t, b.String(), Limit{Tokens: rng.IntN(30), Truncation: Truncation(rng.IntN(3)), Strict: true}, extra)
	}
}

func FuzzStrict(f *testing.F) {
	f.Add("a<b&c>", uint8(2), uint8(0), true)
	f.Add(strings.Repeat("x", 50)+strings.Repeat("&", 50), uint8(20), uint8(1), true)
	f.Add(strings.Repeat("本🙂", 20), uint8(9), uint8(2), false)
	f.Fuzz(func(t *testing.T, value string, tokens, truncation uint8, extras bool) {
		if !utf8.ValidString(value) || len(value) > 1000 {
			t.Skip("the reader lets no such value through, or it takes long")
		}
		extra := Extra(testExtra)
		if !extras {
			extra = nil
		}
		checkStrict(t, value, Limit{Tokens: int(tokens), Truncation: Truncation(truncation % 3), Strict: true}, extra)
	})
}

// The number of the marker gets a digit longer as less is kept, so the largest
// budget that fits is not where a search by halves would look.
func TestStrictWhereTheNumberGrows(t *testing.T) {
	for length := 380; length < 460; length++ {
		for tokens := range 40 {
			value := strings.Repeat("y", length)
			text, s := read(t, value, quote)
			var c Cut
			cut := c.Cut(&Limit{Tokens: tokens, Truncation: Head, Strict: true}, text, &s, nil)
			want, removed, wantCut := plainStrict(value, Head, tokens*bytesPerToken, nil)
			if cut != wantCut || int(c.Removed) != removed {
				t.Fatalf("%d bytes, %d tokens: removed %d, want %d (%q)", length, tokens, c.Removed, removed, want)
			}
		}
	}
}

// What a strict cut looks at follows the budget, not the value.
func BenchmarkStrictCutOfALargeValue(b *testing.B) {
	text := append(quote(strings.Repeat("<&>x", 1<<20)), make([]byte, json.Pad)...)
	var r json.Reader
	var s json.String
	r.Reset(text, len(text)-json.Pad)
	r.String(&s)
	for b.Loop() {
		var c Cut
		c.Cut(&Limit{Tokens: 1000, Strict: true}, r.Text(), &s, testExtra)
	}
}
