package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"time"
)

// Goals of the comparison, as ratios of times.
const (
	goalTyped = 1.25 // a typed call and a thread to a raw call, from goalFrom bytes up
	goalFrom  = 2_500
	goalSDK   = 1.15 // a path through Extism to its echo, at goalSDKAt bytes
	goalSDKAt = 43_000
)

// goalRaw returns what a raw call may cost at most, measured by the native peer
// in Rust; with SIMD in the module, where there is such a goal, else 0.
func (w workload) goalRaw() (plain, simd float64) {
	f := w.form
	switch {
	case f.pretty || f.unsorted || f.oddKeys || f.jsonb:
		return 1, 0
	case w.size < 1_000:
		return 1.2, 0
	case w.size < 40_000:
		return 0.75, 0
	case w.hard:
		plain = 0.65
	default:
		plain = 0.4
	}
	if w.size < 1_000_000 {
		return plain, 0.25
	}
	return plain, 0.15
}

// A result is what was measured of a workload, by path.
type result struct {
	workload
	merge, echo map[string]sample
}

// compare measures every workload through every path, and writes the tables.
func (b bench) compare(ctx context.Context, out io.Writer) (err error) {
	g, remove, err := b.guests(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	lanes, missing, err := b.openLanes(ctx, g, os.Getenv("CI") == "true")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLanes(lanes)) }()

	for _, w := range ways() {
		fmt.Fprintf(out, "%-9s %s\n", w.name, w.what)
	}
	for _, m := range missing {
		fmt.Fprintf(out, "%s\n", m)
	}
	var results []result
	for _, w := range matching(b.workloads) {
		r, err := b.measureWorkload(w, lanes)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		results = append(results, r)
		fmt.Fprintf(b.progress, "%s: raw %s, Rust %s\n", w.name, formatTime(r.merge[raw].time), formatTime(r.merge[rust].time))
	}
	return report(out, b.plan, lanes, results)
}

// measureWorkload checks that all paths agree, and then measures them.
func (p plan) measureWorkload(w workload, lanes []lane) (result, error) {
	requests, err := w.requests(p.inputs)
	if err != nil {
		return result{}, err
	}
	var meters []*meter
	for _, l := range lanes {
		if err := l.load(requests); err != nil {
			return result{}, fmt.Errorf("%s: %w", l.name, err)
		}
		meters = append(meters, &meter{path: l, call: callMerge, requests: len(requests)})
		if l.echoes {
			meters = append(meters, &meter{path: l, call: callEcho, requests: len(requests)})
		}
	}
	if err := verify(lanes, requests); err != nil {
		return result{}, err
	}
	samples, err := p.measure(meters)
	if err != nil {
		return result{}, err
	}

	r := result{w, map[string]sample{}, map[string]sample{}}
	for _, l := range lanes {
		r.merge[l.name], samples = samples[0], samples[1:]
		if l.echoes {
			r.echo[l.name], samples = samples[0], samples[1:]
		}
	}
	return r, nil
}

// verify sends every request down every path, and fails unless all merge
// alike and every echo is one.
func verify(lanes []lane, requests [][]byte) error {
	for i, request := range requests {
		var want []byte
		for _, l := range lanes {
			answer, err := l.answer(callMerge, i)
			if err != nil {
				return fmt.Errorf("input %d, %s: %w", i, l.name, err)
			}
			if want == nil {
				want = bytes.Clone(answer)
			}
			if !sameJSON(answer, want) {
				return fmt.Errorf("input %d: %s answers otherwise than %s", i, l.name, lanes[0].name)
			}
			if !l.echoes {
				continue
			}
			echoed, err := l.answer(callEcho, i)
			if err != nil {
				return fmt.Errorf("input %d, echo %s: %w", i, l.name, err)
			}
			if !bytes.Equal(echoed, request) {
				return fmt.Errorf("input %d: echo %s answers something else", i, l.name)
			}
		}
		if bytes.HasPrefix(want, []byte(`{"error"`)) {
			return fmt.Errorf("input %d is refused: %.200s", i, want)
		}
	}
	return nil
}

