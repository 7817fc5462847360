package fuzz

import (
	"os"
	"path/filepath"
	"testing"
)

// corpus returns the files of a folder below testdata/corpora.
func corpus(t testing.TB, folder string) (texts [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("../../testdata/corpora", folder, "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no corpus %s: %v", folder, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}
