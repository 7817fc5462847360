package fragment

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/json"
)

// stringIn returns a text that holds raw as a string, and that string.
func stringIn(t *testing.T, raw string) ([]byte, json.String) {
	t.Helper()
	text := append([]byte(`"`+raw+`"`), make([]byte, json.Pad)...)
	var r json.Reader
	var s json.String
	r.Reset(text, len(text)-json.Pad)
	if !r.String(&s) {
		t.Fatalf("not a string: %q", raw)
	}
	return r.Text(), s
}

// stripped strips a value, and checks the String that comes out.
func stripped(t *testing.T, value string) string {
	t.Helper()
	text, s := stringIn(t, inJSON(value))
	var r Renderer
	text, s = r.strip(text, s)
	got := string(s.Bytes(text, nil))
	if int(s.Len) != len(got) {
		t.Fatalf("%q: %d bytes, its String says %d", value, len(got), s.Len)
	}
	return got
}

func TestStrip(t *testing.T) {
	for value, want := range map[string]string{
		"":                       "",
		"plain é 本 🙂\t\n":        "plain é 本 🙂\t\n",
		"a\r\nb\x00\x7f\u0085c":  "a\nbc",
		"\u202ex\u2069\u2028":    "x\u2028",
		"\x1b[1;31mred\x1b[0m":   "red",
		"\u009b1;31mred\u009bm":  "red",
		"\x1b[?25l\x1b[2 q.":     ".",
		"\x1b]0;title\x07x":      "x",
		"\x1b]8;;u\x1b\\l\x1b]x": "lx",
		"\x1bPq\u009cx":          "x",
		"\u0090a\x1b\\b":         "b",
		"\x1b_a\nb\x1b[m\x07c":   "c", // what stands in a control string ends with it
		"\x1b(Bx":                "x",
		"\x1b#8\x1b=\x1bcx":      "x",
		"\x1b\\x":                "x",
		"\x1b(é":                 "é", // no final byte: ESC and the byte that names it go
		"\x1bé\x1b":              "é",
		"\x1b\x1b[mx":            "x",
		"\x1b[31":                "31",
		"\x1b[31\nm":             "31\nm",
		"\x1b[3\x1b[4mx":         "3x",
		"\x1b]open":              "open",
		"\x1bX\x1b]\x1b^z":       "z",
		"\x1b[\"q":               "", // a quote is an intermediate byte
		"\x1b]\"\\\"\x07x":       "x",
		"a\\b\"c\x1b[0m":         "a\\b\"c",
	} {
		if got := stripped(t, value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}

// checkStrip checks that what was stripped has nothing left to strip, however the
// value was written, and that strip and its twin agree.
func checkStrip(t *testing.T, value string) {
	t.Helper()
	got := stripped(t, value)
	if strings.ContainsFunc(got, isControl) {
		t.Fatalf("%q: left %q", value, got)
	}
	var escaped strings.Builder
	for _, unit := range utf16.Encode([]rune(value)) {
		escaped.WriteString(`\u` + string([]byte{hex[unit>>12], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15]}))
	}
	text, s := stringIn(t, escaped.String())
	json.Normalise(text, &s)
	var r Renderer
	text, s = r.strip(text, s)
	if again := string(s.Bytes(text, nil)); again != got || int(s.Len) != len(again) {
		t.Fatalf("%q: escaped gives %q, else %q", value, again, got)
	}

	raw := []byte(inJSON(value))
	one, two := make([]byte, len(raw)+slack), make([]byte, len(raw)+slack)
	n, escapes := strip(one, raw)
	m, want := plainStrip(two, raw)
	if string(one[:n]) != string(two[:m]) || escapes != want {
		t.Fatalf("%q: %q with %d escapes, want %q with %d", value, one[:n], escapes, two[:m], want)
	}
}

func TestStripRandomText(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"\x1b", "\x1b[", "[", "]", "P", "X", "^", "_", "\\", "\x07", "\u009b", "\u009c", "\u009d", "\u0098", "0", ";", "m", "~", " ", "(", "a", "é", "本", "🙂", "\"", "\n", "\r", "\b", "\u007f", "\u202b", "\u2066", "\u00a0", "\u2028", "abcdefgh", "\x01"}
	for range 50_000 {
		var b strings.Builder
		for range rng.IntN(25) {
			b.WriteString(pieces[rng.IntN(1+rng.IntN(len(pieces)))])
		}
		checkStrip(t, b.String())
	}
}

