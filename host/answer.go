package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turncontext/turncontext/abi"
)

// This file reads answers. Their members have a fixed order, so they are cut
// apart by their names; what the host only keeps is not looked into.

// ask makes a call, with the request that write writes, and reads its answer
// into a new response.
func ask[T any](
	ctx context.Context, m *Module, function string,
	write func(buffer []byte) ([]byte, error), read func(answer, sent []byte, response *T) error,
) (*T, error) {
	response := new(T)
	if err := askInto(ctx, m, function, write, read, response); err != nil {
		return nil, err
	}
	return response, nil
}

// askInto is ask with a response to read into, which keeps nothing of the
// answer. An error of read tells that the answer is malformed.
func askInto[T any](
	ctx context.Context, m *Module, function string,
	write func(buffer []byte) ([]byte, error), read func(answer, sent []byte, response *T) error, response *T,
) error {
	return m.exchange(ctx, function, write, func(answer, sent []byte) error {
		if err := refusal(answer); err != nil {
			return err
		}
		if err := read(answer, sent, response); err != nil {
			return fmt.Errorf("malformed answer: %w", err)
		}
		return nil
	})
}

// errorPrefix begins every error object, and no other answer: members come in
// the order of the ABI.
var errorPrefix = []byte(`{"error":`)

// refusal returns the *abi.Error that an answer is, or nil. Another error tells
// that the answer is malformed.
func refusal(answer []byte) error {
	if !bytes.HasPrefix(answer, errorPrefix) {
		return nil
	}
	var object struct{ Error *abi.Error }
	if err := json.Unmarshal(answer, &object); err != nil {
		return fmt.Errorf("malformed error object: %w", err)
	}
	if object.Error == nil || object.Error.Kind == "" {
		return fmt.Errorf("malformed error object: %.200q", answer)
	}
	return object.Error
}

// readDescription reads an answer of describe.
func readDescription(answer, _ []byte, description *abi.Description) error {
	if err := json.Unmarshal(answer, description); err != nil {
		return err
	}
	if got, want := description.ABI, (abi.ABIDescription{Name: abi.Name, Version: abi.Version}); got != want {
		return fmt.Errorf("it speaks of the ABI as %+v, not as %+v", got, want)
	}
	return nil
}

// readMerge reads an answer of merge. Most often the new store is what was sent,
// as it was sent.
func readMerge(answer []byte, likely forecast, response *abi.MergeResponse) error {
	store, rest, err := cutTypedBy(answer, `{"store":`, '{', func(text []byte) (int, bool) {
		return knownEnd(text, bytes.TrimPrefix(likely.context, []byte(contextName)))
	})
	if err != nil {
		return err
	}
	r := newReader(rest)
	response.Store, r.strings = keep(store, rest)
	r.told(likely, &response.Inputs, &response.Receipts)
	if r.done() {
		return nil
	}
	return readAnyTold(rest, &response.Inputs, &response.Receipts)
}

// readTurn reads an answer of turn_start or turn_steer. Most often the context
// of the new state is what was sent, as it was sent.
func readTurn(answer []byte, likely forecast, response *abi.TurnResponse) error {
	state, rest, err := cutTypedBy(answer, `{"state":`, '{', func(text []byte) (int, bool) {
		return stateEnd(text, likely.context)
	})
	if err != nil {
		return err
	}
	r := newReader(rest)
	response.State, r.strings = keep(state, rest)
	r.want(`,"turn":`)
	response.Turn = r.turn()
	r.told(likely, &response.Inputs, &response.Receipts)
	if r.done() {
		return nil
	}
	return readAnyTurn(rest, response)
}

// shared is how many bytes of an answer may be kept by whoever keeps one of them.
const shared = 8 << 10

// keep returns a copy of a store or state, and room for the strings in the rest of
// the answer: in one piece of memory if that is little, otherwise no room.
func keep(stored, rest []byte) (kept, strings []byte) {
	if len(stored)+len(rest) > shared {
		return bytes.Clone(stored), nil
	}
	all := make([]byte, len(stored)+len(rest))
	n := copy(all, stored)
	return all[:n:n], all[n:]
}

