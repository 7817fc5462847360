// Package host runs the turncontext module in a Go program, on the WebAssembly
// runtime wazero. It speaks the direct convention of the ABI (README.md of
// package abi).
//
// [Open] compiles a module once. A [Module] may then be used by any number of
// goroutines: it keeps a bounded pool of instances and lends one to each call.
// [Module.Merge], [Module.TurnStart] and the like take and give the types of
// package abi; [Module.Call] takes and gives JSON, [Module.AppendCall] does so
// without an allocation. The module keeps nothing between calls, so an instance
// that failed is dropped, and the next call gets another.
//
// A [Thread] keeps the state of one thread, for a runtime that has its turns
// handled here. [ResolveImages] puts the images that are in files into a
// message.
//
// A request that the module refuses is an *[abi.Error], which [abi.Refused] finds;
// a module that fails is a *[ModuleError]. A failure that the module reported
// itself is both: its kind is [abi.Internal], and abi.Refused passes over it.
package host

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/turncontext/turncontext/build"
)

// pageSize is the unit in bytes in which an instance's memory grows.
const pageSize = 64 << 10

// The bounds of Options.MemoryLimit. The largest is a page short of what 32
// bits can address, so that every end and every size fits into 32 bits.
const (
	defaultMemoryLimit = 1 << 30
	maxMemoryLimit     = 1<<32 - pageSize
)

// ErrClosed is the error of a call to a module on which [Module.Close] was
// called.
var ErrClosed = errors.New("host: the module is closed")

// Options tell [Open] what to load and within what bounds. The zero value is
// right for most programs.
type Options struct {
	// Module is the module's file. Nil stands for the one built into this
	// package. It is only read, and not kept.
	Module []byte
	// Instances bounds how many instances there are at a time, and so how many
	// calls run at a time; more wait their turn. Instances are made when they
	// are needed. 0 stands for runtime.GOMAXPROCS(0).
	Instances int
	// MemoryLimit is the most memory in bytes that one instance may have,
	// rounded down to pages of 64 KiB; at least one page and less than 4 GiB. 0
	// stands for 1 GiB. A call that needs more fails with a ModuleError. On Linux
	// as much address space is reserved for each instance, outside of Go's heap.
	MemoryLimit uint64
	// CacheDir is a folder for compiled code, made if it is missing; with it,
	// opening the same module again skips the compilation, in other processes
	// too. A folder that cannot be read, or cannot be written when something
	// has to be put there, fails Open; one that holds the module's code already
	// may be read-only. A file that is damaged is compiled anew. Each module
	// has a folder of its own there, which stays when the module is no longer used. What
	// the folder holds is run: let nobody write there whom the program does not trust.
	// Empty stands for no folder.
	CacheDir string
	// Interrupt stops a call in progress when its context ends. It makes every
	// call two to four times as slow, and is seldom needed: the size of a
	// request is bounded, and so is the work on it. Without it the context is
	// looked at until the call starts.
	Interrupt bool
}

// A Module is a compiled module with its instances. Its methods may be called
// from many goroutines.
type Module struct {
	runtime     wazero.Runtime
	cache       wazero.CompilationCache // nil without Options.CacheDir
	cacheFolder string                  // in it
	compiled    wazero.CompiledModule
	interrupt   bool
	pool        *pool

	released   chan struct{} // closed when all resources are given back
	releaseErr error         // to be read after released
}

// Open compiles a module, checks that it keeps the ABI's version that this
// package speaks, and makes its first instance. It refuses a file that is no
// turncontext module, one of another version of the ABI, and one that imports
// anything but WASI preview 1 and Extism's functions (which are never called
// here). The context bounds the opening only. Close the module after use.
func Open(ctx context.Context, options Options) (*Module, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("host: opening: %w", err)
	}
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	cache, cacheFolder, err := openCache(options.CacheDir, options.Module)
	if err != nil {
		return nil, err
	}
	config := wazero.NewRuntimeConfig().
		WithMemoryLimitPages(uint32(options.MemoryLimit / pageSize)).
		WithCloseOnContextDone(options.Interrupt).
		WithCompilationCache(cache)
	m := &Module{
		runtime:     wazero.NewRuntimeWithConfig(ctx, config),
		cache:       cache,
		cacheFolder: cacheFolder,
		interrupt:   options.Interrupt,
		released:    make(chan struct{}),
	}
	m.pool = newPool(options.Instances, m.release)

	// Functions compile independently, so every processor can take its share.
	ctx = experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
	if err := m.load(ctx, options.Module); err != nil {
		m.pool.close()
		return nil, errors.Join(err, m.releaseErr)
	}
	return m, nil
}

// complete returns the options with the defaults filled in, or what is wrong
// with them.
func (o Options) complete() (Options, error) {
	if o.Module == nil {
		o.Module = build.Module
	}
	if o.Instances == 0 {
		o.Instances = runtime.GOMAXPROCS(0)
	}
	if o.Instances < 0 {
		return o, fmt.Errorf("host: Options.Instances is %d, which is below 0", o.Instances)
	}
	if o.MemoryLimit == 0 {
		o.MemoryLimit = defaultMemoryLimit
	}
	if o.MemoryLimit < pageSize || o.MemoryLimit > maxMemoryLimit {
		return o, fmt.Errorf("host: Options.MemoryLimit is %d bytes, which is not within %d and %d",
			o.MemoryLimit, pageSize, uint64(maxMemoryLimit))
	}
	return o, nil
}

// Close refuses new calls with [ErrClosed], as well as those that wait for an
// instance, waits for the calls in progress and gives everything back. When the
// context ends first, Close returns its error and stops nothing: the last call
// in progress then gives everything back. Closing again waits in the same way
// and returns the same result.
func (m *Module) Close(ctx context.Context) error {
	m.pool.close()
	select {
	case <-m.released:
		return m.releaseErr
	default:
	}
	select {
	case <-m.released:
		return m.releaseErr
	case <-ctx.Done():
		return fmt.Errorf("host: closing, with calls in progress: %w", ctx.Err())
	}
}

// release gives back what the module holds. The pool calls it once, after it
// was closed and the last call has ended.
func (m *Module) release() {
	defer close(m.released)
	ctx := context.Background()
	err := m.runtime.Close(ctx)
	if m.cache != nil {
		err = errors.Join(err, m.cache.Close(ctx))
	}
	if err != nil {
		m.releaseErr = fmt.Errorf("host: closing: %w", err)
	}
}
