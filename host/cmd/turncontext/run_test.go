package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
)

var update = flag.Bool("update", false, "write the golden files anew")

// cacheDir spares the tests compiling the module each time.
var cacheDir string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(withCacheDir(m.Run))
}

func withCacheDir(run func() int) int {
	var err error
	if cacheDir, err = os.MkdirTemp("", "turncontext-test"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(cacheDir) }()
	return run()
}

// outcome is what a command line left behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// runWith runs a command line with the tests' cache.
func runWith(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	return runBare(t, stdin, append([]string{"--cache=" + cacheDir}, args...)...)
}

func runBare(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	t.Setenv("COLUMNS", "")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// expect checks the exit code, and that standard output and error begin as
// wanted; "" stands for nothing at all.
func (o outcome) expect(t *testing.T, code int, stdout, stderr string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit code is %d, want %d", o.code, code)
	}
	expectText(t, "standard output", o.stdout, stdout)
	expectText(t, "standard error", o.stderr, stderr)
}

func expectText(t *testing.T, name, got, want string) {
	t.Helper()
	if !strings.HasPrefix(got, want) || want == "" && got != "" {
		t.Errorf("%s is %.300q, want %q", name, got, want)
	}
}

// writeFile writes a file in a folder of the test's own.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHelp(t *testing.T) {
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"--help"}, []string{"Usage: turncontext <command>", "start", "steer", "set", "reconcile", "serve", "merge", "classify", "guidance", "describe", "demo", "conform", "--module=FILE", "--cache=DIR", "--version", "Exit codes:", "\n    1    the module refused a request"}},
		{[]string{"start", "--help"}, []string{"Usage: turncontext start --state=FILE [<file>]", "--policy=FILE", "--safe", "--table", "--turn=ID", "--blocked", "--hook-context=TEXT", "--[no-]experimental-api", "symbolic link", "FILE.turncontext-lock"}},
		{[]string{"steer", "--help"}, []string{"Usage: turncontext steer --state=FILE [<file>]", "--policy=FILE", "--safe", "--table", "must exist", "10 bytes"}},
		{[]string{"set", "--help"}, []string{"Usage: turncontext set --state=FILE (--active=ID | --none) [flags]", "--active=ID", "--kind=KIND", "--none", "--if-turn=ID"}},
		{[]string{"reconcile", "--help"}, []string{"Usage: turncontext reconcile [<file>]", "--state=FILE", "--policy=FILE", "--safe", "--table", "11 bytes", "exit code 2"}},
		{[]string{"classify", "--help"}, []string{"Usage: turncontext classify [<file>]", "--policy=FILE", "--safe", "exit code is 1"}},
		{[]string{"guidance", "--help"}, []string{"Usage: turncontext guidance [flags]", "--policy=FILE", "--safe"}},
		{[]string{"serve", "--help"}, []string{"Usage: turncontext serve", "--policy=FILE", "--safe", "thread/reconcile", "--dir=FOLDER", "turn/inputs", "exit code is then 0"}},
		{[]string{"merge", "--help"}, []string{"Usage: turncontext merge [<file>]", "--policy=FILE", "--safe", "--table", "standard input", "error object", "exit code is 1", "turncontext merge\n"}},
		{[]string{"describe", "--help"}, []string{"Usage: turncontext describe", "one line of JSON"}},
		{[]string{"demo", "--help"}, []string{"Usage: turncontext demo [<session>]", "--policy=FILE", "--safe", "built-in"}},
		{[]string{"conform", "--help"}, []string{"Usage: turncontext conform [<path> ...]", "testdata/vectors", "exit code is 1"}},
	} {
		o := runBare(t, "", test.args...)
		o.expect(t, exitOK, "Usage: turncontext", "")
		for _, want := range test.want {
			if !strings.Contains(o.stdout, want) {
				t.Errorf("%q: the help text lacks %q:\n%s", test.args, want, o.stdout)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	want := fmt.Sprintf("turncontext %s (ABI %d)\n", abi.BuildVersion, abi.Version)
	runBare(t, "", "--version").expect(t, exitOK, want, "")
}

func TestUsageErrors(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, `expected one of "start"`},
		{[]string{"murge"}, "unexpected argument murge"},
		{[]string{"merge", "--pretty"}, "unknown flag --pretty"},
		{[]string{"merge", "a", "b"}, "unexpected argument b"},
		{[]string{"describe", "a"}, "unexpected argument a"},
		{[]string{"describe", "--module"}, "--module: expected string value"},
		{[]string{"start"}, "missing flags: --state=FILE"},
		{[]string{"start", "--state=s", "--turn=\xff"}, "an argument is not UTF-8"},
		{[]string{"steer", "--state=s", "--hook-context=\xff"}, "an argument is not UTF-8"},
		{[]string{"set", "--state=s"}, "missing flags: --active=ID or --none"},
		{[]string{"set", "--state=s", "--active=u", "--none"}, "--active and --none can't be used together"},
		{[]string{"set", "--state=s", "--none", "--kind=review"}, "set: --kind goes with --active"},
		{[]string{"merge", "\xff"}, "an argument is not UTF-8"},
		{[]string{"serve", "--dir"}, "--dir: expected string value"},
		{[]string{"\x1b[31m"}, "unexpected argument ␛[31m"},
	} {
		o := runBare(t, "", test.args...)
		o.expect(t, exitUsage, "", "turncontext: "+test.want)
		if !strings.HasSuffix(o.stderr, "turncontext --help tells more\n") {
			t.Errorf("%q: %q does not name --help", test.args, o.stderr)
		}
	}
}

