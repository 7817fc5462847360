package json

import (
	"bytes"
	"unicode/utf8"
)

// shortEscapes maps the letter of a two-byte escape to what it stands for, 0
// where there is no such escape.
var shortEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/',
	'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// letters is the inverse of shortEscapes for what the output escapes, 0 for the
// rest. A character below U+0020 without a letter is written \u00xx.
var letters = [256]byte{
	'"': '"', '\\': '\\',
	'\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}

const hexDigits = "0123456789abcdef"

// hex4 reads four hexadecimal digits. It returns the number of digits that are
// right, and their value if all four are.
func hex4(b []byte) (value rune, digits int) {
	for digits < 4 && digits < len(b) {
		c := b[digits]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, digits
		}
		value = value<<4 | rune(c)
		digits++
	}
	return value, digits
}

func isHighSurrogate(r rune) bool { return r&^0x3FF == 0xD800 }
func isLowSurrogate(r rune) bool  { return r&^0x3FF == 0xDC00 }

// Unit reads one character of a well-formed raw string: an escape, a pair of
// surrogate escapes, or a character that stands for itself. It returns its
// value and its length in bytes of the text.
func Unit(raw []byte) (r rune, n int) {
	if raw[0] != '\\' {
		if raw[0] < utf8.RuneSelf {
			return rune(raw[0]), 1
		}
		return utf8.DecodeRune(raw)
	}
	if raw[1] != 'u' {
		return rune(shortEscapes[raw[1]]), 2
	}
	r, _ = hex4(raw[2:])
	if !isHighSurrogate(r) {
		return r, 6
	}
	low, _ := hex4(raw[8:])
	return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, 12
}

// appendResolved appends a well-formed raw string with its escapes resolved: it is written
// as it stands, then as the output would have it, then resolved, which makes it no longer.
func appendResolved(dst, raw []byte, form Form) []byte {
	start := len(dst)
	dst = append(dst, raw...)
	if form == Foreign {
		dst = dst[:longRewrite(dst, start, start, len(dst))]
	}
	return dst[:decode(dst, start)]
}

// plainDecode resolves the escapes of a canonical string, which is the text from i on, in
// place. It returns where it ends then.
func plainDecode(text []byte, i int) (end int) {
	end = i
	for i < len(text) {
		r, n := rune(text[i]), 1
		if r == '\\' {
			r, n = Unit(text[i:])
		}
		text[end] = byte(r)
		end++
		i += n
	}
	return end
}

// Chars returns the number of characters of s, escapes resolved.
func Chars(text []byte, s String) int {
	total := leads(text, int(s.Start), int(s.End))
	if s.Form == Plain {
		return total
	}
	// An escape is one character, and each of its bytes was counted.
	for raw := s.Raw(text); ; {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return total
		}
		_, n := Unit(raw[i:])
		total -= n - 1
		raw = raw[i+n:]
	}
}
