package tiktoken_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
	"github.com/turncontext/turncontext/build/tiktoken"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/internal/conform"
	native "github.com/turncontext/turncontext/plugin/tiktoken"
)

func module(t *testing.T) []byte {
	t.Helper()
	file, err := tiktoken.Module()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// shared is the module that the tests share: to compile it takes a while.
var shared struct {
	sync.Once
	module *host.Module
	err    error
}

func open(t *testing.T) *host.Module {
	t.Helper()
	shared.Do(func() {
		shared.module, shared.err = host.Open(context.Background(), host.Options{Module: module(t)})
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.module
}

func TestChecksum(t *testing.T) {
	text, err := os.ReadFile("turncontext-tiktoken.wasm.sha256")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(module(t))
	if got, want := strings.Fields(string(text)), []string{hex.EncodeToString(sum[:]), "turncontext-tiktoken.wasm"}; !slices.Equal(got, want) {
		t.Errorf("the file holds %q, want %q", got, want)
	}
}

// Every vector that the default module passes this one passes too.
func TestVectors(t *testing.T) {
	files, err := conform.Load("../../testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	m := open(t)
	result := conform.Run(files, conform.CallOf(t.Context(), m))
	if !result.OK() || result.NotRun != nil {
		t.Error(result)
	}
	if err := result.Record("go-tiktoken"); err != nil {
		t.Error(err)
	}
}

func TestTokenizers(t *testing.T) {
	description, err := open(t).Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := append([]string{"approx"}, native.Names()...); !slices.Equal(description.Tokenizers, want) {
		t.Errorf("tokenizers %q, want %q", description.Tokenizers, want)
	}
}

// The default module says that it lacks them.
func TestDefaultModuleLacksThem(t *testing.T) {
	m, err := host.Open(t.Context(), host.Options{Module: build.Module})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(t.Context())
	_, err = m.Merge(t.Context(), abi.MergeRequest{Policy: &abi.Policy{Tokenizer: abi.O200kBase}})
	refused, ok := errors.AsType[*abi.Error](err)
	if !ok || refused.Kind != abi.Unsupported || !strings.Contains(refused.Message, "approx") {
		t.Errorf("got %v", err)
	}
}
