package model_test

import (
	"encoding/json"
	"reflect"
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
				for _, input := range model.Merge(store, sent).Inputs {
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

// The model answers what is accepted; what is refused is not for it to find.
func TestWireVectors(t *testing.T) {
	for _, file := range vectors(t, conform.KindWire) {
		for _, v := range file.Wire {
			if !v.OK {
				continue
			}
			answer, err := model.Answer([]byte(v.Params))
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

// TestCallsVectors holds every exact answer in the vectors to the model.
func TestCallsVectors(t *testing.T) {
	checked := 0
	for _, file := range vectors(t, conform.KindCalls) {
		for _, v := range file.Calls {
			for i, call := range v.Calls {
				if call.Function != abi.FunctionMerge || call.Response == nil {
					continue
				}
				got, err := model.Answer(call.Request.Bytes())
				if err != nil {
					t.Errorf("%s: %s, call %d: %v", file.Path, v.Name, i, err)
				} else if string(got) != string(call.Response.Bytes()) {
					t.Errorf("%s: %s, call %d: the model answers %.1000q", file.Path, v.Name, i, got)
				}
				checked++
			}
		}
	}
	if checked == 0 {
		t.Error("no exact answers in the vectors")
	}
}

func TestAnswerRefuses(t *testing.T) {
	for _, request := range []string{
		``, `null`, `[]`, `{`, `{"store":[]}`, `{"additionalContext":1}`, `{"policy":[]}`, `{"policy":{"x":1}}`,
		`{"store":{"a":null}}`, `{"store":{"a":{"value":1,"kind":"untrusted"}}}`,
		`{"additionalContext":{"a":{"value":"v"}}}`, `{"additionalContext":{"a":{"value":"v","kind":"Untrusted"}}}`,
		`{"additionalContext":{"a":{"Value":"v","kind":"untrusted"}}}`,
	} {
		if answer, err := model.Answer([]byte(request)); err == nil {
			t.Errorf("%s: answered %s", request, answer)
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
