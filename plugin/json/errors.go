package json

// SyntaxError says why a text is not JSON.
type SyntaxError struct {
	Offset int    // of the first byte that is wrong
	Path   string // of the value that holds it
	Reason string
}

// Violation says why a value is not what was expected of it.
type Violation struct {
	Offset int    // of the value, or of the name that should not be there
	Path   string // of the value, a missing one included
	Reason string

	Unsupported bool // the value would be right for another module
}

// Finish checks that nothing follows the value that was read, and returns what
// was wrong: bad syntax, else the first violation in document order. What was
// rejected tentatively is wrong unless tolerant.
func (r *Reader) Finish(tolerant bool) (*SyntaxError, *Violation) {
	if t := r.tentative; t != nil && !tolerant {
		if v := r.violations[r.tentativePart]; v == nil || t.Offset < v.Offset {
			r.violations[r.tentativePart] = t
		}
	}
	r.next()
	if r.pos < r.end {
		r.stop(r.pos, "unexpected "+r.describe(r.pos)+" after the value")
	}
	if r.violations[wholePart] != nil {
		return r.syntax, r.violations[wholePart]
	}
	return r.syntax, r.violations[innerPart]
}

// stop notes bad syntax at offset and ends the reading.
func (r *Reader) stop(offset int, reason string) {
	if r.syntax == nil {
		r.syntax = &SyntaxError{Offset: offset, Path: r.path(), Reason: reason}
	}
	r.pos, r.first = r.end, false
}

// unexpected notes that no JSON text goes on with the byte at offset.
func (r *Reader) unexpected(offset int, expected string) {
	r.stop(offset, "unexpected "+r.describe(offset)+", expected "+expected)
}

// describe names the byte at offset for a message.
func (r *Reader) describe(offset int) string {
	if offset >= r.end {
		return "end of text"
	}
	c := r.text[offset]
	if c == 0xEF && r.text[offset+1] == 0xBB && r.text[offset+2] == 0xBF {
		return "byte-order mark"
	}
	if c < 0x20 || c >= 0x7F {
		return "byte 0x" + string([]byte{hexDigits[c>>4], hexDigits[c&15]})
	}
	return "'" + string(rune(c)) + "'"
}

// Reject notes that the value which begins at offset is wrong. Its path is that
// of the member or item at hand. Only the first violation in document order is
// kept.
func (r *Reader) Reject(offset int, reason string) {
	if r.isFirst(offset) {
		r.violations[r.part] = &Violation{Offset: offset, Path: r.path(), Reason: reason}
	}
}

// RejectLeft notes that the member name of the object that was just left is
// wrong, at offset.
func (r *Reader) RejectLeft(offset int, name, reason string) {
	if r.isFirst(offset) {
		r.violations[r.part] = &Violation{Offset: offset, Path: string(appendName(r.appendPath(nil), name)), Reason: reason}
	}
}

// RejectUnsupported notes that the value which begins at offset is one that
// only other modules know.
func (r *Reader) RejectUnsupported(offset int, reason string) {
	if r.isFirst(offset) {
		r.Reject(offset, reason)
		r.violations[r.part].Unsupported = true
	}
}

// RejectTentatively does what RejectKind does, but whether the value is wrong
// is for Finish to say. Of several such values the first counts.
func (r *Reader) RejectTentatively(expected string) {
	if r.tentative == nil {
		kind := r.Kind()
		r.tentative = &Violation{Offset: r.pos, Path: r.path(), Reason: "expected " + expected + ", found " + kind.String()}
		r.tentativePart = r.part
	}
	r.Skip()
}

// isFirst reports whether a violation at offset would be the first so far.
func (r *Reader) isFirst(offset int) bool {
	v := r.violations[r.part]
	return r.syntax == nil && (v == nil || offset < v.Offset)
}

// reject notes that the next value is not of the kind that was expected, and
// reads it.
func (r *Reader) reject(expected Kind) { r.RejectKind(expected.String()) }

// RejectKind notes that the next value is not of the kinds that were expected,
// and reads it.
func (r *Reader) RejectKind(expected string) {
	if kind := r.Kind(); kind != KindNone {
		r.Reject(r.pos, "expected "+expected+", found "+kind.String())
	}
	r.Skip()
}
