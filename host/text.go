package host

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// valueEnd finds the end of the JSON value at the beginning of text: the index
// of the first comma, colon or closing bracket that is not within it, or the
// length of text. whole is false where text ends within a string or brackets.
// It finds an end and validates nothing: of a text that is not JSON it only
// says that no JSON value goes beyond the end.
func valueEnd(text []byte) (end int, whole bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
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
	for i := start + 1; ; i++ {
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

// cutMember cuts a member's value off the beginning of text, where the name
// with what belongs before and after it stands. ok is false where it does not,
// or no value follows.
func cutMember(text []byte, name string) (value, rest []byte, ok bool) {
	text, ok = bytes.CutPrefix(text, []byte(name))
	end, whole := valueEnd(text)
	return text[:end], text[end:], ok && whole && end > 0
}

// appendString writes s as a JSON string, with the escapes that the ABI's
// answers have and no others. Bytes that are not UTF-8 are carried as they are.
func appendString(text []byte, s string) []byte {
	text = append(text, '"')
	for len(s) >= 8 {
		w := word(s)
		text = binary.LittleEndian.AppendUint64(text, w)
		mask := escapeMask(w)
		if mask == 0 {
			s = s[8:]
			continue
		}
		n := bits.TrailingZeros64(mask) / 8
		text = appendEscape(text[:len(text)-8+n], s[n]) // in the place of what was too much
		s = s[n+1:]
	}
	for i := range len(s) {
		if needsEscape(s[i]) {
			text = appendEscape(text, s[i])
			continue
		}
		text = append(text, s[i])
	}
	return append(text, '"')
}

// shortEscapes has what stands behind the backslash in the escape of a byte
// that has one of its own, and 0 for others.
var shortEscapes = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

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
