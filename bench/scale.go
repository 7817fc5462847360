package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/turncontext/turncontext/host"
)

// Goals of what grows.
const (
	goalLinear     = 1.5  // a byte's time, to that in requests of 64 KB, for larger ones
	goalLogLinear  = 2    // the same of n keys by n log n, to that of 1,000
	goalTwo        = 1.8  // calls of two goroutines, to those of one
	goalCrowd      = 0.9  // calls of 64 goroutines on two instances, to those of two
	goalWait       = 20.0 // the longest call of the 64, to the median
	goalMemory     = 1.05 // guest memory at the end of many calls, to that after a tenth
	goalHostAllocs = 5    // Go allocations of a call
	goalHostBytes  = 64.0 // their bytes, where the caller gives a buffer: none in proportion to the request
)

// scale measures how time grows with bytes, keys and goroutines, and memory
// with calls, through the raw call.
func (b bench) scale(ctx context.Context, out io.Writer) error {
	goals := newTally(b.plan)
	for _, part := range []func(context.Context, io.Writer, *tally) error{b.bytes, b.keys, b.goroutines, b.calls} {
		if err := part(ctx, out, goals); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	_, err := fmt.Fprintln(out, goals)
	return err
}

// bytes measures requests of 1 KB to 16 MB.
func (b bench) bytes(ctx context.Context, out io.Writer, goals *tally) (err error) {
	m, err := b.openModule(ctx, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close(ctx)) }()

	const base = 64_000
	var ofBase float64
	t := new(table)
	t.row("four entries, one changed", "time", "ns/KB", "to 64 KB's")
	for size := 1_000; size <= 16_384_000; size *= 4 {
		requests, err := workload{name: "bytes", size: size, entries: 4, changed: 1}.requests(b.inputs)
		if err != nil {
			return err
		}
		s, err := b.measure([]*meter{callMeter(rawCall(ctx, m), requests)})
		if err != nil {
			return err
		}
		each := float64(s[0].time) / float64(size)
		verdict := ""
		if size == base {
			ofBase = each
		}
		if size > base {
			verdict = goals.atMost(ratio(each/ofBase), goalLinear)
		}
		t.row(formatSize(size), s[0].time, 1000*each, verdict)
	}
	t.write(out)
	return nil
}

// A keyOrder is one way to name and order the keys of a context.
type keyOrder struct {
	name   string
	prefix string
	order  func(numbers []int, rng *rand.Rand)
}

var keyOrders = []keyOrder{
	{"sorted", "key_", func([]int, *rand.Rand) {}},
	{"reversed", "key_", func(numbers []int, _ *rand.Rand) { slices.Reverse(numbers) }},
	{"random", "key_", shuffle},
	{"random, with 64 bytes in common", "key_of_a_page_that_chose_names_so_that_they_differ_late_as_can_be_", shuffle},
}

func shuffle(numbers []int, rng *rand.Rand) {
	rng.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
}

// keys measures contexts of up to 100,000 keys, with as many stored.
func (b bench) keys(ctx context.Context, out io.Writer, goals *tally) (err error) {
	m, err := b.openModule(ctx, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close(ctx)) }()

	const base = 1_000
	t := new(table)
	t.row("keys", "number", "bytes", "time", "ns/key", "by n log n, to 1,000's")
	for _, o := range keyOrders {
		var ofBase float64
		for n := 1; n <= 100_000; n *= 10 {
			var requests [][]byte
			for i := range max(1, b.inputs/16) {
				requests = append(requests, o.request(n, i))
			}
			s, err := b.measure([]*meter{callMeter(rawCall(ctx, m), requests)})
			if err != nil {
				return fmt.Errorf("%d keys, %s: %w", n, o.name, err)
			}
			each := float64(s[0].time) / float64(n)
			byLog := each / math.Log2(float64(n))
			verdict := ""
			if n == base {
				ofBase = byLog
			}
			if n > base {
				verdict = goals.atMost(ratio(byLog/ofBase), goalLogLinear)
			}
			t.row(o.name, n, len(requests[0]), s[0].time, each, verdict)
		}
	}
	t.write(out)
	return nil
}

// request returns a request of n keys, which are stored with another value for
// one in ten.
func (o keyOrder) request(n, input int) []byte {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	text := o.appendMap([]byte(`{"store":`), numbers, func(int) string { return "told" })
	o.order(numbers, rand.New(rand.NewPCG(uint64(n), uint64(input))))
	text = o.appendMap(append(text, `,"additionalContext":`...), numbers, func(number int) string {
		if number%10 == input%10 {
			return "another"
		}
		return "told"
	})
	return append(text, '}')
}

// appendMap writes a map with a key for each number.
func (o keyOrder) appendMap(dst []byte, numbers []int, value func(number int) string) []byte {
	separator := byte('{')
	for _, number := range numbers {
		dst = append(dst, separator)
		dst = fmt.Appendf(dst, `"%s%06d":{"value":"%s","kind":"untrusted"}`, o.prefix, number, value(number))
		separator = ','
	}
	return append(dst, '}')
}

// A crowd is what goroutines did that called as fast as they could.
type crowd struct {
	perSecond       float64
	median, longest time.Duration // of a call, with waiting for an instance
}

