//go:build !tiktoken

package fragment

import (
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/json"
)

// exact is nothing in a build that only estimates, and its methods are never
// called.
//
//lint:ignore U1000 it is used in the other build
type exact struct{}

func (*Renderer) writeExactly(*Rendered, *json.Writer, []byte, Kind, json.String, budget.Limit) {}

func (*Renderer) countExactly(*Rendered, *json.Writer) int { return 0 }
