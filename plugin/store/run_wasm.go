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

	_ = -(unsafe.Sizeof(Entry{}) ^ 48)
	_ = -(unsafe.Offsetof(json.String{}.End) ^ 4)
	_ = -(unsafe.Offsetof(json.String{}.Len) ^ 8)
	_ = -(unsafe.Offsetof(json.String{}.Form) ^ 12)
)

// readRun reads members from i on, behind the bracket of an object or behind a
// member, into entries, from its length on; what is written as the entry of like
// with index hint becomes its twin. scan says what it is to compare and to scan
// by itself, resumed that the value of the first member was read
// up to its closing quote, at i, unordered that members came out of order before:
// then entries is in order nevertheless. It returns where the last member it has read
// ends, or the value that it is in, how many entries there are now, which entry of
// like comes next, the highest form of the values it has scanned, and whether any came
// out of order by now.
//
//go:noescape
func readRun(text []byte, i int, entries, like []Entry, hint int, scan scanMode, resumed, unordered bool) (end, n, newHint int, form json.Form, s runState, nowUnordered bool)
