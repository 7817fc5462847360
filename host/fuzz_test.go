package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/random"
)

// FuzzRestoreThread has a thread go on from any text. Either it is refused, by
// the module or before, or the thread is one that works and saves what it was
// restored from.
func FuzzRestoreThread(f *testing.F) {
	names, err := filepath.Glob("../testdata/corpora/states/*")
	if err != nil || len(names) == 0 {
		f.Fatalf("no corpus: %v", err)
	}
	for _, name := range names {
		state, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(state)
	}
	m := openBuiltIn(f)
	f.Fuzz(func(t *testing.T, state []byte) {
		ctx := t.Context()
		thread, err := m.RestoreThread(ctx, state, nil)
		if err != nil {
			checkRefused(t, err)
			return
		}
		if !json.Valid(state) {
			t.Fatal("a state that is not JSON was accepted")
		}
		saved := thread.Snapshot()
		var begins struct {
			ThreadID   string
			ActiveTurn *abi.ActiveTurn
		}
		if err := json.Unmarshal(saved, &begins); err != nil {
			t.Fatal(err)
		}
		turn, active := thread.ActiveTurn()
		if thread.ID() != begins.ThreadID || active != (begins.ActiveTurn != nil) || active && turn != *begins.ActiveTurn {
			t.Fatalf("%q, in %+v, is restored from %s", thread.ID(), turn, saved)
		}
		again, err := m.RestoreThread(ctx, saved, nil)
		if err != nil || !bytes.Equal(again.Snapshot(), saved) {
			t.Fatalf("what it saves is not restored: %v", err)
		}
		if _, err := thread.Start(ctx, start("next", "value")); err != nil {
			checkRefused(t, err)
			checkState(t, thread, string(saved))
		}
	})
}

// checkRefused fails the test if a call failed for another reason than what it
// was asked.
func checkRefused(t *testing.T, err error) {
	t.Helper()
	if refused, ok := err.(*abi.Error); !ok || refused.Kind == abi.Internal {
		t.Fatalf("got %v, want a refusal", err)
	}
}

// FuzzTypedCalls makes typed calls with any strings, numbers and carried JSON. What
// the module is asked is what encoding/json makes of the same request, and none
// of it makes the module fail.
func FuzzTypedCalls(f *testing.F) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(11, seed))
		entry := random.Entry(r)
		f.Add(random.Text(r), entry.Value, string(entry.Kind), "text", []byte(`{}`), int(seed)*7, random.Policy(r, nil))
	}
	f.Add("\xff", "\xed\xa0\x80", "", "other", []byte(`{},"policy":{}`), -1, []byte(`{}`))
	m := openBuiltIn(f)
	f.Fuzz(func(t *testing.T, key, value, kind, piece string, carried []byte, number int, policyText []byte) {
		policy := new(abi.Policy)
		if json.Unmarshal(policyText, policy) != nil {
			policy = &abi.Policy{MaxValueTokens: &number, Wrapper: abi.Wrapper(kind)}
		}
		policy.Keys = map[string]abi.KeyPolicy{key: {MaxValueTokens: &number, Priority: number, Truncation: abi.Truncation(kind)}}
		entries := map[string]abi.Entry{key: {Value: value, Kind: abi.Kind(kind)}, value: {Removed: number%2 == 0, Kind: abi.Untrusted}}
		input := []abi.UserInput{{Type: abi.UserInputType(piece), Text: value, URL: value, Path: key, Name: value, Detail: kind}}
		hook := &abi.PromptHook{Blocked: number%3 == 0, Contexts: []string{value, key}}
		state := abi.State(fakeState)
		for _, request := range []any{
			abi.MergeRequest{Store: carried, AdditionalContext: entries, Policy: policy},
			abi.TurnStartRequest{State: carried, TurnID: key, Params: abi.TurnStartParams{ThreadID: value, Input: input, AdditionalContext: entries}, PromptHook: hook, Policy: policy},
			abi.TurnStartRequest{State: state, TurnID: key, Params: abi.TurnStartParams{Raw: carried}},
			abi.TurnSteerRequest{State: state, Params: abi.TurnSteerParams{ThreadID: "fake", ExpectedTurnID: key, Input: input, AdditionalContext: entries}, PromptHook: hook, Policy: policy},
			abi.TurnSetRequest{State: state, ActiveTurn: &abi.ActiveTurn{ID: key, Kind: abi.TurnKind(kind)}, IfTurnID: &value},
			abi.ReconcileRequest{Store: carried, History: carried, Policy: policy},
			abi.ClassifyRequest{Items: carried, Store: carried, Policy: policy},
			abi.GuidanceRequest{Policy: policy},
		} {
			tryTyped(t, m, request)
		}
	})
}

