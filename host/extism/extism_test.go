package extism

import (
	"bytes"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
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
func open(t *testing.T, module []byte) *Plugin {
	t.Helper()
	plugin, err := Open(t.Context(), module)
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
	plugin, err := Open(t.Context(), []byte("not a module"))
	if err == nil {
		t.Fatal("no error")
	}
	if plugin != nil {
		t.Error("a plugin beside the error")
	}
}

func TestCallReportsFailures(t *testing.T) {
	plugin := open(t, broken)
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

func TestFailedInstanceIsReplaced(t *testing.T) {
	plugin := open(t, broken)
	for range 3 {
		_, err := plugin.Call("count", nil)
		if err == nil || !strings.Contains(err.Error(), "returned 1 ") {
			t.Fatalf("error %v: not the first call of its instance", err)
		}
	}
}

func TestCallAfterFailure(t *testing.T) {
	plugin := open(t, build.Module)
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
	plugin, err := Open(t.Context(), broken)
	if err != nil {
		t.Fatal(err)
	}
	if err := plugin.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := plugin.Call("mute", nil); err == nil {
		t.Error("no error")
	}
}
