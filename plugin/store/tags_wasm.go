package store

import "unsafe"

// What the assembler takes for granted.
const _ = -(unsafe.Sizeof(tagNode{}) ^ 32)

// nextPrefix does what plainNextPrefix says.
//
//go:noescape
func nextPrefix(nodes []tagNode, i int32, body []byte, closing int) int32

// enclosing does what plainEnclosing says. A closing tag has two bytes up to its name, or
// eight at least.
//
//go:noescape
func enclosing(nodes []tagNode, i int32, body []byte, closing string, failure, found []int32) (n int)

// commonPrefix does what plainCommonPrefix says.
//
//go:noescape
func commonPrefix(a, b []byte) int
