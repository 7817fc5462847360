package random

import (
	"math/rand/v2"

	"github.com/turncontext/turncontext/abi"
)

// Request returns a random request to any function but describe, and which. Its
// policy has any fields. As with Turn, most are accepted, and all are JSON.
func Request(r *rand.Rand) (function string, request []byte) {
	w := newWriter(r)
	w.faulty = r.IntN(4) == 0
	before, now := Maps(r)
	set := map[string]string{}
	if r.IntN(3) == 0 {
		set["updates"] = `"patch"`
		now = Patch(r, before)
	}
	if w.faulty && r.IntN(6) == 0 {
		set["tokenizer"] = pick(r, []string{`"o200k_base"`, `"cl100k_base"`})
	}
	policy := w.part(func() { w.policy(set) })
	switch r.IntN(8) {
	case 0:
		w.object(member{"policy", func() { w.Write(policy) }})
		return abi.FunctionGuidance, w.Bytes()
	case 1, 2:
		w.object(member{"store", func() { w.entries(before) }}, member{"additionalContext", func() { w.entries(now) }},
			member{"policy", func() { w.Write(policy) }})
		return abi.FunctionMerge, w.Bytes()
	case 3, 4:
		newHistory(w, policy, before).reconcile(policy)
		return abi.FunctionReconcile, w.Bytes()
	case 5:
		newHistory(w, policy, before).classify(policy)
		return abi.FunctionClassify, w.Bytes()
	}
	t := newTurn(w)
	t.before, t.now, t.full = before, now, policy
	return t.write(), w.Bytes()
}

// part returns what a function writes, and does not leave it there.
func (w *writer) part(write func()) []byte {
	write()
	text := append([]byte(nil), w.Bytes()...)
	w.Reset()
	return text
}

func (h *history) reconcile(policy []byte) {
	members := []member{{"history", h.items}, {"policy", func() { h.Write(policy) }}}
	switch h.IntN(8) {
	case 0, 1, 2:
		t := newTurn(h.writer)
		t.before = h.store
		members = append(members, member{"state", func() { t.state("null", "regular") }})
	case 3: // neither, or nearly
		members = append(members, member{"state", func() { h.WriteString("null") }})
		if h.faulty {
			members = append(members, member{"store", func() { h.WriteString(pick(h.Rand, []string{"{}", "null", "7"})) }})
		}
	default:
		members = append(members, member{"store", func() { h.entries(h.store) }})
		if h.faulty && h.IntN(4) == 0 {
			members = append(members, member{"state", func() { h.WriteString(pick(h.Rand, []string{"null", "{}", `{"version":1,"threadId":""}`})) }})
		}
	}
	h.object(members...)
}

func (h *history) classify(policy []byte) {
	members := []member{{"items", h.items}, {"policy", func() { h.Write(policy) }}}
	if h.IntN(3) > 0 {
		members = append(members, member{"store", func() { h.entries(h.store) }})
	}
	h.object(members...)
}
