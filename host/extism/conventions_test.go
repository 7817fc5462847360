package extism

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/internal/conform"
)

// both opens the module twice, and returns a call that sends each request
// through both conventions. Its answer is the Extism convention's; that the
// other gives other bytes is its error.
func both(t *testing.T) conform.Call {
	t.Helper()
	plugin := open(t, Options{})
	module, err := host.Open(t.Context(), host.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := module.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})

	return func(function string, request []byte) ([]byte, error) {
		direct, err := module.Call(t.Context(), function, request)
		var refused *abi.Error
		if err != nil && !errors.As(err, &refused) {
			return nil, fmt.Errorf("direct: %w", err)
		}
		answer, err := plugin.Call(function, request)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(answer, direct) {
			return nil, fmt.Errorf("Extism answers %.200q, direct %.200q", answer, direct)
		}
		return answer, nil
	}
}

func TestVectorsThroughBothConventions(t *testing.T) {
	files, err := conform.Load("../../testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	result := conform.Run(files, both(t))
	for _, n := range result.NotRun {
		t.Logf("not run: %s: %s (vectors: %d)", n.File, n.Reason, n.Vectors)
	}
	if !result.OK() {
		t.Error(result)
	}
	if err := result.Record("go-extism"); err != nil {
		t.Error(err)
	}
}

// TestLargestRequest goes to the limit of a request, and past it.
func TestLargestRequest(t *testing.T) {
	call := both(t)
	const head, tail = `{"additionalContext":{"log":{"value":"`, `","kind":"untrusted"}}}`
	largest := []byte(head + strings.Repeat("x", abi.MaxRequestBytes-len(head)-len(tail)) + tail)
	for _, test := range []struct {
		name    string
		request []byte
		prefix  string
	}{
		{"at the limit", largest, `{"store":{"log":`},
		{"at the limit, not JSON", largest[:len(largest)-1], `{"error":{"kind":"invalid_json"`},
		{"past the limit", append(bytes.Clone(largest), ' '), `{"error":{"kind":"request_too_large"`},
		{"small again", []byte(head + tail), `{"store":{"log":`},
	} {
		answer, err := call(abi.FunctionMerge, test.request)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if !bytes.HasPrefix(answer, []byte(test.prefix)) {
			t.Errorf("%s: answer %.200s, want %s…", test.name, answer, test.prefix)
		}
	}
}

// TestCallsLeaveNothing makes thousands of calls, refused ones among them.
// Extism's kernel must not grow after the largest call, and the guest only by
// what its collector lets lie: that starts at a heap of 4 MiB.
func TestCallsLeaveNothing(t *testing.T) {
	const rounds, allowed = 2000, 8 << 20
	var memories memoryCount
	ctx := experimental.WithMemoryAllocator(t.Context(), &memories)
	plugin, err := Open(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}

	requests := mixedRequests()
	sent := 0
	callAll := func() {
		for _, request := range requests {
			if _, err := plugin.Call(abi.FunctionMerge, request); err != nil {
				t.Fatal(err)
			}
			sent += len(request)
		}
	}
	callAll()
	before, kernel := memories.bytes, plugin.instance.Memory().Size()
	for range rounds {
		callAll()
	}
	if before == 0 || memories.bytes > before+allowed {
		t.Errorf("memory went from %d to %d bytes", before, memories.bytes)
	}
	if sent < 8*allowed {
		t.Errorf("only %d bytes were sent, too few to see what they leave", sent)
	}
	if got := plugin.instance.Memory().Size(); got != kernel {
		t.Errorf("the kernel's memory went from %d to %d bytes", kernel, got)
	}

	if err := plugin.Close(); err != nil {
		t.Fatal(err)
	}
	if memories.bytes != 0 {
		t.Errorf("%d bytes are left after Close", memories.bytes)
	}
}

// mixedRequests returns requests of several sizes: accepted, with a store, cut,
// and refused.
func mixedRequests() [][]byte {
	entry := func(size int) string {
		return fmt.Sprintf(`{"page":{"value":%q,"kind":"untrusted"}}`, strings.Repeat("a word ", size/7))
	}
	return [][]byte{
		[]byte(`{}`),
		[]byte(`{"additionalContext":` + entry(200) + `}`),
		[]byte(`{"store":` + entry(3_000) + `,"additionalContext":` + entry(2_000) + `}`),
		[]byte(`{"additionalContext":` + entry(30_000) + `}`),
		[]byte(`{"additionalContext":{"page":{"value":"","kind":"other"}}}`),
		[]byte(`not JSON`),
	}
}

// A memoryCount counts the bytes of the linear memories that are in use.
type memoryCount struct{ bytes int }

// Allocate implements experimental.MemoryAllocator.
func (c *memoryCount) Allocate(capacity, _ uint64) experimental.LinearMemory {
	return &countedMemory{count: c, memory: make([]byte, 0, capacity)}
}

// A countedMemory is one linear memory.
type countedMemory struct {
	count  *memoryCount
	memory []byte
}

// Reallocate implements experimental.LinearMemory.
func (m *countedMemory) Reallocate(size uint64) []byte {
	m.count.bytes += int(size) - len(m.memory)
	m.memory = append(m.memory, make([]byte, int(size)-len(m.memory))...)
	return m.memory
}

// Free implements experimental.LinearMemory.
func (m *countedMemory) Free() {
	m.count.bytes -= len(m.memory)
	m.memory = nil
}
