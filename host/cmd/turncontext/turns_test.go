package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// The params of a turn/start and a turn/steer, and the states before and after.
const (
	startParams = `{"threadId":"t","input":[{"type":"text","text":"a <b> & c"}],"additionalContext":{"ci":{"value":"red","kind":"untrusted"}}}`
	steerParams = `{"threadId":"t","expectedTurnId":"u","input":[{"type":"text","text":"now?"}]}`

	idleState    = `{"version":1,"threadId":"t","activeTurn":null,"additionalContext":{}}` + "\n"
	startedState = `{"version":1,"threadId":"t","activeTurn":{"id":"u","kind":"regular"},"additionalContext":{"ci":{"value":"red","kind":"untrusted"}}}` + "\n"
	steeredState = `{"version":1,"threadId":"t","activeTurn":{"id":"u","kind":"regular"},"additionalContext":{}}` + "\n"

	contextInput = `{"source":"additionalContext","key":"ci","kind":"untrusted","hidden":true,"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"<external_ci>red</external_ci>"}]}}`
	userInput    = `{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"a <b> & c"}]}}`
	addedReceipt = `{"key":"ci","kind":"untrusted","change":"added","tokens":8,"warnings":[]}`

	startedAnswer = `{"turn":{"id":"u","steered":false},"inputs":[` + contextInput + `,` + userInput + `],"receipts":[` + addedReceipt + "]}\n"
	steeredAnswer = `{"turn":{"id":"u","steered":true},"inputs":[{"source":"user","hidden":false,"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"now?"}]}}],` +
		`"receipts":[{"key":"ci","kind":"untrusted","change":"removed","tokens":0,"warnings":[]}]}` + "\n"
)

// expectExactly checks all that a command wrote to standard output.
func (o outcome) expectExactly(t *testing.T, code int, stdout, stderr string) {
	t.Helper()
	o.expect(t, code, stdout, stderr)
	if o.stdout != stdout {
		t.Errorf("standard output is %q, want %q", o.stdout, stdout)
	}
}

func expectFile(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s has %q, %v, want %q", filepath.Base(path), got, err, want)
	}
}

// expectNames checks which files are in a folder.
func expectNames(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder has %q, want %q", got, want)
	}
}

func TestTurnsOnAStateFile(t *testing.T) {
	state := filepath.Join(t.TempDir(), "s.json")
	params := writeFile(t, "params.json", startParams)
	runWith(t, "", "start", "--state", state, "--turn=u", params).expectExactly(t, exitOK, startedAnswer, "")
	expectFile(t, state, startedState)
	runWith(t, steerParams, "steer", "--state", state).expectExactly(t, exitOK, steeredAnswer, "")
	expectFile(t, state, steeredState)
	runWith(t, "", "set", "--state", state, "--none", "--if-turn=v").
		expectExactly(t, exitOK, `{"activeTurn":{"id":"u","kind":"regular"}}`+"\n", "")
	expectFile(t, state, steeredState)
	runWith(t, "", "set", "--state", state, "--none", "--if-turn=u").expectExactly(t, exitOK, `{"activeTurn":null}`+"\n", "")
	expectFile(t, state, idleState)
	runWith(t, "", "set", "--state", state, "--active=r").
		expectExactly(t, exitOK, `{"activeTurn":{"id":"r","kind":"regular"}}`+"\n", "")
	runWith(t, "", "set", "--state", state, "--active=r", "--kind=review").
		expectExactly(t, exitOK, `{"activeTurn":{"id":"r","kind":"review"}}`+"\n", "")
	runWith(t, startParams, "start", "--state", state, "-").
		expect(t, exitRefused, `{"error":{"kind":"turn_not_steerable","code":-32600,`, "turncontext: turn_not_steerable: cannot steer a review turn\n")
	expectNames(t, filepath.Dir(state), "s.json", "s.json"+lockSuffix)
}

func TestStartMakesAnID(t *testing.T) {
	uuid := regexp.MustCompile(`^\{"turn":\{"id":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}","steered":false\}`)
	o := runWith(t, startParams, "start", "--state", filepath.Join(t.TempDir(), "s.json"))
	if o.code != exitOK || !uuid.MatchString(o.stdout) {
		t.Errorf("exit code is %d, standard output %q", o.code, o.stdout)
	}
}

