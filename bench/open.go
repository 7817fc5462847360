package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

const (
	// goalCold is how many times as long as the echo's a cold Open may take.
	goalCold = 1.15
	// goalWarm is how long one with a warm cache may take.
	goalWarm = 30 * time.Millisecond
	// goalFurther is how long a further instance may take.
	goalFurther = 3 * time.Millisecond
)

// An opening is one thing that is opened.
type opening struct {
	name    string
	measure func(context.Context) (time.Duration, error)
}

// The places of the openings in every list of them.
const (
	coldModule = iota
	coldEcho
	warmModule
	furtherInstance
)

// open measures host.Open: of the module, of a guest that only echoes through
// go-pdk, and of the module with a warm disk cache; and a further instance.
func (b bench) open(ctx context.Context, out io.Writer) (err error) {
	g, remove, err := b.guests(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	cache, err := os.MkdirTemp("", "turncontext-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(cache)) }()

	cached := host.Options{Module: g.module, CacheDir: cache}
	openings := []opening{
		coldModule:      {"the module, cold", opens(host.Options{Module: g.module})},
		coldEcho:        {"an echo through go-pdk, cold", opens(host.Options{Module: g.echo})},
		warmModule:      {"the module, warm disk cache", opens(cached)},
		furtherInstance: {"a further instance", further(cached)},
	}
	if _, err := openings[warmModule].measure(ctx); err != nil { // fills the cache
		return err
	}
	times := make([][]time.Duration, len(openings))
	for round := range b.rounds {
		for i := range alternating(len(openings), round) {
			runtime.GC() // what the opening before left is not this one's to collect
			took, err := openings[i].measure(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", openings[i].name, err)
			}
			times[i] = append(times[i], took)
		}
	}

	medians := make([]time.Duration, len(openings))
	for i := range openings {
		medians[i] = median(times[i])
	}
	_, err = fmt.Fprintf(out, "the module has %d bytes, the echo %d\n\n", len(g.module), len(g.echo))
	if err != nil {
		return err
	}
	goals := newTally(b.plan)
	openTable(goals, openings, medians).write(out)
	_, err = fmt.Fprintf(out, "\n%v\n", goals)
	return err
}

func openTable(goals *tally, openings []opening, medians []time.Duration) *table {
	within := func(took, goal time.Duration) string {
		return fmt.Sprintf("≤ %s %s", formatTime(goal), goals.verdict(took <= goal))
	}
	t := new(table)
	t.row("opened", "time", "goal")
	for i, o := range openings {
		goal := ""
		switch i {
		case coldModule:
			goal = "to the echo's " + goals.atMost(timeRatio(medians[i], medians[coldEcho]), goalCold)
		case warmModule:
			goal = within(medians[i], goalWarm)
		case furtherInstance:
			goal = within(medians[i], goalFurther)
		}
		t.row(o.name, medians[i], goal)
	}
	return t
}

// opens measures one host.Open.
func opens(options host.Options) func(context.Context) (time.Duration, error) {
	return func(ctx context.Context) (time.Duration, error) {
		start := time.Now()
		m, err := host.Open(ctx, options)
		took := time.Since(start)
		if err != nil {
			return 0, err
		}
		return took, m.Close(ctx)
	}
}

// further measures the first call after one so large that the host dropped its
// instance, and so makes another, less what the same call takes after that.
func further(options host.Options) func(context.Context) (time.Duration, error) {
	options.Instances = 1
	return func(ctx context.Context) (took time.Duration, err error) {
		large, err := workload{name: "large", size: 33_000_000, entries: 100, fresh: true}.requests(1)
		if err != nil {
			return 0, err
		}
		memory := new(guestMemory)
		m, err := host.Open(experimental.WithMemoryAllocator(ctx, memory), options)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, m.Close(ctx)) }()
		if _, err := m.Call(ctx, abi.FunctionMerge, large[0]); err != nil {
			return 0, err
		}
		if memory.bytes != nil {
			return 0, fmt.Errorf("the host kept an instance of %d bytes", memory.size)
		}
		runtime.GC()
		first, err := describeTime(ctx, m)
		if err != nil {
			return 0, err
		}
		again, err := describeTime(ctx, m)
		return first - again, err
	}
}

func describeTime(ctx context.Context, m *host.Module) (time.Duration, error) {
	start := time.Now()
	_, err := m.Call(ctx, abi.FunctionDescribe, nil)
	return time.Since(start), err
}
