package json

// The functions of scan_wasm.s, reader_wasm.s, fill_wasm.s and unknown_wasm.s. Where a
// plain twin does nothing, Go goes on from where the function stops.

import "unsafe"

// Word returns the first eight bytes of b, the first of them lowest. The compiler
// would load them one by one.
func Word(b []byte) uint64 {
	_ = b[7]
	return *(*uint64)(unsafe.Pointer(unsafe.SliceData(b)))
}

// textEnd does what plainTextEnd says.
//
//go:noescape
func textEnd(text []byte, i int) (end, saved int, form Form)

// equal does what plainEqual says.
//
//go:noescape
func equal(text []byte, a, b, n int) bool

// leads does what plainLeads says.
//
//go:noescape
func leads(text []byte, from, to int) int

// rewrite does what plainRewrite says.
//
//go:noescape
func rewrite(text []byte, to, from, end int) int

// forward does what plainForward says. Pad zero bytes must follow the text.
//
//go:noescape
func forward(text []byte, i, n int) int

// backward does what plainBackward says.
//
//go:noescape
func backward(text []byte, start, i, n int) int

// follows does what plainFollows says.
//
//go:noescape
func follows(text []byte, i int, s string) int

// spaceEnd does what plainSpaceEnd says.
//
//go:noescape
func spaceEnd(text []byte, i int) int

// compare does what plainCompare says.
//
//go:noescape
func compare(text []byte, a, n, b, m int) int

// text does what plainText says.
//
//go:noescape
func text(w *Writer, s string)

// growText writes s, which the buffer has no room for.
//
//go:noinline
func growText(w *Writer, s string) { w.buffer = append(w.buffer, s...) }

// openFields does what openOther does, and leaves it all to that but for an object
// that is not too deep.
//
//go:noescape
func openFields(r *Reader, f *Fields, names *[]string) bool

// nextMember does what plainNextMember says. The names are constants: bytes behind them
// are looked at, though they do not count.
//
//go:noescape
func nextMember(r *Reader, f *Fields) int

// skipAhead skips a part of a value which begins at i, in the container at depth, but
// nothing behind that value, with which the container at base is at hand again. It stops
// only before bad syntax. It returns where it stopped, the depth there, and what is to be
// read there; frames are then as if the reader had come there.
//
//go:noescape
func skipAhead(text []byte, frames *[MaxDepth + 1]frame, i, depth, base int) (end, newDepth int, s state)

// mergeRuns does what plainMergeRuns says.
//
//go:noescape
func mergeRuns(dst, a, b []sortKey)

// unknowns reads members from i on, the first of the object at depth or those behind a
// member, and adds their names to names, as long as there is room. At MaxDepth, brackets have
// nothing between them. It stops before one whose name may be known, and before bad syntax.
// It returns where the last one ends that it has read, and how many names there are. The
// known names are constants: bytes behind them are looked at, though they do not count.
//
//go:noescape
func unknowns(text []byte, i int, first bool, known []string, names []String, depth int) (end, n int)

// passedFrames are for skipAhead where nobody asks how it got to where it stops.
var passedFrames [MaxDepth + 1]frame

const (
	mostUnknown  = 16  // members of an object that passUnknowns passes
	resolvable   = 384 // bytes of a name of other escapes that are resolved at most
	resolvedRoom = 400 // for one; what is written may have a word behind it
)

// resolvedName is such a name as unknowns compares it.
var resolvedName [resolvedRoom]byte

// Unknowns are the names of members that passUnknowns has passed. Those of other escapes lie in
// resolved.
type Unknowns struct {
	names    [mostUnknown]String
	resolved [mostUnknown][resolvedRoom]byte
}

// passUnknowns passes over members of an object at depth whose names are unknown, from the first
// name at i on, and adds the names to those before, of which there are n. It returns where they
// end, and how many names there are; end is -1 if none was read, one may stand twice, or there is
// no room. The known names are as those of unknowns, and other packages' assembler calls it.
//
//go:noescape
func passUnknowns(text *byte, i int, known *[]string, names *Unknowns, n, depth int) (end, now int)

// passValue returns where the value at i ends, of an object at depth; -1 if it is bad. Other
// packages' assembler calls it.
//
//go:noescape
func passValue(text *byte, i, depth int) (end int)

// resolveWord writes a short string that has escapes, each of U+0040 to U+007F, to word: resolved,
// with the quote behind it. It returns where one that is written so would begin to end where this
// one does; s itself if it is none of those. Other packages' assembler calls it.
//
//go:noescape
func resolveWord(s *byte, word *[2]uint64) (at *byte)

// items reads items of an array from i on, as long as they are of these kinds and simple.
// It returns where the last one ends that it has read, and how many it has read. If strings
// has room, kinds is that of strings alone, and it writes them there and reads no more than
// there is room for.
//
//go:noescape
func items(text []byte, i int, kinds Kinds, strings []String) (end, n int)

// shape does what plainShape says. The pieces are constants: bytes behind them are
// looked at, though they do not count.
//
//go:noescape
func shape(text []byte, i int, pieces []string, strings []String) (end, n int)

// fill does what plainFill says.
//
//go:noescape
func fill(w *Writer, template, values []string)

// growFill writes what the buffer has no room for.
//
//go:noinline
func growFill(w *Writer, template, values []string) { plainFill(w, template, values) }

// each does what plainEach says, as long as no string is Foreign and long and there is room.
// What comes after is a constant: bytes behind it are looked at.
//
//go:noescape
func each(w *Writer, text []byte, strings []String, after string) (n int)
