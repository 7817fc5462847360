package tiktoken

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/turncontext/turncontext/plugin/tiktoken/internal/texts"
)

// least is the part of what could be kept that is kept at least.
const least = 0.97

var marker = []byte("…1234 tokens truncated…")

// joined counts the parts in one piece.
func joined(e *Encoding, parts ...[]byte) int { return e.Count(bytes.Join(parts, nil)) }

// longestHead and longestTail try every character.
func longestHead(e *Encoding, text, marker []byte, budget int) int {
	for at := len(text); at >= 0; at-- {
		if starts(text, at) && joined(e, text[:at], marker) <= budget {
			return at
		}
	}
	return -1
}

func longestTail(e *Encoding, text []byte, fits func(end []byte) bool) int {
	for at := range len(text) + 1 {
		if starts(text, at) && fits(text[at:]) {
			return at
		}
	}
	return -1
}

func starts(text []byte, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// checkCuts cuts a text in every way, and compares with what could be kept.
func checkCuts(t *testing.T, e *Encoding, text, marker []byte, budget int) {
	t.Helper()
	at := func(what string, kept, possible int) {
		t.Helper()
		if float64(kept) < least*float64(possible) {
			t.Errorf("%s of %q to %d tokens with marker %q: kept %d bytes, %d fit", what, text, budget, marker, kept, possible)
		}
	}

	head, ok := e.Head(text, marker, budget)
	if n := joined(e, text[:head], marker); !ok || n > budget || !starts(text, head) {
		t.Fatalf("head of %q to %d tokens with marker %q: %d bytes, %v, have %d tokens", text, budget, marker, head, ok, n)
	}
	at("head", head, longestHead(e, text, marker, budget))

	tail, ok := e.Tail(text, marker, budget)
	if n := joined(e, marker, text[tail:]); !ok || n > budget || !starts(text, tail) {
		t.Fatalf("tail of %q to %d tokens with marker %q: from %d, %v, has %d tokens", text, budget, marker, tail, ok, n)
	}
	at("tail", len(text)-tail, len(text)-longestTail(e, text, func(end []byte) bool { return joined(e, marker, end) <= budget }))

	head, tail, ok = e.Middle(text, marker, budget)
	if n := joined(e, text[:head], marker, text[tail:]); !ok || n > budget || head > tail || !starts(text, head) || !starts(text, tail) {
		t.Fatalf("middle of %q to %d tokens with marker %q: %d, %d, %v, have %d tokens", text, budget, marker, head, tail, ok, n)
	}
	own := e.Count(marker)
	begin := text[:longestHead(e, text, marker, own+(budget-own)/2)]
	left := budget - own - joined(e, begin)
	end := longestTail(e, text[len(begin):], func(end []byte) bool {
		return joined(e, begin, marker, end) <= budget && (len(marker) > 0 || joined(e, end) <= left)
	})
	at("middle", head+len(text)-tail, len(text)-end)
}

func TestCuts(t *testing.T) {
	all := texts.All()
	step := 60
	if testing.Short() {
		step = 250
	}
	for i := 0; i < len(all); i += step {
		text := []byte(all[i])
		text = text[:boundary(text, 300)]
		for _, e := range both(t) {
			for _, marker := range [][]byte{nil, marker, []byte("\n"), []byte("s")} {
				for _, budget := range []int{0, 1, 2, 3, 7, 20, 60} {
					checkCuts(t, e, text, marker, budget+e.Count(marker))
				}
			}
		}
	}
}

// Runs of one character and texts in one piece are cut at another place than
// others, once they are long.
func TestCutsOfLongPieces(t *testing.T) {
	for _, unit := range []string{"a", " ", "/", "=", "\n", "\u0301", "漢字", "มนุษย์", "🙂", "ab", "0"} {
		text := []byte(strings.Repeat(unit, 8000/len(unit)))
		for _, e := range both(t) {
			for _, budget := range []int{20, 90, 200, 350} {
				if e.Fits(text, budget) {
					continue
				}
				head, _ := e.Head(text, marker, budget)
				if n := joined(e, text[:head], marker); n > budget {
					t.Errorf("head of %q…, budget %d: %d tokens", unit, budget, n)
				}
				tail, _ := e.Tail(text, marker, budget)
				if n := joined(e, marker, text[tail:]); n > budget {
					t.Errorf("tail of %q…, budget %d: %d tokens", unit, budget, n)
				}
				kept := len(text) - tail
				for more := 1; more <= 300; more++ {
					if at := head + more; starts(text, at) && joined(e, text[:at], marker) <= budget && float64(head) < least*float64(at) {
						t.Errorf("head of %q…, budget %d: kept %d bytes, %d fit", unit, budget, head, at)
					}
					if at := tail - more; starts(text, at) && joined(e, marker, text[at:]) <= budget && float64(kept) < least*float64(kept+more) {
						t.Errorf("tail of %q…, budget %d: kept %d bytes, %d fit", unit, budget, kept, kept+more)
					}
				}
			}
		}
	}
}

func TestCutKeepsWhatFits(t *testing.T) {
	text := []byte(texts.Prose()["en"])
	for _, e := range both(t) {
		budget := e.Count(text)
		if !e.Fits(text, budget) || e.Fits(text, budget-1) || !e.Fits(text, len(text)) || !e.Fits(nil, 0) {
			t.Error("fits")
		}
		if at, ok := e.Head(text, nil, budget); at != len(text) || !ok {
			t.Errorf("head: %d, %v", at, ok)
		}
		if at, ok := e.Tail(text, nil, budget); at != 0 || !ok {
			t.Errorf("tail: %d, %v", at, ok)
		}
		if head, tail, ok := e.Middle(text, nil, budget); head != tail || !ok {
			t.Errorf("middle: %d, %d, %v", head, tail, ok)
		}
	}
}

func TestTotal(t *testing.T) {
	for language, prose := range texts.Prose() {
		text := []byte(strings.Repeat(prose+" ", 1+exactBytes/len(prose)))
		for _, e := range both(t) {
			for _, text := range [][]byte{text, text[:boundary(text, exactBytes)]} {
				want := e.Count(text)
				got, exact := e.Total(text)
				if exact != (len(text) <= exactBytes) || exact && got != want {
					t.Errorf("%s: %d tokens of %d bytes, exact %v, want %d", language, got, len(text), exact, want)
				}
				if diff := float64(got - want); max(diff, -diff) > 0.01*float64(want) {
					t.Errorf("%s: about %d tokens, has %d", language, got, want)
				}
			}
		}
	}
}

func TestMarkerThatDoesNotFit(t *testing.T) {
	text := []byte(texts.Prose()["en"])
	for _, e := range both(t) {
		budget := e.Count(marker) - 1
		_, head := e.Head(text, marker, budget)
		_, tail := e.Tail(text, marker, budget)
		_, _, middle := e.Middle(text, marker, budget)
		if head || tail || middle {
			t.Errorf("true of head %v, tail %v, middle %v", head, tail, middle)
		}
	}
}

func FuzzCuts(f *testing.F) {
	markers := []string{"", "…", "s", "bc", "'", "e", "\n", " ", "1", "\u0301"}
	for i, text := range texts.All() {
		if i%30 == 0 {
			f.Add(text, markers[i/30%len(markers)], uint8(i))
		}
	}
	f.Add("漢ABC漢AB漢漢A it'x it'r", "bc", uint8(5))
	encodings := both(f)
	f.Fuzz(func(t *testing.T, text, marker string, budget uint8) {
		if !utf8.ValidString(text) || !utf8.ValidString(marker) || len(text) > 200 || len(marker) > 40 {
			return
		}
		for _, e := range encodings {
			checkCuts(t, e, []byte(text), []byte(marker), int(budget)+e.Count([]byte(marker)))
		}
	})
}

func BenchmarkCount(b *testing.B) {
	for i, e := range both(b) {
		for _, language := range []string{"en", "ja"} {
			text := []byte(strings.Repeat(texts.Prose()[language], 100))
			b.Run(fmt.Sprintf("%s/%s", Names()[i], language), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					e.Count(text)
				}
			})
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	for b.Loop() {
		unpack(mergesO200K)
	}
}
