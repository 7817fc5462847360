package json

import "unicode/utf8"

// Writer puts a text of the output together in one buffer, which is used again
// after Reset. The zero value is ready to use.
//
// Most of its methods are not inlined: with hundreds of places that write a piece
// of the output, that would be a fifth of the core's code.
type Writer struct {
	buffer []byte
}

// Reset empties the buffer and makes room for so many bytes.
func (w *Writer) Reset(room int) {
	if room <= cap(w.buffer) {
		w.buffer = w.buffer[:0]
		return
	}
	w.renew(room)
}

//go:noinline
func (w *Writer) renew(room int) {
	w.buffer = nil // the collector may have it before the next is made
	w.buffer = make([]byte, 0, room)
}

// Bytes returns what was written; it is valid until the next method is called.
func (w *Writer) Bytes() []byte { return w.buffer }

// Len returns how many bytes were written.
func (w *Writer) Len() int { return len(w.buffer) }

// Text writes s as it is.
func (w *Writer) Text(s string) { text(w, s) }

// Raw writes b as it is.
func (w *Writer) Raw(b []byte) { w.Text(asString(b)) }

// Comma writes a comma, unless an array or an object was begun just now.
//
//go:noinline
func (w *Writer) Comma() {
	if n := len(w.buffer); n > 0 && w.buffer[n-1] != '[' && w.buffer[n-1] != '{' {
		w.Text(",")
	}
}

// Int writes an integer of 32 bits.
//
//go:noinline
func (w *Writer) Int(n int) {
	if n < 0 {
		w.Text("-")
		n = -n
	}
	var digits Digits
	w.Text(digits.Of(int32(n)))
}

// Digits is room for a number as it is written.
type Digits [10]byte

// Of returns a number that is not negative as it is written; it is valid until the next
// call.
func (d *Digits) Of(n int32) string {
	i := len(d) - 1
	for n >= 10 && i > 0 {
		tenth := n / 10
		d[i] = byte('0' + n - tenth*10) // to divide once
		n = tenth
		i--
	}
	d[i] = byte('0' + n)
	return Filling(d[i:])
}

// String writes a string of the text, with its quotes.
//
//go:noinline
func (w *Writer) String(text []byte, s String) {
	if s.Form < Foreign {
		w.Raw(text[s.Start-1 : s.End+1])
		return
	}
	w.Text(`"`)
	w.Inner(text, s)
	w.Text(`"`)
}

// Inner writes a string of the text without its quotes.
//
//go:noinline
func (w *Writer) Inner(text []byte, s String) {
	start := len(w.buffer)
	w.Raw(s.Raw(text))
	if s.Form == Foreign {
		w.buffer = w.buffer[:longRewrite(w.buffer, start, start, len(w.buffer))]
	}
}

// Escape writes b, well-formed UTF-8, as it stands in a string.
func (w *Writer) Escape(b []byte) { w.EscapeText(asString(b)) }

// EscapeText does the same for a string.
//
//go:noinline
func (w *Writer) EscapeText(s string) { w.buffer = appendText(w.buffer, s) }

// Room returns n bytes behind the output, for Extend to take as many of them as
// were written.
//
//go:noinline
func (w *Writer) Room(n int) []byte {
	if cap(w.buffer)-len(w.buffer) < n {
		w.buffer = Grow(w.buffer, len(w.buffer)+n)
	}
	return w.buffer[len(w.buffer) : len(w.buffer)+n]
}

// Extend makes the output n bytes longer, of those that Room returned.
func (w *Writer) Extend(n int) { w.buffer = w.buffer[:len(w.buffer)+n] }

// Normalise makes s Canonical at most: it rewrites it in place, with its closing
// quote, as the output writes it, which is never longer.
func Normalise(text []byte, s *String) {
	if s.Form == Foreign {
		normalise(text, s)
	}
}

//go:noinline
func normalise(text []byte, s *String) {
	s.End = int32(longRewrite(text, int(s.Start), int(s.Start), int(s.End)))
	s.Form = Canonical
	if s.End-s.Start == s.Len {
		s.Form = Plain // no escape is left
	}
	text[s.End] = '"'
}

// Rewrite moves a part of the text down, from offset from to offset to, and rewrites
// the strings in it as the output writes them. It returns where the part ends then.
func Rewrite(text []byte, to, from, end int) int { return longRewrite(text, to, from, end) }

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

// maxEscape is more than the length of an escape of the output: words are written.
const maxEscape = 8

// appendText appends s, well-formed UTF-8, as it stands in a string of the
// output.
func appendText(dst []byte, s string) []byte {
	for {
		n, read := escape(dst[len(dst):cap(dst)], s)
		dst, s = dst[:len(dst)+n], s[read:]
		if len(s) == 0 {
			return dst
		}
		dst = append(dst, make([]byte, len(s)+maxEscape)...)[:len(dst)]
	}
}

// plainEscape writes s, well-formed UTF-8, as it stands in a string of the output, to dst.
// It may stop where there are fewer than maxEscape bytes of room left, and returns how many
// it has written, and read.
func plainEscape(dst []byte, s string) (n, read int) {
	for read < len(s) && len(dst)-n >= maxEscape {
		if c := s[read]; c < ' ' || letters[c] != 0 {
			n = len(appendRune(dst[:n], rune(c)))
		} else {
			dst[n] = c
			n++
		}
		read++
	}
	return n, read
}

// AppendQuoted appends b, well-formed UTF-8, as a string of the output.
func AppendQuoted(dst, b []byte) []byte {
	dst = appendText(appendString(dst, `"`), asString(b))
	return appendString(dst, `"`)
}

// maxExcerpt is how many bytes of a text Excerpt shows.
const maxExcerpt = 64

// Excerpt quotes the beginning of b, well-formed UTF-8, for a message.
func Excerpt(b []byte) string {
	if len(b) <= maxExcerpt {
		return string(AppendQuoted(nil, b))
	}
	cut := maxExcerpt
	for !utf8.RuneStart(b[cut]) {
		cut--
	}
	quoted := AppendQuoted(nil, b[:cut])
	return string(quoted[:len(quoted)-1]) + "…\""
}
