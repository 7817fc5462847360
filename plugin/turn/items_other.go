//go:build !wasm

package turn

import (
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/params"
)

func writeItems(w *json.Writer, text []byte, items []params.UserInput, templates *templates, c *counts) (n int) {
	return plainWriteItems(w, text, items, templates, c)
}
