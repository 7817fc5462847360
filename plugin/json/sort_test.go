package json

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"
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
			names[i].Start, names[i].Len, names[i].Form = int32(rng.IntN(150)), int32(digitBytes+rng.IntN(12)), Form(rng.IntN(20)/18)
		}
		keys, want := make([]sortKey, len(names)), make([]sortKey, len(names))
		offset := rng.IntN(2) * rng.IntN(digitBytes+1)
		for i, index := range rng.Perm(len(names)) {
			if offset == 0 {
				names[i].Len -= digitBytes
			}
			keys[i].index, want[i].index = int32(index), int32(index)
		}
		list := nameList{unsafe.SliceData(names), unsafe.Sizeof(String{}), len(names)}
		if rng.IntN(2) == 0 { // every second one
			list.step *= 2
			keys, want = make([]sortKey, len(names)/2), make([]sortKey, len(names)/2)
		}
		form, wantForm := setKeys(text, list, keys, offset), plainSetKeys(text, list, want, offset)
		if !slices.Equal(keys, want) || form != wantForm {
			t.Fatalf("%q, %+v: %x, form %d, want %x, %d", text, names, keys, form, want, wantForm)
		}
		for i := range len(keys) + 1 {
			if got, want := firstSame(keys, i), plainFirstSame(keys, i); got != want {
				t.Fatalf("%x from %d on: %d, want %d", keys, i, got, want)
			}
			if got, want := runEnd(keys, i), plainRunEnd(keys, i); i < len(keys) && got != want {
				t.Fatalf("the run of %x from %d on: %d, want %d", keys, i, got, want)
			}
		}
	}
}

// Keys in any order, with long and short runs up and down, are sorted, and equals stay as
// they were.
func TestMergeKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	var s sorter
	for range 2_000 {
		keys := make([]sortKey, rng.IntN(300))
		digit, step := uint64(0), 0
		for i := range keys {
			if rng.IntN(1+rng.IntN(60)) == 0 {
				digit, step = rng.Uint64N(100), rng.IntN(3)-1
			}
			digit += uint64(step)
			keys[i] = sortKey{digit, int32(i)}
		}
		want := slices.Clone(keys)
		slices.SortStableFunc(want, func(a, b sortKey) int { return cmp.Compare(a.digit, b.digit) })
		s.merge(keys, make([]sortKey, len(keys)))
		if !slices.Equal(keys, want) {
			t.Fatalf("%x, want %x", keys, want)
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

// Names are resolved as one by one, whatever their forms are, and stand one behind the other.
func TestResolveNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	pieces := []string{"a", "a plain piece of some length", strings.Repeat("long ", 25), "é", "日本", "🙂", `\n`, `\"`, `\\`, `\/`, `\u0001`, `\u0041`, `\u00E9`, `\ud83d\ude42`, strings.Repeat(`\u0061`, 30)}
	for range 5_000 {
		var list []string
		for range rng.IntN(8) {
			name := ""
			for range rng.IntN(4) {
				name += pieces[rng.IntN(len(pieces))]
			}
			list = append(list, `"`+name+`"`)
		}
		text := padded("[" + strings.Join(list, ",") + "]")
		var r Reader
		r.Reset(text, len(text)-Pad)
		var names []String
		for more := r.Array() && r.Item(); more; more = r.Item() {
			var s String
			r.String(&s)
			names = append(names, s)
		}
		all := nameList{unsafe.SliceData(names), unsafe.Sizeof(String{}), len(names)}
		dst, wantDst := make([]byte, 2*len(text)), make([]byte, 2*len(text))
		got, want := make([]String, len(names)), make([]String, len(names))
		end, wantEnd := resolveNames(dst, text, all, got), plainResolveNames(wantDst, text, all, want)
		if !slices.Equal(got, want) || string(dst[:end]) != string(wantDst[:wantEnd]) {
			t.Fatalf("%q: %q, %+v, want %q, %+v", text, dst[:end], got, wantDst[:wantEnd], want)
		}
	}
}
