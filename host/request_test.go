package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

// everyPiece has one piece of user input of each type.
var everyPiece = []abi.UserInput{
	{Type: abi.TextInput, Text: "hello \"<b>&\" \n"},
	{Type: abi.TextInput},
	{Type: abi.ImageInput, URL: "https://example.com/a.png"},
	{Type: abi.ImageInput, URL: "u", Detail: "original"},
	{Type: abi.LocalImageInput, Path: "a/b.png"},
	{Type: abi.LocalImageInput, Path: "é", Detail: "high"},
	{Type: abi.SkillInput, Name: "s", Path: "p"},
	{Type: abi.MentionInput},
}

// fullRequests are requests with everything in them, and with nothing.
func fullRequests() []any {
	entries := map[string]abi.Entry{
		"b": {Value: "2\\", Kind: abi.Application}, "": {Value: "日本", Kind: abi.Untrusted}, "é": {Value: "3", Kind: abi.Untrusted},
	}
	hook := &abi.PromptHook{Blocked: true, Contexts: []string{"one", "\t\x01"}}
	policy := &abi.Policy{ExperimentalAPI: new(false)}
	patch := map[string]abi.Entry{"gone": {Removed: true}, "b": {Value: "2", Kind: abi.Application}}
	start := abi.TurnStartParams{ThreadID: "thread", Input: everyPiece, AdditionalContext: entries}
	steer := abi.TurnSteerParams{ThreadID: "thread", ExpectedTurnID: "turn", Input: everyPiece, AdditionalContext: entries}
	none := map[string]abi.Entry{}
	return []any{
		abi.MergeRequest{},
		abi.MergeRequest{AdditionalContext: none, Policy: &abi.Policy{}},
		abi.MergeRequest{Store: abi.Store(`{"a":{}}`), AdditionalContext: entries, Policy: policy},
		abi.TurnStartRequest{},
		abi.TurnStartRequest{Params: abi.TurnStartParams{AdditionalContext: none}, PromptHook: &abi.PromptHook{}, Policy: &abi.Policy{}},
		abi.TurnStartRequest{State: abi.State(fakeState), TurnID: "new", Params: start, PromptHook: hook, Policy: policy},
		abi.TurnStartRequest{TurnID: "new", Params: abi.TurnStartParams{ThreadID: "not sent", Raw: json.RawMessage(`{"raw":[1]}`)}, Policy: policy},
		abi.TurnSteerRequest{},
		abi.TurnSteerRequest{Params: abi.TurnSteerParams{AdditionalContext: none}, PromptHook: &abi.PromptHook{}, Policy: &abi.Policy{}},
		abi.TurnSteerRequest{State: abi.State(fakeState), Params: steer, PromptHook: hook, Policy: policy},
		abi.TurnSteerRequest{Params: abi.TurnSteerParams{ThreadID: "not sent", Raw: json.RawMessage(`{"raw":[1]}`)}, PromptHook: hook},
		abi.TurnSetRequest{},
		abi.TurnSetRequest{State: abi.State(fakeState), ActiveTurn: &abi.ActiveTurn{ID: "r", Kind: abi.ReviewTurn}, IfTurnID: new("")},
		abi.MergeRequest{AdditionalContext: patch, Policy: &fullPolicy},
		abi.TurnStartRequest{Params: abi.TurnStartParams{AdditionalContext: patch}, Policy: &fullPolicy},
		abi.TurnSteerRequest{Params: abi.TurnSteerParams{AdditionalContext: patch}, Policy: &fullPolicy},
		abi.ReconcileRequest{},
		abi.ReconcileRequest{State: abi.State(fakeState), History: abi.Items(`[{"type":"x","n":1.50}]`), Policy: &fullPolicy},
		abi.ReconcileRequest{Store: abi.Store(`{}`), History: abi.Items(`[]`), Policy: &abi.Policy{}},
		abi.ClassifyRequest{},
		abi.ClassifyRequest{Items: abi.Items(`[{},{"role":"user"}]`), Store: abi.Store(`{}`), Policy: &fullPolicy},
		abi.GuidanceRequest{},
		abi.GuidanceRequest{Policy: &fullPolicy},
	}
}

// fullPolicy has every field set, and the longest words.
var fullPolicy = abi.Policy{
	Preset: abi.PresetReference, MaxValueTokens: new(math.MinInt), MaxTotalTokens: new(math.MinInt),
	Keys: map[string]abi.KeyPolicy{
		"":     {},
		"key":  {MaxValueTokens: new(math.MinInt), Truncation: abi.KeepEnds, Priority: math.MinInt},
		"zero": {MaxValueTokens: new(0)},
	},
	Truncation: abi.KeepEnds, StrictBudget: new(false), Tokenizer: abi.CL100kBase, Wrapper: abi.WrapAttribute,
	ControlCharacters: abi.StripControls, Updates: abi.ReplaceUpdates, Removals: abi.AnnounceRemovals,
	SteerContextOnly: true, ExperimentalAPI: new(false),
}

