package turn

import (
	"unsafe"

	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/params"
)

// What the assembler knows by name, or takes for granted.
const (
	foreign     = json.Foreign
	longForeign = json.LongForeign

	itemSize    = unsafe.Sizeof(params.UserInput{})
	itemVariant = unsafe.Offsetof(params.UserInput{}.Variant)
	itemStrings = unsafe.Offsetof(params.UserInput{}.Strings)

	_ = -(unsafe.Sizeof(json.Writer{}) ^ 24)
	_ = -(unsafe.Sizeof(json.String{}) ^ 16)
	_ = -(unsafe.Offsetof(json.String{}.End) ^ 4)
	_ = -(unsafe.Offsetof(json.String{}.Form) ^ 12)
)

// writeItems does what plainWriteItems says, up to an item that has a long string that is
// Foreign, or that there is no room for. The pieces are constants: bytes behind them are looked at.
//
//go:noescape
func writeItems(w *json.Writer, text []byte, items []params.UserInput, templates *templates, c *counts) (n int)
