package store

import "github.com/turncontext/turncontext/plugin/budget"

// What the assembler knows by name.
const (
	middle = budget.Middle
	head   = budget.Head
	tail   = budget.Tail
)

// readKeys reads keys of a policy, each behind a comma, from i on, as long as each is right and
// there is room. It returns where the last one ends that it has read, and how many it has read.
//
//go:noescape
func readKeys(text []byte, i int, keys []KeyPolicy) (end, read int)
