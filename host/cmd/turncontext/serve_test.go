package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turncontext/turncontext/abi"
)

// counted returns ids for a session that can be told beforehand.
func counted() func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("id-%d", n)
	}
}

// serveWith runs a server, with counted ids, and returns its exit code and what
// it wrote.
func serveWith(t *testing.T, stdin io.Reader, stdout io.Writer, dir string) (int, error) {
	t.Helper()
	return runServe(t, serveCommand{Dir: dir}, stdin, stdout)
}

func runServe(t *testing.T, command serveCommand, stdin io.Reader, stdout io.Writer) (int, error) {
	t.Helper()
	e := &environment{t.Context(), stdin, stdout, io.Discard, &moduleFlags{Cache: &cacheDir}, counted()}
	err := command.Run(e)
	return exitCode(err), err
}

// hello begins a session of a client that opted in.
const hello = `{"id":0,"method":"initialize","params":{"capabilities":{"experimentalApi":true}}}` + "\n"

// helloAnswer is what a server answers.
const helloAnswer = `{"id":0,"result":{"userAgent":"turncontext/` + abi.BuildVersion + `"}}` + "\n"

// expectSession checks all that a server writes for what a client sends.
func expectSession(t *testing.T, dir, sent, want string) {
	t.Helper()
	var stdout bytes.Buffer
	if code, err := serveWith(t, strings.NewReader(sent), &stdout, dir); code != exitOK {
		t.Errorf("exit code is %d, %v", code, err)
	}
	if stdout.String() == want {
		return
	}
	got, wanted := strings.SplitAfter(stdout.String(), "\n"), strings.SplitAfter(want, "\n")
	for i := range max(len(got), len(wanted)) {
		var g, w string
		if i < len(got) {
			g = got[i]
		}
		if i < len(wanted) {
			w = wanted[i]
		}
		if g != w {
			t.Errorf("line %d is\n  %.400q, want\n  %.400q", i+1, g, w)
		}
	}
}

// The session in README.md is what happens, in memory and in a folder.
func TestReadmeOfTheServer(t *testing.T) {
	var sent, want strings.Builder
	for line := range strings.Lines(example(t, "serve")) {
		if text, ok := strings.CutPrefix(line, "> "); ok {
			sent.WriteString(text)
		} else if text, ok := strings.CutPrefix(line, "< "); ok {
			want.WriteString(text)
		} else {
			t.Fatalf("neither sent nor answered: %q", line)
		}
	}
	expectSession(t, "", sent.String(), want.String())
	expectSession(t, t.TempDir(), sent.String(), want.String())
}