// writeRequest writes a request of any type.
func writeRequest(t testing.TB, request any) ([]byte, error) {
	t.Helper()
	switch request := request.(type) {
	case abi.MergeRequest:
		return appendMergeRequest(nil, request, new(sentContext))
	case abi.TurnStartRequest:
		return appendStartRequest(nil, request, new(sentContext))
	case abi.TurnSteerRequest:
		return appendSteerRequest(nil, request, new(sentContext))
	case abi.TurnSetRequest:
		return appendSetRequest(nil, request)
	case abi.ReconcileRequest:
		return appendReconcileRequest(nil, request)
	case abi.ClassifyRequest:
		return appendClassifyRequest(nil, request)
	case abi.GuidanceRequest:
		return appendGuidanceRequest(nil, request), nil
	}
	t.Fatalf("there is no request of type %T", request)
	return nil, nil
}

// decoded returns what JSON says.
func decoded(t testing.TB, text []byte) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}

// Of what JSON can express, a request says what the types of package abi say by
// themselves.
func TestRequestsSayWhatTheirTypesSay(t *testing.T) {
	t.Parallel()
	for _, request := range fullRequests() {
		text, err := writeRequest(t, request)
		if err != nil {
			t.Fatal(err)
		}
		marshalled, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(decoded(t, text), decoded(t, marshalled)) {
			t.Errorf("got  %s\nwant %s", text, marshalled)
		}
	}
}

func TestTurnRequests(t *testing.T) {
	t.Parallel()
	entries := map[string]abi.Entry{"b": {Value: "2"}, "a": {Value: "1\n", Kind: abi.Untrusted}}
	hook := &abi.PromptHook{Contexts: []string{"one", "two"}}
	for _, c := range []struct {
		request any
		want    string
	}{
		{abi.TurnStartRequest{}, `{"turnId":"","params":{"threadId":"","input":[]}}`},
		{abi.TurnStartRequest{
			State: abi.State(` { } `), TurnID: "1",
			Params: abi.TurnStartParams{
				ThreadID: "t\xff", Input: []abi.UserInput{{Type: abi.TextInput, Text: "<b>"}, {Type: "other", Text: "lost"}},
				AdditionalContext: entries,
			},
			PromptHook: hook, Policy: &abi.Policy{ExperimentalAPI: new(true)},
		}, `{"state": { } ,"turnId":"1","params":{"threadId":"t` + "\xff" + `","input":[{"type":"text","text":"<b>"},{"type":"other"}],` +
			`"additionalContext":{"a":{"value":"1\n","kind":"untrusted"},"b":{"value":"2","kind":""}}},` +
			`"promptHook":{"blocked":false,"contexts":["one","two"]},"policy":{"experimentalApi":true}}`},
		{abi.TurnStartRequest{Params: abi.TurnStartParams{Raw: json.RawMessage(" null\n"), Input: everyPiece}}, "{\"turnId\":\"\",\"params\": null\n}"},
		{abi.TurnSteerRequest{Params: abi.TurnSteerParams{ExpectedTurnID: "\"", AdditionalContext: map[string]abi.Entry{}}},
			`{"params":{"threadId":"","expectedTurnId":"\"","input":[],"additionalContext":{}}}`},
		{abi.TurnSetRequest{}, `{"activeTurn":null}`},
		{abi.TurnSetRequest{State: abi.State(`1`), ActiveTurn: &abi.ActiveTurn{ID: "x", Kind: "y"}, IfTurnID: new("z")},
			`{"state":1,"activeTurn":{"id":"x","kind":"y"},"ifTurnId":"z"}`},
		{abi.MergeRequest{Policy: &abi.Policy{
			Preset: abi.PresetSafe, MaxValueTokens: new(0), Keys: map[string]abi.KeyPolicy{"é": {}, "a\"": {MaxValueTokens: new(7), Priority: -1}},
			StrictBudget: new(true), Removals: "\n",
		}}, `{"policy":{"preset":"safe","maxValueTokens":0,"keys":{"a\"":{"maxValueTokens":7,"priority":-1},"é":{}},` +
			`"strictBudget":true,"removals":"\n"}}`},
		{abi.ReconcileRequest{}, `{}`},
		{abi.ReconcileRequest{State: abi.State(`1`), Store: abi.Store(` 2`), History: abi.Items("[ 1.0 ]\n")},
			"{\"state\":1,\"store\": 2,\"history\":[ 1.0 ]\n}"},
		{abi.ClassifyRequest{Items: abi.Items(`[{"n":1E2}]`), Store: abi.Store(`{}`)}, `{"items":[{"n":1E2}],"store":{}}`},
		{abi.GuidanceRequest{}, `{}`},
		{abi.GuidanceRequest{Policy: &abi.Policy{Wrapper: abi.WrapAttribute}}, `{"policy":{"wrapper":"attribute"}}`},
	} {
		text, err := writeRequest(t, c.request)
		if err != nil || string(text) != c.want {
			t.Errorf("got  %s, %v\nwant %s", text, err, c.want)
		}
	}
}

