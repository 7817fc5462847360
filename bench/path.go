package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/host/extism"
	"github.com/turncontext/turncontext/plugin/turn"
)

// A call sends one request to merge. The answer may be overwritten by the next
// call.
type call func(request []byte) ([]byte, error)

// A path is one way to the core.
type path struct {
	name  string
	merge call
	echo  call // the floor: the same way, and back with the same bytes
}

// The places of the paths in every list of them.
const (
	native = iota
	direct
	sdk
)

// An opener opens a module, and returns how to call and how to close it.
type opener func(ctx context.Context, module []byte) (call, func() error, error)

// openPaths returns the three paths, and a function that closes them.
func openPaths(ctx context.Context, echo []byte) ([]path, func() error, error) {
	var closers []func() error
	closeAll := func() error {
		var errs []error
		for _, c := range closers {
			errs = append(errs, c())
		}
		return errors.Join(errs...)
	}

	paths := []path{native: nativePath(), direct: {name: "direct"}, sdk: {name: "SDK"}}
	for _, way := range []struct {
		to     *call
		open   opener
		module []byte
	}{
		{&paths[direct].merge, openDirect, build.Module},
		{&paths[direct].echo, openDirect, echo},
		{&paths[sdk].merge, openSDK, build.Module},
		{&paths[sdk].echo, openSDK, echo},
	} {
		call, closer, err := way.open(ctx, way.module)
		if err != nil {
			return nil, nil, errors.Join(err, closeAll())
		}
		*way.to = call
		closers = append(closers, closer)
	}
	return paths, closeAll, nil
}

// nativePath calls the core as the Go package that it is. Its floor is a copy
// of the request.
func nativePath() path {
	core := new(turn.Core)
	var copied []byte
	return path{
		name: "native",
		merge: func(request []byte) ([]byte, error) {
			return core.Call(abi.FunctionMerge, request), nil
		},
		echo: func(request []byte) ([]byte, error) {
			copied = append(copied[:0], request...)
			return copied, nil
		},
	}
}

// openDirect opens a module in the Go host, which calls it directly.
func openDirect(ctx context.Context, module []byte) (call, func() error, error) {
	m, err := host.Open(ctx, host.Options{Module: module, Instances: 1})
	if err != nil {
		return nil, nil, err
	}
	merge := func(request []byte) ([]byte, error) {
		return m.Call(ctx, abi.FunctionMerge, request)
	}
	return merge, func() error { return m.Close(ctx) }, nil
}

// openSDK opens a module in Extism's Go SDK.
func openSDK(ctx context.Context, module []byte) (call, func() error, error) {
	p, err := extism.Open(ctx, module)
	if err != nil {
		return nil, nil, err
	}
	merge := func(request []byte) ([]byte, error) {
		return p.Call(abi.FunctionMerge, request)
	}
	return merge, p.Close, nil
}

// verify sends every request down every path, and fails unless all merge
// alike and every echo is one.
func verify(paths []path, requests [][]byte) error {
	for i, request := range requests {
		var want []byte
		for _, p := range paths {
			answer, err := p.merge(request)
			if err != nil {
				return fmt.Errorf("input %d, %s: %w", i, p.name, err)
			}
			if want == nil {
				want = bytes.Clone(answer)
			}
			if !bytes.Equal(answer, want) {
				return fmt.Errorf("input %d: %s answers otherwise than %s", i, p.name, paths[0].name)
			}

			echoed, err := p.echo(request)
			if err != nil {
				return fmt.Errorf("input %d, echo %s: %w", i, p.name, err)
			}
			if !bytes.Equal(echoed, request) {
				return fmt.Errorf("input %d: echo %s answers something else", i, p.name)
			}
		}
		if bytes.HasPrefix(want, []byte(`{"error"`)) {
			return fmt.Errorf("input %d is refused: %.200s", i, want)
		}
	}
	return nil
}
