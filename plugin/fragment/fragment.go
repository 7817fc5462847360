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

// Roles has the role of the message that a kind is rendered as.
var Roles = [Kinds]string{Untrusted: "user", Application: "developer"}

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

// note is what a removed key is told as (abi/README.md, "removals").
const note = "[no longer applies]"

// What an input begins and ends with.
const (
	inputStart = `{"source":"additionalContext","key":"`
	inputEnd   = `"}]}}`
)

// inputText is what stands between the key and, in the opening tag, the key. An
// input is written in few long pieces: a short one costs as much.
var inputText = func() (pieces [wrappers][Kinds]string) {
	for w := range pieces {
		for k := range pieces[w] {
			pieces[w][k] = `","kind":"` + KindNames[k] + `","hidden":true,"item":{"type":"message","role":"` + Roles[k] +
				`","content":[{"type":"input_text","text":"` + inJSON(tagsOf[w][k].opening)
		}
	}
	return pieces
}()

// openingInJSON has the length of the opening tags as they stand in the output.
var openingInJSON = func() (lengths [wrappers][Kinds]int) {
	for w := range lengths {
		for k := range lengths[w] {
			lengths[w][k] = len(inJSON(tagsOf[w][k].opening))
		}
	}
	return lengths
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
		t := &tagsOf[Reference][k]
		pieces[k] = Pieces{
			Start: inputStart, Opening: inputText[Reference][k], Closing: t.closing, End: `>` + inputEnd,
			Tag: openingInJSON[Reference][k], AfterText: len(inputEnd), Bytes: len(t.opening) + len(t.afterKey) + len(t.closing) + len(`>`),
		}
	}
	return pieces
}()

// inJSON returns s as it stands in a string of the output.
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
			t := &tagsOf[w][k]
			lengths[w][k] = len(`,`+inputStart+inputText[w][k]) + len(inJSON(t.afterKey)) + len(t.closing) + len(`>`+inputEnd)
		}
	}
	return lengths
}()

// maxTagBytes bounds that, with the key, which stands there once as it is, and
// once or twice in the tags.
func (r *Renderer) maxTagBytes(key json.String, kind Kind) int {
	const longestEntity = len("&amp;")
	raw := int(key.End - key.Start)
	if r.Wrapper == Attribute {
		return maxTags[Attribute][kind] + (1+longestEntity)*raw
	}
	return maxTags[Reference][kind] + 3*raw
}

// MaxNote bounds how many bytes Note writes, and a comma.
func (r *Renderer) MaxNote(key json.String, kind Kind) int {
	return r.maxTagBytes(key, kind) + len(note)
}

// exactRoom is the size of a text from which on it is worth while to look how long
// its values get when they are escaped.
const exactRoom = 128 << 10

// MaxInput bounds how many bytes Input writes, and a comma, unless the tokenizer
// is exact, or the text is smaller than exactRoom and much is escaped. value is
// not Foreign.
func (r *Renderer) MaxInput(text []byte, key json.String, kind Kind, value json.String, limit budget.Limit) int {
	const longestEscape = len(`\u0000`)
	n, most := int(value.End-value.Start), limit.MaxBytes()
	if int(value.Len) > most || limit.Strict {
		n += budget.MaxMarker
	}
	switch isCut := int(value.Len) > most; {
	case isCut && r.Wrapper == Attribute:
		n = min(n*maxEntity, most*(longestEscape+budget.MaxExtra)+budget.MaxMarker)
	case isCut:
		n = min(n, most*longestEscape+budget.MaxMarker)
	case r.Wrapper == Attribute && len(text) >= exactRoom:
		n += extraBytes(value.Raw(text)) + slack
	case r.Wrapper == Attribute:
		n += n / 8 // it may need more
	}
	return r.maxTagBytes(key, kind) + n
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

	exact    exact  //lint:ignore U1000 it is used with the tag tiktoken
	key      []byte // as the attribute wrapper writes it
	room     []byte
	stripped []byte
}

