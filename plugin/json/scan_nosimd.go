//go:build !simd || !wasm

package json

func longTextEnd(text []byte, i int) (end, saved int, form Form) { return textEnd(text, i) }

func longEqual(text []byte, a, b, n int) bool { return equal(text, a, b, n) }

func longRewrite(text []byte, to, from, end int) int { return rewrite(text, to, from, end) }

func longForward(text []byte, i, n int) int { return forward(text, i, n) }

func longBackward(text []byte, start, i, n int) int { return backward(text, start, i, n) }
