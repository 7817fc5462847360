// Command compare measures package tiktoken as a guest under wazero, beside a
// guest made of tiktoken-go and its loader. Every number is the least of some
// rounds: what else the machine does only adds. Run it from its folder, as it
// builds the guests with the go tool.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/turncontext/turncontext/plugin/tiktoken"
	"github.com/turncontext/turncontext/plugin/tiktoken/internal/texts"
)

const (
	small  = 4 << 10
	large  = 1 << 20
	budget = 1000 // tokens that the large text is cut to
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	once := flags.Bool("once", false, "make every measurement once, to see that it works; the numbers mean little")
	rounds := flags.Int("rounds", 7, "measure so often, and take the least")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 0 || *rounds < 1 {
		return fmt.Errorf("unexpected arguments %q, or no round", flags.Args())
	}
	if *once {
		*rounds = 1
	}

	ours, err := build(ctx, "ours")
	if err != nil {
		return err
	}
	naive, err := build(ctx, "naive")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s %s/%s, %d CPUs, least of %d rounds\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), *rounds)
	if err := measureModules(ctx, out, *rounds, ours, naive); err != nil {
		return err
	}
	return measureTexts(ctx, out, *rounds, ours, naive)
}

// measureModules writes what it takes to have the guests.
func measureModules(ctx context.Context, out io.Writer, rounds int, modules ...[]byte) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\tbytes\tgzip\tcold compile\tfrom disk cache\t")
	for _, name := range tiktoken.Names() {
		fmt.Fprintf(table, "load %s\tMiB then\t", name)
	}
	fmt.Fprintln(table)
	for i, module := range modules {
		packed, err := packedSize(module)
		if err != nil {
			return err
		}
		s := newStart()
		for range rounds {
			if err := s.measure(ctx, module); err != nil {
				return err
			}
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%v\t%v\t%v\t%d\t%v\t%d\t\n", []string{"ours", "naive"}[i], len(module), packed,
			round(s.cold), round(s.warm), round(s.load[0]), s.memory[0]>>20, round(s.load[1]), s.memory[1]>>20)
	}
	fmt.Fprintf(table, "\ngoals: cold compile 2s, from disk cache 60ms, a vocabulary 400ms, 96 MiB\n\n")
	return table.Flush()
}

// packedSize returns the length of a module that is compressed.
func packedSize(module []byte) (int, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	if _, err := w.Write(module); err != nil {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	return b.Len(), nil
}

// A sample is a text of any length: what it is made of is repeated.
type sample struct{ name, unit string }

func samples() []sample {
	prose := texts.Prose()
	list := []sample{{"code", texts.Code()}}
	for _, language := range []string{"en", "de", "ru", "ar", "hi", "th", "ko", "zh", "ja"} {
		list = append(list, sample{language, prose[language] + " "})
	}
	return append(list,
		sample{"emoji", "👩🏽‍🚀 👨‍👩‍👧‍👦🏳️‍🌈👍🏿"},
		sample{"base64", "TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsuIFRvbyBtYW55IGNvb2tz"},
		sample{"letter", "a"},
		sample{"spaces", " "},
		sample{"mark", "\u0301"},
		sample{"rule", "-"},
		sample{"rules", strings.Repeat("-", 79) + "\n"},
		sample{"rare", "\U00012000\U00013000ꀀ"},
	)
}

// text returns the sample with at most so many bytes.
func (s sample) text(size int) []byte {
	text := []byte(strings.Repeat(s.unit, size/len(s.unit)+1))[:size]
	for !utf8.Valid(text) {
		text = text[:len(text)-1]
	}
	return text
}

// measureTexts writes what counting and cutting costs.
func measureTexts(ctx context.Context, out io.Writer, rounds int, ours, naive []byte) (err error) {
	fast, err := open(ctx, ours)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fast.close(ctx)) }()
	slow, err := open(ctx, naive)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, slow.close(ctx)) }()

	for n, name := range tiktoken.Names() {
		for _, g := range []*guest{fast, slow} {
			if _, err := g.call(ctx, "load", uint64(n)); err != nil {
				return err
			}
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(table, "%s\ttokens of 4 KB\tcount, naive\tcount\tcount of 1 MB\tits estimate\toff by\tcut to %d tokens: head\ttail\tmiddle\t\n", name, budget)
		for _, s := range samples() {
			tokens, naiveTime, err := slow.count(ctx, s.text(small), rounds)
			if err != nil {
				return err
			}
			got, oursTime, err := fast.count(ctx, s.text(small), rounds)
			if err != nil {
				return err
			}
			if got != tokens {
				return fmt.Errorf("%s, %s: %d tokens, naive %d", name, s.name, got, tokens)
			}
			whole, wholeTime, err := fast.count(ctx, s.text(large), rounds)
			if err != nil {
				return err
			}
			about, aboutTime, err := fast.least(ctx, rounds, "total", s.text(large))
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "%s\t%d\t%v\t%v\t%v\t%v\t%+.1f%%", s.name, tokens, round(naiveTime), round(oursTime), round(wholeTime),
				round(aboutTime), 100*(float64(about)/float64(whole)-1))
			for _, cut := range []string{"head", "tail", "middle"} {
				_, took, err := fast.least(ctx, rounds, cut, s.text(large), budget)
				if err != nil {
					return err
				}
				fmt.Fprintf(table, "\t%v", round(took))
			}
			fmt.Fprintln(table, "\t")
		}
		fmt.Fprintf(table, "\n")
		if err := table.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "memory after all: ours %d MiB, naive %d MiB\n", fast.memory()>>20, slow.memory()>>20)
	_, err = fmt.Fprintln(out, "goals: count of 4 KB 2ms, cut of 1 MB 10ms, count of 1 MB of letter, spaces or mark within twice that of en")
	return err
}

// round leaves three digits or so.
func round(d time.Duration) time.Duration {
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}
