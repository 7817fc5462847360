package fragment

import (
	"bytes"
	"strings"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
)

// Warnings is the set of warnings about a fragment.
type Warnings uint8

// The warnings, in the order in which a receipt lists them.
const (
	KeyHasGT Warnings = 1 << iota
	ValueHasClosingTag
	ControlCharacters
)

var warningNames = [...]abi.Warning{abi.KeyHasGT, abi.ValueHasClosingTag, abi.ControlCharacters}

// Member returns the member of a receipt that has the warnings, which is its last: with a
// comma before it and the bracket behind it.
func (w Warnings) Member() string { return warningMembers[w] }

// warningMembers has those of each set. The assembler of others reads it.
var warningMembers = func() (members [1 << len(warningNames)]string) {
	for w := range members {
		separator := ""
		for i, name := range warningNames {
			if w&(1<<i) != 0 {
				members[w] += separator + `"` + string(name) + `"`
				separator = ","
			}
		}
		members[w] = `,"warnings":[` + members[w] + `]}`
	}
	return members
}()

// keyWarnings looks at a key, as the output has it, that stands in the tags as it is.
func keyWarnings(kind Kind, key string) Warnings {
	if kind == Untrusted && strings.IndexByte(key, '>') >= 0 {
		return KeyHasGT
	}
	return 0
}

// warnings looks at a value, as cut, and its closing tag as the output has them:
// one text has one form there, and "<" and ">" stand for themselves, so that a
// tag can be found without resolving escapes. What was stripped has no control
// characters left.
func (r *Renderer) warnings(value, tag []byte) Warnings {
	var w Warnings
	if contains(value, tag) {
		w |= ValueHasClosingTag
	}
	if !r.Strip && longControlAt(value) >= 0 {
		w |= ControlCharacters
	}
	return w
}

// probe is how much of a tag is compared at each place before search is asked: what tagAt
// compares, and a word.
const probe = 16

// contains reports whether text contains tag, a closing tag. Its cost is linear
// in the text, whatever the tag.
func contains(text, tag []byte) bool {
	for len(text) >= len(tag) {
		i := tagAt(text, tag)
		if i < 0 || len(text)-i < len(tag) {
			return false
		}
		text = text[i:]
		n := min(probe, len(tag))
		if last := n - 8; last <= 0 || json.Word(text[last:]) == json.Word(tag[last:]) {
			return n == len(tag) || search(text, tag)
		}
		text = text[1:]
	}
	return false
}

// plainTagAt returns a place in text before which tag, which begins with "</",
// does not begin, -1 if it begins nowhere: the first place at which its first
// bytes stand, up to eight, with room for the rest.
func plainTagAt(text, tag []byte) int {
	i := bytes.Index(text, tag[:min(8, len(tag))])
	if i+len(tag) > len(text) {
		return -1
	}
	return i
}
