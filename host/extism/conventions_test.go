package extism

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/internal/conform"
)

// both opens the module twice, and returns a call that sends each request
// through both conventions. Its answer is the Extism convention's; that the
// other gives other bytes is its error.
func both(t *testing.T) conform.Call {
	t.Helper()
	plugin := open(t, Options{})
	module, err := host.Open(t.Context(), host.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := module.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})

	return func(function string, request []byte) ([]byte, error) {
		direct, err := module.Call(t.Context(), function, request)
		var refused *abi.Error
		if err != nil && !errors.As(err, &refused) {
			return nil, fmt.Errorf("direct: %w", err)
		}
		answer, err := plugin.Call(function, request)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(answer, direct) {
			return nil, fmt.Errorf("Extism answers %.200q, direct %.200q", answer, direct)
		}
		return answer, nil
	}
}

func TestVectorsThroughBothConventions(t *testing.T) {
	files, err := conform.Load("../../testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	result := conform.Run(files, both(t))
	for _, n := range result.NotRun {
		t.Logf("not run: %s: %s (vectors: %d)", n.File, n.Reason, n.Vectors)
	}
	if !result.OK() {
		t.Error(result)
	}
	if err := result.Record("go-extism"); err != nil {
		t.Error(err)
	}
}
