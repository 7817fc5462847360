package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

type mergeCommand struct {
	policyFlags
	tableFlag
	File string `arg:"" optional:"" default:"-" help:"A file with the request, in JSON; - is standard input, and the default."`
}

// Help is the longer part of the help text.
func (mergeCommand) Help() string {
	return `The request is {"store"?, "additionalContext"?, "policy"?}, as abi/README.md specifies it. The answer is one line of JSON on standard output. If the module refuses the request, that line is the error object {"error": …}, the message is on standard error as well, and the exit code is 1.

` + requestHelp + `

    $ echo '{"additionalContext":{"ci":{"value":"red","kind":"untrusted"}}}' |
          turncontext merge`
}

// requestHelp is the part of a help text that tells about requests, which may
// have a policy.
const requestHelp = `Of a request that is larger than the module takes no more is read than it needs to refuse it.

` + policyHelp + ` So is a request that has a policy of its own beside --policy or --safe. Offsets in errors count in the request with the policy put in, at its end.`

// Run sends the request to the module as it is.
func (c *mergeCommand) Run(e *environment) error {
	return e.request(abi.FunctionMerge, c.File, &c.policyFlags, c.tableFlag)
}

// request sends the request in a file to the module, with the policy of the
// flags, and writes the answer.
func (e *environment) request(function, file string, policyFlags *policyFlags, table tableFlag) error {
	policy, err := policyFlags.policy(e)
	if err != nil {
		return err
	}
	request, err := e.readRequest(file)
	if err != nil {
		return err
	}
	sent, err := withPolicy(request, policy)
	if err != nil {
		return err
	}
	answer, err := e.answer(function, sent)
	if len(sent) > len(request) { // with the policy of the flags
		err = policyFlags.inFile(err)
	}
	if err != nil {
		return err
	}
	return table.show(e, answer)
}

// answer writes what the module answers to a request, and returns it. An error
// object is an answer too: it is written, and returned as an error.
func (e *environment) answer(function string, request []byte) (answer []byte, err error) {
	err = e.with(func(module *host.Module) error {
		var err error
		answer, err = module.Call(e.ctx, function, request)
		return e.writeLine(answer, err)
	})
	return answer, err
}

// writeLine writes a line to standard output, unless it is nil, whatever err is.
// It returns what went wrong.
func (e *environment) writeLine(line []byte, err error) error {
	if line == nil {
		return err
	}
	if _, writeErr := e.stdout.Write(append(line, '\n')); writeErr != nil {
		return writeErr
	}
	return err
}

// readRequest reads a request from a file, or from standard input for "-".
func (e *environment) readRequest(name string) ([]byte, error) {
	if name == "-" {
		return readBounded(e.ctx, e.stdin)
	}
	return e.readFile(name)
}

// readFile reads a file, as far as a request may go.
func (e *environment) readFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read
	return readBounded(e.ctx, file)
}

// readBounded reads at most one byte more than a request may have: enough for
// the module to refuse it.
func readBounded(ctx context.Context, from io.Reader) ([]byte, error) {
	return readAll(ctx, io.LimitReader(from, abi.MaxRequestBytes+1))
}

// checkValue returns an error unless the text of a file is one JSON value in
// UTF-8, which can be put into a request as it is. The error tells what the file
// is.
func checkValue(file, what string, text []byte) error {
	if len(text) > abi.MaxRequestBytes {
		return fmt.Errorf("%s: the %s has more than %d bytes", file, what, abi.MaxRequestBytes)
	}
	if !utf8.Valid(text) {
		return fmt.Errorf("%s: the %s is not UTF-8", file, what)
	}
	var value json.RawMessage
	err := json.Unmarshal(text, &value)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%s: the %s is not JSON: %w (bytes read: %d)", file, what, err, syntax.Offset)
	}
	return err
}

// readAll reads until the end. It returns when ctx ends, and leaves behind a
// reader that waits for its input.
func readAll(ctx context.Context, from io.Reader) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := io.ReadAll(from)
		done <- result{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.text, r.err
	}
}