func TestPromptHookAndPolicyFlags(t *testing.T) {
	hookInput := func(text string) string {
		return `{"source":"promptHook","hidden":true,"item":{"type":"message","role":"developer","content":[{"type":"input_text","text":"` + text + `"}]}}`
	}
	for _, test := range []struct {
		args []string
		want string // of the inputs
	}{
		{[]string{"--blocked"}, contextInput},
		{[]string{"--hook-context=a,b", "--hook-context="}, contextInput + `,` + userInput + `,` + hookInput("a,b") + `,` + hookInput("")},
		{[]string{"--blocked", "--hook-context=no", "--experimental-api"}, contextInput + `,` + hookInput("no")},
	} {
		state := filepath.Join(t.TempDir(), "s.json")
		want := `{"turn":{"id":"u","steered":false},"inputs":[` + test.want + `],"receipts":[` + addedReceipt + "]}\n"
		args := append([]string{"start", "--state", state, "--turn=u"}, test.args...)
		runWith(t, startParams, args...).expectExactly(t, exitOK, want, "")
		expectFile(t, state, startedState)
	}
	state := filepath.Join(t.TempDir(), "s.json")
	runWith(t, startParams, "start", "--state", state, "--no-experimental-api").
		expect(t, exitRefused, `{"error":{"kind":"experimental_api_required","code":-32600,`,
			"turncontext: experimental_api_required: turn/start.additionalContext requires experimentalApi capability\n")
	expectNames(t, filepath.Dir(state), "s.json"+lockSuffix)
}

// What is refused changes nothing, and the refusal is the module's.
func TestRefusedTurnsLeaveTheFile(t *testing.T) {
	for _, test := range []struct {
		args   []string
		params string
		kind   string
	}{
		{[]string{"start", "--turn="}, startParams, "invalid_params"},
		{[]string{"start"}, strings.Replace(startParams, `"t"`, `"other"`, 1), "invalid_params"},
		{[]string{"start"}, `{"threadId":"t"}`, "invalid_params"},
		{[]string{"start"}, ``, "invalid_json"},
		{[]string{"start"}, startParams + "}", "invalid_json"},
		{[]string{"start"}, `{"threadId":"t","input":[]},"policy":{"experimentalApi":true}`, "invalid_json"},
		{[]string{"start"}, "\ufeff" + startParams, "invalid_json"},
		{[]string{"start"}, strings.Replace(startParams, "red", "\xff", 1), "invalid_json"},
		{[]string{"steer"}, steerParams, "no_active_turn"},
		{[]string{"steer"}, `[]`, "invalid_params"},
		{[]string{"steer"}, `{"threadId":"t","input":[]}`, "invalid_params"},
		{[]string{"set", "--active=u", "--kind=odd"}, ``, "invalid_params"},
	} {
		const spaced = " " + idleState // not as the module writes it
		state := writeFile(t, "s.json", spaced)
		o := runWith(t, test.params, append(test.args, "--state", state)...)
		o.expect(t, exitRefused, `{"error":{"kind":"`+test.kind+`",`, "turncontext: "+test.kind+": ")
		if !json.Valid([]byte(o.stdout)) || !strings.HasSuffix(o.stdout, "}\n") {
			t.Errorf("%q: not a line of JSON: %q", test.args, o.stdout)
		}
		expectFile(t, state, spaced)
	}
}

func TestParamsTooLarge(t *testing.T) {
	state := writeFile(t, "s.json", idleState)
	var stdin spaces
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"--cache=" + cacheDir, "start", "--state", state}, &stdin, &stdout, &stderr)
	outcome{code, stdout.String(), stderr.String()}.
		expect(t, exitRefused, `{"error":{"kind":"request_too_large",`, "turncontext: request_too_large: ")
	expectFile(t, state, idleState)
}

