package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/host"
)

// A folder is a few files with their content.
type files map[string]string

func readFiles(t *testing.T, dir string) files {
	t.Helper()
	all := files{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[entry.Name()] = string(text)
	}
	return all
}

func (f files) write(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range f {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// with returns the files with one more, or with another content.
func (f files) with(name, text string) files {
	all := files{name: text}
	for old, content := range f {
		if old != name {
			all[old] = content
		}
	}
	return all
}

// beginnings are the lengths at which a text that is being written may have been
// cut off: the shortest, the longest, and some between.
func beginnings(text string) (lengths []int) {
	for n := 0; n < len(text); n += 1 + len(text)/12 {
		lengths = append(lengths, n)
	}
	return append(lengths, len(text))
}

// A server that is stopped at any of its writes, after any number of bytes, is
// in the state of before the turn, until the one write that makes the turn
// happen; then it is in the state of after it. What it leaves is tidied up.
func TestServeStoppedAtAnyWrite(t *testing.T) {
	const turns = `{"id":1,"method":"thread/start"}` + "\n" +
		`{"id":2,"method":"turn/start","params":{"threadId":"id-1","input":[{"type":"text","text":"one"}],"additionalContext":{"n":{"value":"1","kind":"untrusted"}}}}` + "\n"
	const another = `{"id":3,"method":"turn/steer","params":{"threadId":"id-1","expectedTurnId":"id-2","input":[{"type":"text","text":"two"}],"additionalContext":{"n":{"value":"2","kind":"untrusted"}}}}` + "\n"
	run := func(dir, sent string) {
		t.Helper()
		var stdout strings.Builder
		if code, err := serveWith(t, strings.NewReader(hello+sent), &stdout, dir); code != exitOK || strings.Contains(stdout.String(), `"code"`) {
			t.Fatalf("exit code %d, %v: %s", code, err, stdout.String())
		}
	}
	dir := t.TempDir()
	run(dir, turns)
	before := readFiles(t, dir)
	run(dir, another)
	after := readFiles(t, dir)

	const history, state = "id-1" + historySuffix, "id-1" + threadSuffix
	var stopped []files
	for _, n := range beginnings(after[history][len(before[history]):]) {
		stopped = append(stopped, before.with(history, after[history][:len(before[history])+n]))
	}
	for _, n := range beginnings(after[state]) {
		stopped = append(stopped, before.with(history, after[history]).with(state+newSuffix, after[state][:n]))
	}

	module, err := host.Open(t.Context(), host.Options{CacheDir: cacheDir, Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := module.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	for i, left := range append(stopped, after) {
		want := before
		if i == len(stopped) {
			want = after
		}
		dir := left.write(t)
		folder, err := openFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		threads, err := folder.load(t.Context(), module)
		if err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		folder.close()
		if len(threads) != 1 || threads["id-1"].history != int64(len(want[history])) {
			t.Errorf("case %d: %d threads, %+v", i, len(threads), threads["id-1"])
		}
		now := readFiles(t, dir)
		for name, text := range want {
			if now[name] != text {
				t.Errorf("case %d: %s is %q, want %q", i, name, now[name], text)
			}
		}
		if len(now) != len(want) {
			t.Errorf("case %d: there are %d files, want %d", i, len(now), len(want))
		}
	}
}

// The same for the commands that keep a state file.
func TestStateFileStoppedAtAnyWrite(t *testing.T) {
	const next = "what was being written"
	for _, n := range beginnings(next) {
		dir := files{"s.json": idleState, "s.json" + newSuffix: next[:n]}.write(t)
		state := filepath.Join(dir, "s.json")
		runWith(t, startParams, "start", "--state", state, "--turn=u").expectExactly(t, exitOK, startedAnswer, "")
		expectNames(t, dir, "s.json", "s.json"+lockSuffix)
	}
}
