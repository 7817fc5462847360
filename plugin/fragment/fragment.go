// Package fragment renders an entry as a hidden context message, and recognises
// one (abi/README.md, "merge" and "classify").
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

// Roles are those of the messages that the kinds are rendered as.
var Roles = [Kinds]string{Untrusted: abi.UserRole, Application: abi.DeveloperRole}

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

// attributeClosings has the closing tags of the attribute wrapper.
var attributeClosings = func() (closings [Kinds][]byte) {
	for k := range closings {
		closings[k] = append(closings[k], tagsOf[Attribute][k].closing...)
	}
	return closings
}()

// NoteText is what a removed key is told as (abi/README.md, "removals").
const NoteText = "[no longer applies]"

// What an input begins and ends with.
const (
	inputStart = `{"source":"additionalContext","key":"`
	inputEnd   = `"}]}}`
)

// AfterText is how many bytes of an input stand behind its text.
const AfterText = len(inputEnd)

// Template is what an input is written by, in few steps: a short piece costs as much as
// a long one.
type Template struct {
	// Between the pieces stand the key twice, the value, and the key again if it stands in
	// the closing tag, else nothing.
	Pieces  []string
	Opening int // bytes of the opening tag at the end of the piece before it, as the output has it
	Bytes   int // of the tags without the keys, escapes of JSON resolved
	Keys    int // how many the tags have

	EscapedClosing string // the closing tag as it stands in a value that has it, if the key is no part of it
}

// Places in a template.
const (
	beforeKey  = 1 // the piece before the key of the opening tag
	afterKey   = 2 // the piece between it and the value
	afterValue = 3
)

// Templates has that of each wrapper and kind.
var Templates = func() (templates [wrappers][Kinds]Template) {
	for w := range templates {
		for k := range templates[w] {
			tags, t := &tagsOf[w][k], &templates[w][k]
			opening := inJSON(tags.opening)
			beforeTag := `","kind":"` + KindNames[k] + `","hidden":true,"item":{"type":"message","role":"` + Roles[k] +
				`","content":[{"type":"input_text","text":"`
			t.Pieces = append(t.Pieces, inputStart, beforeTag+opening, inJSON(tags.afterKey), tags.closing, inputEnd)
			t.Opening, t.Bytes, t.Keys = len(opening), len(tags.opening)+len(tags.afterKey)+len(tags.closing), 1
		}
	}
	for k := range Kinds {
		closing := attributeClosings[k]
		room := make([]byte, maxEntity*len(closing)+slack)
		templates[Attribute][k].EscapedClosing = string(room[:plainEscape(room, closing)])
		t := &templates[Reference][k]
		t.Pieces[afterValue+1] = `>` + inputEnd
		t.Bytes, t.Keys = t.Bytes+len(`>`), 2
	}
	return templates
}()

// Pieces are what is written around key and value where the wrapper is Reference: the
// key stands between them, but for the value behind Opening, the key and a ">".
type Pieces struct {
	Start, Opening, Closing, End string

	Tag       int // bytes at the end of Opening that belong to the text
	AfterText int // bytes at the end of End that do not
	Bytes     int // of the tags without the keys
}

// ReferencePieces has those of each kind.
var ReferencePieces = func() (pieces [Kinds]Pieces) {
	for k := range pieces {
		t := &Templates[Reference][k]
		pieces[k] = Pieces{
			Start: inputStart, Opening: t.Pieces[beforeKey], Closing: t.Pieces[afterValue], End: t.Pieces[afterValue+1],
			Tag: t.Opening, AfterText: AfterText, Bytes: t.Bytes,
		}
	}
	return pieces
}()

// inJSON returns s as it stands in a string of the output.
//
//go:noinline
func inJSON(s string) string {
	var w json.Writer
	w.EscapeText(s)
	return string(w.Bytes())
}

// maxTags has the length of all that stands around key and value in an input,
// a comma included.
var maxTags = func() (lengths [wrappers][Kinds]int) {
	for w := range lengths {
		for k := range lengths[w] {
			lengths[w][k] = len(`,`)
			for _, piece := range Templates[w][k].Pieces {
				lengths[w][k] += len(piece)
			}
		}
	}
	return lengths
}()

// maxKeys is how many times as long as a key those of an input may be: one stands
// there as it is, and one or two in the tags.
var maxKeys = [wrappers]int{Reference: 3, Attribute: 1 + len("&amp;")}

