package main

import (
	"slices"
	"time"
)

// A plan says how often everything is measured.
type plan struct {
	inputs int           // different ones to rotate through, so that none becomes warm
	rounds int           // of which the median is taken
	round  time.Duration // how long one measurement of a round lasts; 0 for a single call
}

// A sample is what one call takes on the average of a round. Allocations are
// those of Go on the host's side, NaN where they cannot be counted.
type sample struct {
	time          time.Duration
	allocs, bytes float64
}

// A meter measures one call of a path, with each request in its turn.
type meter struct {
	path     path
	call     string
	requests int
	next     int // request
	count    int // calls of a round
}

// measure returns one sample for each meter, the median of alternating rounds:
// each round measures every call, in the opposite order of the round before,
// so that a slow spell of the machine meets all of them.
func (p plan) measure(meters []*meter) ([]sample, error) {
	for _, m := range meters {
		if err := m.warm(p.round); err != nil {
			return nil, err
		}
	}

	samples := make([][]sample, len(meters))
	for round := range p.rounds {
		for i := range alternating(len(meters), round) {
			s, err := meters[i].run()
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], s)
		}
	}

	medians := make([]sample, len(meters))
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

// warm finds out how many calls last for a round: whole rotations, where one
// fits in.
func (m *meter) warm(round time.Duration) error {
	m.count = 1
	if round == 0 {
		return nil
	}
	for {
		s, err := m.run()
		if err != nil {
			return err
		}
		total := s.time * time.Duration(m.count)
		if 2*total >= round {
			m.count = max(1, int(round/max(s.time, 1)))
			break
		}
		m.count *= 2
	}
	if m.count > m.requests {
		m.count -= m.count % m.requests
	}
	return nil
}

// run makes the calls of one round.
func (m *meter) run() (sample, error) {
	s, err := m.path.run(m.call, m.next, m.count)
	m.next = (m.next + m.count) % m.requests
	return s, err
}

// medianSample returns the median of each of a sample's numbers.
func medianSample(list []sample) sample {
	var times []time.Duration
	var allocs, bytes []float64
	for _, s := range list {
		times, allocs, bytes = append(times, s.time), append(allocs, s.allocs), append(bytes, s.bytes)
	}
	return sample{median(times), median(allocs), median(bytes)}
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
