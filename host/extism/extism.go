// Package extism runs the turncontext module through Extism's Go SDK, which
// speaks the Extism convention of abi/README.md. It shows that the module is
// the same behind an SDK, and it is what the direct convention is measured
// against. A Go program that only wants turncontext imports the host package,
// which is many times as fast and needs no SDK.
package extism

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	sdk "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"

	"github.com/turncontext/turncontext/build"
)

// pageSize is the unit in bytes in which memory grows.
const pageSize = 64 << 10

// The bounds of Options.MemoryLimit. The largest is a page short of what 32
// bits can address.
const (
	minMemoryLimit     = 2 * extismRoom
	defaultMemoryLimit = 1 << 30
	maxMemoryLimit     = 1<<32 - pageSize
)

// extismRoom is the memory in bytes that Extism's own code has for other things
// than a request, rounded up: it begins with 1 MiB.
const extismRoom = 2 << 20

// ErrClosed is the error of a call to a plugin on which [Plugin.Close] was
// called.
var ErrClosed = errors.New("extism: the plugin is closed")

// Options tell [Open] what to load and within what bounds.
type Options struct {
	// Module is the module's file, or Path names it: at most one of the two is
	// given. Without them it is the module built into turncontext.
	Module []byte
	Path   string
	// MemoryLimit is the most memory in bytes that the instance may have, and
	// Extism's own code beside it, rounded down to pages of 64 KiB; at least 4 MiB
	// and less than 4 GiB. 0 stands for 1 GiB. A call that needs more fails.
	MemoryLimit uint64
	// Timeout stops a call that takes longer, in whole milliseconds, rounded up.
	// It makes every call several times as slow, and is seldom needed: the size
	// of a request is bounded, and so is the work on it. 0 stands for none.
	Timeout time.Duration
}

// Plugin is a module with one instance. Its methods may be called from many
// goroutines: calls run one after the other.
type Plugin struct {
	mu       sync.Mutex
	compiled *sdk.CompiledPlugin // nil after Close
	instance *sdk.Plugin         // nil until a call needs one
	limit    uint64              // of memory, in bytes
}

// Open compiles a module and makes its first instance. Besides wrong options
// and a file that cannot be read, errors are the SDK's: what is no WebAssembly
// module, or one that imports what the SDK does not give. The context bounds
// the opening only. The caller closes the Plugin.
func Open(ctx context.Context, options Options) (*Plugin, error) {
	module, err := options.module()
	if err != nil {
		return nil, err
	}
	if options.MemoryLimit == 0 {
		options.MemoryLimit = defaultMemoryLimit
	}
	if options.MemoryLimit < minMemoryLimit || options.MemoryLimit > maxMemoryLimit {
		return nil, fmt.Errorf("extism: Options.MemoryLimit is %d bytes, which is not within %d and %d",
			options.MemoryLimit, minMemoryLimit, maxMemoryLimit)
	}
	if options.Timeout < 0 {
		return nil, fmt.Errorf("extism: Options.Timeout is %v, which is below 0", options.Timeout)
	}
	manifest := sdk.Manifest{
		Wasm:    []sdk.Wasm{sdk.WasmData{Data: module}},
		Memory:  &sdk.ManifestMemory{MaxPages: uint32(options.MemoryLimit / pageSize)},
		Timeout: uint64((options.Timeout + time.Millisecond - 1) / time.Millisecond),
	}
	compiled, err := sdk.NewCompiledPlugin(ctx, manifest, sdk.PluginConfig{EnableWasi: true}, nil)
	if err != nil {
		return nil, fmt.Errorf("extism: compile: %w", err)
	}

	p := &Plugin{compiled: compiled, limit: options.MemoryLimit}
	if err := p.replace(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// module returns the module's file.
func (o Options) module() ([]byte, error) {
	switch {
	case o.Module != nil && o.Path != "":
		return nil, errors.New("extism: Options has both Module and Path")
	case o.Module != nil:
		return o.Module, nil
	case o.Path == "":
		return build.Module, nil
	}
	module, err := os.ReadFile(o.Path)
	if err != nil {
		return nil, fmt.Errorf("extism: %w", err)
	}
	return module, nil
}

// Call sends one request, in JSON, to a function of the module and returns the
// answer. A request that the module refuses is answered with the error object
// of abi/README.md and is no error here. An error means that the module
// failed: it trapped, exited, needed more memory or time than it may have,
// answered nothing, or has no such function. Its instance is dropped, and the
// next call gets a new one.
func (p *Plugin) Call(function string, request []byte) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.compiled == nil {
		return nil, ErrClosed
	}
	// The SDK does not look whether Extism's memory has taken the request, and the
	// guest would then read something else.
	if uint64(len(request))+extismRoom > p.limit {
		return nil, fmt.Errorf("extism: %s: a request of %d bytes does not fit into a memory of %d", function, len(request), p.limit)
	}
	if p.instance == nil {
		if err := p.replace(context.Background()); err != nil {
			return nil, err
		}
	}

	answer, err := call(p.instance, function, request)
	if err != nil {
		return nil, fmt.Errorf("extism: %s: %w", function, errors.Join(err, p.drop()))
	}
	return answer, nil
}

// Close frees the instance and the compiled module. It waits for a call in
// progress. Calls after it fail with [ErrClosed]; closing again does nothing.
func (p *Plugin) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.compiled == nil {
		return nil
	}
	compiled := p.compiled
	p.compiled = nil
	return errors.Join(p.drop(), compiled.Close(context.Background()))
}

// replace makes a new instance.
func (p *Plugin) replace(ctx context.Context) error {
	// The guest's collector paces itself by this clock: the default one, which
	// stands almost still, lets the memory grow without bound.
	config := wazero.NewModuleConfig().WithSysNanotime()
	instance, err := p.compiled.Instance(ctx, sdk.PluginInstanceConfig{ModuleConfig: config})
	if err != nil {
		return fmt.Errorf("extism: instantiate: %w", err)
	}
	p.instance = instance
	return nil
}

// drop closes the instance, if there is one.
func (p *Plugin) drop() error {
	if p.instance == nil {
		return nil
	}
	instance := p.instance
	p.instance = nil
	return instance.Close(context.Background())
}

// call makes one call and holds the module to the convention: the SDK reports
// neither a return that comes without an error nor an exit with code 0.
func call(instance *sdk.Plugin, function string, request []byte) ([]byte, error) {
	code, answer, err := instance.Call(function, request)
	if err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, fmt.Errorf("returned %d without an error", code)
	}
	if len(answer) == 0 {
		return nil, errors.New("returned no answer, or exited with code 0")
	}
	return answer, nil
}
