package host

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// valueEnd finds the end of the JSON value at the beginning of text: the index
// of the first comma, colon or closing bracket that is not within it, or the
// length of text. whole is false where text ends within a string or brackets.
// It finds an end and validates nothing: of a text that is not JSON it only
// says that no JSON value goes beyond the end.
func valueEnd(text []byte) (end int, whole bool) { return valueEndFrom(text, 0, 0) }

// valueEndFrom goes on looking for the end at an index that is not within a
// string, where so many brackets are open.
func valueEndFrom(text []byte, at, depth int) (end int, whole bool) {
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
			if i == len(text) {
				return i, false
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i, true
			}
			depth--
		case ',', ':':
			if depth == 0 {
				return i, true
			}
		}
	}
	return len(text), depth == 0
}

// stringEnd returns the index of the quote that ends the string which begins
// with the quote at start, or the length of text.
func stringEnd(text []byte, start int) int {
	for i := start + 1 + passBlocks(text[start+1:]); ; i++ {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text)
		}
		i += n
		if !escaped(text[start+1 : i]) {
			return i
		}
	}
}

// escaped tells whether the byte after text, which begins with a string's
// content, is escaped: after an odd number of backslashes.
func escaped(text []byte) bool {
	i := len(text)
	for i > 0 && text[i-1] == '\\' {
		i--
	}
	return (len(text)-i)%2 == 1
}

// knownEnd is valueEnd for a text that may begin with a value that is known, so
// that its end is.
func knownEnd(text, known []byte) (end int, whole bool) {
	if bytes.HasPrefix(text, known) {
		return valueEndFrom(text, len(known), 0)
	}
	return valueEnd(text)
}

// A follower looks for the end of an object as valueEnd does, but passes over
// members that are known, at the speed of a comparison.
type follower struct {
	text      []byte
	at, depth int // as for valueEndFrom
}

// follow begins before the first member.
func follow(text []byte) follower {
	if len(text) == 0 || text[0] != '{' {
		return follower{text: text}
	}
	return follower{text: text, at: 1, depth: 1}
}

// pass goes on behind a member, if it is the next: the text of a whole one, with
// its name.
func (f *follower) pass(member []byte) bool {
	if f.depth == 0 || !bytes.HasPrefix(f.text[f.at:], member) {
		return false
	}
	f.at += len(member)
	f.comma()
	return true
}

// skip goes on behind the next member, whatever that is.
func (f *follower) skip() {
	if f.depth == 0 {
		return
	}
	for {
		end, _ := valueEnd(f.text[f.at:])
		f.at += end
		if f.at == len(f.text) || f.text[f.at] != ':' {
			break
		}
		f.at++
	}
	f.comma()
}

// skipHead goes on to the context of a state, behind version, threadId and
// activeTurn.
func (f *follower) skipHead() {
	for range 3 {
		f.skip()
	}
}

// followState begins before the first member of the context of the state with
// which a request begins. Where there is none, no member follows.
func followState(request []byte) follower {
	f := follow(bytes.TrimPrefix(request, []byte(`{"state":`)))
	f.skipHead()
	context, ok := bytes.CutPrefix(f.text[f.at:], []byte(contextName))
	if !ok {
		return follower{}
	}
	return follow(context)
}

// plainName returns the name of the next member, which is not passed, if it has
// no escapes. ok is false where it has, or there is no member.
func (f *follower) plainName() (name []byte, ok bool) {
	rest := f.text[f.at:]
	if f.depth == 0 || len(rest) == 0 || rest[0] != '"' {
		return nil, false
	}
	n := 1 + plainPrefix(rest[1:])
	return rest[1:n], n < len(rest) && rest[n] == '"'
}

// stateEnd is valueEnd for a state whose context may be known, with its name.
func stateEnd(text, context []byte) (end int, whole bool) {
	f := follow(text)
	f.skipHead()
	f.pass(context)
	return f.end()
}

// comma goes on behind a comma, if there is one.
func (f *follower) comma() {
	if f.at < len(f.text) && f.text[f.at] == ',' {
		f.at++
	}
}

// sorted goes on behind a member of an object that is in ascending order, past
// those before it, and tells whether the object has the member as it is. Of the
// member, whose name with its colon is so long, it may have another value or
// none.
func (f *follower) sorted(member []byte, name int) bool {
	for f.depth > 0 {
		if f.pass(member) {
			return true
		}
		rest := f.text[f.at:]
		next := bytes.Compare(rest[:min(name, len(rest))], member[:name])
		if next > 0 || len(rest) == 0 || rest[0] != '"' {
			return false
		}
		if next == 0 {
			f.at += name
			f.skip()
			return false
		}
		f.skip()
	}
	return false
}

// end returns what valueEnd does.
func (f *follower) end() (end int, whole bool) { return valueEndFrom(f.text, f.at, f.depth) }

// cutMember cuts a member's value off the beginning of text, where the name
// with what belongs before and after it stands. ok is false where it does not,
// or no value follows.
func cutMember(text []byte, name string) (value, rest []byte, ok bool) {
	return cutMemberBy(text, name, valueEnd)
}

