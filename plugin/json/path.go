package json

import "strconv"

// path returns the path of the value at hand (abi/README.md, "Paths and offsets"). It makes
// the room at once, since names may be long.
func (r *Reader) path() string {
	const step = len(`["[2147483647]"]`)
	room := 0
	for i := r.base + 1; i <= r.depth; i++ {
		room += step
		if f := &r.frames[i]; f.at == inName {
			room += int(f.name.End - f.name.Start)
		}
	}
	path := r.appendPath(make([]byte, 0, room))
	return asString(path)
}

// appendPath appends the path of the value at hand.
func (r *Reader) appendPath(dst []byte) []byte {
	for i := r.base + 1; i <= r.depth; i++ {
		switch f := &r.frames[i]; f.at {
		case inName:
			if f.name.Form == Canonical {
				// It has escapes, so it is no identifier, and is written as a path has it.
				dst = appendString(appendString(appendString(dst, `["`), asString(f.name.Raw(r.text))), `"]`)
				continue
			}
			dst = appendName(dst, f.name.text(r.text))
		case inItem:
			dst = appendString(dst, `[`)
			dst = strconv.AppendInt(dst, int64(f.index), 10)
			dst = appendString(dst, `]`)
		}
	}
	return dst
}

// appendName appends the step to a member with that name.
func appendName(dst []byte, name string) []byte {
	if !isIdentifier(name) {
		dst = appendText(appendString(dst, `["`), name)
		return appendString(dst, `"]`)
	}
	if len(dst) > 0 {
		dst = appendString(dst, `.`)
	}
	return appendString(dst, name)
}

// appendString appends s. It is not inlined: it is longer than the call.
//
//go:noinline
func appendString(dst []byte, s string) []byte { return append(dst, s...) }

// isIdentifier reports whether name is [A-Za-z_][A-Za-z0-9_]*.
func isIdentifier(name string) bool {
	for i, c := range []byte(name) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return len(name) > 0
}
