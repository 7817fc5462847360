package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// goalText is how many times the cost of an echo a text at the limit may cost.
const goalText = 4.0

// limitTexts are the scripts whose text is measured at the limit of its length.
var limitTexts = []struct{ name, char string }{{"ASCII", "a"}, {"Japanese", "語"}, {"emoji", "🙂"}}

// limit measures turn_start with a text of the greatest length, and with one
// character more, which is refused, beside an echo of the same bytes.
func (b bench) limit(ctx context.Context, out io.Writer) (err error) {
	g, remove, err := b.guests(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	start, err := openBytes(g, func(module []byte) (func([]byte) ([]byte, error), func() error, error) {
		return openTurnStart(ctx, module)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, start.close()) }()

	goals := newTally(b.plan)
	t := new(table)
	t.row("text", "characters", "bytes", "turn_start", "echo", "ratio")
	for _, text := range limitTexts {
		for _, chars := range []int{abi.MaxTextChars, abi.MaxTextChars + 1} {
			request := []byte(`{"turnId":"t","params":{"threadId":"x","input":[{"type":"text","text":"` +
				strings.Repeat(text.char, chars) + `"}]}}`)
			s, err := b.measureLimit(start, request, chars <= abi.MaxTextChars)
			if err != nil {
				return fmt.Errorf("%s, %d characters: %w", text.name, chars, err)
			}
			t.row(text.name, chars, len(request), s[0].time, s[1].time, goals.atMost(timeRatio(s[0].time, s[1].time), goalText))
		}
	}
	t.write(out)
	_, err = fmt.Fprintf(out, "\n%v\n", goals)
	return err
}

// measureLimit measures one request beside its echo.
func (p plan) measureLimit(start path, request []byte, accepted bool) ([]sample, error) {
	if err := start.load([][]byte{request}); err != nil {
		return nil, err
	}
	answer, err := start.answer(callMerge, 0)
	if err != nil {
		return nil, err
	}
	if err := checkLimit(answer, accepted); err != nil {
		return nil, err
	}
	return p.measure([]*meter{{path: start, call: callMerge, requests: 1}, {path: start, call: callEcho, requests: 1}})
}

// checkLimit reports whether a request was answered, or refused as too long.
func checkLimit(answer []byte, accepted bool) error {
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
func openTurnStart(ctx context.Context, module []byte) (func([]byte) ([]byte, error), func() error, error) {
	m, err := openHost(ctx, module)
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
