package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBill makes the bill of a file, and looks at what it says. That the one in
// build/ is up to date is for `make check`, since it changes with every build.
func TestBill(t *testing.T) {
	t.Chdir("../..")
	wasm := filepath.Join(t.TempDir(), "some.wasm")
	if err := os.WriteFile(wasm, []byte("\x00asm"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(wasm, "./plugin", "", true); err == nil {
		t.Error("there is no bill, and that is no error")
	}
	if err := run(wasm, "./plugin", "", false); err != nil {
		t.Fatal(err)
	}
	if err := run(wasm, "./plugin", "", true); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(strings.TrimSuffix(wasm, ".wasm") + ".cdx.json")
	if err != nil {
		t.Fatal(err)
	}
	var bill document
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("\x00asm"))
	if got := bill.Metadata.Component.Hashes[0].Content; got != hex.EncodeToString(sum[:]) {
		t.Errorf("the file's checksum is %s", got)
	}
	var names []string
	for _, c := range bill.Components {
		names = append(names, c.Name)
		if c.Version == "" || c.Name != "std" && len(c.Hashes) != 1 {
			t.Errorf("%s has no version, or no checksum: %+v", c.Name, c)
		}
	}
	if got := strings.Join(names, " "); got != "std" {
		t.Errorf("the module is made of %s", got)
	}

	if err := os.WriteFile(wasm, []byte("\x00asm changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(wasm, "./plugin", "", true); err == nil {
		t.Error("the file changed, and the bill still holds")
	}
	if err := run(wasm, "./plugin/nothing", "", false); err == nil {
		t.Error("there is no such package, and that is no error")
	}
}
