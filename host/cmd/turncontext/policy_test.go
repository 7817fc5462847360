package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

const (
	safeAnswer = `{"store":{"ci":{"value":"ok","kind":"untrusted"}},` +
		`"inputs":[{"source":"additionalContext","key":"ci","kind":"untrusted","hidden":true,` +
		`"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"<external_context source=\"ci\">ok</external_context>"}]}}],` +
		`"receipts":[{"key":"ci","kind":"untrusted","change":"added","tokens":13,"warnings":[]}]}` + "\n"
	zeroPolicy = " { \"maxValueTokens\" : 0 }\n"
)

func TestPolicyFlags(t *testing.T) {
	file := writeFile(t, "policy.json", zeroPolicy)
	cut := strings.NewReplacer(`>ok<`, `>…1 tokens truncated…<`, `"tokens":8`, `"tokens":13`,
		`"warnings"`, `"truncated":{"originalTokens":1,"removedTokens":1},"warnings"`).Replace(goodAnswer)
	runWith(t, goodRequest, "merge", "--safe").expectExactly(t, exitOK, safeAnswer, "")
	runWith(t, goodRequest, "merge", "--policy", file).expectExactly(t, exitOK, cut, "")
	runWith(t, goodRequest, "merge", "--policy", writeFile(t, "p", "null")).expectExactly(t, exitOK, goodAnswer, "")
	runWith(t, goodRequest, "merge", "--safe", "--policy", writeFile(t, "p", "null")).expectExactly(t, exitOK, safeAnswer, "")
	// A strict budget of 0 leaves nothing of the value.
	runWith(t, goodRequest, "merge", "--policy", file, "--safe").
		expectExactly(t, exitOK, strings.NewReplacer(`\">ok<`, `\"><`,
			`"warnings"`, `"truncated":{"originalTokens":1,"removedTokens":1},"warnings"`).Replace(safeAnswer), "")
}

// A policy comes from one place, and a field of it too.
func TestPolicyFlagsMeet(t *testing.T) {
	withPolicy := strings.Replace(goodRequest, `{`, `{"\u0070olicy":null,`, 1)
	const twice = "turncontext: the request has a policy, and so has the command line\n"
	runWith(t, withPolicy, "merge").expectExactly(t, exitOK, goodAnswer, "")
	runWith(t, withPolicy, "merge", "--safe").expect(t, exitUsage, "", twice)
	runWith(t, `{"items":[],"policy":{}}`, "classify", "--safe").expect(t, exitUsage, "", twice)
	runWith(t, `{"store":{},"history":[],"policy":{}}`, "reconcile", "--safe").expect(t, exitUsage, "", twice)

	field := func(file, name, setter string) string {
		return "turncontext: the policy in " + file + " has the field " + name + ", which " + setter + "\n"
	}
	const byFlag = "the command line sets"
	preset := writeFile(t, "preset.json", `{"preset":"reference"}`)
	runWith(t, goodRequest, "merge", "--safe", "--policy", preset).expect(t, exitUsage, "", field(preset, "preset", byFlag))
	experimental := writeFile(t, "experimental.json", `{"experimentalApi":false}`)
	state := filepath.Join(t.TempDir(), "s.json")
	runWith(t, startParams, "start", "--state", state, "--policy", experimental, "--no-experimental-api").
		expect(t, exitUsage, "", field(experimental, "experimentalApi", byFlag))
	runWith(t, hello, "serve", "--policy", experimental).
		expect(t, exitUsage, "", field(experimental, "experimentalApi", "the client sets with initialize"))
	runWith(t, startParams, "start", "--state", state, "--policy", experimental).
		expect(t, exitRefused, `{"error":{"kind":"experimental_api_required",`, "turncontext: experimental_api_required: ")
}

