package model

import (
	"fmt"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
)

// threadState is a state (abi/README.md, "State").
type threadState struct {
	threadID string
	active   *abi.ActiveTurn // nil for none
	store    map[string]abi.Entry
}

func readState(v *value) threadState {
	return threadState{
		threadID: v.find("threadId").text,
		active:   readActiveTurn(v.given("activeTurn")),
		store:    readEntries(v.given("additionalContext")),
	}
}

// readActiveTurn reads an active turn; nil is none.
func readActiveTurn(v *value) *abi.ActiveTurn {
	if v == nil {
		return nil
	}
	return &abi.ActiveTurn{ID: v.find("id").text, Kind: abi.TurnKind(v.find("kind").text)}
}

func (s threadState) write() string {
	active := "null"
	if s.active != nil {
		active = fmt.Sprintf(`{"id":%s,"kind":%s}`, quote(s.active.ID), quote(s.active.Kind))
	}
	return fmt.Sprintf(`{"version":%d,"threadId":%s,"activeTurn":%s,"additionalContext":%s}`,
		stateVersion, quote(s.threadID), active, writeStore(s.store))
}

// TurnStart answers a request to turn_start, as Call does.
func TurnStart(request []byte) ([]byte, error) {
	v, err := read(request)
	if err != nil {
		return nil, err
	}
	if refusal := check(startRequest, v); refusal != nil {
		return refuse(refusal), nil
	}
	if refusal := checkPart(params(startFields, sendsPatch(v)), *v.find("params")); refusal != nil {
		return refuse(refusal), nil
	}

	s := threadState{threadID: v.find("params").find("threadId").text}
	if given := v.given("state"); given != nil {
		s = readState(given)
	}
	if refusal := checkStart(v, s); refusal != nil {
		return refuse(refusal), nil
	}
	steered := s.active != nil
	if !steered {
		s.active = &abi.ActiveTurn{ID: v.find("turnId").text, Kind: abi.RegularTurn}
	}
	return take(v, s, steered), nil
}

// checkStart makes the checks of a start that come after its shape.
func checkStart(request value, s threadState) *abi.Error {
	params, p := request.find("params"), readPolicy(request.given("policy"))
	switch {
	case p.forbidden(*params):
		return experimental("turn/start.additionalContext")
	case params.find("threadId").text != s.threadID:
		return otherThread(params)
	case tooLong(params):
		return inputTooLarge(params)
	case s.active == nil:
		return nil
	case s.active.Kind != abi.RegularTurn:
		return notSteerable(s.active.Kind)
	case len(params.find("input").items) == 0 && !p.goesAlone(params.given("additionalContext")):
		return emptyInput()
	}
	return nil
}

// TurnSteer answers a request to turn_steer, as Call does.
func TurnSteer(request []byte) ([]byte, error) {
	v, err := read(request)
	if err != nil {
		return nil, err
	}
	if refusal := check(steerRequest, v); refusal != nil {
		return refuse(refusal), nil
	}
	if refusal := checkPart(params(steerFields, sendsPatch(v)), *v.find("params")); refusal != nil {
		return refuse(refusal), nil
	}
	s := readState(v.find("state"))
	if refusal := checkSteer(v, s); refusal != nil {
		return refuse(refusal), nil
	}
	return take(v, s, true), nil
}

const noExpectedTurn = "expectedTurnId must not be empty"

// checkSteer makes the checks of a steer that come after its shape.
func checkSteer(request value, s threadState) *abi.Error {
	params, p := request.find("params"), readPolicy(request.given("policy"))
	expected := params.find("expectedTurnId").text
	switch {
	case p.forbidden(*params):
		return experimental("turn/steer.additionalContext")
	case params.find("threadId").text != s.threadID:
		return otherThread(params)
	case expected == "":
		return &abi.Error{Kind: abi.InvalidRequest, Message: noExpectedTurn}
	case tooLong(params):
		return inputTooLarge(params)
	case s.active == nil:
		return &abi.Error{Kind: abi.NoActiveTurn, Message: "no active turn to steer"}
	case s.active.ID != expected:
		return &abi.Error{
			Kind:    abi.TurnMismatch,
			Message: "expected active turn id `" + expected + "` but found `" + s.active.ID + "`",
		}
	case s.active.Kind != abi.RegularTurn:
		return notSteerable(s.active.Kind)
	case len(params.find("input").items) == 0 && !p.goesAlone(params.given("additionalContext")):
		return emptyInput()
	}
	return nil
}

