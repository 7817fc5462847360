package host

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
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
