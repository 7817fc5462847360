package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/turncontext/turncontext/abi"
)

// Each failure of a module is a ModuleError, costs the instance, and leaves the
// next call as good as any.
func TestFailingModule(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		request []byte
		cause   string
	}{
		{"trap", request('t'), "unreachable"},
		{"exit", request('x'), "exited with code 7"},
		{"exit that looks cancelled", request('X'), "exited with code 4294967295"},
		{"recursion", request('r'), "stack overflow"},
		{"answer past the end", request('o'), "the answer of 2 bytes at 131071 lies outside of the memory of 131072 bytes"},
		{"answer far outside", request('O'), "the answer of 4294967295 bytes at 4294967295 lies outside"},
		{"internal", request('i'), "broken"},
		{"memory limit", request('m'), "unreachable"},
		{"crash report", request('s'), crashText[:strings.IndexByte(crashText, '\n')]},
		{"Extism function", request('k'), "extism:host/env.alloc was called"},
		{"malformed error object", request('y'), "malformed error object"},
		{"empty error object", request('Y'), "malformed error object"},
		{"small input buffer", make([]byte, 777), "776 bytes was reserved, 777 were asked for"},
		{"input buffer outside", make([]byte, inputCapacity+10_000), "the input buffer of 70000 bytes at 65536 lies outside"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := openFake(t, Options{})
			before := idleInstance(m)
			_, err := m.Call(t.Context(), abi.FunctionMerge, c.request)
			failure, ok := errors.AsType[*ModuleError](err)
			if !ok {
				t.Fatalf("got %v, want a ModuleError", err)
			}
			if failure.Function != abi.FunctionMerge || !strings.Contains(err.Error(), c.cause) {
				t.Errorf("got %+v, want one of merge with %q", failure, c.cause)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q has several lines", err)
			}
			if errors.Is(err, context.Canceled) {
				t.Errorf("%v passes for a cancelled context", err)
			}
			if in := idleInstance(m); in != nil {
				t.Error("the instance is still in the pool")
			}
			if !before.module.IsClosed() {
				t.Error("the instance's memory was not given back")
			}
			checkWorks(t, m)
		})
	}
}

func TestModuleErrorHasStderr(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	_, err := m.Call(t.Context(), abi.FunctionMerge, request('s'))
	failure, ok := errors.AsType[*ModuleError](err)
	if !ok || failure.Stderr != crashText {
		t.Fatalf("got %+v, want standard error %q", failure, crashText)
	}
	if strings.Contains(err.Error(), "and more") {
		t.Errorf("%q has more than the first line of standard error", err)
	}
	checkWorks(t, m)
}

func TestInternalErrorIsBoth(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	answer, err := m.Call(t.Context(), abi.FunctionMerge, request('i'))
	if string(answer) != internalAnswer {
		t.Errorf("answer is %s", answer)
	}
	reported, ok := errors.AsType[*abi.Error](err)
	if !ok || reported.Kind != abi.Internal || reported.Code != abi.CodeInternal {
		t.Errorf("got %v, want an abi.Error of kind internal", err)
	}
	if refused, ok := abi.Refused(err); ok {
		t.Errorf("the module's failure %+v passes for a refusal", refused)
	}
}

func TestRefusedRequestKeepsInstance(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	before := idleInstance(m)
	answer, err := m.Call(t.Context(), abi.FunctionMerge, request('e'))
	if string(answer) != refusedAnswer {
		t.Errorf("answer is %s", answer)
	}
	refused, ok := errors.AsType[*abi.Error](err)
	if !ok {
		t.Fatalf("got %v, want an abi.Error", err)
	}
	if refused.Kind != abi.InvalidParams || refused.Code != abi.CodeInvalidParams ||
		refused.Message != "no" || string(refused.Data) != `{"path":"a","offset":3}` {
		t.Errorf("got %+v", refused)
	}
	if idleInstance(m) != before {
		t.Error("the instance was replaced")
	}
	checkWorks(t, m)
}

// typedCalls are the methods that take and give types of package abi. Each
// sends a store, a state or items, which tells the fake module how to behave. The
// response is a pointer.
var typedCalls = map[string]func(m *Module, ctx context.Context, behaviour string) (any, error){
	abi.FunctionMerge: func(m *Module, ctx context.Context, behaviour string) (any, error) {
		return m.Merge(ctx, abi.MergeRequest{Store: abi.Store(behaviour)})
	},
	abi.FunctionTurnStart: func(m *Module, ctx context.Context, behaviour string) (any, error) {
		return m.TurnStart(ctx, abi.TurnStartRequest{State: abi.State(behaviour)})
	},
	abi.FunctionTurnSteer: func(m *Module, ctx context.Context, behaviour string) (any, error) {
		return m.TurnSteer(ctx, abi.TurnSteerRequest{State: abi.State(behaviour)})
	},
	abi.FunctionTurnSet: func(m *Module, ctx context.Context, behaviour string) (any, error) {
		return m.TurnSet(ctx, abi.TurnSetRequest{State: abi.State(behaviour)})
	},
	abi.FunctionReconcile: func(m *Module, ctx context.Context, behaviour string) (any, error) {
		return m.Reconcile(ctx, abi.ReconcileRequest{State: abi.State(behaviour)})
	},
	abi.FunctionClassify: func(m *Module, ctx context.Context, behaviour string) (any, error) {
		return m.Classify(ctx, abi.ClassifyRequest{Items: abi.Items(behaviour)})
	},
}

