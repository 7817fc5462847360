// Package conform loads the conformance vectors of testdata and runs them
// against an implementation of the module's functions. testdata/README.md
// specifies the format.
package conform

import (
	"fmt"
	"strings"
)

// Format is the format of every file of vectors.
const Format = "turncontext-vectors/1"

// Kind says what the vectors of a file are.
type Kind string

// The kinds of file. Calls are the project's own; the others carry the
// reference's vectors as they are.
const (
	KindTruncate Kind = "truncate"
	KindMerge    Kind = "merge"
	KindClassify Kind = "classify"
	KindWire     Kind = "wire"
	KindCalls    Kind = "calls"
)

// File is one file of vectors.
type File struct {
	Path  string // as it was opened
	Kind  Kind
	About string

	// The vectors, in the one that Kind names; the others are nil.
	Truncate []TruncateVector
	Merge    []MergeVector
	Classify []ClassifyVector
	Wire     []WireVector
	Calls    []CallsVector
}

// Len returns the number of vectors in the file.
func (f *File) Len() int {
	return len(f.Truncate) + len(f.Merge) + len(f.Classify) + len(f.Wire) + len(f.Calls)
}

// TruncateVector is a value and what a budget leaves of it.
type TruncateVector struct {
	Name      string
	Value     string
	MaxTokens int
	Text      string
	// OriginalTokens is the estimate for the whole value, nil if nothing was
	// cut.
	OriginalTokens *int
}

// MergeVector is a session: the store goes from step to step, and is empty
// before the first.
type MergeVector struct {
	Name  string
	Steps []MergeStep
}

// MergeStep is what the client sends with one turn, and what the model is told.
type MergeStep struct {
	// AdditionalContext is JSON text; nil if the member is absent, which a
	// request is to keep apart from null and from {}.
	AdditionalContext []byte
	Inputs            []MergeInput
}

// MergeInput is one message for the model.
type MergeInput struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// ClassifyVector is a user's text, and whether it is hidden context.
type ClassifyVector struct {
	Text   string
	Hidden bool
}

// WireVector is the text of a request without a store.
type WireVector struct {
	Params string
	// OK tells whether the request is accepted.
	OK bool
	// Entries is the JSON text of the map that is read: nil if the request is
	// refused, null or an object if it is accepted.
	Entries []byte
}

// CallsVector is a sequence of calls. Each carries its whole request, so they
// may run in any instances of the module.
type CallsVector struct {
	Name  string
	Calls []CallStep
}

// CallStep is one call and what is expected of it. Exactly one of Response,
// Contains and Error is not nil.
type CallStep struct {
	Function string
	Request  Text
	Response Text           // the answer, to the byte
	Contains any            // JSON that the answer has to contain
	Error    *ErrorExpected // the answer is this error
}

// ErrorExpected is an error object. Data is a JSON value, nil if the error has
// none. An empty Message stands for any that is not empty.
type ErrorExpected struct {
	Kind    string
	Code    int
	Message string
	Data    any
}

// Text is a text in parts, which keep a large one small. Nil is no text at all.
type Text []Part

// Part is a string that is repeated a number of times.
type Part struct {
	Text  string
	Times int
}

// Bytes puts the text together.
func (t Text) Bytes() []byte {
	size := 0
	for _, part := range t {
		size += len(part.Text) * part.Times
	}
	text := make([]byte, 0, size)
	for _, part := range t {
		text = append(text, strings.Repeat(part.Text, part.Times)...)
	}
	return text
}

// name names a vector that has no name of its own by its text.
func name(index int, text string) string {
	return fmt.Sprintf("%d: %s", index, abbreviate(text))
}
