package abi

import "encoding/json"

// ErrorKind names what was wrong with a request.
type ErrorKind string

// The kinds of error, in both conventions (README.md, "Errors").
const (
	InvalidJSON     ErrorKind = "invalid_json"
	InvalidRequest  ErrorKind = "invalid_request"
	InvalidParams   ErrorKind = "invalid_params"
	RequestTooLarge ErrorKind = "request_too_large"
	Internal        ErrorKind = "internal"

	// Of the turn protocol.
	ExperimentalAPIRequired ErrorKind = "experimental_api_required"
	NoActiveTurn            ErrorKind = "no_active_turn"
	TurnMismatch            ErrorKind = "turn_mismatch"
	TurnNotSteerable        ErrorKind = "turn_not_steerable"
	EmptyInput              ErrorKind = "empty_input"
	InputTooLarge           ErrorKind = "input_too_large"
	Unsupported             ErrorKind = "unsupported" // a state of a newer version, a tokenizer that the module lacks
)

// The codes that go with the kinds (JSON-RPC 2.0, section 5.1).
const (
	CodeInvalidJSON    = -32700
	CodeInvalidRequest = -32600
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
)

// Error is a request that the module refused. It changed nothing: the state
// that the caller holds is still the thread's state.
type Error struct {
	Kind    ErrorKind `json:"kind"`
	Code    int       `json:"code"`
	Message string    `json:"message"`
	// Data depends on Kind: {offset} for invalid_json, {path, offset} for
	// invalid_params, InputTooLargeData, TurnNotSteerableData; nil where a kind has
	// none. Offsets count bytes from the beginning of the request.
	Data json.RawMessage `json:"data,omitempty"`
}

// Error returns the kind and the message.
func (e *Error) Error() string {
	return "turncontext: " + string(e.Kind) + ": " + e.Message
}
