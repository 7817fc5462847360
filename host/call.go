package host

import (
	"bytes"
	"context"
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
// The answer is not checked. The methods that take and give types of package
// abi check theirs.
func (m *Module) Call(ctx context.Context, function string, request []byte) ([]byte, error) {
	var answer []byte
	err := m.call(ctx, function, request, func(text []byte) error {
		answer = bytes.Clone(text)
		return refusal(text)
	})
	return answer, err
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
