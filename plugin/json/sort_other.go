//go:build !wasm

package json

func setKeys(text []byte, names []String, keys []sortKey, offset int) {
	plainSetKeys(text, names, keys, offset)
}

func firstSame(keys []sortKey, i int) int { return plainFirstSame(keys, i) }

func insert(keys []sortKey) { plainInsert(keys) }