const (
	goodRequest = `{"additionalContext":{"ci":{"value":"ok","kind":"untrusted"}}}`
	goodAnswer  = `{"store":{"ci":{"value":"ok","kind":"untrusted"}},` +
		`"inputs":[{"source":"additionalContext","key":"ci","kind":"untrusted","hidden":true,` +
		`"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"<external_ci>ok</external_ci>"}]}}],` +
		`"receipts":[{"key":"ci","kind":"untrusted","change":"added","tokens":8,"warnings":[]}]}` + "\n"
	badRequest = `{"additionalContext":{"ci":{"value":"ok","kind":"foo"}}}`
)

func TestMerge(t *testing.T) {
	for _, args := range [][]string{
		{"merge"}, {"merge", "-"}, {"merge", writeFile(t, "request.json", goodRequest)},
	} {
		o := runWith(t, goodRequest, args...)
		o.expect(t, exitOK, goodAnswer, "")
		if o.stdout != goodAnswer {
			t.Errorf("%q: more than the answer: %q", args, o.stdout)
		}
	}
}

func TestMergeRefused(t *testing.T) {
	o := runWith(t, badRequest, "merge")
	o.expect(t, exitRefused, `{"error":{"kind":"invalid_params","code":-32602,`, "turncontext: invalid_params: additionalContext.ci.kind: ")
	if !json.Valid([]byte(o.stdout)) || !strings.HasSuffix(o.stdout, "}\n") {
		t.Errorf("standard output is not one line of JSON: %q", o.stdout)
	}
	runWith(t, "", "merge").expect(t, exitRefused, `{"error":{"kind":"invalid_json",`, "turncontext: invalid_json: ")
	runWith(t, `{"additionalContext":{"\u202e":null}}`, "merge").
		expect(t, exitRefused, `{"error":{"kind":"invalid_params",`, `turncontext: invalid_params: additionalContext["<U+202E>"]: `)
}

// spaces is endless white space that counts what was read of it.
type spaces struct{ read int }

func (s *spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	s.read += len(p)
	return len(p), nil
}

func TestMergeReadsNoMoreThanItNeedsToRefuse(t *testing.T) {
	var stdin spaces
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"--cache=" + cacheDir, "merge"}, &stdin, &stdout, &stderr)
	outcome{code, stdout.String(), stderr.String()}.
		expect(t, exitRefused, `{"error":{"kind":"request_too_large",`, "turncontext: request_too_large: ")
	if stdin.read > abi.MaxRequestBytes+1 {
		t.Errorf("%d bytes were read", stdin.read)
	}
}

func TestMergeInputFails(t *testing.T) {
	folder := t.TempDir()
	runWith(t, "", "merge", filepath.Join(folder, "absent")).expect(t, exitFailed, "", "turncontext: open "+folder)
	runWith(t, "", "merge", folder).expect(t, exitFailed, "", "turncontext: read "+folder)

	var stdout, stderr bytes.Buffer
	broken := io.MultiReader(strings.NewReader("{"), failing{})
	code := run(t.Context(), []string{"merge"}, broken, &stdout, &stderr)
	outcome{code, stdout.String(), stderr.String()}.expect(t, exitFailed, "", "turncontext: out of order\n")
}

// failing fails at every read and write.
type failing struct{}

var errOutOfOrder = errors.New("out of order")

func (failing) Read([]byte) (int, error)  { return 0, errOutOfOrder }
func (failing) Write([]byte) (int, error) { return 0, errOutOfOrder }

// gone is an output whose reader has gone away.
type gone struct{}

func (gone) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "output", Err: syscall.EPIPE}
}

func TestOutputFails(t *testing.T) {
	for _, args := range [][]string{{"merge"}, {"describe"}, {"demo"}, {"conform", passingVectors(t)}} {
		args = append([]string{"--cache=" + cacheDir}, args...)
		var stderr bytes.Buffer
		code := run(t.Context(), args, strings.NewReader(goodRequest), failing{}, &stderr)
		outcome{code, "", stderr.String()}.expect(t, exitFailed, "", "turncontext: out of order\n")

		stderr.Reset()
		code = run(t.Context(), args, strings.NewReader(goodRequest), gone{}, &stderr)
		outcome{code, "", stderr.String()}.expect(t, exitFailed, "", "")
	}
}

