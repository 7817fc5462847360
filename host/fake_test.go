package host

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"slices"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

// The memory of the fake module: the input buffer has a page for itself, which
// it does not fill.
const (
	inputAddress  = 64 << 10
	inputCapacity = 60_000
	memoryPages   = 2
)

// What a request begins with that has a store, a state or items. They are
// equally long.
const (
	storeMember = `{"store":`
	stateMember = `{"state":`
	itemsMember = `{"items":`
)

// behaviourAt is the index of the byte of a request that chooses what the fake
// module does: the first byte of the value of a leading store, state or items.
const behaviourAt = len(storeMember)

// What the fake module answers.
const (
	emptyAnswer    = `{"store":{},"inputs":[],"receipts":[]}`
	fakeState      = `{"version":1,"threadId":"fake","activeTurn":{"id":"a","kind":"regular"},"additionalContext":{}}`
	turnAnswer     = `{"state":` + fakeState + `,"turn":{"id":"a","steered":false},"inputs":[],"receipts":[]}`
	setAnswer      = `{"state":` + fakeState + `}`
	againAnswer    = `{"state":` + fakeState + `,"inputs":[],"receipts":[]}`
	itemsAnswer    = `{"items":[{"hidden":false}]}`
	guidanceAnswer = `{"text":"a \"word\""}`
	refusedAnswer  = `{"error":{"kind":"invalid_params","code":-32602,"message":"no","data":{"path":"a","offset":3}}}`
	internalAnswer = `{"error":{"kind":"internal","code":-32603,"message":"broken"}}`
	tooLargeAnswer = `{"error":{"kind":"request_too_large","code":-32602,"message":"large"}}`
)

// crashText is what the fake module writes to standard error before it crashes.
const crashText = "fatal error: told by the guest\nand more\n"

