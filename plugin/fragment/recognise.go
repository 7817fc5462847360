package fragment

import "bytes"

// Recognise reports whether a user's text is a rendered untrusted fragment, and
// the key it was rendered for. The key is a part of text, or stands in room,
// which grows if need be.
func (w Wrapper) Recognise(text []byte, room *[]byte) (key []byte, hidden bool) {
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
	rest, opens := Opens(text, Untrusted)
	if !opens {
		return nil, false
	}
	end := bytes.IndexByte(rest, '>')
	if end < 0 {
		return nil, false
	}
	key = rest[:end]
	return key, closes(rest[end+1:], Untrusted, key)
}

// cutPrefix and cutSuffix do what those of package bytes do, for a string.
func cutPrefix(text []byte, s string) (rest []byte, found bool) {
	if len(text) < len(s) || string(text[:len(s)]) != s {
		return text, false
	}
	return text[len(s):], true
}

func cutSuffix(text []byte, s string) (rest []byte, found bool) {
	n := len(text) - len(s)
	if n < 0 || string(text[n:]) != s {
		return text, false
	}
	return text[:n], true
}

// Opens reports whether text begins as a fragment under the reference wrapper
// does, and returns what follows: a key and a ">", if it is one.
func Opens(text []byte, kind Kind) (rest []byte, opens bool) {
	return cutPrefix(text, tagsOf[Reference][kind].opening)
}

// Closing returns what stands before the key in the closing tag of the reference
// wrapper.
func Closing(kind Kind) string { return tagsOf[Reference][kind].closing }

// closes reports whether body ends with the closing tag for key under the
// reference wrapper.
func closes(body []byte, kind Kind, key []byte) bool {
	before := len(body) - len(">") - len(key)
	if before < 0 || body[len(body)-1] != '>' || !bytes.Equal(body[before:len(body)-1], key) {
		return false
	}
	_, found := cutSuffix(body[:before], tagsOf[Reference][kind].closing)
	return found
}

// Split takes a text apart that begins and ends with the tags of the attribute
// wrapper. The key stands in room, which grows if need be; the value is as escaped as it
// stands.
func Split(text []byte, kind Kind, room *[]byte) (key, value []byte, ok bool) {
	t := &tagsOf[Attribute][kind]
	rest, found := cutPrefix(text, t.opening)
	if !found {
		return nil, nil, false
	}
	end := bytes.IndexByte(rest, t.afterKey[0]) // a quote in the key would be escaped
	if end < 0 {
		return nil, nil, false
	}
	if value, found = cutPrefix(rest[end:], t.afterKey); found {
		value, found = cutSuffix(value, t.closing)
	}
	if !found {
		return nil, nil, false
	}
	key, ok = resolveKey(rest[:end], room)
	return key, value, ok
}

// Element reports whether text is, to the byte, one element as the attribute
// wrapper writes it, and returns its key, which stands in room.
func Element(text []byte, kind Kind, room *[]byte) (key []byte, ok bool) {
	key, value, ok := Split(text, kind, room)
	return key, ok && isEscaped(value)
}

// trim removes white space at both ends (Unicode's White_Space property).
func trim(text []byte) []byte {
	if n := len(text); n > 0 && text[0] == '<' && text[n-1] == '>' {
		return text // as what is recognised is most often
	}
	start, end := ends(text)
	return text[start:end]
}

// plainEnds returns where text, well-formed UTF-8, begins and ends without the white space at
// both ends.
func plainEnds(text []byte) (start, end int) {
	end = len(text)
	for n := spaceAt(text); n > 0; n = spaceAt(text[start:]) {
		start += n
	}
	for n := 1; n <= min(maxSpace, end-start); n++ {
		if spaceAt(text[end-n:end]) == n {
			end -= n
			n = 0 // begin again
		}
	}
	return start, end
}

// maxSpace is how many bytes a character that is white space has at most.
const maxSpace = 3

// spaceAt returns the length of the character that text, well-formed UTF-8, begins with if
// it is white space, else 0.
func spaceAt(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	c := text[0]
	switch {
	case c == ' ' || '\t' <= c && c <= '\r':
		return 1
	case c < 0xC2 || c > 0xE3 || len(text) < 2:
		return 0
	case c == 0xC2 && (text[1] == 0x85 || text[1] == 0xA0):
		return 2
	case c < 0xE0 || len(text) < maxSpace:
		return 0
	}
	switch c := uint32(c)<<16 | uint32(text[1])<<8 | uint32(text[2]); {
	case c == 0xE38080, // U+3000
		c >= 0xE28080 && c <= 0xE2808A,              // U+2000 to U+200A
		c == 0xE280A8, c == 0xE280A9, c == 0xE280AF, // U+2028, U+2029, U+202F
		c == 0xE2819F, c == 0xE19A80: // U+205F, U+1680
		return maxSpace
	}
	return 0
}
