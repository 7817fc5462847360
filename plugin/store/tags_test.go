package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// mapOf reads a map of such keys.
func mapOf(t *testing.T, keys []string) (*Map, []byte) {
	t.Helper()
	var entries []string
	for _, key := range keys {
		entries = append(entries, string(json.AppendQuoted(nil, []byte(key)))+`:{"value":"","kind":"untrusted"}`)
	}
	var m Merge
	text := read(t, `{"store":{`+strings.Join(entries, ",")+`}}`, &m)
	return &m.Old, text
}

// The keys that are found are those whose tags do stand around the text, the
// longest first.
func TestTagsAround(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", ">", "></", "</external_", "<external_", "é", "/", "\n"}
	word := func(n int) string {
		var b strings.Builder
		for range rng.IntN(n) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		return b.String()
	}
	found := 0
	for range 5000 {
		var keys []string
		for range rng.IntN(12) {
			keys = append(keys, word(6))
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
		m, text := mapOf(t, keys)
		var index tags
		index.index(m, text)

		for range 4 { // each looks first where the one before was
			key := word(6)
			if len(keys) > 0 && rng.IntN(3) > 0 {
				key = keys[rng.IntN(len(keys))]
			}
			for kind, tag := range [...][2]string{fragment.Untrusted: {"<external_", "</external_"}, fragment.Application: {"<", "</"}} {
				part := tag[0] + key + ">" + word(4) + tag[1] + key + ">"
				if rng.IntN(4) == 0 {
					part += word(2)
				}
				if checkAround(t, &index, keys, part, fragment.Kind(kind), tag) > 1 {
					found++
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d texts were in more than one key's tags", found)
	}
}

// checkAround compares which keys are found around a text with those whose tags do stand
// there, and returns how many do.
func checkAround(t *testing.T, index *tags, keys []string, part string, kind fragment.Kind, tag [2]string) int {
	t.Helper()
	var want []string
	for _, k := range keys {
		open, shut := tag[0]+k+">", tag[1]+k+">"
		if strings.HasPrefix(part, open) && strings.HasSuffix(part[len(open):], shut) {
			want = append(want, k)
		}
	}
	slices.SortFunc(want, func(a, b string) int { return len(b) - len(a) })
	var got []string
	for _, i := range index.around(fragment.Reference, []byte(part), kind) {
		got = append(got, string(index.key(i)))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("around %q of %q: %q, want %q", part, keys, got, want)
	}
	return len(want)
}

// So are they where so many keys stand within one another that not each is compared.
func TestTagsAroundNested(t *testing.T) {
	tag := [2]string{"<", "</"}
	found := 0
	for _, piece := range []string{">", "></", "a></", ">a"} {
		keys := []string{""}
		for i := range 60 {
			keys = append(keys, strings.Repeat(piece, i+1))
		}
		m, text := mapOf(t, keys)
		var index tags
		index.index(m, text)
		for begin := range 61 {
			for end := range 61 {
				part := tag[0] + strings.Repeat(piece, begin) + ">" + tag[1] + strings.Repeat(piece, end) + ">"
				found += checkAround(t, &index, keys, part, fragment.Application, tag)
			}
		}
	}
	if found < 10_000 {
		t.Errorf("only %d keys were found", found)
	}
}

// The next prefix is found as it is found step by step.
func TestNextPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pieces := []string{">", "></", "</", "a"}
	for range 5000 {
		var body []byte
		var keys []string
		for range rng.IntN(40) {
			keys = append(keys, string(body))
			body = append(body, pieces[rng.IntN(len(pieces))]...)
		}
		keys = append(keys, string(body))
		m, text := mapOf(t, keys)
		var index tags
		index.index(m, text)
		for range rng.IntN(40) {
			body = append(body, pieces[rng.IntN(len(pieces))]...)
		}
		from, closing := int32(rng.IntN(len(keys))), []int{len("</"), len("</external_")}[rng.IntN(2)]
		got, want := nextPrefix(index.nodes, from, body, closing), plainNextPrefix(index.nodes, from, body, closing)
		if got != want {
			t.Fatalf("behind %d of %q around %q: %d, want %d", from, keys, body, got, want)
		}
	}
}

// The keys around a body are those that are found step by step.
func TestEnclosing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	all := 0
	for range 5000 {
		closing := []string{"</", "</external_"}[rng.IntN(2)]
		pieces := []string{">", "a", ">" + closing, closing, "a>" + closing + "a"}[rng.IntN(4):]
		var body []byte
		keys := []string{""}
		for range rng.IntN(40) {
			body = append(body, pieces[rng.IntN(len(pieces))]...)
			keys = append(keys, string(body))
		}
		m, text := mapOf(t, keys)
		var index tags
		index.index(m, text)
		body = append(body, '>')
		if rng.IntN(2) == 0 {
			pieces = append(slices.Clone(pieces), "</internal_", "</externa__", "</a") // nearly closing tags
		}
		for range rng.IntN(40) {
			body = append(body, pieces[rng.IntN(len(pieces))]...)
		}
		failure := make([]int32, len(body))
		fragment.Borders(body, failure)
		got, want := make([]int32, len(keys)), make([]int32, len(keys))
		from := int32(rng.IntN(len(keys)))
		got = got[:enclosing(index.nodes, from, body, closing, failure, got)]
		want = want[:plainEnclosing(index.nodes, from, body, closing, failure, want)]
		if !slices.Equal(got, want) {
			t.Fatalf("from %d of %q around %q: %d, want %d", from, keys, body, got, want)
		}
		all += len(want)
	}
	if all < 500 {
		t.Errorf("only %d keys were around a body", all)
	}
}

// What two texts have in common is found as it is found byte by byte.
func FuzzCommonPrefix(f *testing.F) {
	f.Add([]byte("a key, and"), []byte("a key, or"))
	f.Add([]byte(""), []byte("a"))
	f.Add([]byte("12345678"), []byte("12345678"))
	f.Add([]byte("1234567890"), []byte("1234567890 "))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for i := range min(len(a), 9) {
			for _, b := range [][]byte{b, append(a[i:len(a):len(a)], b...)} {
				if got, want := commonPrefix(a[i:], b), plainCommonPrefix(a[i:], b); got != want {
					t.Fatalf("%q and %q: %d, want %d", a[i:], b, got, want)
				}
			}
		}
	})
}

// A chain of keys, each the beginning of the next, costs little to walk.
func BenchmarkTagsOfNestedKeys(b *testing.B) {
	var keys []string
	for i := range 1000 {
		keys = append(keys, fmt.Sprintf("%sz", strings.Repeat("k", i)), strings.Repeat("k", i+1))
	}
	slices.Sort(keys)
	m, text := mapOf(&testing.T{}, keys)
	var index tags
	index.index(m, text)
	part := []byte("<external_" + strings.Repeat("k", 900) + "!>")
	for b.Loop() {
		index.around(fragment.Reference, part, fragment.Untrusted)
	}
}
