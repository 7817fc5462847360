package fragment

import (
	"bytes"

	"github.com/turncontext/turncontext/plugin/json"
)

// The characters that a control string begins and ends with (abi/README.md,
// "controlCharacters"; ECMA-48, section 5.6 and 8.3).
const (
	bel = 0x07
	esc = 0x1B
	dcs = 0x90
	sos = 0x98
	csi = 0x9B
	st  = 0x9C
	osc = 0x9D
	pm  = 0x9E
	apc = 0x9F
)

// strip returns value without control characters and terminal escapes, and the
// text that it stands in. value is not Foreign.
func (r *Renderer) strip(text []byte, value json.String) ([]byte, json.String) {
	raw := value.Raw(text)
	if longControlAt(raw) < 0 {
		return text, value
	}
	r.stripped = json.Empty(r.stripped, len(raw)+slack)
	kept := r.stripped[:cap(r.stripped)]
	n, escapes := strip(kept, raw)
	form := json.Plain
	if escapes > 0 {
		form = json.Canonical
	}
	return kept, json.String{End: int32(n), Len: int32(n - escapes), Form: form}
}

// plainStrip writes into dst what is left of text, written as in a string of the
// output, and returns its length, and how many escapes of JSON it has: those
// that are left have two bytes. dst has room for the text, and for slack bytes
// more.
func plainStrip(dst, text []byte) (n, escapes int) {
	s := stripper{kept: dst[:0], text: text}
	for i := plainControlAt(text); i >= 0; i = plainControlAt(s.text) {
		s.keep(i)
		s.drop()
	}
	s.keep(len(s.text))
	for b := s.kept; ; escapes++ {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			return len(s.kept), escapes
		}
		b = b[i+2:]
	}
}

// stripper goes through a value, written as in a string of the output.
type stripper struct {
	kept []byte
	text []byte // what is left to look at
	// unterminated says that no control string ends in the rest of the text.
	unterminated bool
}

// keep keeps the next n bytes.
func (s *stripper) keep(n int) {
	s.kept = append(s.kept, s.text[:n]...)
	s.text = s.text[n:]
}

// drop drops the control character that the text begins with, or the terminal
// escape.
func (s *stripper) drop() {
	c, n := unit(s.text)
	switch c {
	case esc:
		n = s.escape(n)
	case csi:
		n = s.controlSequence(n)
	case dcs, sos, osc, pm, apc:
		n = s.controlString(n)
	}
	s.text = s.text[n:]
}

// at returns the character at offset i and its length, 0 at the end.
func (s *stripper) at(i int) (c rune, n int) {
	if i >= len(s.text) {
		return -1, 0
	}
	return unit(s.text[i:])
}

// unit does what json.Unit does, and is quicker for control characters.
func unit(text []byte) (c rune, n int) {
	switch {
	case text[0] == 0xC2:
		return rune(text[1]), 2
	case text[0] != '\\' || text[1] != 'u':
		return json.Unit(text)
	}
	// The output has no other escape in hexadecimal digits than \u0000 to \u001f.
	c = rune(text[4]-'0')<<4 + rune(text[5]-'0')
	if text[5] > '9' {
		c += '0' + 10 - 'a'
	}
	return c, 6
}

// skip moves i past the characters from first to last.
func (s *stripper) skip(i int, first, last rune) int {
	for {
		c, n := s.at(i)
		if c < first || c > last {
			return i
		}
		i += n
	}
}

// escape returns the length of the terminal escape whose ESC has n bytes. One
// that does not end as it should loses only what introduces it.
func (s *stripper) escape(n int) int {
	c, length := s.at(n)
	switch c {
	case '[':
		return s.controlSequence(n + length)
	case ']', 'P', 'X', '^', '_':
		return s.controlString(n + length)
	}
	final := s.skip(n, 0x20, 0x2F)
	if last, length := s.at(final); last >= 0x30 && last <= 0x7E {
		return final + length
	}
	if final > n {
		return n + length
	}
	return n
}

// controlSequence does the same for one whose introducer ends at offset i.
func (s *stripper) controlSequence(i int) int {
	end := s.skip(s.skip(i, 0x30, 0x3F), 0x20, 0x2F)
	if final, n := s.at(end); final >= 0x40 && final <= 0x7E {
		return end + n
	}
	return i
}

// controlString does the same for a control string.
func (s *stripper) controlString(i int) int {
	if s.unterminated {
		return i
	}
	for end := i; ; {
		next := plainControlAt(s.text[end:])
		if next < 0 {
			s.unterminated = true
			return i
		}
		end += next
		c, n := s.at(end)
		end += n
		if c == bel || c == st {
			return end
		}
		if c == esc {
			if c, n := s.at(end); c == '\\' {
				return end + n
			}
		}
	}
}
