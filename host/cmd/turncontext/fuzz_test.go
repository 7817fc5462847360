package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/host"
)

// FuzzServe sends a server any lines. Each is answered, unless it is a
// notification, in lines of JSON, and the server goes on to the next.
func FuzzServe(f *testing.F) {
	names, err := filepath.Glob("../../../testdata/corpora/lines/*")
	if err != nil || len(names) == 0 {
		f.Fatalf("no corpus: %v", err)
	}
	for _, name := range names {
		lines, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(lines)
	}
	module, err := host.Open(f.Context(), host.Options{CacheDir: cacheDir})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := module.Close(f.Context()); err != nil {
			f.Error(err)
		}
	})
	const last = `{"id":"the last","method":"thread/start"}`
	f.Fuzz(func(t *testing.T, lines []byte) {
		sent := hello + strings.TrimSuffix(string(lines), "\n") + "\n" + last + "\n"
		var stdout bytes.Buffer
		e := &environment{ctx: t.Context(), stdin: strings.NewReader(sent), stdout: &stdout, stderr: io.Discard, newID: counted()}
		s := &server{e: e, module: module, threads: map[string]*thread{}}
		if err := s.serve(); err != nil {
			t.Fatalf("the server ends: %v", err)
		}
		answers, answered := 0, ""
		for line := range strings.Lines(stdout.String()) {
			var message struct {
				ID            json.RawMessage
				Result, Error any
				Method        string
			}
			if err := json.Unmarshal([]byte(line), &message); err != nil || !strings.HasSuffix(line, "\n") {
				t.Fatalf("it writes %q, %v", line, err)
			}
			if message.Method != "" {
				continue // a notification
			}
			if (message.Result == nil) == (message.Error == nil) {
				t.Fatalf("neither a result nor an error: %s", line)
			}
			answers++
			answered = string(message.ID)
			if strings.Contains(line, `"code":-32603`) {
				t.Fatalf("it failed: %s", line)
			}
		}
		if want := strings.Count(sent, "\n"); answers > want || answers < want-notifications(sent) {
			t.Fatalf("%d answers to %d lines:\n%s", answers, want, stdout.String())
		}
		if answered != `"the last"` {
			t.Fatalf("the last answer is to %s", answered)
		}
	})
}

// notifications returns how many lines may be without an answer: objects that
// have no id.
func notifications(sent string) (n int) {
	for line := range strings.Lines(sent) {
		var message map[string]json.RawMessage
		if json.Unmarshal([]byte(line), &message) == nil && message["id"] == nil {
			n++
		}
	}
	return n
}
