//go:build !wasm

package json

func decode(text []byte, i int) (end int) { return plainDecode(text, i) }

func escape(dst []byte, s string) (n, read int) { return plainEscape(dst, s) }
