package host

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/turncontext/turncontext/abi"
)

// A reader reads an answer in the one form in which the module writes it
// (README.md of package abi, "JSON"), many times as fast as encoding/json. It
// gives up where it meets anything else, be it JSON or not: then encoding/json
// reads the whole again. Strings that are not UTF-8 are carried as they are.
type reader struct {
	text    []byte
	at      int    // in text, before what is left
	strings []byte // what was read of strings, in one piece of memory for all; never written again
	used    int    // how much of strings is
	failed  bool   // whatever was read since says nothing
}

// newReader returns a reader of text. It keeps nothing of it.
func newReader(text []byte) *reader {
	// No string has more bytes than its JSON, but for a word that is cut again.
	return &reader{text: text, strings: make([]byte, len(text)+8)}
}

// done tells whether the reader has read the whole, and could.
func (r *reader) done() bool { return !r.failed && r.at == len(r.text) }

// skip goes on behind what is expected, and tells whether it stands there.
func (r *reader) skip(expected string) bool {
	end := r.at + len(expected)
	if end > len(r.text) || string(r.text[r.at:end]) != expected {
		return false
	}
	r.at = end
	return true
}

// want goes on behind what has to stand there.
func (r *reader) want(expected string) {
	if !r.skip(expected) {
		r.failed = true
	}
}

// begin begins an array, and tells whether there is an element.
func (r *reader) begin() bool {
	r.want("[")
	return !r.failed && !r.skip("]")
}

// more goes on behind an element, and tells whether there is another.
func (r *reader) more() bool {
	if r.failed || r.skip("]") {
		return false
	}
	r.want(",")
	return !r.failed
}

// string reads a string.
func (r *reader) string() string {
	r.want(`"`)
	from := r.used
	for r.many(); !r.failed && !r.skip(`"`); r.many() {
		r.plain()
		r.escape()
	}
	if r.failed || r.used == from {
		return ""
	}
	return unsafe.String(&r.strings[from], r.used-from)
}

// many reads most of what plain and escape do, many bytes at a time.
func (r *reader) many() {
	wrote, read := unescapeMany(r.strings[r.used:], r.text[r.at:])
	r.at, r.used = r.at+read, r.used+wrote
	wrote, read = unescapeWords(r.strings[r.used:], r.text[r.at:])
	r.at, r.used = r.at+read, r.used+wrote
}

// plain reads what needs no escape, up to the end of the string or an escape.
func (r *reader) plain() {
	n := plainPrefix(r.text[r.at:])
	copy(r.strings[r.used:], r.text[r.at:r.at+n])
	r.at, r.used = r.at+n, r.used+n
}

// escape reads an escape sequence, if there is one and not the string's end.
func (r *reader) escape() {
	left := r.text[r.at:]
	if len(left) < 2 || left[0] != '\\' {
		r.failed = len(left) == 0 || left[0] != '"' // but a control character, or the end
		return
	}
	if left[1] == 'u' {
		r.unicodeEscape(left[2:])
		return
	}
	c := escapes[left[1]]
	r.failed = c == 0
	r.strings[r.used] = c
	r.at, r.used = r.at+2, r.used+1
}

// unicodeEscape reads the digits of an escape. There are no pairs of surrogates
// in an answer.
func (r *reader) unicodeEscape(digits []byte) {
	c, err := strconv.ParseUint(string(digits[:min(4, len(digits))]), 16, 16)
	if len(digits) < 4 || err != nil || utf16.IsSurrogate(rune(c)) {
		r.failed = true
		return
	}
	r.used += utf8.EncodeRune(r.strings[r.used:], rune(c))
	r.at += 6
}

// word reads a string that is likely one of a few, given with their quotes. It
// takes no memory for those.
func (r *reader) word(known ...string) string {
	for _, quoted := range known {
		if r.skip(quoted) {
			return quoted[1 : len(quoted)-1]
		}
	}
	return r.string()
}

// kind reads the kind of an entry.
func (r *reader) kind() abi.Kind { return abi.Kind(r.word(`"untrusted"`, `"application"`)) }

// int reads a number that is not negative.
func (r *reader) int() int {
	begin := r.at
	for r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9' {
		r.at++
	}
	digits := r.text[begin:r.at]
	i, err := strconv.Atoi(string(digits))
	if err != nil || len(digits) > 1 && digits[0] == '0' {
		r.failed = true
	}
	return i
}

// bool reads true or false.
func (r *reader) bool() bool {
	if r.skip("true") {
		return true
	}
	r.want("false")
	return false
}

// turn reads a turn's id, and whether it was steered.
func (r *reader) turn() (turn abi.Turn) {
	r.want(`{"id":`)
	turn.ID = r.string()
	r.want(`,"steered":`)
	turn.Steered = r.bool()
	r.want(`}`)
	return turn
}

// activeTurn reads the turn that a thread is in, or null for none.
func (r *reader) activeTurn() *abi.ActiveTurn {
	if r.skip(`null`) {
		return nil
	}
	turn := new(abi.ActiveTurn)
	r.want(`{"id":`)
	turn.ID = r.string()
	r.want(`,"kind":`)
	turn.Kind = abi.TurnKind(r.word(`"regular"`))
	r.want(`}`)
	return turn
}