// fakeModule returns a module that keeps the ABI and fails on demand. A size
// for direct_reserve of 777 bytes gets a buffer that is too small, and one of
// more than inputCapacity an address range outside of the memory.
func fakeModule() *wasmFile {
	file := &wasmFile{
		imports: []wasmImport{
			{"wasi_snapshot_preview1", "proc_exit", signature{params: []byte{i32}}},
			{"wasi_snapshot_preview1", "fd_write", signature{params: []byte{i32, i32, i32, i32}, results: []byte{i32}}},
			{extismModule, "alloc", signature{params: []byte{i64}, results: []byte{i64}}},
		},
		pages: memoryPages,
		functions: []wasmFunction{
			{exportInitialize, initializeSignature, nil},
			{abi.DirectVersion, versionSignature, constant32(abi.Version)},
			{abi.DirectReserve, callSignature, nil},
			{"direct_classify", callSignature, nil},
			{"direct_describe", callSignature, nil},
			{"direct_guidance", callSignature, nil},
			{"direct_merge", callSignature, nil},
			{"direct_reconcile", callSignature, nil},
			{"direct_turn_set", callSignature, nil},
			{"direct_turn_start", callSignature, nil},
			{"direct_turn_steer", callSignature, nil},
		},
	}
	answers := uint32(1024)
	answer := func(text string) []byte {
		file.data = append(file.data, wasmData{answers, []byte(text)})
		code := join(constant64(packed(answers, uint32(len(text)))), leave)
		answers += uint32(len(text))
		return code
	}
	const procExit, fdWrite, alloc = 0, 1, 2

	// fd_write takes a list of address and size.
	list := binary.LittleEndian.AppendUint32(nil, answers)
	list = binary.LittleEndian.AppendUint32(list, uint32(len(crashText)))
	file.data = append(file.data, wasmData{16, list}, wasmData{answers, []byte(crashText)})
	answers += uint32(len(crashText))

	file.function(abi.DirectReserve).code = join(
		get(0), constant32(abi.MaxRequestBytes), greater, when(constant64(0), leave),
		get(0), constant32(777), equal, when(constant64(packed(inputAddress, 776)), leave),
		get(0), constant32(inputCapacity), greater, when(
			constant64(packed(inputAddress, 0)), get(0), extend, or64, leave),
		constant64(packed(inputAddress, inputCapacity)))

	type behaviour struct {
		chosen byte
		code   []byte
	}
	shared := []behaviour{
		{'t', unreachable},
		{'x', join(constant32(7), call(procExit))},
		{'X', join(constant32(0xffffffff), call(procExit))}, // wazero's code for a cancelled context
		{'l', loopForever},
		{'w', countdown(100_000)},
		{'r', join(get(0), call(file.index("direct_merge")), drop)},
		{'o', join(constant64(packed(memoryPages*pageSize-1, 2)), leave)},
		{'O', join(constant64(packed(0xffffffff, 0xffffffff)), leave)},
		{'0', answer("")},
		{'y', answer(`{"error":{"kind":"invalid_json"`)},
		{'Y', answer(`{"error":null}`)},
		{'i', answer(internalAnswer)},
		{'e', answer(refusedAnswer)},
		{'g', join(constant32(retainLimit/pageSize), growMemory, drop)},
		{'m', join(constant32(defaultMemoryLimit/pageSize), growMemory, constant32(0xffffffff), equal, when(unreachable))},
		{'s', join(constant32(2), constant32(16), constant32(1), constant32(32), call(fdWrite), drop, unreachable)},
		{'k', join(constant64(1), call(alloc), drop)},
	}
	choose := func(own []behaviour, otherwise string) []byte {
		code := join(get(0), constant32(abi.MaxRequestBytes), greater, when(answer(tooLargeAnswer)),
			constant32(inputAddress+uint32(behaviourAt)), load8, set(1))
		for _, b := range slices.Concat(shared, own) {
			code = join(code, get(1), constant32(uint32(b.chosen)), equal, when(b.code))
		}
		return join(code, answer(otherwise), unreachable)
	}
	file.function("direct_merge").code = choose([]behaviour{
		{'j', answer(`{"store":{},"inputs":[`)},
		{'J', answer(`{"inputs":[],"receipts":[],"store":{}}`)},
		{'q', answer(`{"store":{},"inputs":[{"source":1}],"receipts":[]}`)},
		{'Q', answer(`{"store":{},"inputs":[],"receipts":[{"key":1}]}`)},
		{'n', answer(`{"store":null,"inputs":[],"receipts":[]}`)},
	}, emptyAnswer)
	turn := choose([]behaviour{
		{'j', answer(`{"state":{},"turn":{`)},
		{'J', answer(`{"turn":{"id":"a","steered":false},"state":{},"inputs":[],"receipts":[]}`)},
		{'q', answer(`{"state":{},"turn":{"id":"a","steered":false},"inputs":[{"source":1}],"receipts":[]}`)},
		{'Q', answer(`{"state":{},"turn":{"id":"a","steered":false},"inputs":[],"receipts":[{"key":1}]}`)},
		{'n', answer(`{"state":null,"turn":{"id":"a","steered":false},"inputs":[],"receipts":[]}`)},
		{'N', answer(`{"state":{},"turn":"a","inputs":[],"receipts":[]}`)},
		{'u', answer(`{"state":{},"turn":{"id":1},"inputs":[],"receipts":[]}`)},
		{'p', answer(`{"state":{},"turn":{"id":"a","steered":false},"inputs":{},"receipts":[]}`)},
		{'P', answer(`{"state":{},"turn":{"id":"a","steered":false},"inputs":[],"receipts":[],"more":1}`)},
		{'1', answer(`{"state":{"threadId":"a"},"turn":{"id":"a","steered":false},"inputs":[],"receipts":[]}`)},
		{'2', answer(`{"state":{"version":1,"threadId":2,"activeTurn":null},"turn":{"id":"a","steered":false},"inputs":[],"receipts":[]}`)},
		{'3', answer(`{"state":{"version":1,"threadId":"","activeTurn":"a"},"turn":{"id":"a","steered":false},"inputs":[],"receipts":[]}`)},
	}, turnAnswer)
	file.function("direct_turn_start").code = turn
	file.function("direct_turn_steer").code = turn
	file.function("direct_turn_set").code = choose([]behaviour{
		{'j', answer(`{"state":{`)},
		{'J', answer(`{"other":{},"state":{}}`)},
		{'n', answer(`{"state":null}`)},
		{'P', answer(`{"state":{},"more":1}`)},
		{'1', answer(`{"state":{"threadId":"a"}}`)},
		{'2', answer(`{"state":{"version":1,"threadId":2,"activeTurn":null}}`)},
		{'3', answer(`{"state":{"version":1,"threadId":"","activeTurn":"a"}}`)},
	}, setAnswer)
	file.function("direct_reconcile").code = choose([]behaviour{
		{'j', answer(`{"state":{},"inputs":[`)},
		{'J', answer(`{"inputs":[],"receipts":[],"state":{}}`)},
		{'q', answer(`{"state":{},"inputs":[{"source":1}],"receipts":[]}`)},
		{'Q', answer(`{"state":{},"inputs":[],"receipts":[{"key":1}]}`)},
		{'n', answer(`{"state":null,"inputs":[],"receipts":[]}`)},
		{'N', answer(`{"store":null,"inputs":[],"receipts":[]}`)},
		{'S', answer(emptyAnswer)},
		{'P', answer(`{"state":{},"inputs":[],"receipts":[],"more":1}`)},
		{'1', answer(`{"state":{"threadId":"a"},"inputs":[],"receipts":[]}`)},
		{'2', answer(`{"state":{"version":1,"threadId":2,"activeTurn":null},"inputs":[],"receipts":[]}`)},
		{'3', answer(`{"state":{"version":1,"threadId":"","activeTurn":"a"},"inputs":[],"receipts":[]}`)},
	}, againAnswer)
	file.function("direct_classify").code = choose([]behaviour{
		{'j', answer(`{"items":[`)},
		{'J', answer(`{"other":1,"items":[]}`)},
		{'q', answer(`{"items":[{"hidden":1}]}`)},
		{'n', answer(`{"items":null}`)},
		{'P', answer(`{"items":[],"more":1}`)},
	}, itemsAnswer)
	file.function("direct_guidance").code = join(answer(guidanceAnswer), unreachable)
	file.function("direct_describe").code = join(answer(`{"abi":{"name":"other","version":1}}`), unreachable)
	return file
}

