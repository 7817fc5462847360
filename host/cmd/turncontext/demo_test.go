package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/testdata/examples"
)

func TestDemo(t *testing.T) {
	const golden = "testdata/demo.txt"
	o := runWith(t, "", "demo")
	o.expect(t, exitOK, "Each turn shows", "")
	if *update {
		if err := os.WriteFile(golden, []byte(o.stdout), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if o.stdout != string(want) {
		t.Errorf("the demo shows something else than %s; go test -update writes it anew, git diff shows what changed", golden)
	}
	for line := range strings.Lines(o.stdout) {
		if bad := actsOnTerminal(strings.TrimSuffix(line, "\n")); bad != "" {
			t.Errorf("%q stands in %q", bad, line)
		}
	}
}

func TestDemoOfFile(t *testing.T) {
	same := runWith(t, "", "demo", "../../../testdata/examples/session.json")
	if same != runWith(t, "", "demo") {
		t.Error("the built-in session and its file are shown differently")
	}
	folder := t.TempDir()
	absent := filepath.Join(folder, "absent")
	runWith(t, "", "demo", absent).expect(t, exitFailed, "", "turncontext: "+absent+": ")
	runWith(t, "", "demo", filepath.Join(absent, "s.json")).expect(t, exitFailed, "", "turncontext: open "+absent)
	runWith(t, "", "demo", folder).expect(t, exitFailed, "", "turncontext: "+folder+": ")
	for text, problem := range map[string]string{
		``:                               "EOF",
		`{"turns":[]}`:                   "no turns",
		`{"turns":[{"tilte":""}]}`:       "json: unknown field",
		`{"turns":[{"userInput":"a"}]}x`: "text after the JSON value",
	} {
		session := writeFile(t, "s.json", text)
		runWith(t, "", "demo", session).expect(t, exitFailed, "", "turncontext: "+session+": "+problem)
	}
}

// A session that someone else wrote reads no file outside of its folder.
func TestDemoReadsOnlyInTheSessionsFolder(t *testing.T) {
	secret := writeFile(t, "secret", "xyzzy")
	const session = `{"turns":[{"additionalContext":{"k":{"valueFile":"NAME","kind":"untrusted"}}}]}`
	path := writeFile(t, "s.json", strings.Replace(session, "NAME", "link", 1))
	if err := os.Symlink(secret, filepath.Join(filepath.Dir(path), "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "../secret", secret} {
		if err := os.WriteFile(path, []byte(strings.Replace(session, "NAME", name, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		runWith(t, "", "demo", path).expect(t, exitFailed, "", "turncontext: "+path+": turn 1: additionalContext, key \"k\": ")
	}
}

func TestDemoStopsAtARefusedTurn(t *testing.T) {
	path := writeFile(t, "s.json", `{"turns":[{"title":"fine"},{"title":"odd","additionalContext":{"k":{"value":"","kind":"odd"}}},{"title":"never"}]}`)
	o := runWith(t, "", "demo", path)
	o.expect(t, exitRefused, demoIntro, "turncontext: invalid_params: additionalContext.k.kind: ")
	if !strings.HasSuffix(o.stderr, "(turn 2, \"odd\")\n") {
		t.Errorf("%q does not name the turn", o.stderr)
	}
	if !strings.Contains(o.stdout, "Turn 1 of 3 ━━ fine\n") || strings.Contains(o.stdout, "never") {
		t.Errorf("shown were not the turns before:\n%s", o.stdout)
	}
}

// exampleTurn is a turn of the example session and what became of it.
type exampleTurn struct {
	*turn
	answer *abi.MergeResponse
}

func (e exampleTurn) receipt(key string) abi.Receipt {
	for _, r := range e.answer.Receipts {
		if r.Key == key {
			return r
		}
	}
	return abi.Receipt{}
}

func exampleTurns(t *testing.T) []exampleTurn {
	t.Helper()
	s, err := readSession(examples.Files, examples.Session)
	if err != nil {
		t.Fatal(err)
	}
	module, err := host.Open(t.Context(), host.Options{CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := module.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	e := &environment{ctx: t.Context()}
	var turns []exampleTurn
	var store abi.Store
	for i := range s.Turns {
		answer, err := e.mergeTurn(module, store, &s.Turns[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		store = answer.Store
		turns = append(turns, exampleTurn{&s.Turns[i], answer})
	}
	return turns
}

// The example session has everything that its README promises, turn by turn.
func TestExampleSession(t *testing.T) {
	turns := exampleTurns(t)
	if len(turns) < 8 {
		t.Fatalf("%d turns", len(turns))
	}
	for i, turn := range turns {
		if turn.Title == "" || turn.UserInput == "" {
			t.Errorf("turn %d has no title or no user input", i+1)
		}
	}
	type expected struct {
		turn     int // from 1
		key      string
		kind     abi.Kind
		change   abi.Change
		warnings []abi.Warning
	}
	none := []abi.Warning{}
	control := []abi.Warning{abi.ControlCharacters}
	for _, want := range []expected{
		{1, "browser_tab", abi.Untrusted, abi.Added, none},
		{1, "browser_page", abi.Untrusted, abi.Added, none},
		{1, "project", abi.Application, abi.Added, none},
		{2, "browser_tab", abi.Untrusted, abi.Unchanged, none},
		{2, "browser_page", abi.Untrusted, abi.Unchanged, none},
		{2, "project", abi.Application, abi.Unchanged, none},
		{3, "browser_tab", abi.Untrusted, abi.Changed, none},
		{3, "browser_page", abi.Untrusted, abi.Removed, none},
		{3, "ci_log", abi.Untrusted, abi.Added, none},
		{4, "ci_log", abi.Untrusted, abi.Unchanged, none},
		{4, "open_file", abi.Untrusted, abi.Added, none},
		{4, "editor>selection", abi.Untrusted, abi.Added, []abi.Warning{abi.KeyHasGT}},
		{5, "ci_log", abi.Untrusted, abi.Removed, none},
		{5, "terminal", abi.Untrusted, abi.Added, control},
		{6, "チャット", abi.Untrusted, abi.Added, none},
		{6, "chat_ar", abi.Untrusted, abi.Added, none},
		{7, "browser_tab", abi.Untrusted, abi.Changed, control},
		{7, "browser_page", abi.Untrusted, abi.Added, []abi.Warning{abi.ValueHasClosingTag}},
		{8, "browser_page", abi.Untrusted, abi.Removed, none},
		{9, "browser_page", abi.Untrusted, abi.Added, none},
		{10, "check_list", abi.Application, abi.Changed, none},
		{11, "project", abi.Application, abi.Removed, none},
		{12, "project", abi.Application, abi.Added, none},
		{13, "project", abi.Application, abi.Removed, none},
	} {
		got := turns[want.turn-1].receipt(want.key)
		if got.Kind != want.kind || got.Change != want.change || !slices.Equal(got.Warnings, want.warnings) {
			t.Errorf("turn %d: receipt is %+v, want %+v", want.turn, got, want)
		}
	}

	log := turns[2]
	if size := len(log.entries["ci_log"].Value); size < 30_000 {
		t.Errorf("the CI log has %d bytes", size)
	}
	if log.receipt("ci_log").Truncated == nil {
		t.Error("the CI log was not cut")
	}
	if tokens := turns[3].receipt("ci_log").Tokens; tokens != 0 {
		t.Errorf("the unchanged log costs %d tokens", tokens)
	}
	if turns[8].entries["browser_page"] != turns[0].entries["browser_page"] {
		t.Error("the page that comes back has another text")
	}
	if turns[9].entries["check_list"].Value != turns[8].entries["check_list"].Value {
		t.Error("the value changed along with the kind")
	}
	if sent := string(turns[10].AdditionalContext); sent != "{}" {
		t.Errorf("turn 11 sends %s, want an empty map", sent)
	}
	if turns[12].AdditionalContext != nil {
		t.Error("turn 13 sends a map")
	}
	messages := turns[5].entries
	expectScript(t, messages["チャット"].Value, unicode.Hiragana, unicode.Katakana, unicode.Han, unicode.So)
	expectScript(t, messages["chat_ar"].Value, unicode.Arabic, unicode.So)
	if !strings.Contains(turns[4].entries["terminal"].Value, "\x1b[1;31m") {
		t.Error("the terminal has no colours")
	}
}

// expectScript checks that text has characters of every class.
func expectScript(t *testing.T, text string, classes ...*unicode.RangeTable) {
	t.Helper()
	for i, class := range classes {
		if !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(class, r) }) {
			t.Errorf("%q has no character of class %d", text, i)
		}
	}
}

// Everything the client sent comes back as the store, to the byte.
func TestExampleSessionStores(t *testing.T) {
	for i, turn := range exampleTurns(t) {
		var stored map[string]abi.Entry
		if err := json.Unmarshal(turn.answer.Store, &stored); err != nil {
			t.Fatal(err)
		}
		if len(stored) != len(turn.entries) {
			t.Errorf("turn %d: %d entries stored, %d sent", i+1, len(stored), len(turn.entries))
		}
		for key, entry := range turn.entries {
			if stored[key] != entry {
				t.Errorf("turn %d: the stored %q differs", i+1, key)
			}
		}
	}
}
