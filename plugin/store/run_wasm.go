package store

import (
	"unsafe"

	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

const hasRuns = true

// What the assembler knows by name, or takes for granted.
const (
	untrusted   = fragment.Untrusted
	application = fragment.Application
	unread      = fragment.Kinds // the kind of an entry whose value comes first

	canonical = json.Canonical
	foreign   = json.Foreign

	_ = -(unsafe.Sizeof(Entry{}) ^ 48)
	_ = -(unsafe.Offsetof(json.String{}.End) ^ 4)
	_ = -(unsafe.Offsetof(json.String{}.Len) ^ 8)
	_ = -(unsafe.Offsetof(json.String{}.Form) ^ 12)
)

// token is a token of an entry, as the assembler compares it.
type token struct {
	word   uint64 // its bytes, the first lowest
	unused uint64 // how many bits of the word are not
	length uint64
}

// tokens has what stands between two values, then what stands between a key and
// the entry's first member.
var tokens = [...]token{
	{',', 56, 1}, {kindName, 16, 6}, {':', 56, 1},
	{',', 56, 1}, {valueName, 8, 7}, {':', 56, 1}, {'"', 56, 1},
	{':', 56, 1}, {'{', 56, 1},
}

// The names in quotes.
const (
	kindName  = '"' | 'k'<<8 | 'i'<<16 | 'n'<<24 | 'd'<<32 | '"'<<40
	valueName = '"' | 'v'<<8 | 'a'<<16 | 'l'<<24 | 'u'<<32 | 'e'<<40 | '"'<<48
)

// entryUnknowns are the names of unknown members of the entry that is read.
var entryUnknowns json.Unknowns

// readRun reads members from i on, behind the bracket of an object or behind a
// member, into the entries of m; what is written as the entry of like at which the
// cursor is becomes its twin. It returns where the last member it has read ends, and
// why it has ended.
//
//go:noescape
func readRun(text []byte, i int, m, like *Map, at *cursor) (end int, s runState)
