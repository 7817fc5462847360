// Command bench measures turncontext beside what else one could use: the
// module through every host, the core as a Go package, and the same merge
// written natively in Rust and in Go, each beside an echo of the same bytes as
// floor.
//
// With -policy it measures what the fields of a policy cost instead, with
// -scale how time and memory grow, with -open how long a module takes to open,
// with -text user input at the limit of its length.
//
// It is a module of its own, so that nobody who imports turncontext compiles
// Extism's SDK. Run it from its folder: it builds its echo guest, and the
// programs of other languages, with the tools on the path.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"time"
)

// What a plan has unless it is for a single measurement.
const (
	rotation  = 64
	roundTime = 10 * time.Millisecond // short, so that other work on the machine meets few
)

// A bench is what was asked for.
type bench struct {
	plan
	workloads, paths *regexp.Regexp // those whose names match
	moduleFile       string         // to measure; empty for the module that the host carries
	against          string         // the file of an older module; empty for none
	million          bool
	progress         io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the program, with what it was called with and where it writes.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	b := bench{progress: progress}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(progress)
	policy := flags.Bool("policy", false, "measure what the fields of a policy cost")
	scale := flags.Bool("scale", false, "measure how time and memory grow")
	open := flags.Bool("open", false, "measure how long a module takes to open")
	text := flags.Bool("text", false, "measure user input at the limit of its length")
	once := flags.Bool("once", false, "make every measurement once, to see that it works; the numbers mean little")
	rounds := flags.Int("rounds", 15, "take medians of so many rounds")
	workloads := flags.String("workload", "", "only the workloads whose names match this `regexp`, such as ^plain")
	paths := flags.String("path", "", "only the paths whose names match this `regexp`, such as ^(raw|Rust)$")
	flags.StringVar(&b.moduleFile, "module", "", "measure the module in this `file`, not the one that the host carries")
	flags.StringVar(&b.against, "against", "", "with -policy: measure a request without policy beside the older module in this `file`")
	flags.BoolVar(&b.million, "million", false, "with -scale: make a million calls, and not a fiftieth of them")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *rounds < 1 {
		return fmt.Errorf("-rounds is %d, want at least 1", *rounds)
	}
	var err error
	if b.workloads, err = regexp.Compile(*workloads); err != nil {
		return fmt.Errorf("-workload: %w", err)
	}
	if b.paths, err = regexp.Compile(*paths); err != nil {
		return fmt.Errorf("-path: %w", err)
	}

	b.plan = plan{inputs: rotation, rounds: *rounds, round: roundTime}
	if *once {
		b.plan = plan{inputs: 4, rounds: 1}
	}
	_, err = fmt.Fprintf(out, "%s %s/%s, %d CPUs, median of %d alternating rounds; noisy where the machine has other work\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), b.rounds)
	if err != nil {
		return err
	}
	switch {
	case *policy:
		return b.policy(ctx, out)
	case *scale:
		return b.scale(ctx, out)
	case *open:
		return b.open(ctx, out)
	case *text:
		return b.limit(ctx, out)
	}
	return b.compare(ctx, out)
}
