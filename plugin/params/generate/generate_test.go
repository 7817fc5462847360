package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tables are those of the schemas as they are now.
func TestUpToDate(t *testing.T) {
	want, err := generate("../" + schemas)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../" + output)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("tables.go is not what the schemas give: run go generate ./plugin/params")
	}
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tables.go")
	if err := run("../"+schemas, file); err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), file, nil, 0); err != nil {
		t.Error(err)
	}
	if err := run(t.TempDir(), file); err == nil {
		t.Error("a folder without schemas is no error")
	}
	if err := run("../"+schemas, filepath.Join(file, "none")); err == nil {
		t.Error("a file that cannot be written is no error")
	}
}

// compileText compiles a document with one definition, A, and one property, a.
// It returns the literals of the property's node, and of those it refers to.
func compileText(t *testing.T, definition, property string) ([]string, error) {
	t.Helper()
	text := fmt.Sprintf(`{"$schema":%q,"type":"object","definitions":{"A":%s},"properties":{"a":%s}}`, draft, definition, property)
	d, err := parseDocument("f", []byte(text))
	if err != nil {
		return nil, err
	}
	tables := newTables()
	root, err := tables.compileDocument(d)
	if err != nil {
		return nil, err
	}
	var literals []string
	for _, n := range tables.nodes[1:root] {
		literals = append(literals, n.literal())
	}
	if tables.nodes[root].types[0] == 0 {
		literals = append(literals, "")
	}
	return literals, nil
}

func TestRules(t *testing.T) {
	for _, test := range []struct {
		definition, property string
		want                 []string // the property's node is the last one
	}{
		{`{}`, `{}`, []string{""}},
		{`{"type":"string"}`, `{"description":"d","title":"t","default":[1]}`, []string{""}},
		{`{}`, `{"$ref":"#/definitions/A"}`, []string{""}},
		{`{}`, `{"type":"string"}`, []string{`kinds: 1<<json.KindString`}},
		{`{}`, `{"type":["null","boolean","number","string","array","object"]}`, []string{
			`kinds: 1<<json.KindNull | 1<<json.KindBool | 1<<json.KindNumber | 1<<json.KindString | 1<<json.KindArray | 1<<json.KindObject`}},
		{`{}`, `{"type":"string","enum":["x","y"]}`, []string{`kinds: 1<<json.KindString, enum: []string{"x", "y"}`}},
		{`{}`, `{"type":"integer","format":"uint","minimum":0.0}`, []string{`kinds: 1<<json.KindNumber, integer: true`}},
		{`{"type":"string"}`, `{"$ref":"#/definitions/A","description":"d"}`, []string{`kinds: 1<<json.KindString`}},
		{`{"type":"boolean"}`, `{"allOf":[{"$ref":"#/definitions/A"}],"default":true}`, []string{`kinds: 1<<json.KindBool`}},
		{`{"type":"string","enum":["x"]}`, `{"anyOf":[{"$ref":"#/definitions/A"},{"type":"null"}]}`, []string{
			`kinds: 1<<json.KindNull | 1<<json.KindString, enum: []string{"x"}`}},
		{`{}`, `{"oneOf":[{"type":"string","enum":["x","y"]},{"type":"string","enum":["z"]}]}`, []string{
			`kinds: 1<<json.KindString, enum: []string{"x", "y", "z"}`}},
		{`{}`, `{"oneOf":[{"type":"string","enum":["x"]},{"type":"object","additionalProperties":false,"required":["m"],"properties":{"m":{}}}]}`, []string{
			`kinds: 1<<json.KindString | 1<<json.KindObject, enum: []string{"x"}, closed: true, fields: []string{"m"}, types: []id{0}, required: 0b1`}},
		{`{}`, `{"oneOf":[{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["x"]}}},
			{"type":"object","required":["type","b"],"properties":{"type":{"type":"string","enum":["y"]},"b":{},"a":{"type":"string"}}}]}`, []string{
			`kinds: 1<<json.KindString, enum: []string{"x"}`,
			`kinds: 1<<json.KindString`,
			`kinds: 1<<json.KindString, enum: []string{"y"}`,
			`kinds: 1<<json.KindObject, fields: []string{"type"}, types: []id{1}, required: 0b1, tag: "x"`,
			`kinds: 1<<json.KindObject, fields: []string{"a", "b", "type"}, types: []id{2, 0, 3}, required: 0b110, tag: "y"`,
			`kinds: 1<<json.KindObject, variants: []id{4, 5}`}},
		{`{}`, `{"type":"array","items":{"type":"string"}}`, []string{`kinds: 1<<json.KindString`, `kinds: 1<<json.KindArray, items: 1`}},
		{`{}`, `{"type":"array","items":{}}`, []string{`kinds: 1<<json.KindArray`}},
		{`{}`, `{"type":"object","additionalProperties":{"type":"boolean"}}`, []string{`kinds: 1<<json.KindBool`, `kinds: 1<<json.KindObject, values: 1`}},
		{`{}`, `{"type":"object","additionalProperties":true}`, []string{`kinds: 1<<json.KindObject`}},
		// Equal nodes are one, wherever they stand.
		{`{"type":"string"}`, `{"type":"object","properties":{"x":{"$ref":"#/definitions/A"},"y":{"type":"string"}}}`, []string{
			`kinds: 1<<json.KindString`, `kinds: 1<<json.KindObject, fields: []string{"x", "y"}, types: []id{1, 1}`}},
	} {
		got, err := compileText(t, test.definition, test.property)
		if err != nil {
			t.Errorf("%s: %v", test.property, err)
			continue
		}
		if g, w := strings.Join(got, "\n"), strings.Join(test.want, "\n"); g != w {
			t.Errorf("%s:\n got %s\nwant %s", test.property, g, w)
		}
	}
}

