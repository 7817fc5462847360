package conform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/conform"
	"github.com/turncontext/turncontext/internal/model"
)

const description = `{"abi":{"name":"turncontext","version":1},"functions":["classify","describe","guidance","merge","reconcile","turn_set","turn_start","turn_steer"]}`

// ask answers as the module does, by the model; of what is not JSON it tells
// nothing but that.
func ask(function string, request []byte) ([]byte, error) {
	if function == abi.FunctionDescribe {
		return []byte(description), nil
	}
	if !slices.Contains(abi.Functions(), function) {
		return nil, errors.New("no function " + function)
	}
	answer, err := model.Call(function, request)
	if err != nil {
		return refuse(abi.InvalidJSON, abi.CodeInvalidJSON, `{"offset":7}`), nil
	}
	return answer, nil
}

func refuse(kind abi.ErrorKind, code int, data string) []byte {
	return fmt.Appendf(nil, `{"error":{"kind":%q,"code":%d,"message":"m","data":%s}}`, kind, code, data)
}

// earlier answers as an earlier module did: without classify and guidance, and
// without a budget in the policy.
func earlier(function string, request []byte) ([]byte, error) {
	if function == abi.FunctionDescribe {
		return []byte(`{"functions":["describe","merge"]}`), nil
	}
	if bytes.Contains(request, []byte(`"maxValueTokens"`)) {
		return refuse(abi.InvalidParams, abi.CodeInvalidParams, `{"path":"policy.maxValueTokens","offset":11}`), nil
	}
	return ask(function, request)
}

// repository loads files of testdata.
func repository(t *testing.T, names ...string) []conform.File {
	t.Helper()
	for i, name := range names {
		names[i] = "../../testdata/vectors/" + name
	}
	files, err := conform.Load(names...)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func total(files []conform.File) int {
	n := 0
	for _, file := range files {
		n += file.Len()
	}
	return n
}

// asked is a module that answers every call in one way.
type asked struct {
	answer string
	err    error
}

func (a asked) Call(context.Context, string, []byte) ([]byte, error) { return []byte(a.answer), a.err }

// A refusal is an answer; any other error is the module's failure.
func TestCallOf(t *testing.T) {
	failure := errors.New("trapped")
	for _, test := range []struct {
		module asked
		want   error
	}{
		{asked{"{}", nil}, nil},
		{asked{`{"error":{}}`, fmt.Errorf("refused: %w", &abi.Error{Kind: abi.InvalidParams})}, nil},
		{asked{"", failure}, failure},
	} {
		answer, err := conform.CallOf(t.Context(), test.module)(abi.FunctionMerge, nil)
		if string(answer) != test.module.answer || !errors.Is(err, test.want) {
			t.Errorf("got %s, %v, want %s, %v", answer, err, test.module.answer, test.want)
		}
	}
}

func TestRunPasses(t *testing.T) {
	files := repository(t, "merge.json", "truncate.json", "classify.json", "calls-merge.json", "calls-truncate.json", "calls-turn-start.json",
		"calls-turn-steer.json", "calls-turn-input.json", "calls-turn-sessions.json")
	if r := conform.Run(files, ask); !r.OK() || r.Passed != total(files) || r.NotRun != nil {
		t.Error(r)
	}
}

func TestRunTellsWhatItDoesNotRun(t *testing.T) {
	files := repository(t, "truncate.json", "classify.json", "merge.json")
	files = append(files, load(t, "calls", `{"name":"n","calls":[{"function":"guidance","request":"","response":"{}"}]},
		{"name":"m","calls":[{"function":"merge","request":"{}","response":"{\"store\":{},\"inputs\":[],\"receipts\":[]}"},{"function":"guidance","request":"","response":"{}"}]}`)...)
	r := conform.Run(files, earlier)
	if !r.OK() || r.Passed != len(files[2].Merge) {
		t.Error(r)
	}
	want := []conform.NotRun{
		{File: files[0].Path, Vectors: 350, Reason: "the module's policy has no maxValueTokens"},
		{File: files[1].Path, Vectors: 232, Reason: "the module has no function classify"},
		{File: files[3].Path, Vectors: 2, Reason: "the module has no function guidance"},
	}
	if fmt.Sprint(r.NotRun) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", r.NotRun, want)
	}
	for _, line := range []string{"not run: " + files[1].Path + ": the module has no function classify (vectors: 232)\n", "\n60 passed, 0 failed, 584 not run\n"} {
		if !strings.Contains(r.String(), line) {
			t.Errorf("the report has no %q:\n%s", line, r)
		}
	}

	r = conform.Run(files, func(string, []byte) ([]byte, error) { return []byte(`{"functions":["describe"]}`), nil })
	if r.OK() || r.Passed != 0 || len(r.Failed) != 0 || len(r.NotRun) != 5 {
		t.Error(r)
	}
}

