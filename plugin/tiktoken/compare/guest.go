package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// build compiles the guest of that name as the module itself is compiled.
func build(ctx context.Context, name string) (module []byte, err error) {
	folder, err := os.MkdirTemp("", "turncontext-compare-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	file := filepath.Join(folder, name+".wasm")
	cmd := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid=", "-o", file, "./guest/"+name)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWASM=", "GOEXPERIMENT=", "GOFLAGS=", "GOWORK=off", "GODEBUG=")
	if output, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the guest %s: %w\n%s", name, err, output)
	}
	return os.ReadFile(file)
}

// A guest is an instance of a module.
type guest struct {
	runtime wazero.Runtime
	cache   wazero.CompilationCache // or nil
	module  api.Module
	compile time.Duration // what compiling it took
}

// open compiles a module as the Go host does.
func open(ctx context.Context, source []byte) (*guest, error) {
	return openWith(ctx, source, wazero.NewRuntimeConfigCompiler(), nil)
}

// openCached opens a module with a cache in the folder.
func openCached(ctx context.Context, source []byte, folder string) (*guest, error) {
	cache, err := wazero.NewCompilationCacheWithDir(folder)
	if err != nil {
		return nil, err
	}
	return openWith(ctx, source, wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache), cache)
}

func openWith(ctx context.Context, source []byte, config wazero.RuntimeConfig, cache wazero.CompilationCache) (*guest, error) {
	ctx = experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
	g := &guest{runtime: wazero.NewRuntimeWithConfig(ctx, config), cache: cache}
	if err := g.start(ctx, source); err != nil {
		return nil, errors.Join(err, g.close(ctx))
	}
	return g, nil
}

func (g *guest) start(ctx context.Context, source []byte) error {
	runtime.GC() // what was before is not this one's to collect
	begin := time.Now()
	compiled, err := g.runtime.CompileModule(ctx, source)
	if err != nil {
		return err
	}
	g.compile = time.Since(begin)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, g.runtime); err != nil {
		return err
	}
	// The guest's collector paces itself by the clock.
	g.module, err = g.runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().
		WithSysNanotime().WithSysWalltime().WithStderr(os.Stderr).WithStartFunctions("_initialize"))
	return err
}

func (g *guest) close(ctx context.Context) error {
	err := g.runtime.Close(ctx)
	if g.cache != nil {
		err = errors.Join(err, g.cache.Close(ctx))
	}
	return err
}

func (g *guest) memory() uint32 { return g.module.Memory().Size() }

// call calls an export, and returns its result if it has one.
func (g *guest) call(ctx context.Context, name string, params ...uint64) (uint32, error) {
	results, err := g.module.ExportedFunction(name).Call(ctx, params...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return uint32(results[0]), nil
}

// count returns how many tokens the text has, and the least time that it took.
func (g *guest) count(ctx context.Context, text []byte, rounds int) (uint32, time.Duration, error) {
	return g.least(ctx, rounds, "count", text)
}

// least calls an export with the text's length and the parameters once to warm
// up, then for each round, and returns its result and the least time it took.
func (g *guest) least(ctx context.Context, rounds int, name string, text []byte, params ...uint64) (result uint32, took time.Duration, err error) {
	address, err := g.call(ctx, "reserve", uint64(len(text)))
	if err != nil {
		return 0, 0, err
	}
	if !g.module.Memory().Write(address, text) {
		return 0, 0, errors.New("the guest's buffer is outside its memory")
	}
	params = append([]uint64{uint64(len(text))}, params...)
	if _, err := g.call(ctx, name, params...); err != nil {
		return 0, 0, err
	}
	for n := range rounds {
		begin := time.Now()
		result, err = g.call(ctx, name, params...)
		if err != nil {
			return 0, 0, err
		}
		if d := time.Since(begin); n == 0 || d < took {
			took = d
		}
	}
	return result, took, nil
}

// A start is what it takes until a guest can count, the least of all times, and
// its memory after each vocabulary.
type start struct {
	cold, warm time.Duration
	load       [2]time.Duration
	memory     [2]uint32
}

func newStart() *start {
	const long = time.Duration(1<<63 - 1)
	return &start{cold: long, warm: long, load: [2]time.Duration{long, long}}
}

// measure starts a guest three times: without a cache, with an empty one, and
// with that.
func (s *start) measure(ctx context.Context, module []byte) (err error) {
	folder, err := os.MkdirTemp("", "turncontext-compare-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	for range 2 {
		warm, err := openCached(ctx, module, folder)
		if err != nil {
			return err
		}
		s.warm = min(s.warm, warm.compile)
		if err := warm.close(ctx); err != nil {
			return err
		}
	}

	g, err := open(ctx, module)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.close(ctx)) }()
	s.cold = min(s.cold, g.compile)
	for n := range s.load {
		begin := time.Now()
		if _, err := g.call(ctx, "load", uint64(n)); err != nil {
			return err
		}
		s.load[n] = min(s.load[n], time.Since(begin))
		s.memory[n] = g.memory()
	}
	return nil
}
