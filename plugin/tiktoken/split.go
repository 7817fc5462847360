package tiktoken

import (
	_ "embed"
	"encoding/binary"
)

// Classes of characters, by their general category. Each is a bit, so that a
// set of classes is a mask.
const (
	other   = 1 << iota // neither of the below: punctuation, symbols, controls
	upper               // Lu, Lt
	lower               // Ll
	letter              // Lm, Lo
	mark                // M
	number              // N
	space               // White_Space but for newlines
	newline             // CR, LF
)

const (
	letters = upper | lower | letter
	spaces  = space | newline
)

// classes has the class of every character below tableEnd: an index of blocks,
// then the blocks.
//
//go:generate go -C compare run ./generate ..
//go:embed classes.bin
var classes string

const (
	blockBits = 7
	blockMask = 1<<blockBits - 1
	tableEnd  = 0x32400 // a multiple of a block; beyond it are only marks
	blocks    = tableEnd >> blockBits

	firstSelector, lastSelector = 0xE0100, 0xE01EF // variation selectors, Mn
)

// char returns the class and the length of the character at i. Bytes that are
// no UTF-8 are others.
func char(text []byte, i int) (class uint8, size int) {
	c := text[i]
	if c < 0x80 {
		return classes[blocks+int(c)], 1 // the first block is the first in the table
	}
	var r uint32
	switch rest := text[i:]; {
	case c >= 0xF0 && len(rest) >= 4:
		r, size = uint32(c&0x07)<<18|uint32(rest[1]&0x3F)<<12|uint32(rest[2]&0x3F)<<6|uint32(rest[3]&0x3F), 4
	case c >= 0xE0 && len(rest) >= 3:
		r, size = uint32(c&0x0F)<<12|uint32(rest[1]&0x3F)<<6|uint32(rest[2]&0x3F), 3
	case c >= 0xC0 && len(rest) >= 2:
		r, size = uint32(c&0x1F)<<6|uint32(rest[1]&0x3F), 2
	default:
		return other, 1
	}
	if r < tableEnd {
		return classes[blocks+int(classes[r>>blockBits])<<blockBits+int(r&blockMask)], size
	}
	if firstSelector <= r && r <= lastSelector {
		return mark, size
	}
	return other, size
}

// run returns where the run of characters of the set that begins at i ends.
func run(text []byte, i int, set uint8) int {
	for i < len(text) {
		if c := text[i]; c < 0x80 {
			if classes[blocks+int(c)]&set == 0 {
				return i
			}
			i++
			continue
		}
		class, size := char(text, i)
		if class&set == 0 {
			return i
		}
		i += size
	}
	return i
}

// previous returns where the character before i begins.
func previous(text []byte, i int) int {
	for i--; i > 0 && text[i]&0xC0 == 0x80; i-- {
	}
	return i
}

// A splitter returns where the piece that begins at i, before the end of the
// text, ends. Splitters match what the regular expressions match of tiktoken's
// encodings, each without looking behind i, in time that is linear in the whole
// text.
type splitter func(text []byte, i int) int

// splitCL100K splits as
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	|[^\r\n\p{L}\p{N}]?\p{L}+
//	|\p{N}{1,3}
//	| ?[^\s\p{L}\p{N}]+[\r\n]*
//	|\s*[\r\n]+|\s+(?!\S)|\s+
func splitCL100K(text []byte, i int) int {
	class, size := char(text, i)
	next := i + size
	if class&letters != 0 {
		return run(text, next, letters)
	}
	if class&number != 0 {
		return numbers(text, next)
	}
	if end := contraction(text, i); end > i {
		return end
	}
	if class != newline && next < len(text) {
		following, _ := char(text, next)
		if following&letters != 0 {
			return run(text, next, letters)
		}
		if following&(other|mark) != 0 && text[i] == ' ' {
			return run(text, run(text, next, other|mark), newline)
		}
	}
	if class&spaces != 0 {
		return whiteSpace(text, i)
	}
	return run(text, run(text, next, other|mark), newline)
}

