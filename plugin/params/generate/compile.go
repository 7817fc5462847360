package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// kinds is a set of kinds of JSON values.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	number
	text
	array
	object

	anyKind kinds = 0 // as package params has it
)

// node is what package params has for a schema; an index there is one into
// tables.nodes here.
type node struct {
	name     string // for people
	kinds    kinds
	integer  bool
	enum     []string
	items    int
	values   int
	closed   bool
	fields   []string
	types    []int
	required uint64
	variants []int
	tag      string
}

// The bounds of what package params can express.
const (
	maxFields = 64 // of an object: the bits of node.required
	maxNodes  = math.MaxUint8 + 1

	maxMembers = 7  // of all variants of UserInput: there are eights of bits for them and for unknown ones
	maxWord    = 16 // bytes of a name of UserInput, and of what such a member may be, with the quote
)

// tables are the nodes of all schemas, each once, and the roots among them.
type tables struct {
	nodes []node
	ids   map[string]int // by the node's literal

	start, steer, input int
	elements            int // of a text

	members []member // of all variants of input, each once: the tag, the other strings, the rest
}

// member is a member of some variants of an object.
type member struct {
	name string
	id   int
}

// compile compiles the schemas of both params. UserInput has to be the same in
// both.
func compile(start, steer *document) (*tables, error) {
	t := newTables()
	var err error
	if t.start, err = t.compileDocument(start); err != nil {
		return nil, err
	}
	if t.steer, err = t.compileDocument(steer); err != nil {
		return nil, err
	}
	if t.input, err = t.itemsOf(start.root, t.start); err != nil {
		return nil, err
	}
	input, err := t.itemsOf(steer.root, t.steer)
	if err != nil {
		return nil, err
	}
	if input != t.input {
		return nil, fmt.Errorf("%s: its items are not those of %s", steer.root.at, start.root.at)
	}
	if t.members, err = t.membersOf(t.input); err != nil {
		return nil, err
	}
	for _, m := range t.members {
		if m.name == "text_elements" {
			t.elements = m.id
		}
	}
	if len(t.nodes) > maxNodes {
		return nil, fmt.Errorf("%d nodes, want %d at most", len(t.nodes), maxNodes)
	}
	return t, nil
}

// newTables returns tables with a node 0 for a value that may be anything.
func newTables() *tables {
	anything := node{name: "anything"}
	return &tables{nodes: []node{anything}, ids: map[string]int{anything.literal(): 0}}
}

// compileDocument adds the nodes of a document and returns the root's.
func (t *tables) compileDocument(d *document) (int, error) {
	// What nothing refers to makes no node, but has to be understood too.
	unused := compiler{newTables(), d.definitions, map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(d.definitions)) {
		if _, err := unused.compile(d.definitions[name]); err != nil {
			return 0, err
		}
	}
	c := compiler{t, d.definitions, map[string]bool{}}
	root, err := c.compile(d.root)
	if err != nil {
		return 0, err
	}
	if root.kinds != object || root.fields == nil {
		return 0, fmt.Errorf("%s: params are an object with properties", d.root.at)
	}
	return t.intern(root), nil
}

// itemsOf returns the node of an item of the member "input" of a root, one that
// has variants.
func (t *tables) itemsOf(root *schema, id int) (int, error) {
	n := &t.nodes[id]
	i := slices.Index(n.fields, "input")
	if i < 0 {
		return 0, fmt.Errorf("%s: there is no property %q", root.at, "input")
	}
	items := t.nodes[n.types[i]].items
	if t.nodes[items].variants == nil {
		return 0, fmt.Errorf("%s/properties/input: its items have no variants", root.at)
	}
	return items, nil
}

