package main

import (
	"context"
	"io"
	"os"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

type mergeCommand struct {
	File string `arg:"" optional:"" default:"-" help:"The request, in JSON; - is standard input, and the default."`
}

// Help is the longer part of the help text.
func (mergeCommand) Help() string {
	return `The request is {"store"?, "additionalContext"?, "policy"?}, as abi/README.md specifies it. The answer is one line of JSON on standard output. If the module refuses the request, that line is the error object {"error": …}, the message is on standard error as well, and the exit code is 1.

Of a request that is larger than the module takes no more is read than it needs to refuse it.

    $ echo '{"additionalContext":{"ci":{"value":"red","kind":"untrusted"}}}' |
          turncontext merge`
}

// Run sends the request to the module as it is.
func (c *mergeCommand) Run(e *environment) error {
	request, err := e.readRequest(c.File)
	if err != nil {
		return err
	}
	return e.answer(abi.FunctionMerge, request)
}

// answer writes what the module answers to a request. An error object is an
// answer too: it is written, and returned as an error.
func (e *environment) answer(function string, request []byte) error {
	return e.with(func(module *host.Module) error {
		answer, err := module.Call(e.ctx, function, request)
		if answer == nil {
			return err
		}
		if _, writeErr := e.stdout.Write(append(answer, '\n')); writeErr != nil {
			return writeErr
		}
		return err
	})
}

// readRequest reads a request from a file, or from standard input for "-".
func (e *environment) readRequest(name string) ([]byte, error) {
	if name == "-" {
		return readBounded(e.ctx, e.stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read
	return readBounded(e.ctx, file)
}

// readBounded reads at most one byte more than a request may have: enough for
// the module to refuse it. It returns when ctx ends, and leaves behind a
// reader that waits for its input.
func readBounded(ctx context.Context, from io.Reader) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(from, abi.MaxRequestBytes+1))
		done <- result{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.text, r.err
	}
}
