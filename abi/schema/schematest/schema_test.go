// Package schematest holds the schemas, and what the core makes of params, to
// a JSON Schema library. It is a module of its own, so that nobody else needs
// the library.
package schematest

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/conform"
	"github.com/turncontext/turncontext/plugin/turn"
)

// compile compiles the schema of that name in the folder above; it has to be a
// valid one, and so does what it refers to.
func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSchemasAreValid(t *testing.T) {
	files, err := filepath.Glob("../*.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no schemas")
	}
	for _, file := range files {
		compile(t, strings.TrimSuffix(filepath.Base(file), ".schema.json"))
	}
}

// suite is the schemas of requests and answers.
type suite struct {
	requests  map[string]*jsonschema.Schema // by function
	responses map[string]*jsonschema.Schema
	refusal   *jsonschema.Schema
}

func newSuite(t *testing.T) *suite {
	s := &suite{map[string]*jsonschema.Schema{}, map[string]*jsonschema.Schema{}, compile(t, "error")}
	for _, function := range abi.Functions() {
		s.responses[function] = compile(t, function+"_response")
		if function != abi.FunctionDescribe { // whose request is not looked at
			s.requests[function] = compile(t, function+"_request")
		}
	}
	return s
}

// validate checks JSON text against a schema.
func validate(s *jsonschema.Schema, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(value)
}

// isRefusal reports whether an answer is an error object.
func isRefusal(answer []byte) bool { return bytes.HasPrefix(answer, []byte(`{"error":`)) }

