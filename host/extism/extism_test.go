package extism

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turncontext/turncontext/abi"
)

// broken is a module that fails in every way that the convention knows, each
// an export () -> i32: trap executes unreachable, count returns how often it
// was called in this instance, mute returns 0 and sets no output.
var broken = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x05\x01\x60\x00\x01\x7f" + // types: () -> i32
	"\x03\x04\x03\x00\x00\x00" + // functions
	"\x06\x06\x01\x7f\x01\x41\x00\x0b" + // globals: a mutable i32, 0
	"\x07\x17\x03\x04trap\x00\x00\x05count\x00\x01\x04mute\x00\x02" + // exports
	"\x0a\x16\x03" + // code
	"\x03\x00\x00\x0b" +
	"\x0b\x00\x23\x00\x41\x01\x6a\x24\x00\x23\x00\x0b" +
	"\x04\x00\x41\x00\x0b")

// open opens a module for the length of a test.
func open(t *testing.T, options Options) *Plugin {
	t.Helper()
	plugin, err := Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plugin.Close(); err != nil {
			t.Error(err)
		}
	})
	return plugin
}

func TestOpenRefusesWhatIsNoModule(t *testing.T) {
	plugin, err := Open(t.Context(), Options{Module: []byte("not a module")})
	if err == nil {
		t.Fatal("no error")
	}
	if plugin != nil {
		t.Error("a plugin beside the error")
	}
}

func TestOpenRefusesOptions(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent.wasm")
	for want, options := range map[string]Options{
		"both Module and Path":      {Module: broken, Path: absent},
		"open " + absent:            {Path: absent},
		"is 4194303 bytes":          {Module: broken, MemoryLimit: minMemoryLimit - 1},
		"is 4294967295 bytes":       {Module: broken, MemoryLimit: 1<<32 - 1},
		"is -1ns, which is below 0": {Module: broken, Timeout: -1},
	} {
		plugin, err := Open(t.Context(), options)
		if plugin != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v, want an error with %q", plugin, err, want)
		}
	}
}

