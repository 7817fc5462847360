package store

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/internal/random"
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// toldMap writes a map of keys and values at which kernels have to look twice.
func toldMap(r *rand.Rand) string {
	keys := []string{`a`, `b`, `e`, `>`, `eight888`, `key_with_twenty_bytes`, `<k>`, `k>`, ``, `é`, `日本`, `\"`, `\u0065`, `\u003e`, "\x7f", strings.Repeat("k", 300)}
	pieces := []string{
		`a`, ` `, `plain text `, `日本語`, `é`, `🙂`, `“q”`, `…`, `<`, `</`, `</p>`, `</e`, `</a>`, `</b>`, `</external_`, `</external_a>`, `</eight888>`,
		`\n`, `\t`, `\"`, `\\`, `\\u`, `\b`, `\f`, `\r`, `\u001b`, `\u001B`, `\u65e5`, `\/`, "\x7f", "\u0080", "\u009f", "\u00a0", "\u202a", "\u202e",
		"日\u202e", "\u202e日", "日本語\u2069", "\u202f", "\u2066", "\u2069", "\u206a", "\u20aa", strings.Repeat(`\n`, 60), strings.Repeat("0123456789", 20),
	}
	var b strings.Builder
	b.WriteByte('{')
	odd := 1 + 4*r.IntN(2) // how seldom something is out of the ordinary
	for i := range r.IntN(6) {
		if i > 0 {
			b.WriteByte(',')
		}
		var value strings.Builder
		if r.IntN(3) == 0 {
			value.WriteString(strings.Repeat("plain text ", r.IntN(12))) // from 64 bytes on others may scan it
		}
		dense := r.IntN(8) == 0
		for range r.IntN(12) {
			piece := r.IntN(len(pieces))
			if !dense && r.IntN(3*odd) > 0 {
				piece = r.IntN(3)
			}
			value.WriteString(pieces[piece])
		}
		if r.IntN(20) == 0 {
			long := []int{3990, 3990, 3990, shortValue - 10}[r.IntN(4)]
			value.WriteString(strings.Repeat("v", long-min(long, value.Len())+r.IntN(20)))
		}
		key := keys[r.IntN(len(keys))]
		if r.IntN(2*odd) > 0 {
			key = fmt.Sprintf("k%02d", i)
		}
		if r.IntN(8) == 0 {
			key = strings.Repeat("k", r.IntN(16)) + ">" // in every place of a word
		}
		kind := []string{"untrusted", "application"}[r.IntN(2)]
		if tag := map[string]string{"untrusted": "</external_", "application": "</"}[kind] + key + ">"; r.IntN(4) == 0 {
			value.WriteString([]string{"", "é", "日本"}[r.IntN(3)] + strings.Repeat(" ", r.IntN(8)) + tag)
		}
		switch r.IntN(12 * odd) {
		case 0:
			fmt.Fprintf(&b, `"%s": {"value":"%s","kind":"%s"}`, key, value.String(), kind)
		case 1:
			fmt.Fprintf(&b, `"%s":{"kind":"%s","value":"%s"}`, key, kind, value.String())
		case 2:
			fmt.Fprintf(&b, `"%s":null`, key)
		default:
			fmt.Fprintf(&b, `"%s":{"value":"%s","kind":"%s"}`, key, value.String(), kind)
		}
	}
	b.WriteByte('}')
	return b.String()
}

// merged is all that a merge comes to.
type merged struct {
	answer   string
	outcomes []outcome
	most     int
}

// mergeBoth merges two maps into a buffer with that much room.
func mergeBoth(request string, p Policy, room int) (result merged, usual, ok bool) {
	text := append([]byte(request), make([]byte, json.Pad)...)
	merge := Merge{Policy: &p}
	merge.Old.entries, merge.New.entries = make([]Entry, 0, room%8), make([]Entry, 0, room%8)
	merge.outcomes = make([]outcome, 0, room%12)
	end, maps := merge.ReadUsual(text)
	usual = maps == 2 && end == len(request)-1 && request[end] == '}'
	if !usual && !readBothMaps(&merge, text) {
		return merged{}, usual, false
	}
	var w json.Writer
	w.Reset(room)
	merge.Answer(&w, text)
	for i := range merge.outcomes {
		// What is not told is left as it was, and where something was rendered early does not
		// matter.
		merge.outcomes[i].from, merge.outcomes[i].to = 0, 0
		o := &merge.outcomes[i].rendered
		if merge.isEarly {
			o.Begin, o.End = 0, 0
		}
		if !merge.outcomes[i].injected() {
			*o = fragment.Rendered{}
		}
		if !o.Truncated {
			o.OriginalTokens, o.RemovedTokens = 0, 0
		}
	}
	return merged{string(w.Bytes()), merge.outcomes, merge.maxBytes()}, usual, true
}

