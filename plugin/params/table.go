// Package params checks params against the protocol's JSON Schemas (abi/schema).
// The schemas are compiled to tables by generate: they are the one source of
// what params may look like.
package params

//go:generate go run ./generate

import "github.com/turncontext/turncontext/plugin/json"

// id is the index of a node in nodes.
type id uint8

// anything is the node of a value that may be whatever it likes.
const anything id = 0

// node says what a value may look like. A value of a kind that is not among
// kinds is wrong; what the other members say concerns one kind each.
type node struct {
	kinds    kinds
	integer  bool     // a number is an integer, not below 0
	enum     []string // what a string may be, nil for any
	items    id       // the items of an array
	values   id       // the members of an object that are not among fields
	closed   bool     // an object has no members but fields
	fields   []string // the known members of an object, sorted
	types    []id     // the node of each of fields
	required uint64   // a bit for each of fields
	variants []id     // an object is one of these nodes: the one whose tag its member "type" names
	tag      string   // of a variant
}

// kinds is a set of kinds, 1<<json.KindNull and so on; empty for all.
type kinds uint8

// has reports whether a value may be of that kind.
func (k kinds) has(kind json.Kind) bool { return k == 0 || k&(1<<kind) != 0 }
