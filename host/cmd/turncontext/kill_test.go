package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// buildCommand builds the command line and returns its path.
func buildCommand(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "turncontext.exe") // the name that every system runs
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// clientThreads is how many threads the scripted client has at a time.
const clientThreads = 200

// script is what the client does on each of its threads, in this order.
var script = []string{
	"thread/start",
	"turn/start", "turn/steer", "turn/steer", "turn/interrupt",
	"turn/start", "turn/steer", "turn/interrupt",
	"turn/start", "turn/steer",
}

// A scripted is one thread of the client.
type scripted struct {
	number int
	id     string // "" before it is known
	done   int    // steps of the script that were answered
	turn   string // the active one
}

// request returns the next request; its id is the thread's number. The user's
// text and the context both tell thread and step.
func (c *scripted) request() string {
	method := script[c.done]
	mark := fmt.Sprintf("%d/%d", c.number, c.done)
	context := fmt.Sprintf(`"additionalContext":{"step":{"value":%q,"kind":"untrusted"}}`, mark)
	input := fmt.Sprintf(`"input":[{"type":"text","text":%q}]`, mark)
	params := map[string]string{
		"thread/start":   `{}`,
		"turn/start":     fmt.Sprintf(`{"threadId":%q,%s,%s}`, c.id, input, context),
		"turn/steer":     fmt.Sprintf(`{"threadId":%q,"expectedTurnId":%q,%s,%s}`, c.id, c.turn, input, context),
		"turn/interrupt": fmt.Sprintf(`{"threadId":%q,"turnId":%q}`, c.id, c.turn),
	}[method]
	return fmt.Sprintf(`{"id":%d,"method":%q,"params":%s}`+"\n", c.number, method, params)
}

// answered takes what an answer tells.
func (c *scripted) answered(result scriptedResult) {
	switch script[c.done] {
	case "thread/start":
		c.id = result.Thread.ID
	case "turn/start":
		c.turn = result.Turn.ID
	case "turn/interrupt":
		c.turn = ""
	}
	c.done++
}

type scriptedResult struct {
	Thread struct{ ID string }
	Turn   struct{ ID string }
}

// A queue is an endless channel: what reads answers must never wait for the
// server to read requests.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	texts   []string
	closed  bool
}

func newQueue() *queue {
	q := new(queue)
	q.changed = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.texts = append(q.texts, text)
	q.changed.Signal()
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Signal()
}

// copyTo writes what is put until the queue is closed and empty, or the server
// is gone.
func (q *queue) copyTo(w io.WriteCloser) {
	for {
		q.mu.Lock()
		for len(q.texts) == 0 && !q.closed {
			q.changed.Wait()
		}
		texts := q.texts
		q.texts = nil
		q.mu.Unlock()
		if len(texts) == 0 {
			_ = w.Close()
			return
		}
		if _, err := io.WriteString(w, strings.Join(texts, "")); err != nil {
			return
		}
	}
}

// runScript runs a server on a folder, and the script on it for all threads at
// once. After kill answers the server is killed; 0 lets the script end. It
// returns how many requests were answered.
func runScript(t *testing.T, command, dir string, threads []*scripted, kill int) int {
	t.Helper()
	server := exec.CommandContext(t.Context(), command, "--cache="+cacheDir, "serve", "--dir="+dir)
	var stderr bytes.Buffer
	server.Stderr = &stderr
	stdin, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	requests := newQueue()
	go requests.copyTo(stdin)
	requests.put(hello)
	open := 0
	for _, c := range threads {
		if c.done < len(script) {
			open++
			requests.put(c.request())
		}
	}
	answers := 0
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // a line that was cut off is no answer
			break
		}
		if !strings.HasPrefix(line, `{"id":`) || line == helloAnswer {
			continue
		}
		var answer struct {
			ID     int
			Result *scriptedResult
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Result == nil {
			t.Fatalf("the server answers %s, %v", line, err)
		}
		c := threads[answer.ID]
		c.answered(*answer.Result)
		answers++
		if answers == kill {
			if err := server.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		if c.done < len(script) {
			requests.put(c.request())
		} else if open--; open == 0 {
			requests.close()
		}
	}
	requests.close()
	err = server.Wait()
	if kill == 0 && (err != nil || stderr.Len() > 0) {
		t.Errorf("the server ends with %v, standard error %q", err, stderr.String())
	}
	if kill > 0 && err == nil {
		t.Error("the server was not killed")
	}
	return answers
}

// kept is what is on the disk of a thread.
type kept struct {
	records []string // the user's texts, which tell the steps
	context string
	turn    string
}

// readKept reads a folder without the server's own code: each file has to be
// whole.
func readKept(t *testing.T, dir string) map[string]kept {
	t.Helper()
	all := map[string]kept{}
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		var file struct {
			History int
			State   struct {
				ThreadID          string
				ActiveTurn        *struct{ ID string }
				AdditionalContext map[string]struct{ Value string }
			}
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		k := kept{context: file.State.AdditionalContext["step"].Value}
		if file.State.ActiveTurn != nil {
			k.turn = file.State.ActiveTurn.ID
		}
		history, err := os.ReadFile(strings.TrimSuffix(name, ".json") + ".history.jsonl")
		if err != nil && !os.IsNotExist(err) || len(history) < file.History {
			t.Fatalf("%s: the history has %d bytes, %v, not %d", name, len(history), err, file.History)
		}
		for line := range bytes.Lines(history[:file.History]) {
			k.records = append(k.records, recordedText(t, line))
		}
		all[file.State.ThreadID] = k
	}
	return all
}