// What a caller has as JSON brings no members of its own.
func TestCarriedBringsNoMembers(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	ctx := t.Context()
	for value, end := range map[string]int{`{},"policy":{}`: 2, `{}}`: 2, `{"a":"`: 6, `[`: 1, `"policy":{}`: 8} {
		carried := json.RawMessage(value)
		for prefix, call := range map[string]func() error{
			`{"state":`: func() error {
				_, err := m.TurnStart(ctx, abi.TurnStartRequest{State: carried, Params: abi.TurnStartParams{Raw: carried}})
				return err
			},
			`{"turnId":"12","params":`: func() error {
				_, err := m.TurnStart(ctx, abi.TurnStartRequest{TurnID: "12", Params: abi.TurnStartParams{Raw: carried}})
				return err
			},
			`{"state": `: func() error {
				_, err := m.TurnSteer(ctx, abi.TurnSteerRequest{State: append(abi.State{' '}, value...)})
				return err
			},
			`{"state":{},"params":`: func() error {
				_, err := m.TurnSteer(ctx, abi.TurnSteerRequest{State: abi.State(`{}`), Params: abi.TurnSteerParams{Raw: carried}})
				return err
			},
			`{"state":  `: func() error {
				_, err := m.TurnSet(ctx, abi.TurnSetRequest{State: append(abi.State{' ', ' '}, value...)})
				return err
			},
			`{"state":   `: func() error {
				_, err := m.Reconcile(ctx, abi.ReconcileRequest{State: append(abi.State("   "), value...)})
				return err
			},
			`{"store":`: func() error {
				_, err := m.Reconcile(ctx, abi.ReconcileRequest{Store: carried})
				return err
			},
			`{"store":{},"history":`: func() error {
				_, err := m.Reconcile(ctx, abi.ReconcileRequest{Store: abi.Store(`{}`), History: carried})
				return err
			},
			`{"items":`: func() error {
				_, err := m.Classify(ctx, abi.ClassifyRequest{Items: carried})
				return err
			},
			`{"items":[],"store":`: func() error {
				_, err := m.Classify(ctx, abi.ClassifyRequest{Items: abi.Items(`[]`), Store: carried})
				return err
			},
		} {
			err := call()
			refused, ok := errors.AsType[*abi.Error](err)
			if !ok || refused.Kind != abi.InvalidJSON || refused.Code != abi.CodeInvalidJSON || offset(t, refused) != len(prefix)+end {
				t.Errorf("%s%s: got %v, want invalid_json at %d", prefix, value, err, len(prefix)+end)
			}
		}
	}
}

// offset returns where a request is wrong, in bytes.
func offset(t testing.TB, refused *abi.Error) int {
	t.Helper()
	var data struct{ Offset *int }
	if err := json.Unmarshal(refused.Data, &data); err != nil || data.Offset == nil {
		t.Fatalf("%v has the data %s", refused, refused.Data)
	}
	return *data.Offset
}

// Params that are there but empty are not JSON, and not the other fields.
func TestEmptyRawParams(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	_, err := m.TurnStart(t.Context(), abi.TurnStartRequest{
		TurnID: "1", Params: abi.TurnStartParams{ThreadID: "t", Raw: json.RawMessage{}}, Policy: &abi.Policy{},
	})
	if refused, ok := errors.AsType[*abi.Error](err); !ok || refused.Kind != abi.InvalidJSON {
		t.Errorf("got %v, want an abi.Error of kind invalid_json", err)
	}
}

