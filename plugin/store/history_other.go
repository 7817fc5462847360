//go:build !wasm

package store

import (
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// Elsewhere the kernels of history_wasm.go do nothing, and Go does it all.

func readItems(_ *History, _ []byte, i int) (end int) { return i }

func classifyRun(_ *Merge, _ *json.Writer, _ *History, i, next int, _, _ bool) (newI, newNext int) {
	return i, next
}

func weighRun(_ *Merge, _ *History, _ *[fragment.Kinds]fragment.Template, _ int, _, _ bool, i, p int) (newI, newP, found int) {
	return i, p, -1
}
