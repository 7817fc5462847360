package model_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/conform"
	"github.com/turncontext/turncontext/internal/model"
)

// load reads the repository's vectors, once.
var load = sync.OnceValues(func() ([]conform.File, error) {
	return conform.Load("../../testdata/vectors")
})

// vectors returns the files of a kind; there has to be one.
func vectors(t *testing.T, kind conform.Kind) []conform.File {
	t.Helper()
	files, err := load()
	if err != nil {
		t.Fatal(err)
	}
	var found []conform.File
	for _, file := range files {
		if file.Kind == kind {
			found = append(found, file)
		}
	}
	if found == nil {
		t.Fatalf("no vectors of kind %q", kind)
	}
	return found
}

func TestTruncateVectors(t *testing.T) {
	for _, file := range vectors(t, conform.KindTruncate) {
		for _, v := range file.Truncate {
			text, truncated := model.Truncate(v.Value, v.MaxTokens)
			if text != v.Text {
				t.Errorf("%s: got %q, want %q", v.Name, text, v.Text)
			}
			var original *int
			if truncated != nil {
				original = &truncated.OriginalTokens
			}
			if !reflect.DeepEqual(original, v.OriginalTokens) {
				t.Errorf("%s: truncated is %+v, want the original tokens %v", v.Name, truncated, v.OriginalTokens)
			}
		}
	}
}

func TestMergeVectors(t *testing.T) {
	for _, file := range vectors(t, conform.KindMerge) {
		for _, v := range file.Merge {
			store := map[string]abi.Entry{}
			for i, step := range v.Steps {
				sent := map[string]abi.Entry{}
				if err := json.Unmarshal(step.AdditionalContext, &sent); err != nil {
					t.Fatal(err)
				}
				told := []conform.MergeInput{}
				for _, input := range model.Merge(store, sent, model.DefaultPolicy()).Inputs {
					told = append(told, conform.MergeInput{Role: input.Item.Role, Text: input.Item.Content[0].Text})
				}
				if !reflect.DeepEqual(told, step.Inputs) {
					t.Errorf("%s, step %d: got %q, want %q", v.Name, i, told, step.Inputs)
				}
				store = sent
			}
		}
	}
}

func TestClassifyVectors(t *testing.T) {
	for _, file := range vectors(t, conform.KindClassify) {
		for _, v := range file.Classify {
			if got := model.Hidden(v.Text); got != v.Hidden {
				t.Errorf("%q: hidden %t, want %t", v.Text, got, v.Hidden)
			}
		}
	}
}

