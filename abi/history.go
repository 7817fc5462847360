//go:build !guest

package abi

import "encoding/json"

// Items is an array of the model-visible items of a thread, in order, as JSON:
// what a Responses API takes for its input. Only messages of users and
// developers are looked at; any item is an object.
type Items = json.RawMessage

// ReconcileRequest asks reconcile what a model has to be told again, after its
// history changed: by a compaction, a rollback, a resume, a fork.
type ReconcileRequest struct {
	// State is the thread's, or Store what it was last told: exactly one of the
	// two is given. A thread that was told nothing has the store {}.
	State State `json:"state,omitempty"`
	Store Store `json:"store,omitempty"`
	// History is what is really left of the history. It is required: an empty
	// one is [].
	History Items `json:"history,omitempty"`
	// Policy is nil for the default. It is the one that the entries were
	// rendered with, else they are not found in the history.
	Policy *Policy `json:"policy,omitempty"`
}

// ReconcileResponse is the answer to a ReconcileRequest.
type ReconcileResponse struct {
	// State or Store, whichever was given, less the entries that a total budget
	// kept out. It is to be saved once Inputs stand in the history.
	State State `json:"state,omitempty"`
	Store Store `json:"store,omitempty"`
	// Inputs are the hidden messages to put at the end of the history, in
	// order.
	Inputs []Input `json:"inputs"`
	// Receipts tell what happened to each key of the store: Unchanged,
	// Restored or Dropped.
	Receipts []Receipt `json:"receipts"`
}

// ClassifyRequest asks classify which items are hidden context.
type ClassifyRequest struct {
	Items Items `json:"items,omitempty"` // required
	// Store has the keys by which the messages of developers are recognised.
	// Nil stands for none.
	Store Store `json:"store,omitempty"`
	// Policy is nil for the default.
	Policy *Policy `json:"policy,omitempty"`
}

// ClassifyResponse is the answer to a ClassifyRequest.
type ClassifyResponse struct {
	Items []Classified `json:"items"` // one for each item of the request
}

// Classified tells what an item is.
type Classified struct {
	Hidden bool `json:"hidden"`
	// Key and Kind are those of the entry, if the item is hidden.
	Key  *string `json:"key,omitempty"`
	Kind Kind    `json:"kind,omitempty"`
}

// GuidanceRequest asks guidance for a paragraph of a system prompt.
type GuidanceRequest struct {
	// Policy is nil for the default.
	Policy *Policy `json:"policy,omitempty"`
}

// GuidanceResponse is the answer to a GuidanceRequest.
type GuidanceResponse struct {
	// Text tells the model what the messages are that the policy makes, and
	// which of them are data that carry no authority.
	Text string `json:"text"`
}
