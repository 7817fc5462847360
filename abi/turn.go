//go:build !guest

package abi

import (
	"encoding/json"
	"fmt"
)

// State is what a host keeps for a thread, as JSON. A host keeps it as it is and
// hands it back; what else it may do with it says README.md, "State". In another
// member order, or with other white space or escapes, it is the same state.
type State = json.RawMessage

// ActiveTurn is the turn that a thread is in.
type ActiveTurn struct {
	ID   string   `json:"id"`
	Kind TurnKind `json:"kind"`
}

// UserInputType tells the variants of UserInput apart.
type UserInputType string

// The variants of UserInput.
const (
	TextInput       UserInputType = "text"
	ImageInput      UserInputType = "image"
	LocalImageInput UserInputType = "localImage"
	SkillInput      UserInputType = "skill"
	MentionInput    UserInputType = "mention"
)

// UserInput is one piece of what a user sent. Which fields count depends on
// Type.
type UserInput struct {
	Type UserInputType
	Text string // of a text
	URL  string // of an image
	Path string // of a localImage, a skill or a mention
	Name string // of a skill or a mention
	// Detail is "high" or "original", of an image or a localImage; empty is the
	// default, "high".
	Detail string
}

// MarshalJSON writes the members that go with the type.
func (u UserInput) MarshalJSON() ([]byte, error) {
	members := struct {
		Type   UserInputType `json:"type"`
		Text   *string       `json:"text,omitempty"`
		URL    *string       `json:"url,omitempty"`
		Name   *string       `json:"name,omitempty"`
		Path   *string       `json:"path,omitempty"`
		Detail string        `json:"detail,omitempty"`
	}{Type: u.Type}
	switch u.Type {
	case TextInput:
		members.Text = &u.Text
	case ImageInput:
		members.URL, members.Detail = &u.URL, u.Detail
	case LocalImageInput:
		members.Path, members.Detail = &u.Path, u.Detail
	case SkillInput, MentionInput:
		members.Name, members.Path = &u.Name, &u.Path
	default:
		return nil, fmt.Errorf("turncontext: user input of unknown type %q", u.Type)
	}
	return json.Marshal(members)
}

// TurnStartParams are the params of turn/start, those members that turncontext
// reads.
type TurnStartParams struct {
	ThreadID string      `json:"threadId"`
	Input    []UserInput `json:"input"`
	// AdditionalContext is what the client sends, as in a MergeRequest: the
	// complete current set, with every call. What it leaves out is removed.
	AdditionalContext map[string]Entry `json:"additionalContext,omitzero"`
	// Raw, unless nil, is the params as the client sent them. They go to the
	// module as they are, whole, and no other field counts.
	Raw json.RawMessage `json:"-"`
}

// MarshalJSON writes Raw, or else the other fields.
func (p TurnStartParams) MarshalJSON() ([]byte, error) {
	if p.Raw != nil {
		return p.Raw, nil
	}
	type fields TurnStartParams // without this method
	p.Input = notNil(p.Input)
	return json.Marshal(fields(p))
}

// TurnSteerParams are the params of turn/steer.
type TurnSteerParams struct {
	ThreadID string `json:"threadId"`
	// ExpectedTurnID is the turn that the client takes for the active one.
	ExpectedTurnID string      `json:"expectedTurnId"`
	Input          []UserInput `json:"input"`
	// AdditionalContext is what the client sends, as in a MergeRequest: the
	// complete current set, with every call. What it leaves out is removed.
	AdditionalContext map[string]Entry `json:"additionalContext,omitzero"`
	// Raw, unless nil, is the params as the client sent them. They go to the
	// module as they are, whole, and no other field counts.
	Raw json.RawMessage `json:"-"`
}

// MarshalJSON writes Raw, or else the other fields.
func (p TurnSteerParams) MarshalJSON() ([]byte, error) {
	if p.Raw != nil {
		return p.Raw, nil
	}
	type fields TurnSteerParams // without this method
	p.Input = notNil(p.Input)
	return json.Marshal(fields(p))
}

// PromptHook tells what a host's hook decided about the user's prompt.
type PromptHook struct {
	// Blocked leaves the user's input out.
	Blocked bool `json:"blocked"`
	// Contexts are given to the model as developer messages.
	Contexts []string `json:"contexts"`
}

// MarshalJSON writes both members, no contexts as an empty list.
func (h PromptHook) MarshalJSON() ([]byte, error) {
	type fields PromptHook // without this method
	h.Contexts = notNil(h.Contexts)
	return json.Marshal(fields(h))
}

// notNil makes an empty list of nil, which JSON would show as null.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// TurnStartRequest asks turn_start to start a turn, or to steer the active one.
type TurnStartRequest struct {
	// State is the thread's. Nil for a thread that has none yet, which then gets
	// the params' id.
	State State `json:"state,omitempty"`
	// TurnID is the id that a new turn gets. It must not be empty, unless a turn
	// is active, which is then steered.
	TurnID string          `json:"turnId"`
	Params TurnStartParams `json:"params"`
	// PromptHook is nil where no hook looked at the user's prompt.
	PromptHook *PromptHook `json:"promptHook,omitempty"`
	// Policy is nil for the default.
	Policy *Policy `json:"policy,omitempty"`
}

// TurnSteerRequest asks turn_steer to add to the active turn.
type TurnSteerRequest struct {
	State  State           `json:"state,omitempty"` // the thread's, required
	Params TurnSteerParams `json:"params"`
	// PromptHook is nil where no hook looked at the user's prompt.
	PromptHook *PromptHook `json:"promptHook,omitempty"`
	// Policy is nil for the default.
	Policy *Policy `json:"policy,omitempty"`
}

// TurnSetRequest tells turn_set that a turn began which the client did not
// start, or that the turn ended.
type TurnSetRequest struct {
	State State `json:"state,omitempty"` // the thread's, required
	// ActiveTurn is the turn that began; nil says that none is active.
	ActiveTurn *ActiveTurn `json:"activeTurn"`
	// IfTurnID, unless nil, leaves the state as it is where another turn is
	// active, or none.
	IfTurnID *string `json:"ifTurnId,omitempty"`
}

// Turn is the turn that an input went to.
type Turn struct {
	ID string `json:"id"`
	// Steered is true if the turn was active already.
	Steered bool `json:"steered"`
}

// TurnResponse is the answer of turn_start and turn_steer.
type TurnResponse struct {
	// State is to be saved once Inputs stand in the history.
	State State `json:"state"`
	Turn  Turn  `json:"turn"`
	// Inputs are the messages for the model, in order: hidden context, the
	// user's, and what the prompt hook adds.
	Inputs   []Input   `json:"inputs"`
	Receipts []Receipt `json:"receipts"`
}

// TurnSetResponse is the answer of turn_set.
type TurnSetResponse struct {
	State State `json:"state"`
}

// TurnNotSteerableData is the data of a turn_not_steerable error.
type TurnNotSteerableData struct {
	Message        string `json:"message"`
	CodexErrorInfo struct {
		ActiveTurnNotSteerable struct {
			TurnKind TurnKind `json:"turnKind"`
		} `json:"activeTurnNotSteerable"`
	} `json:"codexErrorInfo"`
	AdditionalDetails *string `json:"additionalDetails"`
}

// InputTooLargeData is the data of an input_too_large error.
type InputTooLargeData struct {
	InputErrorCode ErrorKind `json:"input_error_code"`
	MaxChars       int       `json:"max_chars"`
	ActualChars    int       `json:"actual_chars"`
}
