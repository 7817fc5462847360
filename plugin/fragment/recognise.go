package fragment

import (
	"bytes"
	"unicode/utf8"
)

// Recognise reports whether a user text, UTF-8, is a rendered untrusted
// fragment, and the key it was rendered for.
func Recognise(text []byte) (key []byte, hidden bool) {
	text = trim(text)
	rest, found := bytes.CutPrefix(text, []byte(opening[Untrusted]))
	if !found {
		return nil, false
	}
	end := bytes.IndexByte(rest, '>')
	if end < 0 {
		return nil, false
	}
	key = rest[:end]
	body, found := bytes.CutSuffix(rest[end+1:], []byte(">"))
	if !found {
		return nil, false
	}
	body, found = bytes.CutSuffix(body, key)
	if !found || !bytes.HasSuffix(body, []byte(closing[Untrusted])) {
		return nil, false
	}
	return key, true
}

// trim removes white space at both ends (Unicode's White_Space property).
func trim(text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if !isSpace(r) {
			break
		}
		text = text[n:]
	}
	for len(text) > 0 {
		r, n := utf8.DecodeLastRune(text)
		if !isSpace(r) {
			break
		}
		text = text[:len(text)-n]
	}
	return text
}

// isSpace reports whether r has Unicode's White_Space property.
func isSpace(r rune) bool {
	switch {
	case r == ' ', 0x09 <= r && r <= 0x0D, r == 0x85, r == 0xA0, r == 0x1680, 0x2000 <= r && r <= 0x200A,
		r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000:
		return true
	}
	return false
}