// readBothMaps reads a request member by member, and reports whether it is right.
func readBothMaps(m *Merge, text []byte) bool {
	var r json.Reader
	r.Reset(text, len(text)-json.Pad)
	m.Reset()
	var f json.Fields
	r.Fields(&f, &[]string{"store", "additionalContext"})
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		if i == 0 {
			m.Old.Read(&r, &m.New)
		} else {
			m.New.ReadPatch(&r, &m.Old)
		}
	}
	syntax, violation := r.Finish(m.Policy.Patch)
	return syntax == nil && violation == nil
}

// nearTag returns a closing tag, most often that of the key, or what is nearly one.
func nearTag(r *rand.Rand, key string) string {
	tag := []string{"</external_" + key + ">", "</" + key + ">", "</external_context>", "</application_context>"}[r.IntN(4)]
	if strings.ContainsAny(tag, `\é`) {
		return tag // it may not be taken apart
	}
	i := r.IntN(len(tag))
	switch r.IntN(8) {
	case 0:
		return tag[:i] + "x" + tag[i:]
	case 1:
		return tag[:i]
	case 2:
		return tag[:i] + tag
	case 3:
		return strings.Repeat(tag[:i], 3)
	}
	return tag
}

// Short inputs are written at once, by whatever policy, as they are step by step.
func TestShortRun(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are kernels as WebAssembly only (make test-guest)")
	}
	defer func() { usesKernels = true }()
	r := rand.New(rand.NewPCG(11, 12))
	pieces := []string{`a`, `a`, `a`, `bc `, `&`, `<`, `>`, `/`, `é`, `“`, `日`, `🙂`, `\n`, `\\`, `\"`, `\b`, `\u001b`, `\u001b[m`, "\x7f", "\u202a"}
	dense := []string{`&`, `<`, `>`, `\n`, `\\`}    // all of it gets longer, and some is written so already
	wide := []string{`a`, `é`, `日`, `🙂`, `&`, `\t`} // a cut may be within a character
	ofKeys := []string{`a`, `a`, `é`, `&`, `<`, `>`, `\n`, `\t`, `\r`, `\"`, `\\`, `\b`, `\u0001`, `long keys `}
	list := func(keys []string, most int) string {
		var entries []string
		for _, key := range keys {
			var value strings.Builder
			if r.IntN(8) == 0 {
				// Cut, it may be the same.
				value.WriteString(strings.Repeat("a", most/2) + "…6 tokens truncated…" + strings.Repeat("b", most-most/2))
			}
			n := r.IntN(80)
			if r.IntN(8) == 0 {
				n = r.IntN(420)
			}
			of := [][]string{pieces[:8], pieces[:13], pieces, dense[:1+r.IntN(len(dense))], wide, wide[:5]}[r.IntN(6)]
			for value.Len() < n {
				value.WriteString(of[r.IntN(len(of))])
			}
			if r.IntN(4) == 0 {
				value.WriteString(nearTag(r, key))
				value.WriteString(strings.Repeat("v", r.IntN(20)))
			}
			if opening := "</external_" + key; r.IntN(16) == 0 && len(opening) <= most/2 {
				// Cut, it may have a closing tag of which the marker is a part.
				value.Reset()
				value.WriteString(strings.Repeat("a", most/2-len(opening)) + opening + "cut!" + key + ">")
				value.WriteString(strings.Repeat("b", max(0, most-most/2-len(key)-len(">"))))
				key += "…1 tokens truncated…" + key
			}
			kind := fragment.KindNames[r.IntN(2)]
			entries = append(entries, fmt.Sprintf(`"%s":{"value":"%s","kind":"%s"}`, key, value.String(), kind))
		}
		return strings.Join(entries, ",")
	}
	written, all := 0, 0
	for range 8000 {
		var p Policy
		p.Reset()
		p.Announce = r.IntN(2) == 0
		p.Wrapper = fragment.Wrapper(r.IntN(2))
		p.Strip = r.IntN(2) == 0
		p.Limit = budget.Limit{Tokens: r.IntN([]int{9, 30, 100}[r.IntN(3)]), Truncation: budget.Truncation(r.IntN(3)), Strict: r.IntN(2) == 0}
		keys := []string{"a", "b", "c", "d"}
		for i := range keys {
			for range r.IntN(4) * r.IntN(2) {
				keys[i] += ofKeys[r.IntN(len(ofKeys))]
			}
		}
		most := p.Limit.MaxBytes()
		request := `{"store":{` + list(keys[:3], most) + `},"additionalContext":{` + list(keys[1:], most) + `}}`
		if r.IntN(4) == 0 {
			key := KeyPolicy{HasTokens: r.IntN(2) == 0, Tokens: int32(r.IntN(30)), HasTruncation: r.IntN(2) == 0, Truncation: budget.Truncation(r.IntN(3))}
			m := Merge{}
			read(t, request, &m)
			key.Key = m.New.entries[r.IntN(3)].Key
			p.Keys = append(p.Keys, key)
		}
		p.Settle()
		var m Merge
		text := read(t, request, &m)
		m.Policy = &p
		m.Compare(text)
		var got, want json.Writer
		got.Reset(16 << 10)
		got.Text("[")
		next := writeShortRun(&m, &got, &fragment.Templates[p.Wrapper], fragment.NoteText, 0)
		written, all = written+next, all+len(m.outcomes)
		rendered := slices.Clone(m.outcomes[:next])
		m.outcomes = m.outcomes[:next]
		usesKernels = false
		want.Text("[")
		m.WriteInputs(&want)
		usesKernels = true
		if string(got.Bytes()) != string(want.Bytes()) {
			t.Fatalf("%s with %+v\n got %s\nwant %s", request, p, got.Bytes(), want.Bytes())
		}
		for i, o := range m.outcomes {
			if r := &rendered[i].rendered; !o.rendered.Truncated {
				r.OriginalTokens, r.RemovedTokens = o.rendered.OriginalTokens, o.rendered.RemovedTokens
			}
			if o.injected() && o != rendered[i] {
				t.Fatalf("%s with %+v\n got %+v\nwant %+v", request, p, rendered[i], o)
			}
		}
	}
	if written < all/2 {
		t.Errorf("%d of %d were written at once", written, all)
	}
}

