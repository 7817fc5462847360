package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

func TestMergeRequest(t *testing.T) {
	t.Parallel()
	cases := []struct {
		request abi.MergeRequest
		want    string
	}{
		{abi.MergeRequest{}, `{}`},
		{abi.MergeRequest{Store: abi.Store{}, AdditionalContext: map[string]abi.Entry{}}, `{"additionalContext":{}}`},
		{abi.MergeRequest{Store: abi.Store(`null`)}, `{"store":null}`},
		{abi.MergeRequest{Store: abi.Store(" { } \n")}, "{\"store\": { } \n}"},
		{abi.MergeRequest{AdditionalContext: map[string]abi.Entry{"": {}}},
			`{"additionalContext":{"":{"value":"","kind":""}}}`},
		{abi.MergeRequest{AdditionalContext: map[string]abi.Entry{"b": {Value: "lost", Removed: true}, "a": {Removed: true}}},
			`{"additionalContext":{"a":null,"b":null}}`},
		{abi.MergeRequest{
			Store: abi.Store(`{"z":1}`),
			AdditionalContext: map[string]abi.Entry{
				"é":  {Value: "<b>&", Kind: abi.Untrusted},
				"z":  {Value: "\xff", Kind: "other\n"},
				"ab": {Value: "1\n2", Kind: abi.Application},
			},
		}, `{"store":{"z":1},"additionalContext":{"ab":{"value":"1\n2","kind":"application"},` +
			"\"z\":{\"value\":\"\xff\",\"kind\":\"other\\n\"}," + `"é":{"value":"<b>&","kind":"untrusted"}}}`},
	}
	for _, c := range cases {
		text, err := appendMergeRequest(nil, c.request, new(sentContext))
		if err != nil {
			t.Error(err)
		}
		if string(text) != c.want {
			t.Errorf("got  %s\nwant %s", text, c.want)
		}
	}
}

func TestStoreBringsNoMembers(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	for store, offset := range map[string]string{
		`{},"policy":{}`: `{"offset":11}`,
		`{}}`:            `{"offset":11}`,
		`{"a":"`:         `{"offset":15}`,
		`[`:              `{"offset":10}`,
	} {
		_, err := m.Merge(t.Context(), abi.MergeRequest{Store: abi.Store(store)})
		refused, ok := errors.AsType[*abi.Error](err)
		if !ok || refused.Kind != abi.InvalidJSON || refused.Code != abi.CodeInvalidJSON || string(refused.Data) != offset {
			t.Errorf("%s: got %#v, want invalid_json with %s", store, err, offset)
		}
	}
}

// The offsets of the errors that this package finds are those of the module.
func TestMalformedStoreHasTheModulesOffset(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	for _, store := range []string{`{}}`, `{"a":"`, `[`, `{"a":1]`, `{} x`, ` `} {
		_, err := m.Merge(t.Context(), abi.MergeRequest{Store: abi.Store(store)})
		refused, ok := errors.AsType[*abi.Error](err)
		if !ok || refused.Kind != abi.InvalidJSON {
			t.Errorf("%q: got %v, want an abi.Error of kind invalid_json", store, err)
		}
	}
	for store, text := range map[string]string{`{"a":"`: `{"store":{"a":"`, `[`: `{"store":[`} {
		_, typed := m.Merge(t.Context(), abi.MergeRequest{Store: abi.Store(store)})
		_, raw := m.Call(t.Context(), abi.FunctionMerge, []byte(text))
		a, isA := errors.AsType[*abi.Error](typed)
		b, isB := errors.AsType[*abi.Error](raw)
		if !isA || !isB || string(a.Data) != string(b.Data) {
			t.Errorf("%q: this package says %v, the module %v", store, typed, raw)
		}
	}
}

