//go:build !guest

package abi

import (
	"encoding/json"
	"errors"
)

// Error is a request that the module refused. It changed nothing: the state
// that the caller holds is still the thread's state.
type Error struct {
	Kind    ErrorKind `json:"kind"`
	Code    int       `json:"code"`
	Message string    `json:"message"`
	// Data depends on Kind: InvalidJSONData, InvalidParamsData, InputTooLargeData
	// or TurnNotSteerableData; nil where a kind has none.
	Data json.RawMessage `json:"data,omitempty"`
}

// Error returns the kind and the message.
func (e *Error) Error() string {
	return "turncontext: " + string(e.Kind) + ": " + e.Message
}

// Refused returns the refusal that err is or wraps. It returns false for other
// errors, those of kind Internal included: with these the module failed.
func Refused(err error) (*Error, bool) {
	refused, ok := errors.AsType[*Error](err)
	if !ok || refused.Kind == Internal {
		return nil, false
	}
	return refused, true
}

// InvalidJSONData is the data of an invalid_json error.
type InvalidJSONData struct {
	// Offset is where in the request it is no JSON, in bytes from its beginning, as
	// the module got it.
	Offset int `json:"offset"`
}

// InvalidParamsData is the data of an invalid_params error.
type InvalidParamsData struct {
	// Path is that of the member which is wrong (README.md, "Paths and offsets").
	Path string `json:"path"`
	// Offset is where it stands in the request, as for InvalidJSONData. Of a typed
	// request the path tells more.
	Offset int `json:"offset"`
}
