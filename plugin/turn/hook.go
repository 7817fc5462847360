package turn

import "github.com/turncontext/turncontext/plugin/json"

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
	if !r.Array() {
		return
	}
	for r.Item() {
		if r.Settled() {
			r.Skip()
			continue
		}
		var s json.String
		r.String(&s)
		h.contexts = append(h.contexts, s)
	}
}

// write writes the inputs that the hook adds, with commas between them.
func (h *promptHook) write(w *json.Writer, text []byte) {
	for _, context := range h.contexts {
		w.Comma()
		w.Text(`{"source":"promptHook","hidden":true,"item":{"type":"message","role":"developer","content":[{"type":"input_text","text":`)
		w.String(text, context)
		w.Text(`}]}}`)
	}
}
