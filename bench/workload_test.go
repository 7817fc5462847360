package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
)

// parsed is a request of a workload.
type parsed struct {
	Store             map[string]abi.Entry `json:"store"`
	AdditionalContext map[string]abi.Entry `json:"additionalContext"`
}

// TestWorkloads checks that requests are what the names of their workloads
// promise.
func TestWorkloads(t *testing.T) {
	for _, w := range workloads() {
		t.Run(w.name, func(t *testing.T) {
			inputs := rotation
			if w.size > 100_000 {
				inputs = 3
			}
			requests, err := w.requests(inputs)
			if err != nil {
				t.Fatal(err)
			}
			if len(requests) != inputs {
				t.Fatalf("%d inputs, want %d", len(requests), inputs)
			}
			seen := make(map[string]bool)
			for i, request := range requests {
				// Each value may lack less than one character, in both maps.
				if diff := w.size - len(request); diff < -w.size/100 || diff > w.size/100+24*w.entries {
					t.Errorf("input %d has %d bytes", i, len(request))
				}
				if seen[string(request)] {
					t.Errorf("input %d stands twice", i)
				}
				seen[string(request)] = true
				checkRequest(t, w, request)
			}
		})
	}
}

func checkRequest(t *testing.T, w workload, request []byte) {
	t.Helper()
	var p parsed
	if err := json.Unmarshal(request, &p); err != nil {
		t.Fatal(err)
	}
	if len(p.AdditionalContext) != w.entries {
		t.Errorf("%d entries sent, want %d", len(p.AdditionalContext), w.entries)
	}
	if w.fresh {
		if p.Store != nil {
			t.Error("something is stored")
		}
		over := 0
		for key, entry := range p.AdditionalContext {
			if len(entry.Value) < valueLimit {
				t.Errorf("%s has %d bytes, which is below the limit", key, len(entry.Value))
			}
			if len(entry.Value) > valueLimit {
				over++
			}
		}
		if want := w.entries; w.limit && over != want/2 || !w.limit && over != want {
			t.Errorf("%d of %d values are over the limit", over, want)
		}
		return
	}
	changed := 0
	for key, entry := range p.AdditionalContext {
		told, ok := p.Store[key]
		if !ok {
			t.Errorf("%s is not in the store", key)
		}
		if entry != told {
			changed++
			if w.small && len(entry.Value) > smallValue {
				t.Errorf("a value of %d bytes changed", len(entry.Value))
			}
		}
	}
	if changed != w.changed || len(p.Store) != w.entries {
		t.Errorf("%d of %d stored entries have changed, want %d of %d", changed, len(p.Store), w.changed, w.entries)
	}
}

