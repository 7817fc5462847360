package store

import "github.com/turncontext/turncontext/plugin/json"

// runState says why a run of members has ended.
type runState uint8

const (
	runStopped runState = iota // the next member is of another form, or there is none
	runFull                    // there is no room for the next member
	runInValue                 // a value has something that is not looked at here
	runClosed                  // the object has ended
)

// scanMode says which values a run compares and scans by itself.
type scanMode uint8

const (
	scanShort    scanMode = iota // those that are not long
	scanAll                      // all
	scanWatching                 // all, and looks whether there is something to warn of
)

// readsRuns is whether there are runs; a test turns them off.
var readsRuns = hasRuns

// cursor is where the reading of a map is.
type cursor struct {
	hint      int  // index of the entry of the other map that probably is the next
	watched   bool // a run is to look whether there is something to warn of
	unordered bool // a run has met members out of order, and put them in place
}

// scan returns how a run is to scan.
func (c *cursor) scan() scanMode {
	switch {
	case json.SIMD:
		return scanShort
	case c.watched:
		return scanWatching
	}
	return scanAll
}

// readRun reads members as long as they are of the usual form: written as the
// output would write them, or with the kind first or a space behind each colon and comma, and with a plain
// key. It takes a few nanoseconds where
// reading step by step takes some hundred. Whatever else there is stops it, before
// that member, and is left to the methods that read one.
//
// i is behind the bracket of the object, or behind a member. The result is where
// the last member ends that was read, or the object, if it is closed.
func (m *Map) readRun(text []byte, i int, like *Map, at *cursor) (end int, closed bool) {
	if !readsRuns || like.keyForm != json.Plain || like.depth != m.depth && len(like.entries) > 0 {
		return i, false
	}
	if next := text[i]; next <= ' ' || next == ',' && text[i+1] != '"' && text[i+2] != '"' {
		return i, false // white space: to begin would be in vain
	}
	for resumed := false; ; resumed = true {
		before := len(m.entries)
		end, n, hint, form, s, unordered := readRun(text, i, m.entries, like.entries, at.hint, at.scan(), resumed, at.unordered)
		if n > before {
			form = max(form, like.form) // they may be twins
		}
		m.entries, m.form = m.entries[:n], max(m.form, form)
		at.hint, at.unordered = hint, unordered
		if s != runInValue && (!resumed || n > before) {
			return end, s == runClosed
		}
		e := &m.entries[:n+1][n]
		if s == runInValue {
			i = e.endValue(text, end)
		}
		if s != runInValue || i < 0 {
			// It is not of the usual form after all.
			return e.before(text), false
		}
		m.form = max(m.form, e.Value.Form)
	}
}

// before returns where the member before the entry ends, or the bracket that it is
// the first behind.
func (a *Entry) before(text []byte) int {
	switch start := int(a.start); {
	case text[start-1] == ',':
		return start - 1
	case text[start-2] == ',':
		return start - 2 // there is a space
	default:
		return start
	}
}

// endValue reads the rest of the value from i on. It returns where its closing
// quote is, -1 if it has none. Len holds how much the escapes before i save.
func (a *Entry) endValue(text []byte, i int) int {
	end, saved, form := json.StringEnd(text, i)
	if text[end] != '"' {
		return -1
	}
	saved += int(a.Value.Len)
	if saved > 0 {
		form = max(form, json.Canonical)
	}
	a.clean = false
	a.Value.End, a.Value.Len, a.Value.Form = int32(end), int32(end-int(a.Value.Start)-saved), form
	return end
}
