package build_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
	"github.com/turncontext/turncontext/build/simd"
	"github.com/turncontext/turncontext/build/tiktoken"
)

// maxModuleBytes is how large the module may get. RATIONALE.md says what it is
// made of.
const maxModuleBytes = 2_600_000

func TestSize(t *testing.T) {
	if size := len(build.Module); size > maxModuleBytes {
		t.Errorf("the module has %d bytes, more than %d", size, maxModuleBytes)
	}
}

// TestGuestImports holds the guest to the packages of the standard library that
// cost little: os alone would be a sixth of the module, and a fifth of its imports
// could reach files.
func TestGuestImports(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", "guest", "../plugin")
	list.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	output, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(output))
	if !slices.Contains(packages, "github.com/turncontext/turncontext/plugin/turn") {
		t.Fatal("the core is not in the list: it is not what this test takes it for")
	}
	for _, heavy := range []string{"encoding/json", "fmt", "os", "reflect", "time"} {
		if slices.Contains(packages, heavy) {
			t.Errorf("the guest imports %s", heavy)
		}
	}
}

func TestChecksum(t *testing.T) {
	const path = "turncontext.wasm.sha256"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(build.Module)
	want := []string{hex.EncodeToString(sum[:]), "turncontext.wasm"}
	if got := strings.Fields(string(text)); !slices.Equal(got, want) {
		t.Errorf("%s holds %q, want %q", path, got, want)
	}
}

func TestExportsAreTheSpecified(t *testing.T) {
	module := compile(t)
	var got []string
	for name := range module.ExportedMemories() {
		got = append(got, name+": memory")
	}
	for name, function := range module.ExportedFunctions() {
		got = append(got, name+": "+signature(function))
	}

	var want []string
	for _, cells := range table(t, "Exports") {
		want = append(want, unquote(cells[0])+": "+unquote(cells[1]))
	}
	compare(t, got, want)
}

func TestImportsAreTheSpecified(t *testing.T) {
	compare(t, imports(t, build.Module), specifiedImports(t))
}

func TestImportsOfTheOthers(t *testing.T) {
	compare(t, imports(t, simd.Module), specifiedImports(t))

	exact, err := tiktoken.Module()
	if err != nil {
		t.Fatal(err)
	}
	_, sentence, _ := strings.Cut(readSpecification(t), "`turncontext-tiktoken.wasm` also imports")
	sentence, _, _ = strings.Cut(sentence, "of WASI")
	want := specifiedImports(t)
	for _, match := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(sentence, -1) {
		want = append(want, "wasi_snapshot_preview1 "+match[1])
	}
	compare(t, imports(t, exact), want)
}

// imports returns the functions that a module imports, and there is nothing else.
func imports(t *testing.T, file []byte) (names []string) {
	t.Helper()
	module := compileFile(t, file)
	for _, function := range module.ImportedFunctions() {
		namespace, name, _ := function.Import()
		names = append(names, namespace+" "+name)
	}
	if n := len(module.ImportedMemories()); n != 0 {
		t.Errorf("the module imports %d memories, the specification has none", n)
	}
	return names
}

// specifiedImports returns those of the table.
func specifiedImports(t *testing.T) (names []string) {
	t.Helper()
	for _, cells := range table(t, "Imports") {
		for name := range strings.SplitSeq(cells[1], ",") {
			names = append(names, unquote(cells[0])+" "+unquote(name))
		}
	}
	return names
}

func readSpecification(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../abi/README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The types of what is imported stand in sentences behind the table.
func TestImportsHaveTheSpecifiedTypes(t *testing.T) {
	for namespace, begin := range map[string]string{
		"wasi_snapshot_preview1": "The types of WASI's are", "extism:host/env": "The types of Extism's are",
	} {
		_, sentence, _ := strings.Cut(readSpecification(t), begin)
		sentence, _, _ = strings.Cut(sentence, "\n\n")
		var want []string
		for _, match := range regexp.MustCompile("`(\\w+) (\\([^)]*\\))(?: -> (\\w+))?`").FindAllStringSubmatch(sentence, -1) {
			result := match[3]
			if result == "" {
				result = "()"
			}
			want = append(want, match[1]+": "+match[2]+" -> "+result)
		}
		var got []string
		for _, function := range compile(t).ImportedFunctions() {
			if of, name, _ := function.Import(); of == namespace {
				got = append(got, name+": "+signature(function))
			}
		}
		compare(t, got, want)
	}
}

// TestFunctionsHaveBothExports holds the list in package abi to the module.
func TestFunctionsHaveBothExports(t *testing.T) {
	exports := compile(t).ExportedFunctions()
	for _, function := range abi.Functions() {
		for _, name := range []string{function, abi.DirectPrefix + function} {
			if exports[name] == nil {
				t.Errorf("%s is not exported", name)
			}
		}
	}
}

// compile reads the default module's sections; it makes no instance.
func compile(t *testing.T) wazero.CompiledModule {
	t.Helper()
	return compileFile(t, build.Module)
}

func compileFile(t *testing.T, file []byte) wazero.CompiledModule {
	t.Helper()
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() {
		if err := runtime.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	module, err := runtime.CompileModule(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// signature writes a function's type as the specification does.
func signature(function api.FunctionDefinition) string {
	return types(function.ParamTypes()) + " -> " + result(function.ResultTypes())
}

// result writes one result bare, and none or several as a list.
func result(results []api.ValueType) string {
	if len(results) == 1 {
		return api.ValueTypeName(results[0])
	}
	return types(results)
}

func types(list []api.ValueType) string {
	names := make([]string, len(list))
	for i, t := range list {
		names[i] = api.ValueTypeName(t)
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// table returns the cells of the rows of the first table after the line
// "<title>:" in the specification, without its header.
func table(t *testing.T, title string) [][]string {
	t.Helper()
	text := readSpecification(t)
	start := regexp.MustCompile(fmt.Sprintf(`(?m)^%s:\n\n\|.*\n\|[-|]+\n`, title))
	at := start.FindStringIndex(text)
	if at == nil {
		t.Fatalf("abi/README.md has no table after %q", title+":")
	}

	var rows [][]string
	for line := range strings.Lines(text[at[1]:]) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		if len(cells) != 3 {
			t.Fatalf("a row with %d cells, want 3: %s", len(cells), line)
		}
		rows = append(rows, cells)
	}
	return rows
}

// unquote strips a cell of white space and of Markdown's code quotes.
func unquote(cell string) string {
	return strings.Trim(cell, " `")
}

// compare reports what only one of two sets has.
func compare(t *testing.T, got, want []string) {
	t.Helper()
	if len(want) == 0 {
		t.Error("the specification's table is empty")
	}
	slices.Sort(got)
	slices.Sort(want)
	for _, item := range got {
		if !slices.Contains(want, item) {
			t.Errorf("not in the specification: %s", item)
		}
	}
	for _, item := range want {
		if !slices.Contains(got, item) {
			t.Errorf("not in the module: %s", item)
		}
	}
	if len(slices.Compact(slices.Clone(want))) != len(want) {
		t.Errorf("the specification names something twice: %q", want)
	}
}
