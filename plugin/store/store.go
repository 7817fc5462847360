// Package store reads the map a thread was last told and the one that was sent,
// compares them, and writes what follows from that (abi/README.md, "merge").
package store

import (
	"unsafe"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// Entry is one member of a Map. It says where in the request the entry stands.
type Entry struct {
	Key   json.String
	Value json.String
	Kind  fragment.Kind

	null       bool  // the entry is null: the key is to be removed
	clean      bool  // the value is known to have nothing to warn of
	start, end int32 // the member, from the quote of its key to past its bracket
	twin       int32 // index of the entry of the map read before that is known to be the same, or -1
}

// equal reports whether a and b have the same value and kind.
func (a *Entry) equal(b *Entry, text []byte) bool {
	return a.Kind == b.Kind && json.Equal(text, a.Value, b.Value)
}

// What stands around the value in an entry as the output has it.
const memberValue = `:{"value":"`

var memberEnds = [fragment.Kinds]string{
	fragment.Untrusted:   `,"kind":"` + string(abi.Untrusted) + `"}`,
	fragment.Application: `,"kind":"` + string(abi.Application) + `"}`,
}

// isCanonical reports whether the entry, whose key is not Foreign, is written as the output
// would write it.
func (a *Entry) isCanonical() bool {
	return a.isUsual() && a.Value.Form < json.Foreign
}

// isUsual reports whether the tokens around the value are what the output would
// write. Nothing shorter can stand there, so the lengths tell.
func (a *Entry) isUsual() bool {
	return int(a.Value.Start-a.Key.End) == 1+len(memberValue) && int(a.end-a.Value.End) == 1+len(memberEnds[a.Kind])
}

// Map is a map of entries in ascending order of the key's UTF-8 bytes.
type Map struct {
	entries []Entry
	depth   int       // of the object in the request
	form    json.Form // no value has more
	keyForm json.Form // no key has more
}

// Reset empties the map.
func (m *Map) Reset() { m.entries, m.form, m.keyForm = m.entries[:0], json.Plain, json.Plain }

// Len returns how many entries the map has.
func (m *Map) Len() int { return len(m.entries) }

// given returns how many entries are not null.
func (m *Map) given() int {
	n := 0
	for i := 0; i < len(m.entries); i++ {
		if !m.entries[i].null {
			n++
		}
	}
	return n
}

// passNulls returns the index of the first entry from n on that is not null.
func (m *Map) passNulls(n int) int {
	for n < len(m.entries) && m.entries[n].null {
		n++
	}
	return n
}

// Read reads the next value as the map; null is an empty one. like is the map
// that was read before from the same request, empty if there was none: what is
// written as it is there needs no second look.
func (m *Map) Read(r *json.Reader, like *Map) { m.read(r, like, false) }

// ReadPatch does the same, but an entry may be null; it is rejected tentatively.
// It reports whether the map itself is null.
func (m *Map) ReadPatch(r *json.Reader, like *Map) (null bool) { return m.read(r, like, true) }

func (m *Map) read(r *json.Reader, like *Map, patch bool) (null bool) {
	m.Reset()
	if r.Wrong() {
		like = &noEntries // it may be what is wrong
	}
	m.depth = r.Depth() + 1
	begin := r.Offset()
	if r.Text()[begin] == ' ' {
		begin++ // there is one behind the colon
	}
	at := cursor{watched: patch}
	if r.Text()[begin] == '{' {
		// Most often nothing else is needed, and the object need not be entered.
		end, closed := m.readRun(r.Text(), begin+1, like, &at)
		if closed {
			r.PassObject(end)
			m.putInOrder(r, at.as)
			return false
		}
		r.Object()
		r.Pass(end)
	} else if r.Null() {
		return true
	} else if !r.Object() {
		return false
	}
	usual := !readsRuns // so was the entry before, if it was read by one of these; a run has tried it
	for {
		n := len(m.entries)
		if n == cap(m.entries) {
			m.entries = json.Grow(m.entries, r.More(n, begin))
		}
		e := m.add()
		if !m.readRepeated(r, e, like, &at.hint) && !(usual && m.readPair(r, e, like, &at.hint)) {
			if !m.readOther(r, e, like, &at.hint, patch) {
				m.entries = m.entries[:n]
				break
			}
			usual = e.isUsual()
		}
		if n > 0 && at.as != asRead && !m.entries[n-1].isBefore(e, r.Text()) {
			at.as = asRead
		}
		if !at.begins() {
			continue
		}
		at.nulls = at.nulls || e.null
		end, closed := m.readRun(r.Text(), r.Offset(), like, &at)
		if closed {
			r.Leave(end)
			break
		}
		at.ended(end - r.Offset())
		r.Pass(end)
	}
	m.putInOrder(r, at.as)
	return false
}

// putInOrder puts the entries in order, if they are not.
func (m *Map) putInOrder(r *json.Reader, as arrangement) {
	if as == asRead {
		m.sort(r)
	}
}

// isBefore reports whether the key of a comes before that of b.
func (a *Entry) isBefore(b *Entry, text []byte) bool {
	if a.twin >= 0 && b.twin > a.twin {
		return true // so it is in the other map
	}
	if a.Key.Form != json.Plain || b.Key.Form != json.Plain {
		return false // it is quicker to sort them than to compare many that are long
	}
	return json.Compare(text, a.Key, b.Key) < 0
}

// noEntries is a map that nothing is like.
var noEntries Map

// add adds an entry, for which there is room. It holds whatever it held: to clear
// it would cost more than to set what it needs.
func (m *Map) add() *Entry {
	n := len(m.entries)
	m.entries = m.entries[:n+1]
	return &m.entries[n]
}

// repeat makes e the entry of like with that index, whose bytes stand again where
// the text now ends at end.
func (e *Entry) repeat(like *Map, index, end int) {
	twin := &like.entries[index]
	by := int32(end) - twin.end
	e.Key, e.Value, e.Kind, e.null, e.clean = twin.Key, twin.Value, twin.Kind, false, twin.clean
	e.Key.Start += by
	e.Key.End += by
	e.Value.Start += by
	e.Value.End += by
	e.start, e.end, e.twin = twin.start+by, int32(end), int32(index)
}

// readRepeated reads the next member into e if it is written as the entry of
// like with index hint, and reports whether it is. Hint is the index of the entry
// that probably is the same.
func (m *Map) readRepeated(r *json.Reader, e *Entry, like *Map, hint *int) bool {
	if *hint >= len(like.entries) || like.depth != m.depth {
		return false
	}
	twin := &like.entries[*hint]
	if twin.null || !r.Repeat(int(twin.start), int(twin.end)) {
		return false
	}
	e.repeat(like, *hint, r.Offset())
	m.form, m.keyForm = max(m.form, like.form), max(m.keyForm, like.keyForm)
	*hint++
	return true
}

// readPair reads the next member into e if its tokens are those that the output
// would write, in that order, and reports whether they are.
func (m *Map) readPair(r *json.Reader, e *Entry, like *Map, hint *int) bool {
	start, kind := r.Pair(&e.Key, &e.Value, memberValue, memberEnds[:])
	if kind < 0 {
		return false
	}
	e.Kind, e.null, e.clean, e.twin = fragment.Kind(kind), false, false, -1
	e.start, e.end = int32(start), int32(r.Offset())
	m.form, m.keyForm = max(m.form, e.Value.Form), max(m.keyForm, e.Key.Form)
	if len(like.entries) > 0 {
		like.near(r.Text(), e.Key, hint)
	}
	return true
}

// readOther reads the next member into e, however it is written, and reports
// whether there is one that matters.
func (m *Map) readOther(r *json.Reader, e *Entry, like *Map, hint *int, patch bool) bool {
	if r.Settled() {
		r.SkipMembers()
		return false
	}
	if !r.NextMember() {
		return false
	}
	e.start, e.clean, e.twin = int32(r.Offset()), false, -1
	if !r.MemberName() {
		return false
	}
	e.Key = r.Name()
	e.Value, e.Kind = json.String{}, fragment.Untrusted
	twin := like.near(r.Text(), e.Key, hint)
	if twin != nil && twin.null {
		twin = nil
	}
	if e.null = patch && r.Kind() == json.KindNull; e.null {
		r.RejectTentatively(json.KindObject.String())
	} else {
		readEntry(r, e, twin)
	}
	e.end = int32(r.Offset())
	m.form, m.keyForm = max(m.form, e.Value.Form), max(m.keyForm, e.Key.Form)
	return true
}

// normaliseKeys makes every key Canonical at most, in place.
func (m *Map) normaliseKeys(text []byte) {
	if m.keyForm < json.Foreign {
		return
	}
	for i := range m.entries {
		json.Normalise(text, &m.entries[i].Key)
	}
	m.keyForm = json.Canonical
}

// normalise makes every key and value Canonical at most, in place. Members that
// follow one another stay together, so that they are copied as one.
func (m *Map) normalise(text []byte) {
	m.normaliseKeys(text)
	if m.form == json.Foreign {
		m.normaliseValues(text)
	}
}

func (m *Map) normaliseValues(text []byte) {
	before, end := int32(0), int32(0) // where the last member that was rewritten ended, and ends
	for i := range m.entries {
		e := &m.entries[i]
		if e.Value.Form < json.Foreign {
			continue
		}
		if !e.isUsual() {
			json.Normalise(text, &e.Value)
			continue
		}
		start := e.start
		if start == before+1 {
			start = end + 1
		}
		before = e.end
		end = e.rewrite(text, start)
	}
	m.form = json.Canonical
}

// rewrite makes the value Canonical, and moves the member down to start, with the
// comma or the bracket behind it. It returns where the member ends then. Its key is
// not Foreign, and it isUsual.
func (a *Entry) rewrite(text []byte, start int32) (end int32) {
	end = int32(json.Rewrite(text, int(start), int(a.start), int(a.end)))
	text[end] = text[a.end]
	by := a.start - start
	a.Key.Start -= by
	a.Key.End -= by
	a.Value.Start -= by
	a.Value.End = end - (a.end - a.Value.End)
	a.Value.Form = json.Canonical
	a.start, a.end = start, end
	return end
}

// near finds the entry with that key, nil if there is none, or none that is found
// quickly. hint is where to look first, and is set to where the next key is
// probably found.
func (m *Map) near(text []byte, key json.String, hint *int) *Entry {
	if *hint < len(m.entries) && json.Equal(text, m.entries[*hint].Key, key) {
		*hint++
		return &m.entries[*hint-1]
	}
	if m.keyForm != json.Plain || key.Form != json.Plain {
		return nil // to compare keys with escapes takes long
	}
	low, high := 0, len(m.entries)
	for low < high {
		middle := int(uint(low+high) >> 1)
		switch order := json.Compare(text, m.entries[middle].Key, key); {
		case order == 0:
			*hint = middle + 1
			return &m.entries[middle]
		case order < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	*hint = low
	return nil
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
	if !r.Fields(&f, &entryFields) {
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

// quotedKinds has fragment.KindNames in their quotes.
var quotedKinds = [fragment.Kinds]string{fragment.Untrusted: `"` + string(abi.Untrusted) + `"`, fragment.Application: `"` + string(abi.Application) + `"`}

// readKind reads the next value as a kind.
func readKind(r *json.Reader, kind *fragment.Kind) {
	known := false
	if *kind, known = readWord(r, &quotedKinds); known {
		return
	}
	if k := r.Enum("kind", fragment.KindNames); k >= 0 {
		*kind = fragment.Kind(k)
	}
}

// sort puts the entries in order. Keys that stand twice are rejected.
func (m *Map) sort(r *json.Reader) {
	if n := len(m.entries); n > 0 {
		json.Permute(m.entries, r.SortEach(&m.entries[0].Key, unsafe.Sizeof(Entry{}), n))
	}
}

// Write writes the map as the output has it: in the order of its keys. It was
// read from text, which may change.
func (m *Map) Write(w *json.Writer, text []byte) {
	entries := m.entries
	if usesKernels && len(entries) > 0 && writeWhole(w, text, entries) {
		return
	}
	m.normalise(text) // then there are quicker ways
	n := canonicalRun(entries)
	if n == len(entries) && n > 0 && text[entries[0].start-1] == '{' && text[entries[n-1].end] == '}' {
		w.Raw(text[entries[0].start-1 : entries[n-1].end+1])
		return
	}
	w.Text(`{`)
	for len(entries) > 0 {
		w.Comma()
		entries = entries[writeNext(w, text, entries):]
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
	w.Text(memberValue)
	w.Inner(text, a.Value)
	w.Text(`"`)
	w.Text(memberEnds[a.Kind])
}
