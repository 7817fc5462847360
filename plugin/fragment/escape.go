package fragment

import (
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

// keyChunk is how much of a key is escaped at once, so that r.key stays small.
const keyChunk = 1 << 10

// writeKey writes a key escaped, and returns its length in bytes, escapes of
// JSON resolved.
func (r *Renderer) writeKey(w *json.Writer, text []byte, key *json.String) int {
	resolved := key.Bytes(text, r.room[:0])
	if key.Form != json.Plain {
		r.room = resolved
	}
	length := 0
	for len(resolved) > 0 {
		part := resolved[:min(keyChunk, len(resolved))]
		resolved = resolved[len(part):]
		r.key = r.key[:0]
		for _, c := range part {
			if entity := entityOf[c]; entity != "" {
				r.key = append(r.key, entity...)
			} else {
				r.key = append(r.key, c)
			}
		}
		w.Escape(r.key)
		length += len(r.key)
	}
	return length
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
