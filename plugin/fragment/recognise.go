package fragment

import (
	"bytes"
	"unicode/utf8"
)

// Recognise reports whether a user's text is a rendered untrusted fragment, and
// the key it was rendered for. The key is a part of text or is appended to room.
func (w Wrapper) Recognise(text, room []byte) (key []byte, hidden bool) {
	text = trim(text)
	if key, hidden := recogniseReference(text); hidden {
		return key, true
	}
	if w == Attribute {
		return Element(text, Untrusted, room)
	}
	return nil, false
}

func recogniseReference(text []byte) (key []byte, hidden bool) {
	t := &tagsOf[Reference][Untrusted]
	rest, found := bytes.CutPrefix(text, []byte(t.opening))
	if !found {
		return nil, false
	}
	end := bytes.IndexByte(rest, '>')
	if end < 0 {
		return nil, false
	}
	key = rest[:end]
	return key, closes(rest[end+1:], Untrusted, key)
}

// Opens reports whether text begins as a fragment under the reference wrapper
// does, and returns what follows: a key and a ">", if it is one.
func Opens(text []byte, kind Kind) (rest []byte, opens bool) {
	return bytes.CutPrefix(text, []byte(tagsOf[Reference][kind].opening))
}

// Closing returns what stands before the key in the closing tag of the reference
// wrapper.
func Closing(kind Kind) string { return tagsOf[Reference][kind].closing }

// closes reports whether body ends with the closing tag for key under the
// reference wrapper.
func closes(body []byte, kind Kind, key []byte) bool {
	body, found := bytes.CutSuffix(body, []byte(">"))
	if !found {
		return false
	}
	body, found = bytes.CutSuffix(body, key)
	return found && bytes.HasSuffix(body, []byte(tagsOf[Reference][kind].closing))
}

// Split takes a text apart that begins and ends with the tags of the attribute
// wrapper. The key is appended to room; the value is as escaped as it stands.
func Split(text []byte, kind Kind, room []byte) (key, value []byte, ok bool) {
	t := &tagsOf[Attribute][kind]
	rest, found := bytes.CutPrefix(text, []byte(t.opening))
	if !found {
		return nil, nil, false
	}
	end := bytes.Index(rest, []byte(t.afterKey))
	if end < 0 {
		return nil, nil, false
	}
	value, found = bytes.CutSuffix(rest[end+len(t.afterKey):], []byte(t.closing))
	if !found {
		return nil, nil, false
	}
	n := len(room)
	room, ok = appendKey(room, rest[:end])
	return room[n:], value, ok
}

// Element reports whether text is, to the byte, one element as the attribute
// wrapper writes it, and returns its key, appended to room.
func Element(text []byte, kind Kind, room []byte) (key []byte, ok bool) {
	key, value, ok := Split(text, kind, room)
	return key, ok && isEscaped(value)
}

// isEscaped reports whether value is as the attribute wrapper writes one.
func isEscaped(value []byte) bool {
	for i, c := range value {
		if !inValue[c] {
			continue
		}
		if _, n := entityAt(value[i:], true); n == 0 {
			return false
		}
	}
	return true
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