// Params are no request: a policy in them says nothing, with the flags or
// without. Nor is a history, which is an array.
func TestPolicyInParams(t *testing.T) {
	for _, flags := range [][]string{nil, {"--safe"}} {
		var answers []string
		for _, member := range []string{`{`, `{"policy":{"a b":1},`} {
			state := filepath.Join(t.TempDir(), "s.json")
			started := runWith(t, strings.Replace(startParams, `{`, member, 1), append([]string{"start", "--turn=u", "--state", state}, flags...)...)
			steered := runWith(t, strings.Replace(steerParams, `{`, member, 1), append([]string{"steer", "--state", state}, flags...)...)
			if started.code != exitOK || steered.code != exitOK {
				t.Errorf("exit codes are %d and %d, standard errors %q and %q", started.code, steered.code, started.stderr, steered.stderr)
			}
			answers = append(answers, started.stdout+steered.stdout)
			expectFile(t, state, steeredState)
		}
		if answers[0] != answers[1] {
			t.Errorf("%q: the answers are %q", flags, answers)
		}
	}
	state := writeFile(t, "s.json", startedState)
	runWith(t, `{"history":[],"policy":{}}`, "reconcile", "--state", state, "--safe").
		expect(t, exitRefused, `{"error":{"kind":"invalid_params",`, "turncontext: invalid_params: history: ")
}

// Each help text tells what holds for its command.
func TestPolicyHelp(t *testing.T) {
	const (
		described = "abi/README.md describes the policy."
		ofRequest = "a request that has a policy of its own beside --policy or --safe"
		ofParams  = `a member "policy" in them is ignored`
		ofHistory = "an array of the items that are left, and has no policy"
	)
	for command, want := range map[string][]string{
		"start": {described, ofParams}, "steer": {described, ofParams}, "reconcile": {described, ofRequest, ofHistory},
		"merge": {described, ofRequest}, "classify": {described, ofRequest},
		"serve": {described}, "guidance": {described}, "demo": {described},
		"set": nil, "describe": nil, "tokens": nil, "conform": nil,
	} {
		help := strings.Join(strings.Fields(runBare(t, "", command, "--help").stdout), " ")
		for _, sentence := range []string{described, ofRequest, ofParams, ofHistory} {
			if strings.Contains(help, sentence) != slices.Contains(want, sentence) {
				t.Errorf("%s: %q stands in the help text: %t", command, sentence, strings.Contains(help, sentence))
			}
		}
	}
}

// What is wrong with a policy, or with a request that gets one, the module
// tells, unless it is not JSON in UTF-8.
func TestPolicyFlagsRefused(t *testing.T) {
	for _, command := range [][]string{
		{"merge"}, {"classify"}, {"reconcile"}, {"guidance"}, {"demo"}, {"start", "--state=x"}, {"steer", "--state=x"}, {"serve"},
		{"reconcile", "--state=x"},
	} {
		absent := filepath.Join(t.TempDir(), "absent")
		runWith(t, "{}", append(command, "--policy", absent)...).expect(t, exitFailed, "", "turncontext: open "+absent)
		for text, problem := range map[string]string{
			"":                 "is not JSON: unexpected end of JSON input (bytes read: 0)\n",
			"{":                "is not JSON: unexpected end of JSON input (bytes read: 1)\n",
			`{}{}`:             "is not JSON: invalid character '{' after top-level value (bytes read: 3)\n",
			"{},\"x\":{}":      "is not JSON: invalid character ',' after top-level value (bytes read: 3)\n",
			"{\"x\":\"\xff\"}": "is not UTF-8\n",
		} {
			file := writeFile(t, "p.json", text)
			runWith(t, "{}", append(command, "--policy", file)...).expect(t, exitFailed, "", "turncontext: "+file+": the policy file "+problem)
		}
	}
	for text, path := range map[string]string{
		`[]`:                           "policy",
		`{"maxValueTokens":-1}`:        "policy.maxValueTokens",
		`{"wrapper":null,"wrapper":1}`: "policy.wrapper",
		`{"keys":{"a b":{"x":1}}}`:     `policy.keys["a b"].x`,
	} {
		file := writeFile(t, "p.json", text)
		for _, flags := range [][]string{{"--policy", file}, {"--policy", file, "--safe"}} {
			for command, request := range map[string]string{"merge": `{}`, "classify": `{"items":[]}`, "guidance": ``} {
				o := runWith(t, request, append([]string{command}, flags...)...)
				o.expect(t, exitRefused, `{"error":{"kind":"invalid_params","code":-32602,"message":"`+strings.ReplaceAll(path, `"`, `\"`)+`: `,
					"turncontext: "+file+": invalid_params: "+path+": ")
			}
		}
	}
	for request, kind := range map[string]string{
		``: "invalid_json", `[]`: "invalid_request", `7`: "invalid_request", `{"a":1,"a":2}`: "invalid_params", `{"store":1}`: "invalid_params",
		"{\"a\":\"\xff\"}": "invalid_json",
	} {
		runWith(t, request, "merge", "--safe").expect(t, exitRefused, `{"error":{"kind":"`+kind+`",`, "turncontext: "+kind+": ")
	}
}

