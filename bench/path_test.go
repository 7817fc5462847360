package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

func constant(answer string) localCall {
	return bytesCall(func([]byte) ([]byte, error) { return []byte(answer), nil })
}

var (
	same  = bytesCall(func(request []byte) ([]byte, error) { return request, nil })
	fails = bytesCall(func([]byte) ([]byte, error) { return nil, errors.New("broken") })
)

func testLane(t *testing.T, name string, merge, echo localCall) lane {
	t.Helper()
	l := &local{calls: map[string]localCall{callMerge: merge, callEcho: echo}}
	if err := l.load([][]byte{[]byte("a request")}); err != nil {
		t.Fatal(err)
	}
	return lane{way{name: name, echoes: true}, l}
}

func TestVerify(t *testing.T) {
	for _, test := range []struct {
		name        string
		merge, echo localCall
		want        string // in the error; none if empty
	}{
		{"alike", constant(`{"a":1}`), same, ""},
		{"the same value", constant(`{ "\u0061": 1 }`), same, ""},
		{"another answer", constant(`{"a":2}`), same, "other answers otherwise than good"},
		{"no JSON", constant(`{`), same, "other answers otherwise than good"},
		{"no echo", constant(`{"a":1}`), constant("{}"), "echo other answers something else"},
		{"merge fails", fails, same, "broken"},
		{"echo fails", constant(`{"a":1}`), fails, "broken"},
	} {
		lanes := []lane{testLane(t, "good", constant(`{"a":1}`), same), testLane(t, "other", test.merge, test.echo)}
		err := verify(lanes, [][]byte{[]byte("a request")})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}

func TestVerifyRefused(t *testing.T) {
	refusing := testLane(t, "refusing", constant(`{"error":{}}`), same)
	if err := verify([]lane{refusing}, [][]byte{[]byte("a request")}); err == nil {
		t.Error("no error for a request that every path refuses")
	}
}

// only is a benchmark of one path.
func only(name string) bench {
	return bench{paths: regexp.MustCompile("^" + name + "$"), progress: io.Discard}
}

// openPath opens one path. A test of one that cannot be had here is skipped,
// unless nothing may be missing.
func openPath(t *testing.T, name string) lane {
	t.Helper()
	b := only(name)
	g, remove, err := b.guests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := remove(); err != nil {
			t.Error(err)
		}
	})
	lanes, missing, err := b.openLanes(context.WithoutCancel(t.Context()), g, os.Getenv("CI") == "true")
	if err != nil {
		t.Fatal(err)
	}
	if len(missing) > 0 {
		t.Skip(missing[0])
	}
	t.Cleanup(func() {
		if err := closeLanes(lanes); err != nil {
			t.Error(err)
		}
	})
	return lanes[0]
}

// trickyRequests are what workloads have little of.
func trickyRequests() [][]byte {
	entry := func(key, value, kind string) string {
		return fmt.Sprintf(`%s:{"value":%s,"kind":"%s"}`, appendQuoted(nil, key, false), appendQuoted(nil, value, false), kind)
	}
	var list [][]byte
	for _, maps := range [][2]string{
		{"", ""},
		{entry("gone", "x", "untrusted") + "," + entry("a", "x", "application"), entry("z", "", "untrusted")},
		{entry("k", "same", "untrusted"), entry("k", "same", "application")},
		{"", entry("a>b", "x", "untrusted") + "," + entry("c>d", "x", "application")},
		{"", entry("k", "</external_k></k>", "untrusted") + "," + entry("l", "</l>", "application")},
		{"", entry("b", "\u202e", "untrusted") + "," + entry("c", "\u0085\u00a0", "untrusted") + "," + entry("d", "\x7f", "untrusted")},
	} {
		list = append(list, fmt.Appendf(nil, `{"store":{%s},"additionalContext":{%s}}`, maps[0], maps[1]))
	}
	for _, size := range []int{3999, 4000, 4001, 4004, 4005} {
		for _, char := range []string{"a", "é", "語", "🙂"} {
			value := strings.Repeat(char, size/len(char)) + strings.Repeat(".", size%len(char))
			list = append(list,
				fmt.Appendf(nil, `{"additionalContext":{%s}}`, entry("k", value, "untrusted")),
				fmt.Appendf(nil, `{"additionalContext":{%s}}`, entry("k", "x"+value, "application")))
		}
	}
	return append(list,
		[]byte(`{}`),
		[]byte(`{"store":null,"additionalContext":null}`),
		[]byte(`{"additionalContext":{"k":{"value":"\u001b[0m\b","kind":"untrusted","more":[]}}}`),
		fmt.Appendf(nil, `{"additionalContext":{%s}}`, // cut, it would be the same text
			entry("k", strings.Repeat("a", 2000)+"…6 tokens truncated…"+strings.Repeat("b", 2000), "untrusted")),
	)
}