func TestReadMerge(t *testing.T) {
	t.Parallel()
	const answer = `{"store":{"k\"":{"value":"}\\","kind":"untrusted"}},` +
		`"inputs":[{"source":"additionalContext","key":"k\"","kind":"untrusted","hidden":true,` +
		`"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"],\"receipts\":"}]}}],` +
		`"receipts":[{"key":"k\"","kind":"untrusted","change":"changed","tokens":9,` +
		`"truncated":{"originalTokens":5,"removedTokens":2},"warnings":["key_has_gt"]}]}`
	text := []byte(answer)
	var response abi.MergeResponse
	if err := readMerge(text, forecast{}, &response); err != nil {
		t.Fatal(err)
	}
	clear(text) // the response must not look into it
	var want abi.MergeResponse
	if err := json.Unmarshal([]byte(answer), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(response, want) {
		t.Errorf("got  %+v\nwant %+v", response, want)
	}
	for cut := range len(answer) {
		if err := readMerge([]byte(answer[:cut]), forecast{}, &response); err == nil {
			t.Errorf("%s was accepted", answer[:cut])
		}
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	requests := []abi.MergeRequest{
		{},
		{AdditionalContext: map[string]abi.Entry{
			"ci":   {Value: "ok <&> \" \\ \n\t\x01 日本語 🙂", Kind: abi.Untrusted},
			"rule": {Value: strings.Repeat("long ", 2000), Kind: abi.Application},
		}},
		{AdditionalContext: map[string]abi.Entry{"ci": {Value: "failed", Kind: abi.Untrusted}, "": {Kind: abi.Application}}},
		{AdditionalContext: map[string]abi.Entry{"a>b": {Value: "</external_a>b>", Kind: abi.Untrusted}}},
		{},
	}
	var store abi.Store
	for i, request := range requests {
		request.Store = store
		response, err := m.Merge(t.Context(), request)
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		text, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := m.Call(t.Context(), abi.FunctionMerge, text)
		if err != nil {
			t.Fatal(err)
		}
		want := new(abi.MergeResponse)
		if err := json.Unmarshal(answer, want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(response, want) {
			t.Errorf("step %d: got  %+v\nwant %+v", i, response, want)
		}
		if len(request.AdditionalContext) == 0 && string(response.Store) != "{}" {
			t.Errorf("step %d: the store is %s", i, response.Store)
		}
		store = response.Store
	}
}

// The module sees what a caller sends, and names it by its path.
func TestMergeCarriesBadStrings(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	for _, c := range []struct {
		entry abi.Entry
		kind  abi.ErrorKind
	}{
		{abi.Entry{Value: "a\xffb", Kind: abi.Untrusted}, abi.InvalidJSON},
		{abi.Entry{Value: "\xed\xa0\x80", Kind: abi.Untrusted}, abi.InvalidJSON},
		{abi.Entry{Value: "a", Kind: "foo"}, abi.InvalidParams},
	} {
		_, err := m.Merge(t.Context(), abi.MergeRequest{AdditionalContext: map[string]abi.Entry{"k": c.entry}})
		refused, ok := errors.AsType[*abi.Error](err)
		if !ok || refused.Kind != c.kind || !bytes.Contains(refused.Data, []byte(`"offset":`)) {
			t.Errorf("%+q: got %v, want an abi.Error of kind %s with an offset", c.entry.Value, err, c.kind)
		}
		if c.kind == abi.InvalidParams && !bytes.Contains(refused.Data, []byte(`"additionalContext.k.kind"`)) {
			t.Errorf("got %s", refused.Data)
		}
	}
}

func TestMergeTooLarge(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	entry := abi.Entry{Value: strings.Repeat("x", abi.MaxRequestBytes), Kind: abi.Untrusted}
	_, err := m.Merge(t.Context(), abi.MergeRequest{AdditionalContext: map[string]abi.Entry{"k": entry}})
	if refused, ok := errors.AsType[*abi.Error](err); !ok || refused.Kind != abi.RequestTooLarge {
		t.Errorf("got %v, want an abi.Error of kind request_too_large", err)
	}
}
