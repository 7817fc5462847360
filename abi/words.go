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

// The roles of a message: a person's or a page's words, and the runtime's own.
const (
	UserRole      = "user"
	DeveloperRole = "developer"
)

// The types of a part of a message's content.
const (
	TextContent  = "input_text"
	ImageContent = "input_image"
)

// TurnKind is the kind of a turn.
type TurnKind string

// The kinds of turn. Only a regular one can be steered.
const (
	RegularTurn TurnKind = "regular"
	ReviewTurn  TurnKind = "review"
	CompactTurn TurnKind = "compact"
)

// Preset is a set of defaults.
type Preset string

// The presets.
const (
	// PresetReference is the default.
	PresetReference Preset = "reference"
	// PresetSafe is WrapAttribute, StripControls, StrictBudget and
	// AnnounceRemovals, each unless the policy sets it otherwise.
	PresetSafe Preset = "safe"
)

// Truncation names the part of a long value that is kept.
type Truncation string

// The truncations.
const (
	KeepEnds Truncation = "middle" // the beginning and the end; the default
	KeepHead Truncation = "head"   // the beginning
	KeepTail Truncation = "tail"   // the end
)

// Tokenizer is a way to count tokens.
type Tokenizer string

// The tokenizers.
const (
	Approx     Tokenizer = "approx" // bytes divided by four, rounded up; the default
	O200kBase  Tokenizer = "o200k_base"
	CL100kBase Tokenizer = "cl100k_base"
)

// Wrapper is a form of tags.
type Wrapper string

// The wrappers, for a key K and a value V.
const (
	// WrapReference is the default: <external_K>V</external_K> for untrusted
	// entries, <K>V</K> for application entries, nothing escaped.
	WrapReference Wrapper = "reference"
	// WrapAttribute is <external_context source="K">V</external_context> and
	// <application_context source="K">V</application_context>, with K and V
	// escaped, so that neither can end it.
	WrapAttribute Wrapper = "attribute"
)

// Controls says what becomes of control characters in values.
type Controls string

// What becomes of control characters.
const (
	KeepControls Controls = "keep" // the default
	// StripControls takes them out, but for tab and newline, and with them
	// terminal escapes and bidirectional overrides.
	StripControls Controls = "strip"
)

// Updates is a meaning of the map that is sent.
type Updates string

// The meanings of the map.
const (
	// ReplaceUpdates is the default: the map is the complete current set.
	ReplaceUpdates Updates = "replace"
	// PatchUpdates makes it a JSON Merge Patch: an absent key stays, an Entry
	// that is Removed goes, another one replaces.
	PatchUpdates Updates = "patch"
)

// Removals is what the model hears of an entry that is gone.
type Removals string

// What the model hears.
const (
	SilentRemovals Removals = "silent" // nothing; the default
	// AnnounceRemovals injects a note, [no longer applies], in the former
	// wrapper and role of the entry.
	AnnounceRemovals Removals = "announce"
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
