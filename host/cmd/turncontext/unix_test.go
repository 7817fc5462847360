//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Who may read a state file may read it after a turn, and nobody else.
func TestStateFileKeepsItsPermissions(t *testing.T) {
	for _, mode := range []os.FileMode{0o600, 0o644, 0o660} {
		state := writeFile(t, "s.json", idleState)
		if err := os.Chmod(state, mode); err != nil {
			t.Fatal(err)
		}
		runWith(t, startParams, "start", "--state", state, "--turn=u").expectExactly(t, exitOK, startedAnswer, "")
		expectMode(t, state, mode)
	}
	state := t.TempDir() + "/new.json"
	runWith(t, startParams, "start", "--state", state, "--turn=u").expectExactly(t, exitOK, startedAnswer, "")
	expectMode(t, state, 0o600)
}

func expectMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != want {
		t.Errorf("the mode is %v, want %v", info.Mode(), want)
	}
}

// A signal ends a server that waits, as the end of its input does.
func TestServeSignalled(t *testing.T) {
	command := buildCommand(t)
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		server := exec.CommandContext(t.Context(), command, "--cache="+cacheDir, "serve")
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
		if _, err := io.WriteString(stdin, hello); err != nil {
			t.Fatal(err)
		}
		answer := make([]byte, len(helloAnswer))
		if _, err := io.ReadFull(stdout, answer); err != nil || string(answer) != helloAnswer {
			t.Fatalf("the answer is %q, %v", answer, err)
		}
		if err := server.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := server.Wait(); err != nil {
			t.Errorf("%v: the server ends with %v", signal, err)
		}
	}
}

// A client that closed the server's output ends it as any output that fails.
func TestServeOutputClosed(t *testing.T) {
	server := exec.CommandContext(t.Context(), buildCommand(t), "--cache="+cacheDir, "serve")
	server.Stdin = strings.NewReader(hello)
	stdout, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := stdout.Close(); err != nil {
		t.Fatal(err)
	}
	server.Stdout = writer
	var stderr strings.Builder
	server.Stderr = &stderr
	err = server.Run()
	_ = writer.Close() // nothing was written to it
	if code := server.ProcessState.ExitCode(); code != exitFailed || stderr.String() != "" {
		t.Errorf("the server ends with %v, code %d, standard error %q", err, code, stderr.String())
	}
}

// A pipe in the folder is refused, and not waited for.
func TestServePipeInFolder(t *testing.T) {
	f := folder{dir: t.TempDir()}
	if err := syscall.Mkfifo(filepath.Join(f.dir, "x"+threadSuffix), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.loadThread(t.Context(), nil, "x"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v", err)
	}
}
