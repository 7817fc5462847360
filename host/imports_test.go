package host

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A program that imports this package compiles the standard library, wazero,
// what wazero needs, and three packages of turncontext.
func TestImportGraph(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
	output, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(output))
	const own = "github.com/turncontext/turncontext/"
	for _, needed := range []string{own + "abi", own + "build", own + "host", "github.com/tetratelabs/wazero"} {
		if !slices.Contains(packages, needed) {
			t.Errorf("%s is missing: the list is not what this test takes it for", needed)
		}
	}
	for _, path := range packages {
		switch {
		case path == own+"abi", path == own+"build", path == own+"host":
		case path == "github.com/tetratelabs/wazero", strings.HasPrefix(path, "github.com/tetratelabs/wazero/"):
		case strings.HasPrefix(path, "golang.org/x/sys/"): // what wazero needs
		default:
			t.Errorf("this package needs %s", path)
		}
	}
}
