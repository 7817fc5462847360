package budget

import "github.com/turncontext/turncontext/plugin/json"

// Extra says how many bytes longer a part of a value gets when it is written,
// MaxExtra for each at most. The part stands in a string of the output.
type Extra func(part []byte) int

// maxWritten is how many bytes a character takes at most when it is written: one
// of four bytes that gets no longer, or one of one byte that gets longer by
// MaxExtra.
const maxWritten = 1 + MaxExtra

// MaxExtra is how much longer an Extra may make a character of one byte; longer
// ones it leaves as they are.
const MaxExtra = 4

// cutStrictly cuts value so that what is left, its marker and extra included,
// has at most limit bytes (abi/README.md, "Cutting").
func (c *Cut) cutStrictly(t Truncation, text []byte, value *json.String, limit int, extra Extra) bool {
	length, whole := int(value.Len), unknown
	if length <= limit {
		whole = written(extra, value.Raw(text))
		if length+whole <= limit {
			c.Extra = int32(whole)
			return false
		}
	}
	// Nothing beyond the limit can be kept, so nothing beyond it is looked at.
	e := ends{text: text, truncation: t, extra: extra}
	e.begin(value, min(limit, length-1), whole)
	for {
		// The size need not shrink with every byte: the marker may grow.
		removed := Tokens(length - e.kept)
		room := limit - markerBytes(removed)
		if room < 0 {
			c.cutUnmarked(t, text, value, limit, extra)
			return true
		}
		if e.size <= room {
			c.keep(&e, removed)
			return true
		}
		e.shrink(room)
	}
}

// cutUnmarked cuts value where not even the marker alone fits: the longest
// beginning stays, under tail the longest end.
func (c *Cut) cutUnmarked(t Truncation, text []byte, value *json.String, limit int, extra Extra) {
	if t == Middle {
		t = Head
	}
	e := ends{text: text, truncation: t, extra: extra}
	for e.begin(value, min(limit, int(value.Len)), unknown); e.size > limit; {
		e.shrink(limit)
	}
	c.keep(&e, Tokens(int(value.Len)-e.length()))
	c.unmarked = true
}

// keep sets what is left.
func (c *Cut) keep(e *ends, removed int) {
	c.set(int(e.head.End), int(e.tail.Start), e.length(), removed)
	c.Extra = int32(e.size - e.length())
}

// written returns how many bytes longer a part gets.
func written(extra Extra, part []byte) int {
	if extra == nil {
		return 0
	}
	return extra(part)
}

// ends are the beginning and the end of a value that a budget keeps, as the
// budget shrinks.
type ends struct {
	text       []byte
	truncation Truncation
	extra      Extra

	kept       int // the budget in bytes
	head, tail json.String
	size       int // of both in bytes, extra included
}

// length returns how many bytes are kept.
func (e *ends) length() int { return int(e.head.Len + e.tail.Len) }

// unknown is how many bytes longer something gets that was not looked at.
const unknown = -1

// begin sets the value and the budget. whole is how many bytes longer the value
// gets, or unknown.
func (e *ends) begin(value *json.String, budget, whole int) {
	head, tail := e.truncation.split(budget)
	e.kept, e.head, e.tail = budget, *value, *value
	end, length := json.Head(e.text, *value, head)
	e.head.End, e.head.Len = int32(end), int32(length)
	begin, length := json.Tail(e.text, *value, tail)
	e.tail.Start, e.tail.Len = int32(begin), int32(length)
	e.size = e.length()
	if whole != unknown {
		e.size += whole - written(e.extra, e.text[end:begin])
		return
	}
	e.size += written(e.extra, e.head.Raw(e.text)) + written(e.extra, e.tail.Raw(e.text))
}

// shrink makes the budget smaller, and passes over none for which the size is at
// most so many bytes. The size is more than that.
func (e *ends) shrink(most int) {
	over := e.size - most
	// Each byte less drops one character at most; and of what the budget has, the
	// boundaries of characters leave all but six bytes.
	sure := max((over+maxWritten-1)/maxWritten, over-6-(e.size-e.kept))
	// Most of it goes at once, if what is dropped gets about as much longer as the
	// rest.
	guess := min(over, over*e.kept/e.size)
	guess -= 1 + min((over-guess)/2, guess/8)
	if guess > sure && e.cut(e.kept-guess, most) {
		return
	}
	e.cut(e.kept-sure, -1)
}

// cut makes the budget smaller, unless that makes the size at most so many bytes.
func (e *ends) cut(budget, most int) bool {
	head, tail := e.truncation.split(budget)
	end, headLength := json.Head(e.text, e.head, head)
	begin, tailLength := json.Tail(e.text, e.tail, tail)
	size := e.size - e.length() + headLength + tailLength
	if e.size > e.length() {
		size -= written(e.extra, e.text[end:e.head.End]) + written(e.extra, e.text[e.tail.Start:begin])
	}
	if size <= most {
		return false
	}
	e.kept, e.size = budget, size
	e.head.End, e.head.Len = int32(end), int32(headLength)
	e.tail.Start, e.tail.Len = int32(begin), int32(tailLength)
	return true
}
