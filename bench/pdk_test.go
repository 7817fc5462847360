package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/turncontext/turncontext/build"
)

// The module calls Extism by itself: whatever it imports from there, a guest made
// with go-pdk imports too, with the same types.
func TestModuleImportsWhatThePDKDoes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "echo.wasm")
	if err := buildEcho(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	pdk, err := (bench{moduleFile: file}).module()
	if err != nil {
		t.Fatal(err)
	}
	known, needed := extismImports(t, pdk), extismImports(t, build.Module)
	if len(needed) == 0 {
		t.Fatal("the module imports nothing of Extism: this is not what the test takes it for")
	}
	for name, function := range needed {
		other, ok := known[name]
		switch {
		case !ok:
			t.Errorf("go-pdk does not import %s", name)
		case !slices.Equal(function.ParamTypes(), other.ParamTypes()) || !slices.Equal(function.ResultTypes(), other.ResultTypes()):
			t.Errorf("%s: %v -> %v, in go-pdk %v -> %v", name, function.ParamTypes(), function.ResultTypes(), other.ParamTypes(), other.ResultTypes())
		}
	}
}

// extismImports returns what a module imports from Extism, by name.
func extismImports(t *testing.T, wasm []byte) map[string]api.FunctionDefinition {
	t.Helper()
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() {
		if err := runtime.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	module, err := runtime.CompileModule(t.Context(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string]api.FunctionDefinition{}
	for _, function := range module.ImportedFunctions() {
		if namespace, name, _ := function.Import(); namespace == "extism:host/env" {
			imports[name] = function
		}
	}
	return imports
}
