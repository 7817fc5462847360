package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

// parsed is a request of a workload.
type parsed struct {
	Store             map[string]abi.Entry `json:"store"`
	AdditionalContext map[string]abi.Entry `json:"additionalContext"`
}

func generate(t *testing.T, w workload) [][]byte {
	t.Helper()
	requests, err := w.requests(rotation, nativePath().merge)
	if err != nil {
		t.Fatal(err)
	}
	if len(requests) != rotation {
		t.Fatalf("%d inputs, want %d", len(requests), rotation)
	}
	return requests
}

func TestWorkloads(t *testing.T) {
	for _, w := range workloads() {
		t.Run(w.sizeName()+", changed "+w.changeName(), func(t *testing.T) {
			changed := 0
			seen := make(map[string]bool)
			for i, request := range generate(t, w) {
				if diff := w.size - len(request); diff < 0 || diff >= 2*w.entries {
					t.Errorf("input %d has %d bytes", i, len(request))
				}
				if seen[string(request)] {
					t.Errorf("input %d stands twice", i)
				}
				seen[string(request)] = true
				changed += countChanged(t, w, request)
			}

			want := 0
			if w.every > 0 {
				want = rotation * w.entries / w.every
			}
			if changed != want {
				t.Errorf("%d entries of the rotation have changed, want %d", changed, want)
			}
		})
	}
}

// countChanged returns how many entries of a request differ from the stored
// ones, and checks that they are the same keys.
func countChanged(t *testing.T, w workload, request []byte) int {
	t.Helper()
	var p parsed
	if err := json.Unmarshal(request, &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Store) != w.entries || len(p.AdditionalContext) != w.entries {
		t.Errorf("%d entries stored and %d sent, want %d", len(p.Store), len(p.AdditionalContext), w.entries)
	}
	changed := 0
	for key, entry := range p.AdditionalContext {
		told, ok := p.Store[key]
		if !ok {
			t.Errorf("%s is not in the store", key)
		}
		if entry != told {
			changed++
		}
	}
	return changed
}

func TestChangesMove(t *testing.T) {
	w := workload{size: 43_000, entries: 10, every: 10}
	keys := make(map[int]bool)
	for input := range rotation {
		for entry := range w.entries {
			if w.changed(input, entry) {
				keys[entry] = true
			}
		}
	}
	if len(keys) != w.entries {
		t.Errorf("%d of %d keys change, want all", len(keys), w.entries)
	}
}

func TestRequestsAreTheSameEveryTime(t *testing.T) {
	w := workload{size: 2_500, entries: 4, every: 4}
	first, second := generate(t, w), generate(t, w)
	for i := range first {
		if !bytes.Equal(first[i], second[i]) {
			t.Fatalf("input %d differs", i)
		}
	}
}

func TestText(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, source := range sources {
		for size := range 300 {
			s := text(rng, source.write, size)
			quoted, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			escapedHTML := bytes.Count(quoted, []byte(`\u00`))
			if got := len(quoted) - len(`""`) - 5*escapedHTML; got != size || escapedLen(s) != size {
				t.Fatalf("%s: %d bytes in JSON and escapedLen %d, want %d: %s", source.name, got, escapedLen(s), size, quoted)
			}
			if edited := edit(rng, source.write, s); escapedLen(edited) != size {
				t.Fatalf("%s: edited to %d bytes, want %d", source.name, escapedLen(edited), size)
			}
		}
	}
}
