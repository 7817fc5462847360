package supply

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each test that SECURITY.md names is there.
func TestSecurityNamesTests(t *testing.T) {
	there := map[string]bool{}
	definition := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9]+)\(`)
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && (name == "node_modules" || name == "target" || name == ".venv" || name == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		for _, found := range definition.FindAllStringSubmatch(read(t, strings.TrimPrefix(filepath.ToSlash(path), "../")), -1) {
			there[found[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(read(t, "SECURITY.md"), -1)
	if len(named) < 50 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, name := range named {
		if !there[name[1]] {
			t.Errorf("there is no test %s", name[1])
		}
	}
}
