package main

import (
	"errors"
	"slices"
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

func TestRunnerRotates(t *testing.T) {
	var got string
	r := runner{
		call:     func(request []byte) ([]byte, error) { got += string(request); return nil, nil },
		requests: [][]byte{[]byte("a"), []byte("b"), []byte("c")},
	}
	if err := r.warm(0); err != nil {
		t.Fatal(err)
	}
	r.count = 4
	if _, err := r.run(); err != nil {
		t.Fatal(err)
	}
	if got != "abcab" {
		t.Errorf("requests %s, want abcab", got)
	}
}

func TestMeasure(t *testing.T) {
	var kept []byte
	slow := func([]byte) ([]byte, error) { time.Sleep(time.Millisecond); return nil, nil }
	allocating := func(request []byte) ([]byte, error) { kept = make([]byte, 1000); return kept, nil }
	samples, err := plan{rounds: 3, round: 5 * time.Millisecond}.measure([]call{slow, allocating}, [][]byte{nil})
	if err != nil {
		t.Fatal(err)
	}
	if len(samples) != 2 {
		t.Fatalf("%d samples, want 2", len(samples))
	}
	if samples[0].time < time.Millisecond {
		t.Errorf("a millisecond's sleep took %v", samples[0].time)
	}
	if got := samples[1].allocs; got < 1 || got > 2 {
		t.Errorf("one allocation counts as %.1f", got)
	}
}

func TestMeasureFails(t *testing.T) {
	failure := errors.New("no")
	for after := range 2 {
		calls := 0
		failing := func([]byte) ([]byte, error) {
			if calls++; calls > after {
				return nil, failure
			}
			return nil, nil
		}
		if _, err := (plan{rounds: 1}).measure([]call{failing}, [][]byte{nil}); !errors.Is(err, failure) {
			t.Errorf("failing after %d calls: error %v", after, err)
		}
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
		{workload{size: 300}.sizeName(), "300 B"},
		{workload{size: 2_500}.sizeName(), "2.5 KB"},
		{workload{size: 1_000_000}.sizeName(), "1 MB"},
	} {
		if got := format(test.cell); got != test.want {
			t.Errorf("format(%v) = %q, want %q", test.cell, got, test.want)
		}
	}
}
