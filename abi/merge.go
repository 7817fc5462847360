//go:build !guest

package abi

import (
	"bytes"
	"encoding/json"
)

// Entry is one named piece of additional context.
type Entry struct {
	Value string `json:"value"`
	Kind  Kind   `json:"kind"`
	// Removed stands for null, and the other fields do not count: the key is no
	// longer there. It is only for a map that is sent under PatchUpdates; the
	// module refuses it elsewhere.
	Removed bool `json:"-"`
}

// MarshalJSON writes null for an entry that is Removed.
func (e Entry) MarshalJSON() ([]byte, error) {
	if e.Removed {
		return []byte("null"), nil
	}
	type fields Entry // without this method
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // that is for whoever marshals the whole to choose
	err := encoder.Encode(fields(e))
	return text.Bytes(), err
}

// UnmarshalJSON makes of null an entry that is Removed.
func (e *Entry) UnmarshalJSON(text []byte) error {
	type fields Entry // without this method
	read := fields{Removed: bytes.Equal(text, []byte("null"))}
	err := json.Unmarshal(text, &read)
	*e = Entry(read)
	return err
}

// Store is the map that a thread was last told, as JSON. A host keeps it as it
// is and hands it back; nil stands for an empty one. In another member order,
// or with other white space or escapes, it is the same store.
type Store = json.RawMessage

// MergeRequest asks merge to compare the context sent with what the thread was
// told before.
type MergeRequest struct {
	// Store is what the thread was last told: MergeResponse.Store of the merge
	// before. Nil for a new thread.
	Store Store `json:"store,omitempty"`
	// AdditionalContext is the complete current set, or the changes to it under
	// PatchUpdates. Nil and an empty map say the same, that there is none or
	// that nothing changed; but a policy without the experimental API refuses
	// an empty one.
	AdditionalContext map[string]Entry `json:"additionalContext,omitzero"`
	// Policy is nil for the default.
	Policy *Policy `json:"policy,omitempty"`
}

// MergeResponse is the answer to a MergeRequest.
type MergeResponse struct {
	// Store is to be saved once Inputs stand in the history.
	Store Store `json:"store"`
	// Inputs are the hidden messages to put ahead of the user's input, in
	// order.
	Inputs []Input `json:"inputs"`
	// Receipts tell what happened to each key of the old or the new map, in
	// ascending order of the key's UTF-8 bytes.
	Receipts []Receipt `json:"receipts"`
}

// Receipt tells what happened to one key.
type Receipt struct {
	Key string `json:"key"`
	// Kind is the new entry's, for one that is gone the old.
	Kind   Kind   `json:"kind"`
	Change Change `json:"change"`
	// Tokens counts the whole text injected, tags included, by the policy's
	// tokenizer. 0 where nothing was injected.
	Tokens int `json:"tokens"`
	// Truncated is nil unless the value was cut in this call.
	Truncated *Truncated `json:"truncated,omitempty"`
	// Warnings is never nil in an answer of the module.
	Warnings []Warning `json:"warnings"`
}

// Truncated tells how much of a value was cut, in tokens.
type Truncated struct {
	// OriginalTokens counts the value that was cut.
	OriginalTokens int `json:"originalTokens"`
	// RemovedTokens is the number that the marker shows, or would show where
	// there was no room for one.
	RemovedTokens int `json:"removedTokens"`
	// Estimated says that a tokenizer counted a long value only in part, so that
	// both numbers are estimates.
	Estimated bool `json:"estimated,omitempty"`
}
