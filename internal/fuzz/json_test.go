package fuzz

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/turncontext/turncontext/plugin/json"
)

const space = " \t\r\n"

// An event is one step through a text: a bracket, a name or a value.
type event struct {
	kind byte   // as jsontext has it
	text string // of a string or a name, its escapes resolved; of a number, as it is written
}

// peer walks a text with jsontext. The offset is that of the first byte that is
// wrong, as jsontext has it, -1 where nothing is.
func peer(text []byte) (events []event, offset int) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for len(events) == 0 || d.StackDepth() > 0 {
		token, err := d.ReadToken()
		if err != nil {
			return nil, peerOffset(err, len(text))
		}
		events = append(events, event{byte(token.Kind()), token.String()})
	}
	// A second value is a stream's next one to jsontext.
	end := int(d.InputOffset())
	rest := bytes.TrimLeft(text[end:], space)
	if len(rest) > 0 {
		return nil, len(text) - len(rest)
	}
	return events, -1
}

// peerOffset returns where jsontext found an error.
func peerOffset(err error, length int) int {
	if wrong, ok := errors.AsType[*jsontext.SyntacticError](err); ok && !errors.Is(err, io.ErrUnexpectedEOF) {
		return int(wrong.ByteOffset)
	}
	return length // the text ends too early
}

// own walks a text with the core's reader, in the same steps.
func own(text []byte) (events []event, syntax *json.SyntaxError) {
	var w walker
	w.text = append(bytes.Clone(text), make([]byte, json.Pad)...)
	w.Reset(w.text, len(text))
	w.value()
	syntax, _ = w.Finish(true)
	return w.events, syntax
}

type walker struct {
	json.Reader
	text   []byte
	events []event
}

func (w *walker) note(kind byte, text string) { w.events = append(w.events, event{kind, text}) }

func (w *walker) value() {
	switch w.Kind() {
	case json.KindObject:
		w.object()
	case json.KindArray:
		w.array()
	case json.KindString:
		var s json.String
		if w.String(&s) {
			w.note('"', string(s.Bytes(w.text, nil)))
		}
	case json.KindNumber:
		begin := w.Offset()
		w.Skip()
		w.note('0', string(w.text[begin:w.Offset()]))
	case json.KindBool:
		var b bool
		if w.Bool(&b); b {
			w.note('t', "true")
		} else {
			w.note('f', "false")
		}
	case json.KindNull:
		w.Null()
		w.note('n', "null")
	default:
		w.Skip() // which notes what is wrong
	}
}

func (w *walker) object() {
	w.note('{', "{")
	for more := w.Object() && w.Member(); more; more = w.Member() {
		w.note('"', string(w.Name().Bytes(w.text, nil)))
		w.value()
	}
	w.note('}', "}")
}

func (w *walker) array() {
	w.note('[', "[")
	for more := w.Array() && w.Item(); more; more = w.Item() {
		w.value()
	}
	w.note(']', "]")
}

// FuzzJSON holds the core's reader to jsontext: the same verdict on every text,
// the same place of what is wrong, and the same values.
func FuzzJSON(f *testing.F) {
	for _, text := range corpus(f, "json") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, syntax := own(text)
		want, offset := peer(text)
		if deep := tooDeep(text); deep >= 0 && (offset < 0 || offset > deep) {
			offset = deep // jsontext goes deeper
		}
		switch {
		case offset < 0 && syntax != nil:
			t.Fatalf("%q: refused at %d (%s), jsontext takes it", text, syntax.Offset, syntax.Reason)
		case offset >= 0 && syntax == nil:
			t.Fatalf("%q: accepted, jsontext refuses it at %d", text, offset)
		case offset >= 0 && !samePlace(text, syntax.Offset, offset):
			t.Fatalf("%q: refused at %d (%s), by jsontext at %d", text, syntax.Offset, syntax.Reason, offset)
		case offset < 0 && !slices.Equal(got, want):
			t.Fatalf("%q: read as\n%q, by jsontext as\n%q", text, got, want)
		}
	})
}

// samePlace tells whether abi/README.md lets the core find at offset ours what
// jsontext finds at offset theirs. They differ in four cases. Of a comma too
// many jsontext names the comma, and we the bracket behind it. A word or a number
// where a name belongs jsontext reads before it says so. And of a text that ends
// too early it may miss that the last character or escape is wrong whatever
// follows. Where it ends within an escape behind a high surrogate, jsontext may
// already know the surrogate to be alone, and we say that the text ends.
func samePlace(text []byte, ours, theirs int) bool {
	switch {
	case ours == theirs:
		return true
	case ours == len(text):
		return halfPair.Match(text[theirs:])
	case ours > theirs:
		before, between := bytes.TrimRight(text[:theirs], space), bytes.TrimSpace(text[theirs:ours])
		afterValue := len(before) > 0 && !bytes.ContainsAny(before[len(before)-1:], "[{,:")
		return afterValue && string(between) == "," && ours < len(text) && (text[ours] == ']' || text[ours] == '}')
	case bytes.IndexByte([]byte("tfn-0123456789"), text[ours]) >= 0:
		const name = `"":`
		return refusal(text[:ours], name) == ours+len(name) // so far it is good
	case theirs == len(text):
		return refusal(text, `aaaaaaaaaaaa"`) == ours
	}
	return false
}

// halfPair is an escaped high surrogate with a part of another escape.
var halfPair = regexp.MustCompile(`^\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{1,3}$`)

// refusal returns where jsontext finds what is wrong with a text and more.
func refusal(text []byte, more string) int {
	_, offset := peer(append(bytes.Clone(text), more...))
	return offset
}

// tooDeep returns the offset of the bracket that goes too deep, -1 for none. It
// is right where the text before is JSON.
func tooDeep(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > json.MaxDepth {
				return i
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return -1
}
