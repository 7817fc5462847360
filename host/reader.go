package host

import (
	"bytes"
	"slices"
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
	strings []byte // what was read of strings, in one piece of memory for all; never written again; nil before the first
	used    int    // how much of strings is
	failed  bool   // whatever was read since says nothing
}

// newReader returns a reader of text. It keeps nothing of it.
func newReader(text []byte) *reader { return &reader{text: text} }

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
	if r.strings == nil {
		// No string has more bytes than its JSON. The rest is for who writes many
		// at a time.
		r.strings = make([]byte, len(r.text)-r.at+8)
	}
	from := r.used
	for r.many(); !r.failed && !r.skip(`"`); r.many() {
		r.plain()
		r.escape()
		for !r.failed && bytes.HasPrefix(r.text[r.at:], []byte(`\u`)) { // these are seldom alone
			r.escape()
		}
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
	if r.at < len(r.text) && r.text[r.at] == '"' {
		return
	}
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
	if len(digits) < 4 {
		r.failed = true
		return
	}
	c := hex(digits[0])<<12 | hex(digits[1])<<8 | hex(digits[2])<<4 | hex(digits[3])
	if c < 0 || utf16.IsSurrogate(c) {
		r.failed = true
		return
	}
	r.used += utf8.EncodeRune(r.strings[r.used:], c)
	r.at += 6
}

// hex returns what a hexadecimal digit stands for, -1 if it is none.
func hex(digit byte) rune {
	switch {
	case '0' <= digit && digit <= '9':
		return rune(digit - '0')
	case 'a' <= digit && digit <= 'f':
		return rune(digit - 'a' + 10)
	case 'A' <= digit && digit <= 'F':
		return rune(digit - 'A' + 10)
	}
	return -1
}

