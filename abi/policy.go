//go:build !guest

package abi

// Policy changes how the module works. Every field that is left at its zero
// value is absent from the request, and has the default: a Policy{} is the
// reference behaviour. README.md, "Policy", specifies each field.
//
// A pointer stands where the zero value says something of its own; new(false)
// makes one.
type Policy struct {
	// Preset sets the defaults of the other fields.
	Preset Preset `json:"preset,omitempty"`
	// MaxValueTokens is the budget of each value, in tokens: 0 or more, 1000 by
	// default. Tags are outside of it; StrictBudget tells about the marker.
	MaxValueTokens *int `json:"maxValueTokens,omitempty"`
	// MaxTotalTokens is a budget, in tokens, for all context that one call
	// injects: the sum of the receipts' Tokens. Whole entries are Dropped until
	// it fits, lowest priority first, of equals the last key first. Nil is no
	// budget.
	MaxTotalTokens *int `json:"maxTotalTokens,omitempty"`
	// Keys are settings for single keys. One that is not sent is allowed.
	Keys map[string]KeyPolicy `json:"keys,omitempty"`
	// Truncation says which part of a long value is kept.
	Truncation Truncation `json:"truncation,omitempty"`
	// StrictBudget counts the marker and the escapes too, so that a value never
	// exceeds its budget. False by default; true under PresetSafe, where a
	// pointer to false sets it back.
	StrictBudget *bool `json:"strictBudget,omitempty"`
	// Tokenizer counts the tokens. A module that lacks it refuses the request as
	// Unsupported; Description.Tokenizers lists those that it has.
	Tokenizer Tokenizer `json:"tokenizer,omitempty"`
	// Wrapper is what stands around a value.
	Wrapper Wrapper `json:"wrapper,omitempty"`
	// ControlCharacters says what becomes of control characters in values.
	ControlCharacters Controls `json:"controlCharacters,omitempty"`
	// Updates says how the map that is sent changes the store.
	Updates Updates `json:"updates,omitempty"`
	// Removals says whether the model hears of an entry that is gone.
	Removals Removals `json:"removals,omitempty"`
	// SteerContextOnly accepts a steer with a map that is not empty and no
	// input.
	SteerContextOnly bool `json:"steerContextOnly,omitempty"`
	// ExperimentalAPI is false for a client that did not opt in: a non-null
	// additionalContext of it is refused. Nil stands for true.
	ExperimentalAPI *bool `json:"experimentalApi,omitempty"`
}

// KeyPolicy has settings for one key, in the place of the policy's own. The
// zero value changes nothing.
type KeyPolicy struct {
	// MaxValueTokens is the budget of this key's value, in tokens. Nil is
	// Policy.MaxValueTokens.
	MaxValueTokens *int `json:"maxValueTokens,omitempty"`
	// Truncation is empty for Policy.Truncation.
	Truncation Truncation `json:"truncation,omitempty"`
	// Priority decides who is dropped first where Policy.MaxTotalTokens is
	// exceeded: the lowest. It lies within 32 bits, sign included.
	Priority int `json:"priority,omitempty"`
}
