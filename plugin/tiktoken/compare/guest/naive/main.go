// Command naive is a guest that counts and cuts with tiktoken-go and its loader,
// as their documentation shows.
package main

import (
	"unsafe"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

var (
	input    []byte
	encoding *tiktoken.Tiktoken
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
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	e, err := tiktoken.GetEncoding([]string{tiktoken.MODEL_CL100K_BASE, tiktoken.MODEL_O200K_BASE}[n])
	if err != nil {
		panic(err)
	}
	encoding = e
}

//go:wasmexport count
func count(length uint32) uint32 {
	return uint32(len(encoding.EncodeOrdinary(string(input[:length]))))
}

//go:wasmexport head
func head(length, budget uint32) uint32 {
	tokens := encoding.EncodeOrdinary(string(input[:length]))
	return uint32(len(encoding.Decode(tokens[:min(len(tokens), int(budget))])))
}
