//go:build !simd && wasm

package fragment

func longControlAt(text []byte) int { return controlAt(text) }

func longFirstOf(text []byte, word, mask uint64) int { return firstOf(text, word, mask) }
