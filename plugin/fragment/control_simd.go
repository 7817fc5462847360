//go:build simd && wasm

package fragment

import "unsafe"

// plugin/json/scan_simd.go says where these come from.

//go:wasmimport simd simd_control_at
//go:noescape
func simdControlAt(text unsafe.Pointer, n uint32) uint32

//go:wasmimport simd simd_first_of
//go:noescape
func simdFirstOf(text unsafe.Pointer, n uint32, word, mask uint64) uint32

// minLong is from how many bytes on a crossing into the kernel pays.
const minLong = 64

// longControlAt does what controlAt does, and is quicker where text is long.
func longControlAt(text []byte) int {
	if len(text) < minLong {
		return controlAt(text)
	}
	passed := int(simdControlAt(unsafe.Pointer(&text[0]), uint32(len(text))))
	// A run of backslashes is read from its beginning.
	for passed > 0 && text[passed-1] == '\\' {
		passed--
	}
	i := controlAt(text[passed:])
	if i < 0 {
		return -1
	}
	return passed + i
}

// longFirstOf does what firstOf does, and is quicker where text is long.
func longFirstOf(text []byte, word, mask uint64) int {
	if len(text) < minLong {
		return firstOf(text, word, mask)
	}
	passed := int(simdFirstOf(unsafe.Pointer(&text[0]), uint32(len(text)), word, mask))
	return passed + firstOf(text[passed:], word, mask)
}
