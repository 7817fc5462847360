// Package fragment renders an entry as a hidden context message, and recognises
// one (the design, "Render" and "Recognise").
package fragment

import (
	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/json"
)

// Kind says how far the model may trust an entry.
type Kind uint8

// The kinds of entry.
const (
	Untrusted Kind = iota
	Application
	Kinds // how many there are
)

var kindNames = [Kinds]string{Untrusted: string(abi.Untrusted), Application: string(abi.Application)}

// String returns the kind as it is written in JSON.
func (k Kind) String() string { return kindNames[k] }

// ParseKind returns the kind with that name.
func ParseKind(name []byte) (Kind, bool) {
	for k, known := range kindNames {
		if string(name) == known {
			return Kind(k), true
		}
	}
	return 0, false
}

// Tags come around the value; the key follows each, and a ">" the key.
var (
	opening = [Kinds]string{Untrusted: "<external_", Application: "<"}
	closing = [Kinds]string{Untrusted: "</external_", Application: "</"}
)

// roles goes with the tags.
var roles = [Kinds]string{Untrusted: "user", Application: "developer"}

// An input is written in few long pieces: copying a short one costs as much.
var (
	inputStart = `{"source":"additionalContext","key":"`
	inputText  = func() (pieces [Kinds]string) {
		for k := range pieces {
			pieces[k] = `","kind":"` + kindNames[k] + `","hidden":true,"item":{"type":"message","role":"` + roles[k] +
				`","content":[{"type":"input_text","text":"` + opening[k]
		}
		return pieces
	}()
	inputEnd = `>"}]}}`
)

// Bounds for what AppendInput writes: three times the key, the value but no more
// of it than MaxValueBytes (six bytes of JSON for each of the budget's), and
// MaxInputBytes.
const (
	MaxInputBytes = 320
	MaxValueBytes = 6 * 4 * budget.MaxValueTokens
)

// Rendered tells about a fragment that was rendered.
type Rendered struct {
	Tokens         int // of the whole fragment
	OriginalTokens int // of the value, if it was cut
	RemovedTokens  int // those that the marker shows
	Truncated      bool
	Warnings       Warnings
}

// AppendInput appends the input that tells the model of an entry.
func AppendInput(dst, text []byte, key json.String, kind Kind, value json.String) ([]byte, Rendered) {
	var r Rendered
	dst = append(dst, inputStart...)
	dst = appendString(dst, text, key)
	dst = append(dst, inputText[kind]...)
	dst = appendString(dst, text, key)
	dst = json.Append(dst, `>`)

	begin := len(dst)
	dst, length := r.appendValue(dst, text, value)
	end := len(dst)

	dst = append(dst, closing[kind]...)
	dst = appendString(dst, text, key)
	dst = append(dst, inputEnd...)

	tag := dst[end : len(dst)-len(inputEnd)+1]
	r.Warnings = warnings(kind, dst[begin:end], tag)
	r.Tokens = budget.Tokens(len(opening[kind]) + len(closing[kind]) + 2*(int(key.Len)+1) + length)
	return dst, r
}

// appendValue appends the value, cut to its budget, and returns its length in
// bytes once escapes are resolved.
func (r *Rendered) appendValue(dst, text []byte, value json.String) ([]byte, int) {
	cut, truncated := budget.Middle(text, value, budget.MaxValueTokens)
	if !truncated {
		return appendString(dst, text, value), int(value.Len)
	}
	r.Truncated = true
	r.OriginalTokens = budget.Tokens(int(value.Len))
	r.RemovedTokens = cut.Removed
	return cut.Append(dst, text, value)
}

func appendString(dst, text []byte, s json.String) []byte {
	return json.AppendRaw(dst, text, s, int(s.Start), int(s.End))
}
