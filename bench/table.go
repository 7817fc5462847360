package main

import (
	"fmt"
	"io"
	"math"
	"time"
	"unicode/utf8"
)

// A table aligns its first column to the left, the others to the right.
type table struct{ rows [][]string }

func (t *table) row(cells ...any) {
	var row []string
	for _, cell := range cells {
		row = append(row, format(cell))
	}
	t.rows = append(t.rows, row)
}

// write writes the table, whose rows are as long as the first.
func (t *table) write(out io.Writer) {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.rows {
		fmt.Fprintf(out, "%-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(out, "  %*s", widths[i+1], cell)
		}
		fmt.Fprintln(out)
	}
}

// A ratio of two times, NaN where one of them was not measured.
type ratio float64

func timeRatio(a, b time.Duration) ratio {
	if a <= 0 || b <= 0 {
		return ratio(math.NaN())
	}
	return ratio(float64(a) / float64(b))
}

// format writes a cell: times and counts to three digits, a dash for what was
// not measured.
func format(cell any) string {
	switch v := cell.(type) {
	case time.Duration:
		return formatTime(v)
	case ratio:
		return formatFloat("%.2f", float64(v))
	case float64:
		return formatFloat("%.1f", v)
	}
	return fmt.Sprint(cell)
}

func formatFloat(verb string, v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf(verb, v)
}

func formatTime(d time.Duration) string {
	switch {
	case d <= 0:
		return "–"
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d >= time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/1e6)
	case d >= time.Microsecond:
		return fmt.Sprintf("%.1f µs", float64(d)/1e3)
	}
	return fmt.Sprintf("%d ns", d.Nanoseconds())
}

// formatSize writes a number of bytes.
func formatSize(size int) string {
	switch {
	case size >= 1_000_000:
		return fmt.Sprintf("%.3g MB", float64(size)/1e6)
	case size >= 1_000:
		return fmt.Sprintf("%.3g KB", float64(size)/1e3)
	}
	return fmt.Sprintf("%d B", size)
}

// A tally writes how goals were met, and counts them.
type tally struct {
	judging     bool // whether enough was measured to tell
	met, missed int
}

func newTally(p plan) *tally { return &tally{judging: p.round > 0} }

// atMost writes a number and whether it is within its goal. A goal of 0 is none.
func (t *tally) atMost(value any, goal float64) string {
	return t.judge(value, goal, "≤ %g", number(value) <= goal)
}

// atLeast writes a number and whether it reaches its goal.
func (t *tally) atLeast(value any, goal float64) string {
	return t.judge(value, goal, "≥ %g", number(value) >= goal)
}

// judge writes a number, and for what it was judged by.
func (t *tally) judge(value any, goal float64, bound string, met bool) string {
	if goal == 0 || !t.judging || math.IsNaN(number(value)) {
		return format(value)
	}
	return fmt.Sprintf("%s ("+bound+" %s)", format(value), goal, t.verdict(met))
}

// number returns the number that is judged.
func number(value any) float64 {
	switch v := value.(type) {
	case ratio:
		return float64(v)
	case float64:
		return v
	}
	panic(fmt.Sprintf("no number: %v", value))
}

// verdict writes whether a goal was met.
func (t *tally) verdict(met bool) string {
	switch {
	case !t.judging:
		return "not judged"
	case met:
		t.met++
		return "met"
	}
	t.missed++
	return "NOT MET"
}

func (t *tally) String() string {
	if !t.judging {
		return "goals are not judged by single calls"
	}
	return fmt.Sprintf("%d goals are met, %d not", t.met, t.missed)
}
