package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/internal/smalldisk"
)

// page is what a file on the small disk takes at least.
const page = 4096

// On a full disk a turn is answered, the command says that its state could not
// be kept, and the old state stands; with room it goes on from there.
func TestStateFileOnAFullDisk(t *testing.T) {
	smalldisk.Run(t, func(t *testing.T, disk smalldisk.Disk) {
		state := filepath.Join(disk.Dir, "s.json")
		if err := os.WriteFile(state, []byte(idleState), 0o600); err != nil {
			t.Fatal(err)
		}
		disk.Fill(0)
		runWith(t, startParams, "start", "--state", state, "--turn=u").expect(t, exitFailed, startedAnswer, "turncontext: write "+state+newSuffix+": no space left on device")
		expectFile(t, state, idleState)
		disk.Empty()
		expectNames(t, disk.Dir, "s.json", "s.json"+lockSuffix)
		runWith(t, startParams, "start", "--state", state, "--turn=u").expectExactly(t, exitOK, startedAnswer, "")
		expectNames(t, disk.Dir, "s.json", "s.json"+lockSuffix)
	})
}

// On a read-only disk the command fails before it answers: nobody is told of a
// turn that cannot be kept.
func TestStateFileOnAReadOnlyDisk(t *testing.T) {
	smalldisk.Run(t, func(t *testing.T, disk smalldisk.Disk) {
		state := filepath.Join(disk.Dir, "s.json")
		if err := os.WriteFile(state, []byte(idleState), 0o600); err != nil {
			t.Fatal(err)
		}
		disk.ReadOnly(true)
		runWith(t, startParams, "start", "--state", state, "--turn=u").expect(t, exitFailed, "", "turncontext: open "+state+lockSuffix+": read-only file system")
		expectFile(t, state, idleState)
	})
}

// A server whose disk gets full or read-only does not answer a turn as if it
// were kept, and ends. The next one goes on with what was answered.
func TestServeOnAFailingDisk(t *testing.T) {
	const begin = hello + `{"id":1,"method":"thread/start"}` + "\n"
	turn := func(text string) string {
		return `{"id":2,"method":"turn/start","params":{"threadId":"id-1","input":[{"type":"text","text":"` + text + `"}]}}` + "\n"
	}
	smalldisk.Run(t, func(t *testing.T, disk smalldisk.Disk) {
		var stdout strings.Builder
		serve := func(sent string) (int, string) {
			stdout.Reset()
			code, _ := serveWith(t, strings.NewReader(sent), &stdout, disk.Dir)
			return code, stdout.String()
		}
		if code, answers := serve(begin); code != exitOK {
			t.Fatalf("exit code %d: %s", code, answers)
		}
		kept := readFiles(t, disk.Dir)
		fails := func(how, sent string) {
			t.Helper()
			code, answers := serve(hello + sent)
			if code != exitFailed || !strings.Contains(answers, "the thread was not kept") || strings.Contains(answers, `"turn"`) {
				t.Errorf("%s: exit code %d: %s", how, code, answers)
			}
		}
		long := strings.Repeat("long ", 2*page)
		for room := range int64(4) {
			disk.Fill(room * page)
			fails("room for a part of the history", turn(long))
		}
		serve(hello) // which takes back what was left of the history
		disk.Fill(page)
		fails("room for the history only", turn("short"))
		disk.Empty()
		code, answers := serve(hello + `{"id":1,"method":"thread/resume","params":{"threadId":"id-1"}}` + "\n")
		if code != exitOK || strings.Contains(answers, `"code"`) {
			t.Errorf("exit code %d: %s", code, answers)
		}
		now := readFiles(t, disk.Dir)
		for name, text := range kept {
			if now[name] != text {
				t.Errorf("%s is %q, was %q", name, now[name], text)
			}
		}
		if code, answers := serve(hello + turn("short")); code != exitOK || !strings.Contains(answers, `"turn"`) {
			t.Errorf("exit code %d: %s", code, answers)
		}
		disk.ReadOnly(true)
		if code, answers := serve(hello); code != exitFailed || answers != "" {
			t.Errorf("read-only: exit code %d: %s", code, answers)
		}
	})
}
