package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// value is a JSON value, and where in the request it stands.
type value struct {
	start int // the offset of its first byte
	end   int // the offset of its last byte
	kind  kind
	text  string // of a string; the literal of a number
	truth bool
	// Members and items are in the order of the text; a name may stand twice.
	members []member
	items   []value
}

// member is a member of an object.
type member struct {
	name  string
	start int // the offset of the name's opening quote
	value value
}

// kind is the kind of a value; its text is for messages.
type kind string

const (
	null    kind = "null"
	boolean kind = "a boolean"
	number  kind = "a number"
	text    kind = "a string"
	array   kind = "an array"
	object  kind = "an object"
)

// read reads a request. It bounds neither depth nor size.
func read(request []byte) (value, error) {
	if !json.Valid(request) {
		return value{}, errors.New("model: the request is not JSON")
	}
	if !utf8.Valid(request) || loneSurrogate(request) {
		return value{}, errors.New("model: the request is ill-formed")
	}
	r := &reader{text: request, tokens: json.NewDecoder(bytes.NewReader(request))}
	r.tokens.UseNumber()
	return r.value(), nil
}

// loneSurrogate reports whether JSON text has an escape of half a pair.
func loneSurrogate(text []byte) bool {
	for at := bytes.IndexByte(text, '\\'); at >= 0; {
		first := escape(text, at)
		next := at + 2
		if utf16.IsSurrogate(first) {
			next = at + 6
			if utf16.DecodeRune(first, escape(text, next)) == utf8.RuneError {
				return true
			}
			next += 6
		}
		found := bytes.IndexByte(text[next:], '\\')
		if found < 0 {
			return false
		}
		at = next + found
	}
	return false
}

// escape returns what a \u escape at that place stands for, -1 if there is none.
func escape(text []byte, at int) rune {
	if !bytes.HasPrefix(text[at:], []byte(`\u`)) {
		return -1
	}
	n, err := strconv.ParseUint(string(text[at+2:at+6]), 16, 16)
	if err != nil {
		panic(err) // json.Valid said otherwise
	}
	return rune(n)
}

// reader reads a text that is known to be JSON.
type reader struct {
	text   []byte
	tokens *json.Decoder
}

// token returns the next token and where it starts.
func (r *reader) token() (token json.Token, start int) {
	start = int(r.tokens.InputOffset())
	for bytes.IndexByte([]byte(" \t\r\n,:"), r.text[start]) >= 0 {
		start++
	}
	token, err := r.tokens.Token()
	if err != nil {
		panic(err) // json.Valid said otherwise
	}
	return token, start
}

func (r *reader) value() value {
	token, start := r.token()
	v := value{start: start}
	switch token := token.(type) {
	case nil:
		v.kind = null
	case bool:
		v.kind, v.truth = boolean, token
	case json.Number:
		v.kind, v.text = number, token.String()
	case string:
		v.kind, v.text = text, token
	case json.Delim:
		r.inside(&v, token)
	}
	v.end = int(r.tokens.InputOffset()) - 1
	return v
}

// inside reads what an array or object holds, and its closing bracket.
func (r *reader) inside(v *value, opening json.Delim) {
	v.kind = array
	if opening == '{' {
		v.kind = object
	}
	for r.tokens.More() {
		if v.kind == array {
			v.items = append(v.items, r.value())
			continue
		}
		name, start := r.token()
		v.members = append(v.members, member{name.(string), start, r.value()})
	}
	r.token()
}

// find returns the first member of that name, nil if there is none.
func (v value) find(name string) *value {
	for i := range v.members {
		if v.members[i].name == name {
			return &v.members[i].value
		}
	}
	return nil
}

// given returns the member of that name, nil if it is absent or null.
func (v value) given(name string) *value {
	if m := v.find(name); m != nil && m.kind != null {
		return m
	}
	return nil
}

// integer returns the number that a value is, if it is written as the ABI has
// an integer (abi/README.md, "Limits").
func (v value) integer() (n int, ok bool) {
	if v.kind != number {
		return 0, false
	}
	for _, c := range v.text {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n64, err := strconv.ParseInt(v.text, 10, 32)
	return int(n64), err == nil
}

// signedInteger is integer for a number that may be negative.
func (v value) signedInteger() (n int, ok bool) {
	if v.kind != number || v.text == "-0" {
		return 0, false
	}
	n64, err := strconv.ParseInt(v.text, 10, 32)
	return int(n64), err == nil
}
