package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What the model answers is what the files say.
func TestFiles(t *testing.T) {
	for _, f := range files() {
		want, err := f.write(false)
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		got, err := os.ReadFile(filepath.Join("../../../testdata/vectors", f.name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the model answers (go generate ./internal/model/vectors, and look at what changed)", f.name)
		}
	}
}