func TestInterruptedWhileWaitingForInput(t *testing.T) {
	stdin, never := io.Pipe()
	defer func() { _ = never.Close() }()
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"merge"}, stdin, &stdout, &stderr)
	outcome{code, stdout.String(), stderr.String()}.expect(t, exitInterrupted, "", "turncontext: interrupted\n")
}

func TestInterruptedBetweenCalls(t *testing.T) {
	for _, args := range [][]string{{"demo"}, {"conform", passingVectors(t)}} {
		ctx, interrupt := context.WithCancel(t.Context())
		interrupt()
		var stdout, stderr bytes.Buffer
		code := run(ctx, append([]string{"--cache=" + cacheDir}, args...), strings.NewReader(""), &stdout, &stderr)
		if code != exitInterrupted || stderr.String() != "turncontext: interrupted\n" {
			t.Errorf("%q: exit code is %d, standard error %q", args, code, stderr.String())
		}
	}
}

func TestDescribe(t *testing.T) {
	o := runWith(t, "", "describe")
	o.expect(t, exitOK, `{"abi":{"name":"turncontext","version":1},`, "")
	var description abi.Description
	if err := json.Unmarshal([]byte(o.stdout), &description); err != nil {
		t.Fatal(err)
	}
	if description.Limits.RequestBytes != abi.MaxRequestBytes {
		t.Errorf("limits are %+v", description.Limits)
	}
}

func TestModuleFlag(t *testing.T) {
	good := writeFile(t, "good.wasm", string(build.Module))
	runWith(t, goodRequest, "merge", "--module", good).expect(t, exitOK, goodAnswer, "")

	for name, text := range map[string]string{"empty.wasm": "", "text.wasm": "hello", "bare.wasm": "\x00asm\x01\x00\x00\x00"} {
		runWith(t, goodRequest, "merge", "--module", writeFile(t, name, text)).expect(t, exitFailed, "", "turncontext: ")
	}
	runWith(t, goodRequest, "merge", "--module", "absent.wasm").expect(t, exitFailed, "", "turncontext: open absent.wasm: ")
}

func TestCacheFlag(t *testing.T) {
	runWith(t, goodRequest, "merge").expect(t, exitOK, goodAnswer, "")
	if entries, err := os.ReadDir(cacheDir); err != nil || len(entries) == 0 {
		t.Errorf("the cache has %d entries, %v", len(entries), err)
	}
	file := writeFile(t, "file", "")
	runBare(t, goodRequest, "merge", "--cache", file).expect(t, exitFailed, "", "turncontext: host: opening the cache: ")
}

func TestCacheDir(t *testing.T) {
	setHome(t, t.TempDir())
	user, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	expectCacheDir(t, nil, filepath.Join(user, "turncontext"), false)
	none, other := "", "other"
	expectCacheDir(t, &none, "", true)
	expectCacheDir(t, &other, "other", true)
	setHome(t, "")
	expectCacheDir(t, nil, "", false)
}

func expectCacheDir(t *testing.T, flag *string, dir string, chosen bool) {
	t.Helper()
	flags := &moduleFlags{Cache: flag}
	if gotDir, gotChosen := flags.cacheDir(); gotDir != dir || gotChosen != chosen {
		t.Errorf("cacheDir() = %q, %t, want %q, %t", gotDir, gotChosen, dir, chosen)
	}
}

// Where the default cache cannot be made, the module is opened without one: the
// error then is the module's, not the cache's.
func TestDefaultCacheIsOptional(t *testing.T) {
	setHome(t, writeFile(t, "file", ""))
	module := writeFile(t, "text.wasm", "hello")
	runBare(t, goodRequest, "merge", "--module", module).expect(t, exitFailed, "", "turncontext: "+module+": host: not a WebAssembly file")
}

// setHome moves the user's cache folder, on every system.
func setHome(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, dir)
	}
}

func TestExitCode(t *testing.T) {
	for _, test := range []struct {
		err  error
		want int
	}{
		{nil, exitOK},
		{&abi.Error{Kind: abi.InvalidParams}, exitRefused},
		{fmt.Errorf("in a turn: %w", &abi.Error{Kind: abi.RequestTooLarge}), exitRefused},
		{fmt.Errorf("%w: 1 failed", errNotConforming), exitRefused},
		{fmt.Errorf("the module failed: %w", &abi.Error{Kind: abi.Internal}), exitFailed},
		{fmt.Errorf("waiting: %w", context.Canceled), exitInterrupted},
		{os.ErrNotExist, exitFailed},
	} {
		if got := exitCode(test.err); got != test.want {
			t.Errorf("exit code of %v is %d, want %d", test.err, got, test.want)
		}
	}
}