// Each line, whatever it is, has its answer, and the next one is answered too.
func TestServeRefuses(t *testing.T) {
	const (
		lineNotJSON  = `{"id":null,"error":{"code":-32700,"message":"the line is not JSON"}}`
		idTwice      = `{"id":null,"error":{"code":-32600,"message":"the message has the member \"id\" twice"}}`
		badID        = `{"id":null,"error":{"code":-32600,"message":"the id is neither a string nor a number"}}`
		loneThreadID = `{"id":7,"error":{"code":-32700,"message":"threadId: a surrogate stands alone"}}`
		noMethod     = `{"id":7,"error":{"code":-32600,"message":"the message has no method"}}`
	)
	for _, test := range []struct{ line, want string }{
		{``, lineNotJSON},
		{`{"id":7,"method":`, lineNotJSON},
		{`{"id":7,"method":"turn/start"} {}`, lineNotJSON},
		{"\ufeff{}", lineNotJSON},
		{"{\"id\":7,\"method\":\"\xff\"}", lineNotJSON},
		{`[{"id":7,"method":"turn/start"}]`, `{"id":null,"error":{"code":-32600,"message":"the message is not an object"}}`},
		{`"turn/start"`, `{"id":null,"error":{"code":-32600,"message":"the message is not an object"}}`},
		{`{"id":7,"id":8,"method":"turn/start"}`, idTwice},
		{`{"id":7,"\u0069d":8,"method":"turn/start"}`, idTwice},
		{`{"id":null,"method":"turn/start"}`, badID},
		{`{"id":{},"method":"turn/start"}`, badID},
		{`{"id":true,"method":"turn/start"}`, badID},
		{`{"id":7}`, noMethod},
		{`{"id":7,"method":7}`, noMethod},
		{`{"id":7,"result":{}}`, noMethod},
		{`{"id":7,"Method":"turn/start"}`, noMethod},
		{`{"id":7,"jsonrpc":"1.0","method":"turn/start"}`, `{"id":7,"error":{"code":-32600,"message":"jsonrpc is not \"2.0\""}}`},
		{`{"id":7,"jsonrpc":2.0,"method":"turn/start"}`, `{"id":7,"error":{"code":-32600,"message":"jsonrpc is not \"2.0\""}}`},
		{`{"id":7,"method":"turn/foretell"}`, `{"id":7,"error":{"code":-32601,"message":"there is no method \"turn/foretell\""}}`},
		{`{"id":7,"method":"initialized"}`, `{"id":7,"error":{"code":-32601,"message":"there is no method \"initialized\""}}`},
		{`{"id":7,"method":"initialize"}`, `{"id":7,"error":{"code":-32600,"message":"Already initialized"}}`},
		{`{"id":7,"method":"thread/start","params":[]}`, `{"id":7,"error":{"code":-32602,"message":"params: is not an object","data":{"path":"params"}}}`},
		{`{"id":7,"method":"thread/resume"}`, `{"id":7,"error":{"code":-32602,"message":"threadId: missing","data":{"path":"threadId"}}}`},
		{`{"id":7,"method":"thread/resume","params":{"threadId":null}}`, `{"id":7,"error":{"code":-32602,"message":"threadId: expected a string","data":{"path":"threadId"}}}`},
		{`{"id":7,"method":"thread/resume","params":{"threadId":"x"}}`, `{"id":7,"error":{"code":-32600,"message":"thread not found: x"}}`},
		{`{"id":7,"method":"review/start","params":{"threadId":"../x"}}`, `{"id":7,"error":{"code":-32600,"message":"thread not found: ../x"}}`},
		{`{"id":7,"method":"turn/start","params":{"threadId":"x","input":[]}}`, `{"id":7,"error":{"code":-32600,"message":"thread not found: x"}}`},
		{`{"id":7,"method":"turn/interrupt","params":"x"}`, `{"id":7,"error":{"code":-32602,"message":"params: is not an object","data":{"path":"params"}}}`},
		{`{"id":7,"method":"turn/interrupt","params":{"threadId":"id-1"}}`, `{"id":7,"error":{"code":-32602,"message":"turnId: missing","data":{"path":"turnId"}}}`},
		{`{"id":7,"method":"turn/interrupt","params":{"threadId":"id-1","turnId":"x"}}`, `{"id":7,"error":{"code":-32600,"message":"no active turn"}}`},
		{`{"id":7,"method":"turn/steer","params":{"threadId":"id-1","expectedTurnId":"x","input":[{"type":"text","text":""}]}}`,
			`{"id":7,"error":{"code":-32600,"message":"no active turn to steer"}}`},
		{`{"id":7,"method":"thread/resume","params":{"threadId":"\ud800"}}`, loneThreadID},
		{`{"id":7,"method":"thread/reconcile","params":{"threadId":"\udc00","history":[]}}`, loneThreadID},
		{`{"id":7,"method":"thread/resume","params":{"threadId":"\\ud800\ud83d\ude42"}}`, `{"id":7,"error":{"code":-32600,"message":"thread not found: \\ud800🙂"}}`},
		{`{"id":7,"method":"turn/interrupt","params":{"threadId":"id-1","turnId":"\ud83dx"}}`,
			`{"id":7,"error":{"code":-32700,"message":"turnId: a surrogate stands alone"}}`},
		{`{"id":7,"method":"thread/reconcile","params":{"history":[]}}`, `{"id":7,"error":{"code":-32602,"message":"threadId: missing","data":{"path":"threadId"}}}`},
		{`{"id":7,"method":"thread/classify","params":{"threadId":"x"}}`, `{"id":7,"error":{"code":-32600,"message":"thread not found: x"}}`},
		{`{"id":7,"method":"guidance/read","params":[]}`, `{"id":7,"error":{"code":-32602,"message":"params: is not an object","data":{"path":"params"}}}`},
		// Notifications have no answer.
		{`{"method":"turn/foretell"}`, ``},
		{`{"method":"thread/start"}`, ``},
	} {
		sent := hello + `{"id":1,"method":"thread/start"}` + "\n" + test.line + "\n" + `{"id":2,"method":"thread/resume","params":{"threadId":"id-1"}}` + "\n"
		const thread = `{"thread":{"id":"id-1","turns":[]}}`
		want := helloAnswer + `{"id":1,"result":` + thread + "}\n" + `{"method":"thread/started","params":` + thread + "}\n"
		if test.want != "" {
			want += test.want + "\n"
		}
		expectSession(t, "", sent, want+`{"id":2,"result":`+thread+"}\n")
	}
}