// goesAlone reports whether a steer with that additionalContext, nil for none,
// needs no input (design, "Policy": steerContextOnly).
func (p Policy) goesAlone(context *value) bool {
	return p.SteerContextOnly && context != nil && len(context.members) > 0
}

func otherThread(params *value) *abi.Error {
	return invalid(violation{at: params.find("threadId").start, path: "threadId", reason: "not the state's"})
}

func tooLong(params *value) bool { return chars(params) > abi.MaxTextChars }

// chars counts the Unicode scalars of all text items.
func chars(params *value) int {
	n := 0
	for _, item := range params.find("input").items {
		if item.find("type").text == string(abi.TextInput) {
			n += utf8.RuneCountInString(item.find("text").text)
		}
	}
	return n
}

func inputTooLarge(params *value) *abi.Error {
	return &abi.Error{
		Kind:    abi.InputTooLarge,
		Message: fmt.Sprintf("Input exceeds the maximum length of %d characters.", abi.MaxTextChars),
		Data: fmt.Appendf(nil, `{"input_error_code":"input_too_large","max_chars":%d,"actual_chars":%d}`,
			abi.MaxTextChars, chars(params)),
	}
}

func notSteerable(kind abi.TurnKind) *abi.Error {
	message := fmt.Sprintf("cannot steer a %s turn", kind)
	return &abi.Error{
		Kind:    abi.TurnNotSteerable,
		Message: message,
		Data: fmt.Appendf(nil, `{"message":%s,"codexErrorInfo":{"activeTurnNotSteerable":{"turnKind":%s}},"additionalDetails":null}`,
			quote(message), quote(kind)),
	}
}

func emptyInput() *abi.Error {
	return &abi.Error{Kind: abi.EmptyInput, Message: "input must not be empty"}
}

// take answers an accepted start or steer. The state's active turn is the one
// that the input goes to.
func take(request value, s threadState, steered bool) []byte {
	params, p := request.find("params"), readPolicy(request.given("policy"))
	told := merge(s.store, Update(s.store, readEntries(params.given("additionalContext")), p), p)
	s.store = storeOf(told)
	inputs := append(inputsOf(told), userInputs(params.find("input").items, request.given("promptHook"))...)
	return fmt.Appendf(nil, `{"state":%s,"turn":{"id":%s,"steered":%t},"inputs":%s,"receipts":%s}`,
		s.write(), quote(s.active.ID), steered, list(inputs, writeInput), list(receiptsOf(told), writeReceipt))
}

// userInputs returns the user's message and what the prompt hook, nil for none,
// adds.
func userInputs(items []value, hook *value) []abi.Input {
	if len(items) == 0 {
		return nil
	}
	var inputs []abi.Input
	if hook == nil || !hook.find("blocked").truth {
		inputs = append(inputs, userMessage(items))
	}
	if hook == nil {
		return inputs
	}
	for _, context := range hook.find("contexts").items {
		inputs = append(inputs, abi.Input{
			Source: abi.SourcePromptHook,
			Hidden: true,
			Item:   message("developer", abi.Content{Type: abi.TextContent, Text: context.text}),
		})
	}
	return inputs
}

func message(role string, content ...abi.Content) abi.Item {
	return abi.Item{Type: "message", Role: role, Content: content}
}

// userMessage makes one message of the user's input.
func userMessage(items []value) abi.Input {
	var content []abi.Content
	var unresolved []abi.Unresolved
	images := 0
	for _, item := range items {
		switch kind := abi.UserInputType(item.find("type").text); kind {
		case abi.TextInput:
			content = append(content, abi.Content{Type: abi.TextContent, Text: item.find("text").text})
		case abi.ImageInput:
			images++
			content = append(content, abi.Content{Type: abi.ImageContent, ImageURL: item.find("url").text, Detail: detail(item)})
		case abi.LocalImageInput:
			images++
			unresolved = append(unresolved, abi.Unresolved{
				At: len(content), Type: kind, Path: item.find("path").text, Detail: detail(item), Number: images,
			})
		case abi.SkillInput, abi.MentionInput:
			unresolved = append(unresolved, abi.Unresolved{
				At: len(content), Type: kind, Path: item.find("path").text, Name: item.find("name").text,
			})
		}
	}
	return abi.Input{Source: abi.SourceUser, Item: message("user", content...), Unresolved: unresolved}
}

// detail returns the detail of an image.
func detail(item value) string {
	if d := item.given("detail"); d != nil {
		return d.text
	}
	return "high"
}
