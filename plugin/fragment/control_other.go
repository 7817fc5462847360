//go:build !wasm

package fragment

func controlAt(text []byte) int { return plainControlAt(text) }
