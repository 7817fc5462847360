// Package store reads the map a thread was last told and the one that was sent,
// compares them, and writes what follows from that (the design, "Merge").
package store

import (
	"slices"

	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// Entry is one member of a Map. It says where in the request the entry stands.
type Entry struct {
	Key   json.String
	Value json.String
	Kind  fragment.Kind

	null       bool  // the entry is null: the key is to be removed
	start, end int32 // the member, from the quote of its key to past its bracket
	twin       int32 // index of the entry of the map read before that is written the same, or -1
}

// equal reports whether a and b have the same value and kind.
func (a *Entry) equal(b *Entry, text []byte) bool {
	return a.Kind == b.Kind && json.Equal(text, a.Value, b.Value)
}

// The lengths of what stands around the value in an entry as the output has it.
const (
	beforeValue = len(`":{"value":"`)
	afterValue  = len(`","kind":""}`)
)

// isCanonical reports whether the entry is written as the output would write
// it. Nothing shorter can stand around a value, so the lengths tell.
func (a *Entry) isCanonical() bool {
	return int(a.Value.Start-a.Key.End) == beforeValue &&
		int(a.end-a.Value.End) == afterValue+len(a.Kind.String()) &&
		a.Key.Form < json.Foreign && a.Value.Form < json.Foreign
}

// Map is a map of entries in ascending order of the key's UTF-8 bytes.
type Map struct {
	entries []Entry
	depth   int // of the object in the request

	keys   []json.String // memory for sort
	sorted []Entry
}

// Reset empties the map.
func (m *Map) Reset() { m.entries = m.entries[:0] }

// Len returns how many entries the map has.
func (m *Map) Len() int { return len(m.entries) }

// Read reads the next value as the map; null is an empty one. like is the map
// that was read before from the same request, empty if there was none: what is
// written as it is there needs no second look.
func (m *Map) Read(r *json.Reader, like *Map) { m.read(r, like, false) }

// ReadPatch does the same, but an entry may be null; it is rejected tentatively.
func (m *Map) ReadPatch(r *json.Reader, like *Map) { m.read(r, like, true) }

func (m *Map) read(r *json.Reader, like *Map, patch bool) {
	m.Reset()
	if r.Null() || !r.Object() {
		return
	}
	if r.Wrong() {
		like = &Map{} // it may be what is wrong
	}
	m.depth = r.Depth()
	sorted := true
	for hint := 0; ; {
		if r.Settled() {
			r.SkipMembers()
			break
		}
		n := len(m.entries)
		m.entries = append(m.entries, Entry{})
		e := &m.entries[n]
		if !m.readMember(r, e, like, &hint, patch) {
			m.entries = m.entries[:n]
			break
		}
		sorted = sorted && (n == 0 || json.Compare(r.Text(), m.entries[n-1].Key, e.Key) < 0)
	}
	if !sorted {
		m.sort(r)
	}
}

// moved returns the entry for the same bytes so much further on in the text.
func (a *Entry) moved(by int32) Entry {
	b := *a
	for _, offset := range []*int32{&b.Key.Start, &b.Key.End, &b.Value.Start, &b.Value.End, &b.start, &b.end} {
		*offset += by
	}
	return b
}

// readMember reads the next member into e and reports whether there was one.
// hint is the index in like of the entry that probably is the same.
func (m *Map) readMember(r *json.Reader, e *Entry, like *Map, hint *int, patch bool) bool {
	var twin *Entry
	if *hint < len(like.entries) && like.depth == m.depth && !like.entries[*hint].null {
		twin = &like.entries[*hint]
		more, repeated := r.MemberLike(int(twin.start), int(twin.end))
		if !more {
			return false
		}
		if repeated {
			*e = twin.moved(int32(r.Offset()) - twin.end)
			e.twin = int32(*hint)
			*hint++
			return true
		}
	} else if !r.Member() {
		return false
	}
	e.Key = r.Name()
	e.twin = -1
	e.start = e.Key.Start - 1
	if twin = like.near(r.Text(), e.Key, hint); twin != nil && twin.null {
		twin = nil
	}
	if e.null = patch && r.Kind() == json.KindNull; e.null {
		r.RejectTentatively(json.KindObject.String())
	} else {
		readEntry(r, e, twin)
	}
	e.end = int32(r.Offset())
	return true
}

// near finds the entry with that key, nil if there is none. hint is where to
// look first, and is set to where the next key is probably found.
func (m *Map) near(text []byte, key json.String, hint *int) *Entry {
	if *hint < len(m.entries) && json.Equal(text, m.entries[*hint].Key, key) {
		*hint++
		return &m.entries[*hint-1]
	}
	i, found := slices.BinarySearchFunc(m.entries, key, func(e Entry, key json.String) int {
		return json.Compare(text, e.Key, key)
	})
	*hint = i
	if !found {
		return nil
	}
	*hint++
	return &m.entries[i]
}

var entryFields = []string{fieldValue: "value", fieldKind: "kind"}

const (
	fieldValue = iota
	fieldKind
)

// readEntry reads the next value as an entry. twin is nil, or an entry whose
// value is probably the same.
func readEntry(r *json.Reader, e *Entry, twin *Entry) {
	var f json.Fields
	if !r.Fields(&f, entryFields) {
		return
	}
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch {
		case i == fieldKind:
			readKind(r, &e.Kind)
		case twin != nil:
			r.StringLike(&e.Value, twin.Value)
		default:
			r.String(&e.Value)
		}
	}
	r.Require(&f, fieldValue)
	r.Require(&f, fieldKind)
}

// readKind reads the next value as a kind.
func readKind(r *json.Reader, kind *fragment.Kind) {
	if k := r.Enum("kind", fragment.KindNames); k >= 0 {
		*kind = fragment.Kind(k)
	}
}

// sort puts the entries in order. Keys that stand twice are rejected.
func (m *Map) sort(r *json.Reader) {
	m.keys = m.keys[:0]
	for i := range m.entries {
		m.keys = append(m.keys, m.entries[i].Key)
	}
	m.sorted = m.sorted[:0]
	for _, i := range r.Sort(m.keys) {
		m.sorted = append(m.sorted, m.entries[i])
	}
	m.entries, m.sorted = m.sorted, m.entries
}

// Write writes the map as the output has it: in the order of its keys. It was
// read from text.
func (m *Map) Write(w *json.Writer, text []byte) {
	entries := m.entries
	w.Text(`{`)
	for i := 0; i < len(entries); {
		w.Comma()
		n := canonicalRun(entries[i:])
		if n == 0 {
			entries[i].write(w, text)
			i++
			continue
		}
		w.Raw(text[entries[i].start:entries[i+n-1].end])
		i += n
	}
	w.Text(`}`)
}

// canonicalRun returns how many of the first entries stand in the text one
// after the other just as the output would write them.
func canonicalRun(entries []Entry) int {
	n := 0
	for n < len(entries) && entries[n].isCanonical() {
		if n > 0 && entries[n].start != entries[n-1].end+1 {
			break
		}
		n++
	}
	return n
}

// write writes the entry as a member of the map.
func (a *Entry) write(w *json.Writer, text []byte) {
	w.String(text, a.Key)
	w.Text(`:{"value":`)
	w.String(text, a.Value)
	w.Text(`,"kind":"`)
	w.Text(a.Kind.String())
	w.Text(`"}`)
}
