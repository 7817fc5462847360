package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// What an entry renders to is told without rendering it where all stands as it is.
func TestRendersTo(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	pieces := []string{"a", "b", "é", `\n`, `\u0062`, ">", "</a>", strings.Repeat("long ", 8), "&", "\x7f", `\u001b[m`}
	word := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(pieces[r.IntN(3+r.IntN(len(pieces)-2))])
		}
		return b.String()
	}
	same, verbatim := 0, 0
	for range 10_000 {
		key, value, kind := word(4), word(5), fragment.KindNames[r.IntN(2)]
		var m Merge
		text := read(t, fmt.Sprintf(`{"store":{"%s":{"value":"%s","kind":"%s"}}}`, key, value, kind), &m)
		var p Policy
		p.Reset()
		p.Limit = budget.Limit{Tokens: r.IntN(20), Strict: r.IntN(4) == 0}
		p.Wrapper = fragment.Wrapper(r.IntN(2))
		p.Strip = r.IntN(2) == 0
		p.Settle()
		m.Policy = &p
		m.Reconcile(text, &History{})
		e := &m.Old.entries[0]
		if key, value = string(e.Key.Raw(text)), string(e.Value.Raw(text)); r.IntN(2) == 0 {
			value = word(5)
		}
		var written json.Writer
		if p.Wrapper == fragment.Reference {
			tag := []string{fragment.Untrusted: "external_", fragment.Application: ""}[e.Kind]
			written.Text("<" + tag + key + ">" + value + "</" + tag + key + ">")
		} else {
			tag := []string{fragment.Untrusted: "external_context", fragment.Application: "application_context"}[e.Kind]
			written.Text("<" + tag + ` source=\"` + key + `\">` + value + "</" + tag + ">")
		}
		got, want := m.rendersTo(0, e.Kind, written.Bytes()), m.isRendered(0, written.Bytes())
		if got != want {
			t.Fatalf("%q renders to %q with %+v: %v, want %v", text, written.Bytes(), p, got, want)
		}
		if got {
			same++
		}
		if !p.PlainInputs && m.renderer.IsVerbatim(e.Key.Raw(text), e.Value.Raw(text)) {
			verbatim++
		}
	}
	if same < 2000 || verbatim < 2000 {
		t.Errorf("only %d rendered to the text, %d were verbatim", same, verbatim)
	}
}

func TestHasBracket(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	text := make([]byte, 24)
	for range 10_000 {
		for i := range text {
			text[i] = ">>=?\x00\xbea"[r.IntN(7)]
		}
		i, n := r.IntN(16), r.IntN(9)
		if got, want := hasBracket(text, i, n), bytes.IndexByte(text[i:i+n], '>') >= 0; got != want {
			t.Fatalf("%q from %d on, %d bytes: %v", text, i, n, got)
		}
	}
}
