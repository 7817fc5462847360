package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/turncontext/turncontext/build"
	"github.com/turncontext/turncontext/host"
)

// guests are the modules that run, as files too, for those who open them in a
// process of their own.
type guests struct {
	module, echo         []byte
	moduleFile, echoFile string
}

// guests builds the echo, and returns it with the module to measure, and how to
// remove the files.
func (b bench) guests(ctx context.Context) (g guests, remove func() error, err error) {
	folder, err := os.MkdirTemp("", "turncontext-bench-")
	if err != nil {
		return guests{}, nil, err
	}
	remove = func() error { return os.RemoveAll(folder) }
	defer func() {
		if err != nil {
			_ = remove()
		}
	}()

	g = guests{
		moduleFile: filepath.Join(folder, "module.wasm"),
		echoFile:   filepath.Join(folder, "echo.wasm"),
	}
	if g.module, err = b.module(); err != nil {
		return guests{}, nil, err
	}
	if err := os.WriteFile(g.moduleFile, g.module, 0o600); err != nil {
		return guests{}, nil, err
	}
	if err := buildEcho(ctx, g.echoFile); err != nil {
		return guests{}, nil, err
	}
	g.echo, err = os.ReadFile(g.echoFile)
	return g, remove, err
}

// module returns the module to measure.
func (b bench) module() ([]byte, error) {
	if b.moduleFile == "" {
		return build.Module, nil
	}
	return os.ReadFile(b.moduleFile)
}

// openModule opens the module to measure in the Go host.
func (b bench) openModule(ctx context.Context, instances int) (*host.Module, error) {
	module, err := b.module()
	if err != nil {
		return nil, err
	}
	return host.Open(ctx, host.Options{Module: module, Instances: instances})
}

// buildEcho compiles the guest in the folder echo, as the module itself is
// compiled.
func buildEcho(ctx context.Context, file string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid=", "-o", file, "github.com/turncontext/turncontext/bench/echo")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWASM=", "GOEXPERIMENT=", "GOFLAGS=", "GOWORK=off", "GODEBUG=")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the echo guest: %w\n%s", err, output)
	}
	return nil
}
