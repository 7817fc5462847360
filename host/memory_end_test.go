package host

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A text that is resolved or written ends where the memory ends, if its length is such
// that its room does: nothing behind it is looked at. Each call is the first one of an
// instance, so that its memory grows for that room.
func TestTextAtTheEndOfMemory(t *testing.T) {
	const escape = `\u0041`
	requests := []struct{ function, before, after string }{
		{"merge", `{"policy":{"preset":"`, `"}}`},
		{"merge", `{"policy":{"keys":{"`, `":{"priority":"high"}}}}`},
		{"turn_steer", `{"state":{"version":1,"threadId":"t","activeTurn":{"id":"turn","kind":"regular"}},"params":{"threadId":"t","expectedTurnId":"`, `","input":[]}}`},
		{"classify", `{"items":[{"role":"user","content":"<external_`, `"}]}`},
		{"turn_set", `{"state":{"version":1,"threadId":"t","additionalContext":{"a":{"value":"`, `","kind":"untrusted"}}},"activeTurn":null}`},
		{"reconcile", `{"state":{"version":1,"threadId":"t"},"history":[{"role":"user","content":"<external_`, `"}]}`},
	}
	// What stands before the text in its room.
	offsets := []int{0, len(`<external_`), len(`{"state":{"version":1,"threadId":"t","activeTurn":null,"additionalContext":{"a":{"value":"`)}
	const step = 8 << 10 // the unit of large objects of Go's heap
	m := open(t, Options{Instances: 1})
	for _, r := range requests {
		for n := step; n <= 64*step; n += step {
			if testing.Short() && n/step%4 != 3 {
				continue
			}
			for _, offset := range offsets {
				text := r.before + strings.Repeat("x", n-offset-len(escape)) + escape + r.after
				_, err := m.Call(context.Background(), r.function, []byte(strings.Repeat(" ", step)+text))
				var trap *ModuleError
				if errors.As(err, &trap) {
					t.Errorf("%s of %d bytes: %v", r.function, len(text), err)
				}
				if in := m.pool.popIdle(); in != nil {
					in.drop()
				}
			}
		}
	}
}