// What is wrong in a file that the command line names is told with the file;
// what is wrong in the request is not.
func TestErrorsNameTheirFile(t *testing.T) {
	state, policy := writeFile(t, "s.json", idleState), writeFile(t, "p.json", "{}")
	badState, newState := writeFile(t, "bad.json", "[]"), writeFile(t, "new.json", `{"version":2}`)
	badPolicy, unsupported := writeFile(t, "badp.json", `{"a b":1}`), writeFile(t, "exact.json", `{"tokenizer":"o200k_base"}`)
	noModule := writeFile(t, "m.wasm", "no module")
	session := writeFile(t, "session.json", `{"turns":[{"additionalContext":{}}]}`)
	badSession := writeFile(t, "bads.json", `{"turns":[{"additionalContext":{"k":{"value":"v"}}}]}`)
	for _, test := range []struct {
		stdin, stderr string
		code          int
		args          []string
	}{
		{"", noModule + ": host: not a WebAssembly file", exitFailed, []string{"describe", "--module", noModule}},
		{startParams, badState + ": invalid_params: state: ", exitRefused, []string{"start", "--state", badState}},
		{startParams, newState + ": unsupported: state: ", exitRefused, []string{"start", "--state", newState, "--policy", policy}},
		{steerParams, badState + ": invalid_params: state: ", exitRefused, []string{"steer", "--state", badState}},
		{"", badState + ": invalid_params: state: ", exitRefused, []string{"set", "--none", "--state", badState}},
		{noHistory, badState + ": invalid_params: state: ", exitRefused, []string{"reconcile", "--state", badState}},
		{noHistory, badPolicy + `: invalid_params: policy["a b"]: `, exitRefused, []string{"reconcile", "--state", state, "--policy", badPolicy}},
		{startParams, unsupported + ": unsupported: policy.tokenizer: ", exitRefused, []string{"start", "--state", state, "--policy", unsupported}},
		{`{}`, badPolicy + `: invalid_params: policy["a b"]: `, exitRefused, []string{"merge", "--policy", badPolicy}},
		{"", unsupported + ": unsupported: policy.tokenizer: ", exitRefused, []string{"guidance", "--policy", unsupported}},
		{"", unsupported + ": unsupported: policy.tokenizer: ", exitRefused, []string{"demo", session, "--policy", unsupported}},

		{startParams, "invalid_params: threadId: ", exitRefused, []string{"start", "--policy", policy, "--state",
			writeFile(t, "other.json", strings.Replace(idleState, `"t"`, `"other"`, 1))}},
		{`{}`, "invalid_params: ", exitRefused, []string{"start", "--state", state, "--policy", policy}},
		{`{"policy":{},"policy":{}}`, "invalid_params: policy: ", exitRefused, []string{"merge", "--policy", policy}},
		{`{"policy":{"a":}}`, "invalid_json: policy.a: ", exitRefused, []string{"merge", "--policy", policy}},
		{`{"policy":{"a":1}}`, "invalid_params: policy.a: ", exitRefused, []string{"merge"}},
		{`{"state":{},"history":[]}`, "invalid_params: state.version: ", exitRefused, []string{"reconcile", "--policy", policy}},
		{"", "invalid_params: additionalContext.k.kind: ", exitRefused, []string{"demo", badSession, "--policy", policy}},
	} {
		o := runWith(t, test.stdin, test.args...)
		if o.code != test.code || !strings.HasPrefix(o.stderr, "turncontext: "+test.stderr) {
			t.Errorf("%q: exit code is %d, want %d, standard error %q, want %q", test.args, o.code, test.code, o.stderr, test.stderr)
		}
		if strings.Contains(o.stdout, ".json") { // the answer is the module's
			t.Errorf("%q: standard output %q", test.args, o.stdout)
		}
	}
}

// A policy file that is too large is not taken for one that is cut off.
func TestPolicyTooLarge(t *testing.T) {
	file := writeFile(t, "p.json", "{"+strings.Repeat(" ", abi.MaxRequestBytes)+"}")
	runWith(t, "{}", "merge", "--policy", file).expect(t, exitFailed, "", "turncontext: "+file+": the policy file has more than 33554432 bytes\n")
}

