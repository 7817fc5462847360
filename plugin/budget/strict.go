package budget

import "github.com/turncontext/turncontext/plugin/json"

// Extra says how many bytes longer a part of a value gets when it is written,
// maxExtra for each at most. The part stands in a string of the output.
type Extra func(part []byte) int

// maxWritten is how many bytes a character takes at most when it is written: one
// of four bytes that gets no longer, or one of one byte that gets longer by
// MaxExtra.
const maxWritten = 1 + MaxExtra

// MaxExtra is how much longer an Extra may make a character of one byte; longer
// ones it leaves as they are.
const MaxExtra = 4

// cutStrictly cuts value so that what is left, its marker and extra included,
// has at most limit bytes (the design, "strictBudget").
func (c *Cut) cutStrictly(t Truncation, text []byte, value json.String, limit int, extra Extra) bool {
	length := int(value.Len)
	if length <= limit && length+written(extra, value.Raw(text)) <= limit {
		return false
	}
	// Nothing beyond the limit can be kept, so nothing beyond it is looked at.
	// The size need not shrink with every byte: the marker may grow.
	e := ends{text: text, truncation: t, extra: extra}
	for e.begin(value, min(limit, length-1)); e.kept >= 0; {
		removed := Tokens(length - e.kept)
		over := e.size + markerBytes(removed) - limit
		if over <= 0 {
			c.set(int(e.head.End), int(e.tail.Start), e.length(), removed)
			return true
		}
		e.shrink(over)
	}
	c.cutUnmarked(t, text, value, limit, extra)
	return true
}

// cutUnmarked cuts value where not even the marker alone fits: the longest
// beginning stays, under tail the longest end.
func (c *Cut) cutUnmarked(t Truncation, text []byte, value json.String, limit int, extra Extra) {
	if t == Middle {
		t = Head
	}
	e := ends{text: text, truncation: t, extra: extra}
	for e.begin(value, min(limit, int(value.Len))); e.size > limit; {
		e.shrink(e.size - limit)
	}
	c.set(int(e.head.End), int(e.tail.Start), e.length(), Tokens(int(value.Len)-e.length()))
	c.unmarked = true
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

// begin sets the value and the budget.
func (e *ends) begin(value json.String, budget int) {
	e.kept, e.head, e.tail = budget, value, value
	e.cut()
	e.size = e.length() + written(e.extra, e.head.Raw(e.text)) + written(e.extra, e.tail.Raw(e.text))
}

// cut cuts the ends to the budget, and returns the parts that fall off.
func (e *ends) cut() (ofHead, ofTail []byte) {
	head, tail := e.truncation.split(e.kept)
	end, length := json.Head(e.text, e.head, head)
	ofHead = e.text[end:e.head.End]
	e.head.End, e.head.Len = int32(end), int32(length)
	begin, length := json.Tail(e.text, e.tail, tail)
	ofTail = e.text[e.tail.Start:begin]
	e.tail.Start, e.tail.Len = int32(begin), int32(length)
	return ofHead, ofTail
}

// shrink makes the budget smaller, by no more than it has to for the size to be
// so many bytes less: each byte less drops one character at most; and of what
// the budget has, the boundaries of characters leave all but six bytes.
func (e *ends) shrink(over int) {
	e.kept -= max((over+maxWritten-1)/maxWritten, over-6-(e.size-e.kept))
	if e.kept < 0 {
		return
	}
	length := e.length()
	ofHead, ofTail := e.cut()
	e.size -= length - e.length() + written(e.extra, ofHead) + written(e.extra, ofTail)
}
