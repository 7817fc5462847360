package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/plugin/json"
)

// randomMember returns a member of a map, with white space or escapes here and there,
// and what the output makes of it.
func randomMember(r *rand.Rand, key string) (written, want string) {
	value := []rune(strings.Repeat("日本\n語é\"🙂\x1bab", 3))
	r.Shuffle(len(value), func(i, j int) { value[i], value[j] = value[j], value[i] })
	value = value[:r.IntN(len(value))]
	share := r.IntN(4)
	raw := ""
	for _, c := range value {
		if quoted := json.AppendQuoted(nil, []byte(string(c))); c > 0xFFFF || r.IntN(3) >= share {
			raw += string(quoted[1 : len(quoted)-1])
		} else {
			raw += fmt.Sprintf([]string{`\u%04x`, `\u%04X`}[r.IntN(2)], c)
		}
	}
	name := `"` + key + `"`
	if r.IntN(20) == 0 {
		name = `"\u006b` + key[1:] + `"`
	}
	kind := []string{"untrusted", "application"}[r.IntN(2)]
	want = fmt.Sprintf(`"%s":{"value":%s,"kind":"%s"}`, key, json.AppendQuoted(nil, []byte(string(value))), kind)
	switch r.IntN(20) {
	case 0:
		return fmt.Sprintf(`%s:{"kind":"%s","value":"%s"}`, name, kind, raw), want
	case 1:
		return fmt.Sprintf(`%s: {"value":"%s","kind":"%s"} `, name, raw, kind), want
	case 2:
		return fmt.Sprintf(`%s:{"value":"%s","kind":"\u00%x%s"}`, name, raw, kind[0], kind[1:]), want
	}
	return fmt.Sprintf(`%s:{"value":"%s","kind":"%s"}`, name, raw, kind), want
}

// Members with escapes move together, whatever stands between them.
func TestNormalise(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	var m Merge
	for range 5000 {
		var written, want []string
		for i := range r.IntN(8) {
			w, s := randomMember(r, fmt.Sprintf("k%d", i))
			written, want = append(written, w), append(want, s)
		}
		stored := slices.Clone(written)
		if r.IntN(3) == 0 {
			r.Shuffle(len(written), func(i, j int) { written[i], written[j] = written[j], written[i] })
		}
		request := `{"additionalContext":{` + strings.Join(written, ",") + `}}`
		if r.IntN(2) == 0 {
			request = `{"store":{` + strings.Join(stored[:r.IntN(len(stored)+1)], ",") + `},` + request[1:]
		}
		m.Compare(read(t, request, &m))
		var w json.Writer
		m.WriteStore(&w)
		if want := "{" + strings.Join(want, ",") + "}"; string(w.Bytes()) != want {
			t.Fatalf("%s:\n got %s\nwant %s", request, w.Bytes(), want)
		}
	}
}
