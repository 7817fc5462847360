package schematest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// violation is one thing that is wrong with params.
type violation struct {
	offset int
	path   string
	beyond string // why JSON Schema sees nothing wrong in it; "" if it does
}

// What is wrong with params and not by JSON Schema.
const (
	repeatedName    = "a name stands twice: JSON Schema has no word for it, since a JSON value has each name once"
	nullEntry       = "an entry is null and the policy's updates are not a patch: the schema of params does not see the policy"
	integerSpelling = "an integer has a fraction, an exponent or a minus zero, or is above 2147483647: JSON Schema asks for its value only"
)

// plainReader reads params as abi/README.md has it ("Params and user input"), in the simplest way
// there is: it walks a tree along the schema's own text and collects all that
// is wrong.
type plainReader struct {
	schema     object
	patch      bool // the policy's updates are a patch
	violations []violation
	met        map[string]bool // the places in the schema that some value was held to
}

// entryPlace is the place of what an entry of additionalContext is.
const entryPlace = "#/properties/additionalContext/additionalProperties"

type object = map[string]any

func newPlainReader(t *testing.T, name string) *plainReader {
	t.Helper()
	text, err := os.ReadFile("../" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	p := &plainReader{met: map[string]bool{}}
	if err := json.Unmarshal(text, &p.schema); err != nil {
		t.Fatal(err)
	}
	return p
}

// read returns all that is wrong with params.
func (p *plainReader) read(v *value) []violation {
	p.violations = nil
	p.check(p.schema, "#", v, "")
	return p.violations
}

func (p *plainReader) add(offset int, path, beyond string) {
	p.violations = append(p.violations, violation{offset, path, beyond})
}

// check holds a value to a schema that stands at a place.
func (p *plainReader) check(s object, at string, v *value, path string) {
	p.met[at] = true
	if isAnything(s) {
		return // nobody reads it, so names may stand twice in it
	}
	if ref, ok := s["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/definitions/")
		p.check(p.schema["definitions"].(object)[name].(object), ref, v, path)
		return
	}
	if list, ok := s["allOf"].([]any); ok {
		for i, one := range list {
			p.check(one.(object), fmt.Sprintf("%s/allOf/%d", at, i), v, path)
		}
		return
	}
	if list, ok := s["anyOf"].([]any); ok { // something, or null
		which := 0
		if v.kind == "null" {
			which = 1
			if at == entryPlace && !p.patch {
				p.add(v.start, path, nullEntry)
			}
		}
		p.check(list[which].(object), fmt.Sprintf("%s/anyOf/%d", at, which), v, path)
		return
	}
	if list, ok := s["oneOf"].([]any); ok {
		p.checkOneOf(list, at, v, path)
		return
	}
	if !p.isOfType(s, v) {
		p.add(v.start, path, "")
		return
	}
	switch v.kind {
	case "string":
		if enum, ok := s["enum"].([]any); ok && !slices.Contains(enum, any(v.text)) {
			p.add(v.start, path, "")
		}
	case "number":
		p.checkNumber(s, v, path)
	case "array":
		if items, ok := s["items"].(object); ok {
			for i, item := range v.items {
				p.check(items, at+"/items", item, fmt.Sprintf("%s[%d]", path, i))
			}
		}
	case "object":
		p.checkObject(s, at, v, path)
	}
}

// isAnything reports whether the schema says nothing.
func isAnything(s object) bool {
	for keyword := range s {
		if keyword != "description" {
			return false
		}
	}
	return true
}

// typesOf returns what a schema says of the type, nil if nothing.
func typesOf(s object) []any {
	switch types := s["type"].(type) {
	case string:
		return []any{types}
	case []any:
		return types
	}
	return nil
}

func (p *plainReader) isOfType(s object, v *value) bool {
	types := typesOf(s)
	return types == nil || slices.Contains(types, any(v.kind)) || v.kind == "number" && slices.Contains(types, any("integer"))
}

// isPlainInteger tells how abi/README.md has an integer written.
var isPlainInteger = regexp.MustCompile(`^(0|[1-9][0-9]*)$`).MatchString

// checkNumber checks a number; those of the schema are integers from 0 on.
func (p *plainReader) checkNumber(s object, v *value, path string) {
	if !slices.Contains(typesOf(s), any("integer")) {
		return
	}
	number, _ := new(big.Rat).SetString(v.text)
	switch {
	case !number.IsInt() || number.Sign() < 0:
		p.add(v.start, path, "")
	case !isPlainInteger(v.text) || number.Cmp(big.NewRat(1<<31-1, 1)) > 0:
		p.add(v.start, path, integerSpelling)
	}
}