// An offset in a request that got a policy is that in the request.
func TestPolicyFlagsKeepOffsets(t *testing.T) {
	const request = " \n" + badRequest + "\t \n"
	var offsets []int
	for _, args := range [][]string{{"merge"}, {"merge", "--safe"}} {
		var answer struct {
			Error struct{ Data struct{ Offset int } }
		}
		if err := json.Unmarshal([]byte(runWith(t, request, args...).stdout), &answer); err != nil {
			t.Fatal(err)
		}
		offsets = append(offsets, answer.Error.Data.Offset)
	}
	if want := strings.Index(request, `"foo"`); offsets[0] != want || offsets[1] != want {
		t.Errorf("the offsets are %d, want %d", offsets, want)
	}
}

func TestAddMembers(t *testing.T) {
	for object, want := range map[string]string{
		`{}`:                `{"a":1,"b":[]}`,
		" {\n} ":            " {\n\"a\":1,\"b\":[]}",
		`{"x":{}}`:          `{"x":{},"a":1,"b":[]}`,
		"{\"x\":\"}\" }\n ": "{\"x\":\"}\" ,\"a\":1,\"b\":[]}",
	} {
		got := addMembers([]byte(object), member{"a", json.RawMessage(`1`)}, member{"none", nil}, member{"b", json.RawMessage(`[]`)})
		if string(got) != want {
			t.Errorf("%q becomes %q, want %q", object, got, want)
		}
	}
}

func TestTurnsWithAPolicy(t *testing.T) {
	state := filepath.Join(t.TempDir(), "s.json")
	policy := writeFile(t, "p.json", `{"updates":"patch"}`)
	o := runWith(t, startParams, "start", "--state", state, "--turn=u", "--safe", "--policy", policy)
	if o.code != exitOK || !strings.Contains(o.stdout, `"text":"<external_context source=\"ci\">red</external_context>"`) {
		t.Fatalf("exit code is %d, standard output %q", o.code, o.stdout)
	}
	gone := strings.Replace(steerParams, `{`, `{"additionalContext":{"ci":null},`, 1)
	o = runWith(t, gone, "steer", "--state", state, "--safe", "--policy", policy)
	if o.code != exitOK || !strings.Contains(o.stdout, `"text":"<external_context source=\"ci\">[no longer applies]</external_context>"`) {
		t.Errorf("exit code is %d, standard output %q", o.code, o.stdout)
	}
	expectFile(t, state, steeredState)
	runWith(t, gone, "steer", "--state", state).
		expect(t, exitRefused, `{"error":{"kind":"invalid_params",`, "turncontext: invalid_params: additionalContext.ci: ")
}

const (
	noHistory = `[]`
	history   = `[{"type":"message","role":"user","content":[{"type":"input_text","text":"<external_ci>red</external_ci>"}]}]`

	unchangedReceipt = `{"key":"ci","kind":"untrusted","change":"unchanged","tokens":0,"warnings":[]}`
	restoredReceipt  = `{"key":"ci","kind":"untrusted","change":"restored","tokens":8,"warnings":[]}`
)

func TestReconcileOfAStateFile(t *testing.T) {
	state := writeFile(t, "s.json", " "+startedState)
	kept := `{"inputs":[],"receipts":[` + unchangedReceipt + "]}\n"
	runWith(t, history, "reconcile", "--state", state).expectExactly(t, exitOK, kept, "")
	expectFile(t, state, startedState)
	lost := `{"inputs":[` + contextInput + `],"receipts":[` + restoredReceipt + "]}\n"
	runWith(t, "", "reconcile", "--state", state, writeFile(t, "h.json", noHistory)).expectExactly(t, exitOK, lost, "")
	expectFile(t, state, startedState)
	// The policy of the turns is the policy to be reconciled with.
	o := runWith(t, history, "reconcile", "--state", state, "--safe")
	if o.code != exitOK || !strings.Contains(o.stdout, `"change":"restored"`) {
		t.Errorf("exit code is %d, standard output %q", o.code, o.stdout)
	}
	o = runWith(t, noHistory, "reconcile", "--state", state, "--policy", writeFile(t, "p.json", `{"maxTotalTokens":7}`))
	if o.code != exitOK || !strings.Contains(o.stdout, `"change":"dropped"`) {
		t.Errorf("exit code is %d, standard output %q", o.code, o.stdout)
	}
	expectFile(t, state, strings.Replace(startedState, `{"ci":{"value":"red","kind":"untrusted"}}`, `{}`, 1))
}