// What the module refuses is answered with its code and data.
func TestServeRefusesAsTheModuleDoes(t *testing.T) {
	for _, test := range []struct {
		method, params string
		code           int
		data           string // its beginning
	}{
		{"turn/start", ``, abi.CodeInvalidParams, `{"path":"params",`},
		{"turn/start", `null`, abi.CodeInvalidParams, `{"path":"params",`},
		{"turn/start", `[]`, abi.CodeInvalidParams, `{"path":"params",`},
		{"turn/start", `{"input":[]}`, abi.CodeInvalidParams, `{"path":"threadId",`},
		{"turn/start", `{"threadId":7,"input":[]}`, abi.CodeInvalidParams, `{"path":"threadId","offset":22}`},
		{"turn/start", `{"threadId":"id-1","threadId":"id-1","input":[]}`, abi.CodeInvalidParams, `{"path":"threadId",`},
		{"turn/start", `{"ThreadId":"id-1","input":[]}`, abi.CodeInvalidParams, `{"path":"threadId",`},
		{"turn/start", `{"threadId":"id-1","input":[{"type":"song"}]}`, abi.CodeInvalidParams, `{"path":"input[0].type",`},
		{"turn/start", `{"threadId":"id-1","input":[{"type":"text","text":"\ud800"}]}`, abi.CodeInvalidJSON, `{"offset":`},
		{"turn/start", `{"threadId":"\ud800","input":[]}`, abi.CodeInvalidJSON, `{"offset":23}`},
		{"turn/steer", `{"threadId":"\udc00"}`, abi.CodeInvalidJSON, `{"offset":23}`},
		{"turn/steer", `{"threadId":"id-1","expectedTurnId":"","input":[]}`, abi.CodeInvalidRequest, ``},
		{"turn/steer", `{"threadId":7}`, abi.CodeInvalidParams, `{"path":"threadId",`},
		{"turn/steer", `{"threadId":"id-1","expectedTurnId":"x","input":[{"type":"text","text":"` + strings.Repeat("x", abi.MaxTextChars+1) + `"}]}`,
			abi.CodeInvalidParams, `{"input_error_code":"input_too_large","max_chars":1048576,"actual_chars":1048577}`},
		{"thread/reconcile", `{"threadId":"id-1"}`, abi.CodeInvalidParams, `{"path":"history",`},
		{"thread/reconcile", `{"threadId":"id-1","history":[{},7]}`, abi.CodeInvalidParams, `{"path":"history[1]","offset":15}`},
		{"thread/reconcile", `{"threadId":"id-1","history":["\udfff"]}`, abi.CodeInvalidJSON, `{"offset":`},
		{"thread/classify", `{"threadId":"id-1","items":{}}`, abi.CodeInvalidParams, `{"path":"items",`},
		{"turn/start", `{"threadId":"id-1","input":[],"x":"` + strings.Repeat("x", abi.MaxRequestBytes) + `"}`, abi.CodeInvalidParams, ``},
	} {
		sent := hello + `{"id":1,"method":"thread/start"}` + "\n" + `{"id":2,"method":"` + test.method + `"`
		if test.params != "" {
			sent += `,"params":` + test.params
		}
		var stdout bytes.Buffer
		if code, err := serveWith(t, strings.NewReader(sent+"}\n"), &stdout, ""); code != exitOK {
			t.Errorf("exit code is %d, %v", code, err)
		}
		lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
		var got response
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil {
			t.Fatal(err)
		}
		if string(got.ID) != "2" || got.Error == nil || got.Error.Code != test.code || !strings.HasPrefix(string(got.Error.Data), test.data) ||
			test.data == "" && got.Error.Data != nil {
			t.Errorf("%s %.80s: the answer is %.300s", test.method, test.params, lines[len(lines)-1])
		}
	}
}

func TestServeBeforeInitialize(t *testing.T) {
	sent := `{"id":1,"method":"thread/start"}` + "\n" +
		`{"method":"initialized"}` + "\n" +
		`{"id":2,"method":"turn/foretell"}` + "\n" +
		`{"id":3,"method":"initialize","params":7}` + "\n" +
		`{"id":4,"method":"initialize","params":{"capabilities":[]}}` + "\n" +
		`{"id":5,"method":"initialize","params":{"capabilities":{"experimentalApi":1}}}` + "\n" +
		`{"id":6,"method":"initialize","params":{"capabilities":{"optOutNotificationMethods":"x"}}}` + "\n" +
		hello
	want := `{"id":1,"error":{"code":-32600,"message":"Not initialized"}}` + "\n" +
		`{"id":2,"error":{"code":-32601,"message":"there is no method \"turn/foretell\""}}` + "\n" +
		`{"id":3,"error":{"code":-32602,"message":"params: is not an object","data":{"path":"params"}}}` + "\n" +
		`{"id":4,"error":{"code":-32602,"message":"capabilities: is not an object","data":{"path":"capabilities"}}}` + "\n" +
		`{"id":5,"error":{"code":-32602,"message":"capabilities.experimentalApi: expected a boolean","data":{"path":"capabilities.experimentalApi"}}}` + "\n" +
		`{"id":6,"error":{"code":-32602,"message":"capabilities.optOutNotificationMethods: expected an array of strings","data":{"path":"capabilities.optOutNotificationMethods"}}}` + "\n" +
		helloAnswer
	expectSession(t, "", sent, want)
}