// sameJSON reports whether two texts are JSON of the same value.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var values [2]any
	for i, text := range [][]byte{a, b} {
		if err := json.Unmarshal(text, &values[i]); err != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// report writes the tables, and how the goals were met.
func report(out io.Writer, p plan, lanes []lane, results []result) error {
	goals, simdGoals := newTally(p), newTally(p)
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nTime of a call. Each workload rotates through %d inputs, fewer where they would have more than %s:\n\n",
		p.inputs, formatSize(maxRotation))
	timesTable(lanes, results).write(&b)
	fmt.Fprintf(&b, "\nRatios. Goals are for the module as it is, and for one with SIMD:\n\n")
	ratiosTable(goals, simdGoals, results).write(&b)
	fmt.Fprintf(&b, "\nTime of an echo through the same path: a guest, or a function, that returns the request:\n\n")
	echoTable(lanes, results, func(l lane, r result) any { return r.echo[l.name].time }).write(&b)
	fmt.Fprintf(&b, "\nRatio to the echo:\n\n")
	floorsTable(goals, lanes, results).write(&b)
	fmt.Fprintf(&b, "\nGo allocations of a call, and their bytes, on the host's side:\n\n")
	allocsTable(lanes, results).write(&b)
	fmt.Fprintf(&b, "\n%v; with SIMD %v\n", goals, simdGoals)
	_, err := out.Write(b.Bytes())
	return err
}

func timesTable(lanes []lane, results []result) *table {
	t := new(table)
	t.row(heads(lanes)...)
	for _, r := range results {
		cells := []any{r.name}
		for _, l := range lanes {
			cells = append(cells, r.merge[l.name].time)
		}
		t.row(cells...)
	}
	return t
}

func ratiosTable(goals, simdGoals *tally, results []result) *table {
	t := new(table)
	t.row("workload", "raw/Rust", "buffer/Rust", "with SIMD", "raw/core", "raw/Go", "typed/raw", "Thread/raw", "Thread/raw start")
	for _, r := range results {
		at := func(name string) time.Duration { return r.merge[name].time }
		plain, simd := r.goalRaw()
		toRust := timeRatio(at(buffer), at(rust))
		withSIMD := "–"
		if simd > 0 {
			withSIMD = simdGoals.atMost(toRust, simd)
		}
		var ofTyped float64
		if r.size >= goalFrom {
			ofTyped = goalTyped
		}
		t.row(r.name, goals.atMost(timeRatio(at(raw), at(rust)), plain), goals.atMost(toRust, plain), withSIMD, timeRatio(at(raw), at("core")), timeRatio(at(raw), at("Go")),
			goals.atMost(timeRatio(at(typed), at(raw)), ofTyped), goals.atMost(timeRatio(at(thread), at(raw)), ofTyped), timeRatio(at(thread), at(rawStart)))
	}
	return t
}

// floorsTable has how many times as long as its echo a call takes.
func floorsTable(goals *tally, lanes []lane, results []result) *table {
	return echoTable(lanes, results, func(l lane, r result) any {
		var goal float64
		if l.sdk && r.size == goalSDKAt {
			goal = goalSDK
		}
		return goals.atMost(timeRatio(r.merge[l.name].time, r.echo[l.name].time), goal)
	})
}

// echoTable has a cell for each path with an echo.
func echoTable(lanes []lane, results []result, cell func(lane, result) any) *table {
	t := new(table)
	lanes = slices.DeleteFunc(slices.Clone(lanes), func(l lane) bool { return !l.echoes })
	t.row(heads(lanes)...)
	for _, r := range results {
		cells := []any{r.name}
		for _, l := range lanes {
			cells = append(cells, cell(l, r))
		}
		t.row(cells...)
	}
	return t
}

func heads(lanes []lane) []any {
	cells := []any{"workload"}
	for _, l := range lanes {
		cells = append(cells, l.name)
	}
	return cells
}

func allocsTable(lanes []lane, results []result) *table {
	t := new(table)
	var counted []lane
	head := []any{"workload"}
	for _, l := range lanes {
		if _, ok := l.path.(*local); ok {
			counted = append(counted, l)
			head = append(head, l.name, "bytes")
		}
	}
	t.row(head...)
	for _, r := range results {
		cells := []any{r.name}
		for _, l := range counted {
			s := r.merge[l.name]
			cells = append(cells, s.allocs, formatSize(int(s.bytes)))
		}
		t.row(cells...)
	}
	return t
}
