// Package json is the core's own JSON: it reads a text in place, a word at a
// time, and never builds a tree of values. A Reader walks the text once, in
// document order, and checks all of it (RFC 8259, strictly; RFC 3629 for its
// UTF-8), also what its caller does not care for. Strings stay where they are:
// a String says where one stands and how it is written.
package json

import (
	"cmp"
	"unsafe"

	"github.com/turncontext/turncontext/abi"
)

// MaxDepth is how deep a text may nest; the outermost value is at depth 1.
const MaxDepth = abi.MaxDepth

// Pad is the number of zero bytes that must follow a text. They end every scan
// (no JSON text holds a zero byte), so no loop has to look for the text's end.
const Pad = 32

// Form says how a string is written.
type Form uint8

// The forms of a string, each including the ones before it.
const (
	Plain     Form = iota // without escapes
	Canonical             // with escapes, each the one that the output would use
	Foreign               // with other escapes too
)

// String is a string of the text, between its quotes.
type String struct {
	Start, End int32 // byte offsets of the first byte and past the last
	Len        int32 // length in bytes once its escapes are resolved
	Form       Form
}

// Raw returns the string as it is written.
func (s String) Raw(text []byte) []byte { return text[s.Start:s.End] }

// Bytes returns the string with its escapes resolved. The result is a part of
// the text where there are none, else it is appended to scratch.
func (s String) Bytes(text, scratch []byte) []byte {
	if s.Form == Plain {
		return s.Raw(text)
	}
	n := len(scratch)
	return appendResolved(scratch, s.Raw(text), s.Form)[n:]
}

// text returns the same as a string, which is right as long as the text is.
func (s String) text(text []byte) string {
	var room []byte
	if s.Form != Plain {
		room = make([]byte, 0, s.Len)
	}
	return asString(s.Bytes(text, room))
}

// asString returns b as a string, which is right as long as b is.
func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Is reports whether s is word, however it is written. Most often the length tells.
func (s String) Is(text []byte, word string) bool {
	return int(s.Len) == len(word) && s.equals(text, word)
}

func (s *String) equals(text []byte, word string) bool {
	var room [32]byte
	return string(s.Bytes(text, room[:0])) == word
}

// IsAbsent reports whether s is the zero value, which is no string of a text.
func (s String) IsAbsent() bool { return s.Start == 0 }

// Equal reports whether a and b are the same string, however they are written.
func Equal(text []byte, a, b String) bool {
	if a.Len != b.Len {
		return false
	}
	if a.Form < Foreign && b.Form < Foreign {
		// One string has one canonical form.
		return a.End-a.Start == b.End-b.Start && longEqual(text, int(a.Start), int(b.Start), int(a.End-a.Start))
	}
	return equalDecoded(a.Raw(text), b.Raw(text))
}

// equalDecoded compares two well-formed raw strings by what they stand for.
func equalDecoded(a, b []byte) bool {
	for len(a) > 0 && len(b) > 0 {
		if a[0] != '\\' && b[0] != '\\' {
			if a[0] != b[0] {
				return false
			}
			a, b = a[1:], b[1:]
			continue
		}
		ra, na := Unit(a)
		rb, nb := Unit(b)
		if ra != rb {
			return false
		}
		a, b = a[na:], b[nb:]
	}
	return len(a) == len(b)
}

// Compare orders a and b by the bytes of their UTF-8, escapes resolved.
func Compare(text []byte, a, b String) int {
	if a.Form == Plain && b.Form == Plain {
		return compare(text, int(a.Start), int(a.End-a.Start), int(b.Start), int(b.End-b.Start))
	}
	if max(a.Form, b.Form) < Foreign && a.Len == b.Len && Equal(text, a, b) {
		return 0 // most often
	}
	x, y := a.Raw(text), b.Raw(text)
	for len(x) > 0 && len(y) > 0 {
		// The order of UTF-8 is that of the characters.
		rx, nx := Unit(x)
		ry, ny := Unit(y)
		if rx != ry {
			return cmp.Compare(rx, ry)
		}
		x, y = x[nx:], y[ny:]
	}
	return cmp.Compare(len(x), len(y))
}
