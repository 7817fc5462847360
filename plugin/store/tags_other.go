//go:build !wasm

package store

func nextPrefix(nodes []tagNode, i int32, body []byte, closing int) int32 {
	return plainNextPrefix(nodes, i, body, closing)
}
