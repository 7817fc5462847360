//go:build amd64 || arm64

package host

import (
	"math"
	"syscall"
	"unsafe"
)

// hugePage is the size of the pages that memory is made in. With those of 4 KiB most of a
// first large call is spent on their faults.
const hugePage = 2 << 20

// reserve returns so many bytes of address space without memory, or nil where the system
// refuses them, or all that a process has is limited: the rest of the program needs some.
func reserve(size uint64) []byte {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur != math.MaxUint64 {
		return nil
	}
	space, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	_ = syscall.Madvise(space, syscall.MADV_HUGEPAGE) // a kernel may have none
	return space
}

// commit makes memory of space up to size, all zero, where up to ready it is already. It
// returns how much of it is now, and whether the system has as much. That is up to the end of
// a huge page, since one that is not there as a whole is made of small ones.
func commit(space []byte, ready, size uint64) (now uint64, ok bool) {
	if size <= ready {
		return ready, true
	}
	base := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(space))))
	now = min((base+size+hugePage-1)&^(hugePage-1)-base, uint64(len(space)))
	if err := syscall.Mprotect(space[ready:now], syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		return ready, false
	}
	return now, true
}

// release gives back what reserve returned. It cannot fail for that.
func release(space []byte) { _ = syscall.Munmap(space) }
