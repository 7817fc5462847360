package json

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// appendDecoded appends a well-formed raw string, character by character.
func appendDecoded(dst, raw []byte) []byte {
	for len(raw) > 0 {
		r, n := Unit(raw)
		dst = utf8.AppendRune(dst, r)
		raw = raw[n:]
	}
	return dst
}

// checkEscape holds escape and decode to their twins, with so much room.
func checkEscape(t *testing.T, b string, room int) {
	t.Helper()
	one, two := bytes.Repeat([]byte("#"), room+1), make([]byte, 8*len(b)+maxEscape)
	n, read := escape(one[:room], b)
	wantN, wantRead := plainEscape(two, b[:read])
	if n != wantN || read != wantRead || !bytes.Equal(one[:n], two[:n]) || one[room] != '#' || read < len(b) && room-n >= maxEscape {
		t.Fatalf("%q in %d bytes: %q of %d, want %q of %d", b, room, one[:n], read, two[:wantN], wantRead)
	}
	if after := appendText([]byte("x"), b); string(after[1:]) != string(appendText(make([]byte, 0, 8*len(b)), b)) {
		t.Fatalf("%q: %q", b, after)
	}
	before := append([]byte(`\n`), two[:wantN]...)
	after := bytes.Clone(before)
	end := decode(before, 2)
	if want := plainDecode(after, 2); end != want || !bytes.Equal(before[:end], after[:want]) {
		t.Fatalf("%q: decoded %q, want %q", two[:wantN], before[:end], after[:want])
	}
	if string(before[2:end]) != b[:wantRead] {
		t.Fatalf("%q: there and back %q", b[:wantRead], before[2:end])
	}
}

func TestEscapeAndDecode(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	pieces := []string{"a", "text of some length", " ", "é", "本", "🙂", `"`, `\`, "\n", "\x00", "\x0b", "\x1f", "\x7f", "/", "u", "\t\r\b\f"}
	for c := range 0x80 {
		checkEscape(t, string(rune(c)), 16)
	}
	for range 30_000 {
		var b strings.Builder
		few := 1 + rng.IntN(len(pieces))
		for range rng.IntN(20) {
			b.WriteString(pieces[rng.IntN(few)])
		}
		checkEscape(t, b.String(), rng.IntN(1+8*b.Len()))
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a \"word\" and \x01\\\n", 40)
	f.Fuzz(func(t *testing.T, b string, room int) {
		if room >= 0 && room < 1<<16 {
			checkEscape(t, b, room)
		}
	})
}
