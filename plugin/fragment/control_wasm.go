package fragment

import "github.com/turncontext/turncontext/plugin/json"

// controlAt does what plainControlAt says.
//
//go:noescape
func controlAt(text []byte) int

// tagAt does what plainTagAt says.
func tagAt(text, tag []byte) int {
	word, mask := ^uint64(0), ^uint64(0)
	if len(tag) >= 8 {
		word = json.Word(tag)
	} else {
		var first [8]byte
		copy(first[:], tag)
		mask = 1<<(8*len(tag)) - 1
		word = json.Word(first[:])
	}
	i := longFirstOf(text, word, mask)
	if len(tag) > len(text)-i {
		return -1
	}
	if len(text)-i > 8 {
		return i
	}
	// The last bytes of a text are not looked at in words.
	if rest := plainTagAt(text[i:], tag); rest >= 0 {
		return i + rest
	}
	return -1
}

// firstOf returns the offset of the first eight bytes, and a ninth behind them,
// that are "</" and, under mask, word. Where there is none it returns one from
// which on text has less than nine bytes, or more than it has.
//
//go:noescape
func firstOf(text []byte, word, mask uint64) int

// extraBytes does what plainExtra says. The assembler of other packages calls it, escape, escapeKey,
// and strip.
//
//go:noescape
func extraBytes(value []byte) int

// written has how escape writes a byte, from '&' on up to '>', in seven bytes at most, and
// above them how many these are.
var written = func() (words ['>' - '&' + 1]uint64) {
	for i := range words {
		word := [8]byte{'&' + byte(i)}
		n := 1
		if inValue[word[0]] {
			n = copy(word[:], entityOf[word[0]])
		}
		words[i] = json.Word(word[:]) | uint64(n)<<56
	}
	return words
}()

// escape does what plainEscape says.
//
//go:noescape
func escape(dst, value []byte) int

// escapeKey does what plainEscapeKey says. It may read a few bytes behind the key.
//
//go:noescape
func escapeKey(dst, key []byte) (n, length int)

// unescape does what plainUnescape says.
//
//go:noescape
func unescape(dst, text []byte, inKey bool) (n, read int)

// strip does what plainStrip says.
//
//go:noescape
func strip(dst, text []byte) (n, escapes int)

// run does what plainRun says.
//
//go:noescape
func run(text, tag []byte, borders []int32, i int) bool

// ends does what plainEnds says.
//
//go:noescape
func ends(text []byte) (start, end int)