// Every answer of the vectors is as its schema says: the one that stands there,
// and the one that the core gives. So is every request that is not refused.
func TestVectors(t *testing.T) {
	schemas := newSuite(t)
	files, err := conform.Load("../../../testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	var core turn.Core
	calls := 0
	for _, file := range files {
		for _, vector := range file.Calls {
			for i, call := range vector.Calls {
				if schemas.responses[call.Function] == nil {
					continue // the module does not have the function
				}
				calls++
				request := call.Request.Bytes()
				answers := [][]byte{core.Call(call.Function, request)}
				if call.Response != nil {
					answers = append(answers, call.Response.Bytes())
				}
				for _, answer := range answers {
					if err := schemas.check(call.Function, request, answer); err != nil {
						t.Errorf("%s: call %d: %v\n%.500s\n%.500s", vector.Name, i, err, request, answer)
					}
				}
			}
		}
	}
	if calls == 0 {
		t.Error("no calls")
	}
	t.Logf("%d calls", calls)
}

// check checks an answer, and the request unless the answer refuses it.
func (s *suite) check(function string, request, answer []byte) error {
	if isRefusal(answer) {
		return validate(s.refusal, answer)
	}
	if err := validate(s.responses[function], answer); err != nil {
		return err
	}
	if s.requests[function] == nil {
		return nil
	}
	return validate(s.requests[function], request)
}

// The schemas are not so wide that they let wrong things pass.
func TestSchemasRefuse(t *testing.T) {
	for name, texts := range map[string][]string{
		"merge_request": {
			`[]`, `{"store":[]}`, `{"store":{"a":null}}`, `{"additionalContext":{"a":{"value":"v"}}}`,
			`{"additionalContext":{"a":{"value":"v","kind":"x"}}}`, `{"policy":{"experimentalApi":1}}`, `{"policy":{"x":null}}`,
			`{"store":{"a":null},"policy":{"updates":"patch"}}`, `{"policy":{"maxValueTokens":-1}}`, `{"policy":{"maxTotalTokens":2147483648}}`,
			`{"policy":{"keys":{"a":{"x":null}}}}`, `{"policy":{"keys":{"a":{"priority":-2147483649}}}}`, `{"policy":{"wrapper":"Attribute"}}`,
			`{"policy":{"steerContextOnly":0}}`, `{"policy":{"tokenizer":""}}`, `{"policy":{"preset":false}}`,
		},
		"reconcile_request": {
			`{}`, `{"store":{}}`, `{"history":[]}`, `{"store":{},"history":null}`, `{"store":{},"history":{}}`, `{"store":{},"history":[[]]}`,
			`{"store":null,"history":[]}`, `{"store":null,"state":null,"history":[]}`,
			`{"store":{},"state":{"version":1,"threadId":"h"},"history":[]}`, `{"state":{"version":1},"history":[]}`,
		},
		"classify_request": {`{}`, `{"items":null}`, `{"items":{}}`, `{"items":["a"]}`, `{"items":[],"store":{"a":null}}`},
		"guidance_request": {`[]`, `{"policy":1}`, `{"policy":{"x":1}}`},
		"reconcile_response": {
			`{"inputs":[],"receipts":[]}`, `{"store":{},"state":{"version":1,"threadId":"h","activeTurn":null,"additionalContext":{}},"inputs":[],"receipts":[]}`,
			`{"store":null,"inputs":[],"receipts":[]}`,
			`{"store":{},"inputs":[],"receipts":[{"key":"a","kind":"untrusted","change":"added","tokens":1,"warnings":[]}]}`,
			`{"store":{},"inputs":[],"receipts":[{"key":"a","kind":"untrusted","change":"dropped","tokens":1,"warnings":[]}]}`,
			`{"store":{},"inputs":[],"receipts":[{"key":"a","kind":"untrusted","change":"dropped","tokens":0,"warnings":["key_has_gt"]}]}`,
		},
		"classify_response": {
			`{}`, `{"items":[{}]}`, `{"items":[{"hidden":true}]}`, `{"items":[{"hidden":false,"key":"a","kind":"untrusted"}]}`,
			`{"items":[{"hidden":true,"key":"a"}]}`,
		},
		"guidance_response": {`{}`, `{"text":""}`, `{"text":"a","more":1}`},
		"turn_start_request": {
			`{}`, `{"turnId":"t"}`, `{"params":{"threadId":"h","input":[]}}`, `{"turnId":null,"params":{"threadId":"h","input":[]}}`,
			`{"turnId":"t","params":{"threadId":"h"}}`, `{"turnId":"t","params":{"threadId":"h","input":[]},"state":{"version":2,"threadId":"h"}}`,
			`{"turnId":"t","params":{"threadId":"h","input":[]},"state":{"version":1}}`,
			`{"turnId":"t","params":{"threadId":"h","input":[]},"state":{"version":1,"threadId":"h","activeTurn":{"id":"t","kind":"x"}}}`,
			`{"turnId":"t","params":{"threadId":"h","input":[]},"promptHook":{"blocked":false}}`,
			`{"turnId":"t","params":{"threadId":"h","input":[]},"promptHook":{"blocked":false,"contexts":[1]}}`,
		},
		"turn_steer_request": {
			`{"state":null,"params":{"threadId":"h","expectedTurnId":"t","input":[]}}`,
			`{"params":{"threadId":"h","expectedTurnId":"t","input":[]}}`,
			`{"state":{"version":1,"threadId":"h"},"params":{"threadId":"h","input":[]}}`,
		},
		"turn_set_request": {
			`{"state":{"version":1,"threadId":"h"}}`, `{"activeTurn":null}`, `{"state":{"version":1,"threadId":"h"},"activeTurn":{"id":"t"}}`,
			`{"state":{"version":1,"threadId":"h"},"activeTurn":null,"ifTurnId":null}`,
		},
		"turn_set_response": {
			`{}`, `{"state":null}`, `{"state":{"version":1,"threadId":"h","activeTurn":null}}`,
			`{"state":{"version":1,"threadId":"h","activeTurn":null,"additionalContext":null}}`,
			`{"state":{"version":1,"threadId":"h","activeTurn":null,"additionalContext":{"a":{"value":"v","kind":"untrusted","x":1}}}}`,
		},
		"merge_response": {
			`{"store":{},"inputs":[]}`,
			`{"store":{},"inputs":[{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[]}}],"receipts":[]}`,
			`{"store":{},"inputs":[{"source":"additionalContext","key":"a","kind":"application","hidden":true,
				"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"t"}]}}],"receipts":[]}`,
			`{"store":{},"inputs":[],"receipts":[{"key":"a","kind":"untrusted","change":"removed","tokens":1,"warnings":[],"truncated":{"originalTokens":1,"removedTokens":1}}]}`,
			`{"store":{},"inputs":[],"receipts":[{"key":"a","kind":"untrusted","change":"unchanged","tokens":1,"warnings":[]}]}`,
			`{"store":{},"inputs":[],"receipts":[{"key":"a","kind":"untrusted","change":"restored","tokens":1,"warnings":[]}]}`,
			`{"store":{},"inputs":[],"receipts":[{"key":"a","kind":"untrusted","change":"added","tokens":1}]}`,
		},
		"error": {
			`{"error":{}}`, `{"error":{"kind":"x","code":-32600,"message":"m"}}`, `{"error":{"kind":"empty_input","code":-32602,"message":"m"}}`,
			`{"error":{"kind":"empty_input","code":-32600,"message":""}}`, `{"error":{"kind":"empty_input","code":-32600,"message":"m","data":{}}}`,
			`{"error":{"kind":"invalid_json","code":-32700,"message":"m"}}`,
			`{"error":{"kind":"invalid_params","code":-32602,"message":"m","data":{"offset":1}}}`,
		},
		"describe_response": {`{}`, `{"abi":{"name":"turncontext","version":2}}`},
	} {
		s := compile(t, name)
		for _, text := range texts {
			if validate(s, []byte(text)) == nil {
				t.Errorf("%s takes %s", name, text)
			}
		}
	}
}
