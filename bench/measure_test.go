package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		list []float64
		want float64
	}{
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 2}, 2},
		{[]float64{9, 1, 2, 4}, 3},
	} {
		if got := median(test.list); got != test.want {
			t.Errorf("median(%v) = %v, want %v", test.list, got, test.want)
		}
	}
}

func TestAlternating(t *testing.T) {
	for round, want := range [][]int{{0, 1, 2}, {2, 1, 0}, {0, 1, 2}} {
		if got := slices.Collect(alternating(3, round)); !slices.Equal(got, want) {
			t.Errorf("round %d: %v, want %v", round, got, want)
		}
	}
}

// fakePath is a path whose calls take the times that their names say, in
// milliseconds on no clock.
type fakePath struct {
	fails map[string]bool
	runs  []string
}

func (f *fakePath) run(call string, first, count int) (sample, error) {
	f.runs = append(f.runs, fmt.Sprintf("%s %d %d", call, first, count))
	if f.fails[call] {
		return sample{}, errFake
	}
	milliseconds, err := strconv.Atoi(call)
	return sample{time: time.Duration(milliseconds) * time.Millisecond}, err
}

func (f *fakePath) load([][]byte) error                { return nil }
func (f *fakePath) answer(string, int) ([]byte, error) { return nil, nil }
func (f *fakePath) close() error                       { return nil }

var errFake = errors.New("no")

func TestMeasureAlternatesAndRotates(t *testing.T) {
	f := new(fakePath)
	samples, err := plan{rounds: 2}.measure([]*meter{
		{path: f, call: "1", requests: 3}, {path: f, call: "2", requests: 2, next: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	if samples[0].time != time.Millisecond || samples[1].time != 2*time.Millisecond {
		t.Errorf("samples %v", samples)
	}
	if want := []string{"1 0 1", "2 1 1", "2 0 1", "1 1 1"}; !slices.Equal(f.runs, want) {
		t.Errorf("runs %q, want %q", f.runs, want)
	}
}

func TestWarm(t *testing.T) {
	for _, test := range []struct {
		call     string
		requests int
		want     int
	}{
		{"1", 64, 20}, // 20 of a millisecond in a round
		{"1", 8, 16},  // whole rotations
		{"50", 64, 1}, // longer than a round
		{"15", 64, 1}, // no second one fits
		{"10", 64, 2}, // exactly
	} {
		m := &meter{path: new(fakePath), call: test.call, requests: test.requests}
		if err := m.warm(20 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
		if m.count != test.want {
			t.Errorf("%s ms, %d requests: %d calls a round, want %d", test.call, test.requests, m.count, test.want)
		}
	}
}

func TestMeasureFails(t *testing.T) {
	f := &fakePath{fails: map[string]bool{"2": true}}
	for _, round := range []time.Duration{0, time.Millisecond} {
		_, err := plan{rounds: 1, round: round}.measure([]*meter{{path: f, call: "2", requests: 1}})
		if !errors.Is(err, errFake) {
			t.Errorf("rounds of %v: error %v", round, err)
		}
	}
}

func TestLocalCounts(t *testing.T) {
	var kept, got []byte
	got = make([]byte, 0, 2000)
	allocating := bytesCall(func(request []byte) ([]byte, error) {
		kept = make([]byte, 1000)
		got = append(got, request...)
		return kept, nil
	})
	l := &local{calls: map[string]localCall{callMerge: allocating}}
	if err := l.load([][]byte{[]byte("a"), []byte("b"), []byte("c")}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.run(callMerge, 1, 4); err != nil {
		t.Fatal(err)
	}
	if string(got) != "bcab" {
		t.Errorf("requests %s, want bcab", got)
	}

	// So many that what else this process does hardly counts.
	s, err := l.run(callMerge, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if s.time <= 0 || s.allocs < 1 || s.allocs > 2 || s.bytes < 1000 || s.bytes > 1500 {
		t.Errorf("an allocation of 1,000 bytes counts as %+v", s)
	}
}

func TestFormat(t *testing.T) {
	for _, test := range []struct {
		cell any
		want string
	}{
		{999 * time.Nanosecond, "999 ns"},
		{1500 * time.Nanosecond, "1.5 µs"},
		{1234 * time.Microsecond, "1.23 ms"},
		{12345 * time.Microsecond, "12.3 ms"},
		{timeRatio(3, 2), "1.50"},
		{2.0, "2.0"},
		{7, "7"},
		{time.Duration(0), "–"},
		{timeRatio(3, 0), "–"},
		{math.NaN(), "–"},
	} {
		if got := format(test.cell); got != test.want {
			t.Errorf("format(%v) = %q, want %q", test.cell, got, test.want)
		}
	}
}

func TestFormatSize(t *testing.T) {
	for size, want := range map[int]string{300: "300 B", 2_500: "2.5 KB", 1_000_000: "1 MB", 64_000_000: "64 MB"} {
		if got := formatSize(size); got != want {
			t.Errorf("formatSize(%d) = %q, want %q", size, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	table := new(table)
	table.row("name", "µs")
	table.row("a longer name", 7)
	table.write(&b)
	if want := "name           µs\na longer name   7\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestTally(t *testing.T) {
	goals := newTally(plan{round: 1})
	for got, want := range map[string]string{
		goals.atMost(ratio(0.5), 0.5):        "0.50 (≤ 0.5 met)",
		goals.atMost(ratio(0.6), 0.5):        "0.60 (≤ 0.5 NOT MET)",
		goals.atLeast(ratio(0.6), 0.5):       "0.60 (≥ 0.5 met)",
		goals.atMost(ratio(0.7), 0):          "0.70",
		goals.atMost(ratio(math.NaN()), 0.5): "–",
		goals.atMost(6.0, 5):                 "6.0 (≤ 5 NOT MET)",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got, want := goals.String(), "2 goals are met, 2 not"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := newTally(plan{}).atMost(ratio(0.6), 0.5), "0.60"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
