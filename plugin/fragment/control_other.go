//go:build !wasm

package fragment

func controlAt(text []byte) int { return plainControlAt(text) }

func longControlAt(text []byte) int { return plainControlAt(text) }

func tagAt(text, tag []byte) int { return plainTagAt(text, tag) }

func extraBytes(value []byte) int { return plainExtra(value) }

func escape(dst, value []byte) int { return plainEscape(dst, value) }

func escapeKey(dst, key []byte) (n, length int) { return plainEscapeKey(dst, key) }

func unescape(dst, text []byte, inKey bool) (n, read int) { return plainUnescape(dst, text, inKey) }

func strip(dst, text []byte) (n, escapes int) { return plainStrip(dst, text) }

func run(text, tag []byte, borders []int32, i int) bool { return plainRun(text, tag, borders, i) }

func ends(text []byte) (start, end int) { return plainEnds(text) }
