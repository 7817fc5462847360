package supply

import (
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each test that SECURITY.md names is in the folder that stands behind it, and behind others,
// in brackets, or in host.
func TestSecurityNamesTests(t *testing.T) {
	there := map[string]bool{} // by folder and name
	definition := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9]+)\(`)
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && (name == "node_modules" || name == "target" || name == ".venv" || name == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		file = strings.TrimPrefix(filepath.ToSlash(file), "../")
		for _, found := range definition.FindAllStringSubmatch(read(t, file), -1) {
			there[path.Dir(file)+" "+found[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, cell := range regexp.MustCompile(`[|\n]`).Split(read(t, "SECURITY.md"), -1) {
		var names []string
		check := func(folder string) {
			for _, name := range names {
				if !there[folder+" "+name] {
					t.Errorf("there is no test %s in %s", name, folder)
				}
			}
			named += len(names)
			names = nil
		}
		for _, found := range regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`|\\(`([a-z/]+)`").FindAllStringSubmatch(cell, -1) {
			if found[1] != "" {
				names = append(names, found[1])
			} else {
				check(found[2])
			}
		}
		check("host")
	}
	if named < 50 {
		t.Errorf("only %d tests are named", named)
	}
}
