package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/turncontext/turncontext/abi"
)

// said is user input of one text.
func said(text string) []abi.UserInput {
	return []abi.UserInput{{Type: abi.TextInput, Text: text}}
}

// told is additional context of one entry.
func told(value string) map[string]abi.Entry {
	return map[string]abi.Entry{"k": {Value: value, Kind: abi.Untrusted}}
}

// start is a request that starts a turn with context.
func start(turnID, value string) abi.TurnStartRequest {
	return abi.TurnStartRequest{
		TurnID: turnID,
		Params: abi.TurnStartParams{Input: said("hello"), AdditionalContext: told(value)},
	}
}

// steer is a request that steers a turn with context.
func steer(turnID, value string) abi.TurnSteerRequest {
	return abi.TurnSteerRequest{
		Params: abi.TurnSteerParams{ExpectedTurnID: turnID, Input: said("more"), AdditionalContext: told(value)},
	}
}

// must fails the test if there is an error.
func must[T any](t testing.TB) func(value T, err error) T {
	t.Helper()
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// texts returns the first part of each input.
func texts(inputs []abi.Input) []string {
	var all []string
	for _, input := range inputs {
		all = append(all, input.Item.Content[0].Text)
	}
	return all
}

// checkActive compares the active turn; "" stands for none.
func checkActive(t *testing.T, thread *Thread, id string, kind abi.TurnKind) {
	t.Helper()
	turn, active := thread.ActiveTurn()
	if want := (abi.ActiveTurn{ID: id, Kind: kind}); turn != want || active != (id != "") {
		t.Errorf("the active turn is %+v, %v, want %+v", turn, active, want)
	}
}

// checkState compares a thread's state.
func checkState(t *testing.T, thread *Thread, want string) {
	t.Helper()
	if got := thread.Snapshot(); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// checkKind fails the test unless the error is a refusal of that kind.
func checkKind(t *testing.T, err error, kind abi.ErrorKind) *abi.Error {
	t.Helper()
	refused, ok := errors.AsType[*abi.Error](err)
	if !ok || refused.Kind != kind {
		t.Fatalf("got %v, want an abi.Error of kind %s", err, kind)
	}
	return refused
}

func TestThread(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	thread := openBuiltIn(t).NewThread("th\"1\" 日本", nil)
	if thread.ID() != "th\"1\" 日本" {
		t.Errorf("the id is %q", thread.ID())
	}
	const empty = `{"version":1,"threadId":"th\"1\" 日本","activeTurn":null,"additionalContext":{}}`
	checkState(t, thread, empty)
	checkActive(t, thread, "", "")

	started := must[*abi.TurnResponse](t)(thread.Start(ctx, start("one", "a")))
	if want := (abi.Turn{ID: "one"}); started.Turn != want {
		t.Errorf("got %+v, want %+v", started.Turn, want)
	}
	if got, want := texts(started.Inputs), []string{"<external_k>a</external_k>", "hello"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(started.Receipts) != 1 || started.Receipts[0].Change != abi.Added {
		t.Errorf("the receipts are %+v", started.Receipts)
	}
	checkState(t, thread, string(started.State))
	checkActive(t, thread, "one", abi.RegularTurn)

	steered := must[*abi.TurnResponse](t)(thread.Steer(ctx, steer("one", "a")))
	if got, want := texts(steered.Inputs), []string{"more"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	again := must[*abi.TurnResponse](t)(thread.Start(ctx, start("two", "b")))
	if want := (abi.Turn{ID: "one", Steered: true}); again.Turn != want {
		t.Errorf("got %+v, want %+v", again.Turn, want)
	}

	before := string(thread.Snapshot())
	if err := thread.End(ctx, "zero"); err != nil { // late
		t.Fatal(err)
	}
	checkState(t, thread, before)
	if err := thread.End(ctx, "one"); err != nil {
		t.Fatal(err)
	}
	checkActive(t, thread, "", "")
	if err := thread.Set(ctx, abi.ActiveTurn{ID: "review", Kind: abi.ReviewTurn}); err != nil {
		t.Fatal(err)
	}
	checkActive(t, thread, "review", abi.ReviewTurn)
	before = string(thread.Snapshot())
	_, err := thread.Start(ctx, start("three", "c"))
	checkKind(t, err, abi.TurnNotSteerable)
	_, err = thread.Steer(ctx, steer("review", "c"))
	checkKind(t, err, abi.TurnNotSteerable)
	checkKind(t, thread.Set(ctx, abi.ActiveTurn{ID: "x", Kind: "other"}), abi.InvalidParams)
	checkState(t, thread, before)
}

// A thread's policy is that of each call which brings none.
func TestThreadPolicy(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := openBuiltIn(t)
	// asked returns what the model is told by each call that takes a policy, on a new
	// thread and on one that was restored.
	asked := func(ofThread, ofCall *abi.Policy) (all []string) {
		thread := m.NewThread("t", ofThread)
		starting := start("1", "<&>")
		starting.Policy = ofCall
		all = append(all, texts(must[*abi.TurnResponse](t)(thread.Start(ctx, starting)).Inputs)...)
		thread = must[*Thread](t)(m.RestoreThread(ctx, thread.Snapshot(), ofThread))
		steering := steer("1", "</k>")
		steering.Policy = ofCall
		all = append(all, texts(must[*abi.TurnResponse](t)(thread.Steer(ctx, steering)).Inputs)...)
		return append(all, texts(must[*abi.ReconcileResponse](t)(thread.Reconcile(ctx, abi.Items("[]"), ofCall)).Inputs)...)
	}
	safe := &abi.Policy{Preset: abi.PresetSafe}
	asDefault, asSafe := asked(nil, nil), asked(nil, safe)
	if slices.Equal(asDefault, asSafe) {
		t.Fatalf("the policies do not differ: %q", asSafe)
	}
	for name, c := range map[string]struct {
		ofThread, ofCall *abi.Policy
		want             []string
	}{
		"the thread's":             {safe, nil, asSafe},
		"the call's":               {&abi.Policy{}, safe, asSafe},
		"an empty one of the call": {safe, &abi.Policy{}, asDefault},
	} {
		if got := asked(c.ofThread, c.ofCall); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A fork was told what the thread was, and goes its own way.
func TestFork(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := openBuiltIn(t)
	thread := m.NewThread("t", &abi.Policy{Preset: abi.PresetSafe})
	fresh := thread.Fork("é\"")
	checkState(t, fresh, `{"version":1,"threadId":"é\"","activeTurn":null,"additionalContext":{}}`)
	starting := start("1", `<"}\`)
	started := must[*abi.TurnResponse](t)(thread.Start(ctx, starting))

	const store = `{"k":{"value":"<\"}\\","kind":"untrusted"}}`
	if got := thread.Store(); string(got) != store {
		t.Errorf("the store is %s, want %s", got, store)
	}
	fork := thread.Fork("f")
	checkState(t, fork, `{"version":1,"threadId":"f","activeTurn":null,"additionalContext":`+store+`}`)
	checkActive(t, fork, "", "")
	checkActive(t, thread, "1", abi.RegularTurn)

	// It has lost nothing with the whole history, and by the thread's policy.
	whole := must[*abi.ReconcileResponse](t)(fork.Reconcile(ctx, itemsOf(t, started.Inputs), nil))
	if len(whole.Inputs) != 0 {
		t.Errorf("it is told again: %q", texts(whole.Inputs))
	}
	again := must[*abi.TurnResponse](t)(fork.Start(ctx, starting))
	if got, want := texts(again.Inputs), []string{"hello"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	checkState(t, thread, string(started.State))
	classified := must[*abi.ClassifyResponse](t)(m.Classify(ctx, abi.ClassifyRequest{
		Items: itemsOf(t, started.Inputs), Store: thread.Store(), Policy: &abi.Policy{Preset: abi.PresetSafe},
	}))
	if !classified.Items[0].Hidden || classified.Items[1].Hidden {
		t.Errorf("got %+v", classified.Items)
	}
}

// A thread may begin with a turn that no client started.
func TestThreadBeginsWithSet(t *testing.T) {
	t.Parallel()
	thread := openBuiltIn(t).NewThread("t", nil)
	if err := thread.Set(t.Context(), abi.ActiveTurn{ID: "c", Kind: abi.CompactTurn}); err != nil {
		t.Fatal(err)
	}
	checkState(t, thread, `{"version":1,"threadId":"t","activeTurn":{"id":"c","kind":"compact"},"additionalContext":{}}`)
}

// The params that a client sent are checked for the thread's id; those that
// this program makes need not name it.
func TestThreadParams(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	thread := openBuiltIn(t).NewThread("t", nil)
	other := abi.TurnStartRequest{TurnID: "1", Params: abi.TurnStartParams{ThreadID: "other"}}
	_, err := thread.Start(ctx, other)
	checkKind(t, err, abi.InvalidParams)
	other.Params = abi.TurnStartParams{Raw: json.RawMessage(`{"input":[]}`)}
	_, err = thread.Start(ctx, other)
	if refused := checkKind(t, err, abi.InvalidParams); !bytes.Contains(refused.Data, []byte(`"path":"threadId"`)) {
		t.Errorf("got the data %s", refused.Data)
	}

	raw := json.RawMessage(`{"threadId":"\u0074","input":[{"type":"text","text":"hi","text_elements":[]}],"model":null}`)
	response := must[*abi.TurnResponse](t)(thread.Start(ctx, abi.TurnStartRequest{TurnID: "1", Params: abi.TurnStartParams{Raw: raw}}))
	if got := texts(response.Inputs); !slices.Equal(got, []string{"hi"}) {
		t.Errorf("got %q", got)
	}
	raw = json.RawMessage(`{"threadId":"t","input":[{"type":"text","text":"on"}],"expectedTurnId":"1","additionalContext":{}}`)
	policy := &abi.Policy{ExperimentalAPI: new(false)}
	_, err = thread.Steer(ctx, abi.TurnSteerRequest{Params: abi.TurnSteerParams{Raw: raw}, Policy: policy})
	checkKind(t, err, abi.ExperimentalAPIRequired)
	hook := &abi.PromptHook{Blocked: true, Contexts: []string{"careful"}}
	response = must[*abi.TurnResponse](t)(thread.Steer(ctx, abi.TurnSteerRequest{Params: abi.TurnSteerParams{Raw: raw}, PromptHook: hook}))
	if got := texts(response.Inputs); !slices.Equal(got, []string{"careful"}) || response.Inputs[0].Source != abi.SourcePromptHook {
		t.Errorf("got %+v", response.Inputs)
	}
}

// What the caller does to the State of a request, or to what it got, does not
// reach the thread.
func TestThreadKeepsItsState(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := openBuiltIn(t)
	thread := m.NewThread("t", nil)
	request := start("1", "a")
	request.State = abi.State("no state")
	response := must[*abi.TurnResponse](t)(thread.Start(ctx, request))
	want := string(response.State)
	clear(response.State)
	clear(thread.Snapshot())
	checkState(t, thread, want)
	state := thread.Snapshot()
	restored := must[*Thread](t)(m.RestoreThread(ctx, state, nil))
	clear(state)
	checkState(t, restored, want)
	prepared := must[*Prepared](t)(restored.PrepareStart(ctx, start("1", "b")))
	want = string(prepared.State)
	clear(prepared.State)
	if err := prepared.Commit(); err != nil {
		t.Fatal(err)
	}
	checkState(t, restored, want)
}

func TestPrepared(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	thread := openBuiltIn(t).NewThread("t", nil)
	empty := string(thread.Snapshot())

	prepared := must[*Prepared](t)(thread.PrepareStart(ctx, start("1", "a")))
	checkState(t, thread, empty)
	checkActive(t, thread, "", "")
	prepared.Discard()
	prepared.Discard()
	if err := prepared.Commit(); !errors.Is(err, ErrSettled) {
		t.Errorf("Commit after Discard returned %v, want ErrSettled", err)
	}
	checkState(t, thread, empty)

	// The model was told nothing, so it is told now.
	prepared = must[*Prepared](t)(thread.PrepareStart(ctx, start("2", "a")))
	if prepared.Turn.ID != "2" || len(prepared.Inputs) != 2 || prepared.Receipts[0].Change != abi.Added {
		t.Errorf("got %+v", prepared.TurnResponse)
	}
	if err := prepared.Commit(); err != nil {
		t.Fatal(err)
	}
	checkState(t, thread, string(prepared.State))
	checkActive(t, thread, "2", abi.RegularTurn)

	later := must[*Prepared](t)(thread.PrepareSteer(ctx, steer("2", "b")))
	prepared.Discard() // another's turn to change the thread is not given away
	if err := prepared.Commit(); !errors.Is(err, ErrSettled) {
		t.Errorf("Commit again returned %v, want ErrSettled", err)
	}
	if thread.turns.held != 1 {
		t.Fatal("the thread is free while a steer is prepared")
	}
	checkState(t, thread, string(prepared.State))
	if err := later.Commit(); err != nil {
		t.Fatal(err)
	}
	checkState(t, thread, string(later.State))
	if thread.turns.held != 0 {
		t.Error("the thread is not free")
	}
}

// changes are all ways to change a thread.
var changes = map[string]func(ctx context.Context, thread *Thread) error{
	"Start": func(ctx context.Context, thread *Thread) error {
		_, err := thread.Start(ctx, start("1", "a"))
		return err
	},
	"Steer": func(ctx context.Context, thread *Thread) error {
		_, err := thread.Steer(ctx, steer("a", "a"))
		return err
	},
	"Reconcile": func(ctx context.Context, thread *Thread) error {
		_, err := thread.Reconcile(ctx, abi.Items(`[]`), nil)
		return err
	},
	"Set": func(ctx context.Context, thread *Thread) error {
		return thread.Set(ctx, abi.ActiveTurn{ID: "a", Kind: abi.CompactTurn})
	},
	"End": func(ctx context.Context, thread *Thread) error { return thread.End(ctx, "a") },
	"Restore": func(ctx context.Context, thread *Thread) error {
		return thread.Restore(ctx, thread.Snapshot())
	},
}

// fakeThread returns a thread of the fake module, in its only state.
func fakeThread(t testing.TB) *Thread {
	t.Helper()
	return must[*Thread](t)(openFake(t, Options{}).RestoreThread(t.Context(), abi.State(fakeState), nil))
}

// line lets a goroutine change the thread, and returns when it waits.
func line(t *testing.T, thread *Thread, change func() error) <-chan error {
	t.Helper()
	before := thread.turns.waiting()
	done := make(chan error, 1)
	go func() { done <- change() }()
	eventually(t, "a change in line", func() bool { return thread.turns.waiting() == before+1 })
	return done
}

// Steers that wait go on in the order of the calls, whatever happens to those
// before them.
func TestThreadIsFirstComeFirstServed(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	thread := fakeThread(t)
	first := must[*Prepared](t)(thread.PrepareStart(ctx, start("1", "a")))
	var order []int // guarded by the thread
	var all []<-chan error
	for i := range 20 {
		all = append(all, line(t, thread, func() error {
			prepared, err := thread.PrepareSteer(ctx, steer("a", "a"))
			if err != nil {
				return err
			}
			defer prepared.Discard()
			order = append(order, i)
			if i%3 == 0 {
				return nil
			}
			return prepared.Commit()
		}))
	}
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, done := range all {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if len(order) != 20 || !slices.IsSorted(order) {
		t.Errorf("the order was %v", order)
	}
}

// Each way to change a thread waits while something is prepared, and gives up
// with its context.
func TestChangesWait(t *testing.T) {
	t.Parallel()
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			thread := fakeThread(t)
			prepared := must[*Prepared](t)(thread.PrepareStart(t.Context(), start("1", "a")))
			ctx, cancel := context.WithCancel(t.Context())
			given := line(t, thread, func() error { return change(ctx, thread) })
			kept := line(t, thread, func() error { return change(t.Context(), thread) })
			cancel()
			err := <-given
			if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "waiting for the thread") {
				t.Errorf("got %v, want the context's error", err)
			}
			if err := change(ctx, thread); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the context's error", err)
			}
			select {
			case err := <-kept:
				t.Fatalf("it did not wait: %v", err)
			default:
			}
			prepared.Discard()
			if err := <-kept; err != nil {
				t.Error(err)
			}
			if err := change(ctx, thread); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the context's error", err)
			}
			if thread.turns.held != 0 || thread.turns.waiting() != 0 {
				t.Error("the thread is not free")
			}
		})
	}
}

// A context ends the preparing, not what is prepared.
func TestPreparedOutlivesItsContext(t *testing.T) {
	t.Parallel()
	thread := fakeThread(t)
	ctx, cancel := context.WithCancel(t.Context())
	prepared := must[*Prepared](t)(thread.PrepareStart(ctx, start("1", "a")))
	cancel()
	if err := prepared.Commit(); err != nil {
		t.Error(err)
	}
}

// Whatever goes wrong changes nothing, and leaves the thread free.
func TestThreadFailures(t *testing.T) {
	t.Parallel()
	causes := map[string]string{
		"e": "invalid_params", // refused
		"t": "unreachable",
		"j": "malformed answer",
		"1": "malformed answer: state: it does not begin with version, threadId and activeTurn",
		"2": "malformed answer: state: json: ",
		"3": "malformed answer: state: json: ",
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			thread := fakeThread(t)
			good := thread.now
			for behaviour, cause := range causes {
				bad := &threadState{text: abi.State(behaviour), id: good.id}
				thread.now = bad
				err := change(t.Context(), thread)
				if err == nil || !strings.Contains(err.Error(), cause) {
					t.Errorf("%s: got %v, want %q", behaviour, err, cause)
				}
				if _, failed := errors.AsType[*ModuleError](err); failed != (behaviour != "e") {
					t.Errorf("%s: got a %T", behaviour, err)
				}
				if thread.now != bad || thread.turns.held != 0 {
					t.Errorf("%s: the thread changed, or is not free", behaviour)
				}
			}
			thread.now = good
			if err := change(t.Context(), thread); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// A panic while a turn is being prepared does not block the thread.
func TestPanicLeavesTheThreadFree(t *testing.T) {
	t.Parallel()
	thread := fakeThread(t)
	_, err := thread.prepare(t.Context(), abi.FunctionTurnStart, "", func([]byte) ([]byte, error) { panic("whoops") }, nil)
	if failure, ok := errors.AsType[*ModuleError](err); !ok || !strings.Contains(failure.Err.Error(), "whoops") {
		t.Errorf("got %v, want a ModuleError", err)
	}
	if thread.turns.held != 0 {
		t.Error("the thread is not free")
	}
}

// Threads leave the memory of their states to each other, but never what is in
// it, whoever looks at them meanwhile.
func TestThreadsReuseMemoryOnly(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	var all sync.WaitGroup
	for _, id := range []string{"a", "b", "c"} {
		thread := m.NewThread(id, nil)
		done := make(chan struct{})
		all.Go(func() {
			defer close(done)
			for i := range 300 {
				prepared, err := thread.PrepareStart(t.Context(), start(id, strings.Repeat(id, 1000+i%7)))
				if err != nil {
					t.Error(err)
					return
				}
				if i%3 == 0 {
					prepared.Discard()
					continue
				}
				if err := prepared.Commit(); err != nil {
					t.Error(err)
				}
				if err := thread.End(t.Context(), id); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				state := thread.Snapshot()
				if !json.Valid(state) || !bytes.Contains(state, []byte(`"threadId":"`+id+`"`)) {
					t.Errorf("the state of %s is %.200s", id, state)
					return
				}
				if turn, active := thread.ActiveTurn(); active && turn.ID != id {
					t.Errorf("%s is in turn %s", id, turn.ID)
					return
				}
			}
		})
	}
	all.Wait()
}

func TestThreadOfAClosedModule(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	thread := must[*Thread](t)(m.RestoreThread(t.Context(), abi.State(fakeState), nil))
	prepared := must[*Prepared](t)(thread.PrepareStart(t.Context(), start("1", "a")))
	waiting := line(t, thread, func() error { return changes["Steer"](t.Context(), thread) })
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := prepared.Commit(); err != nil { // it needs no module
		t.Error(err)
	}
	if err := <-waiting; !errors.Is(err, ErrClosed) {
		t.Errorf("a waiting steer got %v, want ErrClosed", err)
	}
	for name, change := range changes {
		if err := change(t.Context(), thread); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: got %v, want ErrClosed", name, err)
		}
	}
	if _, err := m.RestoreThread(t.Context(), abi.State(fakeState), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("RestoreThread: got %v, want ErrClosed", err)
	}
	checkState(t, thread, fakeState)
}

func TestRestore(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := openBuiltIn(t)
	// As a database may have written it.
	thread := must[*Thread](t)(m.RestoreThread(ctx, abi.State(` { "additionalContext":{"k":{"kind":"untrusted","value":"\u0061"}},
		"activeTurn":{"kind":"regular","id":"1\u002F2","x":0}, "threadId":"t\u00e9","version":1,"x":[]}`), nil))
	older := thread.Snapshot()
	checkState(t, thread, `{"version":1,"threadId":"té","activeTurn":{"id":"1/2","kind":"regular"},`+
		`"additionalContext":{"k":{"value":"a","kind":"untrusted"}}}`)
	checkActive(t, thread, "1/2", abi.RegularTurn)
	if thread.ID() != "té" {
		t.Errorf("the id is %q", thread.ID())
	}
	response := must[*abi.TurnResponse](t)(thread.Steer(ctx, steer("1/2", "a")))
	if len(response.Inputs) != 1 {
		t.Errorf("the model is told what it knows: %q", texts(response.Inputs))
	}
	must[*abi.TurnResponse](t)(thread.Steer(ctx, steer("1/2", "b")))
	if err := thread.End(ctx, "1/2"); err != nil {
		t.Fatal(err)
	}
	newer := string(thread.Snapshot())

	for state, kind := range map[string]abi.ErrorKind{
		``:                             abi.InvalidParams,
		`null`:                         abi.InvalidParams,
		`{"version":2,"threadId":"t"}`: abi.Unsupported,
		`{"version":1}`:                abi.InvalidParams,
		`{},"activeTurn":null`:         abi.InvalidJSON,
		`{"version":1,"threadId":"t"`:  abi.InvalidJSON,
	} {
		checkKind(t, thread.Restore(ctx, abi.State(state)), kind)
		_, err := m.RestoreThread(ctx, abi.State(state), nil)
		checkKind(t, err, kind)
	}
	err := thread.Restore(ctx, m.NewThread("other", nil).Snapshot())
	if err == nil || !strings.Contains(err.Error(), `thread "té": the state is that of thread "other"`) {
		t.Errorf("got %v", err)
	}
	checkState(t, thread, newer)

	if err := thread.Restore(ctx, older); err != nil {
		t.Fatal(err)
	}
	checkState(t, thread, string(older))
	checkActive(t, thread, "1/2", abi.RegularTurn)
}

// An id that is no text is the module's to refuse.
func TestThreadIDThatIsNoText(t *testing.T) {
	t.Parallel()
	thread := openBuiltIn(t).NewThread("a\xff", nil)
	for name, change := range changes {
		checkKind(t, change(t.Context(), thread), abi.InvalidJSON)
		if thread.turns.held != 0 {
			t.Errorf("%s: the thread is not free", name)
		}
	}
}

// A byHand thread carries its state through Module.Call, in JSON.
type byHand struct {
	module *Module
	state  json.RawMessage
}

// call makes a call with a request that has the state, and returns the answer.
// The state stays as it is.
func (h *byHand) call(t *testing.T, function string, request any) (*abi.TurnResponse, error) {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := h.module.Call(t.Context(), function, text)
	if err != nil {
		return nil, err
	}
	response := new(abi.TurnResponse)
	if err := json.Unmarshal(answer, response); err != nil {
		t.Fatal(err)
	}
	return response, nil
}

// agree compares what a thread answered with what was got by hand. Offsets
// differ: there, params stand elsewhere.
func agree(t *testing.T, got *abi.TurnResponse, err error, want *abi.TurnResponse, wantErr error) {
	t.Helper()
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("got %v, want %v", err, wantErr)
	}
	if err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

// randomStart returns a request to start, in Go values, and now and then a bad
// one.
func randomStart(random *rand.Rand, turn int) abi.TurnStartRequest {
	request := abi.TurnStartRequest{
		TurnID: fmt.Sprint(turn),
		Params: abi.TurnStartParams{ThreadID: "t", AdditionalContext: randomContext(random)},
	}
	for range random.IntN(3) {
		request.Params.Input = append(request.Params.Input, everyPiece[random.IntN(len(everyPiece))])
	}
	if random.IntN(4) == 0 {
		request.PromptHook = &abi.PromptHook{Blocked: random.IntN(2) == 0, Contexts: []string{"hook"}[:random.IntN(2)]}
	}
	if random.IntN(8) == 0 {
		request.Policy = &abi.Policy{ExperimentalAPI: new(random.IntN(2) == 0)}
	}
	if random.IntN(20) == 0 {
		request.Params.ThreadID = "other"
	}
	if random.IntN(20) == 0 {
		request.TurnID = ""
	}
	return request
}

func randomContext(random *rand.Rand) map[string]abi.Entry {
	if random.IntN(6) == 0 {
		return nil
	}
	entries := map[string]abi.Entry{}
	for _, key := range []string{"a", "b", "é", ""}[:random.IntN(5)] {
		kinds := []abi.Kind{abi.Untrusted, abi.Application, abi.Untrusted, "other"}
		kind := kinds[random.IntN(3+random.IntN(2)*random.IntN(2))]
		entries[key] = abi.Entry{Value: []string{"one", "two \"\n", strings.Repeat("long ", 900)}[random.IntN(3)], Kind: kind}
	}
	return entries
}

// randomHistory returns some of the messages that randomContext may have led to,
// and other items.
func randomHistory(t *testing.T, random *rand.Rand) abi.Items {
	t.Helper()
	var items []any
	for _, text := range []string{
		"<external_a>one</external_a>", "<external_b>two \"\n</external_b>", "hello", "<external_é>one</external_é>", "<external_>one</external_>",
	} {
		if random.IntN(3) > 0 {
			items = append(items, abi.Item{Type: "message", Role: "user", Content: []abi.Content{{Type: abi.TextContent, Text: text}}})
		}
		if random.IntN(30) == 0 {
			items = append(items, []any{map[string]any{"type": "other"}, "no item"}[random.IntN(2)])
		}
	}
	return must[[]byte](t)(json.Marshal(items))
}

// randomPolicy returns a policy now and then, and seldom a bad one.
func randomPolicy(random *rand.Rand) *abi.Policy {
	if random.IntN(2) == 0 {
		return nil
	}
	return &abi.Policy{
		MaxTotalTokens: new(random.IntN(40)),
		Wrapper:        []abi.Wrapper{"", abi.WrapReference, abi.WrapAttribute}[random.IntN(3)],
		MaxValueTokens: new(random.IntN(30) - 1),
		Keys:           map[string]abi.KeyPolicy{"a": {Priority: random.IntN(3) - 1}},
	}
}

// raw returns what the params say as a client sends them.
func raw(t *testing.T, params any) json.RawMessage {
	t.Helper()
	return must[[]byte](t)(json.MarshalIndent(params, "\t", " "))
}

// A thread does what a program does that carries the state by hand: random
// sequences of all that can happen to one.
func TestThreadAgainstCarryingByHand(t *testing.T) {
	t.Parallel()
	sequences, steps := 60, 60
	if testing.Short() || raceDetector {
		sequences = 10
	}
	m := openBuiltIn(t)
	for seed := range sequences {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		thread := m.NewThread("t", nil)
		hand := &byHand{m, json.RawMessage(`{"version":1,"threadId":"t"}`)}
		// The one difference: a thread always has a state in the module's words.
		hand.state = json.RawMessage(thread.Snapshot())
		older := []abi.State{thread.Snapshot()}
		for turn := range steps {
			hand.step(t, random, thread, turn, &older)
			checkState(t, thread, string(hand.state))
			if t.Failed() {
				t.Fatalf("in step %d of sequence %d", turn, seed)
			}
		}
	}
}

// step does one thing to both.
func (h *byHand) step(t *testing.T, random *rand.Rand, thread *Thread, turn int, older *[]abi.State) {
	ctx := t.Context()
	var active struct{ ActiveTurn *abi.ActiveTurn }
	if err := json.Unmarshal(h.state, &active); err != nil {
		t.Fatal(err)
	}
	id := fmt.Sprint(random.IntN(turn + 1)) // of some turn
	if active.ActiveTurn != nil {
		checkActive(t, thread, active.ActiveTurn.ID, active.ActiveTurn.Kind)
		if random.IntN(4) > 0 {
			id = active.ActiveTurn.ID
		}
	} else {
		checkActive(t, thread, "", "")
	}

	switch random.IntN(9) {
	case 0, 1, 2:
		request := randomStart(random, turn)
		byHand := request
		byHand.State = h.state
		want, wantErr := h.call(t, abi.FunctionTurnStart, byHand)
		if random.IntN(2) == 0 {
			request.Params = abi.TurnStartParams{Raw: raw(t, request.Params)}
		} else if request.Params.ThreadID == "t" {
			request.Params.ThreadID = ""
		}
		h.take(t, random, want, wantErr,
			func() (*abi.TurnResponse, error) { return thread.Start(ctx, request) },
			func() (*Prepared, error) { return thread.PrepareStart(ctx, request) })
	case 3, 4:
		from := randomStart(random, turn)
		request := abi.TurnSteerRequest{
			Params: abi.TurnSteerParams{
				ThreadID: from.Params.ThreadID, ExpectedTurnID: id, Input: from.Params.Input, AdditionalContext: from.Params.AdditionalContext,
			},
			PromptHook: from.PromptHook, Policy: from.Policy,
		}
		byHand := request
		byHand.State = h.state
		want, wantErr := h.call(t, abi.FunctionTurnSteer, byHand)
		if random.IntN(2) == 0 {
			request.Params = abi.TurnSteerParams{Raw: raw(t, request.Params)}
		} else if request.Params.ThreadID == "t" {
			request.Params.ThreadID = ""
		}
		h.take(t, random, want, wantErr,
			func() (*abi.TurnResponse, error) { return thread.Steer(ctx, request) },
			func() (*Prepared, error) { return thread.PrepareSteer(ctx, request) })
	case 5:
		kinds := []abi.TurnKind{abi.ReviewTurn, abi.CompactTurn, abi.RegularTurn, "other"}
		set := &abi.ActiveTurn{ID: fmt.Sprint(turn), Kind: kinds[random.IntN(len(kinds))]}
		want, wantErr := h.call(t, abi.FunctionTurnSet, abi.TurnSetRequest{State: h.state, ActiveTurn: set})
		agree(t, nil, thread.Set(ctx, *set), nil, wantErr)
		h.adopt(want)
	case 6:
		want, wantErr := h.call(t, abi.FunctionTurnSet, abi.TurnSetRequest{State: h.state, IfTurnID: &id})
		agree(t, nil, thread.End(ctx, id), nil, wantErr)
		h.adopt(want)
	case 7:
		history := randomHistory(t, random)
		policy := randomPolicy(random)
		want, wantErr := h.call(t, abi.FunctionReconcile, abi.ReconcileRequest{State: h.state, History: history, Policy: policy})
		h.take(t, random, want, wantErr,
			func() (*abi.TurnResponse, error) {
				response, err := thread.Reconcile(ctx, history, policy)
				if err != nil {
					return nil, err
				}
				return &abi.TurnResponse{State: response.State, Inputs: response.Inputs, Receipts: response.Receipts}, nil
			},
			func() (*Prepared, error) { return thread.PrepareReconcile(ctx, history, policy) })
	case 8:
		*older = append(*older, thread.Snapshot())
		if random.IntN(3) == 0 {
			back := (*older)[random.IntN(len(*older))]
			if err := thread.Restore(ctx, back); err != nil {
				t.Fatal(err)
			}
			h.state = json.RawMessage(back)
		}
	}
}

// take compares a start or steer, at once or prepared, which is then committed
// or discarded.
func (h *byHand) take(t *testing.T, random *rand.Rand, want *abi.TurnResponse, wantErr error,
	atOnce func() (*abi.TurnResponse, error), prepare func() (*Prepared, error)) {
	t.Helper()
	if random.IntN(2) == 0 {
		got, err := atOnce()
		agree(t, got, err, want, wantErr)
		h.adopt(want)
		return
	}
	prepared, err := prepare()
	if err != nil {
		agree(t, nil, err, want, wantErr)
		return
	}
	defer prepared.Discard()
	agree(t, &prepared.TurnResponse, nil, want, wantErr)
	if random.IntN(3) == 0 {
		return
	}
	if err := prepared.Commit(); err != nil {
		t.Fatal(err)
	}
	h.adopt(want)
}

// adopt goes on with an answer's state; nil is no answer.
func (h *byHand) adopt(response *abi.TurnResponse) {
	if response != nil {
		h.state = json.RawMessage(response.State)
	}
}

// Many goroutines steer one thread, some without success; others look at it and
// end turns that are over. What was committed gives, one after the other, what
// it gives by hand: nothing was merged twice, in between, or without a record.
func TestThreadUnderLoad(t *testing.T) {
	t.Parallel()
	const goroutines = 12
	steers := 150 // of each goroutine
	if testing.Short() || raceDetector {
		steers = 25
	}
	m := open(t, Options{Instances: 3, CacheDir: cacheDir})
	thread := m.NewThread("t", nil)
	must[*abi.TurnResponse](t)(thread.Start(t.Context(), start("turn", "")))
	first := thread.Snapshot()

	type record struct {
		request  abi.TurnSteerRequest
		response abi.TurnResponse
	}
	var history []record // guarded by the thread
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for range steers {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(4000))*time.Microsecond)
				if random.IntN(3) > 0 {
					ctx = t.Context()
				}
				request := steer("turn", fmt.Sprint(random.IntN(3)))
				prepared, err := thread.PrepareSteer(ctx, request)
				cancel()
				if errors.Is(err, context.DeadlineExceeded) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if random.IntN(4) == 0 {
					prepared.Discard()
					continue
				}
				history = append(history, record{request, prepared.TurnResponse})
				if err := prepared.Commit(); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range steers {
				if turn, active := thread.ActiveTurn(); !active || turn.ID != "turn" || !json.Valid(thread.Snapshot()) || thread.ID() != "t" {
					t.Errorf("the thread is %s, in %+v", thread.Snapshot(), turn)
				}
				if err := thread.End(t.Context(), "late"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if len(history) < steers {
		t.Errorf("only %d of %d steers were committed", len(history), goroutines*steers)
	}
	state := first
	for i, record := range history {
		record.request.State, record.request.Params.ThreadID = state, "t"
		want := must[*abi.TurnResponse](t)(m.TurnSteer(t.Context(), record.request))
		if !reflect.DeepEqual(record.response, *want) {
			t.Fatalf("steer %d: got  %+v\nwant %+v", i, record.response, want)
		}
		state = want.State
	}
	checkState(t, thread, string(state))
}
