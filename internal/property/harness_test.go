package property

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/plugin/turn"
)

// cases is how often a property is tried on the core. On the module it is a
// quarter as often.
func cases(t *testing.T) int {
	t.Helper()
	n := os.Getenv("TURNCONTEXT_CASES")
	if n == "" {
		return 1000
	}
	cases, err := strconv.Atoi(n)
	if err != nil || cases < 1 {
		t.Fatalf("TURNCONTEXT_CASES is %q, which is no number of cases", n)
	}
	return cases
}

// ask answers a request to a function. The answer is the caller's.
type ask func(function string, request []byte) []byte

// property tries one case, chosen by the numbers, and tells what is not so.
type property func(r *rand.Rand, call ask) error

// core returns the core, natively.
func core() ask {
	var c turn.Core
	return func(function string, request []byte) []byte {
		return bytes.Clone(c.Call(function, request))
	}
}

// open opens the module that is built in, once for all tests.
var open = sync.OnceValues(func() (*host.Module, error) {
	return host.Open(context.Background(), host.Options{})
})

// module returns the module.
func module(t *testing.T) ask {
	t.Helper()
	m, err := open()
	if err != nil {
		t.Fatal(err)
	}
	return func(function string, request []byte) []byte {
		answer, err := m.Call(t.Context(), function, request)
		if _, refused := errors.AsType[*abi.Error](err); err != nil && !refused {
			t.Fatalf("%s %s: %v", function, request, err)
		}
		return answer
	}
}

// hold tries a property on the core and on the module.
func hold(t *testing.T, p property) {
	t.Run("core", func(t *testing.T) { try(t, p, core(), cases(t)) })
	t.Run("module", func(t *testing.T) { try(t, p, module(t), max(1, cases(t)/4)) })
}

func try(t *testing.T, p property, call ask, n int) {
	t.Helper()
	for i := range n {
		r := rand.New(rand.NewPCG(6, uint64(i)))
		if err := p(r, call); err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
	}
	t.Logf("%d cases", n)
}

// fuzz tries a property on the core, with the input's choices.
func fuzz(f *testing.F, p property) {
	call := core()
	for seed := range uint64(8) {
		choices := rand.New(rand.NewPCG(7, seed))
		var input []byte
		for range 64 {
			input = binary.LittleEndian.AppendUint64(input, choices.Uint64())
		}
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := p(rand.New(&choices{input: input, rest: rand.NewPCG(8, 9)}), call); err != nil {
			t.Fatal(err)
		}
	})
}

// choices are the numbers in an input, and then any.
type choices struct {
	input []byte
	rest  rand.Source
}

func (c *choices) Uint64() uint64 {
	if len(c.input) < 8 {
		return c.rest.Uint64()
	}
	n := binary.LittleEndian.Uint64(c.input)
	c.input = c.input[8:]
	return n
}

// answer has what any function answers.
type answer struct {
	State    json.RawMessage
	Store    json.RawMessage
	Inputs   []input
	Receipts []abi.Receipt
	Items    []abi.Classified
	Error    *abi.Error
}

// input is an abi.Input, with its item as it stands.
type input struct {
	Key  *string
	Kind abi.Kind
	Item json.RawMessage
}

// text returns an item's only text.
func (in input) text() string {
	var item struct{ Content []abi.Content }
	if err := json.Unmarshal(in.Item, &item); err != nil || len(item.Content) != 1 {
		panic(fmt.Sprintf("an item without one text: %s", in.Item))
	}
	return item.Content[0].Text
}

// members are those of a request; nil is left out.
type members map[string]any

func (m members) text() []byte {
	for name, value := range m {
		if value == nil {
			delete(m, name)
		}
	}
	return encode(m)
}

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// say asks, and reads an answer that has to be no error.
func say(call ask, function string, request members) (answer, error) {
	text := request.text()
	said := call(function, text)
	var a answer
	if err := json.Unmarshal(said, &a); err != nil {
		return a, fmt.Errorf("%s %s: %w: %s", function, text, err, said)
	}
	if a.Error != nil {
		return a, fmt.Errorf("%s %s: %w", function, text, a.Error)
	}
	return a, nil
}
