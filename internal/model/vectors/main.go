// Command vectors writes the conformance vectors of policies, reconcile, maps and
// classify: the requests are listed here, the answers are the model's. Who
// changes a request looks at the answer that it gets.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/conform"
	"github.com/turncontext/turncontext/internal/model"
)

//go:generate go run . -to ../../../testdata/vectors

// file is a file of vectors of kind calls.
type file struct {
	name, about string
	vectors     []vector
}

// vector is a sequence of calls under a name.
type vector struct {
	name  string
	calls []call
}

// call is a request, in JSON, to a function.
type call struct{ function, request string }

func of(name string, calls ...call) vector { return vector{name, calls} }

func main() {
	log.SetFlags(0)
	to := flag.String("to", "", "the folder to write to")
	show := flag.Bool("show", false, "print what each vector says, to be looked at")
	flag.Parse()
	for _, f := range files() {
		text, err := f.write(*show)
		if err != nil {
			log.Fatalf("%s: %v", f.name, err)
		}
		if *to == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(*to, f.name), text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

func files() []file {
	return []file{
		values(), wrappers(), controls(), updates(), totals(), presets(), refusals(),
		reconciles(), reconcileRefusals(), classifies(), classifyAttribute(), classifyRefusals(),
		maps(),
	}
}

func (f file) write(show bool) ([]byte, error) {
	var text bytes.Buffer
	fmt.Fprintf(&text, `{"format":%s,"kind":%s,"about":%s,"vectors":[`, quote(conform.Format), quote(conform.KindCalls), quote(f.about))
	for i, v := range f.vectors {
		var calls []string
		for _, c := range v.calls {
			expected, err := c.expect()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", v.name, err)
			}
			if show {
				fmt.Printf("%s: %s\n  %s %s\n  %s\n", f.name, v.name, c.function, c.request, expected)
			}
			calls = append(calls, fmt.Sprintf(`{"function":%s,"request":%s,%s}`, quote(c.function), quote(c.request), expected))
		}
		separator := ",\n"
		if i == 0 {
			separator = "\n"
		}
		between := ""
		if len(calls) > 1 {
			between = "\n "
		}
		fmt.Fprintf(&text, `%s{"name":%s,"calls":[%s%s]}`, separator, quote(v.name), between, strings.Join(calls, ","+between))
	}
	text.WriteString("]}\n")
	return text.Bytes(), nil
}

// expect returns the member that says what is expected of a call.
func (c call) expect() (string, error) {
	answer, err := model.Call(c.function, []byte(c.request))
	if err != nil {
		return "", err
	}
	var refused struct{ Error *abi.Error }
	if err := json.Unmarshal(answer, &refused); err != nil {
		return "", fmt.Errorf("%s: %w", c.request, err)
	}
	if refused.Error == nil {
		return `"response":` + quote(string(answer)), nil
	}
	switch refused.Error.Kind {
	case abi.InvalidParams, abi.InvalidRequest, abi.Unsupported:
		refused.Error.Message = "" // which is not fixed
	}
	expected := fmt.Sprintf(`"error":{"kind":%s,"code":%d`, quote(refused.Error.Kind), refused.Error.Code)
	if refused.Error.Message != "" {
		expected += `,"message":` + quote(refused.Error.Message)
	}
	if refused.Error.Data != nil {
		expected += `,"data":` + string(refused.Error.Data)
	}
	return expected + "}", nil
}

// quote writes a string as JSON, as the files have it.
func quote[S ~string](s S) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// The functions below write requests.

// u is an untrusted entry of a map, a one of the application.
func u(key, value string) string { return entry(key, value, abi.Untrusted) }
func a(key, value string) string { return entry(key, value, abi.Application) }

func entry(key, value string, kind abi.Kind) string {
	return fmt.Sprintf(`%s:{"value":%s,"kind":%s}`, quote(key), quote(value), quote(kind))
}

// gone is the end of an entry, in a patch.
func gone(key string) string { return quote(key) + ":null" }

func object(members ...string) string { return "{" + strings.Join(members, ",") + "}" }

func array(items ...string) string { return "[" + strings.Join(items, ",") + "]" }

// merge merges a map into no store, under a policy.
func merge(policy string, sent ...string) call {
	return call{abi.FunctionMerge, object(`"policy":`+policy, `"additionalContext":`+object(sent...))}
}

// then merges a map into a store, under a policy.
func then(policy, store string, sent ...string) call {
	return call{abi.FunctionMerge, object(`"store":`+store, `"additionalContext":`+object(sent...), `"policy":`+policy)}
}

// state is that of a thread in a turn.
func state(entries ...string) string {
	return object(`"version":1`, `"threadId":"t"`, `"activeTurn":{"id":"1","kind":"regular"}`, `"additionalContext":`+object(entries...))
}

// hello is what a user may send with a turn.
const hello = `{"type":"text","text":"hello"}`

// steer sends a map and the user's input to the active turn, under a policy.
func steer(policy, state, sent string, input ...string) call {
	params := object(`"threadId":"t"`, `"expectedTurnId":"1"`, `"input":`+array(input...), `"additionalContext":`+sent)
	return call{abi.FunctionTurnSteer, object(`"state":`+state, `"params":`+params, `"policy":`+policy)}
}

// start is steer without an expected turn.
func start(policy, state, sent string, input ...string) call {
	params := object(`"threadId":"t"`, `"input":`+array(input...), `"additionalContext":`+sent)
	return call{abi.FunctionTurnStart, object(`"state":`+state, `"turnId":"2"`, `"params":`+params, `"policy":`+policy)}
}

// user and developer are messages of one text.
func user(text string) string      { return said("user", text) }
func developer(text string) string { return said("developer", text) }

func said(role, text string) string {
	return object(`"type":"message"`, `"role":`+quote(role), `"content":`+array(part(text)))
}

func part(text string) string { return object(`"type":"input_text"`, `"text":`+quote(text)) }

// reconcile holds a store to a history, under a policy.
func reconcile(policy, store string, history ...string) call {
	return call{abi.FunctionReconcile, object(`"store":`+store, `"history":`+array(history...), `"policy":`+policy)}
}

// classify asks about items with a store, under a policy.
func classify(policy, store string, items ...string) call {
	return call{abi.FunctionClassify, object(`"items":`+array(items...), `"store":`+store, `"policy":`+policy)}
}
