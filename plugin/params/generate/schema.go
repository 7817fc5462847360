package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/turncontext/turncontext/internal/jsonobject"
)

// draft is the version of JSON Schema that this program understands a part of.
const draft = "http://json-schema.org/draft-07/schema#"

// document is a file of JSON Schema.
type document struct {
	root        *schema
	definitions map[string]*schema
}

// schema is what a JSON Schema says. What it does not say is nil, empty or
// false.
type schema struct {
	at string // the file, and a JSON pointer into it

	title                string
	types                []string
	format               string
	minimum              json.Number
	enum                 []string
	ref                  string // the name of a definition
	allOf, anyOf, oneOf  []*schema
	items                *schema
	closed               bool    // additionalProperties is false
	additionalProperties *schema // unless it is true or false
	properties           map[string]*schema
	required             []string
}

// parseDocument reads the text of a file of that name. A keyword that the rest
// of the program does not know is an error.
func parseDocument(name string, text []byte) (*document, error) {
	at := name + "#"
	members, err := jsonobject.Members(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	var version string
	if err := json.Unmarshal(members["$schema"], &version); err != nil || version != draft {
		return nil, fmt.Errorf("%s/$schema: want %q", at, draft)
	}
	definitions, err := parseMap(at+"/definitions", members["definitions"])
	if err != nil {
		return nil, err
	}
	delete(members, "$schema")
	delete(members, "definitions")
	root, err := parseMembers(at, members)
	return &document{root, definitions}, err
}

// parse reads a schema that stands at a place.
func parse(at string, text json.RawMessage) (*schema, error) {
	members, err := jsonobject.Members(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return parseMembers(at, members)
}

// parseMembers reads the members of a schema that stands at a place.
func parseMembers(at string, members map[string]json.RawMessage) (*schema, error) {
	s := &schema{at: at}
	for keyword, text := range members {
		if err := s.parseKeyword(keyword, at+"/"+keyword, text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// parseKeyword reads the member keyword, which stands at a place.
func (s *schema) parseKeyword(keyword, at string, text json.RawMessage) (err error) {
	decode := func(to any) error {
		if err := decodeStrictly(text, to); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		return nil
	}
	switch keyword {
	case "description", "default":
		return nil // for people
	case "title":
		return decode(&s.title)
	case "type":
		s.types, err = parseTypes(at, text)
	case "format":
		return decode(&s.format)
	case "minimum":
		return decode(&s.minimum)
	case "enum":
		return decode(&s.enum)
	case "$ref":
		s.ref, err = parseRef(at, text)
	case "allOf":
		s.allOf, err = parseList(at, text)
	case "anyOf":
		s.anyOf, err = parseList(at, text)
	case "oneOf":
		s.oneOf, err = parseList(at, text)
	case "items":
		s.items, err = parse(at, text)
	case "additionalProperties":
		err = s.parseAdditional(at, text)
	case "properties":
		s.properties, err = parseMap(at, text)
	case "required":
		return decode(&s.required)
	default:
		err = fmt.Errorf("%s: this keyword is not understood", at)
	}
	return err
}

// parseTypes reads a type or a list of types.
func parseTypes(at string, text json.RawMessage) ([]string, error) {
	var one string
	if json.Unmarshal(text, &one) == nil {
		return []string{one}, nil
	}
	var list []string
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return list, nil
}

// parseRef reads a reference to a definition of the same file.
func parseRef(at string, text json.RawMessage) (string, error) {
	var ref string
	if err := json.Unmarshal(text, &ref); err != nil {
		return "", fmt.Errorf("%s: %w", at, err)
	}
	name, ok := strings.CutPrefix(ref, "#/definitions/")
	if !ok || name == "" || strings.ContainsAny(name, "/~%") {
		return "", fmt.Errorf("%s: %q is not a definition of this file", at, ref)
	}
	return name, nil
}

// parseAdditional reads what additionalProperties says; true says nothing.
func (s *schema) parseAdditional(at string, text json.RawMessage) (err error) {
	switch string(text) {
	case "true":
	case "false":
		s.closed = true
	default:
		s.additionalProperties, err = parse(at, text)
	}
	return err
}

// parseList reads an array of schemas.
func parseList(at string, text json.RawMessage) ([]*schema, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	list := make([]*schema, len(items))
	for i, item := range items {
		var err error
		if list[i], err = parse(fmt.Sprintf("%s/%d", at, i), item); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// parseMap reads an object of schemas; no text is an empty one.
func parseMap(at string, text json.RawMessage) (map[string]*schema, error) {
	m := map[string]*schema{}
	if text == nil {
		return m, nil
	}
	members, err := jsonobject.Members(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	for name, member := range members {
		if m[name], err = parse(at+"/"+name, member); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// decodeStrictly decodes a value that is not null.
func decodeStrictly(text json.RawMessage, to any) error {
	if string(text) == "null" {
		return errors.New("null")
	}
	return json.Unmarshal(text, to)
}
