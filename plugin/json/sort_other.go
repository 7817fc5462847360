//go:build !wasm

package json

func setKeys(text []byte, names nameList, keys []sortKey, offset int) (form Form) {
	return plainSetKeys(text, names, keys, offset)
}

func resolveNames(dst, text []byte, names nameList, resolved []String) (end int) {
	return plainResolveNames(dst, text, names, resolved)
}

func firstSame(keys []sortKey, i int) int { return plainFirstSame(keys, i) }

func runEnd(keys []sortKey, i int) int { return plainRunEnd(keys, i) }

func insert(keys []sortKey) { plainInsert(keys) }