// A module may be a file, bytes, or the one built in: it is the same.
func TestOpenFromAPath(t *testing.T) {
	built := open(t, Options{})
	path := "../../build/turncontext.wasm"
	module, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := built.Call(abi.FunctionDescribe, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range []Options{{Path: path}, {Module: module}} {
		answer, err := open(t, options).Call(abi.FunctionDescribe, nil)
		if err != nil || !bytes.Equal(answer, want) {
			t.Errorf("got %s, %v, want %s", answer, err, want)
		}
	}
}

func TestCallReportsFailures(t *testing.T) {
	plugin := open(t, Options{Module: broken})
	for function, want := range map[string]string{
		"trap":    "unreachable",
		"count":   "returned 1 without an error",
		"mute":    "returned no answer",
		"missing": "unknown function: missing",
	} {
		answer, err := plugin.Call(function, []byte("{}"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", function, err, want)
		}
		if answer != nil {
			t.Errorf("%s: answer %q beside the error", function, answer)
		}
	}
}

// Whatever a module does, the error says so, its instance is dropped, and the
// next call is right.
func TestFaults(t *testing.T) {
	const first, second = "1", "2" // what an instance answers to its calls
	plugin := open(t, Options{Path: "../../testdata/faults/fault.wasm", MemoryLimit: 64 << 20, Timeout: 500 * time.Millisecond})
	count := func(want string) {
		t.Helper()
		answer, err := plugin.Call(abi.FunctionMerge, []byte("c"))
		if err != nil || string(answer) != want {
			t.Errorf("the next call: got %s, %v, want %s", answer, err, want)
		}
	}
	for _, fault := range []struct{ request, want string }{
		{"t", "unreachable"},
		{"e", "returned no answer, or exited with code 0"},
		{"E", "exit_code(3)"},
		{"m", "unreachable"},
		{"l", "deadline exceeded"},
		{"r", "stack overflow"},
		{"f", "broken"},
		{"n", "returned no answer"},
	} {
		count(first)
		count(second)
		answer, err := plugin.Call(abi.FunctionMerge, []byte(fault.request))
		if err == nil || !strings.HasPrefix(err.Error(), "extism: merge: ") || !strings.Contains(err.Error(), fault.want) {
			t.Errorf("%s: got %v, want an error with %q", fault.request, err, fault.want)
		}
		if answer != nil {
			t.Errorf("%s: answer %q beside the error", fault.request, answer)
		}
		count(first)
		count(second)
		if err := plugin.drop(); err != nil {
			t.Fatal(err)
		}
	}
	// These are answers; whether one is right the caller sees.
	for request, want := range map[string]string{
		"j": `{"store":`, `{"x":"\u0000é"}`: `{"x":"\u0000é"}`,
		"o": `{"error":{"kind":"invalid_request","code":-32600,"message":"refused"}}`,
	} {
		answer, err := plugin.Call(abi.FunctionMerge, []byte(request))
		if err != nil || string(answer) != want {
			t.Errorf("%s: got %q, %v, want %q", request, answer, err, want)
		}
	}
}

// A limit is kept, whether the guest's memory or Extism's would exceed it.
func TestMemoryLimit(t *testing.T) {
	const limit = 12 << 20
	plugin := open(t, Options{MemoryLimit: limit})
	entry := func(size int) []byte {
		return []byte(`{"additionalContext":{"k":{"value":"` + strings.Repeat("x", size) + `","kind":"untrusted"}}}`)
	}
	failed := 0
	for size := limit / 16; size <= limit+limit/16; size += limit / 16 {
		answer, err := plugin.Call(abi.FunctionMerge, entry(size))
		if err != nil {
			failed++
		} else if len(answer) < size || !strings.HasPrefix(string(answer), `{"store":{"k":`) {
			t.Errorf("%d bytes: answer %.100s", size, answer)
		}
		answer, err = plugin.Call(abi.FunctionMerge, entry(100))
		if err != nil || !strings.HasPrefix(string(answer), `{"store":{"k":`) {
			t.Errorf("the call after %d bytes: answer %.100s, %v", size, answer, err)
		}
	}
	t.Logf("%d failed", failed)
	if failed == 0 || failed == 17 {
		t.Errorf("%d of 17 calls failed", failed)
	}
}

// Goroutines that share a plugin get the answers that one gets.
func TestConcurrentCalls(t *testing.T) {
	const goroutines, calls = 8, 50
	plugin := open(t, Options{})
	requests := mixedRequests()
	want := make([][]byte, len(requests))
	for i, request := range requests {
		var err error
		if want[i], err = plugin.Call(abi.FunctionMerge, request); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for i := range calls {
				n := (g + i) % len(requests)
				answer, err := plugin.Call(abi.FunctionMerge, requests[n])
				if err != nil || !bytes.Equal(answer, want[n]) {
					t.Errorf("request %d: got %.200s, %v", n, answer, err)
				}
				if i%10 == 9 {
					if _, err := plugin.Call("missing", nil); err == nil {
						t.Error("no error for a function that does not exist")
					}
				}
			}
		})
	}
	all.Wait()
}

func TestFailedInstanceIsReplaced(t *testing.T) {
	plugin := open(t, Options{Module: broken})
	for range 3 {
		_, err := plugin.Call("count", nil)
		if err == nil || !strings.Contains(err.Error(), "returned 1 ") {
			t.Fatalf("error %v: not the first call of its instance", err)
		}
	}
}

func TestCallAfterFailure(t *testing.T) {
	plugin := open(t, Options{})
	before, err := plugin.Call(abi.FunctionDescribe, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plugin.Call("missing", nil); err == nil {
		t.Fatal("no error for a function that does not exist")
	}
	after, err := plugin.Call(abi.FunctionDescribe, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Errorf("answer %s, before the failure %s", after, before)
	}
}

func TestCallAfterClose(t *testing.T) {
	plugin, err := Open(t.Context(), Options{Module: broken})
	if err != nil {
		t.Fatal(err)
	}
	if err := plugin.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := plugin.Call("mute", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	if err := plugin.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}