// What the program does not understand is an error that says where it stands.
func TestNotUnderstood(t *testing.T) {
	many := make(map[string]any)
	for i := range maxFields + 1 {
		many[fmt.Sprint("p", i)] = map[string]any{}
	}
	tooMany, err := json.Marshal(map[string]any{"type": "object", "properties": many})
	if err != nil {
		t.Fatal(err)
	}
	const a = "f#/properties/a"
	for _, test := range []struct {
		definition, property string
		at                   string // what the error begins with
	}{
		{`{}`, `{"type":"string","pattern":"x"}`, a + "/pattern: "},
		{`{}`, `{"const":1}`, a + "/const: "},
		{`{}`, `{"type":"array","items":{"type":"string","maxLength":1}}`, a + "/items/maxLength: "},
		{`{}`, `{"type":"array","items":[{}]}`, a + "/items: "},
		{`{}`, `{"type":"object","properties":{"b":{"minItems":1}}}`, a + "/properties/b/minItems: "},
		{`{}`, `{"type":"object","properties":[]}`, a + "/properties: "},
		{`{}`, `{"type":"object","additionalProperties":{"not":{}}}`, a + "/additionalProperties/not: "},
		{`{}`, `{"oneOf":[{"type":"string","enum":["x"]},{"if":{}}]}`, a + "/oneOf/1/if: "},
		{`{}`, `{"oneOf":{}}`, a + "/oneOf: "},
		{`{"type":"string","minLength":1}`, `{}`, "f#/definitions/A/minLength: "}, // though nothing refers to it
		{`{"type":"unknown"}`, `{}`, "f#/definitions/A/type: "},
		{`{"$ref":"#/definitions/A"}`, `{}`, "f#/definitions/A: "},
		{`{"type":"array","items":{"$ref":"#/definitions/A"}}`, `{}`, "f#/definitions/A/items: "},
		{`{}`, `true`, a + ": "},
		{`{}`, `{"type":"string","type":"null"}`, a + ": "},
		{`{}`, `{"type":1}`, a + "/type: "},
		{`{}`, `{"type":[]}`, a + "/type: "},
		{`{}`, `{"type":["string","string"]}`, a + "/type: "},
		{`{}`, `{"type":["integer","number"],"format":"uint","minimum":0}`, a + "/type: "},
		{`{}`, `{"title":null,"type":"string"}`, a + "/title: "},
		{`{}`, `{"$ref":1}`, a + "/$ref: "},
		{`{}`, `{"$ref":"other.json"}`, a + "/$ref: "},
		{`{}`, `{"$ref":"#/definitions/A/properties/x"}`, a + "/$ref: "},
		{`{}`, `{"$ref":"#/definitions/B"}`, a + ": "},
		{`{}`, `{"$ref":"#/definitions/A","type":"string"}`, a + ": "},
		{`{}`, `{"$ref":"#/definitions/A","enum":["x"]}`, a + ": "},
		{`{}`, `{"enum":["x"]}`, a + ": "},
		{`{}`, `{"properties":{}}`, a + ": "},
		{`{}`, `{"type":"string","enum":[1]}`, a + "/enum: "},
		{`{}`, `{"type":"string","enum":[]}`, a + ": "},
		{`{}`, `{"type":"string","enum":["x","x"]}`, a + ": "},
		{`{}`, `{"type":["string","null"],"enum":["x"]}`, a + ": "},
		{`{}`, `{"type":"integer"}`, a + ": "},
		{`{}`, `{"type":"integer","format":"int64","minimum":0}`, a + ": "},
		{`{}`, `{"type":"integer","format":"uint","minimum":1}`, a + ": "},
		{`{}`, `{"type":"number","minimum":0}`, a + ": "},
		{`{}`, `{"type":"string","format":"uri"}`, a + ": "},
		{`{}`, `{"type":"string","items":{}}`, a + ": "},
		{`{}`, `{"type":"string","properties":{}}`, a + ": "},
		{`{}`, `{"type":"object","required":["b"]}`, a + ": "},
		{`{}`, `{"type":"object","required":["c"],"properties":{"b":{}}}`, a + ": "},
		{`{}`, `{"type":"object","additionalProperties":false}`, a + ": "},
		{`{}`, `{"type":"object","additionalProperties":{},"properties":{"b":{}}}`, a + ": "},
		{`{}`, string(tooMany), a + ": "},
		{`{}`, `{"allOf":[]}`, a + ": "},
		{`{}`, `{"allOf":[{"type":"string"},{"type":"string"}]}`, a + ": "},
		{`{}`, `{"anyOf":[{"type":"string"}]}`, a + ": "},
		{`{}`, `{"anyOf":[{"type":"string"},{"type":"boolean"}]}`, a + ": "},
		{`{}`, `{"anyOf":[{},{"type":"null"}]}`, a + ": "},
		{`{}`, `{"oneOf":[]}`, a + ": "},
		{`{}`, `{"oneOf":[{"type":"string"}]}`, a + "/oneOf/0: "},
		{`{}`, `{"oneOf":[{"type":"string","enum":["x"]},{"type":"null"}]}`, a + "/oneOf/1: "},
		{`{}`, `{"oneOf":[{"type":"string","enum":["x"]},{"type":"string","enum":["x"]}]}`, a + ": "},
		{`{}`, `{"oneOf":[{"type":"object"},{"type":"object"}]}`, a + "/oneOf: object 1: "},
		{`{}`, `{"oneOf":[{"type":"object","properties":{"type":{"type":"string","enum":["x"]}}},{"type":"object"}]}`, a + "/oneOf: object 1: "},
		{`{}`, `{"oneOf":[{"type":"object","required":["type"],"properties":{"type":{"type":"string"}}},{"type":"object"}]}`, a + "/oneOf: object 1: "},
		{`{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["x"]}}}`,
			`{"oneOf":[{"$ref":"#/definitions/A"},{"$ref":"#/definitions/A"}]}`, a + ": "},
	} {
		_, err := compileText(t, test.definition, test.property)
		if err == nil || !strings.HasPrefix(err.Error(), test.at) {
			t.Errorf("A is %.200s, a is %.200s: error %v, want one that begins with %q", test.definition, test.property, err, test.at)
		}
	}
}

