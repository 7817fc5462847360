//go:build wasip1

package main

import (
	"unsafe"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/turn"
)

// What Extism offers to a guest, as far as the module needs it. These are the
// imports of github.com/extism/go-pdk v1.1.3, which is not used itself: the
// packages it imports would be a sixth of the module (RATIONALE.md).

//go:wasmimport extism:host/env input_length
func inputLength() uint64

//go:wasmimport extism:host/env input_load_u64
func inputLoad64(offset uint64) uint64

//go:wasmimport extism:host/env input_load_u8
func inputLoad8(offset uint64) uint32

//go:wasmimport extism:host/env alloc
func alloc(length uint64) (offset uint64)

//go:wasmimport extism:host/env store_u64
func store64(offset, value uint64)

//go:wasmimport extism:host/env store_u8
func store8(offset uint64, value uint32)

//go:wasmimport extism:host/env output_set
func outputSet(offset, length uint64)

//go:wasmimport extism:host/env error_set
func errorSet(offset uint64)

// extism answers a call through the Extism convention. A refused request is
// an ordinary answer; 1, with an error set, says that the module failed.
func extism(f turn.Function) int32 {
	length := min(inputLength(), abi.MaxRequestBytes+1)
	load(core.Reserve(int(length)), length)
	answer, ok := answer(f, uint32(length))
	offset := store(answer)
	outputSet(offset, uint64(len(answer)))
	if ok {
		return 0
	}
	errorSet(offset)
	return 1
}

// load copies the input, of that length, to the input buffer; nil takes none.
func load(buffer []byte, length uint64) {
	if buffer == nil {
		return
	}
	start := unsafe.Pointer(unsafe.SliceData(buffer))
	i := uint64(0)
	for ; i+8 <= length; i += 8 {
		*(*uint64)(unsafe.Add(start, i)) = inputLoad64(i)
	}
	for ; i < length; i++ {
		buffer[i] = byte(inputLoad8(i))
	}
}

// store copies the answer to Extism's memory and returns where it is.
func store(answer []byte) (offset uint64) {
	length := uint64(len(answer))
	offset = alloc(length)
	start := unsafe.Pointer(unsafe.SliceData(answer))
	i := uint64(0)
	for ; i+8 <= length; i += 8 {
		store64(offset+i, *(*uint64)(unsafe.Add(start, i)))
	}
	for ; i < length; i++ {
		store8(offset+i, uint32(answer[i]))
	}
	return offset
}