func TestRunNeedsDescribe(t *testing.T) {
	files := repository(t, "merge.json")
	for name, call := range map[string]conform.Call{
		"failed":   func(string, []byte) ([]byte, error) { return nil, errors.New("trapped") },
		"refused":  func(string, []byte) ([]byte, error) { return refuse(abi.Internal, abi.CodeInternal, "1"), nil },
		"not JSON": func(string, []byte) ([]byte, error) { return nil, nil },
		"typed":    func(string, []byte) ([]byte, error) { return []byte(`{"functions":"merge"}`), nil },
	} {
		r := conform.Run(files, call)
		if r.OK() || r.Passed != 0 || len(r.Failed) != 1 || len(r.NotRun) != 1 || r.NotRun[0].Vectors != 60 {
			t.Errorf("%s: %v", name, r)
		}
	}
	if conform.Run(nil, ask).OK() {
		t.Error("a run of nothing is OK")
	}
}

// TestRunDetects answers every call of merge wrongly in one way.
func TestRunDetects(t *testing.T) {
	const request = `{\"store\":{\"b\":{\"value\":\"w\",\"kind\":\"untrusted\"}},\"additionalContext\":{\"a\":{\"value\":\"v\",\"kind\":\"untrusted\"}}}`
	quoted := func(text []byte, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(string(text))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	answer := quoted(model.Answer([]byte(strings.ReplaceAll(request, `\`, ``))))
	vectors := map[string][]conform.File{
		"response": load(t, "calls", `{"name":"n","calls":[{"function":"merge","request":"`+request+`","response":`+answer+`}]}`),
		"contains": load(t, "calls", `{"name":"n","calls":[{"function":"merge","request":"`+request+`","responseContains":{"store":{"a":{"value":"v","kind":"untrusted"}},"receipts":[{"key":"a","kind":"untrusted","change":"added","tokens":7,"warnings":[]},{"key":"b","kind":"untrusted","change":"removed","tokens":0,"warnings":[]}]}}]}`),
		"error":    load(t, "calls", `{"name":"n","calls":[{"function":"merge","request":"[","error":{"kind":"invalid_json","code":-32700,"message":"m","data":{"offset":7}}}]}`),
		"bare":     load(t, "calls", `{"name":"n","calls":[{"function":"merge","request":"[","error":{"kind":"invalid_request","code":-32600}}]}`),
		"merge":    load(t, "merge", `{"name":"n","steps":[{"additionalContext":{"a":{"value":"v","kind":"untrusted"}},"inputs":[{"role":"user","text":"<external_a>v</external_a>"}]},{"additionalContext":{"a":{"value":"v","kind":"untrusted"}},"inputs":[]},{"inputs":[]},{"additionalContext":{"a":{"value":"v","kind":"application"}},"inputs":[{"role":"developer","text":"<a>v</a>"}]}]}`),
		"read":     load(t, "wire", `{"params":"{\"additionalContext\":{\"a\":{\"value\":\"v\",\"kind\":\"untrusted\"}}}","ok":true,"entries":{"a":{"kind":"untrusted","value":"v"}}}`),
		"empty":    load(t, "wire", `{"params":"{}","ok":true,"entries":null}`),
		"refused":  load(t, "wire", `{"params":"[","ok":false}`),
		"truncate": load(t, "truncate", `{"name":"n","value":"vvvvvvvv","maxTokens":1,"text":"vv…1 tokens truncated…vv","originalTokens":2}`),
		"whole":    load(t, "truncate", `{"name":"n","value":"v","maxTokens":1,"text":"v","originalTokens":null}`),
		"hidden":   load(t, "classify", `{"text":"<external_a></external_a>","hidden":true}`),
		"shown":    load(t, "classify", `{"text":"hello","hidden":false}`),
	}
	bare := func(function string, request []byte) ([]byte, error) {
		if function == abi.FunctionMerge {
			return []byte(`{"error":{"kind":"invalid_request","code":-32600,"message":"m"}}`), nil
		}
		return ask(function, request)
	}
	right := func(name string) conform.Call {
		if name == "bare" {
			return bare
		}
		return ask
	}
	for name, files := range vectors {
		if r := conform.Run(files, right(name)); !r.OK() || r.Passed != 1 {
			t.Errorf("%s: unspoilt: %v", name, r)
		}
	}

	replace := func(old, new string) func([]byte) []byte {
		return func(answer []byte) []byte { return bytes.ReplaceAll(answer, []byte(old), []byte(new)) }
	}
	always := func(text string) func([]byte) []byte {
		return func([]byte) []byte { return []byte(text) }
	}
	for _, spoil := range []struct {
		name    string
		vectors string // those that have to fail
		answer  func([]byte) []byte
	}{
		{"a byte less", "response contains error bare merge read empty refused truncate whole hidden shown", func(a []byte) []byte { return a[:len(a)-1] }},
		{"a byte more", "response", func(a []byte) []byte { return append(a, ' ') }},
		{"no answer", "response contains error bare merge read empty refused truncate whole hidden shown", always("")},
		{"an ill-formed character", "response contains error bare merge read empty refused truncate whole hidden shown", always("\"\xff\"")},
		{"another type", "response contains error bare merge read empty refused truncate whole hidden shown", always("[]")},
		{"an empty object", "response contains error bare merge read empty refused truncate whole hidden shown", always("{}")},
		{"a refusal", "response contains error bare merge read empty truncate whole hidden shown", always(`{"error":{"kind":"invalid_json","code":-32700,"message":"m","data":{"offset":8}}}`)},
		{"a failure", "response contains error bare merge read empty refused truncate whole hidden shown", always(`{"error":{"kind":"internal","code":-32603,"message":"m"}}`)},
		{"nothing happened", "response contains error bare merge read refused truncate whole hidden shown", always(`{"store":{},"inputs":[],"receipts":[]}`)},
		{"a wrong role", "response merge", replace(`"role":"user"`, `"role":"developer"`)},
		{"a wrong text", "response merge truncate whole", replace(`external_`, `external-`)},
		{"a wrong kind", "response contains read", replace(`"value":"v","kind":"untrusted"`, `"value":"v","kind":"application"`)},
		{"a wrong value", "response contains read", replace(`"value":"v"`, `"value":"w"`)},
		{"a wrong change", "response contains", replace(`"removed"`, `"unchanged"`)},
		{"a wrong number", "response contains", replace(`"tokens":7`, `"tokens":8`)},
		{"a wrong warning", "response contains", replace(`"warnings":[]`, `"warnings":["key_has_gt"]`)},
		{"a store that is lost", "response contains merge read", replace(`"store":{"a"`, `"store":{},"x":{"a"`)},
		{"a store that is null", "empty", replace(`"store":{}`, `"store":null`)},
		{"a store that is too large", "empty", replace(`"store":{}`, `"store":{"a":1}`)},
		{"inputs that are lost", "response merge truncate whole", replace(`"inputs"`, `"outputs"`)},
		{"a second part", "response merge", replace(`"content":[`, `"content":[{"type":"input_text","text":""},`)},
		{"an input of another type", "response merge truncate whole", replace(`"inputs":[{`, `"inputs":[7,{`)},
		{"another order of members", "response", replace(`"type":"message","role":"user"`, `"role":"user","type":"message"`)},
		{"other escapes", "response", replace(`"removed"`, `"\u0072emoved"`)},
		{"another error kind", "error bare", replace(`"kind":"invalid_`, `"kind":"invalid-`)},
		{"another code", "error bare", replace(`"code":-32`, `"code":-33`)},
		{"another message", "error", replace(`"message":"m"`, `"message":"n"`)},
		{"no message", "error bare refused", replace(`"message":"m"`, `"message":""`)},
		{"a message that is missing", "error bare refused", replace(`,"message":"m"`, ``)},
		{"another offset", "error", replace(`"offset":7`, `"offset":8`)},
		{"no data", "error", replace(`,"data":{"offset":7}`, ``)},
		{"more data", "error", replace(`"offset":7`, `"offset":7,"path":""`)},
		{"data that is not expected", "bare", replace(`"message":"m"}`, `"message":"m","data":{"offset":1}}`)},
		{"a member more in the error", "error bare refused", replace(`"message":"m"`, `"message":"m","x":1`)},
		{"a member more beside the error", "error bare refused", replace(`{"error"`, `{"store":{},"error"`)},
		{"a wrong count", "truncate", replace(`"originalTokens":2`, `"originalTokens":3`)},
		{"no cut reported", "truncate", replace(`"truncated":{`, `"x":{`)},
		{"a cut reported", "whole", replace(`"warnings":[]`, `"truncated":{"originalTokens":1,"removedTokens":0},"warnings":[]`)},
		{"hidden for shown", "hidden shown", func(a []byte) []byte {
			return fmt.Appendf(nil, `{"items":[{"hidden":%t}]}`, bytes.Contains(a, []byte("false")))
		}},
		{"no item", "hidden shown", always(`{"items":[]}`)},
		{"items of another type", "hidden shown", always(`{"items":7}`)},
		{"no hidden", "hidden shown", always(`{"items":[{}]}`)},
	} {
		for _, name := range strings.Fields(spoil.vectors) {
			call := func(function string, request []byte) ([]byte, error) {
				answer, err := right(name)(function, request)
				if function == abi.FunctionDescribe || err != nil {
					return answer, err
				}
				return spoil.answer(answer), nil
			}
			if r := conform.Run(vectors[name], call); r.OK() || len(r.Failed) != 1 {
				t.Errorf("%s: %s was not detected: %v", name, spoil.name, r)
			}
		}
	}
	for name, files := range vectors {
		r := conform.Run(files, func(function string, request []byte) ([]byte, error) {
			if function == abi.FunctionDescribe {
				return ask(function, request)
			}
			return nil, errors.New("trapped")
		})
		if len(r.Failed) != 1 || !strings.Contains(r.Failed[0].Got, "trapped") {
			t.Errorf("%s: a failed module was not detected: %v", name, r)
		}
	}
}

// A store that is not carried on shows in the next step.
func TestRunCarriesTheStore(t *testing.T) {
	forgetful := func(function string, request []byte) ([]byte, error) {
		if _, rest, ok := bytes.Cut(request, []byte(`,"additionalContext"`)); ok {
			request = append([]byte(`{"additionalContext"`), rest...)
		}
		return ask(function, request)
	}
	if r := conform.Run(repository(t, "merge.json"), forgetful); len(r.Failed) == 0 {
		t.Error(r)
	}
}

// What a request leaves out, and what it says is null, reach the module so.
func TestRunKeepsAbsentNullAndEmptyApart(t *testing.T) {
	files := load(t, "merge", `{"name":"n","steps":[{"inputs":[]},{"additionalContext":null,"inputs":[]},{"additionalContext":{},"inputs":[]}]}`)
	var got []string
	r := conform.Run(files, func(function string, request []byte) ([]byte, error) {
		if function == abi.FunctionMerge {
			got = append(got, string(request))
		}
		return ask(function, request)
	})
	want := []string{`{}`, `{"store":{},"additionalContext":null}`, `{"store":{},"additionalContext":{}}`}
	if !r.OK() || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %s, want %s: %v", got, want, r)
	}
}

// A module that answers the turn protocol wrongly in one way fails.
func TestRunDetectsInTurns(t *testing.T) {
	files := repository(t, "calls-turn-start.json", "calls-turn-steer.json", "calls-turn-set.json", "calls-turn-input.json", "calls-turn-sessions.json")
	for name, spoil := range map[string][2]string{
		"another version":    {`"version":1`, `"version":2`},
		"another turn":       {`"turn":{"id":"turn-1"`, `"turn":{"id":"turn-2"`},
		"a turn kept active": {`"activeTurn":null`, `"activeTurn":{"id":"turn-1","kind":"regular"}`},
		"a kind":             {`"kind":"review"`, `"kind":"regular"`},
		"steered":            {`"steered":true`, `"steered":false`},
		"a hidden user":      {`"source":"user","hidden":false`, `"source":"user","hidden":true`},
		"a lost detail":      {`,"detail":"high"`, ``},
		"another place":      {`"at":1`, `"at":2`},
		"another number":     {`"number":2`, `"number":3`},
		"a null for nothing": {`}]},"unresolved"`, `}],"x":null},"unresolved"`},
		"a role of the hook": {`"promptHook","hidden":true,"item":{"type":"message","role":"developer"`, `"promptHook","hidden":true,"item":{"type":"message","role":"user"`},
		"a fixed message":    {`input must not be empty`, `the input must not be empty`},
		"data of a refusal":  {`"additionalDetails":null`, `"additionalDetails":""`},
		"another code":       {`"code":-32600`, `"code":-32602`},
	} {
		r := conform.Run(files, func(function string, request []byte) ([]byte, error) {
			answer, err := ask(function, request)
			if function == abi.FunctionDescribe {
				return answer, err
			}
			return bytes.ReplaceAll(answer, []byte(spoil[0]), []byte(spoil[1])), err
		})
		if r.OK() || len(r.Failed) == 0 {
			t.Errorf("%s was not detected: %v", name, r)
		}
	}
}

// A report shows where texts part, and nothing that a terminal would act on.
func TestReport(t *testing.T) {
	long := strings.Repeat("a", 5000)
	vector := `{"name":"a \u001b[31mname","calls":[{"function":"merge","request":"{}","response":"` + long + `x\u0085` + long + `"}]}`
	r := conform.Run(load(t, "calls", vector), func(function string, request []byte) ([]byte, error) {
		if function == abi.FunctionMerge {
			return []byte(`"` + long + `"`), nil
		}
		return ask(function, request)
	})
	if len(r.Failed) != 1 {
		t.Fatal(r)
	}
	report := r.String()
	if len(report) > 2000 || strings.ContainsAny(report, "\x1b\u0085") {
		t.Errorf("the report is too long, or acts on a terminal: %q", report)
	}
	f := r.Failed[0]
	if !strings.HasPrefix(f.Want, `in step 0: "aaa`) || !strings.Contains(f.Want, "bytes)") || !strings.Contains(f.Got, `"\"aaa`) {
		t.Errorf("want %s, got %s", f.Want, f.Got)
	}
}
