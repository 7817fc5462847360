package host

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/turncontext/turncontext/abi"
)

// An instance's memory grows where it is, with what it has, and the rest of it is zero.
func TestMemoryGrowsInPlace(t *testing.T) {
	t.Parallel()
	for name, memory := range map[string]*linearMemory{"mapped": {}, "a slice": {slice: []byte{}}} {
		const first, second = 3 * pageSize, 1000 * pageSize
		if name == "mapped" {
			memory.Allocate(0, second)
		}
		small := memory.Reallocate(first)
		copy(small[first-4:], "text")
		large := memory.Reallocate(second)
		if len(large) != second || string(large[first-4:first]) != "text" || len(bytes.Trim(large[first:], "\x00")) > 0 {
			t.Errorf("%s: it has not what it had", name)
		}
		if moved := &small[0] != &large[0]; moved && name == "mapped" {
			t.Error("it moved")
		}
		memory.Free()
		memory.Free()
	}
}

// There may be no address space, or no memory for it.
func TestNoMemory(t *testing.T) {
	if reserve(1<<62) != nil {
		t.Error("there was as much address space")
	}
	var memory linearMemory
	memory.Allocate(0, 4*hugePage)
	space := memory.space
	release(space)
	if memory.Reallocate(pageSize) != nil {
		t.Error("it got memory for what is not its own")
	}
	memory.space = nil
	memory.cleanup.Stop()
}

// However an instance ends, its memory is given back at once.
func TestMemoryIsGivenBack(t *testing.T) {
	m := openFake(t, Options{Interrupt: true})
	for name, end := range map[string]func(in *instance){
		"dropped": func(in *instance) { m.pool.give(nil); in.drop() },
		"trapped": func(in *instance) {
			m.pool.give(in)
			if _, err := m.Call(t.Context(), abi.FunctionMerge, request('t')); err == nil {
				t.Error("the call did not fail")
			}
		},
		"exited": func(in *instance) {
			m.pool.give(in)
			if _, err := m.Call(t.Context(), abi.FunctionMerge, request('x')); err == nil {
				t.Error("the call did not fail")
			}
		},
		"interrupted": func(in *instance) {
			m.pool.give(in)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			if _, err := m.Call(ctx, abi.FunctionMerge, request('l')); err == nil {
				t.Error("the call did not fail")
			}
		},
		"stopped as its call ended": func(in *instance) {
			// What wazero does where a context ends just then: resources are left for the next call.
			ctx, cancel := context.WithCancel(t.Context())
			defer in.module.(interface {
				CloseModuleOnCanceledOrTimeout(context.Context) context.CancelFunc
			}).CloseModuleOnCanceledOrTimeout(ctx)()
			cancel()
			for !in.module.IsClosed() {
				time.Sleep(time.Millisecond)
			}
			m.pool.give(nil)
			in.drop()
		},
	} {
		in := take(t, m)
		space := in.linear.space
		if !isMapped(space) {
			t.Fatalf("%s: it has no space", name)
		}
		end(in)
		if isMapped(space) {
			t.Errorf("%s: its memory is still there", name)
		}
		checkWorks(t, m)
	}

	// Nor is anything left of instances that were never ready.
	trap, beyond := fakeModule(), fakeModule()
	trap.function(exportInitialize).code = unreachable
	beyond.data = append(beyond.data, wasmData{memoryPages * pageSize, []byte("beyond")})
	for name, module := range map[string]*wasmFile{"a trap": trap, "data beyond the memory": beyond} {
		const times = 8
		before := addressSpace(t)
		for range times {
			if m, err := Open(t.Context(), Options{Module: module.encode()}); err == nil {
				t.Fatalf("%s: it opened: %v", name, m.Close(t.Context()))
			}
		}
		if grown := addressSpace(t) - before; grown >= times/2*defaultMemoryLimit {
			t.Errorf("%s: %d bytes of address space are lost", name, grown)
		}
	}
}

