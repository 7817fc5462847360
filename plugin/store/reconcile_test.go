package store

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// What an entry renders to by a plain policy is told without rendering it.
func TestRendersTo(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	pieces := []string{"a", "b", "é", `\n`, `\u0062`, ">", "</a>", strings.Repeat("long ", 8)}
	word := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	same := 0
	for range 5000 {
		key, value, kind := word(4), word(5), fragment.KindNames[r.IntN(2)]
		var m Merge
		text := read(t, fmt.Sprintf(`{"store":{"%s":{"value":"%s","kind":"%s"}}}`, key, value, kind), &m)
		var p Policy
		p.Reset()
		p.Limit.Tokens = r.IntN(20)
		p.Settle()
		m.Policy = &p
		m.Reconcile(text, &History{})
		e := &m.Old.entries[0]
		if key, value = string(e.Key.Raw(text)), string(e.Value.Raw(text)); r.IntN(2) == 0 {
			value = word(5)
		}
		var written json.Writer
		tag := []string{fragment.Untrusted: "external_", fragment.Application: ""}[e.Kind]
		written.Text("<" + tag + key + ">" + value + "</" + tag + key + ">")
		got := m.rendersTo(0, e.Kind, written.Bytes())
		p.PlainInputs = false
		if want := m.rendersTo(0, e.Kind, written.Bytes()); got != want {
			t.Fatalf("%q renders to %q: %v, want %v", text, written.Bytes(), got, want)
		}
		if got {
			same++
		}
	}
	if same < 1000 {
		t.Errorf("only %d rendered to the text", same)
	}
}
