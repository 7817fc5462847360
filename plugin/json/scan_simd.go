//go:build simd && wasm

package json

import "unsafe"

// simd tells the assembler that it may call what follows.
const simd = 1

// What is imported here is in plugin/simd/kernel.wat, which says what it does. It
// is linked into the module, so that no import is left.

//go:wasmimport simd simd_text_end
//go:noescape
func simdTextEnd(text unsafe.Pointer, watched uint32) uint64

//go:wasmimport simd simd_rewrite
//go:noescape
func simdRewrite(to, from, end unsafe.Pointer) uint64

//go:wasmimport simd simd_equal
//go:noescape
func simdEqual(a, b unsafe.Pointer, n uint32) uint32

//go:wasmimport simd simd_forward
//go:noescape
func simdForward(text unsafe.Pointer, n uint32) uint64

//go:wasmimport simd simd_backward
//go:noescape
func simdBackward(start, end unsafe.Pointer, n uint32) uint64

// simdForeign is the bit of what simdTextEnd has saved that says that the form is
// Foreign.
const simdForeign = 1 << 31

// longTextEnd does what textEnd does, and is quicker where the text is long.
func longTextEnd(text []byte, i int) (end, saved int, form Form) {
	passed := simdTextEnd(unsafe.Pointer(&text[i]), 0)
	end = i + int(uint32(passed))
	saved = int(passed >> 32 &^ simdForeign)
	switch {
	case passed>>32 >= simdForeign:
		form = Foreign
	case saved > 0:
		form = Canonical
	}
	if text[end] == '"' {
		return end, saved, form
	}
	end, more, rest := textEnd(text, end)
	return end, saved + more, max(form, rest)
}

// minLong is from how many bytes on a crossing into the kernel pays.
const minLong = 64

// longEqual does what equal does, and is quicker where n is large.
func longEqual(text []byte, a, b, n int) bool {
	if n < minLong {
		return equal(text, a, b, n)
	}
	return simdEqual(unsafe.Pointer(&text[a]), unsafe.Pointer(&text[b]), uint32(n)) != 0
}

// longRewrite does what rewrite does, and is quicker where there is much to rewrite.
func longRewrite(text []byte, to, from, end int) int {
	if end-from >= minLong {
		base := unsafe.Pointer(unsafe.SliceData(text))
		moved := simdRewrite(unsafe.Add(base, to), unsafe.Add(base, from), unsafe.Add(base, end))
		from += int(uint32(moved))
		to += int(moved >> 32)
	}
	return rewrite(text, to, from, end)
}

// longForward does what forward does, and is quicker where n is large.
func longForward(text []byte, i, n int) int {
	passed := simdForward(unsafe.Pointer(&text[i]), uint32(n))
	return forward(text, i+int(uint32(passed)), int(passed>>32))
}

// longBackward does what backward does, and is quicker where n is large.
func longBackward(text []byte, start, i, n int) int {
	passed := simdBackward(unsafe.Pointer(&text[start]), unsafe.Pointer(&text[i]), uint32(n))
	return backward(text, start, i-int(uint32(passed)), int(passed>>32))
}
