//go:build simd

package store

import "unsafe"

// simd tells the assembler that it may call what follows. plugin/json/scan_simd.go says
// where it comes from.
const simd = 1

//go:wasmimport simd simd_text_end
//go:noescape
func simdTextEnd(text unsafe.Pointer, watched uint32) uint64

//go:wasmimport simd simd_equal
//go:noescape
func simdEqual(a, b unsafe.Pointer, n uint32) uint32