// A client that did not opt in sends no additionalContext; null is none.
func TestServeExperimentalAPI(t *testing.T) {
	for _, capabilities := range []string{``, `,"params":null`, `,"params":{"capabilities":null}`, `,"params":{"capabilities":{"experimentalApi":false}}`} {
		sent := `{"id":0,"method":"initialize"` + capabilities + "}\n" +
			`{"id":1,"method":"thread/start"}` + "\n" +
			`{"id":2,"method":"turn/start","params":{"threadId":"id-1","input":[],"additionalContext":{}}}` + "\n" +
			`{"id":3,"method":"turn/start","params":{"threadId":"id-1","input":[],"additionalContext":null}}` + "\n" +
			`{"id":4,"method":"turn/steer","params":{"threadId":"id-1","expectedTurnId":"id-3","input":[],"additionalContext":{}}}` + "\n"
		want := helloAnswer +
			`{"id":1,"result":{"thread":{"id":"id-1","turns":[]}}}` + "\n" +
			`{"method":"thread/started","params":{"thread":{"id":"id-1","turns":[]}}}` + "\n" +
			`{"id":2,"error":{"code":-32600,"message":"turn/start.additionalContext requires experimentalApi capability"}}` + "\n" +
			`{"id":3,"result":{"turn":{"id":"id-3","items":[],"status":"inProgress","error":null}}}` + "\n" +
			`{"method":"turn/started","params":{"threadId":"id-1","turn":{"id":"id-3","items":[],"status":"inProgress","error":null}}}` + "\n" +
			`{"method":"turn/inputs","params":{"threadId":"id-1","turnId":"id-3","steered":false,"inputs":[],"receipts":[]}}` + "\n" +
			`{"id":4,"error":{"code":-32600,"message":"turn/steer.additionalContext requires experimentalApi capability"}}` + "\n"
		expectSession(t, "", sent, want)
	}
}

// A start during a turn steers it, a review or compact turn it does not, and
// what ends a turn says how.
func TestServeTurns(t *testing.T) {
	const input = `"input":[{"type":"text","text":"é <&>\u2028"}]`
	const inputs = `"inputs":[{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"é <&>` + "\u2028" + `"}]}}],"receipts":[]`
	items := func(turn, item string) string {
		body := `"params":{"threadId":"id-1","turnId":"` + turn + `","item":{"type":"userMessage","id":"` + item + `","content":[{"type":"text","text":"é <&>\u2028"}]}}}` + "\n"
		return `{"method":"item/started",` + body + `{"method":"item/completed",` + body
	}
	turn := func(id, status string) string {
		return `{"id":"` + id + `","items":[],"status":"` + status + `","error":null}`
	}
	of := func(method, id, status string) string {
		return `{"method":"` + method + `","params":{"threadId":"id-1","turn":` + turn(id, status) + "}}\n"
	}
	steps := []struct{ sent, want string }{
		{`{"id":"\u0061","method":"thread/start"}`,
			`{"id":"\u0061","result":{"thread":{"id":"id-1","turns":[]}}}` + "\n" + `{"method":"thread/started","params":{"thread":{"id":"id-1","turns":[]}}}` + "\n"},
		{`{"params":{"threadId":"id-1",` + input + `},"method":"turn/start","id":1.0e0}`,
			`{"id":1.0e0,"result":{"turn":` + turn("id-2", "inProgress") + "}}\n" + of("turn/started", "id-2", "inProgress") +
				`{"method":"turn/inputs","params":{"threadId":"id-1","turnId":"id-2","steered":false,` + inputs + "}}\n" + items("id-2", "id-3")},
		{` {"id": -2, "method":"turn/start","params":{"threadId":"id-1",` + input + "}}\r",
			`{"id":-2,"result":{"turn":` + turn("id-2", "inProgress") + "}}\n" +
				`{"method":"turn/inputs","params":{"threadId":"id-1","turnId":"id-2","steered":true,` + inputs + "}}\n" + items("id-2", "id-5")},
		{`{"id":3,"method":"turn/steer","params":{"threadId":"id-1","expectedTurnId":"id-2",` + input + `}}`,
			`{"id":3,"result":{"turnId":"id-2"}}` + "\n" +
				`{"method":"turn/inputs","params":{"threadId":"id-1","turnId":"id-2","steered":true,` + inputs + "}}\n" + items("id-2", "id-6")},
		{`{"id":4,"method":"thread/resume","params":{"threadId":"id-1"}}`,
			`{"id":4,"result":{"thread":{"id":"id-1","turns":[` + turn("id-2", "inProgress") + "]}}}\n"},
		{`{"id":5,"method":"review/start","params":{"threadId":"id-1"}}`, `{"id":5,"error":{"code":-32600,"message":"the turn ` + "`id-2`" + ` is active"}}` + "\n"},
		{`{"id":6,"method":"turn/interrupt","params":{"threadId":"id-1","turnId":"id-9"}}`,
			`{"id":6,"error":{"code":-32600,"message":"expected active turn id ` + "`id-9` but found `id-2`" + `"}}` + "\n"},
		{`{"id":7,"method":"turn/complete","params":{"threadId":"id-1","turnId":"id-2"}}`,
			`{"id":7,"result":{}}` + "\n" + of("turn/completed", "id-2", "completed")},
		{`{"id":8,"method":"review/start","params":{"threadId":"id-1"}}`,
			`{"id":8,"result":{"turn":` + turn("id-7", "inProgress") + `,"reviewThreadId":"id-1"}}` + "\n" + of("turn/started", "id-7", "inProgress")},
		{`{"id":9,"method":"turn/steer","params":{"threadId":"id-1","expectedTurnId":"id-7",` + input + `}}`,
			`{"id":9,"error":{"code":-32600,"message":"cannot steer a review turn","data":{"message":"cannot steer a review turn",` +
				`"codexErrorInfo":{"activeTurnNotSteerable":{"turnKind":"review"}},"additionalDetails":null}}}` + "\n"},
		{`{"id":10,"method":"turn/interrupt","params":{"threadId":"id-1","turnId":"id-7"}}`,
			`{"id":10,"result":{}}` + "\n" + of("turn/completed", "id-7", "interrupted")},
		{`{"id":11,"method":"thread/compact/start","params":{"threadId":"id-1"}}`, `{"id":11,"result":{}}` + "\n" + of("turn/started", "id-8", "inProgress")},
		{`{"id":12,"method":"turn/start","params":{"threadId":"id-1",` + input + `}}`,
			`{"id":12,"error":{"code":-32600,"message":"cannot steer a compact turn","data":{"message":"cannot steer a compact turn",` +
				`"codexErrorInfo":{"activeTurnNotSteerable":{"turnKind":"compact"}},"additionalDetails":null}}}` + "\n"},
	}
	sent, want := hello, helloAnswer
	for _, step := range steps {
		sent, want = sent+step.sent+"\n", want+step.want
	}
	expectSession(t, "", strings.TrimSuffix(sent, "\n"), want) // the last line without its end
	expectSession(t, t.TempDir(), sent, want)
}

