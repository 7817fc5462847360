package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/turncontext/turncontext/abi"
)

// openDirect opens a module without the Go host, which refuses one that is
// older and lacks some of its functions, and returns its merge.
func openDirect(ctx context.Context, source []byte) (merge func([]byte) ([]byte, error), closer func() error, err error) {
	r := wazero.NewRuntime(ctx)
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close(ctx))
		}
	}()
	compiled, err := r.CompileModule(ctx, source)
	if err != nil {
		return nil, nil, err
	}
	if err := provideImports(ctx, r, compiled); err != nil {
		return nil, nil, err
	}
	config := wazero.NewModuleConfig().WithStartFunctions("_initialize").WithSysNanotime()
	module, err := r.InstantiateModule(ctx, compiled, config)
	if err != nil {
		return nil, nil, err
	}
	reserve := module.ExportedFunction(abi.DirectReserve)
	function := module.ExportedFunction(abi.DirectPrefix + abi.FunctionMerge)
	if reserve == nil || function == nil {
		return nil, nil, fmt.Errorf("the module has no %s or merge", abi.DirectReserve)
	}

	var address, capacity uint32
	var stack [1]uint64
	merge = func(request []byte) ([]byte, error) {
		stack[0] = uint64(len(request))
		if len(request) > int(capacity) {
			if err := reserve.CallWithStack(ctx, stack[:]); err != nil {
				return nil, err
			}
			address, capacity = uint32(stack[0]>>32), uint32(stack[0])
			stack[0] = uint64(len(request))
		}
		if !module.Memory().Write(address, request) {
			return nil, fmt.Errorf("no room for %d bytes at %d", len(request), address)
		}
		if err := function.CallWithStack(ctx, stack[:]); err != nil {
			return nil, err
		}
		answer, ok := module.Memory().Read(uint32(stack[0]>>32), uint32(stack[0]))
		if !ok {
			return nil, fmt.Errorf("no answer at %#x", stack[0])
		}
		return bytes.Clone(answer), nil
	}
	return merge, func() error { return r.Close(ctx) }, nil
}

// provideImports gives a module WASI, and in place of Extism's functions, which
// a direct call never needs, some that do nothing.
func provideImports(ctx context.Context, r wazero.Runtime, compiled wazero.CompiledModule) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return err
	}
	const extism = "extism:host/env"
	builder := r.NewHostModuleBuilder(extism)
	for _, f := range compiled.ImportedFunctions() {
		if module, name, _ := f.Import(); module == extism {
			nothing := api.GoFunc(func(context.Context, []uint64) {})
			builder.NewFunctionBuilder().WithGoFunction(nothing, f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	_, err := builder.Instantiate(ctx)
	return err
}