// The typed path answers the same failures, and notices malformed answers.
func TestFailingModuleTyped(t *testing.T) {
	t.Parallel()
	shared := map[string]string{
		"t": "unreachable",
		"j": "malformed answer: there is no ",
		"J": "malformed answer: there is no ",
		"n": "wrong type",
		"0": "malformed answer: there is no ",
		"y": "malformed error object",
		"i": "broken",
	}
	messages := map[string]string{"q": "malformed answer: inputs", "Q": "malformed answer: receipts"}
	turn := map[string]string{
		"N": `malformed answer: the value of ,"turn": has the wrong type`,
		"u": "malformed answer: turn",
		"p": `malformed answer: the value of ,"inputs": has the wrong type`,
		"P": "malformed answer: it does not end after its last member",
	}
	causes := map[string][]map[string]string{
		abi.FunctionMerge:     {shared, messages},
		abi.FunctionTurnStart: {shared, messages, turn},
		abi.FunctionTurnSteer: {shared, messages, turn},
		abi.FunctionTurnSet:   {shared, {"P": turn["P"]}},
		abi.FunctionReconcile: {shared, messages, {"N": "wrong type", "P": turn["P"]}},
		abi.FunctionClassify:  {shared, {"q": "malformed answer: items", "P": turn["P"]}},
	}
	for function, call := range typedCalls {
		all := map[string]string{}
		for _, more := range causes[function] {
			maps.Copy(all, more)
		}
		t.Run(function, func(t *testing.T) {
			t.Parallel()
			m := openFake(t, Options{})
			for behaviour, cause := range all {
				response, err := call(m, t.Context(), behaviour)
				if !reflect.ValueOf(response).IsNil() {
					t.Errorf("%s: got a response: %+v", behaviour, response)
				}
				failure, ok := errors.AsType[*ModuleError](err)
				if !ok || failure.Function != function || !strings.Contains(err.Error(), cause) {
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

func TestRefusedTyped(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	for function, call := range typedCalls {
		response, err := call(m, t.Context(), "e")
		refused, ok := errors.AsType[*abi.Error](err)
		if !ok || refused.Kind != abi.InvalidParams || !reflect.ValueOf(response).IsNil() {
			t.Errorf("%s: got %+v, %v, want an abi.Error of kind invalid_params", function, response, err)
		}
		if idleInstance(m) == nil {
			t.Errorf("%s: the instance was dropped", function)
		}
	}
}

func TestClosedTyped(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for function, call := range typedCalls {
		if _, err := call(m, t.Context(), "-"); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: got %v, want ErrClosed", function, err)
		}
	}
}

func TestDescribeOfAnotherABI(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	_, err := m.Describe(t.Context())
	if failure, ok := errors.AsType[*ModuleError](err); !ok || failure.Function != abi.FunctionDescribe {
		t.Errorf("got %v, want a ModuleError of describe", err)
	}
}

func TestGrownInstanceIsReplaced(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	answer, err := m.Call(t.Context(), abi.FunctionMerge, request('g'))
	if err != nil || string(answer) != emptyAnswer {
		t.Fatalf("got %s, %v", answer, err)
	}
	if idleInstance(m) != nil {
		t.Error("the instance is still in the pool")
	}
	checkWorks(t, m)
	before := idleInstance(m)
	checkWorks(t, m)
	if idleInstance(m) != before {
		t.Error("an instance that has not grown was replaced")
	}
}

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{MemoryLimit: retainLimit})
	in := idleInstance(m)
	if _, err := m.Call(t.Context(), abi.FunctionMerge, request('g')); err != nil {
		t.Fatal(err)
	}
	if got := in.memory.Size(); got != memoryPages*pageSize {
		t.Errorf("the memory grew to %d bytes", got)
	}
}

func TestRequestTooLarge(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	_, err := m.Call(t.Context(), abi.FunctionMerge, make([]byte, abi.MaxRequestBytes+1))
	if refused, ok := errors.AsType[*abi.Error](err); !ok || refused.Kind != abi.RequestTooLarge {
		t.Errorf("got %v, want an abi.Error of kind request_too_large", err)
	}
	if idleInstance(m) == nil {
		t.Error("the instance was dropped")
	}
	checkWorks(t, m)
}

// A length that does not fit into 32 bits must not be cut down to a small one.
func TestRequestBeyond32Bits(t *testing.T) {
	t.Parallel()
	if math.MaxInt == math.MaxInt32 || testing.Short() || raceDetector {
		return // there is no such request, or its memory costs too much
	}
	m := openFake(t, Options{})
	_, err := m.Call(t.Context(), abi.FunctionMerge, make([]byte, math.MaxUint32+10))
	if refused, ok := errors.AsType[*abi.Error](err); !ok || refused.Kind != abi.RequestTooLarge {
		t.Errorf("got %v, want an abi.Error of kind request_too_large", err)
	}
}

func TestUnknownFunction(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	before := idleInstance(m)
	m.pool.held = m.pool.slots // an instance could not be had
	_, err := m.Call(t.Context(), "version", nil)
	m.pool.held = 0
	if err == nil || !strings.Contains(err.Error(), `"version"`) || !strings.Contains(err.Error(), strings.Join(abi.Functions(), ", ")) {
		t.Errorf("got %v", err)
	}
	if idleInstance(m) != before {
		t.Error("the instance was touched")
	}
}

func TestCallerOwnsTheAnswer(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	answer, err := m.Call(t.Context(), abi.FunctionMerge, harmless)
	if err != nil {
		t.Fatal(err)
	}
	clear(answer)
	checkWorks(t, m)
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{Interrupt: true})
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := m.Call(ctx, abi.FunctionMerge, request('l'))
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v, want the context's error", err)
		}
		if _, ok := errors.AsType[*ModuleError](err); ok {
			t.Errorf("%v blames the module", err)
		}
		if idleInstance(m) != nil {
			t.Error("the instance is still in the pool")
		}
	}
	checkWorks(t, m)
}