// What a history lost is told again, and kept as a turn is.
func TestServeReconcile(t *testing.T) {
	dir := t.TempDir()
	const (
		start  = `{"id":2,"method":"turn/start","params":{"threadId":"id-1","input":[],"additionalContext":{"ci":{"value":"red","kind":"untrusted"}}}}` + "\n"
		turn   = `{"id":"id-2","items":[],"status":"inProgress","error":null}`
		lost   = `{"inputs":[` + contextInput + `],"receipts":[` + restoredReceipt + `]}`
		kept   = `{"inputs":[],"receipts":[` + unchangedReceipt + `]}`
		record = `{"turn":{"id":"id-2","steered":false},"inputs":[` + contextInput + `],"receipts":[` + addedReceipt + `]}` + "\n"
	)
	expectSession(t, dir, hello+`{"id":1,"method":"thread/start"}`+"\n"+start+
		`{"id":3,"method":"thread/reconcile","params":{"history":[],"threadId":"id-1"}}`+"\n"+
		`{"id":4,"method":"thread/reconcile","params":{"threadId":"id-1","history":`+history+`}}`+"\n"+
		`{"id":5,"method":"thread/classify","params":{"threadId":"id-1","items":[{"role":"developer","content":"<ci>x</ci>"},{}]}}`+"\n",
		helloAnswer+`{"id":1,"result":{"thread":{"id":"id-1","turns":[]}}}`+"\n"+
			`{"method":"thread/started","params":{"thread":{"id":"id-1","turns":[]}}}`+"\n"+
			`{"id":2,"result":{"turn":`+turn+`}}`+"\n"+
			`{"method":"turn/started","params":{"threadId":"id-1","turn":`+turn+`}}`+"\n"+
			`{"method":"turn/inputs","params":{"threadId":"id-1","turnId":"id-2","steered":false,"inputs":[`+contextInput+`],"receipts":[`+addedReceipt+`]}}`+"\n"+
			`{"id":3,"result":`+lost+`}`+"\n"+
			`{"id":4,"result":`+kept+`}`+"\n"+
			`{"id":5,"result":{"items":[{"hidden":true,"key":"ci","kind":"application"},{"hidden":false}]}}`+"\n")
	expectFile(t, filepath.Join(dir, "id-1.history.jsonl"), record+lost+"\n"+kept+"\n")
}

// The policy of a server is that of all its threads; whether the client opted
// in, it says itself.
func TestServePolicy(t *testing.T) {
	const element = `<external_context source=\"ci\">red</external_context>`
	sent := hello + `{"id":1,"method":"thread/start"}` + "\n" +
		`{"id":2,"method":"turn/start","params":{"threadId":"id-1","input":[],"additionalContext":{"ci":{"value":"red","kind":"untrusted"}}}}` + "\n" +
		`{"id":3,"method":"thread/reconcile","params":{"threadId":"id-1","history":[{"role":"user","content":"` + element + `"}]}}` + "\n" +
		`{"id":4,"method":"thread/classify","params":{"threadId":"id-1","items":[{"role":"user","content":"` + element + `"}]}}` + "\n" +
		`{"id":5,"method":"guidance/read"}` + "\n"
	safe := serveCommand{policyFlags: policyFlags{Safe: true}}
	var stdout bytes.Buffer
	code, err := runServe(t, safe, strings.NewReader(sent), &stdout)
	for _, want := range []string{
		`"text":"` + element + `"`, `{"id":3,"result":{"inputs":[],"receipts":[` + unchangedReceipt + `]}}`,
		`{"id":4,"result":{"items":[{"hidden":true,"key":"ci","kind":"untrusted"}]}}`, `{"id":5,"result":{"text":"`, `<external_context source=\"NAME\">`,
	} {
		if code != exitOK || !strings.Contains(stdout.String(), want) {
			t.Errorf("%s is not answered, exit code %d, %v:\n%s", want, code, err, stdout.String())
		}
	}
	stdout.Reset()
	code, err = runServe(t, safe, strings.NewReader(strings.Replace(sent, "true", "false", 1)), &stdout)
	if code != exitOK || !strings.Contains(stdout.String(), "turn/start.additionalContext requires experimentalApi capability") {
		t.Errorf("exit code is %d, %v, standard output %s", code, err, stdout.String())
	}
}