// TestForms checks that requests are written as the names of their workloads
// promise.
func TestForms(t *testing.T) {
	one := func(name string) string {
		t.Helper()
		list := matching(regexp.MustCompile("^" + regexp.QuoteMeta(name) + " 43 KB, 2"))
		if len(list) != 1 {
			t.Fatalf("%d workloads %q", len(list), name)
		}
		requests, err := list[0].requests(1)
		if err != nil {
			t.Fatal(err)
		}
		return string(requests[0])
	}
	share := func(s string, is func(rune) bool) float64 {
		n := 0
		for _, r := range s {
			if is(r) {
				n += utf8.RuneLen(r)
			}
		}
		return float64(n) / float64(len(s))
	}

	if s := one("plain"); strings.Contains(s, `\u`) || share(s, func(r rune) bool { return r > 127 }) > 0 {
		t.Error("plain is not ASCII without escapes by number")
	}
	if got := share(one("Japanese"), func(r rune) bool { return r > 0x2FFF }); got < 0.9 {
		t.Errorf("Japanese is so by %.2f", got)
	}
	sizes := make(map[int]bool)
	for _, r := range one("mixed UTF-8") {
		sizes[utf8.RuneLen(r)] = true
	}
	if got := slices.Sorted(maps.Keys(sizes)); !slices.Equal(got, []int{1, 2, 3, 4}) {
		t.Errorf("characters of mixed UTF-8 have %v bytes", got)
	}
	if s := one("quotes"); strings.Count(s, `\`) < len(s)/10 {
		t.Error("less than a tenth of quotes is escapes")
	}
	if s := one(`\uXXXX`); strings.Count(s, `\u`)*6 < len(s)*9/10 {
		t.Error(`less than nine tenths of \uXXXX is such escapes`)
	}
	stored, sent, _ := strings.Cut(one(`\uXXXX sent`), `"additionalContext"`)
	if strings.Contains(stored, `\u`) || strings.Count(sent, `\u`)*6 < len(sent)*9/10 {
		t.Error(`of \uXXXX sent, not exactly the context is such escapes`)
	}
	if s := one("pretty"); strings.Count(s, "\n    ") < 20 {
		t.Error("pretty is not indented")
	}
	for name, sorted := range map[string]bool{"plain": true, "unsorted": false} {
		keys := regexp.MustCompile(`"(\w+)":\{"value"`).FindAllString(one(name), -1)
		if len(keys) != 20 || slices.IsSorted(keys[:10]) != sorted || slices.IsSorted(keys[10:]) != sorted {
			t.Errorf("keys of %s: %q", name, keys)
		}
	}
	stored, sent, _ = strings.Cut(one("odd keys"), `"additionalContext"`)
	if !strings.Contains(stored, `tab/00 \"C:\\`) || !strings.Contains(sent, `tab\/00 \"C:\\`) {
		t.Error("odd keys are not")
	}
	stored, sent, _ = strings.Cut(one("jsonb"), `"additionalContext"`)
	if strings.Count(stored, `": {"kind": "`) != 10 || strings.Count(sent, `":{"value":"`) != 10 {
		t.Error("of jsonb, not exactly the store is written so")
	}
}

func TestChangesMove(t *testing.T) {
	w := workload{size: 43_000, entries: 10, changed: 2}
	keys := make(map[int]bool)
	for input := range rotation {
		for entry := range w.entries {
			if w.changes(input, entry) {
				keys[entry] = true
			}
		}
	}
	if len(keys) != w.entries {
		t.Errorf("%d of %d keys change, want all", len(keys), w.entries)
	}
}

func TestRequestsAreTheSameEveryTime(t *testing.T) {
	for _, w := range matching(regexp.MustCompile("2.5 KB")) {
		first, err := w.requests(4)
		if err != nil {
			t.Fatal(err)
		}
		second, err := w.requests(4)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(first, second, bytes.Equal) {
			t.Errorf("%s differs from time to time", w.name)
		}
	}
}

func TestRequestTooSmall(t *testing.T) {
	if _, err := (workload{size: 1_000, entries: 10, changed: 1}).requests(1); err == nil {
		t.Error("no error for ten entries in 1,000 bytes")
	}
}

func TestRotationIsBounded(t *testing.T) {
	requests, err := workload{name: "large", size: maxRotation / 2, entries: 1, fresh: true}.requests(rotation)
	if err != nil || len(requests) != 2 {
		t.Errorf("%d inputs, error %v, want 2", len(requests), err)
	}
}

func TestText(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, w := range []workload{{}, {fresh: true}, {form: form{escapeSent: true}}, {form: form{escapeSent: true, escapeStored: true}}} {
		for name, write := range map[string]line{
			"prose": prose, "code": code, "record": record, "Japanese": japanese, "mixed": mixed, "quotes": quotes,
		} {
			for size := 30; size < 300; size++ {
				s := text(rng, write, size, w.cost)
				if got := costs(w.cost).of(s); got > size || got <= size-24 || got != w.written(s) || !utf8.ValidString(s) {
					t.Fatalf("%s: cost %d, written %d, want %d: %q", name, got, w.written(s), size, s)
				}
				edited := edit(rng, write, s, w.cost)
				if got := costs(w.cost).of(edited); edited == s || got > costs(w.cost).of(s) || !utf8.ValidString(edited) {
					t.Fatalf("%s: %q edited to %q", name, s, edited)
				}
			}
		}
	}
}

// written returns how many bytes a value takes in a request of the workload.
func (w workload) written(s string) int {
	size := len(appendQuoted(nil, s, w.form.escapeSent)) - len(`""`)
	if !w.fresh {
		size += len(appendQuoted(nil, s, w.form.escapeStored)) - len(`""`)
	}
	return size
}

func TestAppendQuoted(t *testing.T) {
	const s = "a\"\\\n\t語🙂\u2028"
	for _, all := range []bool{false, true} {
		var got string
		if err := json.Unmarshal(appendQuoted(nil, s, all), &got); err != nil || got != s {
			t.Errorf("all %v: %q, error %v", all, got, err)
		}
	}
}
