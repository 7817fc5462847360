package host

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/turncontext/turncontext/abi"
)

// extismModule is the module that the Extism exports import from.
const extismModule = "extism:host/env"

// The exports that every module has beside its functions.
const (
	exportMemory     = "memory"
	exportInitialize = "_initialize"
)

// wasmMagic begins every file of WebAssembly (core specification 5.5.16).
var wasmMagic = []byte("\x00asm")

// A signature is the type of an exported function.
type signature struct{ params, results []api.ValueType }

// String returns the signature in the ABI's notation, such as "(i32) -> i64".
func (s signature) String() string {
	return "(" + typeNames(s.params) + ") -> " + cmp.Or(typeNames(s.results), "()")
}

// The signatures of the direct convention.
var (
	initializeSignature = signature{}
	versionSignature    = signature{results: []api.ValueType{api.ValueTypeI32}}
	callSignature       = signature{
		params:  []api.ValueType{api.ValueTypeI32},
		results: []api.ValueType{api.ValueTypeI64},
	}
)

// load compiles the module, provides its imports, makes the first instance,
// which goes into the pool, and checks the contract: the version first, because
// nothing else can be expected of a module that has another.
func (m *Module) load(ctx context.Context, source []byte) (err error) {
	defer recovered(&err)
	if !bytes.HasPrefix(source, wasmMagic) {
		return fmt.Errorf("host: not a WebAssembly file, so it is no turncontext module; this host speaks ABI version %d", abi.Version)
	}
	if m.compiled, err = m.runtime.CompileModule(ctx, source); err != nil {
		return fmt.Errorf("host: compiling the module: %w", err)
	}
	if err := writeSums(m.cacheFolder); err != nil {
		return err
	}
	exports := m.compiled.ExportedFunctions()
	if exports[abi.DirectVersion] == nil {
		return fmt.Errorf("host: module exports no %s, so it is no turncontext module; this host speaks ABI version %d",
			abi.DirectVersion, abi.Version)
	}
	if flaw := checkExport(exports, abi.DirectVersion, versionSignature); flaw != "" {
		return fmt.Errorf("host: %s; this host speaks ABI version %d", flaw, abi.Version)
	}
	if err := m.provideImports(ctx); err != nil {
		return err
	}
	first, err := m.instantiate(ctx)
	if err != nil {
		return err
	}
	if err := first.checkVersion(ctx); err != nil {
		return err
	}
	if err := m.checkExports(); err != nil {
		return err
	}
	m.pool.idle = append(m.pool.idle, first)
	return nil
}

// provideImports gives the guest WASI and a stand-in for Extism's kernel, and
// refuses a module that wants anything else.
func (m *Module) provideImports(ctx context.Context) error {
	var foreign []string
	extism := m.runtime.NewHostModuleBuilder(extismModule)
	for _, function := range m.compiled.ImportedFunctions() {
		module, name, _ := function.Import()
		switch module {
		case wasi_snapshot_preview1.ModuleName:
		case extismModule:
			extism.NewFunctionBuilder().
				WithGoFunction(trap(name), function.ParamTypes(), function.ResultTypes()).
				Export(name)
		default:
			foreign = append(foreign, module+"."+name)
		}
	}
	for _, memory := range m.compiled.ImportedMemories() {
		module, name, _ := memory.Import()
		foreign = append(foreign, module+"."+name)
	}
	if len(foreign) > 0 {
		return fmt.Errorf("host: module imports what no turncontext module does: %s", strings.Join(foreign, ", "))
	}
	if _, err := extism.Instantiate(ctx); err != nil {
		return fmt.Errorf("host: providing %s: %w", extismModule, err)
	}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return fmt.Errorf("host: providing %s: %w", wasi_snapshot_preview1.ModuleName, err)
	}
	return nil
}

// trap stands in for a function of Extism's kernel, which only the Extism
// exports call.
func trap(name string) api.GoFunction {
	return api.GoFunc(func(context.Context, []uint64) {
		panic(fmt.Errorf("%s.%s was called, which this host of the direct convention does not have", extismModule, name))
	})
}

// checkVersion asks the instance which version of the ABI it keeps.
func (in *instance) checkVersion(ctx context.Context) error {
	result, err := in.module.ExportedFunction(abi.DirectVersion).Call(ctx)
	if err != nil {
		return in.failure(ctx, abi.DirectVersion, err)
	}
	if version := uint32(result[0]); version != abi.Version {
		return fmt.Errorf("host: module has ABI version %d, this host speaks %d", version, abi.Version)
	}
	return nil
}

// checkExports names everything that the module should export and does not.
func (m *Module) checkExports() error {
	exports := m.compiled.ExportedFunctions()
	flaws := []string{
		checkExport(exports, exportInitialize, initializeSignature),
		checkExport(exports, abi.DirectReserve, callSignature),
	}
	for _, function := range abi.Functions() {
		flaws = append(flaws, checkExport(exports, abi.DirectPrefix+function, callSignature))
	}
	if m.compiled.ExportedMemories()[exportMemory] == nil {
		flaws = append(flaws, "module exports no memory named "+exportMemory)
	}
	flaws = slices.DeleteFunc(flaws, func(flaw string) bool { return flaw == "" })
	if len(flaws) > 0 {
		return fmt.Errorf("host: module does not keep ABI version %d: %s", abi.Version, strings.Join(flaws, "; "))
	}
	return nil
}

// checkExport tells what is wrong with an exported function; "" is nothing.
func checkExport(exports map[string]api.FunctionDefinition, name string, want signature) string {
	function := exports[name]
	if function == nil {
		return "module exports no " + name
	}
	got := signature{function.ParamTypes(), function.ResultTypes()}
	if !slices.Equal(got.params, want.params) || !slices.Equal(got.results, want.results) {
		return fmt.Sprintf("module exports %s as %v, not as %v", name, got, want)
	}
	return ""
}

// typeNames lists value types as the ABI's notation does.
func typeNames(types []api.ValueType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = api.ValueTypeName(t)
	}
	return strings.Join(names, ", ")
}
