// Package docs checks that what the documentation shows is true.
package docs

import (
	"bytes"
	"context"
	"flag"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

var update = flag.Bool("update", false, "rewrite the answers in the documentation")

const readme = "../../README.md"

// example returns the code block behind the marker of that name, and the text
// around it.
func example(t *testing.T, text, name string) (before, code, after string) {
	t.Helper()
	before, rest, found := strings.Cut(text, "<!-- example:"+name+" -->\n```")
	if !found {
		t.Fatalf("no example %q", name)
	}
	language, rest, _ := strings.Cut(rest, "\n")
	code, after, found = strings.Cut(rest, "```\n")
	if !found {
		t.Fatalf("example %q does not end", name)
	}
	return before + "<!-- example:" + name + " -->\n```" + language + "\n", code, "```\n" + after
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRequestAndAnswer(t *testing.T) {
	ctx := context.Background()
	module, err := host.Open(ctx, host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer module.Close(ctx)

	text := read(t, readme)
	_, request, _ := example(t, text, "request")
	before, want, after := example(t, text, "answer")
	answer, err := module.Call(ctx, abi.FunctionMerge, []byte(request))
	if err != nil {
		t.Fatal(err)
	}
	// Broken into lines for the eye.
	got := strings.NewReplacer(`,"inputs"`, ",\n"+` "inputs"`, `,"receipts"`, ",\n"+` "receipts"`, `{"source"`, "\n  "+`{"source"`,
		`"item"`, "\n   "+`"item"`, `{"key"`, "\n  "+`{"key"`).Replace(string(answer)) + "\n"
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("README.md shows\n%s\nthe module answers\n%s\n(go test ./internal/docs -update)", want, got)
	}
	if err := os.WriteFile(readme, []byte(before+got+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The programs in the README run in a module of their own, and print what they
// say.
func TestPrograms(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"go": `user <external_browser_tab>Inbox</external_browser_tab>
browser_tab added
browser_tab unchanged
user <external_browser_tab>Pull request #7</external_browser_tab>
browser_tab changed
`,
		"thread": `user <external_context source="ci">build 812 failed</external_context>
user Why is it red?
user In one word.
{"version":1,"threadId":"thread-1","activeTurn":null,"additionalContext":{"ci":{"value":"build 812 failed","kind":"untrusted"}}}
`,
	} {
		t.Run(name, func(t *testing.T) {
			_, program, _ := example(t, read(t, readme), name)
			if formatted, err := format.Source([]byte(program)); err != nil || string(formatted) != program {
				t.Errorf("it is not formatted: %v\n%s", err, formatted)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644); err != nil {
				t.Fatal(err)
			}
			runGo(t, dir, "mod", "init", "example")
			runGo(t, dir, "mod", "edit", "-require", "github.com/turncontext/turncontext@v0.0.0", "-replace", "github.com/turncontext/turncontext="+root)
			runGo(t, dir, "mod", "tidy")
			if got := runGo(t, dir, "run", "."); got != want {
				t.Errorf("it prints\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// runGo runs the go tool in a folder, and returns what it prints.
func runGo(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.String()
}