// skipString goes on behind a string without escapes, and tells whether it stands
// there.
func (r *reader) skipString(s string) bool {
	end := r.at + len(s) + 2
	if end > len(r.text) || r.text[r.at] != '"' || r.text[end-1] != '"' ||
		string(r.text[r.at+1:end-1]) != s || plainPrefix(s) != len(s) {
		return false
	}
	r.at = end
	return true
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

// activeTurn reads the turn that a thread is in.
func (r *reader) activeTurn() (turn abi.ActiveTurn) {
	r.want(`{"id":`)
	turn.ID = r.string()
	r.want(`,"kind":`)
	turn.Kind = abi.TurnKind(r.word(`"regular"`))
	r.want(`}`)
	return turn
}

// told reads the end of an answer: what the model is told, and the receipts.
func (r *reader) told(likely forecast, inputs *[]abi.Input, receipts *[]abi.Receipt) {
	r.want(`,"inputs":`)
	few := likely.few
	if few == nil {
		few = new(fewTold)
	}
	*inputs = r.inputs(likely.inputs, few)
	r.want(`,"receipts":`)
	*receipts = r.receipts(likely.receipts, few)
	r.want(`}`)
}

// A message is what an input most often points to: its key, and a text.
type message struct {
	key  string
	text [1]abi.Content
}

// fewTold has room for what an answer most often tells, so that it can be part of
// the response.
type fewTold struct {
	inputs   [1]abi.Input
	messages [1]message
	receipts [4]abi.Receipt
}

// inputs reads inputs, likely so many. Their messages have one piece of memory
// while there are not more.
func (r *reader) inputs(likely int, few *fewTold) []abi.Input {
	inputs := []abi.Input{}
	var messages []message
	begin := r.at
	for more := r.begin(); more; more = r.more() {
		if len(inputs) == cap(inputs) {
			n := r.room(len(inputs), r.at-begin, likely)
			inputs, messages = moreInputs(inputs, n, few)
		}
		inputs = inputs[:len(inputs)+1]
		r.input(&inputs[len(inputs)-1], &messages[0])
		messages = messages[1:]
	}
	return inputs
}

// moreInputs returns the inputs with room for n, and messages for those that are
// not there yet.
func moreInputs(inputs []abi.Input, n int, few *fewTold) ([]abi.Input, []message) {
	if n <= len(few.inputs) {
		return few.inputs[:0], few.messages[:]
	}
	return append(make([]abi.Input, 0, n), inputs...), make([]message, n-len(inputs))
}

// room returns for how many inputs to make room, after n that took so many
// bytes, where there are likely so many. If that was wrong, the rest of the text
// tells how many more there may be.
func (r *reader) room(n, size, likely int) int {
	if n == 0 {
		return max(1, likely)
	}
	average := size/n + 1
	return n + max(n, 1+(len(r.text)-r.at)/average)
}

// input reads an input.
func (r *reader) input(input *abi.Input, own *message) {
	if r.skip(`{"source":"additionalContext","key":`) {
		input.Source = abi.SourceAdditionalContext
		own.key, input.Key = r.string(), &own.key
		if r.usual(input, own) {
			return
		}
	} else {
		r.want(`{"source":`)
		input.Source = abi.Source(r.word(`"additionalContext"`, `"user"`, `"promptHook"`))
		if r.skip(`,"key":`) {
			own.key, input.Key = r.string(), &own.key
		}
	}
	if r.skip(`,"kind":`) {
		input.Kind = r.kind()
	}
	r.want(`,"hidden":`)
	input.Hidden = r.bool()
	r.want(`,"item":{"type":`)
	input.Item.Type = r.word(`"message"`)
	r.want(`,"role":`)
	input.Item.Role = r.word(`"`+abi.UserRole+`"`, `"`+abi.DeveloperRole+`"`)
	r.want(`,"content":`)
	input.Item.Content = r.contents(own)
	r.want(`}`)
	if r.skip(`,"unresolved":`) {
		input.Unresolved = r.unresolved()
	}
	r.want(`}`)
}

// usual reads what follows the key of an entry, if it is what always follows a
// kind.
func (r *reader) usual(input *abi.Input, own *message) bool {
	switch {
	case r.skip(`,"kind":"untrusted","hidden":true,"item":{"type":"message","role":"user","content":[{"type":"input_text","text":`):
		input.Kind, input.Item.Role = abi.Untrusted, abi.UserRole
	case r.skip(`,"kind":"application","hidden":true,"item":{"type":"message","role":"developer","content":[{"type":"input_text","text":`):
		input.Kind, input.Item.Role = abi.Application, abi.DeveloperRole
	default:
		return false
	}
	input.Hidden, input.Item.Type = true, "message"
	own.text[0] = abi.Content{Type: abi.TextContent, Text: r.string()}
	input.Item.Content = own.text[:]
	r.want(`}]}}`)
	return true
}

// contents reads the parts of a message. A single one is the message's own.
func (r *reader) contents(own *message) []abi.Content {
	contents := own.text[:0:1]
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

// receipts reads receipts, likely so many. What was cut has one piece of memory
// while there are not more.
func (r *reader) receipts(likely int, few *fewTold) []abi.Receipt {
	receipts := []abi.Receipt{}
	var cut []abi.Truncated
	for more := r.begin(); more; more = r.more() {
		switch {
		case len(receipts) < cap(receipts):
		case len(receipts) > 0:
			receipts = slices.Grow(receipts, 1)
		case likely > len(few.receipts):
			receipts = make([]abi.Receipt, 0, likely)
		default:
			receipts = few.receipts[:0]
		}
		receipts = receipts[:len(receipts)+1] // the last is empty still
		cut = r.receipt(&receipts[len(receipts)-1], cut, cap(receipts)-len(receipts)+1)
	}
	return receipts
}

// receipt reads a receipt. What was cut goes behind the rest of that, for which
// there is first made room for so many.
func (r *reader) receipt(receipt *abi.Receipt, cut []abi.Truncated, room int) []abi.Truncated {
	r.want(`{"key":`)
	receipt.Key = r.string()
	if r.unchanged(receipt) {
		return cut
	}
	r.want(`,"kind":`)
	receipt.Kind = r.kind()
	r.want(`,"change":`)
	receipt.Change = abi.Change(r.word(`"unchanged"`, `"changed"`, `"added"`))
	r.want(`,"tokens":`)
	receipt.Tokens = r.int()
	if r.skip(`,"truncated":`) {
		if cut == nil {
			cut = make([]abi.Truncated, 0, room)
		}
		cut = append(cut, r.truncated())
		receipt.Truncated = &cut[len(cut)-1]
	}
	r.want(`,"warnings":`)
	receipt.Warnings = r.warnings()
	r.want(`}`)
	return cut
}

// unchanged reads what follows the key of most receipts, if that stands there.
func (r *reader) unchanged(receipt *abi.Receipt) bool {
	switch {
	case r.skip(`,"kind":"untrusted","change":"unchanged","tokens":0,"warnings":[]}`):
		receipt.Kind = abi.Untrusted
	case r.skip(`,"kind":"application","change":"unchanged","tokens":0,"warnings":[]}`):
		receipt.Kind = abi.Application
	default:
		return false
	}
	receipt.Change, receipt.Warnings = abi.Unchanged, []abi.Warning{}
	return true
}

// truncated reads how much of a value was cut.
func (r *reader) truncated() (t abi.Truncated) {
	r.want(`{"originalTokens":`)
	t.OriginalTokens = r.int()
	r.want(`,"removedTokens":`)
	t.RemovedTokens = r.int()
	t.Estimated = r.skip(`,"estimated":true`)
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
