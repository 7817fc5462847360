package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
	"github.com/turncontext/turncontext/host"
)

// goalText is how many times the cost of an echo a text at the limit may cost.
const goalText = 4.0

// limitTexts are the scripts whose text is measured at the limit of its length.
var limitTexts = []struct{ name, char string }{{"ASCII", "a"}, {"Japanese", "語"}, {"emoji", "🙂"}}

// benchLimit measures turn_start with a text of the greatest length, and with
// one character more, which is refused, beside an echo of the same bytes.
func benchLimit(ctx context.Context, out io.Writer, p plan) (err error) {
	guest, err := buildEcho(ctx)
	if err != nil {
		return err
	}
	start, closeStart, err := openTurnStart(ctx, build.Module)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeStart()) }()
	echo, closeEcho, err := openTurnStart(ctx, guest)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeEcho()) }()

	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "text\tcharacters\tbytes\tturn_start\techo\tratio\t")
	for _, text := range limitTexts {
		for _, chars := range []int{abi.MaxTextChars, abi.MaxTextChars + 1} {
			request := []byte(`{"turnId":"t","params":{"threadId":"x","input":[{"type":"text","text":"` +
				strings.Repeat(text.char, chars) + `"}]}}`)
			if err := checkLimit(start, request, chars <= abi.MaxTextChars); err != nil {
				return fmt.Errorf("%s, %d characters: %w", text.name, chars, err)
			}
			s, err := p.measure([]call{start, echo}, [][]byte{request})
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "%s\t%d\t%d\t%v\t%v\t%.2f\t\n", text.name, chars, len(request), s[0].time, s[1].time,
				float64(s[0].time)/float64(s[1].time))
		}
	}
	fmt.Fprintf(table, "\ngoal: at most %.0f times the echo\n", goalText)
	return table.Flush()
}

// checkLimit reports whether the request is answered, or refused as too long.
func checkLimit(start call, request []byte, accepted bool) error {
	answer, err := start(request)
	if err != nil {
		return err
	}
	prefix := `{"error":{"kind":"input_too_large"`
	if accepted {
		prefix = `{"state":`
	}
	if !bytes.HasPrefix(answer, []byte(prefix)) {
		return fmt.Errorf("the answer is %.100q", answer)
	}
	return nil
}

// openTurnStart opens a module in the Go host and returns a call of turn_start,
// to which a refusal is an answer, and how to close it.
func openTurnStart(ctx context.Context, module []byte) (call, func() error, error) {
	m, err := host.Open(ctx, host.Options{Module: module, Instances: 1})
	if err != nil {
		return nil, nil, err
	}
	start := func(request []byte) ([]byte, error) {
		answer, err := m.Call(ctx, abi.FunctionTurnStart, request)
		var refused *abi.Error
		if errors.As(err, &refused) && refused.Kind != abi.Internal {
			err = nil
		}
		return answer, err
	}
	return start, func() error { return m.Close(ctx) }, nil
}