// splitO200K splits as
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|\p{N}{1,3}
//	| ?[^\s\p{L}\p{N}]+[\r\n/]*
//	|\s*[\r\n]+|\s+(?!\S)|\s+
func splitO200K(text []byte, i int) int {
	class, size := char(text, i)
	next := i + size
	switch {
	case class&letters != 0:
		return contraction(text, word(text, i))
	case class&number != 0:
		return numbers(text, next)
	case class != newline && next < len(text):
		following, _ := char(text, next)
		switch {
		case following&(letters|mark) != 0:
			// The first alternative wants something of the second set, which a
			// mark alone is too: then capitals after it are not its.
			if end := word(text, next); class != mark || !capitals(text, next, end) {
				return contraction(text, end)
			}
			return contraction(text, next)
		case class == mark:
			return contraction(text, next)
		case following&other != 0 && text[i] == ' ':
			return slashes(text, run(text, next, other|mark))
		}
	case class == mark:
		return next
	}
	if class&spaces != 0 {
		return whiteSpace(text, i)
	}
	return slashes(text, run(text, next, other|mark))
}

// word returns the end of the word of o200k_base that begins at i, a letter or a
// mark: capitals and letters without case, as many as there are, then small and
// caseless letters. If no small letter follows, a caseless one has to end it; a
// word of nothing but capitals is one too.
func word(text []byte, i int) int {
	end := run(text, i, upper|letter|mark)
	if end < len(text) {
		if class, _ := char(text, end); class == lower {
			return run(text, end, lower|letter|mark)
		}
	}
	for at := end; at > i; {
		before := previous(text, at)
		if class, _ := char(text, before); class != upper {
			return at
		}
		at = before
	}
	return end
}

// capitals reports whether there is nothing but capitals from i to end.
func capitals(text []byte, i, end int) bool {
	return run(text[:end], i, upper) == end
}

// numbers returns the end of a number of which one digit ends at i: it has three
// at most.
func numbers(text []byte, i int) int {
	for range 2 {
		if i == len(text) {
			break
		}
		class, size := char(text, i)
		if class != number {
			break
		}
		i += size
	}
	return i
}

// slashes returns the end of the newlines and slashes at i.
func slashes(text []byte, i int) int {
	for i < len(text) && (text[i] == '\n' || text[i] == '\r' || text[i] == '/') {
		i++
	}
	return i
}

// whiteSpace returns the end of the piece that begins with the white space at i:
// after the last newline of it, or before its last character if something
// follows it.
func whiteSpace(text []byte, i int) int {
	end := i
	for end+8 <= len(text) && binary.LittleEndian.Uint64(text[end:]) == eightSpaces {
		end += 8
	}
	end = run(text, end, space)
	if rest := run(text, end, spaces); rest > end { // a newline comes first
		for end = rest; text[end-1] != '\n' && text[end-1] != '\r'; end-- {
		}
		return end
	}
	if end == len(text) {
		return end
	}
	if last := previous(text, end); last > i {
		return last
	}
	return end
}

const eightSpaces = 0x2020202020202020

// contraction returns the end of the English contraction at i, or i if there is
// none. Letters have either case, and a long s (U+017F) is an s.
func contraction(text []byte, i int) int {
	if i+1 >= len(text) || text[i] != '\'' {
		return i
	}
	c := text[i+1] | 0x20
	switch c {
	case 's', 't', 'm', 'd':
		return i + 2
	}
	if i+2 >= len(text) {
		return i
	}
	if text[i+1] == 0xC5 && text[i+2] == 0xBF {
		return i + 3
	}
	switch d := text[i+2] | 0x20; {
	case c == 'r' && d == 'e', c == 'v' && d == 'e', c == 'l' && d == 'l':
		return i + 3
	}
	return i
}
