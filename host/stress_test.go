package host

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/turn"
)

// An exchange is a request with the answer that the core gives natively.
type exchange struct{ request, answer []byte }

// exchanges makes n exchanges of about that many bytes each, good and bad ones.
func exchanges(t *testing.T, random *rand.Rand, n, size int) []exchange {
	t.Helper()
	core := new(turn.Core)
	all := make([]exchange, n)
	for i := range all {
		request := randomRequest(t, random, size)
		if i%5 == 4 {
			request = request[:random.IntN(len(request))] // no JSON
		}
		all[i] = exchange{request, bytes.Clone(core.Call(abi.FunctionMerge, request))}
	}
	return all
}

// randomRequest returns a merge of which some entries are new, some changed,
// and some the same.
func randomRequest(t *testing.T, random *rand.Rand, size int) []byte {
	t.Helper()
	words := []string{"tab ", "CI\n", "\x1b[31m", "日本 ", "🙂", "</external_1>", "\"quoted\" ", "\\ ", "x"}
	store, sent := map[string]abi.Entry{}, map[string]abi.Entry{}
	const entries = 6
	for i := range entries {
		var value strings.Builder
		for value.Len() < size/entries/2 {
			value.WriteString(words[random.IntN(len(words))])
		}
		kinds := []abi.Kind{abi.Untrusted, abi.Application}
		entry := abi.Entry{Value: value.String(), Kind: kinds[random.IntN(len(kinds))]}
		key := fmt.Sprintf("key %d", i)
		if random.IntN(4) > 0 {
			store[key] = entry
		}
		if random.IntN(4) == 0 {
			entry.Value += "!"
		}
		if random.IntN(6) > 0 {
			sent[key] = entry
		}
	}
	request, err := json.Marshal(map[string]any{"store": store, "additionalContext": sent})
	if err != nil {
		t.Fatal(err)
	}
	return request
}

// Ten goroutines and many calls of mixed sizes: each answer is the one that the
// core gives natively, the memory of the instances stops growing, and no
// goroutine is left.
func TestManyCalls(t *testing.T) {
	// The tests that run in parallel wait until this one has ended, so the
	// goroutines counted are its own.
	const goroutines = 10
	calls, manyCalls := 100_000, true // of each goroutine
	if testing.Short() || raceDetector {
		calls, manyCalls = 2_000, false // each is many times slower under the race detector
	}
	random := rand.New(rand.NewPCG(1, 2))
	small := exchanges(t, random, 100, 300)
	medium := exchanges(t, random, 50, 2_500)
	large := exchanges(t, random, 20, 43_000)

	before := runtime.NumGoroutine()
	m, err := Open(t.Context(), Options{Instances: 4, CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	run := func(calls int) {
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				random := rand.New(rand.NewPCG(3, uint64(g)))
				for range calls {
					from := small
					switch n := random.IntN(100); {
					case n < 1:
						from = large
					case n < 10:
						from = medium
					}
					check(t, m, from[random.IntN(len(from))])
				}
			})
		}
		all.Wait()
	}
	// A guest's collector lets its memory grow for a while before it levels
	// off. An eighth more over the second half is far less than a leak of a few
	// dozen bytes a call would make.
	run(calls / 2)
	warm := m.memorySizes()
	run(calls / 2)
	if got := m.memorySizes(); manyCalls && got > warm+warm/8 {
		t.Errorf("the instances grew from %d to %d bytes after they were warm", warm, got)
	}
	if len(m.pool.idle) > 4 {
		t.Errorf("there are %d instances", len(m.pool.idle))
	}
	if err := m.Close(context.Background()); err != nil {
		t.Error(err)
	}
	eventually(t, "as many goroutines as before", func() bool { return runtime.NumGoroutine() <= before })
}

// check makes one call and compares the answer.
func check(t *testing.T, m *Module, e exchange) {
	answer, err := m.Call(t.Context(), abi.FunctionMerge, e.request)
	if _, refused := err.(*abi.Error); err != nil && !refused {
		t.Errorf("%v for %.200q", err, e.request)
		return
	}
	if !bytes.Equal(answer, e.answer) {
		t.Errorf("got  %.400s\nwant %.400s", answer, e.answer)
	}
}

// memorySizes returns how much memory in bytes the idle instances have.
func (m *Module) memorySizes() (sum uint64) {
	m.pool.mu.Lock()
	defer m.pool.mu.Unlock()
	for _, in := range m.pool.idle {
		sum += uint64(in.memory.Size())
	}
	return sum
}
