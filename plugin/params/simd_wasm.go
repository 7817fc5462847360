//go:build simd

package params

import "unsafe"

// simd tells the assembler that it may call what follows. plugin/json/scan_simd.go says
// where it comes from.
const simd = 1

//go:wasmimport simd simd_text_end
//go:noescape
func simdTextEnd(text unsafe.Pointer, watched uint32) uint64
