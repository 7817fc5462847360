package fragment

import "github.com/turncontext/turncontext/plugin/json"

// The plain function of this file says what the hot loop does. It is the hot
// loop wherever control_wasm.s is not.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// lacks reports whether no byte of w equals b.
func lacks(w uint64, b byte) bool {
	x := w ^ ones*uint64(b)
	return (x-ones)&^x&highs == 0
}

// plainControlAt returns where in text, written as in a JSON string of the
// output, the first character stands that the policy's strip takes out, -1 if
// there is none: one below U+0020 but tab and line feed, U+007F to U+009F, or
// one that sets a direction (U+202A–202E, U+2066–2069). A terminal escape begins
// with one of them.
func plainControlAt(text []byte) int {
	for i := 0; i < len(text); {
		if i+8 <= len(text) {
			w := json.Word(text[i:])
			if lacks(w, '\\') && lacks(w, 0x7F) && lacks(w, 0xC2) && lacks(w, 0xE2) {
				i += 8
				continue
			}
		}
		switch text[i] {
		case '\\':
			switch text[i+1] {
			case 'b', 'f', 'r', 'u':
				return i
			}
			i += 2
		case 0x7F:
			return i
		case 0xC2:
			if text[i+1] < 0xA0 {
				return i
			}
			i += 2
		case 0xE2:
			if setsDirection(text[i+1], text[i+2]) {
				return i
			}
			i += 3
		default:
			i++
		}
	}
	return -1
}

// setsDirection reports whether E2 and these two bytes are such a character.
func setsDirection(c1, c2 byte) bool {
	return c1 == 0x80 && 0xAA <= c2 && c2 <= 0xAE || c1 == 0x81 && 0xA6 <= c2 && c2 <= 0xA9
}
