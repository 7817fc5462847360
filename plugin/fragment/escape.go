package fragment

import (
	"bytes"

	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/json"
)

// entities has the characters that the attribute wrapper escapes (the design,
// "Escapes of the attribute wrapper").
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

// valueExtra has how many bytes longer each character gets in a value.
var valueExtra = func() (extra budget.Extra) {
	for _, e := range entities {
		if e.inValue {
			extra[e.char] = uint8(len(e.entity) - 1)
		}
	}
	return extra
}()

// escapeValue escapes what was written from begin on, and returns how many bytes
// that added. In a string of the output the characters stand for themselves.
func escapeValue(w *json.Writer, begin int) int {
	extra := 0
	for _, c := range w.Bytes()[begin:] {
		extra += int(valueExtra[c])
	}
	if extra == 0 {
		return 0
	}
	from := w.Len() - begin
	w.Grow(extra)
	b := w.Bytes()[begin:]
	for to := len(b); to > from; {
		from--
		c := b[from]
		if valueExtra[c] == 0 {
			to--
			b[to] = c
			continue
		}
		to -= copy(b[to-len(entityOf[c]):], entityOf[c])
	}
	return extra
}

// writeKey writes a key escaped, and returns its length in bytes, escapes of
// JSON resolved.
func (r *Renderer) writeKey(w *json.Writer, text []byte, key json.String) int {
	resolved := key.Bytes(text, r.room[:0])
	if key.Form != json.Plain {
		r.room = resolved
	}
	r.key = r.key[:0]
	for _, c := range resolved {
		if entity := entityOf[c]; entity != "" {
			r.key = append(r.key, entity...)
		} else {
			r.key = append(r.key, c)
		}
	}
	w.Escape(r.key)
	return len(r.key)
}

// appendKey appends an escaped key with its entities resolved. ok is false where
// it is not just as it would be written.
func appendKey(dst, escaped []byte) (key []byte, ok bool) {
	for len(escaped) > 0 {
		c, n := escaped[0], 1
		if c == '&' {
			c, n = entityAt(escaped, false)
		} else if entityOf[c] != "" {
			n = 0
		}
		if n == 0 {
			return dst, false
		}
		dst = append(dst, c)
		escaped = escaped[n:]
	}
	return dst, true
}

// entityAt returns what the entity that text begins with stands for, and its
// length; 0 if it is none that would be written.
func entityAt(text []byte, inValue bool) (char byte, n int) {
	for _, e := range entities {
		if (e.inValue || !inValue) && bytes.HasPrefix(text, []byte(e.entity)) {
			return e.char, len(e.entity)
		}
	}
	return 0, 0
}
