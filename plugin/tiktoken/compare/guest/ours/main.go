// Command ours is a guest that counts and cuts with package tiktoken.
package main

import (
	"unsafe"

	"github.com/turncontext/turncontext/plugin/tiktoken"
)

var (
	input    []byte
	encoding *tiktoken.Encoding
	marker   = []byte("…123456 tokens truncated…")
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

//go:wasmexport total
func total(length uint32) uint32 {
	n, _ := encoding.Total(input[:length])
	return uint32(n)
}

//go:wasmexport head
func head(length, budget uint32) uint32 {
	n, _ := encoding.Head(input[:length], marker, int(budget))
	return uint32(n)
}

//go:wasmexport tail
func tail(length, budget uint32) uint32 {
	n, _ := encoding.Tail(input[:length], marker, int(budget))
	return length - uint32(n)
}

//go:wasmexport middle
func middle(length, budget uint32) uint32 {
	head, tail, _ := encoding.Middle(input[:length], marker, int(budget))
	return uint32(head) + length - uint32(tail)
}
