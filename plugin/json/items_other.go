//go:build !wasm

package json

func items(text []byte, i int, kinds Kinds, strings []String) (end, n int) {
	return plainItems(text, i, kinds, strings)
}