// told reads the end of an answer: what the model is told, and the receipts.
func (r *reader) told(inputs *[]abi.Input, receipts *[]abi.Receipt) {
	r.want(`,"inputs":`)
	*inputs = r.inputs()
	r.want(`,"receipts":`)
	*receipts = r.receipts()
	r.want(`}`)
}

// inputBegin and receiptBegin begin nothing else that follows them in an answer,
// so that to count them tells how many there are.
const (
	inputBegin   = `{"source":`
	receiptBegin = `{"key":`
)

// inputs reads inputs. Their keys and contents have one piece of memory each.
func (r *reader) inputs() []abi.Input {
	n := bytes.Count(r.text[r.at:], []byte(inputBegin))
	inputs := make([]abi.Input, 0, n)
	keys := make([]string, 0, n)
	contents := make([]abi.Content, 0, n)
	for more := r.begin(); more; more = r.more() {
		var input abi.Input
		r.want(inputBegin)
		input.Source = abi.Source(r.word(`"additionalContext"`, `"user"`, `"promptHook"`))
		if r.skip(`,"key":`) {
			keys = append(keys, r.string())
			input.Key = &keys[len(keys)-1]
		}
		if r.skip(`,"kind":`) {
			input.Kind = r.kind()
		}
		r.want(`,"hidden":`)
		input.Hidden = r.bool()
		r.want(`,"item":{"type":`)
		input.Item.Type = r.word(`"message"`)
		r.want(`,"role":`)
		input.Item.Role = r.word(`"user"`, `"developer"`)
		r.want(`,"content":`)
		begin := len(contents)
		contents = r.appendContents(contents)
		input.Item.Content = contents[begin:len(contents):len(contents)]
		r.want(`}`)
		if r.skip(`,"unresolved":`) {
			input.Unresolved = r.unresolved()
		}
		r.want(`}`)
		inputs = append(inputs, input)
	}
	return inputs
}

// appendContents reads the parts of a message.
func (r *reader) appendContents(contents []abi.Content) []abi.Content {
	for more := r.begin(); more; more = r.more() {
		var content abi.Content
		r.want(`{"type":`)
		content.Type = r.word(`"input_text"`, `"input_image"`)
		if r.skip(`,"text":`) {
			content.Text = r.string()
		}
		if r.skip(`,"image_url":`) {
			content.ImageURL = r.string()
		}
		if r.skip(`,"detail":`) {
			content.Detail = r.string()
		}
		r.want(`}`)
		contents = append(contents, content)
	}
	return contents
}

// unresolved reads what only a host can resolve.
func (r *reader) unresolved() []abi.Unresolved {
	all := []abi.Unresolved{}
	for more := r.begin(); more; more = r.more() {
		var one abi.Unresolved
		r.want(`{"at":`)
		one.At = r.int()
		r.want(`,"type":`)
		one.Type = abi.UserInputType(r.string())
		if r.skip(`,"name":`) {
			one.Name = r.string()
		}
		r.want(`,"path":`)
		one.Path = r.string()
		if r.skip(`,"detail":`) {
			one.Detail = r.string()
		}
		if r.skip(`,"number":`) {
			one.Number = r.int()
		}
		r.want(`}`)
		all = append(all, one)
	}
	return all
}

// receipts reads receipts. What was cut has one piece of memory.
func (r *reader) receipts() []abi.Receipt {
	receipts := make([]abi.Receipt, 0, bytes.Count(r.text[r.at:], []byte(receiptBegin)))
	var cut []abi.Truncated
	for more := r.begin(); more; more = r.more() {
		var receipt abi.Receipt
		r.want(receiptBegin)
		receipt.Key = r.string()
		r.want(`,"kind":`)
		receipt.Kind = r.kind()
		r.want(`,"change":`)
		receipt.Change = abi.Change(r.word(`"unchanged"`, `"changed"`, `"added"`))
		r.want(`,"tokens":`)
		receipt.Tokens = r.int()
		if r.skip(`,"truncated":`) {
			if cut == nil {
				cut = make([]abi.Truncated, 0, cap(receipts)-len(receipts))
			}
			cut = append(cut, r.truncated())
			receipt.Truncated = &cut[len(cut)-1]
		}
		r.want(`,"warnings":`)
		receipt.Warnings = r.warnings()
		r.want(`}`)
		receipts = append(receipts, receipt)
	}
	return receipts
}

// truncated reads how much of a value was cut.
func (r *reader) truncated() (t abi.Truncated) {
	r.want(`{"originalTokens":`)
	t.OriginalTokens = r.int()
	r.want(`,"removedTokens":`)
	t.RemovedTokens = r.int()
	r.want(`}`)
	return t
}

// warnings reads the warnings of a receipt.
func (r *reader) warnings() []abi.Warning {
	warnings := []abi.Warning{}
	for more := r.begin(); more; more = r.more() {
		warnings = append(warnings, abi.Warning(r.string()))
	}
	return warnings
}
