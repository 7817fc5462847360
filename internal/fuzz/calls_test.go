package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build/simd"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/host/extism"
	"github.com/turncontext/turncontext/internal/model"
	"github.com/turncontext/turncontext/internal/random"
	"github.com/turncontext/turncontext/plugin/turn"
)

// A call answers a request to a function.
type call func(function string, request []byte) ([]byte, error)

// native returns the core, in this process.
func native() call {
	var core turn.Core
	return func(function string, request []byte) ([]byte, error) {
		return bytes.Clone(core.Call(function, request)), nil
	}
}

// open opens the module that is built in, once for all tests.
var open = sync.OnceValues(func() (*host.Module, error) {
	return host.Open(context.Background(), host.Options{})
})

// module returns the module. A refusal is an answer.
func module(t testing.TB) call {
	t.Helper()
	m, err := open()
	return calls(t, m, err)
}

// withSIMD returns the module with SIMD instructions.
func withSIMD(t testing.TB) call {
	t.Helper()
	m, err := host.Open(context.Background(), host.Options{Module: simd.Module})
	return calls(t, m, err)
}

// calls returns the calls of a module that was opened.
func calls(t testing.TB, m *host.Module, err error) call {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return func(function string, request []byte) ([]byte, error) {
		answer, err := m.Call(context.Background(), function, request)
		if refused, ok := errors.AsType[*abi.Error](err); ok && refused.Kind != abi.Internal {
			err = nil
		}
		return answer, err
	}
}

// plugin returns the module behind Extism's SDK.
func plugin(t testing.TB) call {
	t.Helper()
	p, err := extism.Open(context.Background(), extism.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p.Call
}

// fuzzCalls runs a fuzz test on requests to every function. It begins with
// random requests, and with the corpus; a seed that is not 0 stands for edits
// that know what JSON is made of.
func fuzzCalls(f *testing.F, holds func(function string, request []byte) error) {
	functions := abi.Functions()
	r := rand.New(rand.NewPCG(9, 1))
	for seed := range uint64(64) {
		function, request := random.Request(r)
		f.Add(uint8(slices.Index(functions, function)), request, seed)
	}
	for index, function := range functions {
		for _, request := range corpus(f, "requests/"+function) {
			f.Add(uint8(index), request, uint64(0))
		}
	}
	f.Fuzz(func(t *testing.T, index uint8, request []byte, seed uint64) {
		function := functions[int(index)%len(functions)]
		if seed != 0 {
			request = mutate(rand.New(rand.NewPCG(seed, 0)), request)
		}
		if err := holds(function, request); err != nil {
			t.Fatalf("%s %q: %v", function, request, err)
		}
	})
}

// FuzzCore asks the core. Whatever the request, the answer is one of the ABI;
// it does not depend on what was asked before; and if the request is JSON, it is
// the plain model's.
func FuzzCore(f *testing.F) {
	warm := native()
	fuzzCalls(f, func(function string, request []byte) error {
		var fresh turn.Core
		answer, err := warm(function, request)
		if err != nil {
			return err
		}
		if first := fresh.Call(function, request); !bytes.Equal(answer, first) {
			return fmt.Errorf("answered %s after other calls, and %s as the first", answer, first)
		}
		refused, err := checkAnswer(answer, len(request))
		if err != nil {
			return fmt.Errorf("answered %s: %w", answer, err)
		}
		if function == abi.FunctionDescribe || refused == abi.InvalidJSON {
			return nil
		}
		want, err := model.Call(function, request)
		if err != nil {
			return fmt.Errorf("answered %s, and to the model it is no JSON: %w", answer, err)
		}
		if guidance := want == nil && refused == ""; !guidance && !model.Same(want, answer) {
			return fmt.Errorf("answered %s, want %s", answer, want)
		}
		return nil
	})
}

// codes are the kinds of error that a request can have, with their codes.
var codes = map[abi.ErrorKind]int{
	abi.InvalidJSON: -32700, abi.InvalidRequest: -32600, abi.ExperimentalAPIRequired: -32600, abi.NoActiveTurn: -32600,
	abi.TurnMismatch: -32600, abi.TurnNotSteerable: -32600, abi.EmptyInput: -32600, abi.InvalidParams: -32602,
	abi.InputTooLarge: -32602, abi.RequestTooLarge: -32602, abi.Unsupported: -32602,
}

// checkAnswer tells what is wrong with an answer to a request of that length,
// and which error it is.
func checkAnswer(answer []byte, length int) (refused abi.ErrorKind, err error) {
	if !jsontext.Value(answer).IsValid() { // a repeated name, too, is wrong
		return "", errors.New("that is not JSON")
	}
	var object struct{ Error *abi.Error }
	if err := json.Unmarshal(answer, &object); err != nil {
		return "", err
	}
	e := object.Error
	if e == nil {
		return "", nil
	}
	if code, known := codes[e.Kind]; !known || code != e.Code || e.Message == "" {
		return "", errors.New("no error of the ABI")
	}
	if e.Kind != abi.InvalidJSON && e.Kind != abi.InvalidParams {
		return e.Kind, nil
	}
	var data struct {
		Path   *string
		Offset *int
	}
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return "", err
	}
	if data.Offset == nil || *data.Offset < 0 || *data.Offset > length || (data.Path != nil) != (e.Kind == abi.InvalidParams) {
		return "", errors.New("no path, or no offset within the request")
	}
	return e.Kind, nil
}

// FuzzModule holds the module to the core that it was made from.
func FuzzModule(f *testing.F) { fuzzBoth(f, native(), module(f)) }

// FuzzSIMD holds the module with SIMD instructions to the one without.
func FuzzSIMD(f *testing.F) { fuzzBoth(f, module(f), withSIMD(f)) }

// FuzzConventions holds one calling convention to the other.
func FuzzConventions(f *testing.F) { fuzzBoth(f, module(f), plugin(f)) }

func fuzzBoth(f *testing.F, one, other call) {
	fuzzCalls(f, func(function string, request []byte) error {
		want, err := one(function, request)
		if err != nil {
			return err
		}
		got, err := other(function, request)
		if err != nil {
			return err
		}
		if function == abi.FunctionDescribe { // the two may be built by different toolchains
			_, err := checkAnswer(got, len(request))
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("one answers %s, the other %s", want, got)
		}
		return nil
	})
}
