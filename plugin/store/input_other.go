//go:build !wasm

package store

import (
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// Elsewhere Go does all that input_wasm.s does.

func writeShortRun(m *Merge, w *json.Writer, templates *[fragment.Kinds]fragment.Template, note string, i int) (next int) {
	return i
}
