package turn

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/params"
)

// Items are written as the twin writes them, whatever room there is.
func TestWriteItems(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	contents := []string{``, ``, `a`, `plain text`, `\\\n\u0001`, `\u0041\/`, `é`, strings.Repeat("long ", 30), strings.Repeat(`\u0041`, 60)}
	for range 20_000 {
		text := "["
		for range 10 {
			text += `"` + contents[r.IntN(1+r.IntN(len(contents)))] + `",`
		}
		padded := append([]byte(text+`""]`), make([]byte, json.Pad)...)
		var reader json.Reader
		reader.Reset(padded, len(padded)-json.Pad)
		values := []json.String{{}} // the first is absent
		for more := reader.Array() && reader.Item(); more; more = reader.Item() {
			values = append(values, json.String{})
			reader.String(&values[len(values)-1])
		}
		items := make([]params.UserInput, r.IntN(1+r.IntN(60)))
		for i := range items {
			items[i].Variant = r.IntN(params.Variants)
			for k := range items[i].Strings {
				items[i].Strings[k] = values[r.IntN(len(values))]
			}
		}
		templates := []*templates{&partTemplates, &hostTemplates}[r.IntN(2)]
		before := counts{r.IntN(1 << r.IntN(31)), r.IntN(1 << r.IntN(31))}
		gotCounts, wantCounts := before, before
		var got, want json.Writer
		got.Reset(1 + r.IntN(3000))
		for _, w := range []*json.Writer{&got, &want} {
			w.Text("begin")
		}
		plainWriteItems(&want, padded, items, templates, &wantCounts)
		writeAll(&got, padded, items, templates, &gotCounts)
		if !bytes.Equal(got.Bytes(), want.Bytes()) || gotCounts != wantCounts {
			t.Fatalf("%+v: %q, %+v, want %q, %+v", items, got.Bytes(), gotCounts, want.Bytes(), wantCounts)
		}
	}
}
