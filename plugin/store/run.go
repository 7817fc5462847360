package store

import "github.com/turncontext/turncontext/plugin/json"

// runState says why a run of members has ended.
type runState uint8

const (
	runStopped runState = iota // the next member is of another form, or there is none
	runFull                    // there is no room for the next member
	runInValue                 // a value has something that is not looked at here
	runInKey                   // a key has
	runClosed                  // the object has ended
)

// readsRuns is whether there are runs; a test turns them off.
var readsRuns = hasRuns

// order says how the entries read so far stand in Map.entries.
type order uint8

const (
	inOrder order = iota // as they were read, which is in order
	inPlace              // in order, though they were read in another
	asRead               // as they were read: they are to be sorted
)

// cursor is where the reading of a map is.
type cursor struct {
	hint int // index of the entry of the other map that probably is the next
	as   order

	watched bool // values are looked at whether there is something to warn of
	nulls   bool // entries may be null, as one before is

	vain, wait int32 // how many runs in a row have read nothing, and for how many members to begin none
}

// begins reports whether to begin a run. After each in vain it waits for a member
// more than after the one before.
func (c *cursor) begins() bool {
	c.wait--
	return c.wait < 0
}

// ended notes how much a run has read.
func (c *cursor) ended(n int) {
	if n > 0 {
		c.vain = 0
		return
	}
	c.vain++
	c.wait = c.vain
}

// readRun reads members as long as they are of the usual form: the value and the
// kind, in any order, and with any white space between the tokens. It takes a few
// nanoseconds where reading step by step takes some hundred. Whatever else there is
// stops it, before that member, and is left to the methods that read one.
//
// i is behind the bracket of the object, or behind a member. The result is where
// the last member ends that was read, or the object, if it is closed.
func (m *Map) readRun(text []byte, i int, like *Map, at *cursor) (end int, closed bool) {
	if !readsRuns || like.depth != m.depth && len(like.entries) > 0 {
		return i, false
	}
	end, s := readRun(text, i, m, like, at, runStopped)
	if s == runInValue || s == runInKey {
		return m.resumeRun(text, end, like, at, s)
	}
	return end, s == runClosed
}

// resumeRun goes on with a run that has ended in a value or a key.
func (m *Map) resumeRun(text []byte, i int, like *Map, at *cursor, s runState) (end int, closed bool) {
	for s == runInValue || s == runInKey {
		n := len(m.entries)
		e := &m.entries[:n+1][n]
		if s == runInValue {
			i = e.endValue(text, i)
			m.form = max(m.form, e.Value.Form)
		} else {
			i = e.endKey(text, i)
			m.keyForm = max(m.keyForm, e.Key.Form)
		}
		if i < 0 {
			return e.before(text), false
		}
		i, s = readRun(text, i, m, like, at, s)
		if len(m.entries) == n && s != runInValue && s != runInKey {
			return e.before(text), false // it is not of the usual form after all
		}
	}
	return i, s == runClosed
}

// before returns where the member before the entry ends, or white space behind it,
// or the bracket that it is the first behind.
func (a *Entry) before(text []byte) int {
	start := int(a.start)
	for start--; text[start] <= ' '; start-- {
	}
	if text[start] == ',' {
		return start
	}
	return start + 1
}

// endKey reads the rest of the key from i on. It returns where its closing quote
// is, -1 if it has none. Len holds how much the escapes before i save, and Form
// their form.
func (a *Entry) endKey(text []byte, i int) int {
	end, saved, form := json.StringEnd(text, i)
	if text[end] != '"' {
		return -1
	}
	a.Key.End, a.Key.Len = int32(end), int32(end-int(a.Key.Start)-saved)-a.Key.Len
	a.Key.Form = max(a.Key.Form, form)
	return end
}

// endValue reads the rest of the value from i on. It returns where its closing
// quote is, -1 if it has none. Len holds how much the escapes before i save, and Form
// whether one of them is foreign.
func (a *Entry) endValue(text []byte, i int) int {
	end, saved, form := json.StringEnd(text, i)
	if text[end] != '"' {
		return -1
	}
	saved += int(a.Value.Len)
	form = max(form, a.Value.Form)
	if saved > 0 {
		form = max(form, json.Canonical)
	}
	a.clean = false
	a.Value.End, a.Value.Len, a.Value.Form = int32(end), int32(end-int(a.Value.Start)-saved), form
	return end
}
