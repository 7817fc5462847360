package store

// runState says why a run of members has ended.
type runState uint8

const (
	runStopped runState = iota // the next member is of another form, or there is none
	runFull                    // there is no room for the next member
	runClosed                  // the object has ended
)

// readsRuns is whether there are runs; a test turns them off.
var readsRuns = hasRuns

// arrangement says how the entries read so far stand in Map.entries.
type arrangement uint8

const (
	inOrder arrangement = iota // as they were read, which is in order
	inPlace                    // in order, though they were read in another
	asRead                     // as they were read: they are to be sorted
)

// cursor is where the reading of a map is.
type cursor struct {
	hint int // index of the entry of the other map that probably is the next
	as   arrangement

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

// readRun reads members as long as they are of the usual form: the value and the kind,
// in any order, beside a few that are not known, with any white space between. It takes
// a few nanoseconds where reading step by step takes some hundred. Whatever else there
// is stops it, before that member, and is left to the methods that read one.
//
// i is behind the bracket of the object, or behind a member. The result is where
// the last member ends that was read, or the object, if it is closed.
func (m *Map) readRun(text []byte, i int, like *Map, at *cursor) (end int, closed bool) {
	if !readsRuns || like.depth != m.depth && len(like.entries) > 0 {
		return i, false
	}
	end, s := readRun(text, i, m, like, at)
	return end, s == runClosed
}
