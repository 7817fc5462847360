package store

import (
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// readMaps does what Merge.ReadUsual does.
//
//go:noescape
func readMaps(m *Merge, text []byte) (end int)

// writeAnswer does what Merge.Answer does by a plain policy, as far as the kernels do
// all of a step. It returns what is to be done next, and from which outcome on, or at
// which receipt.
//
//go:noescape
func writeAnswer(m *Merge, w *json.Writer, middle, quiet *[fragment.Kinds][changes]string, pieces *[fragment.Kinds]fragment.Pieces, limit int) (stage answerStage, at int)
