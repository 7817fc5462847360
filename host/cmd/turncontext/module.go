package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/turncontext/turncontext/build/tiktoken"
	"github.com/turncontext/turncontext/host"
)

// moduleFlags choose the module that a command runs.
type moduleFlags struct {
	Module   string  `placeholder:"FILE" xor:"module" help:"Run the module in FILE, not the built-in one."`
	Tiktoken bool    `xor:"module" help:"Run the built-in module that counts tokens exactly too, for a policy with \"tokenizer\"."`
	Cache    *string `placeholder:"DIR" help:"Keep compiled modules in DIR, which spares later runs a third of a second, or more. Default: turncontext in the user's cache folder. Empty: keep none."`
}

// open compiles the module. The caller closes it.
func (f *moduleFlags) open(ctx context.Context) (*host.Module, error) {
	options := host.Options{Instances: 1}
	if f.Module != "" {
		wasm, err := os.ReadFile(f.Module)
		if err != nil {
			return nil, err
		}
		options.Module = wasm
	}
	if f.Tiktoken {
		wasm, err := tiktoken.Module()
		if err != nil {
			return nil, err
		}
		options.Module = wasm
	}
	dir, chosen := f.cacheDir()
	options.CacheDir = dir
	module, err := host.Open(ctx, options)
	if err != nil && !chosen && dir != "" {
		// The default cache is a convenience: without it, it only takes longer.
		options.CacheDir = ""
		module, err = host.Open(ctx, options)
	}
	if err != nil && f.Module != "" {
		return nil, &fileError{f.Module, err}
	}
	return module, err
}

// cacheDir returns the folder for compiled modules, "" for none, and whether
// the command line chose it.
func (f *moduleFlags) cacheDir() (dir string, chosen bool) {
	if f.Cache != nil {
		return *f.Cache, true
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", false
	}
	return filepath.Join(user, "turncontext"), false
}

// with opens the module for the time of one function.
func (e *environment) with(use func(*host.Module) error) (err error) {
	module, err := e.module.open(e.ctx)
	if err != nil {
		return err
	}
	defer func() {
		// A command that was interrupted still gives back what it holds.
		if closeErr := module.Close(context.WithoutCancel(e.ctx)); err == nil {
			err = closeErr
		}
	}()
	return use(module)
}