func TestReconcileRefused(t *testing.T) {
	for sent, kind := range map[string]string{
		``: "invalid_json", `[`: "invalid_json", `{}`: "invalid_params", `[1]`: "invalid_params", `[],"policy":{}`: "invalid_json",
		`[{"content":"\ud800"}]`: "invalid_json", `null`: "invalid_params",
	} {
		state := writeFile(t, "s.json", " "+startedState)
		runWith(t, sent, "reconcile", "--state", state).expect(t, exitRefused, `{"error":{"kind":"`+kind+`",`, "turncontext: "+kind+": ")
		expectFile(t, state, " "+startedState)
	}
	absent := filepath.Join(t.TempDir(), "absent.json")
	runWith(t, noHistory, "reconcile", "--state", absent).expect(t, exitFailed, "", "turncontext: stat "+absent)
	expectNames(t, filepath.Dir(absent))
}

func TestReconcileRequest(t *testing.T) {
	const store = `{"ci":{"value":"red","kind":"untrusted"}}`
	want := `{"store":` + store + `,"inputs":[` + contextInput + `],"receipts":[` + restoredReceipt + "]}\n"
	runWith(t, `{"store":`+store+`,"history":[]}`, "reconcile").expectExactly(t, exitOK, want, "")
	state := strings.TrimSpace(startedState)
	want = `{"state":` + state + `,"inputs":[],"receipts":[` + unchangedReceipt + "]}\n"
	runWith(t, `{"state":`+state+`,"history":`+history+`}`, "reconcile", "-").expectExactly(t, exitOK, want, "")
	runWith(t, `{"history":[]}`, "reconcile").expect(t, exitRefused, `{"error":{"kind":"invalid_params",`, "turncontext: invalid_params: ")
}

func TestClassify(t *testing.T) {
	const hidden = `{"items":[{"hidden":true,"key":"ci","kind":"untrusted"}]}` + "\n"
	runWith(t, `{"items":`+history+`}`, "classify").expectExactly(t, exitOK, hidden, "")
	runWith(t, "", "classify", writeFile(t, "c.json", `{"items":[{}]}`)).expectExactly(t, exitOK, `{"items":[{"hidden":false}]}`+"\n", "")
	element := `{"items":[{"role":"user","content":"<external_context source=\"ci\">red</external_context>"}]}`
	runWith(t, element, "classify", "--safe").expectExactly(t, exitOK, hidden, "")
	runWith(t, `{}`, "classify").expect(t, exitRefused, `{"error":{"kind":"invalid_params",`, "turncontext: invalid_params: items: ")
}

func TestGuidance(t *testing.T) {
	plain, safe := runWith(t, "", "guidance"), runWith(t, "", "guidance", "--safe")
	for _, o := range []outcome{plain, safe} {
		if o.code != exitOK || strings.Count(o.stdout, "\n") != 1 || !strings.HasSuffix(o.stdout, "\n") || actsOnTerminal(strings.TrimSpace(o.stdout)) != "" {
			t.Errorf("exit code is %d, standard output %q", o.code, o.stdout)
		}
	}
	if !strings.Contains(plain.stdout, "</external_NAME>") || !strings.Contains(safe.stdout, "<external_context source=") {
		t.Errorf("got %q and %q", plain.stdout, safe.stdout)
	}
}

