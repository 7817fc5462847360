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

// unit reads one character of a well-formed raw string: an escape, a pair of
// surrogate escapes, or a character that stands for itself. It returns its
// value and its length in bytes of the text.
func unit(raw []byte) (r rune, n int) {
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

// appendDecoded appends a well-formed raw string with its escapes resolved.
func appendDecoded(dst, raw []byte) []byte {
	for len(raw) > 0 {
		plain := bytes.IndexByte(raw, '\\')
		if plain < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:plain]...)
		raw = raw[plain:]
		r, n := unit(raw)
		dst = utf8.AppendRune(dst, r)
		raw = raw[n:]
	}
	return dst
}

// Append appends s as it is. It is not inlined: with dozens of places that write
// a piece of the output, that would be a tenth of the core's code.
//
//go:noinline
func Append(dst []byte, s string) []byte { return append(dst, s...) }

// AppendRaw appends the part of string s that stands at [from, to), both
// boundaries of characters, as the output writes it.
func AppendRaw(dst, text []byte, s String, from, to int) []byte {
	raw := text[from:to]
	if s.Form < Foreign {
		return append(dst, raw...)
	}
	for len(raw) > 0 {
		plain := bytes.IndexByte(raw, '\\')
		if plain < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:plain]...)
		raw = raw[plain:]
		r, n := unit(raw)
		dst = appendRune(dst, r)
		raw = raw[n:]
	}
	return dst
}

// AppendString appends s as the output writes it, with its quotes.
func AppendString(dst, text []byte, s String) []byte {
	dst = append(dst, '"')
	dst = AppendRaw(dst, text, s, int(s.Start), int(s.End))
	return append(dst, '"')
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
		_, n := unit(raw[i:])
		total -= n - 1
		raw = raw[i+n:]
	}
}

// appendRune appends r as the output writes it in a string.
func appendRune(dst []byte, r rune) []byte {
	if r >= utf8.RuneSelf {
		return utf8.AppendRune(dst, r)
	}
	if letter := letters[r]; letter != 0 {
		return append(dst, '\\', letter)
	}
	if r < 0x20 {
		return append(dst, '\\', 'u', '0', '0', hexDigits[r>>4], hexDigits[r&15])
	}
	return append(dst, byte(r))
}

// AppendText appends b, well-formed UTF-8, as it stands in a string of the
// output, without quotes.
func AppendText(dst, b []byte) []byte {
	for len(b) > 0 {
		i := 0
		for i < len(b) && b[i] >= 0x20 && letters[b[i]] == 0 {
			i++
		}
		dst = append(dst, b[:i]...)
		if i == len(b) {
			return dst
		}
		dst = appendRune(dst, rune(b[i]))
		b = b[i+1:]
	}
	return dst
}

// AppendQuoted appends b, well-formed UTF-8, as a string of the output.
func AppendQuoted(dst, b []byte) []byte {
	dst = append(dst, '"')
	dst = AppendText(dst, b)
	return append(dst, '"')
}

// maxExcerpt is how many bytes of a text Excerpt shows.
const maxExcerpt = 64

// Excerpt quotes the beginning of b, well-formed UTF-8, for a message.
func Excerpt(b []byte) string {
	if len(b) <= maxExcerpt {
		return string(AppendQuoted(nil, b))
	}
	cut := boundaryBefore(b, 0, maxExcerpt)
	quoted := AppendQuoted(nil, b[:cut])
	return string(quoted[:len(quoted)-1]) + "…\""
}
