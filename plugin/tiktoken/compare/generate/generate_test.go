package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// The data is what it is made from.
func TestUpToDate(t *testing.T) {
	folder := t.TempDir()
	if err := run(folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cl100k_base.merges", "o200k_base.merges", "classes.bin"} {
		if name == "classes.bin" && unicode.Version != "15.0.0" {
			t.Logf("%s not compared: this Go has Unicode %s", name, unicode.Version)
			continue
		}
		want, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what make generate writes", name)
		}
	}
}

// vocabulary returns the single bytes, and tokens in the order given.
func vocabulary(tokens ...string) map[string]int {
	ranks := map[string]int{}
	for b := range 256 {
		ranks[string([]byte{byte(b)})] = b
	}
	for _, token := range tokens {
		ranks[token] = len(ranks)
	}
	return ranks
}

func TestPack(t *testing.T) {
	packed, err := pack(vocabulary("ab", "abc", "bc", "bcd"))
	if err != nil {
		t.Fatal(err)
	}
	rows := packed[256:]
	want := []byte{
		'a', 0, 'b', 2, 0, 1, 0, 1, 0, 0, 0, 0, // left: a, ab = 256, b, bc = 258
		'b', 'c', 'c', 'd', 0, 0, 0, 0, 0, 0, 0, 0,
	}
	if !bytes.Equal(rows, want) {
		t.Errorf("rows %v, want %v", rows, want)
	}
}

func TestPackRefuses(t *testing.T) {
	gap := vocabulary()
	gap["ab"] = 300
	early := vocabulary("ab")
	early["ab"], early["z"] = early["z"], early["ab"]
	for _, test := range []struct {
		ranks map[string]int
		want  string
	}{
		{gap, "has rank 300"},
		{early, "has rank"},
		{vocabulary("abc"), "do not merge"},
		{vocabulary("bcd", "cd"), "older"},
		{vocabulary(strings.Repeat("a", 129)), "129 bytes"},
	} {
		if _, err := pack(test.ranks); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want one with %q", err, test.want)
		}
	}
}