// recordedText returns the user's text in a line of a history.
func recordedText(t *testing.T, line []byte) string {
	t.Helper()
	var record struct {
		Inputs []struct {
			Source string
			Item   struct{ Content []struct{ Text string } }
		}
	}
	if err := json.Unmarshal(line, &record); err != nil || line[len(line)-1] != '\n' {
		t.Fatalf("half a record: %s, %v", line, err)
	}
	if len(record.Inputs) != 2 || record.Inputs[1].Source != "user" {
		t.Fatalf("not a record of the script: %s", line)
	}
	text := record.Inputs[1].Item.Content[0].Text
	if want := "<external_step>" + text + "</external_step>"; record.Inputs[0].Item.Content[0].Text != want {
		t.Errorf("the context %q stands with %q", record.Inputs[0].Item.Content[0].Text, text)
	}
	return text
}

// expect checks that what is on the disk is what the first steps of the script
// make, whole.
func (k kept) expect(c *scripted, steps int) error {
	var records []string
	active := false
	for step, method := range script[:steps] {
		switch method {
		case "turn/start", "turn/steer":
			records = append(records, fmt.Sprintf("%d/%d", c.number, step))
			active = true
		case "turn/interrupt":
			active = false
		}
	}
	context := ""
	if len(records) > 0 {
		context = records[len(records)-1]
	}
	if got, want := strings.Join(k.records, " "), strings.Join(records, " "); got != want {
		return fmt.Errorf("thread %d, %d steps: the history is %q, want %q", c.number, steps, got, want)
	}
	if k.context != context || (k.turn != "") != active {
		return fmt.Errorf("thread %d, %d steps: the context is %q, the turn %q, want %q and active %t", c.number, steps, k.context, k.turn, context, active)
	}
	return nil
}

// goOn checks each thread after a kill: what was answered is there, and the one
// request that was not is there as a whole or not at all. The client then knows
// which.
func goOn(t *testing.T, dir string, threads []*scripted) {
	t.Helper()
	all := readKept(t, dir)
	for _, c := range threads {
		if c.id == "" {
			continue // nobody was told of it
		}
		k, there := all[c.id]
		if !there {
			t.Fatalf("thread %d is not there", c.number)
		}
		asAnswered := k.expect(c, c.done)
		if asAnswered == nil {
			if c.turn != k.turn {
				t.Errorf("thread %d: the turn is %q, want %q", c.number, k.turn, c.turn)
			}
			continue
		}
		if c.done == len(script) {
			t.Fatal(asAnswered)
		}
		if err := k.expect(c, c.done+1); err != nil {
			t.Fatalf("neither %v\nnor %v", asAnswered, err)
		}
		c.done, c.turn = c.done+1, k.turn
	}
}

// A server that is killed at any moment has lost nothing that it answered, and
// has nothing half done.
func TestServeKilled(t *testing.T) {
	command, dir := buildCommand(t), t.TempDir()
	threads := make([]*scripted, clientThreads)
	for i := range threads {
		threads[i] = &scripted{number: i}
	}
	total := clientThreads * len(script)
	for _, kill := range []int{1, 77, 240, 333, 401, 199} {
		total -= runScript(t, command, dir, threads, kill)
		goOn(t, dir, threads)
	}
	if total <= 0 {
		t.Fatal("the kills came after the end")
	}
	runScript(t, command, dir, threads, 0)
	all := readKept(t, dir)
	for _, c := range threads {
		if c.done != len(script) {
			t.Errorf("thread %d did %d steps", c.number, c.done)
		}
		if err := all[c.id].expect(c, len(script)); err != nil {
			t.Error(err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*"+newSuffix)); err != nil || len(left) > 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
}

// A run of start that is killed at any moment leaves the old state or the new
// one.
func TestStartKilled(t *testing.T) {
	command := buildCommand(t)
	folder := t.TempDir()
	state := filepath.Join(folder, "s.json")
	params := func(n int) string {
		return fmt.Sprintf(`{"threadId":"t","input":[{"type":"text","text":"x"}],"additionalContext":{"n":{"value":"%d","kind":"untrusted"}}}`, n)
	}
	stateOf := func(n int) string {
		return fmt.Sprintf(`{"version":1,"threadId":"t","activeTurn":{"id":"u","kind":"regular"},"additionalContext":{"n":{"value":"%d","kind":"untrusted"}}}`+"\n", n)
	}
	start := func(n int) *exec.Cmd {
		run := exec.CommandContext(t.Context(), command, "--cache="+cacheDir, "start", "--state="+state, "--turn=u")
		run.Stdin = strings.NewReader(params(n))
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		return run
	}
	begun := time.Now()
	if err := start(0).Wait(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(begun)
	old := 0
	const runs = 30
	for n := 1; n <= runs; n++ {
		run := start(n)
		time.Sleep(whole * time.Duration(n) / runs)
		_ = run.Process.Kill() // it may have ended
		_ = run.Wait()
		text, err := os.ReadFile(state)
		if err != nil {
			t.Fatal(err)
		}
		switch string(text) {
		case stateOf(n):
			old = n
		case stateOf(old):
		default:
			t.Fatalf("the state after run %d is %q", n, text)
		}
	}
	if err := start(runs + 1).Wait(); err != nil {
		t.Fatal(err)
	}
	expectFile(t, state, stateOf(runs+1))
	expectNames(t, folder, "s.json", "s.json"+lockSuffix)
}
