package store

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestBorders(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"a", "b", "></", "aa", "ab"}
	var b borders
	for range 5000 {
		var text []byte
		piece := pieces[rng.IntN(len(pieces))]
		for range 1 + rng.IntN(40) {
			if rng.IntN(6) == 0 {
				piece = pieces[rng.IntN(len(pieces))]
			}
			text = append(text, piece...)
		}
		b.reset(text)
		for n := len(text) - 1; n >= 0; n-- {
			if rng.IntN(4) == 0 {
				continue // not every length is asked for
			}
			if got, want := b.has(n), bytes.HasSuffix(text, text[:n]); got != want {
				t.Fatalf("%q, %d: %v", text, n, got)
			}
		}
	}
}

// What a text costs does not grow with the number of keys whose tags it begins
// or even ends with.
func TestBordersCompareLittle(t *testing.T) {
	var b borders
	text := []byte(strings.Repeat("></", 10_000))
	b.reset(text)
	for n := len(text) - 3; n > 0; n -= 3 {
		if !b.has(n) {
			t.Fatal(n)
		}
	}
	if !b.found || b.compared < 4*len(text) {
		t.Errorf("found %v after %d bytes", b.found, b.compared)
	}
}
