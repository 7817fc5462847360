//go:build wasip1

package main

import (
	"unsafe"

	pdk "github.com/extism/go-pdk"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/turn"
)

// The PDK reads the input into a slice of its own, and does not tell its size
// before; and it takes every eight bytes apart, since the compiler does not
// combine loads and stores for WebAssembly. These are the imports it uses itself.

//go:wasmimport extism:host/env input_length
func inputLength() uint64

//go:wasmimport extism:host/env input_load_u64
func inputLoad64(offset uint64) uint64

//go:wasmimport extism:host/env input_load_u8
func inputLoad8(offset uint64) uint32

//go:wasmimport extism:host/env store_u64
func store64(offset, value uint64)

//go:wasmimport extism:host/env store_u8
func store8(offset uint64, value uint32)

// extism answers a call through the Extism convention. A refused request is
// an ordinary answer; 1, with an error set, says that the module failed.
func extism(f turn.Function) int32 {
	length := min(inputLength(), abi.MaxRequestBytes+1)
	load(core.Reserve(int(length)), length)
	answer, ok := answer(f, uint32(length))
	output(answer)
	if ok {
		return 0
	}
	pdk.SetErrorString(string(answer))
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

// output copies the answer to Extism's memory.
func output(answer []byte) {
	memory := pdk.Allocate(len(answer))
	start, offset, length := unsafe.Pointer(unsafe.SliceData(answer)), memory.Offset(), uint64(len(answer))
	i := uint64(0)
	for ; i+8 <= length; i += 8 {
		store64(offset+i, *(*uint64)(unsafe.Add(start, i)))
	}
	for ; i < length; i++ {
		store8(offset+i, uint32(answer[i]))
	}
	pdk.OutputMemory(memory)
}
