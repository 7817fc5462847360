package store

import (
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/json"
)

// What the assembler knows by name.
const (
	middle = budget.Middle
	head   = budget.Head
	tail   = budget.Tail
)

// readKeys reads keys of a policy, each behind a comma, from i on, as long as each is right and
// there is room: it writes the names of all, and the settings of those that say anything. It
// returns where the last one ends that it has read, and how many of both it has written.
//
//go:noescape
func readKeys(text []byte, i int, keys []KeyPolicy, names []json.String) (end, named, kept int)
