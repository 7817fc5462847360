//go:build amd64 || arm64

package host

import "syscall"

// reserve returns so many bytes of address space, all zero, or nil where the system refuses
// them, as it does to a process whose address space is limited. It asks for huge pages:
// otherwise most of a first large call is 4 KiB faults.
func reserve(size uint64) []byte {
	space, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	_ = syscall.Madvise(space, syscall.MADV_HUGEPAGE) // a kernel may have none
	return space
}

// release gives back what reserve returned. It cannot fail for that.
func release(space []byte) { _ = syscall.Munmap(space) }
