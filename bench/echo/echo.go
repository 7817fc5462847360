//go:build wasip1

// Command echo is a guest that answers every request with the request. It
// speaks both conventions of abi/README.md, so that a host takes it for the
// real module, and shows what a call costs that does no work.
package main

import (
	"runtime"
	"unsafe"

	"github.com/extism/go-pdk"
)

// yieldEvery is after how many calls the collector gets a turn, as in the real
// module.
const yieldEvery = 64

var (
	input = make([]byte, 4096)
	calls int
)

func main() {}

//go:wasmexport direct_version
func directVersion() uint32 { return 1 }

//go:wasmexport direct_reserve
func directReserve(size uint32) uint64 {
	if int(size) > len(input) {
		input = make([]byte, size)
		runtime.Gosched()
	}
	return pack(len(input))
}

//go:wasmexport direct_merge
func directMerge(length uint32) uint64 {
	yield()
	return pack(int(length))
}

//go:wasmexport merge
func merge() int32 {
	yield()
	input := pdk.Input()
	if len(input) == 0 {
		pdk.SetErrorString("there is nothing to echo")
		return 1
	}
	pdk.Output(input)
	return 0
}

// describe answers what the packages of the other languages ask for when they
// open a module.
//
//go:wasmexport describe
func describe() int32 {
	pdk.OutputString(`{"abi":{"name":"turncontext","version":1},"build":{"version":"","go":""},"functions":["merge"],` +
		`"limits":{"requestBytes":0,"depth":0,"textChars":0},"tokenizers":[]}`)
	return 0
}

// The other functions are there because a host asks for all of the ABI's.

//go:wasmexport direct_describe
func directDescribe(length uint32) uint64 { return directMerge(length) }

//go:wasmexport direct_turn_set
func directTurnSet(length uint32) uint64 { return directMerge(length) }

//go:wasmexport direct_turn_start
func directTurnStart(length uint32) uint64 { return directMerge(length) }

//go:wasmexport direct_turn_steer
func directTurnSteer(length uint32) uint64 { return directMerge(length) }

//go:wasmexport direct_classify
func directClassify(length uint32) uint64 { return directMerge(length) }

//go:wasmexport direct_guidance
func directGuidance(length uint32) uint64 { return directMerge(length) }

//go:wasmexport direct_reconcile
func directReconcile(length uint32) uint64 { return directMerge(length) }

// pack tells the host where the input buffer is, and a number of bytes.
func pack(size int) uint64 {
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(input))))<<32 | uint64(size)
}

func yield() {
	calls++
	if calls%yieldEvery == 0 {
		runtime.Gosched()
	}
}