func TestWireVectors(t *testing.T) {
	for _, file := range vectors(t, conform.KindWire) {
		for _, v := range file.Wire {
			answer, err := model.Answer([]byte(v.Params))
			if !v.OK {
				if err == nil && !strings.HasPrefix(string(answer), `{"error":`) {
					t.Errorf("%s: answered %s", v.Params, answer)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", v.Params, err)
				continue
			}
			var got struct{ Store map[string]abi.Entry }
			want := map[string]abi.Entry{}
			if err := json.Unmarshal(v.Entries, &want); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(answer, &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Store) != len(want) || len(want) > 0 && !reflect.DeepEqual(got.Store, want) {
				t.Errorf("%s: read %v, want %v", v.Params, got.Store, want)
			}
		}
	}
}

// TestCallsVectors holds every call in the vectors to the model, but for what
// is refused before it is read as JSON, what is nearly too large, describe, and
// the text of guidance.
func TestCallsVectors(t *testing.T) {
	for _, file := range vectors(t, conform.KindCalls) {
		var calls []conform.CallsVector
		for _, v := range file.Calls {
			v.Calls = slices.DeleteFunc(slices.Clone(v.Calls), func(c conform.CallStep) bool { return !modelled(c) })
			if len(v.Calls) > 0 {
				calls = append(calls, v)
			}
		}
		if calls == nil {
			continue
		}
		file.Calls = calls
		result := conform.Run([]conform.File{file}, func(function string, request []byte) ([]byte, error) {
			if function == abi.FunctionDescribe {
				return []byte(`{"functions":["classify","guidance","merge","reconcile","turn_set","turn_start","turn_steer"]}`), nil
			}
			return model.Call(function, request)
		})
		if result.Passed != len(calls) {
			t.Error(result)
		}
	}
}

// modelled reports whether the model knows what is expected of a call.
func modelled(c conform.CallStep) bool {
	if c.Function == abi.FunctionDescribe || c.Function == "guidance" && c.Error == nil {
		return false
	}
	if c.Error != nil && (c.Error.Kind == string(abi.InvalidJSON) || c.Error.Kind == string(abi.RequestTooLarge)) {
		return false
	}
	return len(c.Request.Bytes()) < abi.MaxRequestBytes // of the size the model knows nothing
}

// The model says of nothing that is not JSON what is wrong with it.
func TestCallRefuses(t *testing.T) {
	for _, request := range []string{``, `{`, `{} {}`, `{"a":01}`, "{\"a\":\"\xff\"}", `"\ud800"`, `"\udc00"`, `"\\\ud800\u0041"`, `"\ud83d\ude42\ud83d\\ude42"`} {
		for _, function := range abi.Functions() {
			if answer, err := model.Call(function, []byte(request)); err == nil {
				t.Errorf("%s: %q: answered %s", function, request, answer)
			}
		}
	}
	if answer, err := model.Call("advice", []byte(`{}`)); err == nil {
		t.Errorf("an unknown function answered %s", answer)
	}
}

func TestSame(t *testing.T) {
	const (
		params   = `{"error":{"kind":"invalid_params","code":-32602,"message":"a: m","data":{"path":"a","offset":1}}}`
		expected = `{"error":{"kind":"invalid_request","code":-32600,"message":"expectedTurnId must not be empty"}}`
		shape    = `{"error":{"kind":"invalid_request","code":-32600,"message":"m"}}`
		newer    = `{"error":{"kind":"unsupported","code":-32602,"message":"m"}}`
		empty    = `{"error":{"kind":"empty_input","code":-32600,"message":"input must not be empty"}}`
		answer   = `{"state":{}}`
	)
	for _, test := range []struct {
		model, module string
		want          bool
	}{
		{params, params, true}, {expected, expected, true}, {shape, shape, true}, {newer, newer, true}, {empty, empty, true}, {answer, answer, true},
		{params, strings.Replace(params, "m\"", "n\"", 1), true}, {shape, strings.Replace(shape, `"m"`, `"n"`, 1), true}, {newer, strings.Replace(newer, `"m"`, `"n"`, 1), true},
		{params, strings.Replace(params, "a: m", "", 1), false}, {params, strings.Replace(params, "1}", "2}", 1), false}, {params, strings.Replace(params, `"path":"a"`, `"path":"b"`, 1), false},
		{params, strings.Replace(params, "-32602", "-32600", 1), false}, {params, strings.Replace(params, "a: m", "b", 1) + " ", true}, {params, answer, false}, {answer, params, false},
		{params, strings.Replace(params, `}}`, `},"x":1}`, 1), false}, {params, strings.Replace(params, `}}}`, `}},"state":{}}`, 1), false},
		{expected, strings.Replace(expected, "must", "may", 1), false}, {empty, strings.Replace(empty, "must", "may", 1), false}, {answer, `{"state": {}}`, false}, {shape, newer, false}, {shape, "", false},
	} {
		if got := model.Same([]byte(test.model), []byte(test.module)); got != test.want {
			t.Errorf("%s and %s: got %t", test.model, test.module, got)
		}
	}
}

// TestAnswer is one answer written by hand from the specification.
func TestAnswer(t *testing.T) {
	const request = `{"store":{"b":{"value":"x","kind":"application"},"c":{"value":"1","kind":"untrusted"}},` +
		`"additionalContext":{"c":{"kind":"untrusted","value":"1"},"a>":{"value":"\u0007é","kind":"untrusted"}}}`
	const want = `{"store":{"a>":{"value":"\u0007é","kind":"untrusted"},"c":{"value":"1","kind":"untrusted"}},` +
		`"inputs":[{"source":"additionalContext","key":"a>","kind":"untrusted","hidden":true,` +
		`"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"<external_a>>\u0007é</external_a>>"}]}}],` +
		`"receipts":[{"key":"a>","kind":"untrusted","change":"added","tokens":8,"warnings":["key_has_gt","control_characters"]},` +
		`{"key":"b","kind":"application","change":"removed","tokens":0,"warnings":[]},` +
		`{"key":"c","kind":"untrusted","change":"unchanged","tokens":0,"warnings":[]}]}`
	got, err := model.Answer([]byte(request))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