// What kernels do of a merge comes to the same as what is done without them.
func TestKernels(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are kernels as WebAssembly only (make test-guest)")
	}
	defer func() { usesKernels = true }()
	r := rand.New(rand.NewPCG(9, 10))
	n := 60_000
	if testing.Short() {
		n = 8000
	}
	told, usuals := 0, 0
	for i := range n {
		old, now := toldMap(r), toldMap(r)
		if r.IntN(3) == 0 {
			now = strings.Replace(old, "a", "b", 1)
		}
		request := `{"store":` + old + `,"additionalContext":` + now + `}`
		switch r.IntN(20) {
		case 0:
			request = strings.Replace(request, "additional", "Additional", 1)
		case 1:
			request = strings.TrimSuffix(request, "}") + []string{"", "]", " }", "} ", `,"x":1}`, `,"store":{}}`, "}}"}[r.IntN(7)]
		case 3:
			request = strings.Replace(request, "store", "stork", 1)
		case 2:
			request = strings.Replace(request, `,"add`, `, "add`, 1)
		}
		if r.IntN(4) == 0 {
			request = `{"additionalContext":` + now + `,"store":` + old + `}`
		}
		if i%8 == 0 {
			request = string(random.Merge(r))
		}
		if i < 80 {
			// One key, written in two ways.
			keys := [][2]string{{`e`, `\u0065`}, {`\u0065`, `e`}, {`\\`, `\u005c`}, {`\u005c`, `\\`}}[i/2%4]
			entry := `{"%s":{"value":"%d","kind":"untrusted"}}`
			maps := []string{`"store":` + fmt.Sprintf(entry, keys[0], 0), `"additionalContext":` + fmt.Sprintf(entry, keys[1], 1)}
			if i%2 == 1 {
				slices.Reverse(maps)
			}
			request = "{" + strings.Join(maps, ",") + "}"
		}
		var p Policy
		p.Reset()
		p.Announce = r.IntN(3) == 0
		p.Patch = r.IntN(4) == 0
		if r.IntN(4) == 0 {
			p.Limit = budget.Limit{Tokens: r.IntN(60), Truncation: budget.Truncation(r.IntN(3))}
		}
		if r.IntN(8) == 0 {
			p.Strip = true
		}
		if r.IntN(4) == 0 {
			p.Wrapper = fragment.Attribute
		}
		p.Limit.Strict = r.IntN(8) == 0
		if p.HasTotal = r.IntN(8) == 0; p.HasTotal {
			p.Total = r.IntN(100)
		}
		if r.IntN(8) == 0 {
			// A key has a policy of its own; it stands in the request.
			request = strings.TrimSuffix(request, "}") + fmt.Sprintf(`,"x":"k%02d"}`, r.IntN(6))
			end := int32(len(request) - len(`"}`))
			key := KeyPolicy{Key: json.String{Start: end - 3, End: end, Len: 3}, HasTokens: r.IntN(4) > 0, Tokens: int32(r.IntN(60)), Priority: int32(r.IntN(3))}
			key.HasTruncation, key.Truncation = r.IntN(2) == 0, budget.Truncation(r.IntN(3))
			p.Keys = append(p.Keys, key)
		}
		p.Settle()
		room := r.IntN(4000)
		usesKernels = true
		got, usual, ok := mergeBoth(request, p, room)
		usesKernels = false
		want, _, wantOK := mergeBoth(request, p, room)
		if ok != wantOK || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q with %+v\n got %+v\nwant %+v", request, p, got, want)
		}
		if ok {
			told++
		}
		if usual {
			usuals++
		}
	}
	if told < n/4 || usuals < n/8 {
		t.Errorf("%d of %d requests were good, %d usual", told, n, usuals)
	}
}
