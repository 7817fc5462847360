// Package supply has the checks of what turncontext is made from.
package supply

import (
	"bytes"
	"encoding/json"
	"os"
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

// Go has the checksum of everything in go.sum, or does not build. The other
// languages let a lock file be without one.

func TestNodePins(t *testing.T) {
	var lock struct {
		Packages map[string]struct {
			Version, Integrity, Resolved string
		}
	}
	if err := json.Unmarshal([]byte(read(t, "host/node/package-lock.json")), &lock); err != nil {
		t.Fatal(err)
	}
	if len(lock.Packages) < 2 {
		t.Fatal("there is no package in the lock file")
	}
	for name, p := range lock.Packages {
		if name != "" && (p.Version == "" || !strings.HasPrefix(p.Integrity, "sha512-")) {
			t.Errorf("%s is not pinned: %+v", name, p)
		}
	}
}

func TestPythonPins(t *testing.T) {
	for _, path := range []string{"host/python/requirements.txt", "supply/requirements.txt"} {
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
	packages := strings.Split(read(t, "host/rust/Cargo.lock"), "[[package]]")[1:]
	if len(packages) < 2 {
		t.Fatal("there is no package in the lock file")
	}
	for _, p := range packages {
		own := strings.Contains(p, "name = \"turncontext\"\n")
		if !own && !regexp.MustCompile(`checksum = "[0-9a-f]{64}"`).MatchString(p) {
			t.Errorf("not pinned: %.60s", strings.TrimSpace(p))
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
