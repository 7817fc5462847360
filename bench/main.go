// Command bench measures turncontext against what it stands on: the core as a
// Go package, the module in the Go host and the module in Extism's Go SDK, on
// requests of several sizes, each beside an echo of the same bytes as floor.
// With -open it measures how long a module takes to open instead, with -text
// user input at the limit of its length.
//
// It is a module of its own, so that nobody who imports turncontext compiles
// Extism's SDK. Run it from its folder: it builds its echo guest with the go
// tool.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"
)

// What a plan has unless it is for a single measurement.
const (
	rotation  = 64
	roundTime = 100 * time.Millisecond
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the program, with what it was called with and where it writes.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	open := flags.Bool("open", false, "measure how long a module takes to open")
	text := flags.Bool("text", false, "measure user input at the limit of its length")
	once := flags.Bool("once", false, "make every measurement once, to see that it works; the numbers mean little")
	rounds := flags.Int("rounds", 7, "take medians of so many rounds")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *rounds < 1 {
		return fmt.Errorf("-rounds is %d, want at least 1", *rounds)
	}

	p := plan{inputs: rotation, rounds: *rounds, round: roundTime}
	if *once {
		p = plan{inputs: 4, rounds: 1}
	}
	_, err := fmt.Fprintf(out, "%s %s/%s, %d CPUs, median of %d alternating rounds\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), p.rounds)
	if err != nil {
		return err
	}
	if *open {
		return benchOpen(ctx, out, p)
	}
	if *text {
		return benchLimit(ctx, out, p)
	}
	return benchMerge(ctx, out, p)
}
