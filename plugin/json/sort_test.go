package json

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortKernelsEqualTheirTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for range 5_000 {
		text := make([]byte, 200+Pad)
		for i := range 200 {
			text[i] = "abcé"[rng.IntN(5)]
		}
		names := make([]String, rng.IntN(20))
		for i := range names {
			names[i].Start, names[i].Len = int32(rng.IntN(150)), int32(digitBytes+rng.IntN(12))
		}
		keys, want := make([]sortKey, len(names)), make([]sortKey, len(names))
		offset := rng.IntN(2) * rng.IntN(digitBytes+1)
		for i, index := range rng.Perm(len(names)) {
			if offset == 0 {
				names[i].Len -= digitBytes
			}
			keys[i].index, want[i].index = int32(index), int32(index)
		}
		setKeys(text, names, keys, offset)
		plainSetKeys(text, names, want, offset)
		if !slices.Equal(keys, want) {
			t.Fatalf("%q, %+v: %x, want %x", text, names, keys, want)
		}
		for i := range len(keys) + 1 {
			if got, want := firstSame(keys, i), plainFirstSame(keys, i); got != want {
				t.Fatalf("%x from %d on: %d, want %d", keys, i, got, want)
			}
		}
		for range 2 { // first with digits that are the same
			insert(keys)
			plainInsert(want)
			if !slices.Equal(keys, want) {
				t.Fatalf("inserted: %x, want %x", keys, want)
			}
			for i := range keys {
				keys[i].digit = rng.Uint64()
				want[i].digit = keys[i].digit
			}
		}
	}
}
