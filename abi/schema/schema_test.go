package schema_test

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// schema is a JSON Schema, or a part of one.
type schema = map[string]any

// read reads a schema without its descriptions: they are for people.
func read(t *testing.T, file string) schema {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	strip(s)
	return s
}

// strip takes the descriptions out of a value. A description is a string; a
// property of that name would be an object, and stays.
func strip(value any) {
	switch v := value.(type) {
	case schema:
		if _, ok := v["description"].(string); ok {
			delete(v, "description")
		}
		for _, member := range v {
			strip(member)
		}
	case []any:
		for _, item := range v {
			strip(item)
		}
	}
}

// properties returns the member properties of a schema.
func properties(t *testing.T, s schema) schema {
	t.Helper()
	p, ok := s["properties"].(schema)
	if !ok {
		t.Fatal("no properties")
	}
	return p
}

// context is what params have beyond the protocol's published schema.
var context = schema{
	"additionalProperties": schema{"anyOf": []any{
		schema{"$ref": "#/definitions/AdditionalContextEntry"}, schema{"type": "null"},
	}},
	"type": []any{"object", "null"},
}

// The schema has the structure of the protocol's own, which testdata has as it
// was published, and additionalContext besides.
func TestTurnStartParamsAreTheProtocols(t *testing.T) {
	ours := read(t, "turn_start_params.schema.json")
	if got := properties(t, ours)["additionalContext"]; !reflect.DeepEqual(got, context) {
		t.Errorf("additionalContext is %v, want %v", got, context)
	}
	delete(properties(t, ours), "additionalContext")
	published := read(t, "testdata/turn_start_params.reference.json")
	if !reflect.DeepEqual(ours, published) {
		got, _ := json.MarshalIndent(ours, "", " ")
		want, _ := json.MarshalIndent(published, "", " ")
		t.Errorf("without additionalContext it is\n%s\nwant\n%s", got, want)
	}
}

// What both params have is the same in both.
func TestTurnSteerParams(t *testing.T) {
	start, steer := read(t, "turn_start_params.schema.json"), read(t, "turn_steer_params.schema.json")
	if got, want := steer["required"], []any{"expectedTurnId", "input", "threadId"}; !reflect.DeepEqual(got, want) {
		t.Errorf("required are %v, want %v", got, want)
	}
	if n := len(properties(t, steer)); n != 4 {
		t.Errorf("%d properties, want 4", n)
	}
	for name, got := range properties(t, steer) {
		want := properties(t, start)[name]
		if name == "expectedTurnId" {
			want = schema{"type": "string"}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	definitions, ok := start["definitions"].(schema)
	if !ok {
		t.Fatal("no definitions")
	}
	for name, got := range steer["definitions"].(schema) {
		if want := definitions[name]; !reflect.DeepEqual(got, want) {
			t.Errorf("definition %s is %v, in TurnStartParams %v", name, got, want)
		}
	}
}