// goroutines measures how many calls one, two and 64 goroutines make on a pool
// of two instances, best of five. Each has a buffer for its answers: so it is the
// pool that is measured, and not Go's collector.
func (b bench) goroutines(ctx context.Context, out io.Writer, goals *tally) (err error) {
	m, err := b.openModule(ctx, 2)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close(ctx)) }()
	requests, err := workload{name: "goroutines", size: 43_000, entries: 10, changed: 2}.requests(b.inputs)
	if err != nil {
		return err
	}
	tries, each := 5, 500*time.Millisecond
	if b.round == 0 {
		tries, each = 1, 10*time.Millisecond
	}
	numbers := []int{1, 2, 64}
	best := make([]crowd, len(numbers))
	for try := range tries {
		for i := range alternating(len(numbers), try) {
			c, err := callAll(ctx, m, requests, numbers[i], each)
			if err != nil {
				return err
			}
			best[i] = best[i].better(c)
		}
	}

	verdicts := []string{
		"",
		"to one's " + goals.atLeast(ratio(best[1].perSecond/best[0].perSecond), goalTwo),
		"to two's " + goals.atLeast(ratio(best[2].perSecond/best[1].perSecond), goalCrowd),
	}
	t := new(table)
	t.row("goroutines, 43 KB", "calls/s", "", "median call", "longest", "to the median")
	for i, c := range best {
		var goal float64
		if numbers[i] == 64 {
			goal = goalWait
		}
		t.row(numbers[i], math.Round(c.perSecond), verdicts[i], c.median, c.longest,
			goals.atMost(timeRatio(c.longest, c.median), goal))
	}
	t.write(out)
	fmt.Fprintf(out, "(two instances, best of %d; for an idle machine)\n", tries)
	return nil
}

// better returns the better of each number: of the longest call, that of the
// try where it was the shortest by the median.
func (c crowd) better(o crowd) crowd {
	c.perSecond = max(c.perSecond, o.perSecond)
	if c.median == 0 || timeRatio(o.longest, o.median) < timeRatio(c.longest, c.median) {
		c.median, c.longest = o.median, o.longest
	}
	return c
}

// callAll has so many goroutines make calls for some time.
func callAll(ctx context.Context, m *host.Module, requests [][]byte, goroutines int, during time.Duration) (crowd, error) {
	var wait sync.WaitGroup
	var next atomic.Int64
	times := make([][]time.Duration, goroutines)
	errs := make([]error, goroutines)
	runtime.GC()
	start := time.Now()
	for i := range goroutines {
		wait.Go(func() {
			call := bufferCall(ctx, m)
			for before := start; errs[i] == nil && before.Sub(start) < during; {
				request := requests[int(next.Add(1))%len(requests)]
				began := time.Now()
				_, errs[i] = call(request)
				before = time.Now()
				times[i] = append(times[i], before.Sub(began))
			}
		})
	}
	wait.Wait()
	took := time.Since(start)
	all := slices.Concat(times...)
	return crowd{float64(len(all)) / took.Seconds(), median(all), slices.Max(all)}, errors.Join(errs...)
}

// mixture is what many calls are made of: of 100 requests, so many each.
var mixture = []struct {
	share int
	of    workload
}{
	{60, workload{name: "many", size: 300, entries: 1, changed: 1}},
	{30, workload{name: "many", size: 2_500, entries: 4, changed: 1}},
	{9, workload{name: "many", size: 43_000, entries: 10, changed: 2}},
	{1, workload{name: "many", size: 300_000, entries: 100, changed: 10}},
}

// calls makes many calls of mixed sizes, and measures memory and allocations:
// with a buffer for the answers, and at the end without.
func (b bench) calls(ctx context.Context, out io.Writer, goals *tally) (err error) {
	number := 20_000
	switch {
	case b.round == 0:
		number = 1_000
	case b.million:
		number = 1_000_000
	}
	var requests [][]byte
	for _, part := range mixture {
		list, err := part.of.requests(part.share)
		if err != nil {
			return err
		}
		requests = append(requests, list...)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })

	memory := new(guestMemory)
	m, err := b.openModule(experimental.WithMemoryAllocator(ctx, memory), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close(ctx)) }()

	meter := callMeter(bufferCall(ctx, m), requests)
	t := new(table)
	t.row("calls of 300 B to 300 KB, into a buffer", "time of a call", "host allocations", "their bytes", "guest memory")
	var early uint64
	for i := range 10 {
		meter.count = number / 10
		s, err := meter.run()
		if err != nil {
			return err
		}
		if i == 0 {
			early = memory.size
		}
		var ofBytes float64
		if i > 0 { // the buffer has grown
			ofBytes = goalHostBytes
		}
		t.row((i+1)*meter.count, s.time, goals.atMost(s.allocs, goalHostAllocs), goals.atMost(s.bytes, ofBytes), formatSize(int(memory.size)))
	}
	meter.path = callMeter(rawCall(ctx, m), requests).path
	s, err := meter.run()
	if err != nil {
		return err
	}
	t.row("without a buffer", s.time, goals.atMost(s.allocs, goalHostAllocs), s.bytes, formatSize(int(memory.size)))
	t.write(out)
	fmt.Fprintf(out, "guest memory at the end, to that after a tenth: %s\n",
		goals.atMost(ratio(float64(memory.size)/float64(early)), goalMemory))
	return nil
}

// guestMemory gives one instance its memory, and knows how large that is.
type guestMemory struct {
	size  uint64
	bytes []byte
}

// Allocate is what an instance begins with.
func (g *guestMemory) Allocate(capacity, _ uint64) experimental.LinearMemory {
	g.bytes = make([]byte, 0, capacity)
	return g
}

// Reallocate makes the memory larger.
func (g *guestMemory) Reallocate(size uint64) []byte {
	g.size = size
	if grow := int(size) - len(g.bytes); grow > 0 {
		g.bytes = append(g.bytes, make([]byte, grow)...)
	}
	return g.bytes
}

// Free gives the memory back.
func (g *guestMemory) Free() { g.bytes = nil }
