package fragment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/turncontext/turncontext/internal/conform"
)

func TestRecogniseVectors(t *testing.T) {
	files, err := conform.Load("../../testdata/vectors/classify.json")
	if err != nil {
		t.Fatal(err)
	}
	vectors := files[0].Classify
	if len(vectors) < 200 {
		t.Fatalf("%d vectors", len(vectors))
	}
	for _, v := range vectors {
		if _, hidden := Reference.Recognise([]byte(v.Text), new([]byte)); hidden != v.Hidden {
			t.Errorf("%q: hidden %v, want %v", v.Text, hidden, v.Hidden)
		}
	}
}

func TestRecogniseKey(t *testing.T) {
	for _, key := range []string{"", "a", "browser_info", "é 本", "<", "/"} {
		text := " \u3000<external_" + key + ">a > b</external_" + key + ">\n"
		if got, hidden := Reference.Recognise([]byte(text), new([]byte)); !hidden || string(got) != key {
			t.Errorf("%q: got %q, %v", text, got, hidden)
		}
	}
}

func TestTrim(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		if !utf8.ValidRune(r) {
			continue
		}
		c := string(r)
		want := 0
		if unicode.Is(unicode.White_Space, r) {
			want = len(c)
		}
		if got := spaceAt([]byte(c)); got != want {
			t.Errorf("%U: %d, want %d", r, got, want)
		}
		for _, text := range []string{c, c + c, "a" + c, c + "a", "a" + c + "a", c + "é" + c, " " + c + "a" + c + " "} {
			if got, want := string(trim([]byte(text))), strings.TrimSpace(text); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
}

func FuzzTrim(f *testing.F) {
	f.Add(" a\u3000 ")
	f.Add("\u200a\u200b\u2028\u2030\u202f")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		start, end := ends([]byte(text))
		if wantStart, wantEnd := plainEnds([]byte(text)); start != wantStart || end != wantEnd {
			t.Fatalf("%q: %d to %d, want %d to %d", text, start, end, wantStart, wantEnd)
		}
	})
}

func FuzzContains(f *testing.F) {
	f.Add([]byte("a</b></a>"), []byte("a>"))
	f.Add([]byte("abcdefgh</a>x</b>"), []byte("b>"))
	f.Add([]byte(strings.Repeat("</external_", 20)+"x>"), []byte("external_</external_x>"))
	f.Fuzz(func(t *testing.T, text, rest []byte) { checkContains(t, text, append([]byte("</"), rest...)) })
}

func checkContains(t *testing.T, text, tag []byte) {
	t.Helper()
	if got, want := contains(text, tag), bytes.Contains(text, tag); got != want {
		t.Fatalf("%q in %q: %v", tag, text, got)
	}
	if got, want := search(text, tag), bytes.Contains(text, tag); got != want {
		t.Fatalf("search of %q in %q: %v", tag, text, got)
	}
	borders, want := make([]int32, len(tag)), make([]int32, len(tag))
	Borders(tag, borders)
	plainRun(tag, tag, want, 1)
	if !slices.Equal(borders, want) {
		t.Fatalf("%q: borders %v, want %v", tag, borders, want)
	}
	if got, want := tagAt(text, tag), plainTagAt(text, tag); got != want {
		t.Fatalf("%q in %q: at %d, want %d", tag, text, got, want)
	}
}

func TestContainsInRandomText(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	pieces := []string{"</a", "</", "<", "/", "a", ">", "abcdefgh", "</external", "_", "<\xff/"}
	random := func(n int) string {
		var b strings.Builder
		for range rng.IntN(n) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 50_000 {
		checkContains(t, []byte(random(20)), []byte("</"+random(4)))
		checkContains(t, []byte(random(80)), []byte("</"+random(4)))
	}
}

func checkEscape(t *testing.T, value []byte) {
	t.Helper()
	extra := plainExtra(value)
	if got := extraBytes(value); got != extra {
		t.Fatalf("%q: %d more, want %d", value, got, extra)
	}
	room := len(value) + extra + slack
	got, want := make([]byte, room), make([]byte, room)
	got, want = got[:escape(got, value)], want[:plainEscape(want, value)]
	if !bytes.Equal(got, want) || len(got)-len(value) != extra {
		t.Fatalf("%q: %q, want %q", value, got, want)
	}
}

// checkUnescape checks that entities are resolved as the twin does it, at once and in parts.
func checkUnescape(t *testing.T, text []byte, inKey bool) {
	t.Helper()
	want := make([]byte, len(text)+slack)
	n, read := plainUnescape(want, text, inKey)
	var got []byte
	var room [2 * slack]byte
	all := 0
	for rest := text; ; {
		n, read := unescape(room[:], rest, inKey)
		if read == 0 {
			break
		}
		got, rest, all = append(got, room[:n]...), rest[read:], all+read
	}
	if !bytes.Equal(got, want[:n]) || all != read {
		t.Fatalf("%q, in a key %v: %q of %d bytes, want %q of %d", text, inKey, got, all, want[:n], read)
	}
	got = make([]byte, len(text)+slack)
	if m, all := unescape(got, text, inKey); !bytes.Equal(got[:m], want[:n]) || all != read {
		t.Fatalf("%q at once, in a key %v: %q of %d bytes, want %q of %d", text, inKey, got[:m], all, want[:n], read)
	}
}

func FuzzUnescape(f *testing.F) {
	f.Add([]byte("a&lt;b&amp;c&gt;"), true)
	f.Add([]byte("&quot;&#9;&#10;&#13;"), true)
	f.Add([]byte("abcdefgh&#10"), true)
	f.Add([]byte("abcdefgh&amp;ijklmnopq&am"), false)
	f.Fuzz(checkUnescape)
}

func TestUnescapeEqualsItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	pieces := []string{"a", "abcdefgh", "abcdefghijklmnopq", "&amp;", "&lt;", "&gt;", "&amp;", "本", "\x00", "\x1f", "\x7f", "&quot;", "&#9;", "&#10;", "&#13;", "\xa6\xbc\xbe\xa2", "\"", "&", "&l", "<", ">", "\t", "\n", "\r"}
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(2+rng.IntN(len(pieces)-1))])
		}
		text := []byte(b.String())
		checkUnescape(t, text[:len(text)-rng.IntN(min(3, len(text)+1))], rng.IntN(2) == 0)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte("a<b&c>"))
	f.Add([]byte("abcdefghijklmnop<&>qrstuvwxyz"))
	f.Fuzz(checkEscape)
}

func TestEscapeEqualsItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	pieces := []string{"a", "abcdefgh", "abcdefghijklmnopq", "<", ">", "&", "本", "\xa6\xbc\xbe", "'", "%", ";", "=", "?", "\x00"}
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(30) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		checkEscape(t, []byte(b.String()))
	}
}

func TestEscapeKeyEqualsItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	pieces := []string{"a", "abcdefgh", "abcdefghijklmnopq", "本", "é", "🙂", "\x7f", "&", "<", ">", `\"`, `\t`, `\n`, `\r`, `\\`, `\b`, `\f`, `\u0001`, `\u001f`, "u", "t", "'", "=", "?"}
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(1+rng.IntN(len(pieces)))])
		}
		key := []byte(b.String())
		got, want := make([]byte, maxEntity*len(key)+slack), make([]byte, maxEntity*len(key)+slack)
		n, length := escapeKey(got, key)
		wantN, wantLength := plainEscapeKey(want, key)
		if n != wantN || length != wantLength || string(got[:n]) != string(want[:wantN]) {
			t.Fatalf("%q: %q of %d bytes, want %q of %d", key, got[:n], length, want[:wantN], wantLength)
		}
		var resolved, word string
		if json.Unmarshal([]byte(`"`+string(want[:wantN])+`"`), &resolved) != nil || json.Unmarshal([]byte(`"`+b.String()+`"`), &word) != nil || len(resolved) != wantLength {
			t.Fatalf("%q: %q of %d bytes", key, want[:wantN], wantLength)
		}
		for _, e := range entities {
			word = strings.ReplaceAll(word, string(e.char), e.entity)
		}
		if resolved != word {
			t.Fatalf("%q: %q, want %q", key, resolved, word)
		}
	}
}

// The cost of looking for a tag does not multiply text by tag.
func TestContainsIsLinear(t *testing.T) {
	text := bytes.Repeat([]byte("</external_"), 1<<18)
	tag := append(bytes.Repeat([]byte("</external_"), 1<<17), '>')
	if contains(text, tag) {
		t.Error("found")
	}
	if !contains(append(text, '>'), tag) {
		t.Error("not found")
	}
}

// isControl is abi/README.md's list, character by character.
func isControl(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' || 0x7F <= r && r <= 0x9F || 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069
}

func checkControl(t *testing.T, value string) {
	t.Helper()
	text := inJSON(value)
	want := strings.IndexFunc(value, isControl)
	if want >= 0 {
		want = len(inJSON(value[:want]))
	}
	if got := controlAt([]byte(text)); got != want {
		t.Fatalf("%q: %d, want %d", value, got, want)
	}
	// Behind and before what is none, and in each place of a block.
	before := strings.Repeat(`x本\n\\`, 5) + strings.Repeat("x", len(value)%16)
	long := -1
	if want >= 0 {
		long = len(before) + want
	}
	if got := longControlAt([]byte(before + text + before)); got != long {
		t.Fatalf("%q in a long text: %d, want %d", value, got, long)
	}
	if got := plainControlAt([]byte(text)); got != want {
		t.Fatalf("%q: the twin says %d, want %d", value, got, want)
	}
}

func TestControlAt(t *testing.T) {
	for r := range rune(0x11000) {
		if 0xD800 <= r && r <= 0xDFFF {
			continue
		}
		for _, around := range []string{"%s", "abcdefgh%sabcdefgh", "本本%s本本", "é%s\\é\n", "©’€%s"} {
			checkControl(t, fmt.Sprintf(around, string(r)))
		}
	}
}

func TestControlAtInRandomText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "abcdefgh", "本", "é", "©", "’", "🙂", "\\", "\"", "\n", "\t", "ubfr", "\\\\\\", "b", "u", "\u2029", "\u2065", "\u00a0", "\x7e", "\x7f", "\u009f", "\u202a", "\u2069", "\r", "\x1b"}
	for range 20_000 {
		var value strings.Builder
		for range r.IntN(30) {
			value.WriteString(pieces[r.IntN(1+r.IntN(len(pieces)))])
		}
		checkControl(t, value.String())
	}
}

func TestWarnings(t *testing.T) {
	for warnings, want := range map[Warnings]string{
		0:                                `,"warnings":[]}`,
		ValueHasClosingTag:               `,"warnings":["value_has_closing_tag"]}`,
		ControlCharacters | KeyHasGT:     `,"warnings":["key_has_gt","control_characters"]}`,
		ControlCharacters | KeyHasGT | 2: `,"warnings":["key_has_gt","value_has_closing_tag","control_characters"]}`,
	} {
		if got := warnings.Member(); got != want {
			t.Errorf("%b: %s, want %s", warnings, got, want)
		}
	}
}