// A lateContext ends when done is closed, and is slow to say why.
type lateContext struct {
	context.Context
	done chan struct{}
}

func (c lateContext) Done() <-chan struct{} { return c.done }

func (c lateContext) Err() error {
	select {
	case <-c.done:
		time.Sleep(50 * time.Millisecond)
		return context.Canceled
	default:
		return nil
	}
}

// wazero watches a context in a goroutine, which stops an instance after it has
// asked for the context's error: here, after the call has come to its end. That
// must not hit the calls that come next.
func TestInterruptNeverHitsTheNextCall(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{Interrupt: true})
	ctx := lateContext{t.Context(), make(chan struct{})}
	time.AfterFunc(time.Millisecond, func() { close(ctx.done) })
	if _, err := m.Call(ctx, abi.FunctionMerge, request('w')); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for end := time.Now().Add(100 * time.Millisecond); time.Now().Before(end); {
		checkWorks(t, m)
	}
}

func TestEndedContext(t *testing.T) {
	t.Parallel()
	for _, interrupt := range []bool{false, true} {
		m := openFake(t, Options{Interrupt: interrupt})
		before := idleInstance(m)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := m.Call(ctx, abi.FunctionMerge, request('t')); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the context's error", err)
		}
		if idleInstance(m) != before {
			t.Error("the instance was touched")
		}
	}
}

// A panic of this package's own code while an instance is held costs the
// instance only.
func TestPanicIsAFailure(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	write := func([]byte) ([]byte, error) { return harmless, nil }
	err := m.exchange(t.Context(), abi.FunctionMerge, write, func(_, _ []byte) error { panic("whoops") })
	if failure, ok := errors.AsType[*ModuleError](err); !ok || !strings.Contains(failure.Err.Error(), "whoops") {
		t.Errorf("got %v, want a ModuleError", err)
	}
	checkWorks(t, m)
}

