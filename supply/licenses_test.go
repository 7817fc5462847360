package supply

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Go's licence wants its text to go with programs that have its library in them, as the
// modules have. Nothing else of others is compiled in.
func TestLicensesOfOthers(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(read(t, "build/THIRD_PARTY_LICENSES"), strings.TrimSpace(string(text))) {
		t.Error("Go's licence is not among them as this version of Go has it")
	}
	for _, bill := range tracked(t, "*.cdx.json") {
		var parts struct {
			Components []struct{ Name string }
		}
		if err := json.Unmarshal([]byte(read(t, bill)), &parts); err != nil {
			t.Fatal(err)
		}
		for _, part := range parts.Components {
			if part.Name != "std" {
				t.Errorf("%s has %s, whose licence is not among them", bill, part.Name)
			}
		}
	}
}