// membersOf returns the members of all variants of a node, each once: the tag, the other
// strings, the rest.
func (t *tables) membersOf(id int) ([]member, error) {
	var members []member
	words := t.tags(id)
	for _, v := range t.nodes[id].variants {
		n := &t.nodes[v]
		for i, name := range n.fields {
			m := member{name, n.types[i]}
			known := slices.IndexFunc(members, func(other member) bool { return other.name == name })
			if known < 0 {
				members = append(members, m)
				words = append(append(words, name), t.nodes[m.id].enum...)
			} else if name != tagName && members[known] != m {
				return nil, fmt.Errorf("variants of %s differ in %q", t.nodes[id].name, name)
			}
		}
	}
	for _, word := range words {
		if len(word) >= maxWord {
			return nil, fmt.Errorf("%q in %s is too long", word, t.nodes[id].name)
		}
	}
	if len(members) > maxMembers {
		return nil, fmt.Errorf("variants of %s have %d different members, want %d at most", t.nodes[id].name, len(members), maxMembers)
	}
	rank := func(m member) int {
		switch {
		case m.name == tagName:
			return 0
		case t.nodes[m.id].isString():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(members, func(a, b member) int { return rank(a) - rank(b) })
	return members, nil
}

// tags returns the tags of a node's variants.
func (t *tables) tags(id int) []string {
	var tags []string
	for _, v := range t.nodes[id].variants {
		tags = append(tags, t.nodes[v].tag)
	}
	return tags
}

// isString reports whether a value is a string, or a string or null.
func (n *node) isString() bool { return n.kinds&^null == text }

// intern returns the index of a node, which is added if none is equal.
func (t *tables) intern(n node) int {
	literal := n.literal()
	id, known := t.ids[literal]
	if !known {
		id = len(t.nodes)
		t.ids[literal] = id
		t.nodes = append(t.nodes, n)
	}
	return id
}

// compiler compiles the schemas of one document.
type compiler struct {
	tables      *tables
	definitions map[string]*schema
	open        map[string]bool // the definitions that are being compiled
}

// compile returns the node of a schema. The nodes that it refers to are added
// to the tables.
func (c *compiler) compile(s *schema) (node, error) {
	forms := 0
	for _, is := range []bool{s.ref != "", s.allOf != nil, s.anyOf != nil, s.oneOf != nil, s.types != nil} {
		if is {
			forms++
		}
	}
	switch {
	case forms == 0 && !s.constrains():
		return c.tables.nodes[0], nil
	case forms != 1:
		return node{}, fmt.Errorf("%s: want exactly one of $ref, allOf, anyOf, oneOf and type", s.at)
	case s.types != nil:
		return c.compileTypes(s)
	case s.constrains():
		return node{}, fmt.Errorf("%s: something stands beside $ref, allOf, anyOf or oneOf", s.at)
	case s.ref != "":
		return c.compileRef(s)
	case s.allOf != nil:
		return c.compileAllOf(s)
	case s.anyOf != nil:
		return c.compileAnyOf(s)
	}
	return c.compileOneOf(s)
}

// constrains reports whether the schema has keywords that narrow a type.
func (s *schema) constrains() bool {
	return s.enum != nil || s.isOfNumber() || s.items != nil || s.isOfObject()
}

func (s *schema) isOfNumber() bool { return s.format != "" || s.minimum != "" }

func (s *schema) isOfObject() bool {
	return s.closed || s.additionalProperties != nil || s.properties != nil || s.required != nil
}

// compileRef compiles what a reference refers to.
func (c *compiler) compileRef(s *schema) (node, error) {
	definition, known := c.definitions[s.ref]
	if !known {
		return node{}, fmt.Errorf("%s: there is no definition %q", s.at, s.ref)
	}
	if c.open[s.ref] {
		return node{}, fmt.Errorf("%s: definition %q contains itself", s.at, s.ref)
	}
	c.open[s.ref] = true
	defer delete(c.open, s.ref)
	n, err := c.compile(definition)
	n.name = s.ref
	return n, err
}

// compileAllOf compiles a list of one.
func (c *compiler) compileAllOf(s *schema) (node, error) {
	if len(s.allOf) != 1 {
		return node{}, fmt.Errorf("%s: want allOf of one schema", s.at)
	}
	return c.compile(s.allOf[0])
}

// compileAnyOf compiles a choice between null and something else.
func (c *compiler) compileAnyOf(s *schema) (node, error) {
	if len(s.anyOf) != 2 {
		return node{}, fmt.Errorf("%s: want anyOf of two schemas, one of them null", s.at)
	}
	n, err := c.compile(s.anyOf[0])
	if err != nil {
		return node{}, err
	}
	other, err := c.compile(s.anyOf[1])
	if err != nil {
		return node{}, err
	}
	if other.kinds != null || n.kinds == anyKind {
		return node{}, fmt.Errorf("%s: want anyOf of something and null, in this order", s.at)
	}
	n.kinds |= null
	n.name += " or null"
	return n, nil
}

// compileOneOf compiles a choice among enumerated strings and objects. One
// object stands by itself, several are variants.
func (c *compiler) compileOneOf(s *schema) (node, error) {
	var strings, objects []node
	for _, alternative := range s.oneOf {
		n, err := c.compile(alternative)
		switch {
		case err != nil:
			return node{}, err
		case n.kinds == text && n.enum != nil:
			strings = append(strings, n)
		case n.kinds == object && n.variants == nil:
			objects = append(objects, n)
		default:
			return node{}, fmt.Errorf("%s: want strings of an enum, or an object", alternative.at)
		}
	}
	var n node
	var err error
	switch {
	case len(objects) == 1:
		n = objects[0]
	case len(objects) > 1:
		n, err = c.variants(s, objects)
	}
	for _, alternative := range strings {
		n.kinds |= text
		n.enum = append(slices.Clip(n.enum), alternative.enum...)
	}
	n.name = s.title
	if err == nil {
		err = distinct(s.at, n.enum)
	}
	if err == nil && n.kinds == anyKind {
		err = fmt.Errorf("%s: oneOf of nothing", s.at)
	}
	return n, err
}

// tagName is the member that names an object's variant.
const tagName = "type"

// variants makes a node of objects that a member tells apart.
func (c *compiler) variants(s *schema, objects []node) (node, error) {
	n := node{kinds: object}
	var tags []string
	for i, variant := range objects {
		at := fmt.Sprintf("%s/oneOf: object %d", s.at, i+1)
		field := slices.Index(variant.fields, tagName)
		if field < 0 || variant.required&(1<<field) == 0 {
			return node{}, fmt.Errorf("%s: want a required property %q", at, tagName)
		}
		tag := c.tables.nodes[variant.types[field]]
		if tag.kinds != text || len(tag.enum) != 1 {
			return node{}, fmt.Errorf("%s: property %q is not one string", at, tagName)
		}
		variant.tag = tag.enum[0]
		tags = append(tags, variant.tag)
		n.variants = append(n.variants, c.tables.intern(variant))
	}
	return n, distinct(s.at, tags)
}

// distinct returns an error if a string stands twice.
func distinct(at string, list []string) error {
	for i, s := range list {
		if slices.Contains(list[:i], s) {
			return fmt.Errorf("%s: %q stands twice", at, s)
		}
	}
	return nil
}

var kindsOfType = map[string]kinds{
	"null": null, "boolean": boolean, "number": number, "integer": number, "string": text, "array": array, "object": object,
}

// compileTypes compiles a schema with a type, or several.
func (c *compiler) compileTypes(s *schema) (node, error) {
	n := node{name: s.title}
	if len(s.types) == 0 {
		return node{}, fmt.Errorf("%s/type: no type", s.at)
	}
	for _, name := range s.types {
		kind, known := kindsOfType[name]
		if !known || n.kinds&kind != 0 {
			return node{}, fmt.Errorf("%s/type: unknown or repeated type %q", s.at, name)
		}
		n.kinds |= kind
		n.integer = n.integer || name == "integer"
	}
	for _, step := range []func(*schema, *node) error{c.addEnum, c.addInteger, c.addItems, c.addMembers} {
		if err := step(s, &n); err != nil {
			return node{}, err
		}
	}
	return n, nil
}

// addEnum adds what strings there may be.
func (c *compiler) addEnum(s *schema, n *node) error {
	if s.enum == nil {
		return nil
	}
	if n.kinds != text || len(s.enum) == 0 {
		return fmt.Errorf("%s: want enum with type string, and at least one string", s.at)
	}
	n.enum = s.enum
	return distinct(s.at, s.enum)
}

// addInteger checks that an integer is the only one that package params knows:
// one from 0 on.
func (c *compiler) addInteger(s *schema, n *node) error {
	if !n.integer && !s.isOfNumber() {
		return nil
	}
	minimum, err := s.minimum.Float64()
	if !n.integer || s.format != "uint" || err != nil || minimum != 0 {
		return fmt.Errorf("%s: want format uint and minimum 0 with type integer", s.at)
	}
	return nil
}

// addItems adds what the items of an array are.
func (c *compiler) addItems(s *schema, n *node) error {
	if s.items == nil {
		return nil
	}
	if n.kinds&array == 0 {
		return fmt.Errorf("%s: want items with type array", s.at)
	}
	items, err := c.compile(s.items)
	n.items = c.tables.intern(items)
	return err
}

// addMembers adds what the members of an object are.
func (c *compiler) addMembers(s *schema, n *node) error {
	if !s.isOfObject() {
		return nil
	}
	fields := slices.Sorted(maps.Keys(s.properties))
	switch {
	case n.kinds&object == 0:
		return fmt.Errorf("%s: want properties, required and additionalProperties with type object", s.at)
	case len(fields) > maxFields:
		return fmt.Errorf("%s: %d properties, want %d at most", s.at, len(fields), maxFields)
	case s.closed && len(fields) == 0:
		return fmt.Errorf("%s: want properties where there are no others", s.at)
	case s.additionalProperties != nil && len(fields) > 0:
		return fmt.Errorf("%s: want properties or a schema for all others, not both", s.at)
	}
	n.closed = s.closed
	n.fields = fields
	for _, name := range fields {
		member, err := c.compile(s.properties[name])
		if err != nil {
			return err
		}
		n.types = append(n.types, c.tables.intern(member))
	}
	for _, name := range s.required {
		i := slices.Index(fields, name)
		if i < 0 {
			return fmt.Errorf("%s: %q is required, but no property", s.at, name)
		}
		n.required |= 1 << i
	}
	if s.additionalProperties == nil {
		return nil
	}
	values, err := c.compile(s.additionalProperties)
	n.values = c.tables.intern(values)
	return err
}
