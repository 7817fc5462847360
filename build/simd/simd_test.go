package simd_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/turncontext/turncontext/build"
	"github.com/turncontext/turncontext/build/simd"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/internal/conform"
)

func TestChecksum(t *testing.T) {
	text, err := os.ReadFile("turncontext-simd.wasm.sha256")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(simd.Module)
	want := []string{hex.EncodeToString(sum[:]), "turncontext-simd.wasm"}
	if got := strings.Fields(string(text)); !slices.Equal(got, want) {
		t.Errorf("the file holds %q, want %q", got, want)
	}
}

// Nothing is left of the linking: what the module imports and exports is what
// the default module does.
func TestImportsAndExportsAreTheDefaultModules(t *testing.T) {
	got, want := surface(t, simd.Module), surface(t, build.Module)
	if !slices.Equal(got, want) {
		t.Errorf("it has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// surface lists what a module imports and exports.
func surface(t *testing.T, file []byte) []string {
	t.Helper()
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { runtime.Close(t.Context()) })
	module, err := runtime.CompileModule(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, function := range module.ImportedFunctions() {
		namespace, name, _ := function.Import()
		names = append(names, "import "+namespace+" "+name)
	}
	for name := range module.ExportedFunctions() {
		names = append(names, "export "+name)
	}
	for name := range module.ExportedMemories() {
		names = append(names, "export memory "+name)
	}
	slices.Sort(names)
	return names
}

// Every vector that the default module passes this one passes too.
func TestVectors(t *testing.T) {
	files, err := conform.Load("../../testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	m, err := host.Open(t.Context(), host.Options{Module: simd.Module})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close(t.Context()) })
	result := conform.Run(files, conform.CallOf(t.Context(), m))
	if !result.OK() {
		t.Error(result)
	}
}
