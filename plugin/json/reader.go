package json

import (
	"bytes"
	"strconv"
)

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

// skip reads on from that state until the container at hand is at depth. What it
// meets most often skipAhead reads.
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

// step reads the next value, of a container only the bracket that begins it, and what is
// simple behind one that is none.
func (r *Reader) step() {
	c := r.next()
	if c == '{' || c == '[' {
		r.enter()
		return
	}
	if r.frames[r.depth].array && r.PassItems(AnyKinds, nil) > 0 {
		return
	}
	r.Skip()
	if r.At(',') && !r.frames[r.depth].array {
		r.passMembers()
	}
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

// Bool reads the next value, which is to be a boolean. Another kind is rejected.
func (r *Reader) Bool(b *bool) {
	switch r.next() {
	case 't':
		*b = true
		r.literal("true")
	case 'f':
		*b = false
		r.literal("false")
	default:
		r.reject(KindBool)
	}
}

// ends has what stands behind most numbers.
var ends = [256]bool{',': true, '}': true, ']': true}

// maxInteger is the largest integer.
const maxInteger = 1<<31 - 1

// Integer reads the next value, which is to be an integer from least on,
// written without fraction, exponent or minus zero (abi/README.md,
// "JSON"). Something else is rejected.
func (r *Reader) Integer(n *int, least int) bool {
	if c := r.text[r.pos] - '0'; c <= 9 && int(c) >= least && ends[r.text[r.pos+1]] {
		*n = int(c)
		r.pos++
		return true
	}
	if r.Kind() != KindNumber {
		r.reject(KindNumber)
		return false
	}
	begin := r.pos
	r.number()
	value, ok := integer(r.text[begin:r.pos])
	if !ok || value < least {
		r.Reject(begin, "expected an integer from "+strconv.Itoa(least)+" to "+strconv.Itoa(maxInteger))
		return false
	}
	*n = value
	return true
}

// integer reads a number that is an integer of 32 bits.
func integer(number []byte) (value int, ok bool) {
	digits := bytes.TrimPrefix(number, []byte("-"))
	negative := len(digits) < len(number)
	for _, c := range digits {
		if c < '0' || c > '9' || value > maxInteger {
			return 0, false
		}
		value = value*10 + int(c-'0')
	}
	if negative {
		return -value, value > 0 && value <= maxInteger+1
	}
	return value, value <= maxInteger
}

// Enum reads the next value, which is to be one of names, and returns its
// index; -1 if it is not, and was rejected. Messages call the value noun.
func (r *Reader) Enum(noun string, names []string) int {
	var s String
	if !r.String(&s) {
		return -1
	}
	for i, known := range names {
		if s.Is(r.text, known) {
			return i
		}
	}
	r.Reject(int(s.Start)-1, "unknown "+noun+" "+Excerpt(s.Bytes(r.text, nil))+", expected "+alternatives(names))
	return -1
}

// alternatives lists names for a message.
func alternatives(names []string) string {
	list := `"` + names[0] + `"`
	for i, name := range names[1:] {
		separator := ", "
		if i == len(names)-2 {
			separator = " or "
		}
		list += separator + `"` + name + `"`
	}
	return list
}

// literal reads word, whose first byte is the next one.
func (r *Reader) literal(word string) {
	for i := 1; i < len(word); i++ {
		if r.text[r.pos+i] != word[i] {
			r.unexpected(r.pos+i, word)
			return
		}
	}
	r.pos += len(word)
}

// number reads a number (RFC 8259, section 6).
func (r *Reader) number() {
	i := r.pos
	if r.text[i] == '-' {
		i++
	}
	switch c := r.text[i]; {
	case c == '0':
		i++
	case '1' <= c && c <= '9':
		i = r.digits(i)
	default:
		r.unexpected(i, "a digit")
		return
	}
	if r.text[i] == '.' {
		if i = r.digits(i + 1); i < 0 {
			return
		}
	}
	if c := r.text[i]; c == 'e' || c == 'E' {
		i++
		if c := r.text[i]; c == '+' || c == '-' {
			i++
		}
		if i = r.digits(i); i < 0 {
			return
		}
	}
	r.pos = i
}

// digits reads one digit or more and returns the offset past them, or -1.
func (r *Reader) digits(i int) int {
	begin := i
	for '0' <= r.text[i] && r.text[i] <= '9' {
		i++
	}
	if i == begin {
		r.unexpected(i, "a digit")
		return -1
	}
	return i
}

// Word reads the next value if it is written as word, a string in its quotes or a pair of
// brackets, and reports whether it is; else nothing has changed. Pad bounds how long a word may be.
//
//go:noinline
func (r *Reader) Word(word string) bool {
	end := r.pos + len(word)
	if string(r.text[r.pos:end]) != word {
		return false
	}
	r.pos = end
	return true
}

// AtEmpty reports whether the next value is an empty object without white space.
func (r *Reader) AtEmpty() bool { return r.text[r.pos] == '{' && r.text[r.pos+1] == '}' }

// String reads the next value, which is to be a string. Another kind is
// rejected.
func (r *Reader) String(s *String) bool {
	if r.next() != '"' {
		r.reject(KindString)
		return false
	}
	return r.readString(s)
}

// StringLike does the same, and is quicker if the string is written as like is,
// one that was read before.
func (r *Reader) StringLike(s *String, like String) bool {
	if r.next() == '"' && r.repeats(int(like.Start)-1, int(like.End)+1) {
		n := like.End - like.Start
		*s = like
		s.Start = int32(r.pos) + 1
		s.End = s.Start + n
		r.pos += int(n) + 2
		return true
	}
	return r.String(s)
}

// repeats reports whether the text goes on with the bytes at [start, end).
func (r *Reader) repeats(start, end int) bool {
	n := end - start
	return n <= r.end-r.pos && longEqual(r.text, start, r.pos, n)
}

// readString reads the string whose opening quote is the next byte.
func (r *Reader) readString(s *String) bool {
	begin := r.pos + 1
	i, saved, form := longTextEnd(r.text, begin)
	if r.text[i] != '"' {
		r.badCharacter(i)
		return false
	}
	*s = String{Start: int32(begin), End: int32(i), Len: int32(i - begin - saved), Form: form}
	r.pos = i + 1
	return true
}

// badCharacter notes that the byte at i, or the escape there, cannot stand in a
// string.
func (r *Reader) badCharacter(i int) {
	switch {
	case i >= r.end:
		r.stop(i, "the text ends in a string")
	case r.text[i] == '\\':
		r.badEscape(i)
	case r.text[i] < 0x20:
		r.stop(i, "unescaped control character ("+r.describe(i)+") in a string")
	default:
		r.stop(i, "invalid UTF-8 in a string")
	}
}

// badEscape notes that the escape at i is bad.
func (r *Reader) badEscape(i int) {
	if r.text[i+1] != 'u' {
		r.wrongAt(i, i+1)
		return
	}
	value, digits := hex4(r.text[i+2:])
	switch {
	case digits < 4:
		r.wrongAt(i, i+2+digits)
	case isHighSurrogate(value):
		r.badSurrogate(i)
	default:
		r.stop(i, "unpaired surrogate escape in a string")
	}
}

// wrongAt notes that the escape at i goes wrong at offset wrong.
func (r *Reader) wrongAt(i, wrong int) {
	if wrong >= r.end {
		r.stop(r.end, "the text ends in a string")
		return
	}
	r.stop(i, "invalid escape in a string")
}

// badSurrogate notes that the escape at i, of a high surrogate, is not followed
// by that of a low one.
func (r *Reader) badSurrogate(i int) {
	// What follows is compared byte by byte, since the text may end here.
	for j, want := range [2]byte{'\\', 'u'} {
		if i+6+j >= r.end {
			r.stop(r.end, "the text ends in a string")
			return
		}
		if r.text[i+6+j] != want {
			r.stop(i, "unpaired surrogate escape in a string")
			return
		}
	}
	if _, digits := hex4(r.text[i+8:]); i+8+digits >= r.end && beginsLow(r.text[i+8:i+8+digits]) {
		r.stop(r.end, "the text ends in a string")
		return
	}
	r.stop(i, "unpaired surrogate escape in a string")
}

// beginsLow reports whether the first digits of an escape, fewer than four, may
// be those of a low surrogate.
func beginsLow(digits []byte) bool {
	return len(digits) < 1 || digits[0]|0x20 == 'd' && (len(digits) < 2 || digits[1]|0x20 >= 'c')
}

// Array enters the next value, which is to be an array: read its items with
// Item. Another kind is rejected.
func (r *Reader) Array() bool {
	if r.next() != '[' {
		r.reject(KindArray)
		return false
	}
	return r.enter()
}

// Object enters the next value, which is to be an object: read its members with
// Member. Another kind is rejected.
func (r *Reader) Object() bool {
	if r.next() != '{' {
		r.reject(KindObject)
		return false
	}
	return r.enter()
}

// enter reads the bracket that begins a container.
func (r *Reader) enter() bool {
	if r.depth == MaxDepth {
		r.stop(r.pos, "nested deeper than "+strconv.Itoa(MaxDepth))
		return false
	}
	r.depth++
	f := &r.frames[r.depth]
	f.at, f.array = between, r.text[r.pos] == '['
	r.first = true
	r.pos++
	return true
}

// more moves to the next entry of the container at hand, past the comma, and
// reports whether there is one; else it reads the closing bracket.
func (r *Reader) more(closing byte, expected string) bool {
	r.frames[r.depth].at = between
	c := r.next()
	first := r.first
	r.first = false
	if c == closing {
		r.last = r.pos
		r.pos++
		r.depth--
		return false
	}
	if first {
		return true
	}
	if c != ',' {
		r.unexpected(r.pos, expected)
		return false
	}
	r.pos++
	r.next()
	return true
}

// Item moves to the next item of the array at hand and reports whether there is
// one; its value is to be read next. When there is none, the array has been
// left.
func (r *Reader) Item() bool {
	if r.text[r.pos] == ',' && r.text[r.pos+1] > ' ' && !r.first {
		// Most often there is nothing between them.
		r.frames[r.depth].index++
		r.pos++
		return true
	}
	index := int32(0)
	if !r.first {
		index = r.frames[r.depth].index + 1
	}
	if !r.more(']', "',' or ']'") {
		return false
	}
	r.frames[r.depth].index = index
	r.frames[r.depth].at = inItem
	return true
}

// Member moves to the next member of the object at hand, reads its name and
// reports whether there is one; its value is to be read next. When there is
// none, the object has been left.
func (r *Reader) Member() bool { return r.NextMember() && r.MemberName() }

// NextMember moves to the next member of the object at hand, before its name,
// and reports whether there is one. When there is none, the object has been
// left.
func (r *Reader) NextMember() bool { return r.more('}', "',' or '}'") }

// Repeat moves to the next member and reads it, if it is written as the one at
// [start, end), which was read before and whose value ended in a bracket. It
// reports whether it did; else nothing has changed.
func (r *Reader) Repeat(start, end int) bool {
	i := r.nextQuote()
	n := end - start
	if i < 0 || n > r.end-i || !longEqual(r.text, start, i, n) {
		return false
	}
	r.pos, r.first = i+n, false
	return true
}

// Pair moves to the next member and reads it, if it is key, a string, then
// between, then value, a string, then one of ends, with or without white space
// between the tokens. It returns where that member begins, and which of ends it
// has, -1 for none of it: then nothing has changed. It takes fewer steps than to
// read member by member.
func (r *Reader) Pair(key, value *String, between string, ends []string) (start, which int) {
	start = r.nextQuote()
	if start < 0 {
		return 0, -1
	}
	i, saved, form := textEnd(r.text, start+1)
	if r.text[i] != '"' {
		return 0, -1
	}
	key.Start, key.End, key.Len, key.Form = int32(start)+1, int32(i), int32(i-start-1-saved), form
	begin := follows(r.text, i+1, between)
	if begin < 0 {
		return 0, -1
	}
	i, saved, form = longTextEnd(r.text, begin)
	if r.text[i] != '"' {
		return 0, -1
	}
	value.Start, value.End, value.Len, value.Form = int32(begin), int32(i), int32(i-begin-saved), form
	for which, s := range ends {
		if end := follows(r.text, i+1, s); end >= 0 {
			r.pos, r.first = end, false
			return start, which
		}
	}
	return 0, -1
}

// Shaped reads the next value, an object, if it is before, then a string, which it
// reads into s, then after, then its bracket, with or without white space between the
// tokens. It reports whether it is; else nothing has changed. before and after have
// eight bytes at least, or after none.
func (r *Reader) Shaped(before string, s *String, after string) bool {
	begin := follows(r.text, r.pos, before)
	if begin < 0 {
		return false
	}
	end, saved, form := longTextEnd(r.text, begin)
	if r.text[end] != '"' {
		return false
	}
	bracket := end + 1
	if after != "" {
		if bracket = follows(r.text, bracket, after); bracket < 0 {
			return false
		}
	}
	bracket = spaceEnd(r.text, bracket)
	if r.text[bracket] != '}' {
		return false
	}
	*s = String{Start: int32(begin), End: int32(end), Len: int32(end - begin - saved), Form: form}
	r.PassObject(bracket + 1)
	return true
}

// Pass says that the caller has read members of the object at hand, up to end.
func (r *Reader) Pass(end int) {
	r.first = r.first && end == r.pos
	r.pos = end
}

// PassObject says that the caller has read an object that it did not enter.
func (r *Reader) PassObject(end int) { r.pos, r.last, r.first = end, end-1, false }

// Leave says that the caller has read the object at hand to its end.
func (r *Reader) Leave(end int) {
	r.PassObject(end)
	r.frames[r.depth].at = between
	r.depth--
}

// nextQuote returns where the next member begins, -1 if there is none.
func (r *Reader) nextQuote() int {
	i := r.pos
	if !r.first {
		if r.text[i] <= ' ' {
			i = spaceEnd(r.text, i)
		}
		if r.text[i] != ',' {
			return -1
		}
		i++
	}
	if r.text[i] <= ' ' {
		i = spaceEnd(r.text, i)
	}
	if r.text[i] != '"' {
		return -1
	}
	return i
}

// MemberName reads the name of the member that NextMember moved to, and its
// colon.
func (r *Reader) MemberName() bool {
	if r.text[r.pos] != '"' {
		r.unexpected(r.pos, "a name")
		return false
	}
	f := &r.frames[r.depth]
	if !r.readString(&f.name) {
		return false
	}
	f.at = inName
	if r.next() != ':' {
		r.unexpected(r.pos, "':'")
		return false
	}
	r.pos++
	return true
}

// SkipRest reads the value at hand and what is left of the container.
func (r *Reader) SkipRest() { r.skip(r.depth-1, atValue) }

// SkipMembers reads what is left of the object at hand.
func (r *Reader) SkipMembers() {
	if r.NextMember() && r.MemberName() {
		r.skip(r.depth-1, atValue)
	}
}

// Name returns the name of the member at hand.
func (r *Reader) Name() String { return r.frames[r.depth].name }

// Left returns the offset of the bracket that ended the object last left.
func (r *Reader) Left() int { return r.last }

// Ahead looks in the next value, an object, for the first member whose name is the
// one of names, reads it into s if it is a string, and goes back. It reports
// whether it was one.
func (r *Reader) Ahead(names *[1]string, s *String) bool {
	begin, depth := r.pos, r.depth
	if begins := begin + len(names[0]) + 4; r.text[begin] == '{' && r.text[begin+1] == '"' && isNameAt(r.text, begin+1, names[0]) && r.text[begins] == '"' {
		// Most often it is the first.
		if end, saved, form := textEnd(r.text, begins+1); r.text[end] == '"' {
			*s = String{Start: int32(begins) + 1, End: int32(end), Len: int32(end - begins - 1 - saved), Form: form}
			return true
		}
	}
	found := false
	for more := r.Object() && r.Member(); more; more = r.Member() {
		if r.frames[r.depth].name.Is(r.text, names[0]) {
			found = r.Kind() == KindString && r.readString(s)
			break
		}
		r.Skip()
	}
	if r.syntax != nil {
		return false
	}
	r.pos, r.depth = begin, depth
	return found
}

// More returns for how many more things of a kind to make room, n of which were
// read since begin: for as many as there will be if it goes on like that, and for
// no less than n, so that there are few sizes on the way.
func (r *Reader) More(n, begin int) int {
	const few = 16
	read := r.pos - begin
	if n < few || read <= 0 {
		return few
	}
	rest := int(int64(r.end-r.pos) * int64(n) / int64(read))
	return max(n+1, rest+rest/32+few) // too little would cost as much again
}

// Offset returns where the reader stands: before white space, at a value it
// was asked the Kind of, or past a value it has read.
func (r *Reader) Offset() int { return r.pos }

// Fields is an object of known members, as it is read with Next. It is small,
// so that it is cheap to clear.
type Fields struct {
	names  *[]string
	seen   uint64 // a bit for each of names
	base   int32  // where its unknown names begin in Reader.names
	next   int16  // index of the name that probably comes next
	strict bool
}

// Lacks returns those of required, a bit for each name, that were not there.
func (f *Fields) Lacks(required uint64) uint64 { return required &^ f.seen }

// Fields enters the next value, which is to be an object of the members named
// (64 at most). Other members are ignored. Another kind is rejected.
func (r *Reader) Fields(f *Fields, names *[]string) bool { return openFields(r, f, names) }

// openOther does what Fields does, whatever comes.
func openOther(r *Reader, f *Fields, names *[]string) bool {
	f.names, f.seen, f.base, f.next, f.strict = names, 0, int32(len(r.names)), 0, false
	if r.next() != '{' {
		r.reject(KindObject)
		return false
	}
	return r.enter()
}

// StrictFields does the same for an object that may have no other members.
func (r *Reader) StrictFields(f *Fields, names *[]string) bool {
	entered := r.Fields(f, names)
	f.strict = true
	return entered
}

// Next moves to the next known member of the object f and returns its index in
// f's names, -1 when there is none and the object has been left. Unknown
// members are read on the way, and a name that stands twice is rejected.
func (r *Reader) Next(f *Fields) int { return nextMember(r, f) }

// plainNextMember does what Next does. Most often the next member is a known one with
// nothing between its name and the colon, or there is none.
func plainNextMember(r *Reader, f *Fields) int {
	pos := plainSpaceEnd(r.text, r.pos)
	if r.text[pos] == '}' && len(r.names) == int(f.base) {
		r.Leave(pos + 1)
		return -1
	}
	if !r.first {
		if r.text[pos] != ',' {
			return nextOther(r, f)
		}
		pos = plainSpaceEnd(r.text, pos+1)
	}
	i := f.nameAt(r.text, pos)
	if i < 0 || f.seen&(1<<i) != 0 {
		return nextOther(r, f)
	}
	f.seen |= 1 << i
	f.next = int16(i) + 1
	n := int32(len((*f.names)[i]))
	start := int32(pos) + 1
	at := &r.frames[r.depth]
	at.at, at.name = inName, String{Start: start, End: start + n, Len: n}
	r.pos, r.first = int(start+n)+2, false
	return i
}

// nameAt returns which of f's names stands at i in quotes, with a colon behind, -1
// for none. It looks first for the one that probably comes next.
func (f *Fields) nameAt(text []byte, i int) int {
	if text[i] != '"' {
		return -1
	}
	next := int(f.next)
	for range *f.names {
		if next >= len(*f.names) {
			next = 0
		}
		if isNameAt(text, i, (*f.names)[next]) {
			return next
		}
		next++
	}
	return -1
}

// isNameAt reports whether the name stands behind the quote at i, with a quote and a
// colon behind.
func isNameAt(text []byte, i int, name string) bool {
	n := i + 1 + len(name)
	return n+2 <= len(text) && string(text[i+1:n]) == name && text[n] == '"' && text[n+1] == ':'
}

// nextOther does what Next does, whatever comes.
func nextOther(r *Reader, f *Fields) int {
	for r.passUnknown(f); !r.atBracket() && r.NextMember(); r.passUnknown(f) {
		i := -1
		if r.MemberName() && r.isKnown(f, &i) {
			return i
		}
		r.Skip()
	}
	r.checkUnknown(f)
	return -1
}

// atBracket leaves the object at hand if its closing bracket is the next byte, and reports
// whether it is. The reader stands behind a member or behind the opening bracket.
func (r *Reader) atBracket() bool {
	if r.text[r.pos] != '}' {
		return false
	}
	r.Leave(r.pos + 1)
	return true
}

// isKnown sets the index of the member at hand, and reports whether it is to be
// read.
func (r *Reader) isKnown(f *Fields, index *int) bool {
	name := &r.frames[r.depth].name
	for i, known := range *f.names {
		if !name.Is(r.text, known) {
			continue
		}
		if f.seen&(1<<i) != 0 {
			r.Reject(int(name.Start)-1, "repeated name")
			return false
		}
		f.seen |= 1 << i
		f.next = int16(i) + 1
		*index = i
		return true
	}
	if f.strict {
		r.Reject(int(name.Start)-1, "unknown field")
	}
	if !r.Settled() {
		r.AddName(int(f.base))
	}
	return false
}

// checkUnknown rejects the unknown names of f that stand twice.
func (r *Reader) checkUnknown(f *Fields) {
	names := r.names[f.base:]
	r.names = r.names[:f.base]
	if len(names) > 1 && !r.differ(names) {
		r.sort(names)
	}
}

// Require rejects the object f, which has been left, for want of the member
// with that index.
func (r *Reader) Require(f *Fields, index int) {
	if f.seen&(1<<index) == 0 {
		r.missing((*f.names)[index])
	}
}

//go:noinline
func (r *Reader) missing(name string) { r.RejectLeft(r.last, name, "missing") }
