package json

import (
	"bytes"
	"strconv"
)

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
// "Limits"). Something else is rejected.
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
