package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
)

// Whatever way a module fails, each typed call says so, loses one instance and
// no more, and the next call is right. (TestFailingModuleTyped has the malformed
// answers.)
func TestFaultsTyped(t *testing.T) {
	t.Parallel()
	causes := map[string]string{
		"t": "unreachable",
		"x": "it exited with code 7",
		"r": "stack overflow",
		"m": "unreachable", // it gets no more memory than the limit
		"o": "lies outside of the memory",
		"O": "lies outside of the memory",
		"s": crashText[:strings.IndexByte(crashText, '\n')],
		"k": "extism:host/env.alloc was called",
	}
	for function, call := range typedCalls {
		t.Run(function, func(t *testing.T) {
			t.Parallel()
			m := openFake(t, Options{})
			for behaviour, cause := range causes {
				_, err := call(m, t.Context(), behaviour)
				if failure, ok := errors.AsType[*ModuleError](err); !ok || failure.Function != function || !strings.Contains(err.Error(), cause) {
					t.Errorf("%s: got %v, want a ModuleError of %s with %q", behaviour, err, function, cause)
				}
				if idleInstance(m) != nil {
					t.Errorf("%s: the instance is still in the pool", behaviour)
				}
				checkWorks(t, m)
			}
		})
	}
}

// An exit that says that all is well is a failure all the same: there is no
// answer.
func TestExitWithoutError(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Instances: 1, Module: edited(func(f *wasmFile) {
		const procExit = 0
		f.function("direct_describe").code = join(constant32(0), call(procExit), unreachable)
	})})
	_, err := m.Describe(t.Context())
	if failure, ok := errors.AsType[*ModuleError](err); !ok || !strings.Contains(failure.Error(), "it exited with code 0") {
		t.Errorf("got %v", err)
	}
	checkWorks(t, m)
}

// With interruption on, nothing that a module does takes longer than its caller
// waits: a loop, a recursion without end that never returns, a loop that keeps
// calling the host, in typed calls too.
func TestInterruptEndsEverything(t *testing.T) {
	t.Parallel()
	const procExit, fdWrite = 0, 1
	writes := join([]byte{0x03, 0x40}, // loop
		constant32(2), constant32(16), constant32(1), constant32(32), call(fdWrite), drop, []byte{0x0c, 0x00, 0x0b})
	m := open(t, Options{Instances: 1, Interrupt: true, Module: edited(func(f *wasmFile) {
		f.function("direct_describe").code = join(writes, unreachable)
	})})
	calls := maps.Clone(typedCalls)
	calls[abi.FunctionDescribe] = func(m *Module, ctx context.Context, _ string) (any, error) { return m.Describe(ctx) }
	for function, call := range calls {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		begun := time.Now()
		_, err := call(m, ctx, "l")
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v, want the context's error", function, err)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%s took %v to be interrupted", function, took)
		}
		checkWorks(t, m)
	}
}

// While every instance hangs, those who wait give up in their time, and once the
// hanging calls are interrupted the module is as good as new.
func TestPoolFullOfHangingInstances(t *testing.T) {
	t.Parallel()
	const slots = 3
	m := open(t, Options{Instances: slots, Interrupt: true, Module: fakeModule().encode()})
	hang, release := context.WithCancel(t.Context())
	var hanging sync.WaitGroup
	for range slots {
		hanging.Go(func() {
			if _, err := m.Call(hang, abi.FunctionMerge, request('l')); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the context's error", err)
			}
		})
	}
	eventually(t, "all instances in use", func() bool {
		m.pool.mu.Lock()
		defer m.pool.mu.Unlock()
		return m.pool.held == slots
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := m.Call(ctx, abi.FunctionMerge, harmless); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
	release()
	hanging.Wait()
	for range 2 * slots {
		checkWorks(t, m)
	}
}

// A module that fails in every way at once, for many callers: each gets its own
// answer or its own failure.
func TestFaultsUnderLoad(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Instances: 4, Interrupt: true, Module: fakeModule().encode()})
	const behaviours = "-txrmoOilyY0e-w-"
	rounds := 40
	if testing.Short() || raceDetector {
		rounds = 5
	}
	var all sync.WaitGroup
	for g := range 16 {
		all.Go(func() {
			for i := range rounds {
				behaviour := behaviours[(g+i)%len(behaviours)]
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				if behaviour == 'l' {
					cancel()
					ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
				}
				answer, err := m.Call(ctx, abi.FunctionMerge, request(behaviour))
				cancel()
				if flaw := judge(behaviour, string(answer), err); flaw != nil {
					t.Errorf("%c: %v", behaviour, flaw)
				}
			}
		})
	}
	all.Wait()
	checkWorks(t, m)
}

// judge tells what is wrong with how a call of the fake module ended.
func judge(behaviour byte, answer string, err error) error {
	_, failed := errors.AsType[*ModuleError](err)
	_, refused := err.(*abi.Error)
	right := false
	switch behaviour {
	case '-', 'w':
		right = err == nil && answer == emptyAnswer
	case '0':
		right = err == nil && answer == ""
	case 'e':
		right = refused && answer == refusedAnswer
	case 'l':
		right = errors.Is(err, context.DeadlineExceeded)
	default:
		right = failed
	}
	if right {
		return nil
	}
	return fmt.Errorf("got %q, %v", answer, err)
}

// The real module, short of memory: a request that is within every limit but
// needs more memory than there is fails, clearly, and the next is answered.
func TestRealModuleShortOfMemory(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Instances: 1, MemoryLimit: 16 << 20, Module: build.Module, CacheDir: cacheDir})
	value := strings.Repeat("a word ", 1<<20)
	request := abi.MergeRequest{AdditionalContext: map[string]abi.Entry{"log": {Value: value, Kind: abi.Untrusted}}}
	for range 2 {
		_, err := m.Merge(t.Context(), request)
		if failure, ok := errors.AsType[*ModuleError](err); !ok || !strings.Contains(failure.Stderr, "out of memory") {
			t.Errorf("got %v, want a ModuleError that tells of memory", err)
		}
		response, err := m.Merge(t.Context(), abi.MergeRequest{AdditionalContext: map[string]abi.Entry{"log": {Value: "ok", Kind: abi.Untrusted}}})
		if err != nil || len(response.Inputs) != 1 {
			t.Errorf("the next call: %+v, %v", response, err)
		}
	}
}

// Neither a thread nor a typed call is left half way when its context has ended
// before it begins.
func TestCancelledBeforeTheCall(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for function, call := range typedCalls {
		if _, err := call(m, ctx, "t"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", function, err)
		}
	}
	thread := fakeThread(t)
	before := string(thread.Snapshot())
	for name, change := range changes {
		if err := change(ctx, thread); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	checkState(t, thread, before)
	checkWorks(t, m)
}
