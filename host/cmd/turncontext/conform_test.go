package main

import (
	"strings"
	"testing"
)

// vectorFile is a file with one vector of kind merge, whose model is told text.
func vectorFile(t *testing.T, name, text string) string {
	t.Helper()
	return writeFile(t, name, `{"format":"turncontext-vectors/1","kind":"merge","about":"a test","vectors":[{"name":"one entry","steps":[`+
		`{"additionalContext":{"ci":{"value":"ok","kind":"untrusted"}},"inputs":[{"role":"user","text":"`+text+`"}]}]}]}`)
}

func passingVectors(t *testing.T) string {
	t.Helper()
	return vectorFile(t, "pass.json", "<external_ci>ok</external_ci>")
}

func TestConform(t *testing.T) {
	pass := passingVectors(t)
	fail := vectorFile(t, "fail.json", "<external_ci>red</external_ci>")
	foreign := writeFile(t, "foreign.json", `{"format":"turncontext-vectors/1","kind":"calls","about":"a test","vectors":[{"name":"of later","calls":[{"function":"foretell","request":"{}","response":"{}"}]}]}`)

	o := runWith(t, "", "conform", pass)
	o.expect(t, exitOK, "  file", "")
	expectRows(t, o.stdout, pass+" 1 0 0", "all 1 0 0")

	o = runWith(t, "", "conform", pass, foreign, fail)
	o.expect(t, exitRefused, "  file", "turncontext: the module does not conform: 1 failed\n")
	expectRows(t, o.stdout, pass+" 1 0 0", foreign+" 0 0 1", fail+" 0 1 0", "all 1 1 1",
		"not run: "+foreign+": the module has no function foretell (vectors: 1)")
	if !strings.Contains(o.stdout, "\nfailed: "+fail+": ") || !strings.Contains(o.stdout, "\n  want ") {
		t.Errorf("the failure is not told:\n%s", o.stdout)
	}

	runWith(t, "", "conform", foreign).expect(t, exitRefused, "  file", "turncontext: the module does not conform: no vector ran\n")
}

// expectRows checks that lines stand in text, whatever the spaces in them.
func expectRows(t *testing.T, text string, rows ...string) {
	t.Helper()
	lines := map[string]bool{}
	for line := range strings.Lines(text) {
		lines[strings.Join(strings.Fields(line), " ")] = true
	}
	for _, row := range rows {
		if !lines[row] {
			t.Errorf("the line %q is missing in\n%s", row, text)
		}
	}
}

func TestConformWithoutVectors(t *testing.T) {
	t.Chdir(t.TempDir())
	o := runWith(t, "", "conform")
	o.expect(t, exitFailed, "", "turncontext: stat testdata/vectors: ")
	const hint = "; outside a checkout the argument has to name the vectors\n"
	if !strings.HasSuffix(o.stderr, hint) {
		t.Errorf("%q does not name the argument", o.stderr)
	}
	if o := runWith(t, "", "conform", "absent"); o.code != exitFailed || !strings.HasPrefix(o.stderr, "turncontext: stat absent: ") || strings.HasSuffix(o.stderr, hint) {
		t.Errorf("exit code is %d, standard error %q", o.code, o.stderr)
	}
	runWith(t, "", "conform", writeFile(t, "bad.json", "{}")).expect(t, exitFailed, "", "turncontext: ")
}

// The project's own vectors hold, all of them through the command line.
func TestConformDefaultPath(t *testing.T) {
	t.Chdir("../../..")
	o := runWith(t, "", "conform")
	o.expect(t, exitOK, "  file", "")
	if !strings.Contains(o.stdout, "merge.json") {
		t.Errorf("merge.json did not run:\n%s", o.stdout)
	}
}
