package schematest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// value is a JSON value with all that a text says of it: names that stand
// twice, the spelling of numbers, and where it stands.
type value struct {
	kind    string // as JSON Schema has it, but number for all numbers
	text    string // of a string; the spelling of a number, a boolean or null
	members []member
	items   []*value

	start, end int // byte offsets of its first byte and past its last
}

// member is a member of an object.
type member struct {
	name  string
	value *value
	start int // byte offset of the name's opening quote
}

// treeReader reads a text token by token.
type treeReader struct {
	*json.Decoder
	text []byte
}

// parse reads a JSON text.
func parse(t testing.TB, text []byte) *value {
	t.Helper()
	r := treeReader{json.NewDecoder(bytes.NewReader(text)), text}
	r.UseNumber()
	v, err := r.value()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// next returns the offset of the token that comes next, behind white space, a
// comma or a colon.
func (r treeReader) next() int {
	i := int(r.InputOffset())
	for i < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[i]) >= 0 {
		i++
	}
	return i
}

func (r treeReader) value() (*value, error) {
	v := &value{start: r.next()}
	token, err := r.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case nil:
		v.kind, v.text = "null", "null"
	case bool:
		v.kind, v.text = "boolean", strconv.FormatBool(token)
	case json.Number:
		v.kind, v.text = "number", token.String()
	case string:
		v.kind, v.text = "string", token
	case json.Delim:
		if err := r.container(v, token); err != nil {
			return nil, err
		}
	}
	v.end = int(r.InputOffset())
	return v, nil
}

// container reads what stands in brackets, and the closing one.
func (r treeReader) container(v *value, opening json.Delim) error {
	v.kind = "array"
	if opening == '{' {
		v.kind = "object"
	}
	for r.More() {
		m := member{start: r.next()}
		if v.kind == "object" {
			name, err := r.Token()
			if err != nil {
				return err
			}
			m.name = name.(string) // a Decoder takes nothing else for a name
		}
		item, err := r.value()
		if err != nil {
			return err
		}
		if v.kind == "array" {
			v.items = append(v.items, item)
			continue
		}
		m.value = item
		v.members = append(v.members, m)
	}
	_, err := r.Token()
	return err
}

// get returns the first member of that name, nil if there is none.
func (v *value) get(name string) *value {
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// instance returns the value as the JSON Schema library takes it; of a name
// that stands twice the first counts.
func (v *value) instance() any {
	switch v.kind {
	case "null":
		return nil
	case "boolean":
		return v.text == "true"
	case "number":
		return json.Number(v.text)
	case "string":
		return v.text
	case "array":
		items := make([]any, len(v.items))
		for i, item := range v.items {
			items[i] = item.instance()
		}
		return items
	}
	members := map[string]any{}
	for _, m := range v.members {
		if _, repeated := members[m.name]; !repeated {
			members[m.name] = m.value.instance()
		}
	}
	return members
}

// clone returns a copy that shares nothing.
func (v *value) clone() *value {
	c := *v
	c.members = append([]member(nil), v.members...)
	for i := range c.members {
		c.members[i].value = c.members[i].value.clone()
	}
	c.items = append([]*value(nil), v.items...)
	for i := range c.items {
		c.items[i] = c.items[i].clone()
	}
	return &c
}

// all returns the value and all values in it.
func (v *value) all() []*value {
	list := []*value{v}
	for _, m := range v.members {
		list = append(list, m.value.all()...)
	}
	for _, item := range v.items {
		list = append(list, item.all()...)
	}
	return list
}

// writer writes values with white space and escapes as chance has it.
type writer struct {
	bytes.Buffer
	random *rand.Rand // nil: with none
}

// chance is true once in a while.
func (w *writer) chance() bool { return w.random != nil && w.random.IntN(12) == 0 }

// write returns a text of the value. Without a source of numbers it is compact.
func (v *value) write(r *rand.Rand) []byte {
	w := &writer{random: r}
	w.value(v)
	return w.Bytes()
}

func (w *writer) value(v *value) {
	w.space()
	switch v.kind {
	case "string":
		w.string(v.text)
	case "array":
		w.WriteByte('[')
		for i, item := range v.items {
			w.comma(i)
			w.value(item)
		}
		w.space()
		w.WriteByte(']')
	case "object":
		w.WriteByte('{')
		for i, m := range v.members {
			w.comma(i)
			w.space()
			w.string(m.name)
			w.space()
			w.WriteByte(':')
			w.value(m.value)
		}
		w.space()
		w.WriteByte('}')
	default:
		w.WriteString(v.text)
	}
	w.space()
}

func (w *writer) comma(index int) {
	if index > 0 {
		w.WriteByte(',')
	}
}

func (w *writer) space() {
	if w.chance() {
		w.WriteString([]string{" ", "\n", "\t", "\r\n  "}[w.random.IntN(4)])
	}
}

// string writes a string, now and then with an escape that it does not need.
func (w *writer) string(s string) {
	escaped := -1
	if s != "" && s[0] < 0x80 && w.chance() {
		escaped = 0
	}
	w.WriteByte('"')
	for i, c := range s {
		switch {
		case i == escaped || c < 0x20 || c == '"' || c == '\\':
			fmt.Fprintf(w, `\u%04x`, c)
		default:
			w.WriteRune(c)
		}
	}
	w.WriteByte('"')
}

// What was written is read again, and stands where it was read.
func TestTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	v := parse(t, []byte(`{"a":[null,true,-1.50e2,"é\"\n",{}],"a":{"":[]}}`))
	for range 100 {
		text := v.write(r)
		again := parse(t, text)
		if got, want := string(again.write(nil)), string(v.write(nil)); got != want {
			t.Fatalf("%s is read as %s, want %s", text, got, want)
		}
		for _, part := range again.all() {
			written := parse(t, text[part.start:part.end])
			if got, want := string(written.write(nil)), string(part.write(nil)); got != want {
				t.Fatalf("%s has %s at %d, want %s", text, got, part.start, want)
			}
		}
	}
}