// MaxTags bounds how many bytes of what Input or Note write are not of the value, a comma
// included: those of the kind, and so many times those of the key.
func (r *Renderer) MaxTags() (tags *[Kinds]int, keys int) {
	return &maxTags[r.Wrapper], maxKeys[r.Wrapper]
}

// exactRoom is the size of a text from which on it is worth while to look how long
// its values get when they are escaped.
const exactRoom = 128 << 10

// LongestEscape is how many bytes a character that counts as one takes at most in the output.
const LongestEscape = len(`\u0000`)

// MaxValue bounds how many bytes of what Input writes are of the value, unless the
// tokenizer is exact, or the text is smaller than exactRoom and much is escaped. value
// is not Foreign.
func (r *Renderer) MaxValue(text []byte, value *json.String, limit *budget.Limit) int {
	n, most := int(value.End-value.Start), limit.MaxBytes()
	if int(value.Len) > most || limit.Strict {
		n += budget.MaxMarker
	}
	switch isCut := int(value.Len) > most; {
	case isCut && r.Wrapper == Attribute:
		n = min(n*maxEntity, most*(LongestEscape+budget.MaxExtra)+budget.MaxMarker)
	case isCut:
		n = min(n, most*LongestEscape+budget.MaxMarker)
	case r.Wrapper == Attribute && len(text) >= exactRoom:
		n += extraBytes(value.Raw(text)) + slack
	case r.Wrapper == Attribute:
		n += n / 8 // it may need more
	}
	return n
}

// Rendered tells about a fragment that was rendered, or a note and a fragment.
type Rendered struct {
	Tokens         int32 // of the whole fragment
	OriginalTokens int32 // of the value, if it was cut
	RemovedTokens  int32 // those that are left out

	Begin, End int32 // where in the output the text stands, without its quotes

	Truncated bool
	Estimated bool // OriginalTokens and RemovedTokens are, although others are counted
	Warnings  Warnings
}

// Renderer renders entries. Its memory is reused; the zero value renders by the
// default policy.
type Renderer struct {
	Wrapper   Wrapper
	Strip     bool // control characters
	Tokenizer budget.Tokenizer

	exact    exact //lint:ignore U1000 it is used with the tag tiktoken
	stripped []byte
}

// Input writes the input that tells the model of an entry, with a comma before it where
// one is due, and adds to result what there is to tell about it. clean says that the
// value is known to have nothing to warn of. Neither key nor value is Foreign.
func (r *Renderer) Input(result *Rendered, w *json.Writer, text []byte, key *json.String, kind Kind, value *json.String, limit *budget.Limit, clean bool) {
	from, v := text, *value
	if r.Strip && !clean {
		from, v = r.strip(text, v)
	}
	if r.Tokenizer.IsExact() {
		r.inputExactly(result, w, text, key, kind, from, v, limit)
		return
	}
	length := r.open(result, w, text, key, kind)
	begin := w.Len()
	more, isCut := r.writeValue(result, w, from, kind, &v, limit)
	end := w.Len()
	r.close(result, w, text, key, kind, length+more)
	if clean && !(limit.Strict && isCut) {
		return // nor has what is left of it with a marker in between
	}
	if r.Wrapper == Reference {
		result.Warnings |= r.warnings(w.Bytes()[begin:end], w.Bytes()[end:result.End])
	}
}

// IsVerbatim reports whether key and value, as the output has them, are written as they
// stand, if the value is not cut. It may say no where they are.
func (r *Renderer) IsVerbatim(key, value []byte) bool {
	if r.Tokenizer.IsExact() || r.Strip && longControlAt(value) >= 0 {
		return false
	}
	return r.Wrapper == Reference || extraBytes(value) == 0 && extraBytes(key) == 0 && bytes.IndexByte(key, '\\') < 0
}

// Verbatim returns where in the text of a fragment the value begins, and how long the text
// is, as the output has it, if key and value are of these lengths and written as they stand.
func (r *Renderer) Verbatim(kind Kind, key, value int) (begin, length int) {
	t := &Templates[r.Wrapper][kind]
	begin = t.Opening + key + len(t.Pieces[afterKey])
	length = begin + value + len(t.Pieces[afterValue])
	if r.Wrapper == Reference {
		length += key + len(`>`)
	}
	return begin, length
}

// Note writes the input that tells the model that an entry does not apply any
// longer, with a comma before it where one is due, and adds to result what there is to
// tell about it. The key is not Foreign.
func (r *Renderer) Note(result *Rendered, w *json.Writer, text []byte, key *json.String, kind Kind) {
	length := r.open(result, w, text, key, kind)
	w.Text(NoteText)
	r.close(result, w, text, key, kind, length+len(NoteText))
}

