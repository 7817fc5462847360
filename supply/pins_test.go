// Package supply has the checks of what turncontext is made from.
package supply

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile("../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tracked lists the files of the repository with a name, in all folders, so that
// one that is added is looked at as well.
func tracked(t *testing.T, name string) []string {
	t.Helper()
	if _, err := os.Stat("../.git"); err != nil {
		t.Skip("not run: only git tells the repository's files: ", err)
	}
	git := exec.Command("git", "ls-files", ":(glob)**/"+name)
	git.Dir = ".."
	list, err := git.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Fields(string(list))
	if len(files) == 0 {
		t.Fatalf("there is no %s", name)
	}
	return files
}

// Go has the checksum of everything in go.sum, or does not build. The other
// languages let a lock file be without one.

func TestNodePins(t *testing.T) {
	for _, path := range tracked(t, "package-lock.json") {
		var lock struct {
			Packages map[string]struct {
				Version, Integrity, Resolved string
			}
		}
		if err := json.Unmarshal([]byte(read(t, path)), &lock); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if len(lock.Packages) < 2 {
			t.Errorf("%s: nothing is pinned", path)
		}
		for name, p := range lock.Packages {
			if name != "" && (p.Version == "" || !strings.HasPrefix(p.Integrity, "sha512-")) {
				t.Errorf("%s: %s is not pinned: %+v", path, name, p)
			}
		}
	}
}

func TestPythonPins(t *testing.T) {
	for _, path := range tracked(t, "*requirements*.txt") {
		lines := strings.ReplaceAll(read(t, path), "\\\n", "")
		pins := 0
		for line := range strings.Lines(lines) {
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			pins++
			if !regexp.MustCompile(`^[A-Za-z0-9._-]+==[^ ]+ .*--hash=sha256:[0-9a-f]{64}`).MatchString(line) {
				t.Errorf("%s: not pinned: %.80s", path, line)
			}
		}
		if pins == 0 {
			t.Errorf("%s: nothing is pinned", path)
		}
	}
}

func TestRustPins(t *testing.T) {
	for _, path := range tracked(t, "Cargo.lock") {
		pins := 0
		for _, p := range strings.Split(read(t, path), "[[package]]")[1:] {
			if !strings.Contains(p, "\nsource = ") {
				continue // of this repository
			}
			pins++
			if !regexp.MustCompile(`\nchecksum = "[0-9a-f]{64}"`).MatchString(p) {
				t.Errorf("%s: not pinned: %.60s", path, strings.TrimSpace(p))
			}
		}
		if pins == 0 {
			t.Errorf("%s: nothing is pinned", path)
		}
	}
}

// The checksum beside the module is in the form that sha256sum checks.
func TestChecksumFile(t *testing.T) {
	text := []byte(read(t, "build/turncontext.wasm.sha256"))
	if !regexp.MustCompile(`^[0-9a-f]{64}  turncontext\.wasm\n$`).Match(text) || bytes.Count(text, []byte("\n")) != 1 {
		t.Errorf("got %q", text)
	}
}
