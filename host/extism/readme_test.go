package extism

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// example returns the code block in README.md that follows a name.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "<!-- example:"+name+" -->\n```")
	_, after, begun := strings.Cut(after, "\n")
	block, _, ended := strings.Cut(after, "```\n")
	if !found || !begun || !ended {
		t.Fatalf("README.md has no example %q", name)
	}
	return block
}

// The first example runs as it is written.
func TestReadme(t *testing.T) {
	program := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(program, []byte(example(t, "go")), 0o600); err != nil {
		t.Fatal(err)
	}
	var failure strings.Builder
	command := exec.CommandContext(t.Context(), "go", "run", program)
	command.Stderr = &failure
	answer, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failure.String())
	}
	if want := example(t, "answer"); string(answer) != want {
		t.Errorf("it prints\n%swant\n%s", answer, want)
	}
}
