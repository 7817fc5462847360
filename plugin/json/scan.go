package json

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// The plain functions of this file say what the hot loops do. They are the hot
// loops wherever scan_wasm.s is not.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainTextEnd returns the first offset from i on, a boundary of characters in a
// string, that holds neither a well-formed character which may stand for itself
// nor a well-formed escape: that of a quote, of a control character, of something
// ill-formed. saved is how many bytes shorter what it has passed is with its
// escapes resolved, form how it is written. Pad zero bytes must follow the text.
func plainTextEnd(text []byte, i int) (end, saved int, form Form) {
	for {
		// Marks the bytes that may end it. A byte that is none cannot mark
		// itself, and one that is can spoil only those above: the first is right.
		w := Word(text[i:])
		m := ((w - ones*' ') | ((w ^ ones*'"') - ones) | ((w ^ ones*'\\') - ones) | w) & highs
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		for text[i] >= 0x80 {
			n := sequence(text, i)
			if n == 0 {
				return i, saved, form
			}
			i += n
		}
		switch c := text[i]; {
		case c == '\\':
			n, length, f := escapeAt(text, i)
			if n == 0 {
				return i, saved, form
			}
			i += n
			saved += n - length
			form = max(form, f)
		case c < 0x20 || c == '"':
			return i, saved, form
		}
	}
}

// escapeAt returns how long the escape at i is, how many bytes it stands for,
// and its form; a length of 0 for one that is ill-formed.
func escapeAt(text []byte, i int) (n, length int, form Form) {
	switch c := text[i+1]; {
	case c == '/':
		return 2, 1, Foreign
	case shortEscapes[c] != 0:
		return 2, 1, Canonical
	case c != 'u':
		return 0, 0, 0
	}
	value, digits := hex4(text[i+2:])
	switch {
	case digits < 4 || isLowSurrogate(value):
		return 0, 0, 0
	case value < 0x20 && letters[value] == 0 && (text[i+5] < 'A' || text[i+5] > 'F'):
		return 6, 1, Canonical
	case !isHighSurrogate(value):
		return 6, utf8.RuneLen(value), Foreign
	case text[i+6] != '\\' || text[i+7] != 'u':
		return 0, 0, 0
	}
	if low, digits := hex4(text[i+8:]); digits < 4 || !isLowSurrogate(low) {
		return 0, 0, 0
	}
	return 12, 4, Foreign
}

// sequence returns the length of the well-formed UTF-8 sequence of two to four
// bytes at i, or 0 (RFC 3629, section 4).
func sequence(text []byte, i int) int {
	c, c1 := text[i], text[i+1]
	switch {
	case c < 0xC2:
		return 0
	case c < 0xE0:
		if c1&0xC0 != 0x80 {
			return 0
		}
		return 2
	case c < 0xF0:
		low, high := byte(0x80), byte(0xBF)
		switch c {
		case 0xE0:
			low = 0xA0
		case 0xED:
			high = 0x9F
		}
		if c1 < low || c1 > high || text[i+2]&0xC0 != 0x80 {
			return 0
		}
		return 3
	case c < 0xF5:
		low, high := byte(0x80), byte(0xBF)
		switch c {
		case 0xF0:
			low = 0x90
		case 0xF4:
			high = 0x8F
		}
		if c1 < low || c1 > high || text[i+2]&0xC0 != 0x80 || text[i+3]&0xC0 != 0x80 {
			return 0
		}
		return 4
	}
	return 0
}

// plainEqual reports whether the n bytes at a and at b are the same. Pad zero
// bytes must follow both.
func plainEqual(text []byte, a, b, n int) bool {
	x, y := text[a:a+n], text[b:b+n]
	for len(x) >= 8 && len(y) >= 8 {
		if Word(x) != Word(y) {
			return false
		}
		x, y = x[8:], y[8:]
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// plainLeads counts the bytes in [from, to) that begin a character: all but
// those that go on with one.
func plainLeads(text []byte, from, to int) int {
	n := to - from
	for ; from+8 <= to; from += 8 {
		w := Word(text[from:])
		n -= bits.OnesCount64(w &^ (w << 1) & highs)
	}
	for ; from < to; from++ {
		if text[from]&0xC0 == 0x80 {
			n--
		}
	}
	return n
}

// plainRewrite rewrites a part of a well-formed raw string in place, from on to
// end, as the output writes it: it is moved down to offset to. It returns where it
// ends then.
func plainRewrite(text []byte, to, from, end int) int {
	for from < end {
		if text[from] != '\\' {
			text[to] = text[from]
			to++
			from++
			continue
		}
		r, n := Unit(text[from:end])
		to = len(appendRune(text[:to], r))
		from += n
	}
	return to
}

// plainForward returns the offset that is n bytes after i, escapes resolved, in a
// canonical string that has them.
func plainForward(text []byte, i, n int) int {
	for {
		plain := bytes.IndexByte(text[i:i+n], '\\')
		if plain < 0 {
			return i + n
		}
		i += plain
		n -= plain + 1
		i += escapeLength(text, i)
	}
}

// escapeLength returns the length of the escape at i of a canonical string.
func escapeLength(text []byte, i int) int {
	if text[i+1] == 'u' {
		return 6
	}
	return 2
}

// plainBackward returns the offset that is n bytes before i, escapes resolved, in
// a canonical string that begins at start and has them. i is a boundary of
// characters.
func plainBackward(text []byte, start, i, n int) int {
	for {
		escape, length := lastEscape(text, start, max(i-n, start), i)
		plain := i - (escape + length)
		if length == 0 || plain >= n {
			return i - n
		}
		n -= plain + 1
		i = escape
	}
}

// lastEscape finds the last escape that ends in (from, to] of a canonical string
// which begins at start. It returns where it begins and how long it is; a length
// of 0 says that there is none. to must be a boundary of characters.
func lastEscape(text []byte, start, from, to int) (at, length int) {
	// An escape that ends after from begins at most 5 bytes before it.
	low := max(from-5, start)
	last := bytes.LastIndexByte(text[low:to], '\\')
	if last < 0 {
		return 0, 0
	}
	last += low
	if last == to-1 {
		// Before a boundary it can only be the second half of an escaped one.
		return last - 1, 2
	}
	// It begins an escape if it is the first, third, … of its run. A run is
	// walked at most once: what is left of it then ends at a boundary.
	run := last
	for run > start && text[run-1] == '\\' {
		run--
	}
	if (last-run)%2 == 1 {
		return last - 1, 2
	}
	return last, escapeLength(text, last)
}

// plainFollows returns the offset past s if the text goes on with it at i, but
// for white space between its tokens, else -1. s has eight bytes at least, and
// no escapes in its strings. Pad zero bytes must follow the text.
func plainFollows(text []byte, i int, s string) int {
	inString := false
	for j := range len(s) {
		if !inString {
			i = plainSpaceEnd(text, i)
		}
		if text[i] != s[j] {
			return -1
		}
		inString = inString != (s[j] == '"')
		i++
	}
	return i
}

// plainSpaceEnd returns the first offset from i on that is not white space. Pad
// zero bytes must follow the text.
func plainSpaceEnd(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r' {
		i++
	}
	return i
}

// plainCompare orders the n bytes at a and the m bytes at b. Pad zero bytes must
// follow both.
func plainCompare(text []byte, a, n, b, m int) int {
	return bytes.Compare(text[a:a+n], text[b:b+m])
}

// plainText writes s as it is.
func plainText(w *Writer, s string) { w.buffer = append(w.buffer, s...) }