func TestStateFileFails(t *testing.T) {
	folder := t.TempDir()
	absent := filepath.Join(folder, "absent.json")
	runWith(t, steerParams, "steer", "--state", absent).expect(t, exitFailed, "", "turncontext: stat "+absent)
	runWith(t, "", "set", "--state", absent, "--none").expect(t, exitFailed, "", "turncontext: stat "+absent)
	expectNames(t, folder) // no lock beside a mistyped name

	runWith(t, startParams, "start", "--state", filepath.Join(folder, "no", "s.json")).expect(t, exitFailed, "", "turncontext: lstat "+folder)
	runWith(t, startParams, "start", "--state", folder).expect(t, exitFailed, "", "turncontext: "+folder+": not a regular file\n")
	runWith(t, "", "start", "--state", absent, absent).expect(t, exitFailed, "", "turncontext: open "+absent)

	for _, test := range []struct{ text, problem string }{
		{"", "the state file is empty; for a new thread it must not exist yet, start makes it\n"},
		{"\n", "the state file is not JSON: unexpected end of JSON input (bytes read: 1)\n"},
		{`{"version":1`, "the state file is not JSON: unexpected end of JSON input (bytes read: 12)\n"},
		{`{"version":1,"threadId":"t"},"policy":null`, "the state file is not JSON: invalid character ',' after top-level value (bytes read: 29)\n"},
		{"{\"version\":1,\"threadId\":\"\xff\"}", "the state file is not UTF-8\n"},
		{strings.Repeat(" ", 32<<20+1), "the state file has more than 33554432 bytes\n"},
	} {
		state := writeFile(t, "s.json", test.text)
		runWith(t, startParams, "start", "--state", state).expect(t, exitFailed, "", "turncontext: "+state+": "+test.problem)
		expectFile(t, state, test.text)
	}
	// What is JSON, the module judges.
	for _, test := range []struct{ text, kind string }{
		{`{"version":2,"threadId":"t"}`, "unsupported"},
		{`{"version":1}`, "invalid_params"},
		{`[]`, "invalid_params"},
	} {
		state := writeFile(t, "s.json", test.text)
		runWith(t, startParams, "start", "--state", state).expect(t, exitRefused, `{"error":{"kind":"`+test.kind+`",`, "turncontext: "+state+": "+test.kind)
		expectFile(t, state, test.text)
	}
	// null is a thread without a state.
	state := writeFile(t, "s.json", "null")
	runWith(t, startParams, "start", "--state", state, "--turn=u").expectExactly(t, exitOK, startedAnswer, "")
	expectFile(t, state, startedState)
}

// An answer that nobody got is as good as none.
func TestOutputFailsBeforeTheFileIsReplaced(t *testing.T) {
	for _, args := range [][]string{{"start"}, {"set", "--active=u"}} {
		state := writeFile(t, "s.json", idleState)
		args = append(args, "--cache="+cacheDir, "--state="+state)
		var stderr bytes.Buffer
		code := run(t.Context(), args, strings.NewReader(startParams), failing{}, &stderr)
		outcome{code, "", stderr.String()}.expect(t, exitFailed, "", "turncontext: out of order\n")
		expectFile(t, state, idleState)
	}
}