// TestPathsAgree sends tricky requests down every path.
func TestPathsAgree(t *testing.T) {
	core := openPath(t, "core")
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			lanes := []lane{core, openPath(t, w.name)}
			requests := trickyRequests()
			for _, l := range lanes {
				if err := l.load(requests); err != nil {
					t.Fatal(err)
				}
			}
			if err := verify(lanes, requests); err != nil {
				t.Error(err)
			}
			for _, call := range []string{callMerge, callEcho} {
				if call == callEcho && !w.echoes {
					continue
				}
				if s, err := lanes[1].run(call, 1, len(requests)+1); err != nil || s.time <= 0 {
					t.Errorf("run %s: %v, error %v", call, s, err)
				}
			}
		})
	}
}

// TestEchoGuest sends requests around the size of the guest's first buffer,
// and one that makes it larger.
func TestEchoGuest(t *testing.T) {
	for _, name := range []string{raw, "Go SDK"} {
		l := openPath(t, name)
		for _, size := range []int{1, 4096, 4097, 1_000_000, 8} {
			request := strings.Repeat("x", size)
			if err := l.load([][]byte{[]byte(request)}); err != nil {
				t.Fatal(err)
			}
			answer, err := l.answer(callEcho, 0)
			if err != nil {
				t.Errorf("%s, %d bytes: %v", name, size, err)
			} else if string(answer) != request {
				t.Errorf("%s, %d bytes: the answer is not the request", name, size)
			}
		}
	}
}

// TestDirect holds the call without a host to the core.
func TestDirect(t *testing.T) {
	module, err := bench{}.module()
	if err != nil {
		t.Fatal(err)
	}
	merge, closer, err := openDirect(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	requests := append(trickyRequests(), fmt.Appendf(nil, `{"additionalContext":{"k":{"value":"%s","kind":"untrusted"}}}`,
		strings.Repeat("x", 1_000_000)))
	core := openPath(t, "core")
	if err := core.load(requests); err != nil {
		t.Fatal(err)
	}
	if err := verify([]lane{core, {way{name: "direct"}, callMeter(merge, requests).path}}, requests); err != nil {
		t.Error(err)
	}
	if err := closer(); err != nil {
		t.Error(err)
	}
	if _, _, err := openDirect(t.Context(), []byte("\x00asm\x01\x00\x00\x00")); err == nil {
		t.Error("no error for an empty module")
	}
}

func TestOpenLanesMissing(t *testing.T) {
	t.Setenv("PATH", "") // no toolchain
	b := only(rust)
	lanes, missing, err := b.openLanes(t.Context(), guests{}, false)
	if err != nil || len(lanes) != 0 || len(missing) != 1 || !strings.HasPrefix(missing[0], "Rust: not measured: ") {
		t.Errorf("%d paths, missing %q, error %v", len(lanes), missing, err)
	}
	if _, _, err := b.openLanes(t.Context(), guests{}, true); err == nil {
		t.Error("no error where nothing may be missing")
	}
}

// TestChildFails starts programs that are no child.
func TestChildFails(t *testing.T) {
	_, err := startChild(t.Context(), "sh", "-c", "echo it broke >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "it broke") {
		t.Errorf("error %v, want the status and what was said", err)
	}
	c, err := startChild(t.Context(), "sh", "-c", "read x; echo; read x; echo no number")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.run(callMerge, 0, 1); err == nil {
		t.Error("no error for an answer that is no number")
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
}

// TestOptions checks that every field of a policy is measured, and nothing else.
func TestOptions(t *testing.T) {
	var all strings.Builder
	for _, o := range options {
		all.WriteString(o.policy)
	}
	for i := range reflect.TypeFor[abi.Policy]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[abi.Policy]().Field(i).Tag.Get("json"), ",")
		if !strings.Contains(all.String(), `"`+name+`":`) {
			t.Errorf("%s is not measured", name)
		}
	}
	for _, preset := range []abi.Preset{abi.PresetReference, abi.PresetSafe} {
		if !strings.Contains(all.String(), fmt.Sprintf(`{"preset":"%s"}`, preset)) {
			t.Errorf("preset %s is not measured", preset)
		}
	}
	l := openPath(t, "core")
	for _, o := range options {
		for _, w := range policyWorkloads {
			requests, err := w.requests(1)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.load(o.added(requests)); err != nil {
				t.Fatal(err)
			}
			if answer, err := l.answer(callMerge, 0); err != nil || !strings.HasPrefix(string(answer), `{"store":`) {
				t.Errorf("%s: %.200s, error %v", o.name, answer, err)
			}
		}
	}
}
