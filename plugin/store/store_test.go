package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/internal/random"
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/json"
)

// read reads the two maps of a request to merge, as merge does.
func read(t *testing.T, request string, m *Merge) []byte {
	t.Helper()
	text := append([]byte(request), make([]byte, json.Pad)...)
	var r json.Reader
	r.Reset(text, len(request))
	m.Reset()
	var f json.Fields
	r.Fields(&f, &[]string{"store", "additionalContext"})
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		if i == 0 {
			m.Old.Read(&r, &m.New)
		} else {
			m.New.Read(&r, &m.Old)
		}
	}
	if syntax, violation := r.Finish(false); syntax != nil || violation != nil {
		t.Fatalf("%s: %+v, %+v", request, syntax, violation)
	}
	m.Policy = &Policy{}
	return r.Text()
}

// answer is all that a merge writes.
func answer(m *Merge) []byte {
	var w json.Writer
	m.WriteStore(&w)
	m.WriteTold(&w)
	return w.Bytes()
}

// What is written never exceeds what was said before, so that one allocation
// is enough.
func TestMaxBytes(t *testing.T) {
	const frame = len(`,"inputs":[],"receipts":[]}`)
	r := rand.New(rand.NewPCG(3, 4))
	var m Merge
	for range 4000 {
		request := string(random.Merge(r))
		text := read(t, request, &m)
		m.Policy = anyPolicy(r, &m.New)
		m.Compare(text)
		most := m.MaxBytes()
		if written := len(answer(&m)); written > most+frame {
			t.Fatalf("%d bytes, at most %d were announced: %s with %+v", written, most+frame, request, *m.Policy)
		}
	}
	longest := fmt.Sprintf(`{"additionalContext":{%q:{"value":%q,"kind":"application"}}}`,
		strings.Repeat("k", 9000), strings.Repeat("v", 9000))
	m.Compare(read(t, longest, &m))
	if most, written := m.MaxBytes(), len(answer(&m)); written > most+frame {
		t.Errorf("%d bytes, at most %d were announced", written, most)
	}
}

// anyPolicy returns a policy, with a budget of its own for one of the keys in some.
func anyPolicy(r *rand.Rand, m *Map) *Policy {
	var p Policy
	p.Reset()
	p.Announce = r.IntN(3) == 0
	p.Strip = r.IntN(3) == 0
	if r.IntN(2) == 0 {
		p.Limit = budget.Limit{Tokens: r.IntN(60), Truncation: budget.Truncation(r.IntN(3)), Strict: r.IntN(3) == 0}
	}
	if n := m.Len(); n > 0 && r.IntN(3) == 0 {
		key := KeyPolicy{Key: m.entries[r.IntN(n)].Key, HasTokens: true, Tokens: int32(r.IntN(60))}
		if key.Key.Form < json.Foreign { // it is not written anew in its place
			p.Keys = append(p.Keys, key)
		}
	}
	p.Settle()
	return &p
}

// An entry that is written as in the map read before is taken over from there,
// in whatever order the keys come and whichever map comes first.
func TestTwins(t *testing.T) {
	var entries []string
	for i := range 40 {
		entries = append(entries, fmt.Sprintf(`"k%02d":{"value":"v%d","kind":"untrusted"}`, i, i))
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, format := range []string{`{"store":{%s},"additionalContext":{%s}}`, `{"additionalContext":{%s},"store":{%s}}`} {
		for range 50 {
			shuffled := slices.Clone(entries)
			r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			var m Merge
			text := read(t, fmt.Sprintf(format, strings.Join(entries, ","), strings.Join(shuffled, ",")), &m)
			m.Compare(text)
			for _, o := range m.outcomes {
				if o.change != unchanged {
					t.Fatalf("%s is %s", m.entry(&o).Key.Raw(text), changeNames[o.change])
				}
			}
			var w json.Writer
			m.WriteStore(&w)
			if want := "{" + strings.Join(entries, ",") + "}"; string(w.Bytes()) != want {
				t.Fatalf("store %s", w.Bytes())
			}
		}
	}

	var m Merge
	read(t, fmt.Sprintf(`{"store":{%s},"additionalContext":{%[1]s}}`, strings.Join(entries, ",")), &m)
	for i := range m.New.entries {
		if twin := m.New.entries[i].twin; int(twin) != i {
			t.Errorf("entry %d has twin %d", i, twin)
		}
	}
}
