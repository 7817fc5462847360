package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"
	"time"
)

func TestKeyOrders(t *testing.T) {
	for _, o := range keyOrders {
		const n = 1000
		request := o.request(n, 3)
		var p parsed
		if err := json.Unmarshal(request, &p); err != nil {
			t.Fatal(err)
		}
		changed := 0
		for key, entry := range p.AdditionalContext {
			if p.Store[key] != entry {
				changed++
			}
		}
		if len(p.Store) != n || len(p.AdditionalContext) != n || changed != n/10 {
			t.Errorf("%s: %d stored, %d sent, %d changed", o.name, len(p.Store), len(p.AdditionalContext), changed)
		}

		keys := regexp.MustCompile(`"\w+":\{`).FindAllString(string(request), -1)
		keys = slices.DeleteFunc(keys, func(s string) bool { return s == `"store":{` || s == `"additionalContext":{` })
		sent := slices.Clone(keys[n:])
		if !slices.IsSorted(keys[:n]) {
			t.Errorf("%s: the store is not in key order", o.name)
		}
		if got := slices.IsSorted(sent); got != (o.name == "sorted") {
			t.Errorf("%s: sorted is %v", o.name, got)
		}
		slices.Reverse(sent)
		if got := slices.IsSorted(sent); got != (o.name == "reversed") {
			t.Errorf("%s: reversed is %v", o.name, got)
		}
	}
	if got := len(keyOrders[3].prefix); got < 64 {
		t.Errorf("keys have %d bytes in common", got)
	}
	if got := len(keyOrders[3].request(100_000, 0)); got > 32<<20 {
		t.Errorf("the largest request has %d bytes, which the module refuses", got)
	}
}

func TestBetter(t *testing.T) {
	c := crowd{}.better(crowd{10, 2 * time.Millisecond, 9 * time.Millisecond})
	c = c.better(crowd{8, 4 * time.Millisecond, 10 * time.Millisecond})
	if want := (crowd{10, 4 * time.Millisecond, 10 * time.Millisecond}); c != want {
		t.Errorf("got %v, want %v", c, want)
	}
}

func TestGuestMemory(t *testing.T) {
	var g guestMemory
	memory := g.Allocate(4, 100)
	copy(memory.Reallocate(4), "abcd")
	if got := memory.Reallocate(8); string(got) != "abcd\x00\x00\x00\x00" || g.size != 8 {
		t.Errorf("got %q, size %d", got, g.size)
	}
}

// TestMixture checks that a rotation has a hundred requests.
func TestMixture(t *testing.T) {
	sum := 0
	for _, part := range mixture {
		sum += part.share
	}
	if sum != 100 {
		t.Errorf("the shares add up to %d", sum)
	}
}
