//go:build !wasm

package store

import (
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// Elsewhere the kernels of merge_wasm.go and usual_wasm.s do nothing, or are the
// Go that says what they do, which does it all.

func compareEntries(m *Merge, before, now int) (newBefore, newNow int) {
	return before, now
}

func maxRun(_ *Merge, _ *bounds, i int) (bytes, next int) { return 0, i }

func matchKeys(m *Merge) { m.plainMatchKeys() }

func writeReceiptRun(m *Merge, w *json.Writer, middle, quiet *[fragment.Kinds][changes]string, at int) (newAt int, ended bool) {
	return at, false
}

func writeInputRun(m *Merge, w *json.Writer, pieces *[fragment.Kinds]fragment.Pieces, limit, i int) (next int) {
	return i
}

func writeWhole(w *json.Writer, text []byte, entries []Entry) bool { return false }

func writeAnswer(_ *Merge, _ *json.Writer, _, _ *[fragment.Kinds][changes]string, _ *[fragment.Kinds]fragment.Pieces, _ int) (stage answerStage, at int) {
	return toCompare, 0
}
