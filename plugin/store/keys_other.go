//go:build !wasm

package store

// Elsewhere readKeys does nothing, and all keys are read one by one.
func readKeys(_ []byte, i int, _ []KeyPolicy) (end, read int) { return i, 0 }
