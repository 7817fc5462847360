package json

import (
	"encoding/binary"
	"math/bits"
)

// The plain functions of this file say what the hot loops do. They are the hot
// loops wherever scan_wasm.s is not.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainTextEnd returns the first offset from i on, a boundary of characters in a
// string, that holds neither a well-formed character which may stand for itself
// nor an escape of two bytes which the output would write: that of a quote, of
// a control character, of another escape, or of something ill-formed. escapes
// is how many escapes it has passed. Pad zero bytes must follow the text.
func plainTextEnd(text []byte, i int) (end, escapes int) {
	for {
		// Marks the bytes that may end it. A byte that is none cannot mark
		// itself, and one that is can spoil only those above: the first is right.
		w := binary.LittleEndian.Uint64(text[i:])
		m := ((w - ones*' ') | ((w ^ ones*'"') - ones) | ((w ^ ones*'\\') - ones) | w) & highs
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		for text[i] >= 0x80 {
			n := sequence(text, i)
			if n == 0 {
				return i, escapes
			}
			i += n
		}
		switch c := text[i]; {
		case c == '\\' && text[i+1] != '/' && shortEscapes[text[i+1]] != 0:
			i += 2
			escapes++
		case c < 0x20 || c == '"' || c == '\\':
			return i, escapes
		}
	}
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
		if binary.LittleEndian.Uint64(x) != binary.LittleEndian.Uint64(y) {
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
		w := binary.LittleEndian.Uint64(text[from:])
		n -= bits.OnesCount64(w &^ (w << 1) & highs)
	}
	for ; from < to; from++ {
		if text[from]&0xC0 == 0x80 {
			n--
		}
	}
	return n
}
