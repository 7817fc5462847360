//go:build !guest

package abi

import (
	"encoding/json"
	"fmt"
)

// Source says where an input comes from.
type Source string

// The sources of an input.
const (
	SourceAdditionalContext Source = "additionalContext" // an entry
	SourceUser              Source = "user"              // what the user sent
	SourcePromptHook        Source = "promptHook"        // what the host's prompt hook adds
)

// Input is one message for the model.
type Input struct {
	Source Source `json:"source"`
	// Key and Kind are those of the entry, if Source is additionalContext.
	Key  *string `json:"key,omitempty"`
	Kind Kind    `json:"kind,omitempty"`
	// Hidden is false for the user's own message only.
	Hidden bool `json:"hidden"`
	Item   Item `json:"item"`
	// Unresolved is what only a host can put into Item's content, in order. It
	// is nil where there is nothing of the kind.
	Unresolved []Unresolved `json:"unresolved,omitempty"`
}

// Item is a message as the Responses API takes it.
type Item struct {
	Type    string    `json:"type"` // "message"
	Role    string    `json:"role"` // UserRole or DeveloperRole
	Content []Content `json:"content"`
}

// Content is one part of an Item: text, or an image.
type Content struct {
	Type string `json:"type"` // TextContent or ImageContent
	// Text is that of TextContent.
	Text string `json:"text"`
	// ImageURL and Detail are those of ImageContent.
	ImageURL string `json:"image_url"`
	Detail   string `json:"detail"`
}

// MarshalJSON writes the members that go with the type.
func (c Content) MarshalJSON() ([]byte, error) {
	switch c.Type {
	case TextContent:
		return json.Marshal(struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}{c.Type, c.Text})
	case ImageContent:
		return json.Marshal(struct {
			Type     string `json:"type"`
			ImageURL string `json:"image_url"`
			Detail   string `json:"detail,omitempty"`
		}{c.Type, c.ImageURL, c.Detail})
	}
	return nil, fmt.Errorf("turncontext: content of type %q, expected %q or %q", c.Type, TextContent, ImageContent)
}

// Unresolved is a part of a user's input that only a host can resolve: an image
// in a file, a skill or a mention.
type Unresolved struct {
	// At is the index in the item's content where it belongs.
	At   int           `json:"at"`
	Type UserInputType `json:"type"` // localImage, skill or mention
	Path string        `json:"path"`
	// Name is that of a skill or mention.
	Name string `json:"name,omitempty"`
	// Detail is that of a local image.
	Detail string `json:"detail,omitempty"`
	// Number is a local image's place, from 1, among all images of the input.
	Number int `json:"number,omitempty"`
}
