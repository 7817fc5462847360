package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/turncontext/turncontext/build"
	"github.com/turncontext/turncontext/host"
)

const (
	// goalCold is how many times as long as the echo's a cold Open may take.
	goalCold = 1.15
	// goalWarm is the part of a cold Open that one with a warm cache may take.
	goalWarm = 0.1
)

// An opening is one way to open a module.
type opening struct {
	name    string
	options host.Options
}

// The places of the openings in every list of them.
const (
	coldModule = iota
	coldEcho
	warmModule
)

// benchOpen measures host.Open: of the module, of a guest that only echoes
// through go-pdk, and of the module with a warm disk cache.
func benchOpen(ctx context.Context, out io.Writer, p plan) (err error) {
	echo, err := buildEcho(ctx)
	if err != nil {
		return err
	}
	cache, err := os.MkdirTemp("", "turncontext-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(cache)) }()

	openings := []opening{
		coldModule: {"the module, cold", host.Options{Module: build.Module}},
		coldEcho:   {"an echo through go-pdk, cold", host.Options{Module: echo}},
		warmModule: {"the module, warm disk cache", host.Options{Module: build.Module, CacheDir: cache}},
	}
	if _, err := openings[warmModule].measure(ctx); err != nil { // fills the cache
		return err
	}

	times := make([][]time.Duration, len(openings))
	for round := range p.rounds {
		for i := range alternating(len(openings), round) {
			took, err := openings[i].measure(ctx)
			if err != nil {
				return err
			}
			times[i] = append(times[i], took)
		}
	}
	return reportOpen(out, p, openings, times)
}

// measure opens the module once, and closes it.
func (o opening) measure(ctx context.Context) (time.Duration, error) {
	runtime.GC() // what the opening before left is not this one's to collect
	start := time.Now()
	m, err := host.Open(ctx, o.options)
	took := time.Since(start)
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", o.name, err)
	}
	return took, m.Close(ctx)
}

// reportOpen writes the medians, and how the goals were met.
func reportOpen(out io.Writer, p plan, openings []opening, times [][]time.Duration) error {
	medians := make([]time.Duration, len(openings))
	var b bytes.Buffer
	t := newTable(&b)
	t.row("host.Open of", "bytes", "time")
	for i, o := range openings {
		medians[i] = median(times[i])
		t.row(o.name, len(o.options.Module), medians[i])
	}
	if err := t.Flush(); err != nil {
		return err
	}

	cold := timeRatio(medians[coldModule], medians[coldEcho])
	warm := timeRatio(medians[warmModule], medians[coldModule])
	fmt.Fprintf(&b, "\ncold: %.3f times the echo's (goal: at most %g, %s)\n", cold, goalCold, p.verdict(cold <= goalCold))
	fmt.Fprintf(&b, "warm: %.3f of a cold one (goal: under %g, %s)\n", warm, goalWarm, p.verdict(warm < goalWarm))
	_, err := out.Write(b.Bytes())
	return err
}
