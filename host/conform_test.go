package host

import (
	"testing"

	"github.com/turncontext/turncontext/internal/conform"
)

// Every vector holds. What the module lacks for some of them is named.
func TestVectors(t *testing.T) {
	t.Parallel()
	files, err := conform.Load("../testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	m := openBuiltIn(t)
	result := conform.Run(files, conform.CallOf(t.Context(), m))
	for _, n := range result.NotRun {
		t.Log(n)
	}
	if !result.OK() {
		t.Error(result)
	}
	if err := result.Record("go"); err != nil {
		t.Error(err)
	}
}
