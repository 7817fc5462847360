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

	sdk "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"
)

// Plugin is a module with one instance. It serves one call at a time and is
// not safe for use by several goroutines.
type Plugin struct {
	compiled *sdk.CompiledPlugin
	instance *sdk.Plugin // nil until a call needs one
}

// Open compiles a module and makes its first instance. The error is the SDK's:
// bytes that are no WebAssembly module, or one that imports what the SDK does
// not give. The caller closes the Plugin.
func Open(ctx context.Context, module []byte) (*Plugin, error) {
	manifest := sdk.Manifest{Wasm: []sdk.Wasm{sdk.WasmData{Data: module}}}
	compiled, err := sdk.NewCompiledPlugin(ctx, manifest, sdk.PluginConfig{EnableWasi: true}, nil)
	if err != nil {
		return nil, fmt.Errorf("extism: compile: %w", err)
	}

	p := &Plugin{compiled: compiled}
	if err := p.replace(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Call sends one request, in JSON, to a function of the module and returns the
// answer. A request that the module refuses is answered with the error object
// of abi/README.md and is no error here. An error means that the module
// failed: it trapped, exited, answered nothing, or has no such function. Its
// instance is dropped, and the next call gets a new one.
func (p *Plugin) Call(function string, request []byte) ([]byte, error) {
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

// Close frees the instance and the compiled module. Calls after it fail.
func (p *Plugin) Close() error {
	return errors.Join(p.drop(), p.compiled.Close(context.Background()))
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
		return nil, errors.New("returned no answer")
	}
	return answer, nil
}
