package turn_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/conform"
	"github.com/turncontext/turncontext/internal/model"
	"github.com/turncontext/turncontext/internal/random"
	"github.com/turncontext/turncontext/plugin/turn"
)

func TestVectors(t *testing.T) {
	files, err := conform.Load("../../testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	var core turn.Core
	result := conform.Run(files, func(function string, request []byte) ([]byte, error) {
		return core.Call(function, request), nil
	})
	if !result.OK() {
		t.Error(result)
	}
	t.Log(result)
}

// FuzzMerge holds merge to the plain model on whatever is well-formed.
func FuzzMerge(f *testing.F) {
	for _, request := range []string{
		`{}`,
		`{"additionalContext":{"a":{"value":"v","kind":"untrusted"}}}`,
		`{"store":{"a":{"value":"v","kind":"untrusted"}},"additionalContext":{"a":{"value":"v","kind":"untrusted"}}}`,
		`{"additionalContext":{"b":{"kind":"application","value":"\u001b<\/b>"},"a":{"value":"v","kind":"untrusted"}},` +
			`"store":{"\u0062":{"value":"\u001B<\/b>","kind":"application"},"c":{"value":"é🙂","kind":"untrusted","x":[]}}}`,
		`{"store":{"a>":{"value":"</external_a>","kind":"untrusted"},"b":{"value":"1","kind":"untrusted"}},` +
			`"additionalContext":{"a>":{"value":"</external_a></external_a>></external_a>>","kind":"untrusted"},"bb":{"value":"1","kind":"untrusted"}}}`,
		`{"additionalContext":{"k":{"value":"` + strings.Repeat(`本\\\n\u00e9🙂`, 400) + `","kind":"untrusted"}}}`,
		`{"additionalContext":{"k":{"value":"` + strings.Repeat(`x`, 2000) + "…6 tokens truncated…" + strings.Repeat(`\ud83d\ude42`, 500) + `","kind":"application"}}}`,
	} {
		f.Add([]byte(request))
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		var core turn.Core
		got := bytes.Clone(core.Call(abi.FunctionMerge, request))
		if refused := bytes.HasPrefix(got, []byte(`{"error":`)); refused {
			return // what is refused, and how, the vectors say
		}
		want, err := model.Answer(request)
		if err != nil {
			t.Fatalf("%q: the model refuses it: %v; the core answers %s", request, err, got)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%q:\n got %s\nwant %s", request, got, want)
		}
		if again := core.Call(abi.FunctionMerge, request); !bytes.Equal(again, got) {
			t.Fatalf("%q: a second call answers %s, the first %s", request, again, got)
		}
	})
}

// What merge answers to random requests, the model answers too.
func TestRandomMerges(t *testing.T) {
	n := 3_000
	if testing.Short() {
		n = 500
	}
	r := rand.New(rand.NewPCG(1, 2))
	var core turn.Core
	for range n {
		request := random.Merge(r)
		want, err := model.Answer(request)
		if err != nil {
			t.Fatalf("%q: %v", request, err)
		}
		if got := core.Call(abi.FunctionMerge, request); !bytes.Equal(got, want) {
			t.Fatalf("%q:\n got %s\nwant %s", request, got, want)
		}
	}
}

func TestEmptyRequest(t *testing.T) {
	var core turn.Core // nothing is reserved yet
	answer, ok := core.Answer(turn.Merge, 0)
	if want := `{"error":{"kind":"invalid_json"`; !ok || !bytes.HasPrefix(answer, []byte(want)) {
		t.Errorf("got %s, %v", answer, ok)
	}
	if answer, ok := core.Answer(turn.Describe, 0); !ok || !bytes.HasPrefix(answer, []byte(`{"abi":`)) {
		t.Errorf("got %s, %v", answer, ok)
	}
}

func TestPanics(t *testing.T) {
	var core turn.Core
	failing := turn.Function(func(*turn.Core, int) []byte {
		var none []byte
		return none[1:]
	})
	answer, ok := core.Answer(failing, 0)
	if want := `{"error":{"kind":"internal","code":-32603,"message":"`; ok || !bytes.HasPrefix(answer, []byte(want)) {
		t.Errorf("got %s, %v", answer, ok)
	}
	if got := core.Call(abi.FunctionMerge, []byte(`{}`)); string(got) != `{"store":{},"inputs":[],"receipts":[]}` {
		t.Errorf("after a panic: %s", got)
	}
}

