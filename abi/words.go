package abi

// This file has the words that the module and its hosts share.

// Kind says how far the model may trust an entry.
type Kind string

// The kinds of entry: untrusted text is data, application text speaks for the
// runtime itself.
const (
	Untrusted   Kind = "untrusted"
	Application Kind = "application"
)

// Change says what happened to a key.
type Change string

// The changes of a receipt.
const (
	Added     Change = "added"
	Changed   Change = "changed"
	Unchanged Change = "unchanged"
	Removed   Change = "removed"
	Restored  Change = "restored" // by reconcile: the history no longer had it
	Dropped   Change = "dropped"  // by Policy.MaxTotalTokens
)

// Warning names something about an injected text that a host may want to show.
// README.md says what to do about each.
type Warning string

// The warnings of a receipt.
const (
	// KeyHasGT: the key of an untrusted entry contains ">", so the fragment
	// will not be recognised as hidden context.
	KeyHasGT Warning = "key_has_gt"
	// ValueHasClosingTag: the value, as cut, contains its own closing tag.
	ValueHasClosingTag Warning = "value_has_closing_tag"
	// ControlCharacters: the value, as cut, contains control characters,
	// terminal escapes or bidirectional overrides.
	ControlCharacters Warning = "control_characters"
)

// TurnKind is the kind of a turn.
type TurnKind string

// The kinds of turn. Only a regular one can be steered.
const (
	RegularTurn TurnKind = "regular"
	ReviewTurn  TurnKind = "review"
	CompactTurn TurnKind = "compact"
)

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