// An instance that cannot be made fails its call only.
func TestFailingInstantiation(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	compiled := m.compiled
	broken := fakeModule()
	broken.function(exportInitialize).code = unreachable
	var err error
	if m.compiled, err = m.runtime.CompileModule(t.Context(), broken.encode()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Call(t.Context(), abi.FunctionMerge, request('t')); err == nil {
		t.Fatal("the trap is no error")
	}
	_, err = m.Call(t.Context(), abi.FunctionMerge, harmless)
	if failure, ok := errors.AsType[*ModuleError](err); !ok || failure.Function != exportInitialize {
		t.Errorf("got %v, want a ModuleError of %s", err, exportInitialize)
	}
	m.compiled = compiled
	checkWorks(t, m)
}

func TestAppendCall(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	for _, c := range []struct {
		behaviour byte
		want      string
	}{{'-', "dst" + emptyAnswer}, {'e', "dst" + refusedAnswer}, {'t', "dst"}, {'o', "dst"}, {'i', "dst" + internalAnswer}} {
		dst := append(make([]byte, 0, 1000), "dst"...)
		got, err := m.AppendCall(t.Context(), dst, abi.FunctionMerge, request(c.behaviour))
		if string(got) != c.want || (err == nil) != (c.behaviour == '-') || &got[0] != &dst[0] {
			t.Errorf("%c: got %s, %v, want %s", c.behaviour, got, err, c.want)
		}
	}
	inDst := request('-')
	got, err := m.AppendCall(t.Context(), inDst[:0], abi.FunctionMerge, inDst)
	if err != nil || string(got) != emptyAnswer {
		t.Errorf("got %s, %v with the request in dst", got, err)
	}
}

func TestWarmCallAllocatesTheAnswerOnly(t *testing.T) {
	if raceDetector {
		return // it allocates by itself
	}
	m := openFake(t, Options{})
	ctx := t.Context()
	buffer := make([]byte, 0, len(emptyAnswer))
	for want, call := range []func() error{
		func() error {
			_, err := m.AppendCall(ctx, buffer, abi.FunctionMerge, harmless)
			return err
		},
		func() error {
			_, err := m.Call(ctx, abi.FunctionMerge, harmless)
			return err
		},
	} {
		allocations := testing.AllocsPerRun(1000, func() {
			if err := call(); err != nil {
				t.Fatal(err)
			}
		})
		if allocations > float64(want) {
			t.Errorf("a call makes %v allocations, want %d", allocations, want)
		}
	}
}

// A typed call allocates what the caller gets, which is a fixed number of
// pieces however many entries there are, and nothing for the request.
func TestTypedCallAllocatesWhatItReturns(t *testing.T) {
	if raceDetector {
		return // it allocates by itself
	}
	m := openBuiltIn(t)
	ctx := t.Context()
	entries := map[string]abi.Entry{}
	for i := range 12 {
		entries[strings.Repeat("k", i)] = abi.Entry{Value: strings.Repeat("value \"\n", 700), Kind: abi.Untrusted}
	}
	thread := m.NewThread("thread", nil)
	for name, c := range map[string]struct {
		most float64
		call func() error
	}{
		// The response, the store, inputs with keys and texts, receipts, what was
		// cut, and the strings.
		"Merge": {7, func() error {
			_, err := m.Merge(ctx, abi.MergeRequest{AdditionalContext: entries})
			return err
		}},
		// The same: the thread's own state has the memory of one before.
		"Thread": {7, func() error {
			p, err := thread.PrepareStart(ctx, abi.TurnStartRequest{TurnID: "turn", Params: abi.TurnStartParams{AdditionalContext: entries}})
			if err == nil {
				p.Discard()
			}
			return err
		}},
	} {
		allocations := testing.AllocsPerRun(100, func() {
			if err := c.call(); err != nil {
				t.Fatal(err)
			}
		})
		if allocations > c.most {
			t.Errorf("%s makes %v allocations, want at most %v", name, allocations, c.most)
		}
	}
}

// A request is sent as it was written, whether it fits into the input buffer as
// it is or not.
func TestRequestsAroundTheCapacity(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	in := idleInstance(m)
	if _, err := m.Merge(t.Context(), abi.MergeRequest{}); err != nil { // it reserves the buffer
		t.Fatal(err)
	}
	capacity := int(in.capacity)
	for size := capacity - 100; size < capacity+20; size++ {
		request := abi.MergeRequest{AdditionalContext: map[string]abi.Entry{"k": {Value: strings.Repeat("v", size), Kind: abi.Untrusted}}}
		response, err := m.Merge(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if want := appendEntries(nil, request.AdditionalContext, new(sentContext)); !bytes.Equal(response.Store, want) {
			t.Fatalf("with a value of %d bytes the store is %.100s", size, response.Store)
		}
	}
	if int(in.capacity) == capacity {
		t.Error("all fitted")
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	t.Parallel()
	var all []byte
	var kept tail
	for _, size := range []int{0, 1, stderrLimit - 2, 1, 1, 100, stderrLimit, stderrLimit + 5, 3} {
		part := bytes.Repeat([]byte{byte('a' + len(all)%26)}, size)
		all = append(all, part...)
		if n, err := kept.Write(part); n != size || err != nil {
			t.Fatalf("Write returned %d, %v", n, err)
		}
		if want := string(all[max(0, len(all)-stderrLimit):]); kept.String() != want {
			t.Fatalf("after %d bytes it is not their end", len(all))
		}
	}
	kept.reset()
	if kept.String() != "" {
		t.Error("reset keeps something")
	}
	if _, err := kept.Write([]byte{'a', 0xff}); err != nil || !json.Valid([]byte(`"`+kept.String()+`"`)) {
		t.Errorf("got %q, want text", kept.String())
	}
}