// Whatever is carried, it brings nothing else into the request: where the
// request is JSON, what is carried is.
func FuzzCarriedBringsNoMembers(f *testing.F) {
	for _, value := range []string{
		`{}`, `{"a":{"value":"\"}","kind":"untrusted"}}`, `{},"policy":{}`, `null,"x":1`, `{}}`, `{"a":`, `"`, `1`, ` `,
		`{},"additionalContext":{"b":{"value":"","kind":"application"}}`, `{"":"\\"`, `[{]}`, `}{`, `{}{}`, `{"x":{"`, `\"`,
	} {
		f.Add([]byte(value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		entries := map[string]abi.Entry{"k": {Value: "v\"}", Kind: abi.Untrusted}}
		for _, request := range []any{
			abi.MergeRequest{Store: value},
			abi.MergeRequest{Store: value, AdditionalContext: entries},
			abi.TurnStartRequest{State: value},
			abi.TurnStartRequest{Params: abi.TurnStartParams{Raw: value}},
			abi.TurnStartRequest{Params: abi.TurnStartParams{Raw: value}, PromptHook: &abi.PromptHook{}},
			abi.TurnSteerRequest{State: value},
			abi.TurnSteerRequest{Params: abi.TurnSteerParams{Raw: value}},
			abi.TurnSetRequest{State: value},
			abi.ReconcileRequest{State: value},
			abi.ReconcileRequest{Store: value},
			abi.ReconcileRequest{History: value, Policy: &abi.Policy{}},
			abi.ClassifyRequest{Items: value},
			abi.ClassifyRequest{Store: value},
		} {
			text, err := writeRequest(t, request)
			switch {
			case err != nil && json.Valid(value):
				t.Errorf("%T: a JSON value was refused: %v", request, err)
			case err == nil && len(value) > 0 && json.Valid(text) && !json.Valid(value):
				t.Errorf("%T: the request is JSON, what is carried is not: %s", request, text)
			}
		}
	})
}

// Entries are written in the order of what is stored as they are without, where
// that has their keys in order, and where it has not.
func TestAppendInStoredOrder(t *testing.T) {
	entries := map[string]abi.Entry{}
	for i := range manyKeys {
		entries[fmt.Sprint("key_", i)] = abi.Entry{Value: fmt.Sprint("value ", i), Kind: abi.Untrusted}
	}
	same := appendEntries(nil, entries, new(sentContext))
	first, _, _ := bytes.Cut(same[1:], []byte(`,"key_1"`))
	for _, c := range []struct {
		name    string
		store   []byte
		ordered bool
		changed int
	}{
		{"the same", same, true, 0},
		{"other values", bytes.ReplaceAll(same, []byte("value 9"), []byte("old 9")), true, 111},
		{"keys that are gone", slices.Concat([]byte(`{"a":{"value":"gone"},`), same[1:]), true, 0},
		{"a key too few", slices.Concat([]byte(`{`), same[len(first)+2:]), false, 0},
		{"a key that comes late", slices.Concat([]byte(`{`), same[len(first)+2:len(same)-1], []byte(`,`), first, []byte(`}`)), false, 0},
		{"a key twice", slices.Concat([]byte(`{`), first, []byte(`,`), same[1:]), false, 0},
		{"escapes", bytes.Replace(same, []byte(`key_1"`), []byte(`key\u005f1"`), 1), false, 0},
		{"spaces", bytes.Replace(same, []byte(`,"key_1"`), []byte(`, "key_1"`), 1), false, 0},
		{"half of it", same[:len(same)/2], false, 0},
		{"an array", []byte(`["key_0"]`), false, 0},
		{"null", []byte(`null`), false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			merge := sentContext{told: follow(c.store)}
			checkStoredOrder(t, nil, same, entries, &merge, c.ordered, c.changed)
			if c.ordered {
				if end, whole := merge.told.end(); end != len(c.store) || !whole {
					t.Errorf("the store of %d bytes ends at %d, %t", len(c.store), end, whole)
				}
			}
			state := slices.Concat([]byte(`{"state":{"version":1,"threadId":"t","activeTurn":null,`), []byte(contextName), c.store, []byte(`}`))
			checkStoredOrder(t, state, same, entries, new(sentContext), c.ordered, c.changed)
		})
	}
}

func checkStoredOrder(t *testing.T, before, want []byte, entries map[string]abi.Entry, context *sentContext, ordered bool, changed int) {
	t.Helper()
	told := context.told
	_, ok := appendInStoredOrder(before, entries, context)
	if ok != ordered || context.changed != changed {
		t.Errorf("in order: %t, %d changed", ok, context.changed)
	}
	if !ordered && context.told.at != told.at {
		t.Error("the store was passed")
	}
	again := sentContext{told: told}
	if got := appendEntries(before, entries, &again); !bytes.Equal(got, slices.Concat(before, want)) {
		t.Errorf("got %.200s, want %.200s", got, want)
	}
}
