package params

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/plugin/json"
)

// Items that are read at once are what they are one by one, whatever their members are, and
// in whatever order. Nearly all that are right are read at once.
func TestReadItems(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	names := []string{"type", "text", "url", "path", "name", "detail", "text_elements", "x", "typ", "texts", "text_elementsx", `\u0074ype`}
	values := []string{`""`, `"a"`, `"é"`, `"\n\u0041"`, `"` + strings.Repeat("long ", 30) + `"`, `"` + strings.Repeat("long\\u0041é", 30) + `"`, `null`, `[]`,
		`[{"byteRange":{"start":0,"end":1}}]`, `[{"byteRange":{"start":0,"end":1}},{"byteRange":{"start":0,"end":-1}}]`, `[0]`, `0`, `{}`, `nul`, `"\x"`}
	enums := map[string][]string{"type": {`"text"`, `"image"`, `"localImage"`, `"skill"`, `"mention"`, `"texts"`}, "detail": {`"high"`, `"original"`, `"low"`, `null`}}
	usual := [][]string{{"type", "text"}, {"type", "url"}, {"type", "path"}, {"type", "name", "path"}, {"type", "url", "detail"}, {"type", "text", "text_elements"}}
	member := func(name string) string {
		value := pick(values[:1+r.IntN(len(values))])
		if enums[name] != nil && r.IntN(10) > 0 {
			value = pick(enums[name])
		}
		space := strings.Repeat(" ", r.IntN(8)/7)
		return space + `"` + name + `"` + space + ":" + space + value + space
	}
	atOnce, left := 0, 0
	for range 30_000 {
		var items []string
		for range 1 + r.IntN(3) {
			var members []string
			for _, name := range usual[r.IntN(len(usual))] {
				members = append(members, member(name))
			}
			for range r.IntN(3) * r.IntN(2) {
				members = append(members, member(pick(names)))
			}
			r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
			items = append(items, "{"+strings.Join(members, ",")+"}")
		}
		text := "[" + strings.Join(items, ",") + "]"
		if r.IntN(10) == 0 {
			text = text[:1+r.IntN(len(text)-1)]
		}
		padded := append([]byte(text), make([]byte, json.Pad)...)
		var one, many json.Reader
		one.Reset(padded, len(text))
		many.Reset(padded, len(text))
		if !one.Array() || !one.Item() || !many.Array() || !many.Item() {
			continue
		}
		got := make([]UserInput, 1+r.IntN(3))
		n := ReadItems(&many, got)
		for i := range n {
			var want UserInput
			want.Read(&one)
			if want.Variant < 0 || one.Wrong() {
				t.Fatalf("%s: item %d is wrong", text, i)
			}
			for _, at := range inputVariants[want.Variant].strings {
				if got[i].Variant != want.Variant || at >= 0 && got[i].Strings[at] != want.Strings[at] {
					t.Fatalf("%s: item %d is %+v, want %+v", text, i, got[i], want)
				}
			}
			if i+1 < n {
				one.Item()
			}
		}
		if n > 0 && one.Offset() != many.Offset() {
			t.Fatalf("%s: read up to %d, want %d", text, many.Offset(), one.Offset())
		}
		atOnce += n
		var next UserInput
		if n < len(got) && (n == 0 || one.Item()) {
			if next.Read(&one); !one.Wrong() {
				left++
			}
		}
	}
	if runtime.GOARCH == "wasm" && (atOnce < 1_000 || left > atOnce/5) {
		t.Errorf("%d items were read at once, and %d that are right were not", atOnce, left)
	}
}
