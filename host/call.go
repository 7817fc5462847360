package host

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// Call sends a request to one of the module's functions ([abi.Functions]) and
// returns the answer; both are JSON in UTF-8, as the ABI specifies them, and
// neither is kept. A request that the module refuses is an *[abi.Error], and
// the answer is the error object that it was read from. Any other error is a
// *[ModuleError], [ErrClosed], or wraps the error of the context.
//
// The answer is not checked. Merge and Describe check theirs.
func (m *Module) Call(ctx context.Context, function string, request []byte) ([]byte, error) {
	var answer []byte
	err := m.call(ctx, function, request, func(text []byte) error {
		answer = bytes.Clone(text)
		return refusal(text)
	})
	return answer, err
}

// Describe asks the module what it is and what its limits are. Errors are those
// of Call.
func (m *Module) Describe(ctx context.Context) (*abi.Description, error) {
	description := new(abi.Description)
	err := m.call(ctx, abi.FunctionDescribe, nil, func(answer []byte) error {
		if err := refusal(answer); err != nil {
			return err
		}
		return readDescription(answer, description)
	})
	if err != nil {
		return nil, err
	}
	return description, nil
}

// readDescription decodes an answer of describe.
func readDescription(answer []byte, description *abi.Description) error {
	if err := json.Unmarshal(answer, description); err != nil {
		return fmt.Errorf("malformed answer: %w", err)
	}
	if got, want := description.ABI, (abi.ABIDescription{Name: abi.Name, Version: abi.Version}); got != want {
		return fmt.Errorf("malformed answer: it speaks of the ABI as %+v, not as %+v", got, want)
	}
	return nil
}

// call runs one call on an instance of the pool. While read runs, the instance
// is held, so read may look at the answer where it lies, but must not keep it.
func (m *Module) call(ctx context.Context, function string, request []byte, read func(answer []byte) error) error {
	if functions := abi.Functions(); !slices.Contains(functions, function) {
		return fmt.Errorf("host: there is no function %q; there are %s", function, strings.Join(functions, ", "))
	}
	in, err := m.pool.take(ctx)
	if err != nil {
		return err
	}
	if !m.interrupt {
		ctx = context.Background() // from here on nothing would look at it
	}
	if in == nil {
		if in, err = m.instantiate(ctx); err != nil {
			m.pool.give(nil)
			return err
		}
	}
	err = in.call(ctx, function, request, read)
	if !in.reusable(ctx, err) {
		in.drop()
		in = nil
	}
	m.pool.give(in)
	return err
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
