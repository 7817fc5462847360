package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

const (
	// goalSize is the size of the requests that the goal speaks of.
	goalSize = 43_000
	// goalRatio is how many times as fast as through the SDK a direct call of
	// that size is to be.
	goalRatio = 8
)

// A result is what was measured of a workload, by path.
type result struct {
	workload workload
	merge    []sample
	echo     []sample
}

// benchMerge measures every workload and writes the tables.
func benchMerge(ctx context.Context, out io.Writer, p plan) (err error) {
	echo, err := buildEcho(ctx)
	if err != nil {
		return err
	}
	paths, closePaths, err := openPaths(ctx, echo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closePaths()) }()

	var results []result
	for _, w := range workloads() {
		r, err := measureWorkload(p, w, paths)
		if err != nil {
			return fmt.Errorf("%s, %s changed: %w", w.sizeName(), w.changeName(), err)
		}
		results = append(results, r)
	}
	return report(out, p, results)
}

// measureWorkload checks that all paths agree, and then measures them.
func measureWorkload(p plan, w workload, paths []path) (result, error) {
	requests, err := w.requests(p.inputs, paths[native].merge)
	if err != nil {
		return result{}, err
	}
	if err := verify(paths, requests); err != nil {
		return result{}, err
	}

	var calls []call
	for _, path := range paths {
		calls = append(calls, path.merge, path.echo)
	}
	samples, err := p.measure(calls, requests)
	if err != nil {
		return result{}, err
	}

	r := result{workload: w}
	for i := range paths {
		r.merge = append(r.merge, samples[2*i])
		r.echo = append(r.echo, samples[2*i+1])
	}
	return r, nil
}

const explanation = `merge, through three paths to the same core:
  native  the core as a Go package
  direct  the module in the Go host
  SDK     the module in Extism's Go SDK
echo is the floor of each: a copy of the request, and a guest that only returns
it. A request holds the store of the answer before and a context of the same
keys. "1 in 4" changed counts the entries of all %d inputs that a workload
rotates through; where that is less than one in a request, some requests have
one and the others none.

`

// report writes the tables, and how the goal was met.
func report(out io.Writer, p plan, results []result) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, explanation, p.inputs)
	if err := writeTimes(&b, results); err != nil {
		return err
	}
	b.WriteString("\nGo allocations per call, on the host's side:\n\n")
	if err := writeAllocs(&b, results); err != nil {
		return err
	}
	b.WriteString("\n")
	writeGoal(&b, p, results)
	_, err := out.Write(b.Bytes())
	return err
}

func writeTimes(b *bytes.Buffer, results []result) error {
	t := newTable(b)
	t.row("request", "entries", "changed", "native", "direct", "SDK", "direct/native", "SDK/direct",
		"echo: copy", "direct", "SDK", "SDK/direct")
	for _, r := range results {
		m, e := r.merge, r.echo
		t.row(r.workload.sizeName(), r.workload.entries, r.workload.changeName(),
			m[native].time, m[direct].time, m[sdk].time,
			timeRatio(m[direct].time, m[native].time), timeRatio(m[sdk].time, m[direct].time),
			e[native].time, e[direct].time, e[sdk].time, timeRatio(e[sdk].time, e[direct].time))
	}
	return t.Flush()
}

func writeAllocs(b *bytes.Buffer, results []result) error {
	t := newTable(b)
	t.row("request", "entries", "changed", "native", "direct", "SDK", "echo: copy", "direct", "SDK")
	for _, r := range results {
		m, e := r.merge, r.echo
		t.row(r.workload.sizeName(), r.workload.entries, r.workload.changeName(),
			m[native].allocs, m[direct].allocs, m[sdk].allocs,
			e[native].allocs, e[direct].allocs, e[sdk].allocs)
	}
	return t.Flush()
}

// writeGoal tells how many times as fast as through the SDK the direct calls
// of the goal's size are.
func writeGoal(b *bytes.Buffer, p plan, results []result) {
	for _, r := range results {
		if r.workload.size != goalSize {
			continue
		}
		times := timeRatio(r.merge[sdk].time, r.merge[direct].time)
		fmt.Fprintf(b, "%s, %s changed: direct is %.1f times as fast as the SDK (goal: at least %d, %s)\n",
			r.workload.sizeName(), r.workload.changeName(), times, goalRatio, p.verdict(times >= goalRatio))
	}
}

// A ratio of two times.
type ratio float64

func timeRatio(a, b time.Duration) ratio {
	return ratio(float64(a) / float64(max(b, 1)))
}

// verdict says whether a goal was met, where enough was measured to tell.
func (p plan) verdict(met bool) string {
	switch {
	case p.round == 0:
		return "not judged by single calls"
	case met:
		return "met"
	}
	return "NOT MET"
}

// A table aligns its columns to the right.
type table struct{ *tabwriter.Writer }

func newTable(out io.Writer) table {
	return table{tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)}
}

// row writes one line. An error of the writer comes again from Flush.
func (t table) row(cells ...any) {
	for _, cell := range cells {
		fmt.Fprint(t, format(cell), "\t")
	}
	fmt.Fprintln(t)
}

// format writes a cell: times and counts to three digits.
func format(cell any) string {
	switch v := cell.(type) {
	case time.Duration:
		return formatTime(v)
	case ratio:
		return fmt.Sprintf("%.2f", v)
	case float64:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprint(cell)
}

func formatTime(d time.Duration) string {
	switch {
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d >= time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/1e6)
	case d >= time.Microsecond:
		return fmt.Sprintf("%.1f µs", float64(d)/1e3)
	}
	return fmt.Sprintf("%d ns", d.Nanoseconds())
}