func TestLinkedStateFile(t *testing.T) {
	folder, elsewhere := t.TempDir(), t.TempDir()
	link, target := filepath.Join(folder, "link"), filepath.Join(elsewhere, "s.json")
	for from, to := range map[string]string{
		link:                               filepath.Join(elsewhere, "second"),
		filepath.Join(elsewhere, "second"): "s.json",
	} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	// The file at the end of the links is made, then replaced; the links stay.
	runWith(t, startParams, "start", "--state", link, "--turn=u").expectExactly(t, exitOK, startedAnswer, "")
	expectFile(t, target, startedState)
	runWith(t, steerParams, "steer", "--state", link).expectExactly(t, exitOK, steeredAnswer, "")
	expectFile(t, target, steeredState)
	expectNames(t, folder, "link")
	expectNames(t, elsewhere, "s.json", "s.json"+lockSuffix, "second")

	loop := filepath.Join(folder, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	runWith(t, startParams, "start", "--state", loop).expect(t, exitFailed, "", "turncontext: "+loop+": too many symbolic links\n")
}

// What a killed run left, a link even, is neither read nor written.
func TestLeftoverOfAKilledRun(t *testing.T) {
	state := filepath.Join(t.TempDir(), "s.json")
	victim := writeFile(t, "victim", "precious")
	if err := os.Symlink(victim, state+newSuffix); err != nil {
		t.Fatal(err)
	}
	runWith(t, startParams, "start", "--state", state, "--turn=u").expectExactly(t, exitOK, startedAnswer, "")
	expectFile(t, victim, "precious")
	expectNames(t, filepath.Dir(state), "s.json", "s.json"+lockSuffix)
}

func TestStateFileCannotBeReplaced(t *testing.T) {
	state := writeFile(t, "s.json", idleState)
	if err := os.MkdirAll(filepath.Join(state+newSuffix, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	runWith(t, startParams, "start", "--state", state, "--turn=u").expect(t, exitFailed, startedAnswer, "turncontext: remove "+state+newSuffix)
	expectFile(t, state, idleState)
}

// Of runs at the same time one starts the turn, and the others find it.
func TestRunsAtTheSameTime(t *testing.T) {
	t.Setenv("COLUMNS", "")
	state := filepath.Join(t.TempDir(), "s.json")
	const runs = 8
	answers := make([]string, runs)
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() {
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), []string{"--cache=" + cacheDir, "start", "--state", state}, strings.NewReader(startParams), &stdout, &stderr)
			if code != exitOK {
				t.Errorf("exit code is %d, standard error %q", code, stderr.String())
			}
			answers[i] = stdout.String()
		})
	}
	all.Wait()
	ids, started := map[string]bool{}, 0
	for _, text := range answers {
		var answer struct {
			Turn struct {
				ID      string
				Steered bool
			}
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatal(err)
		}
		ids[answer.Turn.ID] = true
		if !answer.Turn.Steered {
			started++
		}
	}
	if len(ids) != 1 || started != 1 {
		t.Errorf("%d turns, %d runs that started one", len(ids), started)
	}
}

func TestInterruptedWhileWaitingForTheLock(t *testing.T) {
	state := writeFile(t, "s.json", idleState)
	lock, err := tryLock(state + lockSuffix)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*lockInterval)
	defer cancel()
	if _, err := openStateFile(ctx, state, true); ctx.Err() == nil || err == nil {
		t.Errorf("the lock was not waited for: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := openStateFile(t.Context(), state, true)
	if err != nil {
		t.Fatal(err)
	}
	file.close()
}

func TestLockFails(t *testing.T) {
	state := writeFile(t, "s.json", idleState)
	if err := os.Mkdir(state+lockSuffix, 0o700); err != nil {
		t.Fatal(err)
	}
	runWith(t, startParams, "start", "--state", state).expect(t, exitFailed, "", "turncontext: open "+state+lockSuffix)
}

// The example in README.md is what happens.
func TestReadmeOfTheStateFile(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(example(t, "file")), "\n")
	t.Chdir(t.TempDir())
	for i := 0; i+1 < len(lines); i += 2 {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			t.Fatalf("not a command: %q", lines[i])
		}
		var stdin string
		if rest, piped := strings.CutPrefix(command, "echo '"); piped {
			stdin, command, _ = strings.Cut(rest, "' | ")
		}
		args := strings.Fields(command)[1:]
		runWith(t, stdin, args...).expectExactly(t, exitOK, lines[i+1]+"\n", "")
	}
}

// So is the table.
func TestReadmeOfTheTable(t *testing.T) {
	command, want, _ := strings.Cut(example(t, "table"), "\n")
	stdin, args, _ := strings.Cut(strings.TrimPrefix(command, "$ echo '"), "' | turncontext ")
	args = strings.TrimSuffix(args, " >answer.json")
	o := runWith(t, stdin, strings.Fields(args)...)
	o.expect(t, exitOK, `{"store":`, "Receipts (")
	if o.stderr != want {
		t.Errorf("got\n%swant\n%s", o.stderr, want)
	}
}

// example returns the code block in README.md that follows a name.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "<!-- example:"+name+" -->\n```")
	_, after, begun := strings.Cut(after, "\n")
	block, _, ended := strings.Cut(after, "```\n")
	if !found || !begun || !ended {
		t.Fatalf("README.md has no example %q", name)
	}
	return block
}
