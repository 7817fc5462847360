package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// buildEcho compiles the guest in the folder echo, as the module itself is
// compiled.
func buildEcho(ctx context.Context) (module []byte, err error) {
	folder, err := os.MkdirTemp("", "turncontext-bench-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := os.RemoveAll(folder); err == nil {
			err = e
		}
	}()

	file := filepath.Join(folder, "echo.wasm")
	cmd := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid=", "-o", file, "github.com/turncontext/turncontext/bench/echo")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWASM=", "GOEXPERIMENT=", "GOFLAGS=", "GOWORK=off", "GODEBUG=")
	if output, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the echo guest: %w\n%s", err, output)
	}
	return os.ReadFile(file)
}
