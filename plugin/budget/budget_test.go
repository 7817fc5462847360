package budget

import (
	stdjson "encoding/json"
	"testing"

	"github.com/turncontext/turncontext/internal/conform"
	"github.com/turncontext/turncontext/plugin/json"
)

// read returns a text that holds value as a string, written by write and
// normalised.
func read(t *testing.T, value string, write func(string) []byte) ([]byte, json.String) {
	t.Helper()
	text := write(value)
	n := len(text)
	text = append(text, make([]byte, json.Pad)...)
	var r json.Reader
	var s json.String
	r.Reset(text, n)
	if !r.String(&s) {
		t.Fatalf("cannot read %s", text)
	}
	json.Normalise(r.Text(), &s)
	return r.Text(), s
}

// quote writes value with the escapes of the output.
func quote(value string) []byte { return json.AppendQuoted(nil, []byte(value)) }

// escapeAll writes every character of value as \uXXXX.
func escapeAll(value string) []byte {
	dst := []byte{'"'}
	for _, r := range value {
		b, _ := stdjson.Marshal(string(r))
		if s := string(b[1 : len(b)-1]); len(s) == 6 && s[0] == '\\' {
			dst = append(dst, s...)
			continue
		}
		if r > 0xFFFF {
			r -= 0x10000
			dst = appendUnit(appendUnit(dst, 0xD800+r>>10), 0xDC00+r&0x3FF)
			continue
		}
		dst = appendUnit(dst, r)
	}
	return append(dst, '"')
}

func appendUnit(dst []byte, r rune) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '\\', 'u', digits[r>>12], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// writeCut writes what is left of a value, and returns its length in bytes once
// escapes are resolved.
func writeCut(w *json.Writer, c *Cut, text []byte, value json.String) int {
	w.Raw(text[value.Start:c.Head])
	n := c.WriteMarker(w)
	w.Raw(text[c.Tail:value.End])
	return n + int(c.Kept)
}

func TestVectors(t *testing.T) {
	files, err := conform.Load("../../testdata/vectors/truncate.json")
	if err != nil {
		t.Fatal(err)
	}
	vectors := files[0].Truncate
	if len(vectors) < 300 {
		t.Fatalf("%d vectors", len(vectors))
	}
	for _, v := range vectors {
		for name, write := range map[string]func(string) []byte{"quoted": quote, "escaped": escapeAll} {
			text, value := read(t, v.Value, write)
			got, length, original := v.Value, len(v.Value), -1
			var cut Cut
			truncated := cut.Cut(&Limit{Tokens: v.MaxTokens}, text, &value, nil)
			if truncated {
				var w json.Writer
				w.Text(`"`)
				length = writeCut(&w, &cut, text, value)
				w.Text(`"`)
				if err := stdjson.Unmarshal(w.Bytes(), &got); err != nil {
					t.Fatalf("%s, %s: %v", v.Name, name, err)
				}
				original = Tokens(len(v.Value))
			}
			if got != v.Text || length != len(got) {
				t.Errorf("%s, %s: got %q of %d bytes, want %q", v.Name, name, got, length, v.Text)
			}
			if v.OriginalTokens == nil != !truncated || truncated && *v.OriginalTokens != original {
				t.Errorf("%s, %s: original tokens %d", v.Name, name, original)
			}
		}
	}
}

func TestTokens(t *testing.T) {
	for bytes, want := range []int{0, 1, 1, 1, 1, 2, 2, 2, 2, 3} {
		if got := Tokens(bytes); got != want {
			t.Errorf("%d bytes: %d tokens, want %d", bytes, got, want)
		}
	}
}
