package store

import (
	"unsafe"

	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// What the assembler knows by name, or takes for granted.
const (
	lenInputEnd = fragment.AfterText

	keyHasGT           = fragment.KeyHasGT
	valueHasClosingTag = fragment.ValueHasClosingTag
	controlCharacters  = fragment.ControlCharacters

	_ = -(unsafe.Sizeof(outcome{}) ^ 48)
	_ = -(unsafe.Sizeof(Entry{}) ^ 48)
	_ = -(unsafe.Sizeof(fragment.Template{}) ^ 64)
	_ = -unsafe.Offsetof(fragment.Template{}.Pieces)
	_ = -(unsafe.Offsetof(fragment.Template{}.Opening) ^ 24)
	_ = -(unsafe.Offsetof(fragment.Template{}.Bytes) ^ 32)
	_ = -(unsafe.Offsetof(fragment.Template{}.Keys) ^ 40)
	_ = -(unsafe.Offsetof(fragment.Template{}.EscapedClosing) ^ 48)
	_ = -(unsafe.Offsetof(fragment.Rendered{}.OriginalTokens) ^ 4)
	_ = -(unsafe.Offsetof(fragment.Rendered{}.RemovedTokens) ^ 8)
	_ = -unsafe.Offsetof(budget.Limit{}.Tokens)
	_ = -(unsafe.Offsetof(budget.Limit{}.Truncation) ^ 8)
	_ = -(unsafe.Offsetof(budget.Limit{}.Strict) ^ 9)
	_ = -budget.Middle
	_ = -(budget.Head ^ 1)
)

// writeShortRun writes inputs as Merge.writeInputs does, by any policy that does not
// count tokens exactly, from that of the outcome i on, as long as none is rendered
// already, key and value are short, and there is room. It returns which outcome comes next.
//
//go:noescape
func writeShortRun(m *Merge, w *json.Writer, templates *[fragment.Kinds]fragment.Template, note string, i int) (next int)

// contains reports whether the n bytes of text contain the part, of two bytes at least. It is for
// what is short: it compares at each place anew, and reads a few bytes behind both. The assembler
// calls it.
//
//go:noescape
func contains(text *byte, n int, part *byte, length int) bool

// renderShort does what Merge.renderText does with the outcome i, which is told and has no note,
// if writeShortRun writes it, and reports whether it did. The assembler calls it.
//
//go:noescape
func renderShort(m *Merge, templates *[fragment.Kinds]fragment.Template, i int) (rendered bool)
