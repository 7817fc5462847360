package json

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Writer puts a text of the output together in one buffer, which is used again
// after Reset. The zero value is ready to use.
//
// Its methods are not inlined: with hundreds of places that write a piece of
// the output, that would be a fifth of the core's code.
type Writer struct {
	buffer []byte
}

// Reset empties the buffer and makes room for so many bytes.
func (w *Writer) Reset(room int) { w.buffer = slices.Grow(w.buffer[:0], room) }

// Bytes returns what was written; it is valid until the next method is called.
func (w *Writer) Bytes() []byte { return w.buffer }

// Len returns how many bytes were written.
func (w *Writer) Len() int { return len(w.buffer) }

// Text writes s as it is.
//
//go:noinline
func (w *Writer) Text(s string) { w.buffer = append(w.buffer, s...) }

// Raw writes b as it is.
//
//go:noinline
func (w *Writer) Raw(b []byte) { w.buffer = append(w.buffer, b...) }

// Comma writes a comma, unless an array or an object was begun just now.
//
//go:noinline
func (w *Writer) Comma() {
	if n := len(w.buffer); n > 0 && w.buffer[n-1] != '[' && w.buffer[n-1] != '{' {
		w.buffer = append(w.buffer, ',')
	}
}

// Int writes an integer.
//
//go:noinline
func (w *Writer) Int(n int) { w.buffer = strconv.AppendInt(w.buffer, int64(n), 10) }

// String writes a string of the text, with its quotes.
//
//go:noinline
func (w *Writer) String(text []byte, s String) {
	w.buffer = append(w.buffer, '"')
	w.Part(text, s, int(s.Start), int(s.End))
	w.buffer = append(w.buffer, '"')
}

// Inner writes a string of the text without its quotes.
//
//go:noinline
func (w *Writer) Inner(text []byte, s String) { w.Part(text, s, int(s.Start), int(s.End)) }

// Part writes the part of string s that stands at [from, to), both boundaries
// of characters, without quotes.
//
//go:noinline
func (w *Writer) Part(text []byte, s String, from, to int) {
	w.buffer = appendPart(w.buffer, text[from:to], s.Form)
}

// Quote writes b, well-formed UTF-8, as a string.
func (w *Writer) Quote(b []byte) { w.buffer = AppendQuoted(w.buffer, b) }

// Escape writes b, well-formed UTF-8, as it stands in a string.
func (w *Writer) Escape(b []byte) { w.buffer = appendText(w.buffer, b) }

// Grow makes the output n bytes longer; they are to be written.
func (w *Writer) Grow(n int) { w.buffer = slices.Grow(w.buffer, n)[:len(w.buffer)+n] }

// Rewrite appends s as the output writes it, without quotes, and returns the
// String that stands for it there.
func Rewrite(dst, text []byte, s String) ([]byte, String) {
	start := len(dst)
	dst = appendPart(dst, s.Raw(text), s.Form)
	return dst, String{Start: int32(start), End: int32(len(dst)), Len: s.Len, Form: min(s.Form, Canonical)}
}

// appendPart appends a part of a raw string of that form as the output writes
// it.
func appendPart(dst, raw []byte, form Form) []byte {
	if form < Foreign {
		return append(dst, raw...)
	}
	for len(raw) > 0 {
		plain := bytes.IndexByte(raw, '\\')
		if plain < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:plain]...)
		raw = raw[plain:]
		r, n := Unit(raw)
		dst = appendRune(dst, r)
		raw = raw[n:]
	}
	return dst
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

// appendText appends b, well-formed UTF-8, as it stands in a string of the
// output.
func appendText(dst, b []byte) []byte {
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
	dst = appendText(dst, b)
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
