package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

// itemsOf returns the items of inputs, as a history has them.
func itemsOf(t testing.TB, inputs []abi.Input) abi.Items {
	t.Helper()
	items := []abi.Item{}
	for _, input := range inputs {
		items = append(items, input.Item)
	}
	return must[[]byte](t)(json.Marshal(items))
}

// changesOf returns the changes of receipts, in order.
func changesOf(receipts []abi.Receipt) []abi.Change {
	changes := []abi.Change{}
	for _, receipt := range receipts {
		changes = append(changes, receipt.Change)
	}
	return changes
}

var twoEntries = map[string]abi.Entry{
	"ci":   {Value: "red <&>", Kind: abi.Untrusted},
	"rule": {Value: "Ask first.", Kind: abi.Application},
}

// What a compaction dropped is told again, once; what it kept is not.
func TestThreadReconcile(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	thread := openBuiltIn(t).NewThread("t", nil)
	started := must[*abi.TurnResponse](t)(thread.Start(ctx, abi.TurnStartRequest{
		TurnID: "1", Params: abi.TurnStartParams{Input: said("hello"), AdditionalContext: twoEntries},
	}))
	before := string(thread.Snapshot())

	whole := must[*abi.ReconcileResponse](t)(thread.Reconcile(ctx, itemsOf(t, started.Inputs), nil))
	if len(whole.Inputs) != 0 || !slices.Equal(changesOf(whole.Receipts), []abi.Change{abi.Unchanged, abi.Unchanged}) {
		t.Errorf("with the whole history it is %+v", whole)
	}
	if string(whole.State) != before || whole.Store != nil {
		t.Errorf("got the state %s, the store %s", whole.State, whole.Store)
	}
	checkState(t, thread, before)

	left := itemsOf(t, started.Inputs[1:])
	some := must[*abi.ReconcileResponse](t)(thread.Reconcile(ctx, left, nil))
	if got, want := texts(some.Inputs), []string{"<external_ci>red <&></external_ci>"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !slices.Equal(changesOf(some.Receipts), []abi.Change{abi.Restored, abi.Unchanged}) {
		t.Errorf("got %+v", some.Receipts)
	}
	again := must[*abi.ReconcileResponse](t)(thread.Reconcile(ctx, itemsOf(t, append(started.Inputs[1:], some.Inputs...)), nil))
	if len(again.Inputs) != 0 {
		t.Errorf("it is told twice: %q", texts(again.Inputs))
	}
	checkActive(t, thread, "1", abi.RegularTurn)
}

// What does not fit into a budget leaves the state, and is offered again.
func TestThreadReconcileDrops(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	thread := openBuiltIn(t).NewThread("t", nil)
	request := abi.TurnStartRequest{
		TurnID: "1", Params: abi.TurnStartParams{Input: said("hello"), AdditionalContext: twoEntries},
	}
	must[*abi.TurnResponse](t)(thread.Start(ctx, request))
	before := string(thread.Snapshot())
	policy := &abi.Policy{MaxTotalTokens: new(10), Keys: map[string]abi.KeyPolicy{"rule": {Priority: 1}}}

	prepared := must[*Prepared](t)(thread.PrepareReconcile(ctx, abi.Items(`[]`), policy))
	if !slices.Equal(changesOf(prepared.Receipts), []abi.Change{abi.Dropped, abi.Restored}) || prepared.Turn != (abi.Turn{}) {
		t.Errorf("got %+v", prepared.TurnResponse)
	}
	checkState(t, thread, before)
	prepared.Discard()
	checkState(t, thread, before)

	response := must[*abi.ReconcileResponse](t)(thread.Reconcile(ctx, abi.Items(`[]`), policy))
	checkState(t, thread, string(response.State))
	request.Params.Input = said("more")
	steered := must[*abi.TurnResponse](t)(thread.Start(ctx, request))
	if got, want := texts(steered.Inputs), []string{"<external_ci>red <&></external_ci>", "more"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestThreadReconcileRefused(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	thread := openBuiltIn(t).NewThread("t", nil)
	before := string(thread.Snapshot())
	for history, path := range map[string]string{
		``:                `"path":"history"`,
		`null`:            `"path":"history"`,
		`{}`:              `"path":"history"`,
		`[{},[]]`:         `"path":"history[1]"`,
		`[{"a":1,"a":1}]`: `"path":"history[0].a"`,
	} {
		_, err := thread.Reconcile(ctx, abi.Items(history), nil)
		if refused := checkKind(t, err, abi.InvalidParams); !bytes.Contains(refused.Data, []byte(path)) {
			t.Errorf("%s: got %s, want %s", history, refused.Data, path)
		}
	}
	_, err := thread.Reconcile(ctx, abi.Items(`[]`), &abi.Policy{Wrapper: "odd"})
	if refused := checkKind(t, err, abi.InvalidParams); !bytes.Contains(refused.Data, []byte(`"path":"policy.wrapper"`)) {
		t.Errorf("got %s", refused.Data)
	}
	_, err = thread.Reconcile(ctx, abi.Items(`[]`), &abi.Policy{Tokenizer: abi.O200kBase})
	checkKind(t, err, abi.Unsupported)
	checkState(t, thread, before)
	if thread.turns.held != 0 {
		t.Error("the thread is not free")
	}
}

// A thread of a module that answers with a store has failed, not changed.
func TestThreadReconcileWithoutState(t *testing.T) {
	t.Parallel()
	thread := fakeThread(t)
	thread.now = &threadState{text: abi.State("S"), id: "fake"}
	_, err := thread.Reconcile(t.Context(), abi.Items(`[]`), nil)
	if failure, ok := errors.AsType[*ModuleError](err); !ok || failure.Function != abi.FunctionReconcile {
		t.Errorf("got %v, want a ModuleError of reconcile", err)
	}
	checkState(t, thread, "S")
}

func TestReconcileOfAStore(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	merged := must[*abi.MergeResponse](t)(m.Merge(t.Context(), abi.MergeRequest{AdditionalContext: twoEntries}))
	response := must[*abi.ReconcileResponse](t)(m.Reconcile(t.Context(), abi.ReconcileRequest{
		Store: merged.Store, History: itemsOf(t, merged.Inputs[:1]),
	}))
	if string(response.Store) != string(merged.Store) || response.State != nil {
		t.Errorf("got the store %s, the state %s", response.Store, response.State)
	}
	if !reflect.DeepEqual(response.Inputs, merged.Inputs[1:]) {
		t.Errorf("got %+v, want %+v", response.Inputs, merged.Inputs[1:])
	}
	for _, request := range []abi.ReconcileRequest{
		{History: abi.Items(`[]`)},
		{History: abi.Items(`[]`), State: abi.State(fakeState), Store: merged.Store},
	} {
		_, err := m.Reconcile(t.Context(), request)
		checkKind(t, err, abi.InvalidParams)
	}
}

func TestReadReconcile(t *testing.T) {
	t.Parallel()
	for _, member := range []string{storeMember, stateMember} {
		answer := member + `{"k\"}":1},"inputs":[{"key":"a"}],"receipts":[{"key":"b","change":"restored"}]}`
		text := []byte(answer)
		var response abi.ReconcileResponse
		if err := readReconcile(text, nil, &response); err != nil {
			t.Fatal(err)
		}
		clear(text) // the response must not look into it
		var want abi.ReconcileResponse
		if err := json.Unmarshal([]byte(answer), &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(response, want) {
			t.Errorf("got  %+v\nwant %+v", response, want)
		}
		for cut := range len(answer) {
			if err := readReconcile([]byte(answer[:cut]), nil, new(abi.ReconcileResponse)); err == nil {
				t.Errorf("%s was accepted", answer[:cut])
			}
		}
	}
}

// What the module injects is told apart from what a person typed.
func TestClassify(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	for _, policy := range []*abi.Policy{nil, {Preset: abi.PresetSafe}} {
		merged := must[*abi.MergeResponse](t)(m.Merge(t.Context(), abi.MergeRequest{AdditionalContext: twoEntries, Policy: policy}))
		items := itemsOf(t, append(merged.Inputs, abi.Input{Item: abi.Item{
			Type: "message", Role: "user", Content: []abi.Content{{Type: abi.TextContent, Text: "What is <external_ci>?"}},
		}}))
		response := must[*abi.ClassifyResponse](t)(m.Classify(t.Context(), abi.ClassifyRequest{
			Items: items, Store: merged.Store, Policy: policy,
		}))
		want := []abi.Classified{
			{Hidden: true, Key: new("ci"), Kind: abi.Untrusted}, {Hidden: true, Key: new("rule"), Kind: abi.Application}, {},
		}
		if !reflect.DeepEqual(response.Items, want) {
			t.Errorf("got %+v, want %+v", response.Items, want)
		}
	}
	_, err := m.Classify(t.Context(), abi.ClassifyRequest{})
	checkKind(t, err, abi.InvalidParams)
}

func TestGuidance(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	plain := must[*abi.GuidanceResponse](t)(m.Guidance(t.Context(), abi.GuidanceRequest{}))
	safe := must[*abi.GuidanceResponse](t)(m.Guidance(t.Context(), abi.GuidanceRequest{Policy: &abi.Policy{Preset: abi.PresetSafe}}))
	if !strings.Contains(plain.Text, "external_") || !strings.Contains(safe.Text, "external_context") || plain.Text == safe.Text {
		t.Errorf("got %q and %q", plain.Text, safe.Text)
	}
	_, err := m.Guidance(t.Context(), abi.GuidanceRequest{Policy: &abi.Policy{MaxValueTokens: new(-1)}})
	checkKind(t, err, abi.InvalidParams)
}

// An answer that needs no request is read all the same.
func TestGuidanceOfTheFakeModule(t *testing.T) {
	t.Parallel()
	response := must[*abi.GuidanceResponse](t)(openFake(t, Options{}).Guidance(t.Context(), abi.GuidanceRequest{}))
	if response.Text != `a "word"` {
		t.Errorf("got %q", response.Text)
	}
	for _, answer := range []string{``, `{}`, `{"text":1}`, `{"text":"a`, `{"text":"\x"}`, `{"text":"a","more":1}`, `{"text":null}`} {
		if err := readGuidance([]byte(answer), nil, new(abi.GuidanceResponse)); err == nil {
			t.Errorf("%s was accepted", answer)
		}
	}
}

// Patches of a thread, with the entries that are gone as Go values.
func TestPatch(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := openBuiltIn(t)
	first := must[*abi.MergeResponse](t)(m.Merge(ctx, abi.MergeRequest{AdditionalContext: twoEntries}))
	gone := map[string]abi.Entry{"ci": {Removed: true}}
	policy := &abi.Policy{Updates: abi.PatchUpdates, Removals: abi.AnnounceRemovals}
	response := must[*abi.MergeResponse](t)(m.Merge(ctx, abi.MergeRequest{Store: first.Store, AdditionalContext: gone, Policy: policy}))
	if got, want := texts(response.Inputs), []string{"<external_ci>[no longer applies]</external_ci>"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := `{"rule":{"value":"Ask first.","kind":"application"}}`; string(response.Store) != want {
		t.Errorf("the store is %s, want %s", response.Store, want)
	}
	_, err := m.Merge(ctx, abi.MergeRequest{Store: first.Store, AdditionalContext: gone})
	if refused := checkKind(t, err, abi.InvalidParams); !bytes.Contains(refused.Data, []byte(`"additionalContext.ci"`)) {
		t.Errorf("got %s", refused.Data)
	}
}
