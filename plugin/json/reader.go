package json

// frame says where in a container the reader is.
type frame struct {
	name  String // of the member, if inName
	index int32  // of the item, if inItem
	at    place
	array bool // the container is an array
}

type place uint8

const (
	between place = iota // neither in a member nor in an item
	inName
	inItem
)

// part is a part of the text whose violations are kept apart.
type part uint8

const (
	wholePart part = iota // all but the inner part
	innerPart             // see BeginPart
	parts
)

// Reader reads one text in document order.
//
// Its methods do not return errors. One that meets bad syntax notes it and
// moves to the end of the text, where every method finds nothing, so that its
// callers run out. A value that is well-formed but wrong is noted with Reject,
// and reading goes on: the syntax of the rest has to be checked, and bad syntax
// goes before a wrong value. When reading is done, Finish tells.
type Reader struct {
	text []byte // with Pad zero bytes behind the end
	end  int
	pos  int
	last int // offset of the bracket that ended the object last left

	depth  int
	frames [MaxDepth + 1]frame // by depth
	first  bool                // the container at hand was entered just now

	part       part
	base       int // depth at which paths begin
	syntax     *SyntaxError
	violations [parts]*Violation

	tentative     *Violation
	tentativePart part

	names  []String // those to be compared, of the open objects, outermost first
	sorter sorter
}

// Reset makes r read the n bytes at the beginning of text, which must be
// followed by Pad zero bytes.
func (r *Reader) Reset(text []byte, n int) {
	r.text, r.end = text[:n+Pad], n
	r.pos, r.depth, r.first = 0, 0, false
	r.part, r.base = wholePart, 0
	r.syntax, r.violations, r.tentative = nil, [parts]*Violation{}, nil
	r.names = r.names[:0]
}

// Text returns the text with its padding: what Strings point into.
func (r *Reader) Text() []byte { return r.text }

// Depth returns the depth of the container at hand, 0 outside of all.
func (r *Reader) Depth() int { return r.depth }

// Wrong reports whether anything wrong was met so far.
func (r *Reader) Wrong() bool {
	return r.syntax != nil || r.violations[wholePart] != nil || r.violations[innerPart] != nil
}

// Settled reports whether nothing that is read from here on in this part can
// change what is wrong, but bad syntax: there is no need to look at it.
func (r *Reader) Settled() bool {
	return r.syntax != nil || r.violations[wholePart] != nil || r.violations[r.part] != nil
}

// BeginPart makes the next value a part of its own: paths begin at it, and its
// violations count after those of all the rest. EndPart ends it.
func (r *Reader) BeginPart() { r.part, r.base = innerPart, r.depth }

// EndPart ends what BeginPart began.
func (r *Reader) EndPart() { r.part, r.base = wholePart, 0 }

// IsClean reports whether the text ends behind the value that was read, and
// nothing was wrong: then there is no need to Finish.
func (r *Reader) IsClean() bool {
	return r.pos == r.end && r.tentative == nil && !r.Wrong()
}

// next skips white space and returns the byte it then stands at, 0 at the end.
// It is short enough to be inlined.
func (r *Reader) next() byte {
	if c := r.text[r.pos]; c > ' ' {
		return c
	}
	return r.skipSpace()
}

//go:noinline
func (r *Reader) skipSpace() byte {
	r.pos = spaceEnd(r.text, r.pos)
	return r.text[r.pos]
}

// Kind says what kind of value a text goes on with.
type Kind uint8

// The kinds of value.
const (
	KindNone Kind = iota // no value: the text is bad here
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// Kinds is a set of kinds, 1<<KindNull and so on.
type Kinds uint8

// AnyKinds is all of them.
const AnyKinds Kinds = 1<<KindNull | 1<<KindBool | 1<<KindNumber | 1<<KindString | 1<<KindArray | 1<<KindObject

var kindNames = [...]string{"", "null", "a boolean", "a number", "a string", "an array", "an object"}

// String returns the kind with its article, as messages name it.
func (k Kind) String() string { return kindNames[k] }

// Kind returns the kind of the next value, without reading it.
func (r *Reader) Kind() Kind {
	switch c := r.next(); c {
	case '{':
		return KindObject
	case '[':
		return KindArray
	case '"':
		return KindString
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return KindNumber
	}
	return KindNone
}

// At reports whether the text goes on with that byte.
func (r *Reader) At(c byte) bool { return r.text[r.pos] == c }

// Null reads the next value if it is null, and reports whether it was.
func (r *Reader) Null() bool {
	if r.next() != 'n' {
		return false
	}
	r.literal("null")
	return true
}

// Skip reads the next value, whatever it is.
func (r *Reader) Skip() {
	switch c := r.next(); c {
	case '"':
		var s String
		r.readString(&s)
	case '{', '[':
		r.skip(r.depth, atValue)
	case 't':
		r.literal("true")
	case 'f':
		r.literal("false")
	case 'n':
		r.literal("null")
	default:
		if c == '-' || '0' <= c && c <= '9' {
			r.number()
			return
		}
		r.unexpected(r.pos, "a value")
	}
}

// state says what stands next in a container that is skipped.
type state uint8

const (
	atValue state = iota
	atFirst       // the first member of an object, which is not empty
	pastValue
	pastAll // nothing: the outermost container is done
)

// skip reads on from that state until the container at hand is at depth. All but bad
// syntax skipAhead reads.
func (r *Reader) skip(depth int, s state) {
	for r.syntax == nil {
		if s == atValue {
			r.pos, r.depth, s = skipAhead(r.text, &r.frames, r.pos, r.depth, depth)
			if s == pastAll {
				return
			}
			r.first = s == atFirst
			if s == atValue {
				r.step()
			}
		}
		for s = pastValue; s == pastValue; {
			if r.depth == depth || r.syntax != nil {
				return
			}
			if r.entry() {
				s = atValue
			}
		}
	}
}

// entry moves to the next item or member of the container at hand.
func (r *Reader) entry() bool {
	if r.frames[r.depth].array {
		return r.Item()
	}
	return r.Member()
}

// step reads the next value, of a container only the bracket that begins it.
func (r *Reader) step() {
	if c := r.next(); c == '{' || c == '[' {
		r.enter()
		return
	}
	r.Skip()
}

// Offset returns where the reader stands: before white space, at a value it
// was asked the Kind of, or past a value it has read.
func (r *Reader) Offset() int { return r.pos }
