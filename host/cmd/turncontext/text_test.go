package main

import (
	"strings"
	"testing"
	"unicode"
)

func TestVisible(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"plain, 日本, 🙂", "plain, 日本, 🙂"},
		{"a\tb", "a    b"},
		{"\x00\a\n\r\x1b[31m", "␀␇␊␍␛[31m"},
		{"\x7f", "␡"},
		{"\u0085\u009b31m", "<U+0085><U+009B>31m"},
		{"\u202eabc\u2069", "<U+202E>abc<U+2069>"},
		{"\ufeff\u200b\u00ad\u2028", "<U+FEFF><U+200B><U+00AD><U+2028>"},
		{"\U000e0041", "<U+E0041>"},
		{"👩\u200d💻 می\u200cخواهم", "👩\u200d💻 می\u200cخواهم"},
		{"bad \xff byte", "bad \ufffd byte"},
	} {
		if got := visible(test.text); got != test.want {
			t.Errorf("visible(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

// Whatever is shown, no character of it may act on the terminal.
func TestVisibleLeavesNothingThatActs(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if bad := actsOnTerminal(visible(string(r))); bad != "" {
			t.Fatalf("visible(%U) contains %q", r, bad)
		}
	}
}

// actsOnTerminal returns the first character of text that could move the
// cursor, change colours or turn the direction of writing.
func actsOnTerminal(text string) string {
	for _, r := range text {
		bidi := r == '\u061c' || r == '\u200e' || r == '\u200f' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
		if bidi || unicode.IsControl(r) {
			return string(r)
		}
	}
	return ""
}

func TestWidth(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{
		{"", 0}, {"abc", 3}, {"é", 1}, {"e\u0301", 1}, {"日本", 4}, {"チャット", 8}, {"🙂", 2}, {"✅", 2}, {"سلام", 4}, {"…·—", 3}, {"\u200d", 0},
	} {
		if got := width(test.text); got != test.want {
			t.Errorf("width(%q) = %d, want %d", test.text, got, test.want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{"0123456789", 10, "0123456789"},
		{"0123456789a", 10, "0123 ⋯ 89a"},
		{"日本語日本語", 10, "日本 ⋯ 語"},
		{"日本語日本語", 12, "日本語日本語"},
	} {
		got := fit(test.text, test.limit)
		if got != test.want {
			t.Errorf("fit(%q, %d) = %q, want %q", test.text, test.limit, got, test.want)
		}
		if width(got) > test.limit {
			t.Errorf("fit(%q, %d) takes %d columns", test.text, test.limit, width(got))
		}
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	table(&b, [][]string{{"key", "n", "last"}, {"チャット", "7", ""}, {"a", "1234", "x"}}, 1)
	want := "  key          n  last\n" +
		"  チャット     7\n" +
		"  a         1234  x\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