func TestReserve(t *testing.T) {
	var core turn.Core
	first := core.Reserve(1)
	if len(first) == 0 {
		t.Fatal("no buffer")
	}
	if core.Reserve(abi.MaxRequestBytes+1) != nil {
		t.Error("a buffer for too large a request")
	}
	if again := core.Reserve(len(first)); &again[0] != &first[0] {
		t.Error("the buffer moved though it was large enough")
	}
	if larger := core.Reserve(len(first) + 1); len(larger) <= len(first) {
		t.Errorf("%d bytes of %d", len(larger), len(first)+1)
	}
	for length, want := range map[int]string{
		abi.MaxRequestBytes + 1: `{"error":{"kind":"request_too_large","code":-32602,"message":"the request has more than 33554432 bytes"}}`,
		abi.MaxRequestBytes:     `{"error":{"kind":"invalid_request","code":-32600,"message":"the request is longer than the buffer reserved for it"}}`,
	} {
		if answer, ok := core.Answer(turn.Merge, length); !ok || string(answer) != want {
			t.Errorf("%d bytes: %s", length, answer)
		}
	}
}

// Once warm, nothing is allocated, whatever the change.
func TestMergeAllocatesNothing(t *testing.T) {
	value := strings.Repeat("x本\\n", 1500)
	requests := []string{
		`{"additionalContext":{"b":{"value":"` + value + `","kind":"untrusted"},"a":{"kind":"application","value":"\u0041"}}}`,
		`{"store":{"a":{"value":"v","kind":"untrusted"},"b":{"value":"w","kind":"untrusted"}},"additionalContext":{"a":{"value":"v","kind":"untrusted"}},"x":1}`,
	}
	var core turn.Core
	for _, request := range requests {
		if n := testing.AllocsPerRun(100, func() { core.Call(abi.FunctionMerge, []byte(request)) }); n > 1 { // the slice of request
			t.Errorf("%v allocations for %.100s", n, request)
		}
	}
}

// What the turn functions answer to random requests, the model answers too.
func TestRandomTurns(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1_000
	}
	r := rand.New(rand.NewPCG(3, 4))
	var core turn.Core
	for range n {
		function, request := random.Turn(r)
		want, err := model.Call(function, request)
		if err != nil {
			t.Fatalf("%s %q: %v", function, request, err)
		}
		if got := core.Call(function, request); !model.Same(want, got) {
			t.Fatalf("%s %q:\n got %s\nwant %s", function, request, got, want)
		}
	}
}

