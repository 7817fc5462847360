//go:build !guest

package abi

import "encoding/json"

// Error is a request that the module refused. It changed nothing: the state
// that the caller holds is still the thread's state.
type Error struct {
	Kind    ErrorKind `json:"kind"`
	Code    int       `json:"code"`
	Message string    `json:"message"`
	// Data depends on Kind: {offset} for invalid_json, {path, offset} for
	// invalid_params, InputTooLargeData, TurnNotSteerableData; nil where a kind has
	// none. Offsets count bytes from the beginning of the request, as Call sends
	// it; of what is wrong in a typed one, the path tells more.
	Data json.RawMessage `json:"data,omitempty"`
}

// Error returns the kind and the message.
func (e *Error) Error() string {
	return "turncontext: " + string(e.Kind) + ": " + e.Message
}
