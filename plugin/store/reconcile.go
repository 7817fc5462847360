package store

import (
	"bytes"

	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// standing says what the last message of a key in the history is.
type standing uint8

const (
	missing standing = iota // there is none
	stale                   // it is not what the entry renders to
	current                 // it is
)

// Reconcile finds out which entries of Old the history has lost: an entry is in
// force if the last of its messages is what it renders to (abi/README.md,
// "reconcile"). Both were read from text.
func (m *Merge) Reconcile(text []byte, h *History) {
	m.begin(text)
	m.Old.normalise(text)
	n := len(m.Old.entries) // all is set by index, since to add it takes a tenth of all that tiny entries cost
	m.outcomes = json.Empty(m.outcomes, n)[:n]
	for i := range m.outcomes {
		o := &m.outcomes[i]
		o.before, o.now, o.change, o.note, o.policy = int32(i), -1, restored, false, -1
		o.from, o.to = 0, 0
	}
	m.standing = json.Empty(m.standing, n)[:n]
	clear(m.standing)
	if len(m.Policy.Keys) > 0 {
		m.findPolicies()
	}
	m.beginEarly()
	m.tags.reset()
	m.weighAll(h)
	for i := range m.outcomes {
		if m.standing[i] == current {
			m.outcomes[i].change = unchanged
		}
	}
	m.next = &m.Old
	if m.Policy.HasTotal {
		m.dropLost()
	}
}

// dropLost has the total budget drop entries, which the store then loses.
func (m *Merge) dropLost() {
	m.measureRest()
	m.drop(m.Policy.Total)
	m.mixed.Reset()
	m.mixed.entries = json.Grow(m.mixed.entries, len(m.outcomes))
	for i := range m.outcomes {
		if m.outcomes[i].change != dropped {
			m.mixed.entries = append(m.mixed.entries, m.Old.entries[i])
		}
	}
	m.next = &m.mixed
}

// weighAll sets the standing of all keys.
func (m *Merge) weighAll(h *History) {
	attribute, limit := m.Policy.Wrapper == fragment.Attribute, m.Policy.Limit.MaxBytes()
	if m.Policy.Tokenizer.IsExact() {
		limit = -1
	}
	if attribute {
		m.resolved = json.Empty(m.resolved, keyRoom)
	}
	templates := &fragment.Templates[m.Policy.Wrapper]
	nested := usesKernels && !attribute && len(h.parts) > 0 && m.Old.hasNested(m.text)
	for i, p, found := 0, 0, -1; ; {
		if usesKernels {
			i, p, found = weighRun(m, h, templates, limit, attribute, nested, i, p)
		}
		switch {
		case p == len(h.parts):
			return
		case found >= 0:
			m.judge([]int32{int32(found)}, h.parts[p], h.items[i].kind)
		default:
			m.weigh(h.parts[p], h.items[i].kind)
		}
		p++
		if i+1 < len(h.items) && int(h.items[i+1].parts) == p {
			i++
		}
	}
}

// keyRoom is enough for kernels to resolve a key in with its tags, unless it is long.
const keyRoom = 1 << 10

// hasNested reports whether a key has a ">": only the tags of such a one can stand around a
// text that those of another stand around as well.
func (m *Map) hasNested(text []byte) bool {
	for i := range m.entries {
		if key := m.entries[i].Key.Raw(text); len(key) > 8 {
			if bytes.IndexByte(key, '>') >= 0 {
				return true
			}
		} else if hasBracket(text, int(m.entries[i].Key.Start), len(key)) {
			return true
		}
	}
	return false
}

// hasBracket reports whether n bytes of the text, up to 8, have a ">". It is quicker for few than
// to call what is for many.
func hasBracket(text []byte, i, n int) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	word := json.Word(text[i:]) ^ '>'*ones | ^uint64(0)<<(8*n)
	return (word-ones)&^word&highs != 0
}

// weigh sets the standing of the keys whose tags a text of the history has.
func (m *Merge) weigh(part json.String, kind fragment.Kind) {
	if raw := part.Raw(m.text); len(raw) == 0 || raw[0] != '<' && raw[0] != '\\' {
		return // no tag begins so
	}
	if m.tags.isEmpty() {
		m.tags.index(&m.Old, m.text)
	}
	keys := m.tags.around(m.Policy.Wrapper, m.resolve(part), kind)
	if len(keys) > 0 {
		m.judge(keys, part, kind)
	}
}

// judge sets the standing of keys whose tags stand around a text. If it is what some of them
// render to, it says nothing of the others: the tags of one key may stand around another's.
func (m *Merge) judge(keys []int32, part json.String, kind fragment.Kind) {
	json.Normalise(m.text, &part)
	written := part.Raw(m.text)
	plain, limit := m.Policy.PlainInputs, m.Policy.Limit.MaxBytes()
	_, tags := m.renderer.Verbatim(kind, 0, 0)
	isCurrent := false
	for _, i := range keys {
		if e := &m.Old.entries[i]; plain && int(e.Value.Len) <= limit && tags+e.textLen() != len(written) {
			continue // of many keys around one text most are passed here
		}
		if m.rendersTo(i, kind, written) {
			m.standing[i] = current
			isCurrent = true
		}
	}
	if isCurrent {
		return
	}
	for _, i := range keys {
		m.standing[i] = stale
	}
}

// rendersTo reports whether the entry with that index renders to a text, which its tags
// stand around, written as in a string of the output, in the role that goes with kind.
func (m *Merge) rendersTo(i int32, kind fragment.Kind, written []byte) bool {
	e := &m.Old.entries[i]
	if e.Kind != kind {
		return false
	}
	// Without a policy of its own, and not cut, the value most often stands between the tags,
	// which are there.
	key, value := e.Key.Raw(m.text), e.Value.Raw(m.text)
	if m.outcomes[i].policy < 0 && int(e.Value.Len) <= m.Policy.Limit.MaxBytes() && (m.Policy.PlainInputs || m.renderer.IsVerbatim(key, value)) {
		begin, length := m.renderer.Verbatim(kind, len(key), len(value))
		return len(written) == length && hasPrefix(written[begin:], value)
	}
	return m.isRendered(i, written)
}

// textLen returns how long the value and the key in both its tags are, as they stand.
func (a *Entry) textLen() int { return 2*int(a.Key.End-a.Key.Start) + int(a.Value.End-a.Value.Start) }

// isRendered reports the same as rendersTo, of the kind of the entry, by rendering it.
func (m *Merge) isRendered(i int32, written []byte) bool {
	o := &m.outcomes[i]
	if o.from == 0 {
		m.renderText(int(i))
	}
	return bytes.Equal(m.early.Bytes()[o.rendered.Begin:o.rendered.End], written)
}

// renderText renders the outcome with that index to compare it, and keeps its text alone.
func (m *Merge) renderText(i int) {
	m.renderEarly(i)
	o := &m.outcomes[i]
	r, early := &o.rendered, m.early.Bytes()
	n := copy(early[o.from:], early[r.Begin:r.End])
	m.early.Extend(int(o.from) + n - len(early))
	r.Begin, r.End, o.to = o.from, o.from+int32(n), 0
}

// resolve returns a string of the request with its escapes resolved, and room behind it.
func (m *Merge) resolve(s json.String) []byte {
	if s.Form == json.Plain {
		return s.Raw(m.text)
	}
	m.resolved = json.Empty(m.resolved, int(s.End-s.Start)+readBeyond)
	return s.Bytes(m.text, m.resolved)
}

// readBeyond is more than how many bytes behind a text kernels may read, since they read
// words.
const readBeyond = 8