// tryTyped makes one call, as a typed one and by hand.
func tryTyped(t *testing.T, m *Module, request any) {
	t.Helper()
	function, response, err := callTyped(t.Context(), m, request)
	if err != nil {
		checkRefused(t, err)
	}
	text, marshalErr := json.Marshal(request)
	if marshalErr != nil {
		// What encoding/json cannot write is not JSON, or of a type nobody knows.
		if err == nil {
			t.Fatalf("%s: accepted, though encoding/json says %v", function, marshalErr)
		}
		return
	}
	if written, writeErr := writeRequest(t, request); writeErr != nil || !utf8.Valid(written) {
		return // encoding/json puts U+FFFD for what is no text; the module refuses it
	}
	answer, handErr := m.Call(t.Context(), function, text)
	if handErr != nil {
		checkRefused(t, handErr)
	}
	if (err == nil) != (handErr == nil) {
		t.Fatalf("%s: got %v, by hand %v, for %s", function, err, handErr, text)
	}
	if err != nil {
		got, want := err.(*abi.Error), handErr.(*abi.Error)
		if got.Kind != want.Kind || got.Message != want.Message {
			t.Fatalf("%s: got %v, by hand %v, for %s", function, err, handErr, text)
		}
		return
	}
	want := reflect.New(reflect.TypeOf(response).Elem())
	if err := json.Unmarshal(answer, want.Interface()); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(response, want.Interface()) {
		t.Fatalf("%s: got %+v, by hand %s", function, response, answer)
	}
}

// callTyped makes the call that a request is for.
func callTyped(ctx context.Context, m *Module, request any) (function string, response any, err error) {
	switch request := request.(type) {
	case abi.MergeRequest:
		response, err = m.Merge(ctx, request)
		return abi.FunctionMerge, response, err
	case abi.TurnStartRequest:
		response, err = m.TurnStart(ctx, request)
		return abi.FunctionTurnStart, response, err
	case abi.TurnSteerRequest:
		response, err = m.TurnSteer(ctx, request)
		return abi.FunctionTurnSteer, response, err
	case abi.TurnSetRequest:
		response, err = m.TurnSet(ctx, request)
		return abi.FunctionTurnSet, response, err
	case abi.ReconcileRequest:
		response, err = m.Reconcile(ctx, request)
		return abi.FunctionReconcile, response, err
	case abi.ClassifyRequest:
		response, err = m.Classify(ctx, request)
		return abi.FunctionClassify, response, err
	case abi.GuidanceRequest:
		response, err = m.Guidance(ctx, request)
		return abi.FunctionGuidance, response, err
	}
	return "", nil, errors.New("a request of another type")
}

// FuzzAnswer reads any bytes as a module's answer. They are an answer, a
// refusal or malformed, and never more than that.
func FuzzAnswer(f *testing.F) {
	for _, answer := range []string{emptyAnswer, turnAnswer, setAnswer, againAnswer, itemsAnswer, guidanceAnswer, refusedAnswer, internalAnswer, ``, `{`,
		`{"store":{`, `{"state":{"a":"\`, `{"error":`, `{"error":{"kind":1}}`, `{"store":{"]},"inputs":[],"receipts":[]}`, `{"items":[{"hidden":true,"key":"a"}]}`} {
		f.Add([]byte(answer))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		_ = refusal(answer)
		if readMerge(answer, forecast{}, new(abi.MergeResponse)) == nil && readTurn(answer, forecast{}, new(abi.TurnResponse)) == nil {
			t.Error("an answer to merge is one to turn_start")
		}
		_ = readSet(answer, nil, new(abi.TurnSetResponse))
		_ = readReconcile(answer, nil, new(abi.ReconcileResponse))
		_ = readClassify(answer, nil, new(abi.ClassifyResponse))
		_ = readGuidance(answer, nil, new(abi.GuidanceResponse))
		_ = readDescription(answer, nil, new(abi.Description))
		if state, err := readThreadState(abi.FunctionTurnSet, answer); err == nil && !bytes.Equal(state.text, answer) {
			t.Error("the state is another one")
		}
	})
}