// The table goes to the person, the answer to the program.
func TestTableFlag(t *testing.T) {
	const request = `{"additionalContext":{"ci\u001b[31m\u202e\n":{"value":"ok","kind":"untrusted"},"日本":{"value":"","kind":"application"}}}`
	plain, shown := runWith(t, request, "merge"), runWith(t, request, "merge", "--table")
	shown.expectExactly(t, exitOK, plain.stdout, "Receipts (")
	want := `Receipts (17 tokens in all)
  key               kind         change  tokens  truncated  warnings
  ci␛[31m<U+202E>␊  untrusted    added       12  -          -
  日本              application  added        5  -          -
`
	if shown.stderr != want {
		t.Errorf("got\n%swant\n%s", shown.stderr, want)
	}

	state := filepath.Join(t.TempDir(), "s.json")
	const row = "  ci   untrusted  "
	for _, step := range []struct {
		stdin, change string
		args          []string
	}{
		{startParams, "added", []string{"start", "--turn=u"}},
		{noHistory, "restored", []string{"reconcile"}},
		{steerParams, "removed", []string{"steer"}},
	} {
		o := runWith(t, step.stdin, append(step.args, "--table", "--state", state)...)
		if o.code != exitOK || !json.Valid([]byte(o.stdout)) || !strings.Contains(o.stderr, row+step.change+" ") {
			t.Errorf("%q: exit code is %d, standard output %q, standard error\n%s", step.args, o.code, o.stdout, o.stderr)
		}
	}
	o := runWith(t, `{"store":{"ci":{"value":"red","kind":"untrusted"}},"history":[]}`, "reconcile", "--table")
	if o.code != exitOK || !strings.Contains(o.stderr, "restored") {
		t.Errorf("exit code is %d, standard error\n%s", o.code, o.stderr)
	}
	// There is no table of what was refused.
	runWith(t, badRequest, "merge", "--table").expect(t, exitRefused, `{"error":`, "turncontext: invalid_params: ")
}

// A table that nobody can read does not undo what was done.
func TestTableFails(t *testing.T) {
	state := writeFile(t, "s.json", idleState)
	var stdout bytes.Buffer
	code := run(t.Context(), []string{"--cache=" + cacheDir, "start", "--turn=u", "--table", "--state", state}, strings.NewReader(startParams), &stdout, failing{})
	outcome{code, stdout.String(), ""}.expect(t, exitFailed, startedAnswer, "")
	expectFile(t, state, startedState)
}

func TestUsageErrorExitCode(t *testing.T) {
	if got := exitCode(errors.Join(usageError("x"))); got != exitUsage {
		t.Errorf("the exit code is %d", got)
	}
}

// A session may be shown under any policy, and have null entries under a patch.
func TestDemoWithAPolicy(t *testing.T) {
	o := runWith(t, "", "demo", "--safe")
	if o.code != exitOK || !strings.Contains(o.stdout, `<external_context source="browser_tab">`) || strings.Contains(o.stdout, "<external_browser_tab>") {
		t.Errorf("exit code is %d, standard error %q, standard output\n%s", o.code, o.stderr, o.stdout)
	}
	o = runWith(t, "", "demo", "--policy=../../../testdata/examples/policy.json")
	for _, want := range []string{"&lt;/external_", "…6403 tokens truncated…", "  browser_tab   untrusted    dropped         0"} {
		if o.code != exitOK || !strings.Contains(o.stdout, want) {
			t.Errorf("%q is not shown, exit code %d, standard error %q", want, o.code, o.stderr)
		}
	}
	session := writeFile(t, "s.json", `{"turns":[{"additionalContext":{"k":{"value":"v","kind":"untrusted"}}},{"additionalContext":{"k":null}}]}`)
	o = runWith(t, "", "demo", session, "--policy", writeFile(t, "p.json", `{"updates":"patch","removals":"announce"}`))
	for _, want := range []string{"  k    -         -  null\n", "<external_k>[no longer applies]</external_k>", "  k    untrusted  removed      11  -          -\n"} {
		if o.code != exitOK || !strings.Contains(o.stdout, want) {
			t.Errorf("%q is not shown, exit code %d:\n%s%s", want, o.code, o.stdout, o.stderr)
		}
	}
	runWith(t, "", "demo", session).expect(t, exitRefused, demoIntro, "turncontext: invalid_params: additionalContext.k: ")
}

func TestReceiptsTableOfEachChange(t *testing.T) {
	var receipts []abi.Receipt
	for _, change := range []abi.Change{abi.Added, abi.Changed, abi.Unchanged, abi.Removed, abi.Restored, abi.Dropped} {
		receipts = append(receipts, abi.Receipt{Key: "k", Kind: abi.Untrusted, Change: change, Tokens: 7})
	}
	shown := receiptsTable(receipts)
	for _, receipt := range receipts {
		if !strings.Contains(shown, "  k    untrusted  "+string(receipt.Change)+" ") {
			t.Errorf("%s is not shown:\n%s", receipt.Change, shown)
		}
	}
	if !strings.HasPrefix(shown, "Receipts (42 tokens in all)\n") {
		t.Errorf("got\n%s", shown)
	}
}