// A repeated key counts where it stands again, also if it is written as in the
// map read before, and whatever comes between.
func TestRepeatedTwin(t *testing.T) {
	const e = `{"value":"v","kind":"untrusted"}`
	request := `{"store":{"a":` + e + `},"additionalContext":{"a":` + e + `,"0":` + e + `,"a":` + e + `}}`
	var core turn.Core
	want := `"data":{"path":"additionalContext.a","offset":143}`
	if got := core.Call(abi.FunctionMerge, []byte(request)); !strings.Contains(string(got), want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What goes before other errors is found behind them, unknown members between, and
// the path of bad syntax there is that of its part.
func TestWrongBefore(t *testing.T) {
	for _, c := range []struct{ function, request, want string }{
		{abi.FunctionTurnSet, `{"state":{"activeTurn":{"id":"i"},"x":[],"y":0,"threadId":"t","version":2}}`, `"state: version 2 of the state is newer than 1"`},
		{abi.FunctionTurnStart, `{"state":{"version":"1"},"x":[],"y":0,"params":{"threadId":"\x"}}`, `"threadId: invalid escape in a string at byte 60"`},
		{abi.FunctionMerge, `{"additionalContext":{"a":null},"store":0,"x":[],"y":0,"policy":{"updates":"patch"}}`, `"path":"store"`},
	} {
		var core turn.Core
		if got := core.Call(c.function, []byte(c.request)); !strings.Contains(string(got), c.want) {
			t.Errorf("%s: got %s, want %s", c.request, got, c.want)
		}
	}
}

// What is JSON and what is not is told alike by all that reads some form quickly: requests
// of many forms, each with one byte more or less, at every place.
func TestSyntaxAtEachByte(t *testing.T) {
	const state = `"state":{"version":1,"threadId":"t","activeTurn":{"id":"u","kind":"regular"},"additionalContext":{"k":{"value":"v","kind":"untrusted"}}}`
	var core turn.Core
	for _, c := range []struct{ function, request string }{
		{abi.FunctionMerge, `{"store":{"a":{"value":"b","kind":"untrusted"},"b":{"kind":"application","value":""}},"additionalContext":{"a":{"value":"b","kind":"untrusted"},"c":{"value":"\u0041\n","kind":"application","x":[]}}}`},
		{abi.FunctionMerge, `{"x":[],"y":{},"z":"s","additionalContext":{"a":null,"b":null},"policy":{"updates":"patch"}}`},
		{abi.FunctionGuidance, `{"policy":{"keys":{"a":{"priority":1},"b":{"priority":0},"c":{"priority":12}}}}`},
		{abi.FunctionGuidance, `{"policy":{"keys":{"a":{},"b":null,"c":{},"d":{"maxValueTokens":7,"truncation":"tail","priority":-3},"e":{"priority":5}},"preset":"safe"}}`},
		{abi.FunctionTurnStart, `{` + state + `,"turnId":"v","params":{"threadId":"t","input":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"text","text":"c"}],"additionalContext":{}},"promptHook":{"blocked":false,"contexts":["a","","b"]}}`},
		{abi.FunctionTurnStart, `{"turnId":"v","params":{"threadId":"t","input":[{"type":"localImage","path":"p"},{"type":"localImage","path":"q","detail":"low"},{"type":"image","url":"u"},{"url":"u","type":"image"}]}}`},
		{abi.FunctionTurnStart, `{"turnId":"v","params":{"threadId":"t","input":[{"type":"mention","name":"n","path":"p"},{"type":"skill","name":"n","path":"p"},{"type":"mention","name":"m","path":"o"}]}}`},
		{abi.FunctionTurnStart, `{"turnId":"v","params":{"threadId":"t","input":[{"type":"text","text":"a","text_elements":[{"byteRange":{"start":0,"end":1}},{"byteRange":{"start":1,"end":2}},{"byteRange":{"start":1,"end":2},"placeholder":"p"}]}]}}`},
		{abi.FunctionTurnSteer, `{` + state + `,"params":{"threadId":"t","expectedTurnId":"u","input":[],"x":{"y":[0,1.5e3,true]}}}`},
		{abi.FunctionTurnSet, `{` + state + `,"activeTurn":null,"ifTurnId":"u"}`},
		{abi.FunctionReconcile, `{"store":{"k":{"value":"v","kind":"untrusted"}},"history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"<external_k>v</external_k>"}]},{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"output_text","text":"b"}]},{}]}`},
		{abi.FunctionClassify, `{"items":[{"content":"<external_k>v</external_k>","role":"user"},{},{},{"role":"developer","content":[]},{"role":"user","content":[null,"x",{"type":"input_text","text":" "}]}]}`},
	} {
		check := func(request string) {
			refused := bytes.HasPrefix(core.Call(c.function, []byte(request)), []byte(`{"error":{"kind":"invalid_json"`))
			if refused == json.Valid([]byte(request)) {
				t.Errorf("%s refuses as JSON, %v: %s", c.function, refused, request)
			}
		}
		check(c.request)
		for i := range len(c.request) {
			check(c.request[:i] + c.request[i+1:])
			for _, token := range `,:{}[]"\ 0-.entu/` {
				check(c.request[:i] + string(token) + c.request[i:])
				check(c.request[:i] + string(token) + c.request[i+1:])
			}
		}
	}
}

// An answer is that of a core that has answered nothing before. With the tag tiktoken
// some numbers are estimates.
func TestNothingIsRemembered(t *testing.T) {
	var requests [][]byte
	for _, value := range []string{"short", strings.Repeat("some \\u001b text</k> ", 40), strings.Repeat("many words ", 10_000)} {
		for _, policy := range []string{`{}`, `{"maxValueTokens":30}`, `{"tokenizer":"o200k_base","maxValueTokens":30}`, `{"tokenizer":"cl100k_base","maxTotalTokens":60}`,
			`{"maxValueTokens":30,"strictBudget":true}`, `{"wrapper":"attribute","controlCharacters":"strip"}`, `{"maxTotalTokens":5,"removals":"announce"}`} {
			requests = append(requests, []byte(`{"store":{"k":{"value":"before","kind":"application"},"l":{"value":"gone","kind":"untrusted"}},`+
				`"additionalContext":{"k":{"value":"`+value+`","kind":"untrusted"}},"policy":`+policy+`}`))
		}
	}
	want := make([][]byte, len(requests))
	for i, request := range requests {
		var core turn.Core
		want[i] = bytes.Clone(core.Call(abi.FunctionMerge, request))
	}
	var core turn.Core
	for i := range requests {
		for j := range requests {
			core.Call(abi.FunctionMerge, requests[i])
			if got := core.Call(abi.FunctionMerge, requests[j]); !bytes.Equal(got, want[j]) {
				t.Fatalf("after %.300s\n%.300s answers %s, want %s", requests[i], requests[j], got, want[j])
			}
		}
	}
}

// What is wrong is told once: neither names nor values are kept after it, and a
// long path is written once.
func TestRefusalsAreCheap(t *testing.T) {
	var repeated strings.Builder
	for i := range 2000 {
		name := strconv.Itoa(9999 - i)
		repeated.WriteString(`,"` + name + `":0,"` + name + `":0`)
	}
	for name, request := range map[string]string{
		"repeated names under a long key": `{"additionalContext":{"` + strings.Repeat("k", 1<<20) + `":{"value":"v","kind":"untrusted"` + repeated.String() + `}}}`,
		"wrong entries":                   `{"additionalContext":{` + strings.Repeat(`"":0,`, 1<<19) + `"":0}}`,
	} {
		var core turn.Core
		got := core.Call(abi.FunctionMerge, []byte(request))
		if !bytes.HasPrefix(got, []byte(`{"error":{"kind":"invalid_params"`)) {
			t.Errorf("%s: %.200s", name, got)
		}
		if n := testing.AllocsPerRun(1, func() { core.Call(abi.FunctionMerge, []byte(request)) }); n > 60 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