// readAnyTurn reads what follows the state, in any JSON of the members that it
// wants.
func readAnyTurn(rest []byte, response *abi.TurnResponse) error {
	turn, rest, err := cutTyped(rest, `,"turn":`, '{')
	if err != nil {
		return err
	}
	response.Turn = abi.Turn{}
	if err := json.Unmarshal(turn, &response.Turn); err != nil {
		return fmt.Errorf("turn: %w", err)
	}
	return readAnyTold(rest, &response.Inputs, &response.Receipts)
}

// readSet reads an answer of turn_set.
func readSet(answer, _ []byte, response *abi.TurnSetResponse) error {
	state, rest, err := cutTyped(answer, `{"state":`, '{')
	if err != nil {
		return err
	}
	response.State = bytes.Clone(state)
	return checkEnd(rest)
}

// readReconcile reads an answer of reconcile: with a state, if one was given,
// or with a store.
func readReconcile(answer, _ []byte, response *abi.ReconcileResponse) error {
	name, to := `{"store":`, &response.Store
	if bytes.HasPrefix(answer, []byte(`{"state":`)) {
		name, to = `{"state":`, &response.State
	}
	kept, rest, err := cutTyped(answer, name, '{')
	if err != nil {
		return err
	}
	*to = bytes.Clone(kept)
	return readTold(rest, forecast{}, &response.Inputs, &response.Receipts)
}

// readClassify reads an answer of classify.
func readClassify(answer, _ []byte, response *abi.ClassifyResponse) error {
	items, rest, err := cutTyped(answer, `{"items":`, '[')
	if err != nil {
		return err
	}
	if err := json.Unmarshal(items, &response.Items); err != nil {
		return fmt.Errorf("items: %w", err)
	}
	return checkEnd(rest)
}

// readGuidance reads an answer of guidance.
func readGuidance(answer, _ []byte, response *abi.GuidanceResponse) error {
	text, rest, err := cutTyped(answer, `{"text":`, '"')
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &response.Text); err != nil {
		return fmt.Errorf("text: %w", err)
	}
	return checkEnd(rest)
}

// readTold reads the end of an answer: what the model is told, and the
// receipts.
func readTold(text []byte, likely forecast, inputs *[]abi.Input, receipts *[]abi.Receipt) error {
	r := newReader(text)
	r.told(likely, inputs, receipts)
	if r.done() {
		return nil
	}
	return readAnyTold(text, inputs, receipts)
}

// readAnyTold is readTold for any JSON of the members that it wants.
func readAnyTold(text []byte, inputs *[]abi.Input, receipts *[]abi.Receipt) error {
	told, rest, err := cutTyped(text, `,"inputs":`, '[')
	if err != nil {
		return err
	}
	happened, rest, err := cutTyped(rest, `,"receipts":`, '[')
	if err != nil {
		return err
	}
	*inputs, *receipts = nil, nil // what was read of them
	if err := json.Unmarshal(told, inputs); err != nil {
		return fmt.Errorf("inputs: %w", err)
	}
	if err := json.Unmarshal(happened, receipts); err != nil {
		return fmt.Errorf("receipts: %w", err)
	}
	return checkEnd(rest)
}

// cutTyped cuts off a member whose value begins with that bracket or quote.
func cutTyped(text []byte, name string, opening byte) (value, rest []byte, err error) {
	return cutTypedBy(text, name, opening, valueEnd)
}

// cutTypedBy is cutTyped with another way to find the end of the value.
func cutTypedBy(text []byte, name string, opening byte, valueEnd func(text []byte) (end int, whole bool)) (value, rest []byte, err error) {
	value, rest, ok := cutMemberBy(text, name, valueEnd)
	if !ok {
		return nil, nil, fmt.Errorf("there is no %s where it belongs", name)
	}
	if value[0] != opening {
		return nil, nil, fmt.Errorf("the value of %s has the wrong type", name)
	}
	return value, rest, nil
}

// checkEnd tells whether an answer ends after its last member.
func checkEnd(rest []byte) error {
	if string(rest) != "}" {
		return errors.New("it does not end after its last member")
	}
	return nil
}
