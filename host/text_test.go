package host

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
)

func TestAppendString(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"":                           `""`,
		"plain":                      `"plain"`,
		"\"\\/\b\f\n\r\t":            `"\"\\/\b\f\n\r\t"`,
		"\x00\x01\x1f\x7f":           `"\u0000\u0001\u001f` + "\x7f\"",
		"<b>&'\u2028":                "\"<b>&'\u2028\"",
		"日本語":                        `"日本語"`,
		"\xff\xc3":                   "\"\xff\xc3\"",
		strings.Repeat("x", 17):      `"` + strings.Repeat("x", 17) + `"`,
		strings.Repeat("12345\n", 4): `"` + strings.Repeat(`12345\n`, 4) + `"`,
	} {
		if got := string(appendString(nil, s)); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

// A byte is found at every place of a word, whatever stands around it.
func TestPlainPrefix(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for _, around := range []byte{'a', 0x7f, 0x80, 0xff, ' ', '!', '#', '[', ']'} {
			for at := range 20 {
				s := bytes.Repeat([]byte{around}, 20)
				s[at] = byte(c)
				want := len(s)
				if needsEscape(byte(c)) {
					want = at
				}
				if got := plainPrefix(string(s)); got != want {
					t.Fatalf("%q: got %d, want %d", s, got, want)
				}
			}
		}
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("text with \"quotes\", \\ and \n")
	f.Add("\xed\xa0\x80 \x00")
	f.Fuzz(func(t *testing.T, s string) {
		plain := 0
		for plain < len(s) && !needsEscape(s[plain]) {
			plain++
		}
		if got := plainPrefix(s); got != plain {
			t.Fatalf("plainPrefix is %d, not %d", got, plain)
		}
		text := appendString([]byte("["), s)
		if !utf8.ValidString(s) {
			return // encoding/json would not give it back
		}
		var back [1]string
		if err := json.Unmarshal(append(text, ']'), &back); err != nil {
			t.Fatal(err)
		}
		if back[0] != s {
			t.Errorf("got %q back", back[0])
		}
	})
}

// What is known makes no difference to where a value ends.
func FuzzFollower(f *testing.F) {
	const entry = `{"value":"1\\","kind":"untrusted"}`
	for _, text := range []string{
		``, `1`, `{}`, `{"a":` + entry + `}`, `{"":` + entry + `,"a":1,"b":` + entry + `,"c":{}},"d":`, `{"a":` + entry, `{"a":"`,
		`{"a":` + entry + `:{"b":` + entry + `]`, ` {"a":` + entry + `}`, `{"a":` + entry + `"b":` + entry + `}`, `{,,"a"`, `[{"a":` + entry,
		`{"version":1,"threadId":"a","activeTurn":null,"additionalContext":{"a":` + entry + `}},"turn":`,
	} {
		for _, keys := range []string{"a", "b", "ab", "bc", "abc"} {
			f.Add([]byte(text), keys, "1\\")
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, keys, value string) {
		entries := map[string]abi.Entry{}
		for i := range len(keys) {
			entries[keys[i:i+1]] = abi.Entry{Value: value, Kind: abi.Untrusted}
		}
		var context sentContext
		end, whole := valueEnd(text)
		check := func(way string, gotEnd int, gotWhole bool) {
			if gotEnd != end || gotWhole != whole {
				t.Errorf("%s of %s: got %d, %v, want %d, %v", way, text, gotEnd, gotWhole, end, whole)
			}
		}

		context.told = follow(text)
		sent := appendContext([]byte("{"), entries, &context)
		gotEnd, gotWhole := context.told.end()
		check("while entries are written, the end", gotEnd, gotWhole)

		known := context.forecast(sent, nil).context
		gotEnd, gotWhole = knownEnd(text, known[len(contextName):])
		check("with a known context the end", gotEnd, gotWhole)
		gotEnd, gotWhole = stateEnd(text, known)
		check("of a state with a known context the end", gotEnd, gotWhole)
	})
}

// An object is passed over member by member, whatever else it has than what is
// known.
func TestFollower(t *testing.T) {
	t.Parallel()
	object := func(members ...string) []byte { return []byte(`{` + strings.Join(members, ",") + `}`) }
	a, b, c := `"a":{"value":"1"}`, `"b":{"value":"{\""}`, `"c":{"value":"3"}`
	for name, text := range map[string][]byte{
		"the same": object(a, b, c), "one is new": object(a, c), "the first is new": object(b, c), "one is gone": object(a, b, `"bb":{}`, c),
		"the first is gone": object(`"":{}`, a, b, c), "one changed": object(a, `"b":{"value":"}"}`, c), "all changed": object(`"a":1`, `"b":2`, `"c":3`),
	} {
		f := follow(text)
		for _, member := range []string{a, b, c} {
			f.sorted([]byte(member), len(`"a":`))
		}
		if f.at != len(text)-1 {
			t.Errorf("%s: it is at %s", name, text[f.at:])
		}
	}
}

// Whatever the text and the room for it, what is written many bytes at a time is
// what is written byte by byte, and nothing lies outside of the room.
func FuzzBlocks(f *testing.F) {
	for _, text := range []string{"plain ", "\"a\\\n\t", "\x00 ", "語", `\n`, `\\`, `\u0001"`, `0123456789abcde\n`, `\q`, "\x1f!"} {
		f.Add([]byte(strings.Repeat(text, 20)), 300)
		f.Add([]byte("0123456789"+text+strings.Repeat("x", 90)), 90)
	}
	r := rand.New(rand.NewPCG(13, 0))
	for range 300 { // rows of backslashes that begin and end anywhere
		text := make([]byte, r.IntN(300))
		for i := range text {
			text[i] = `\\\\\\\\n"x`[r.IntN(11)]
		}
		if at := r.IntN(400); at < len(text) {
			text[at] = "u\x00\xee"[at%3]
		}
		f.Add(text, r.IntN(700))
	}
	f.Fuzz(func(t *testing.T, text []byte, room int) {
		room = min(max(0, room), 2*len(text)+150)
		for name, write := range escapers() {
			wrote, from := checkRoom(t, name, write, text, room)
			var want []byte
			for _, c := range from {
				if want = append(want, c); needsEscape(c) {
					want = appendEscape(want[:len(want)-1], c)
				}
			}
			if !bytes.Equal(wrote, want) {
				t.Errorf("%s: of %q it wrote %q, want %q", name, from, wrote, want)
			}
		}
		for name, write := range unescapers() {
			wrote, from := checkRoom(t, name, write, text, room)
			r := newReader(slices.Concat([]byte{'"'}, from, []byte{'"'}))
			if got := plainString(r); !r.done() || got != string(wrote) {
				t.Errorf("%s: of %q it wrote %q, want %q", name, from, wrote, got)
			}
		}
	})
}

// plainString is what reader.string does, without the help of words and blocks.
func plainString(r *reader) string {
	r.strings = make([]byte, len(r.text))
	r.want(`"`)
	for !r.failed && !r.skip(`"`) {
		r.plain()
		r.escape()
	}
	return string(r.strings[:r.used])
}

// checkRoom has a text written into so much room, and returns what was written
// for what.
func checkRoom(t *testing.T, name string, write func(to, from []byte) (wrote, read int), text []byte, room int) (to, from []byte) {
	t.Helper()
	buffer := bytes.Repeat([]byte{0xa5}, room+100)
	wrote, read := write(buffer[:room:room], slices.Clip(text))
	if outside := buffer[room:]; bytes.Count(outside, []byte{0xa5}) != len(outside) {
		t.Fatalf("%s wrote outside of its room of %d", name, room)
	}
	if wrote > room || read > len(text) {
		t.Fatalf("%s wrote %d into %d, and read %d of %d", name, wrote, room, read, len(text))
	}
	return buffer[:wrote], text[:read]
}

// Nothing is written of nothing or into nothing, and most of what there is
// room for is.
func TestBlocksAreWritten(t *testing.T) {
	t.Parallel()
	check := func(name string, write func(to, from []byte) (wrote, read int), text []byte) {
		for _, lengths := range [][2]int{{0, 0}, {0, 100}, {100, 0}} {
			var to, from []byte // nil, unless they get a length
			to, from = append(to, make([]byte, lengths[0])...), append(from, make([]byte, lengths[1])...)
			if wrote, read := write(to, from); wrote != 0 || read != 0 {
				t.Errorf("%s: %d of %d bytes were written, into %d", name, wrote, len(from), len(to))
			}
		}
		if _, read := write(make([]byte, 300), text); read < len(text)-48 {
			t.Errorf("%s: only %d of %d bytes were", name, read, len(text))
		}
	}
	for name, write := range escapers() {
		check(name, write, bytes.Repeat([]byte("0123456789\n"), 10))
	}
	for name, write := range unescapers() {
		check(name, write, bytes.Repeat([]byte(`0123456789\n`), 10))
	}
}

// The end of a string is where a plain search finds it, whatever stands before.
func TestStringEnd(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(14, 0))
	for range 20_000 {
		text := make([]byte, 1+r.IntN(300))
		kinds := []string{`\\\\"x`, `\xxxxxxxxxxxxxxxxxxxxxxx`, `\"`, `x"`}[r.IntN(4)]
		for i := range text {
			text[i] = kinds[r.IntN(len(kinds))]
		}
		if r.IntN(2) == 0 {
			text = bytes.ReplaceAll(text, []byte(`"`), []byte(`\"`))
		}
		start := r.IntN(len(text))
		want := start + 1
		for want < len(text) && text[want] != '"' {
			if text[want] == '\\' {
				want++
			}
			want++
		}
		want = min(want, len(text))
		if got := stringEnd(text, start); got != want {
			t.Fatalf("in %s from %d on: got %d, want %d", text, start, got, want)
		}
	}
}

func TestValueEnd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		end   int
		whole bool
	}{
		``:                       {0, true},
		`null`:                   {4, true},
		`{}`:                     {2, true},
		` {"a":[1,{"b":2}]} `:    {19, true},
		`{},"policy":{}`:         {2, true},
		`{}}`:                    {2, true},
		`1]`:                     {1, true},
		`"a":1`:                  {3, true},
		`"}],:\"{"`:              {9, true},
		`"\\","x"`:               {4, true},
		`{"a":"\\\"}","b":"\\"}`: {22, true},
		`{`:                      {1, false},
		`"`:                      {1, false},
		`"\"`:                    {3, false},
		`{"a":"b}`:               {8, false},
		`[{]`:                    {3, false},
	} {
		if end, whole := valueEnd([]byte(text)); end != want.end || whole != want.whole {
			t.Errorf("%s: got %d, %v, want %d, %v", text, end, whole, want.end, want.whole)
		}
	}
}
