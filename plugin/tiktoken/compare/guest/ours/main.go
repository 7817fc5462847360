// Command ours is a guest that counts and cuts with package tiktoken.
package main

import (
	"unsafe"

	"github.com/turncontext/turncontext/plugin/tiktoken"
)

var (
	input    []byte
	encoding *tiktoken.Encoding
)

func main() {}

//go:wasmexport reserve
func reserve(size uint32) uint32 {
	if int(size) > cap(input) {
		input = make([]byte, size)
	}
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(input))))
}

//go:wasmexport load
func load(n uint32) {
	e, err := tiktoken.Load(tiktoken.Names()[n])
	if err != nil {
		panic(err)
	}
	encoding = e
}

//go:wasmexport count
func count(length uint32) uint32 {
	return uint32(encoding.Count(input[:length]))
}

//go:wasmexport cut
func cut(length, budget uint32) uint32 {
	return 0
}
