//go:build !wasm

package json

func textEnd(text []byte, i int) (end, escapes int) { return plainTextEnd(text, i) }

func equal(text []byte, a, b, n int) bool { return plainEqual(text, a, b, n) }

func leads(text []byte, from, to int) int { return plainLeads(text, from, to) }