// request returns a request that makes the fake module behave as chosen.
func request(behaviour byte) []byte {
	return append([]byte(storeMember), behaviour, '}')
}

// harmless is a request that the fake module answers with emptyAnswer.
var harmless = request('-')

// open opens a module for a test, and closes it after the test.
func open(t testing.TB, options Options) *Module {
	t.Helper()
	m, err := Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return m
}

// openFake opens the fake module with one instance, so that a slot that was
// lost would be missed.
func openFake(t testing.TB, options Options) *Module {
	t.Helper()
	options.Module = fakeModule().encode()
	options.Instances = 1
	return open(t, options)
}

// cacheDir has the compiled code of the module that is built in, for all tests
// that open it.
var cacheDir string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if cacheDir, err = os.MkdirTemp("", "turncontext"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(cacheDir)
	return m.Run()
}

// openBuiltIn opens the module that is built in, with one instance.
func openBuiltIn(t testing.TB) *Module {
	t.Helper()
	return open(t, Options{Instances: 1, CacheDir: cacheDir})
}

// idleInstance returns the pool's idle instance, nil if there is none.
func idleInstance(m *Module) *instance {
	m.pool.mu.Lock()
	defer m.pool.mu.Unlock()
	if len(m.pool.idle) == 0 {
		return nil
	}
	return m.pool.idle[len(m.pool.idle)-1]
}

// checkWorks fails the test unless a harmless call gets its answer.
func checkWorks(t *testing.T, m *Module) {
	t.Helper()
	answer, err := m.Call(t.Context(), abi.FunctionMerge, harmless)
	if err != nil {
		t.Fatalf("the next call: %v", err)
	}
	if !bytes.Equal(answer, []byte(emptyAnswer)) {
		t.Fatalf("the next call answered %s", answer)
	}
}