// A policy that the module refuses is told before a client says anything, and
// before a folder is made.
func TestServeRefusesItsPolicy(t *testing.T) {
	for text, problem := range map[string]string{
		`{"a b":1}`:                         `invalid_params: policy["a b"]: unknown field`,
		`[]`:                                "invalid_params: policy: expected an object",
		`{"maxValueTokens":-1}`:             "invalid_params: policy.maxValueTokens: ",
		`{"preset":"x"}`:                    "invalid_params: policy.preset: ",
		`{"preset":"safe","preset":"safe"}`: "invalid_params: policy.preset: repeated name",
		`{"tokenizer":"o200k_base"}`:        "unsupported: policy.tokenizer: ",
	} {
		policy, dir := writeFile(t, "p.json", text), filepath.Join(t.TempDir(), "threads")
		runWith(t, hello, "serve", "--dir", dir, "--policy", policy).expect(t, exitRefused, "", "turncontext: "+policy+": "+problem)
		expectNames(t, filepath.Dir(dir))
	}
	for _, text := range []string{`{}`, `null`, `{"maxValueTokens":1}`} {
		runWith(t, hello, "serve", "--policy", writeFile(t, "p.json", text)).expectExactly(t, exitOK, helloAnswer, "")
	}
	runWith(t, hello, "serve", "--tiktoken", "--policy", writeFile(t, "p.json", `{"tokenizer":"o200k_base"}`)).expectExactly(t, exitOK, helloAnswer, "")
}

func TestLoneSurrogate(t *testing.T) {
	for text, want := range map[string]bool{
		`"a"`: false, `"\u00e9"`: false, `"\ud83d\ude42"`: false, `"\uD83D\uDE42\ud83d\ude42"`: false, `"\\ud83d"`: false, `"\\\\udc00"`: false,
		`"\ud83d"`: true, `"\ude42"`: true, `"\ude42\ud83d"`: true, `"\ud83d\ud83d\ude42"`: true, `"\ud83d\\ude42"`: true, `"\\\ud83d"`: true,
		`"\ud83d\n"`: true, `"\ud83d\ude42\udbff"`: true,
	} {
		if got := loneSurrogate([]byte(text)); got != want {
			t.Errorf("%s: got %t", text, got)
		}
	}
}

// A local image stands in turn/inputs as the model would see it, in the item
// as the client sent it.
func TestServeLocalImage(t *testing.T) {
	path := writeFile(t, "p.gif", "GIF89a")
	input := fmt.Sprintf(`[{"type":"localImage","path":%q},{"type":"mention","name":"n","path":"p"}]`, path)
	sent := hello + `{"id":1,"method":"thread/start"}` + "\n" + `{"id":2,"method":"turn/start","params":{"threadId":"id-1","input":` + input + "}}\n"
	var stdout bytes.Buffer
	if code, err := serveWith(t, strings.NewReader(sent), &stdout, ""); code != exitOK {
		t.Fatalf("exit code is %d, %v", code, err)
	}
	lines := strings.Split(stdout.String(), "\n")
	var told struct {
		Method string
		Params struct{ Inputs []abi.Input }
	}
	if err := json.Unmarshal([]byte(lines[5]), &told); err != nil || told.Method != "turn/inputs" || len(told.Params.Inputs) != 1 {
		t.Fatalf("the line is %s, %v", lines[5], err)
	}
	got, err := encode(told.Params.Inputs[0])
	if err != nil {
		t.Fatal(err)
	}
	want, err := encode(abi.Input{
		Source: abi.SourceUser,
		Item: abi.Item{Type: "message", Role: "user", Content: []abi.Content{
			{Type: abi.TextContent, Text: `<image name=[Image #1] path="` + path + `">`},
			{Type: abi.ImageContent, ImageURL: "data:image/gif;base64,R0lGODlh", Detail: "high"},
			{Type: abi.TextContent, Text: "</image>"},
		}},
		Unresolved: []abi.Unresolved{{At: 3, Type: abi.MentionInput, Name: "n", Path: "p"}},
	})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the model sees %s, want %s, %v", got, want, err)
	}
	if !strings.Contains(lines[6], `"content":`+input) {
		t.Errorf("the item is %s", lines[6])
	}
}

