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
	if r.Null() || !r.Fields(&f, hookFields) {
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

// append appends the inputs that the hook adds, each behind a comma if anything
// stands before it.
func (h *promptHook) append(dst, text []byte) []byte {
	for _, context := range h.contexts {
		dst = appendComma(dst)
		dst = json.Append(dst, `{"source":"promptHook","hidden":true,"item":{"type":"message","role":"developer","content":[{"type":"input_text","text":`)
		dst = json.AppendString(dst, text, context)
		dst = json.Append(dst, `}]}}`)
	}
	return dst
}

// appendComma appends a comma, unless an array was begun just now.
func appendComma(dst []byte) []byte {
	if dst[len(dst)-1] == '[' {
		return dst
	}
	return json.Append(dst, `,`)
}
