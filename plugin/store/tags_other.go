//go:build !wasm

package store

func nextPrefix(nodes []tagNode, i int32, body []byte, closing int) int32 {
	return plainNextPrefix(nodes, i, body, closing)
}

func enclosing(nodes []tagNode, i int32, body []byte, closing string, failure, found []int32) (n int) {
	return plainEnclosing(nodes, i, body, closing, failure, found)
}

func commonPrefix(a, b []byte) int { return plainCommonPrefix(a, b) }
