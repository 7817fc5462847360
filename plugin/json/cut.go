package json

import "unicode/utf8"

// Head finds the longest beginning of s that has at most limit bytes, escapes
// resolved, and ends at a character boundary. It returns the offset in the text
// where that ends, and its length in bytes. It looks at no more than what is
// kept, or at what is not. s is not Foreign.
func Head(text []byte, s String, limit int) (end, length int) {
	if limit >= int(s.Len) {
		return int(s.End), int(s.Len)
	}
	past := offset(text, s, limit)
	end = past
	for end > int(s.Start) && !utf8.RuneStart(text[end]) {
		end--
	}
	return end, limit - (past - end)
}

// Tail finds the longest end of s that has at most limit bytes, escapes
// resolved, and begins at a character boundary. It returns the offset in the
// text where that begins, and its length in bytes. It looks at no more than what
// is kept, or at what is not. s is not Foreign.
func Tail(text []byte, s String, limit int) (begin, length int) {
	if limit >= int(s.Len) {
		return int(s.Start), int(s.Len)
	}
	from := offset(text, s, int(s.Len)-limit)
	begin = from
	for begin < int(s.End) && !utf8.RuneStart(text[begin]) {
		begin++
	}
	return begin, limit - (begin - from)
}

// offset returns where in the text the first n bytes of s end, escapes resolved.
func offset(text []byte, s String, n int) int {
	start, end, rest := int(s.Start), int(s.End), int(s.Len)-n
	switch {
	case s.Form == Plain:
		return start + n
	case n < rest:
		return longForward(text, start, n)
	}
	return longBackward(text, start, end, rest)
}
