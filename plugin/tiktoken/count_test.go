package tiktoken

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/plugin/tiktoken/internal/texts"
)

// counts are what tiktoken's Python package counts: see compare/count.py.
//
//go:embed testdata/counts.txt
var counts string

func TestCountsAreTiktokens(t *testing.T) {
	all := texts.All()
	if len(all) < 5000 {
		t.Fatalf("%d texts, want at least 5000", len(all))
	}
	checksum := sha256.New()
	for _, text := range all {
		checksum.Write([]byte(text + "\xff"))
	}
	lines := strings.Split(strings.TrimSuffix(counts, "\n"), "\n")
	if got := fmt.Sprintf("%x", checksum.Sum(nil)); got != lines[0] || len(lines)-1 != len(all) {
		t.Fatal("the counts are not those of the texts: make counts, in compare")
	}
	encodings := both(t)
	for i, text := range all {
		got := fmt.Sprint(encodings[0].Count([]byte(text)), encodings[1].Count([]byte(text)))
		if got != lines[i+1] {
			t.Errorf("%.200q: %s tokens in cl100k_base and o200k_base, want %s", text, got, lines[i+1])
		}
	}
}

func TestLoad(t *testing.T) {
	want := []string{"cl100k_base", "o200k_base"}
	if got := Names(); !slices.Equal(got, want) {
		t.Fatalf("names %q, want %q", got, want)
	}
	for _, name := range want {
		e, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := Load(name); again != e {
			t.Errorf("%s was made twice", name)
		}
	}
	if _, err := Load("p50k_base"); err == nil || !strings.Contains(err.Error(), "cl100k_base, o200k_base") {
		t.Errorf("error %v, want one that names the encodings", err)
	}
}

// What no text can be makes no difference to a host, but must not make a panic.
func TestCountOfNoText(t *testing.T) {
	for _, text := range []string{"\xff", "a\xc3", "\xe3\x81", "\xf0\x9f\x99", "\x80\x80\x80 \xc2", "'\xc5"} {
		for _, e := range both(t) {
			if got := e.Count([]byte(text)); got < 1 || got > len(text) {
				t.Errorf("%q: %d tokens", text, got)
			}
		}
	}
}

// A long piece is encoded with memory and bits that are used again.
func TestCountLeavesNothingBehind(t *testing.T) {
	for _, e := range both(t) {
		for _, text := range texts.All()[:500] {
			e.Count([]byte(text))
			for _, word := range e.chain.dead {
				if word != 0 {
					t.Fatalf("%q leaves marks", text)
				}
			}
		}
	}
}

func TestNoAllocationOnceWarm(t *testing.T) {
	text := []byte(strings.Repeat(texts.Prose()["ja"]+texts.Prose()["en"], 20))
	marker := []byte("…")
	for _, e := range both(t) {
		allocs := testing.AllocsPerRun(10, func() {
			e.Count(text)
			e.Fits(text, 100)
			e.Head(text, marker, 100)
			e.Tail(text, marker, 100)
			e.Middle(text, marker, 100)
		})
		if allocs != 0 {
			t.Errorf("%v allocations a call, want none", allocs)
		}
	}
}

// The tables say of each token what the packed form says.
func TestTables(t *testing.T) {
	for _, e := range both(t) {
		var m matches
		for token := range e.size {
			text := e.bytes(uint32(token))
			e.match(text, &m)
			if got := m.token[m.count-1]; got != uint32(token) {
				t.Fatalf("%q is token %d, want %d", text, got, token)
			}
			if n, end := e.encode(text, len(text)); n != 1 || end != len(text) {
				t.Fatalf("%q is encoded as %d tokens", text, n)
			}
		}
		if used(e.pairs)*2 > len(e.pairs) || used(e.edges)*2 > len(e.edges) {
			t.Error("a table is more than half full")
		}
	}
}

func used(table []uint64) (n int) {
	for _, slot := range table {
		if slot != 0 {
			n++
		}
	}
	return n
}

// bytes returns the bytes of a token.
func (v *vocabulary) bytes(token uint32) []byte {
	if token < 256 {
		return []byte{byte(slices.Index(v.single[:], token))}
	}
	return append(v.bytes(v.left[token]), v.bytes(v.right[token])...)
}

// both returns the encodings, in the order of their names.
func both(t testing.TB) [2]*Encoding {
	t.Helper()
	var encodings [2]*Encoding
	for i, name := range Names() {
		e, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		encodings[i] = e
	}
	return encodings
}

// merge counts as tiktoken does: it joins the two neighbours that are the
// earliest token, the first of equals, until none are a token.
func (v *vocabulary) merge(tokens map[string]uint32, piece []byte) int {
	parts := slices.Collect(slices.Chunk(piece, 1))
	for {
		best, at := uint32(none), 0
		for i := range len(parts) - 1 {
			if token, ok := tokens[string(parts[i])+string(parts[i+1])]; ok && token < best {
				best, at = token, i
			}
		}
		if best == none {
			return len(parts)
		}
		parts[at] = append(slices.Clone(parts[at]), parts[at+1]...)
		parts = slices.Delete(parts, at+1, at+2)
	}
}

// FuzzChain holds chains to merging, over pieces that are any bytes.
func FuzzChain(f *testing.F) {
	encodings := both(f)
	var tokens [2]map[string]uint32
	for i, e := range encodings {
		tokens[i] = map[string]uint32{}
		for token := range e.size {
			tokens[i][string(e.bytes(uint32(token)))] = uint32(token)
		}
	}
	for i, text := range texts.All() {
		if i%20 == 0 {
			f.Add([]byte(text))
		}
	}
	for _, unit := range []string{"-", "=", "/", "#", " ", "\t", "-=", " #"} {
		for _, length := range []int{79, 96, 113, 200, 301} {
			f.Add([]byte(strings.Repeat(unit, length/len(unit)) + "x"))
		}
	}
	f.Fuzz(func(t *testing.T, piece []byte) {
		if len(piece) == 0 || len(piece) > 500 {
			return
		}
		for i, e := range encodings {
			want := e.merge(tokens[i], piece)
			if got := e.count(piece); got != want {
				t.Fatalf("%s, %q: %d tokens, want %d", Names()[i], piece, got, want)
			}
			// As far as a chain was made, it is the encoding of that.
			n, end := e.encode(piece, want/2)
			if n != want/2 || n > 0 && e.merge(tokens[i], piece[:end]) != n {
				t.Fatalf("%s, %q: %d tokens of %d bytes, want %d", Names()[i], piece, n, end, want/2)
			}
		}
	})
}