func TestDocuments(t *testing.T) {
	for _, test := range []struct{ text, at string }{
		{`[]`, "f#: "},
		{`{`, "f#: "},
		{`{"a":`, "f#: "},
		{`{} {}`, "f#: "},
		{`{"type":"object"}`, "f#/$schema: "},
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema"}`, "f#/$schema: "},
		{`{"$schema":"` + draft + `","definitions":[]}`, "f#/definitions: "},
		{`{"$schema":"` + draft + `","$id":"x"}`, "f#/$id: "},
		{`{"$schema":"` + draft + `","type":"string"}`, "f#: "},
		{`{"$schema":"` + draft + `","type":"object"}`, "f#: "},
	} {
		d, err := parseDocument("f", []byte(test.text))
		if err == nil {
			_, err = newTables().compileDocument(d)
		}
		if err == nil || !strings.HasPrefix(err.Error(), test.at) {
			t.Errorf("%s: error %v, want one that begins with %q", test.text, err, test.at)
		}
	}
}

// Both roots have an input, and the items of both are the same variants.
func TestRoots(t *testing.T) {
	variants := func(name string) string {
		return `{"type":"array","items":{"oneOf":[
			{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["x"]}}},
			{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["` + name + `"]}}}]}}`
	}
	root := func(properties string) *document {
		d, err := parseDocument("f", []byte(`{"$schema":"`+draft+`","type":"object","properties":`+properties+`}`))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	y, z := root(`{"input":`+variants("y")+`}`), root(`{"input":`+variants("z")+`}`)
	if _, err := compile(y, y); err != nil {
		t.Error(err)
	}
	wide := make([]string, maxNodes)
	for i := range wide {
		wide[i] = fmt.Sprintf(`{"type":"string","enum":["%d"]}`, i)
	}
	// Two variants, the second of which has these properties as well.
	members := func(properties string) *document {
		return root(`{"input":{"type":"array","items":{"oneOf":[
			{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["x"]},"a":{"type":"string"}}},
			{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["y"]},` + properties + `}}]}}}`)
	}
	fits := members(`"a":{"type":"string"},"b":{"type":"array"},"c":{},"d":{"type":["string","null"]},"fifteen letters":{"type":"string","enum":["fifteen letters"]}`)
	if tables, err := compile(fits, fits); err != nil {
		t.Error(err)
	} else if got := fmt.Sprint(tables.members); !strings.HasPrefix(got, "[{type ") || strings.Index(got, "{d ") > strings.Index(got, "{b ") {
		t.Errorf("members %s, want the tag, the strings, the rest", got)
	}
	properties := `{"input":` + variants("y")
	for i := 0; i < len(wide); i += maxFields {
		properties += fmt.Sprintf(`,"p%d":{"type":"object","properties":{`, i)
		for j, s := range wide[i : i+maxFields] {
			properties += strings.Repeat(",", min(j, 1)) + fmt.Sprintf(`"q%d":%s`, j, s)
		}
		properties += `}}`
	}
	for name, pair := range map[string][2]*document{
		"other variants":  {y, z},
		"no input":        {root(`{"a":{}}`), y},
		"none of a steer": {y, root(`{"a":{}}`)},
		"no variants":     {root(`{"input":{"type":"array","items":{"type":"string"}}}`), y},
		"no array":        {root(`{"input":{"type":"string"}}`), y},
		"too many nodes":  {root(properties + `}`), y},

		"members that differ": {members(`"a":{"type":["string","null"]}`), members(`"a":{"type":["string","null"]}`)},
		"too many members":    {members(`"b":{},"c":{},"d":{},"e":{},"f":{},"g":{}`), members(`"b":{},"c":{},"d":{},"e":{},"f":{},"g":{}`)},
		"too long a name":     {members(`"sixteen  letters":{}`), members(`"sixteen  letters":{}`)},
		"too long a value":    {members(`"b":{"type":"string","enum":["sixteen  letters"]}`), members(`"b":{"type":"string","enum":["sixteen  letters"]}`)},
	} {
		if _, err := compile(pair[0], pair[1]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestGoName(t *testing.T) {
	for name, want := range map[string]string{
		"threadId": "ThreadID", "url": "URL", "text_elements": "TextElements", "localImage": "LocalImage", "a": "A", "x__y": "XY", "": "",
	} {
		if got := goName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
