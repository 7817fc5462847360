//go:build wasip1

package main

import (
	"runtime"
	"unsafe"

	"github.com/turncontext/turncontext/plugin/turn"
)

// answer is the entry of every call, in both conventions.
func answer(f turn.Function, length uint32) (answer []byte, ok bool) {
	answer, ok = core.Answer(f, int(length))
	if calls++; calls%yieldEvery == 0 || memoryPages() != memorySize {
		yield()
	}
	return answer, ok
}

// direct answers a call through the direct convention.
func direct(f turn.Function, length uint32) uint64 {
	answer, _ := answer(f, length)
	return pack(answer)
}

// pack returns where b is in the memory: address << 32 | length, 0 for nil.
func pack(b []byte) uint64 {
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))<<32 | uint64(len(b))
}

// yieldEvery is after how many calls the collector gets its turn: to yield once
// a call would cost as much as a small request.
const yieldEvery = 64

var (
	calls      int
	memorySize int32
)

// memoryPages returns the size of the memory in pages of 64 KiB.
func memoryPages() int32

// yield lets the collector work: nothing else does between calls. It needs to
// when the memory has grown, and now and then.
func yield() {
	memorySize = memoryPages()
	runtime.Gosched()
}
