package host

import (
	"runtime"

	"github.com/tetratelabs/wazero/experimental"
)

// A linearMemory is the memory of one instance, and wazero's allocator for it: address
// space for as much as the guest may ever ask for, which becomes memory as it grows. So it
// is not copied then, and goes back at once when the instance is dropped. Where there is no
// such space it is a slice, as wazero's own would be.
type linearMemory struct {
	space   []byte          // all of it, nil where there is none
	ready   uint64          // how much of space is memory
	cleanup runtime.Cleanup // gives it back if the module is forgotten, and not closed
	slice   []byte
}

// Allocate reserves max bytes. It is called once, for the only memory of the module.
func (l *linearMemory) Allocate(_, max uint64) experimental.LinearMemory {
	if l.space = reserve(max); l.space != nil {
		l.cleanup = runtime.AddCleanup(l, release, l.space)
	}
	return l
}

// Reallocate returns the memory with another size, larger than before, or nil where the
// system has no more. What is new is zero.
func (l *linearMemory) Reallocate(size uint64) []byte {
	if l.space != nil {
		var ok bool
		if l.ready, ok = commit(l.space, l.ready, size); !ok {
			return nil
		}
		return l.space[:size:size]
	}
	l.slice = append(l.slice, make([]byte, size-uint64(len(l.slice)))...)
	return l.slice
}

// Free gives the memory back: whoever looks at it from now on ends the process. Freeing
// again does nothing.
func (l *linearMemory) Free() {
	if l.space != nil {
		l.cleanup.Stop()
		release(l.space)
	}
	l.space, l.slice = nil, nil
}