// Input writes the input that tells the model of an entry, and adds to result
// what there is to tell about it. clean says that the value is known to have nothing
// to warn of.
func (r *Renderer) Input(result *Rendered, w *json.Writer, text []byte, key json.String, kind Kind, value json.String, limit budget.Limit, clean bool) {
	length := r.open(result, w, text, key, kind)
	begin := w.Len()
	length += r.writeValue(result, w, text, kind, value, limit)
	end := w.Len()
	r.close(result, w, text, key, kind, length)
	if clean && !limit.Strict {
		return // nor has what is left of it with a marker in between
	}
	if r.Wrapper == Reference {
		result.Warnings |= r.warnings(w.Bytes()[begin:end], w.Bytes()[end:result.End])
	}
}

// Note writes the input that tells the model that an entry does not apply any
// longer, and adds to result what there is to tell about it.
func (r *Renderer) Note(result *Rendered, w *json.Writer, text []byte, key json.String, kind Kind) {
	length := r.open(result, w, text, key, kind)
	w.Text(note)
	r.close(result, w, text, key, kind, length+len(note))
}

// open writes an input up to the value. It returns how many bytes the tags have,
// the closing one included, escapes of JSON resolved.
func (r *Renderer) open(result *Rendered, w *json.Writer, text []byte, key json.String, kind Kind) (length int) {
	t := &tagsOf[r.Wrapper][kind]
	length = len(t.opening) + len(t.afterKey) + len(t.closing)
	w.Text(inputStart)
	w.Inner(text, key)
	w.Text(inputText[r.Wrapper][kind])
	begin := w.Len()
	result.Begin = int32(begin - openingInJSON[r.Wrapper][kind])
	if r.Wrapper == Attribute {
		length += r.writeKey(w, text, key)
		w.Text(`\">`)
		return length
	}
	w.Inner(text, key)
	if kind == Untrusted && bytes.IndexByte(w.Bytes()[begin:], '>') >= 0 {
		result.Warnings |= KeyHasGT
	}
	w.Text(`>`)
	return length + 2*int(key.Len) + len(`>`)
}

// close writes the closing tag and the rest of the input, whose text has that
// length.
func (r *Renderer) close(result *Rendered, w *json.Writer, text []byte, key json.String, kind Kind, length int) {
	w.Text(tagsOf[r.Wrapper][kind].closing)
	end := inputEnd
	if r.Wrapper == Reference {
		w.Inner(text, key)
		end = `>` + inputEnd
	}
	w.Text(end)
	result.End = int32(w.Len() - len(inputEnd))
	if r.Tokenizer.IsExact() {
		result.Tokens += int32(r.countExactly(result, w))
		return
	}
	result.Tokens += int32(budget.Tokens(length))
}

// writeValue writes the value, stripped and cut to its budget, and returns its
// length in bytes once escapes of JSON are resolved.
func (r *Renderer) writeValue(result *Rendered, w *json.Writer, text []byte, kind Kind, value json.String, limit budget.Limit) int {
	if r.Strip {
		text, value = r.strip(text, value)
	}
	if r.Tokenizer.IsExact() {
		r.writeExactly(result, w, text, kind, value, limit)
		return 0 // countExactly counts
	}
	var extra budget.Extra
	most := 0
	if r.Wrapper == Attribute {
		extra, most = extraBytes, unknown
	}
	var cut budget.Cut
	isCut := cut.Cut(limit, text, value, extra)
	if limit.Strict {
		most = int(cut.Extra)
	}
	if !isCut {
		return int(value.Len) + r.writePart(result, w, kind, value.Raw(text), most)
	}
	result.Truncated = true
	result.OriginalTokens = int32(budget.Tokens(int(value.Len)))
	result.RemovedTokens = cut.Removed
	added := r.writePart(result, w, kind, text[value.Start:cut.Head], most)
	if most != unknown {
		most -= added
	}
	length := int(cut.Kept) + added + cut.WriteMarker(w)
	return length + r.writePart(result, w, kind, text[cut.Tail:value.End], most)
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
	if contains(part, []byte(tagsOf[Attribute][kind].closing)) {
		result.Warnings |= ValueHasClosingTag
	}
	n := escape(w.Room(len(part)+most+slack), part)
	w.Extend(n)
	return n - len(part)
}
