package model

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/turncontext/turncontext/abi"
)

// Call answers a request to the function of that name, one of those below. An
// answer is to the byte what the module answers, but for the message of an error
// where the ABI does not fix it; it is nil for a text of guidance.
//
// The model checks neither size nor depth. It returns an error for a request
// that is not JSON, and does not say what is wrong with it.
func Call(function string, request []byte) ([]byte, error) {
	answer, known := map[string]func([]byte) ([]byte, error){
		abi.FunctionMerge:     Answer,
		abi.FunctionTurnSet:   TurnSet,
		abi.FunctionTurnStart: TurnStart,
		abi.FunctionTurnSteer: TurnSteer,
		abi.FunctionReconcile: Reconcile,
		abi.FunctionClassify:  Classify,
		abi.FunctionGuidance:  Guidance,
	}[function]
	if !known {
		return nil, fmt.Errorf("model: no function %q", function)
	}
	return answer(request)
}

// Answer answers a request to merge, as Call does.
func Answer(request []byte) ([]byte, error) {
	v, err := read(request)
	if err != nil {
		return nil, err
	}
	if refusal := check(mergeRequest, v); refusal != nil {
		return refuse(refusal), nil
	}
	p := readPolicy(v.given("policy"))
	if p.forbidden(v) {
		return refuse(experimental("additionalContext")), nil
	}
	store := readEntries(v.given("store"))
	merged := Merge(store, Update(store, readEntries(v.given("additionalContext")), p), p)
	return fmt.Appendf(nil, `{"store":%s,"inputs":%s,"receipts":%s}`,
		merged.Store, list(merged.Inputs, writeInput), list(merged.Receipts, writeReceipt)), nil
}

// TurnSet answers a request to turn_set, as Call does.
func TurnSet(request []byte) ([]byte, error) {
	v, err := read(request)
	if err != nil {
		return nil, err
	}
	if refusal := check(setRequest, v); refusal != nil {
		return refuse(refusal), nil
	}
	s := readState(v.given("state"))
	condition := v.find("ifTurnId")
	if condition == nil || s.active != nil && s.active.ID == condition.text {
		s.active = readActiveTurn(v.given("activeTurn"))
	}
	return []byte(`{"state":` + s.write() + `}`), nil
}

// Guidance checks a request to guidance. Where nothing is wrong with it the
// answer is nil: the text is the module's own.
func Guidance(request []byte) ([]byte, error) {
	v, err := read(request)
	if err != nil {
		return nil, err
	}
	if refusal := check(objectOf(policyField), v); refusal != nil {
		return refuse(refusal), nil
	}
	return nil, nil
}

// check returns the refusal of a request whose own members are not of that
// shape; nil if they are.
func check(own shape, request value) *abi.Error {
	if request.kind != object {
		return &abi.Error{Kind: abi.InvalidRequest, Message: "the request is not an object"}
	}
	return checkPart(own, request)
}

// checkPart returns the refusal of an object that is not of that shape; nil if
// it is. Paths begin at the object.
func checkPart(s shape, part value) *abi.Error {
	var c checker
	s(&c, "", part)
	v := c.first()
	switch {
	case v == nil:
		return nil
	case v.unsupported:
		return &abi.Error{Kind: abi.Unsupported, Message: v.path + ": " + v.reason}
	}
	return invalid(*v)
}

func invalid(v violation) *abi.Error {
	return &abi.Error{
		Kind:    abi.InvalidParams,
		Message: v.path + ": " + v.reason,
		Data:    fmt.Appendf(nil, `{"path":%s,"offset":%d}`, quote(v.path), v.at),
	}
}

// refuse writes an error. The code goes with the kind.
func refuse(e *abi.Error) []byte {
	code := abi.CodeInvalidRequest
	switch e.Kind {
	case abi.InvalidParams, abi.InputTooLarge, abi.Unsupported:
		code = abi.CodeInvalidParams
	}
	data := ""
	if e.Data != nil {
		data = `,"data":` + string(e.Data)
	}
	return fmt.Appendf(nil, `{"error":{"kind":%s,"code":%d,"message":%s%s}}`, quote(e.Kind), code, quote(e.Message), data)
}

// readEntries reads a map of entries, in which null is one that is removed; nil
// is an empty map.
func readEntries(v *value) map[string]abi.Entry {
	entries := map[string]abi.Entry{}
	if v == nil {
		return entries
	}
	for _, m := range v.members {
		if m.value.kind == null {
			entries[m.name] = abi.Entry{Removed: true}
			continue
		}
		entries[m.name] = abi.Entry{Value: m.value.find("value").text, Kind: abi.Kind(m.value.find("kind").text)}
	}
	return entries
}

// Same reports whether an answer of the module is the one that the model gave:
// to the byte, but for the message of an error where the ABI does not fix it.
func Same(model, module []byte) bool {
	if bytes.Equal(model, module) {
		return true
	}
	want, got := readError(model), readError(module)
	if want == nil || got == nil || got.Message == "" {
		return false
	}
	switch want.Kind {
	case abi.InvalidParams, abi.Unsupported:
	case abi.InvalidRequest:
		if want.Message == noExpectedTurn {
			return false
		}
	default:
		return false
	}
	got.Message = want.Message
	return bytes.Equal(model, refuse(got)) && want.Code == got.Code
}

// readError reads an answer that is nothing but an error; nil if it is not.
func readError(answer []byte) *abi.Error {
	var members map[string]*abi.Error
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&members); err != nil || len(members) != 1 {
		return nil
	}
	return members["error"]
}
