package turn

import (
	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
)

// promptHook is what a host's hook decided about the user's prompt.
type promptHook struct {
	blocked  bool
	contexts []json.String
}

func (h *promptHook) reset() { h.blocked, h.contexts = false, h.contexts[:0] }

var hookFields = []string{"blocked", "contexts"}

const (
	hookBlocked = iota
	hookContexts
)

// read reads the next value as a prompt hook; null is none.
func (h *promptHook) read(r *json.Reader) {
	var f json.Fields
	if r.Null() || !r.Fields(&f, &hookFields) {
		return
	}
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch i {
		case hookBlocked:
			r.Bool(&h.blocked)
		case hookContexts:
			h.readContexts(r)
		}
	}
	r.Require(&f, hookBlocked)
	r.Require(&f, hookContexts)
}

func (h *promptHook) readContexts(r *json.Reader) {
	begin := r.Offset()
	if !r.Array() {
		return
	}
	for r.Item() {
		if r.Settled() {
			r.SkipRest()
			return
		}
		n := len(h.contexts)
		if n == cap(h.contexts) {
			h.contexts = json.Grow(h.contexts, r.More(n, begin))
		}
		if more := r.PassItems(1<<json.KindString, h.contexts[n:]); more > 0 {
			h.contexts = h.contexts[:n+more]
			continue
		}
		h.contexts = h.contexts[:n+1]
		r.String(&h.contexts[n])
	}
}

// What an input of the hook begins and ends with.
const (
	hookStart = `{"source":"promptHook","hidden":true,"item":{"type":"message","role":"` + abi.DeveloperRole + `","content":[{"type":"` + abi.TextContent + `","text":"`
	hookEnd   = `"}]}}`
	hookNext  = hookEnd + "," + hookStart // between two of them
)

// maxBytes bounds what write writes, and a comma before it. The contexts stand in one array.
func (h *promptHook) maxBytes() int {
	n := len(h.contexts)
	if n == 0 {
		return 0
	}
	texts := int(h.contexts[n-1].End-h.contexts[0].Start) - (n-1)*len(`","`)
	return n*len(hookNext) + len(hookStart) + texts
}

// write writes the inputs that the hook adds, with commas between them.
func (h *promptHook) write(w *json.Writer, text []byte) {
	if len(h.contexts) > 0 {
		w.Comma()
		w.Join(text, h.contexts, hookStart, hookNext, hookEnd)
	}
}
