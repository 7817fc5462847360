package host

import (
	"fmt"
	"strings"
)

// A ModuleError says that the module itself failed: it trapped, exited, ran out
// of memory, or answered what it should not. The instance was dropped with all
// that was in it, which is nothing that a caller needs: the same call may be made
// again, but one that ran out of memory is going to do so again.
type ModuleError struct {
	// Function is what failed, as the ABI names it ("merge"), or the export
	// that prepares an instance ("_initialize").
	Function string
	// Err is the cause. It is an *abi.Error of kind internal where the module
	// reported its failure itself. Where it only says that the module trapped,
	// Stderr says why.
	Err error
	// Stderr is the end of what the module wrote to standard error during the
	// call, at most 16 KiB: Go's runtime explains a crash there.
	Stderr string
}

// Error returns, in one line, the function and the first lines of the cause and of
// Stderr. After a trap the cause goes on with a trace of the module's functions.
func (e *ModuleError) Error() string {
	text := "host: the module failed in " + e.Function + ": " + firstLine(e.Err.Error())
	if line := firstLine(e.Stderr); line != "" {
		text += "; its standard error: " + line
	}
	return text
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Unwrap returns the cause.
func (e *ModuleError) Unwrap() error { return e.Err }

// recovered turns a panic into an error. It is to be deferred itself.
func recovered(err *error) {
	if reason := recover(); reason != nil {
		*err = fmt.Errorf("host: panic: %v", reason)
	}
}

// stderrLimit is how many bytes of a guest's standard error are kept. Go's
// report of a crash, message first, fits into it.
const stderrLimit = 16 << 10

// A tail is a writer that keeps the last stderrLimit bytes.
type tail struct{ kept []byte }

// Write keeps p, or its end. It never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[max(0, len(p)-stderrLimit):]...)
	if over := len(t.kept) - stderrLimit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// reset forgets what was written.
func (t *tail) reset() { t.kept = t.kept[:0] }

// String returns what was kept, which may begin inside a line.
func (t *tail) String() string { return strings.ToValidUTF8(string(t.kept), "\uFFFD") }
