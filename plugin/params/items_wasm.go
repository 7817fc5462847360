package params

import (
	"unsafe"

	"github.com/turncontext/turncontext/plugin/json"
)

// What the assembler knows by name, or takes for granted.
const (
	stringKind = 1 << json.KindString
	nullKind   = 1 << json.KindNull
	arrayKind  = 1 << json.KindArray
	otherKind  = 1 << json.KindObject // no member that is known may be an object
	foreign    = json.Foreign

	unknownsSize = int(unsafe.Sizeof(json.Unknowns{}))

	_ = -(unsafe.Sizeof(json.String{}) ^ 16)
	_ = -(unsafe.Offsetof(json.String{}.End) ^ 4)
	_ = -(unsafe.Offsetof(json.String{}.Len) ^ 8)
	_ = -(unsafe.Offsetof(json.String{}.Form) ^ 12)
	_ = -(inputStrings ^ 5)
)

// readItems reads items from i on, which are at depth, with commas between them, as long as there
// is room and each is right and usual: members of unknown names are few. It returns where the
// last one ends that it has read, and how many it has read.
//
//go:noescape
func readItems(text []byte, i int, items []UserInput, depth int) (end, read int)

// The names of unknown members of the item that is read; of the element, and of its range.
var (
	inputUnknowns   json.Unknowns
	elementUnknowns [2]json.Unknowns
)

// readElements does the same with elements of a text.
//
//go:noescape
func readElements(text []byte, i, depth int) (end, read int)