// checkOneOf finds the alternative for the value: the one of its type, and
// among several objects the one that the value's first member "type" names.
func (p *plainReader) checkOneOf(list []any, at string, v *value, path string) {
	var of []int
	for i, alternative := range list {
		if p.isOfType(alternative.(object), v) {
			of = append(of, i)
		}
	}
	switch {
	case len(of) == 0:
		p.add(v.start, path, "")
		return
	case v.kind == "string":
		for _, i := range of {
			if slices.Contains(list[i].(object)["enum"].([]any), any(v.text)) {
				p.met[fmt.Sprintf("%s/oneOf/%d", at, i)] = true
				return
			}
		}
		p.add(v.start, path, "")
		return
	case len(of) == 1:
		p.check(list[of[0]].(object), fmt.Sprintf("%s/oneOf/%d", at, of[0]), v, path)
		return
	}
	tag := v.get("type")
	for _, i := range of {
		variant := list[i].(object)
		names := variant["properties"].(object)["type"].(object)["enum"].([]any)
		if tag != nil && tag.kind == "string" && slices.Contains(names, any(tag.text)) {
			p.check(variant, fmt.Sprintf("%s/oneOf/%d", at, i), v, path)
			return
		}
	}
	p.checkNames(v, path)
	if tag == nil {
		p.add(v.end-1, join(path, "type"), "")
	} else {
		p.add(tag.start, join(path, "type"), "")
	}
}

// checkNames finds the names that stand twice.
func (p *plainReader) checkNames(v *value, path string) {
	seen := map[string]bool{}
	for _, m := range v.members {
		if seen[m.name] {
			p.add(m.start, join(path, m.name), repeatedName)
		}
		seen[m.name] = true
	}
}

func (p *plainReader) checkObject(s object, at string, v *value, path string) {
	p.checkNames(v, path)
	properties, _ := s["properties"].(object)
	seen := map[string]bool{}
	for _, m := range v.members {
		if seen[m.name] {
			continue
		}
		seen[m.name] = true
		if property, ok := properties[m.name].(object); ok {
			p.check(property, at+"/properties/"+m.name, m.value, join(path, m.name))
			continue
		}
		switch others := s["additionalProperties"].(type) {
		case object:
			p.check(others, at+"/additionalProperties", m.value, join(path, m.name))
		case bool:
			if !others {
				p.add(m.start, join(path, m.name), "")
			}
		}
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if !seen[name.(string)] {
			p.add(v.end-1, join(path, name.(string)), "")
		}
	}
}

var isIdentifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString

// join returns the path of a member; its name needs no escapes here but those
// that JSON asks for.
func join(path, name string) string {
	switch {
	case !isIdentifier(name):
		return path + `["` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(name) + `"]`
	case path == "":
		return name
	}
	return path + "." + name
}

// first returns the paths of what is wrong first in the text. There are several
// where several members are missing: all of them stand where the object ends.
func first(violations []violation) (offset int, paths []string) {
	offset = slices.MinFunc(violations, func(a, b violation) int { return a.offset - b.offset }).offset
	for _, v := range violations {
		if v.offset == offset {
			paths = append(paths, v.path)
		}
	}
	return offset, paths
}

// places returns where in a schema that stands at a place a value may be held
// to something: all properties, and all alternatives.
func (p *plainReader) places(s any, at string) []string {
	places := []string{at}
	switch s := s.(type) {
	case object:
		for name, part := range s {
			switch name {
			case "properties":
				for property, schema := range part.(object) {
					places = append(places, p.places(schema, at+"/properties/"+property)...)
				}
			case "items", "additionalProperties":
				if part != false {
					places = append(places, p.places(part, at+"/"+name)...)
				}
			case "oneOf", "anyOf", "allOf":
				for i, one := range part.([]any) {
					places = append(places, p.places(one, fmt.Sprintf("%s/%s/%d", at, name, i))...)
				}
			case "$ref":
				ref := part.(string)
				places = append(places, p.places(p.schema["definitions"].(object)[strings.TrimPrefix(ref, "#/definitions/")], ref)...)
			}
		}
	}
	return places
}
