package fragment

import (
	"unicode/utf8"

	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/json"
)

// entities has the characters that the attribute wrapper escapes (abi/README.md,
// "wrapper").
var entities = [...]struct {
	char    byte
	entity  string
	inValue bool
}{
	{'&', "&amp;", true},
	{'<', "&lt;", true},
	{'>', "&gt;", true},
	{'"', "&quot;", false},
	{'\t', "&#9;", false},
	{'\n', "&#10;", false},
	{'\r', "&#13;", false},
}

// entityOf has the entity of each character that is escaped in a key.
var entityOf = func() (table [256]string) {
	for _, e := range entities {
		table[e.char] = e.entity
	}
	return table
}()

// inValue has the characters that are escaped in a value.
var inValue = func() (table [256]bool) {
	for _, e := range entities {
		table[e.char] = e.inValue
	}
	return table
}()

// maxEntity is the length of the longest entity in a value.
const maxEntity = 1 + budget.MaxExtra

// plainExtra returns how many bytes longer a part of a value gets when it is
// escaped. In a string of the output what is escaped stands for itself.
func plainExtra(value []byte) int {
	extra := 0
	for _, c := range value {
		if inValue[c] {
			extra += len(entityOf[c]) - 1
		}
	}
	return extra
}

// plainEscape writes a part of a value escaped into dst, and returns the length.
// dst has room for it, and for slack bytes more.
func plainEscape(dst, value []byte) int {
	n := 0
	for _, c := range value {
		if inValue[c] {
			n += copy(dst[n:], entityOf[c])
		} else {
			dst[n] = c
			n++
		}
	}
	return n
}

// slack is how much more room than it needs escape must have, and strip.
const slack = 8

// writeKey writes a key escaped, and returns its length in bytes, escapes of
// JSON resolved. The key is not Foreign.
func (r *Renderer) writeKey(w *json.Writer, text []byte, key *json.String) int {
	raw := key.Raw(text)
	n, length := escapeKey(w.Room(maxEntity*len(raw)+slack), raw)
	w.Extend(n)
	return length
}

// plainEscapeKey writes a key, written as in a string of the output, escaped into dst, and
// returns its length there, and in bytes once escapes of JSON are resolved. dst has room for
// maxEntity times the key, and for slack bytes more.
func plainEscapeKey(dst, key []byte) (n, length int) {
	for i := 0; i < len(key); {
		c, read := json.Unit(key[i:])
		entity := ""
		if c < utf8.RuneSelf {
			entity = entityOf[c]
		}
		if entity != "" {
			n += copy(dst[n:], entity)
			length += len(entity)
		} else {
			n += copy(dst[n:], key[i:i+read])
			length += utf8.RuneLen(c)
		}
		i += read
	}
	return n, length
}

// plainUnescape writes text, escaped as in a value or, if inKey, as in a key, to dst with
// its entities resolved, and returns how many bytes it has written, and read. It stops
// before what is not just as it would be written, and may stop where there are fewer than
// slack bytes of room left.
func plainUnescape(dst, text []byte, inKey bool) (n, read int) {
	for read < len(text) && len(dst)-n >= slack {
		c, length := text[read], 1
		if c == '&' {
			c, length = entityAt(text[read:], inKey)
		} else if inValue[c] || inKey && entityOf[c] != "" {
			length = 0
		}
		if length == 0 {
			break
		}
		dst[n] = c
		n, read = n+1, read+length
	}
	return n, read
}

// resolveKey returns an escaped key with its entities resolved. It stands in room, which
// grows if need be. ok is false where it is not just as it would be written.
func resolveKey(escaped []byte, room *[]byte) (key []byte, ok bool) {
	*room = json.Empty(*room, len(escaped)+slack)
	n, read := unescape((*room)[:cap(*room)], escaped, true)
	return (*room)[:n], read == len(escaped)
}

// isEscaped reports whether value is as the attribute wrapper writes one.
func isEscaped(value []byte) bool {
	var room [256]byte // for what nobody asks for
	for len(value) > 0 {
		_, read := unescape(room[:], value, false)
		if read == 0 {
			return false
		}
		value = value[read:]
	}
	return true
}

// entityAt returns what the entity that text begins with stands for, and its
// length; 0 if it is none that would be written.
func entityAt(text []byte, inKey bool) (char byte, n int) {
	for i := range entities {
		e := &entities[i]
		if len(text) < len(e.entity) || text[1] != e.entity[1] || !inKey && !e.inValue {
			continue
		}
		if string(text[:len(e.entity)]) == e.entity {
			return e.char, len(e.entity)
		}
	}
	return 0, 0
}