// isPlainKey reports whether the attribute wrapper writes a key as it stands. It may
// say no where it does.
func isPlainKey(text []byte, key *json.String) bool {
	return key.Form == json.Plain && extraBytes(key.Raw(text)) == 0 // a quote would not be plain
}

// open writes an input up to the value. It returns how many bytes the tags have,
// the closing one included, escapes of JSON resolved.
func (r *Renderer) open(result *Rendered, w *json.Writer, text []byte, key *json.String, kind Kind) (length int) {
	t := &Templates[r.Wrapper][kind]
	k := key.Filling(text)
	w.Comma()
	if r.Wrapper == Attribute && !isPlainKey(text, key) {
		w.Fill(t.Pieces[:beforeKey+1], []string{k})
		result.Begin = int32(w.Len() - t.Opening)
		length = r.writeKey(w, text, key)
		w.Text(t.Pieces[afterKey])
		return t.Bytes + length
	}
	if r.Wrapper == Reference {
		result.Warnings |= keyWarnings(kind, k)
	}
	w.Fill(t.Pieces[:afterKey+1], []string{k, k})
	result.Begin = int32(w.Len() - len(t.Pieces[afterKey]) - len(k) - t.Opening)
	return t.Bytes + t.Keys*int(key.Len)
}

// close writes the closing tag and the rest of the input, whose text has that
// length.
func (r *Renderer) close(result *Rendered, w *json.Writer, text []byte, key *json.String, kind Kind, length int) {
	k := ""
	if r.Wrapper == Reference {
		k = key.Filling(text)
	}
	w.Fill(Templates[r.Wrapper][kind].Pieces[afterValue:], []string{k})
	result.End = int32(w.Len() - AfterText)
	if r.Tokenizer.IsExact() {
		result.Tokens += int32(r.countExactly(result, w))
		return
	}
	result.Tokens += int32(budget.Tokens(length))
}

// inputExactly does what Input does, by tokens that are counted.
func (r *Renderer) inputExactly(result *Rendered, w *json.Writer, text []byte, key *json.String, kind Kind, from []byte, value json.String, limit *budget.Limit) {
	r.open(result, w, text, key, kind)
	begin := w.Len()
	r.writeExactly(result, w, from, kind, value, *limit)
	end := w.Len()
	r.close(result, w, text, key, kind, 0)
	if r.Wrapper == Reference {
		result.Warnings |= r.warnings(w.Bytes()[begin:end], w.Bytes()[end:result.End])
	}
}

// writeValue writes a value, cut to its budget, and returns its length in bytes once
// escapes of JSON are resolved, and whether it is cut.
func (r *Renderer) writeValue(result *Rendered, w *json.Writer, text []byte, kind Kind, value *json.String, limit *budget.Limit) (length int, isCut bool) {
	var extra budget.Extra
	most := 0
	if r.Wrapper == Attribute {
		extra, most = extraBytes, unknown
	}
	var cut budget.Cut
	isCut = cut.Cut(limit, text, value, extra)
	if limit.Strict {
		most = int(cut.Extra)
	}
	if !isCut {
		return int(value.Len) + r.writePart(result, w, kind, value.Raw(text), most), false
	}
	result.Truncated = true
	result.OriginalTokens = int32(budget.Tokens(int(value.Len)))
	result.RemovedTokens = cut.Removed
	added := r.writePart(result, w, kind, text[value.Start:cut.Head], most)
	if most != unknown {
		most -= added
	}
	length = int(cut.Kept) + added + cut.WriteMarker(w)
	return length + r.writePart(result, w, kind, text[cut.Tail:value.End], most), true
}

// unknown is how many bytes escaping adds where they were not counted.
const unknown = -1

// writePart writes a part of the value, escaped if need be, and returns how many
// bytes that adds: no more than most, unless that is unknown. Under the attribute
// wrapper it looks for what there is to warn of, because the tag cannot be found
// once it is escaped.
func (r *Renderer) writePart(result *Rendered, w *json.Writer, kind Kind, part []byte, most int) (extra int) {
	if r.Wrapper == Attribute && !r.Strip && longControlAt(part) >= 0 {
		result.Warnings |= ControlCharacters
	}
	if most == unknown {
		most = extraBytes(part)
	}
	if most == 0 {
		w.Raw(part)
		return 0
	}
	if contains(part, attributeClosings[kind]) {
		result.Warnings |= ValueHasClosingTag
	}
	n := escape(w.Room(len(part)+most+slack), part)
	w.Extend(n)
	return n - len(part)
}
