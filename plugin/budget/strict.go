package budget

import (
	"unicode/utf8"

	"github.com/turncontext/turncontext/plugin/json"
)

// cutStrictly cuts value so that what is left, its marker and extra included,
// has at most limit bytes (the design, "strictBudget").
func (k *Cutter) cutStrictly(t Truncation, text []byte, value json.String, limit int, extra *Extra) (Cut, bool) {
	length, e := int(value.Len), &k.ends
	if length <= limit {
		e.begin(Head, text, value, length, extra)
		if e.size <= limit {
			return Cut{}, false
		}
	}
	// Nothing beyond the limit can be kept, so nothing beyond it is looked at.
	// The size need not shrink with every byte: the marker may grow.
	for e.begin(t, text, value, min(limit, length-1), extra); e.kept >= 0; e.shrink() {
		c := Cut{Removed: Tokens(length - e.kept)}
		if e.size+markerBytes(c.Removed) <= limit {
			c.keep(text, value, t, e.kept)
			return c, true
		}
	}
	return k.cutUnmarked(t, text, value, limit, extra), true
}

// cutUnmarked cuts value where not even the marker alone fits: the longest
// beginning stays, under tail the longest end.
func (k *Cutter) cutUnmarked(t Truncation, text []byte, value json.String, limit int, extra *Extra) Cut {
	if t == Middle {
		t = Head
	}
	e := &k.ends
	for e.begin(t, text, value, min(limit, int(value.Len)), extra); e.size > limit; {
		e.shrink()
	}
	c := Cut{unmarked: true}
	c.keep(text, value, t, e.kept)
	c.Removed = Tokens(int(value.Len) - c.Kept)
	return c
}

// ends are the beginning and the end of a value that a budget keeps, as the
// budget shrinks.
type ends struct {
	truncation Truncation
	extra      *Extra

	kept       int    // the budget in bytes
	head, tail []byte // what it keeps, escapes of JSON resolved
	size       int    // of both in bytes, extra included

	headRoom, tailRoom []byte // memory for what has escapes
}

// begin sets the value and the budget.
func (e *ends) begin(t Truncation, text []byte, value json.String, budget int, extra *Extra) {
	e.truncation, e.extra, e.kept = t, extra, budget
	head, tail := t.split(budget)
	end, _ := json.Head(text, value, head)
	begin, _ := json.Tail(text, value, tail)
	e.head = resolve(text, value.Start, int32(end), value.Form, &e.headRoom)
	e.tail = resolve(text, int32(begin), value.End, value.Form, &e.tailRoom)
	e.size = e.written(e.head) + e.written(e.tail)
}

// resolve returns a part of a string with its escapes resolved.
func resolve(text []byte, from, to int32, form json.Form, room *[]byte) []byte {
	part := json.String{Start: from, End: to, Form: form}
	if form == json.Plain {
		return part.Raw(text)
	}
	*room = part.Bytes(text, (*room)[:0])
	return *room
}

// written returns how many bytes a part of the value takes when it is written.
func (e *ends) written(part []byte) int {
	total := len(part)
	if e.extra == nil {
		return total
	}
	for _, c := range part {
		total += int(e.extra[c])
	}
	return total
}

// shrink makes the budget a byte smaller. What it keeps ends at boundaries of
// characters.
func (e *ends) shrink() {
	e.kept--
	head, tail := e.truncation.split(e.kept)
	for len(e.head) > 0 && len(e.head) > head {
		_, n := utf8.DecodeLastRune(e.head)
		cut := len(e.head) - n
		e.size -= e.written(e.head[cut:])
		e.head = e.head[:cut]
	}
	for len(e.tail) > 0 && len(e.tail) > tail {
		_, n := utf8.DecodeRune(e.tail)
		e.size -= e.written(e.tail[:n])
		e.tail = e.tail[n:]
	}
}
