//go:build tiktoken

package fragment

import (
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/json"
)

// exact is what a Renderer needs to count exactly.
type exact struct {
	cutter   budget.Exactly
	resolved []byte
	plain    json.Writer // a value before it is escaped
}

// writeExactly does what writeValue does, by tokens that are counted.
func (r *Renderer) writeExactly(result *Rendered, w *json.Writer, text []byte, kind Kind, value json.String, limit budget.Limit) {
	resolved := r.resolve(text, value)
	write, extra := appendPlain, 0
	if r.Wrapper == Attribute {
		write, extra = appendEscaped, unknown
	}
	kept, truncated := r.exact.cutter.Cut(r.Tokenizer, limit, resolved, write)
	if !truncated {
		r.writePart(result, w, kind, value.Raw(text), extra)
		return
	}
	result.Truncated, result.Estimated = true, kept.Estimated
	result.OriginalTokens, result.RemovedTokens = int32(kept.Total), int32(kept.Removed)
	for _, part := range [...][]byte{resolved[:kept.Head], kept.Marker, resolved[kept.Tail:]} {
		r.exact.plain.Reset(0)
		r.exact.plain.Escape(part)
		r.writePart(result, w, kind, r.exact.plain.Bytes(), extra)
	}
}

// countExactly counts the tokens of the text that was written.
func (r *Renderer) countExactly(result *Rendered, w *json.Writer) int {
	text := json.String{Start: result.Begin, End: result.End, Form: json.Canonical}
	return r.Tokenizer.Count(r.resolve(w.Bytes(), text))
}

// resolve returns a string with its escapes resolved. It is valid until the next
// call.
func (r *Renderer) resolve(text []byte, s json.String) []byte {
	resolved := s.Bytes(text, r.exact.resolved[:0])
	if s.Form != json.Plain {
		r.exact.resolved = resolved
	}
	return resolved
}

func appendPlain(dst, part []byte) []byte { return append(dst, part...) }

// appendEscaped appends a part of a value as the attribute wrapper writes it.
func appendEscaped(dst, part []byte) []byte {
	for _, c := range part {
		if inValue[c] {
			dst = append(dst, entityOf[c]...)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
