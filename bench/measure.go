package main

import (
	"runtime"
	"slices"
	"time"
)

// A plan says how often everything is measured.
type plan struct {
	inputs int           // different ones to rotate through, so that none becomes warm
	rounds int           // of which the median is taken
	round  time.Duration // how long one measurement of a round lasts; 0 for a single call
}

// A sample is what one call takes on the average of a round.
type sample struct {
	time   time.Duration
	allocs float64 // Go allocations on this side of the boundary
}

// measure returns one sample for each call, the median of alternating rounds:
// each round measures every call, in the opposite order of the round before,
// so that a slow spell of the machine meets all of them.
func (p plan) measure(calls []call, requests [][]byte) ([]sample, error) {
	runners := make([]runner, len(calls))
	for i, c := range calls {
		runners[i] = runner{call: c, requests: requests}
		if err := runners[i].warm(p.round); err != nil {
			return nil, err
		}
	}

	samples := make([][]sample, len(calls))
	for round := range p.rounds {
		for i := range alternating(len(runners), round) {
			s, err := runners[i].run()
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], s)
		}
	}

	medians := make([]sample, len(calls))
	for i, list := range samples {
		medians[i] = medianSample(list)
	}
	return medians, nil
}

// alternating yields 0 … n-1 in an even round and n-1 … 0 in an odd one.
func alternating(n, round int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if round%2 == 1 {
				i = n - 1 - i
			}
			if !yield(i) {
				return
			}
		}
	}
}

// A runner makes one call again and again, with each request in its turn.
type runner struct {
	call     call
	requests [][]byte
	next     int // request
	count    int // calls of a round
}

// warm calls for as long as a round lasts, and learns how many calls that is:
// whole rotations, where one fits in.
func (r *runner) warm(round time.Duration) error {
	r.count = 0
	for start := time.Now(); r.count == 0 || time.Since(start) < round; r.count++ {
		if err := r.step(); err != nil {
			return err
		}
	}
	if r.count > len(r.requests) {
		r.count -= r.count % len(r.requests)
	}
	return nil
}

// run makes the calls of one round.
func (r *runner) run() (sample, error) {
	runtime.GC() // what others left is not this call's to collect
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	for range r.count {
		if err := r.step(); err != nil {
			return sample{}, err
		}
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)

	return sample{
		time:   took / time.Duration(r.count),
		allocs: float64(after.Mallocs-before.Mallocs) / float64(r.count),
	}, nil
}

// step makes one call.
func (r *runner) step() error {
	request := r.requests[r.next]
	r.next = (r.next + 1) % len(r.requests)
	_, err := r.call(request)
	return err
}

// medianSample returns the median time and the median number of allocations.
func medianSample(list []sample) sample {
	times := make([]time.Duration, len(list))
	allocs := make([]float64, len(list))
	for i, s := range list {
		times[i], allocs[i] = s.time, s.allocs
	}
	return sample{median(times), median(allocs)}
}

// median returns the middle of a list that is not empty, of an even number the
// mean of the two in the middle.
func median[T time.Duration | float64](list []T) T {
	sorted := slices.Sorted(slices.Values(list))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
