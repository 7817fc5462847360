package store

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Candidates are put in order of their priority, and equals stay as they are.
func TestSortCandidates(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for range 2_000 {
		got := make([]candidate, r.IntN(200))
		for i := range got {
			got[i] = candidate{int32(r.IntN(1 + r.IntN(30))), int32(i)}
		}
		want := slices.Clone(got)
		slices.SortStableFunc(want, func(a, b candidate) int { return cmp.Compare(a.priority, b.priority) })
		sortCandidates(got, slices.Clone(got))
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