// From the first message with the member jsonrpc on, the server's have it.
func TestServeVersionMember(t *testing.T) {
	sent := `{"id":1,"method":"thread/start"}` + "\n" +
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"optOutNotificationMethods":["x","thread/started"]}}}` + "\n" +
		`{"id":1,"method":"thread/start"}` + "\n" +
		`{"id":2,"method":"review/start","params":{"threadId":"id-1"}}` + "\n"
	want := `{"id":1,"error":{"code":-32600,"message":"Not initialized"}}` + "\n" +
		`{"jsonrpc":"2.0",` + helloAnswer[1:] +
		`{"jsonrpc":"2.0","id":1,"result":{"thread":{"id":"id-1","turns":[]}}}` + "\n" + // opted out of what follows
		`{"jsonrpc":"2.0","id":2,"result":{"turn":{"id":"id-2","items":[],"status":"inProgress","error":null},"reviewThreadId":"id-1"}}` + "\n" +
		`{"jsonrpc":"2.0","method":"turn/started","params":{"threadId":"id-1","turn":{"id":"id-2","items":[],"status":"inProgress","error":null}}}` + "\n"
	expectSession(t, "", sent, want)
}

func TestServeLineTooLong(t *testing.T) {
	long := `{"id":1,"method":"` + strings.Repeat("x", maxLine) + `"}` + "\n"
	refused := fmt.Sprintf(`{"id":null,"error":{"code":-32600,"message":"the line has more than %d bytes"}}`+"\n", maxLine)
	expectSession(t, "", long+hello+strings.TrimSuffix(long, "\n"), refused+helloAnswer+refused)

	// Endless, it takes no more memory than the longest line.
	var stdout bytes.Buffer
	stdin := io.MultiReader(io.LimitReader(new(spaces), 20*maxLine), strings.NewReader("\n"+hello))
	if code, err := serveWith(t, stdin, &stdout, ""); code != exitOK || stdout.String() != refused+helloAnswer {
		t.Errorf("exit code is %d, %v, standard output %.200q", code, err, stdout.String())
	}
}

func TestServeInputOrOutputFails(t *testing.T) {
	broken := io.MultiReader(strings.NewReader(hello), failing{})
	var stdout bytes.Buffer
	if code, err := serveWith(t, broken, &stdout, ""); code != exitFailed || !errors.Is(err, errOutOfOrder) || stdout.String() != helloAnswer {
		t.Errorf("exit code is %d, %v, standard output %q", code, err, stdout.String())
	}
	if code, err := serveWith(t, strings.NewReader(hello+hello), failing{}, ""); code != exitFailed || !errors.Is(err, errOutOfOrder) {
		t.Errorf("exit code is %d, %v", code, err)
	}
}

// An interrupt ends a server that waits, with exit code 0.
func TestServeInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	stdin, client := io.Pipe()
	stdout, server := io.Pipe()
	ended := make(chan int)
	go func() {
		var stderr bytes.Buffer
		ended <- run(ctx, []string{"--cache=" + cacheDir, "serve"}, stdin, server, &stderr)
	}()
	if _, err := io.WriteString(client, hello); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, len(helloAnswer))
	if _, err := io.ReadFull(stdout, answer); err != nil || string(answer) != helloAnswer {
		t.Fatalf("the answer is %q, %v", answer, err)
	}
	interrupt()
	select {
	case code := <-ended:
		if code != exitOK {
			t.Errorf("exit code is %d", code)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server goes on")
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
}

// A server goes on with what another one kept.
func TestServeGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "threads")
	start := func(id int, value string) string {
		return fmt.Sprintf(`{"id":%d,"method":"turn/start","params":{"threadId":"id-1","input":[],"additionalContext":{"ci":{"value":%q,"kind":"untrusted"}}}}`+"\n", id, value)
	}
	var stdout bytes.Buffer
	if code, err := serveWith(t, strings.NewReader(hello+`{"id":1,"method":"thread/start"}`+"\n"+start(2, "red")), &stdout, dir); code != exitOK {
		t.Fatalf("exit code is %d, %v", code, err)
	}
	const record = `{"turn":{"id":"id-2","steered":false},"inputs":[` + contextInput + `],"receipts":[` + addedReceipt + `]}` + "\n"
	const state = `{"version":1,"threadId":"id-1","activeTurn":{"id":"id-2","kind":"regular"},"additionalContext":{"ci":{"value":"red","kind":"untrusted"}}}`
	expectFile(t, filepath.Join(dir, "id-1.json"), fmt.Sprintf(`{"history":%d,"state":%s}`+"\n", len(record), state))
	expectFile(t, filepath.Join(dir, "id-1.history.jsonl"), record)

	// What was never answered is gone, what is not a thread stays.
	for name, text := range map[string]string{
		"id-1.history.jsonl":    record + `{"turn":{"id":"half`,
		"id-1.json" + newSuffix: "half",
		"notes.txt":             "mine",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	expectSession(t, dir, hello+
		`{"id":1,"method":"thread/resume","params":{"threadId":"id-1"}}`+"\n"+
		`{"id":2,"method":"turn/steer","params":{"threadId":"id-1","expectedTurnId":"id-2","input":[{"type":"text","text":""}],"additionalContext":{"ci":{"value":"red","kind":"untrusted"}}}}`+"\n",
		helloAnswer+
			`{"id":1,"result":{"thread":{"id":"id-1","turns":[{"id":"id-2","items":[],"status":"inProgress","error":null}]}}}`+"\n"+
			`{"id":2,"result":{"turnId":"id-2"}}`+"\n"+
			`{"method":"turn/inputs","params":{"threadId":"id-1","turnId":"id-2","steered":true,"inputs":[{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[{"type":"input_text","text":""}]}}],`+
			`"receipts":[{"key":"ci","kind":"untrusted","change":"unchanged","tokens":0,"warnings":[]}]}}`+"\n"+
			`{"method":"item/started","params":{"threadId":"id-1","turnId":"id-2","item":{"type":"userMessage","id":"id-1","content":[{"type":"text","text":""}]}}}`+"\n"+
			`{"method":"item/completed","params":{"threadId":"id-1","turnId":"id-2","item":{"type":"userMessage","id":"id-1","content":[{"type":"text","text":""}]}}}`+"\n")
	expectFile(t, filepath.Join(dir, "id-1.history.jsonl"), record+
		`{"turn":{"id":"id-2","steered":true},"inputs":[{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[{"type":"input_text","text":""}]}}],`+
		`"receipts":[{"key":"ci","kind":"untrusted","change":"unchanged","tokens":0,"warnings":[]}]}`+"\n")
	expectNames(t, dir, "id-1.history.jsonl", "id-1.json", "lock", "notes.txt")
}

func TestServeFolderFails(t *testing.T) {
	serve := func(dir, problem string) {
		t.Helper()
		code := exitFailed
		if strings.Contains(problem, ": turncontext: ") {
			code = exitRefused // by the module
		}
		runWith(t, hello, "serve", "--dir", dir).expect(t, code, "", "turncontext: "+problem)
	}
	file := writeFile(t, "file", "")
	serve(file, "mkdir "+file)

	for _, test := range []struct{ text, problem string }{
		{``, "EOF"},
		{`{"history":0}`, "turncontext: invalid_params: state: "},
		{`{"history":0,"state":{"version":2,"threadId":"a"}}`, "turncontext: unsupported: "},
		{`{"history":0,"state":{},"more":1}`, "json: unknown field"},
		{`{"history":0,"state":{"version":1,"threadId":"other"}}`, `the state is of the thread "other"`},
		{`{"history":9,"state":{"version":1,"threadId":"a"}}`, "stat "},
		{`{"history":-1,"state":{"version":1,"threadId":"a"}}`, "the history cannot have -1 bytes"},
	} {
		thread := writeFile(t, "a.json", test.text)
		serve(filepath.Dir(thread), thread+": "+test.problem)
		expectFile(t, thread, test.text)
	}
	thread := writeFile(t, "a.json", `{"history":9,"state":{"version":1,"threadId":"a"}}`)
	if err := os.WriteFile(filepath.Join(filepath.Dir(thread), "a.history.jsonl"), []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	serve(filepath.Dir(thread), thread+": the history has 6 bytes, not 9\n")

	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a.json"+newSuffix, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	serve(dir, "remove "+filepath.Join(dir, "a.json"+newSuffix))

	taken, err := openFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	serve(taken.dir, "lock "+filepath.Join(taken.dir, folderLock)+": another process is using it\n")
	taken.close()
}

// Where a turn cannot be kept it is not answered as if it were, and the server
// ends.
func TestServeCannotKeep(t *testing.T) {
	for _, inTheWay := range []string{"id-1.json" + newSuffix, "id-1.history.jsonl"} {
		dir := t.TempDir()
		stdin, client := io.Pipe()
		stdout, server := io.Pipe()
		ended := make(chan error)
		go func() {
			_, err := serveWith(t, stdin, server, dir)
			_ = server.Close() // never fails
			ended <- err
		}()
		go func() {
			_, _ = io.WriteString(client, hello+`{"id":1,"method":"thread/start"}`+"\n")
		}()
		thread := `{"thread":{"id":"id-1","turns":[]}}`
		begun := make([]byte, len(helloAnswer+`{"id":1,"result":}`+"\n"+`{"method":"thread/started","params":}`+"\n")+2*len(thread))
		if _, err := io.ReadFull(stdout, begun); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, inTheWay, "full"), 0o700); err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = io.WriteString(client, `{"id":2,"method":"turn/start","params":{"threadId":"id-1","input":[]}}`+"\n"+hello)
		}()
		rest, err := io.ReadAll(stdout)
		if err != nil || !strings.HasPrefix(string(rest), `{"id":2,"error":{"code":-32603,"message":"the thread was not kept: `) || bytes.Count(rest, []byte("\n")) != 1 {
			t.Errorf("the server writes %q, %v", rest, err)
		}
		if err := <-ended; !errors.Is(err, errNotKept) || exitCode(err) != exitFailed {
			t.Errorf("the server ends with %v", err)
		}
		_ = client.Close() // never fails
	}
}
