// Package fragment renders an entry as a hidden context message, and recognises
// one (the design, "Render" and "Recognise").
package fragment

import (
	"bytes"

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

// KindNames are the kinds as they are written in JSON.
var KindNames = []string{Untrusted: string(abi.Untrusted), Application: string(abi.Application)}

// String returns the kind as it is written in JSON.
func (k Kind) String() string { return KindNames[k] }

// roles has the role of the message that a kind is rendered as.
var roles = [Kinds]string{Untrusted: "user", Application: "developer"}

// Wrapper is the form of the tags around a value.
type Wrapper uint8

// The wrappers of the policy.
const (
	Reference Wrapper = iota // the key names the tag, and nothing is escaped
	Attribute                // the key is an attribute, and everything is escaped
	wrappers                 // how many there are
)

// tags are what stands around the key, and around the value. The wrapper
// decides whether the key stands in the closing tag as well.
type tags struct {
	opening  string // up to the key
	afterKey string // from the key to the value
	closing  string // from the value to the key, or to the end
}

var tagsOf = [wrappers][Kinds]tags{
	Reference: {
		Untrusted:   {"<external_", ">", "</external_"},
		Application: {"<", ">", "</"},
	},
	Attribute: {
		Untrusted:   {`<external_context source="`, `">`, "</external_context>"},
		Application: {`<application_context source="`, `">`, "</application_context>"},
	},
}

// note is what a removed key is told as (the design, "Policy", removals).
const note = "[no longer applies]"

// An input is written in few long pieces: copying a short one costs as much.
var (
	inputStart = `{"source":"additionalContext","key":"`
	inputText  = func() (pieces [wrappers][Kinds]string) {
		for w := range pieces {
			for k := range pieces[w] {
				pieces[w][k] = `","kind":"` + KindNames[k] + `","hidden":true,"item":{"type":"message","role":"` + roles[k] +
					`","content":[{"type":"input_text","text":"` + inJSON(tagsOf[w][k].opening)
			}
		}
		return pieces
	}()
	inputAfterKey = [wrappers]string{Reference: `>`, Attribute: `\">`}
	inputEnd      = `"}]}}`
)

// openingInJSON has the length of the opening tags as they stand in the output.
var openingInJSON = func() (lengths [wrappers][Kinds]int) {
	for w := range lengths {
		for k := range lengths[w] {
			lengths[w][k] = len(inJSON(tagsOf[w][k].opening))
		}
	}
	return lengths
}()

// inJSON returns s as it stands in a string of the output.
func inJSON(s string) string {
	quoted := json.AppendQuoted(nil, []byte(s))
	return string(quoted[1 : len(quoted)-1])
}

// Bounds for what Input writes under the reference wrapper: three times the
// key, the value but no more of it than six bytes of JSON for each that its
// limit leaves, and MaxInputBytes.
const MaxInputBytes = 320

// Rendered tells about a fragment that was rendered.
type Rendered struct {
	Tokens         int // of the whole fragment
	OriginalTokens int // of the value, if it was cut
	RemovedTokens  int // those that are left out
	Truncated      bool
	Warnings       Warnings

	Begin, End int // where in the output the text stands, without its quotes
}

// Renderer renders entries. Its memory is reused; the zero value renders by the
// default policy.
type Renderer struct {
	Wrapper Wrapper
	Strip   bool // control characters

	cutter   budget.Cutter
	key      []byte // as the attribute wrapper writes it
	room     []byte
	stripped []byte
}

// Input writes the input that tells the model of an entry.
func (r *Renderer) Input(w *json.Writer, text []byte, key json.String, kind Kind, value json.String, limit budget.Limit) Rendered {
	result, length := r.open(w, text, key, kind)
	begin := w.Len()
	length += r.writeValue(w, &result, text, value, limit)
	tag := []byte(tagsOf[Attribute][kind].closing)
	end := w.Len()
	if r.Wrapper == Reference {
		r.close(w, &result, text, key, kind)
		tag = w.Bytes()[end:result.End]
	}
	result.Warnings |= warnings(w.Bytes()[begin:end], tag)
	if r.Wrapper == Attribute {
		length += escapeValue(w, begin)
		r.close(w, &result, text, key, kind)
	}
	w.Text(inputEnd)
	result.Tokens = budget.Tokens(length)
	return result
}

// Note writes the input that tells the model that an entry does not apply any
// longer.
func (r *Renderer) Note(w *json.Writer, text []byte, key json.String, kind Kind) Rendered {
	result, length := r.open(w, text, key, kind)
	w.Text(note)
	r.close(w, &result, text, key, kind)
	w.Text(inputEnd)
	result.Tokens = budget.Tokens(length + len(note))
	return result
}

// open writes an input up to the value. It returns how many bytes the tags have,
// the closing one included, escapes of JSON resolved.
func (r *Renderer) open(w *json.Writer, text []byte, key json.String, kind Kind) (result Rendered, length int) {
	t := &tagsOf[r.Wrapper][kind]
	length = len(t.opening) + len(t.afterKey) + len(t.closing)
	w.Text(inputStart)
	w.Inner(text, key)
	w.Text(inputText[r.Wrapper][kind])
	result.Begin = w.Len() - openingInJSON[r.Wrapper][kind]
	begin := w.Len()
	if r.Wrapper == Attribute {
		length += r.writeKey(w, text, key)
	} else {
		w.Inner(text, key)
		length += 2*int(key.Len) + len(">")
		if kind == Untrusted && bytes.IndexByte(w.Bytes()[begin:], '>') >= 0 {
			result.Warnings = KeyHasGT
		}
	}
	w.Text(inputAfterKey[r.Wrapper])
	return result, length
}

// close writes the closing tag.
func (r *Renderer) close(w *json.Writer, result *Rendered, text []byte, key json.String, kind Kind) {
	w.Text(tagsOf[r.Wrapper][kind].closing)
	if r.Wrapper == Reference {
		w.Inner(text, key)
		w.Text(">")
	}
	result.End = w.Len()
}

// writeValue writes the value, stripped and cut to its budget, and returns its
// length in bytes once escapes of JSON are resolved.
func (r *Renderer) writeValue(w *json.Writer, result *Rendered, text []byte, value json.String, limit budget.Limit) int {
	if r.Strip {
		text, value = r.strip(text, value)
	}
	var extra *budget.Extra
	if r.Wrapper == Attribute {
		extra = &valueExtra
	}
	cut, truncated := r.cutter.Cut(limit, text, value, extra)
	if !truncated {
		w.Inner(text, value)
		return int(value.Len)
	}
	result.Truncated = true
	result.OriginalTokens = budget.Tokens(int(value.Len))
	result.RemovedTokens = cut.Removed
	return cut.Write(w, text, value)
}
