package json

import (
	"bytes"
	"unicode/utf8"
)

// Head finds the longest beginning of s that has at most limit bytes, escapes
// resolved, and ends at a character boundary. It returns the offset in the text
// where that ends, and its length in bytes. It looks at the beginning only.
func Head(text []byte, s String, limit int) (end, length int) {
	if limit >= int(s.Len) {
		return int(s.End), int(s.Len)
	}
	i, left := int(s.Start), limit
	for {
		// A character that stands for itself takes as many bytes here as there.
		window := min(i+left, int(s.End))
		plain := -1
		if s.Form != Plain {
			plain = bytes.IndexByte(text[i:window], '\\')
		}
		if plain < 0 {
			end = boundaryBefore(text, i, window)
			return end, limit - left + end - i
		}
		i += plain
		left -= plain
		r, n := Unit(text[i:s.End])
		if utf8.RuneLen(r) > left {
			return i, limit - left
		}
		i += n
		left -= utf8.RuneLen(r)
	}
}

// boundaryBefore moves i back to a character boundary, not below start.
func boundaryBefore(text []byte, start, i int) int {
	for i > start && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// Tail finds the longest end of s that has at most limit bytes, escapes
// resolved, and begins at a character boundary. It returns the offset in the
// text where that begins, and its length in bytes. It looks at the end only.
func Tail(text []byte, s String, limit int) (begin, length int) {
	if limit >= int(s.Len) {
		return int(s.Start), int(s.Len)
	}
	start, i, left := int(s.Start), int(s.End), limit
	for {
		escape, n := 0, 0
		if s.Form != Plain {
			escape, n = lastEscape(text, start, max(i-left, start), i)
		}
		plain := i - (escape + n)
		if n == 0 || plain >= left {
			begin = boundaryAfter(text, max(i-left, start), i)
			return begin, limit - left + i - begin
		}
		left -= plain
		r, _ := Unit(text[escape:i])
		if utf8.RuneLen(r) > left {
			return escape + n, limit - left
		}
		left -= utf8.RuneLen(r)
		i = escape
	}
}

// boundaryAfter moves i on to a character boundary, not above end.
func boundaryAfter(text []byte, i, end int) int {
	for i < end && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

// lastEscape finds the last escape, or pair of surrogate escapes, that ends in
// (from, to] of a raw string which begins at start. It returns where it begins
// and how long it is; a length of 0 says that there is none. to must be a
// boundary of characters.
func lastEscape(text []byte, start, from, to int) (at, length int) {
	// An escape that ends after from begins at most 11 bytes before it.
	low := max(from-11, start)
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
	if text[last+1] != 'u' {
		return last, 2
	}
	if low, _ := hex4(text[last+2 : to]); isLowSurrogate(low) {
		return last - 6, 12
	}
	return last, 6
}