// Nor is it lost where a module is forgotten.
func TestMemoryOfAForgottenModule(t *testing.T) {
	open := func() (space []byte) {
		m, err := Open(t.Context(), Options{Module: fakeModule().encode()})
		if err != nil {
			t.Fatal(err)
		}
		checkWorks(t, m)
		return idleInstance(m).linear.space
	}
	space := open()
	for tries := 0; isMapped(space); tries++ {
		if tries == 100 {
			t.Fatal("its memory is still there")
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// What a call returned has nothing in the memory of the instance, which may be gone.
func TestAnswersOutliveTheInstance(t *testing.T) {
	m := open(t, Options{Instances: 1})
	entries := map[string]abi.Entry{"<key>": {Value: strings.Repeat("a value & more ", 200), Kind: abi.Untrusted}}
	var all []any
	keep := func(answer any, err error) { all = append(all, answer, err) }
	request := worst(20_000).plainRequests()[abi.FunctionMerge]
	keep(m.Call(t.Context(), abi.FunctionMerge, []byte(request)))
	keep(m.Call(t.Context(), abi.FunctionMerge, []byte(`{"store":1}`)))
	merged, err := m.Merge(t.Context(), abi.MergeRequest{AdditionalContext: entries})
	keep(merged, err)
	keep(m.Merge(t.Context(), abi.MergeRequest{Store: merged.Store, AdditionalContext: entries}))
	started, err := m.TurnStart(t.Context(), abi.TurnStartRequest{TurnID: "1", Params: abi.TurnStartParams{
		ThreadID: "t", AdditionalContext: entries, Input: []abi.UserInput{{Type: abi.TextInput, Text: strings.Repeat("text", 100)}},
	}})
	keep(started, err)
	keep(m.TurnSet(t.Context(), abi.TurnSetRequest{State: started.State}))
	keep(m.Reconcile(t.Context(), abi.ReconcileRequest{State: started.State, History: []byte(`[]`)}))
	keep(m.Classify(t.Context(), abi.ClassifyRequest{Items: []byte(`[{"role":"user","content":"<external_a></external_a>"}]`)}))
	keep(m.Guidance(t.Context(), abi.GuidanceRequest{}))
	keep(m.Describe(t.Context()))
	before := fmt.Sprintf("%+v", all) + marshalled(t, all)
	in := take(t, m)
	m.pool.give(nil)
	in.drop()
	if after := fmt.Sprintf("%+v", all) + marshalled(t, all); after != before {
		t.Errorf("what the calls returned has changed")
	}
}

// marshalled returns JSON of all that is in there, whatever it points to.
func marshalled(t *testing.T, all []any) string {
	t.Helper()
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// take takes an instance out of the pool, and makes it where there is none.
func take(t *testing.T, m *Module) *instance {
	t.Helper()
	in, err := m.pool.take(t.Context())
	if err == nil && in == nil {
		in, err = m.instantiate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// isMapped tells whether all of that is part of the process's memory.
func isMapped(space []byte) bool {
	if len(space) == 0 {
		return false
	}
	resident := make([]byte, len(space)/os.Getpagesize())
	_, _, errno := syscall.Syscall(syscall.SYS_MINCORE, uintptr(unsafe.Pointer(&space[0])), uintptr(len(space)), uintptr(unsafe.Pointer(&resident[0])))
	return errno == 0
}

// addressSpace returns how many bytes of address space the process has.
func addressSpace(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(string(bytes.Fields(text)[0]))
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// A process may have too little address space for what a memory may grow to, and do with
// less.
func TestShortOfAddressSpace(t *testing.T) {
	const child = "TURNCONTEXT_SHORT_OF_SPACE"
	if os.Getenv(child) != "" {
		shortOfAddressSpace(t)
		return
	}
	if raceDetector {
		t.Skip("not run: the race detector needs address space itself")
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestShortOfAddressSpace$", "-test.v")
	command.Env = append(os.Environ(), child+"=1")
	if output, err := command.CombinedOutput(); err != nil || !bytes.Contains(output, []byte("--- PASS")) {
		t.Errorf("%v: %s", err, output)
	}
}

func shortOfAddressSpace(t *testing.T) {
	limit := uint64(addressSpace(t) + defaultMemoryLimit*3/4)
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Fatal(err)
	}
	m := open(t, Options{Instances: 1})
	if in := idleInstance(m); in.linear.space != nil {
		t.Fatal("there was no lack of address space")
	}
	large := worst(4 << 20).plainRequests()[abi.FunctionMerge]
	for range 3 {
		if _, err := m.Call(t.Context(), abi.FunctionMerge, []byte(large)); err != nil {
			t.Fatal(err)
		}
	}
}
