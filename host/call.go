package host

import (
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
// *[ModuleError], [ErrClosed], wraps the error of the context, or says that
// there is no such function.
//
// The answer is not checked. The methods that take and give types of package
// abi check theirs.
func (m *Module) Call(ctx context.Context, function string, request []byte) ([]byte, error) {
	return m.AppendCall(ctx, nil, function, request)
}

// AppendCall is like Call, but appends the answer to dst and returns the
// extended buffer: where that has room, a call allocates nothing. The error object
// of a refusal is an answer too; without any it returns dst as it was. The request
// may lie in dst.
func (m *Module) AppendCall(ctx context.Context, dst []byte, function string, request []byte) ([]byte, error) {
	write := func([]byte) ([]byte, error) { return request, nil } // it is written already
	err := m.exchange(ctx, function, write, func(answer, _ []byte) error {
		dst = append(dst, answer...)
		return refusal(answer)
	})
	return dst, err
}

// exchange runs one call on an instance of the pool, as instance.exchange does.
// While write and read run, the instance is held, so they may look at what they
// get where it lies, but must not keep it.
func (m *Module) exchange(ctx context.Context, function string, write func(buffer []byte) ([]byte, error), read func(answer, sent []byte) error) error {
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
	err = in.exchange(ctx, function, write, read)
	if !in.reusable(ctx, err) {
		in.drop()
		in = nil
	}
	m.pool.give(in)
	return err
}