// cutMemberBy is cutMember with another way to find the end of the value.
func cutMemberBy(text []byte, name string, valueEnd func(text []byte) (end int, whole bool)) (value, rest []byte, ok bool) {
	text, ok = bytes.CutPrefix(text, []byte(name))
	end, whole := valueEnd(text)
	return text[:end], text[end:], ok && whole && end > 0
}

// appendString writes s as a JSON string, with the escapes that the ABI's
// answers have and no others. Bytes that are not UTF-8 are carried as they are.
func appendString(text []byte, s string) []byte {
	text = append(text, '"')
	from := unsafe.Slice(unsafe.StringData(s), len(s)) // only read
	for {
		wrote, read := escapeMany(text[len(text):cap(text)], from)
		text, from = text[:len(text)+wrote], from[read:]
		if len(from) == 0 {
			return append(text, '"')
		}
		for len(from) > 0 && needsEscape(from[0]) { // one with digits is seldom alone
			text, from = appendEscape(text, from[0]), from[1:]
		}
		wrote, read = escapeWords(text[len(text):cap(text)], from)
		text, from = text[:len(text)+wrote], from[read:]
		n := plainPrefix(from)
		text = append(text, from[:n]...)
		if n == len(from) {
			return append(text, '"')
		}
		text = appendEscape(text, from[n])
		from = from[n+1:]
	}
}

// escapeWords writes what is in from into to, with escapes, eight bytes at a
// time. It stops where few bytes are left in either, or at a byte whose escape
// has digits. What it wrote stands for what it read; what lies behind that in to
// is undefined. escapeMany does the same with more bytes at a time, where it can.
func escapeWords(to, from []byte) (wrote, read int) {
	for read+8 <= len(from) && wrote+9 <= len(to) { // the last may need an escape
		w := binary.LittleEndian.Uint64(from[read:])
		binary.LittleEndian.PutUint64(to[wrote:], w)
		mask := escapeMask(w)
		if mask == 0 {
			wrote, read = wrote+8, read+8
			continue
		}
		n := bits.TrailingZeros64(mask) / 8
		wrote, read = wrote+n, read+n
		short := shortEscapes[from[read]]
		if short == 0 {
			break
		}
		to[wrote], to[wrote+1] = '\\', short
		wrote, read = wrote+2, read+1
	}
	return wrote, read
}

// unescapeWords undoes what escapeWords does: it writes what is in from, which
// is within a JSON string, into to, without escapes. It stops in the same way,
// and at a quote, and at what no string has. unescapeMany does the same with
// more bytes at a time, where it can.
func unescapeWords(to, from []byte) (wrote, read int) {
	for read+9 <= len(from) && wrote+8 <= len(to) { // the last may begin an escape
		w := binary.LittleEndian.Uint64(from[read:])
		binary.LittleEndian.PutUint64(to[wrote:], w)
		mask := escapeMask(w)
		if mask == 0 {
			wrote, read = wrote+8, read+8
			continue
		}
		n := bits.TrailingZeros64(mask) / 8
		wrote, read = wrote+n, read+n
		c := escapes[from[read+1]]
		if from[read] != '\\' || c == 0 {
			break
		}
		to[wrote] = c
		wrote, read = wrote+1, read+2
	}
	return wrote, read
}

// shortEscapes has what stands behind the backslash in the escape of a byte
// that has one of its own, and 0 for others.
var shortEscapes = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// escapes has what stands for the letter or sign behind the backslash of an
// escape, and 0 for one that there is not.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendEscape writes the escape of a byte that a JSON string cannot have.
func appendEscape(text []byte, c byte) []byte {
	if short := shortEscapes[c]; short != 0 {
		return append(text, '\\', short)
	}
	const hex = "0123456789abcdef"
	return append(text, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// plainPrefix returns how many bytes at the beginning of s need no escape.
func plainPrefix[T string | []byte](s T) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if mask := escapeMask(word(s[i : i+8])); mask != 0 {
			return i + bits.TrailingZeros64(mask)/8
		}
	}
	for ; i < len(s); i++ {
		if needsEscape(s[i]) {
			return i
		}
	}
	return i
}

// needsEscape tells whether a JSON string cannot have c as it is.
func needsEscape(c byte) bool { return c < ' ' || c == '"' || c == '\\' }

// word returns the first eight bytes of s, the first as the lowest.
func word[T string | []byte](s T) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// escapeMask has the highest bit set of the lowest byte of w that needs an
// escape, and nothing below it; what is above is undefined. 0 says that no byte
// does. In each term a borrow goes upward from a byte that is marked, so the
// lowest mark is right. The first finds controls and quotes: to change one bit
// makes 0x20 of a quote, and leaves below that what was.
func escapeMask(w uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	low := w ^ ones*('"'^' ')
	backslashes := w ^ ones*'\\'
	return ((low-ones*(' '+1)) & ^low |
		(backslashes-ones) & ^backslashes) & highs
}