func FuzzStrip(f *testing.F) {
	f.Add("\x1b[1;31mred\x1b[0m\x1b]0;title\x07")
	f.Add("\u0090abc\x1b\\\u009b1\"q\x1b(B\u202e")
	f.Fuzz(func(t *testing.T, value string) {
		if !utf8.ValidString(value) {
			t.Skip("the reader lets no such value through")
		}
		checkStrip(t, value)
	})
}

const hex = "0123456789ABCDEF"

// The cost of control strings that never end does not grow with their number.
func BenchmarkStripUnterminated(b *testing.B) {
	text := []byte(strings.Repeat(`\u001b]`, 1<<17))
	dst := make([]byte, len(text)+slack)
	for b.Loop() {
		strip(dst, text)
	}
}

func TestAttributeRoundTrip(t *testing.T) {
	for _, key := range []string{"", "k", `a"b`, "a&b<c>d", "\t\n\r", "&amp;", "é本🙂", "\x00", `\`} {
		for _, value := range []string{"", "v", "<&>", "&lt;", `"`, "</external_context>", "a\nb", "\\"} {
			for kind := range Kinds {
				text, k := stringIn(t, inJSON(key))
				var r Renderer
				r.Wrapper = Attribute
				var w json.Writer
				valueText := inJSON(value)
				joined := append([]byte(nil), text[:k.End+1]...)
				joined = append(append(joined, '"'), valueText...)
				joined = append(joined, make([]byte, json.Pad+1)...)
				v := json.String{Start: k.End + 2, End: k.End + 2 + int32(len(valueText)), Len: int32(len(value)), Form: json.Canonical}
				var got Rendered
				r.Input(&got, &w, joined, &k, kind, &v, &budget.Limit{Tokens: 1000}, false)
				rendered, s := stringIn(t, string(w.Bytes()[got.Begin:got.End]))
				element := s.Bytes(rendered, nil)
				if gotKey, ok := Element(element, kind, new([]byte)); !ok || string(gotKey) != key {
					t.Errorf("%q: key %q, %v, want %q", element, gotKey, ok, key)
				}
				if _, ok := Element(element, 1-kind, new([]byte)); ok {
					t.Errorf("%q is of the other kind too", element)
				}
			}
		}
	}
}

// What is nearly an element is none.
func TestElementToTheByte(t *testing.T) {
	const element = `<external_context source="k&amp;&quot;">v &lt; &amp;</external_context>`
	if key, ok := Element([]byte(element), Untrusted, new([]byte)); !ok || string(key) != `k&"` {
		t.Fatalf("key %q, %v", key, ok)
	}
	for _, wrong := range []string{
		` ` + element, element + "\n",
		strings.Replace(element, "source", "Source", 1),
		strings.Replace(element, `="`, `= "`, 1),
		strings.Replace(element, `">`, `" >`, 1),
		strings.Replace(element, "k", "<", 1),
		strings.Replace(element, "k", "\n", 1),
		strings.Replace(element, "&quot;", "&#34;", 1),
		strings.Replace(element, "&amp;&", "&&", 1),
		strings.Replace(element, "v", ">", 1),
		strings.Replace(element, "v", "&gt", 1),
		strings.Replace(element, "v", "&quot;", 1),
		strings.Replace(element, "v", element, 1),
		element[:len(element)-1], element[1:], "", "<external_context",
	} {
		if key, ok := Element([]byte(wrong), Untrusted, new([]byte)); ok {
			t.Errorf("%q is an element, of %q", wrong, key)
		}
	}
}
