package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/turncontext/turncontext/abi"
)

// The exit codes, as the help text lists them.
const (
	exitOK          = 0
	exitRefused     = 1
	exitUsage       = 2
	exitFailed      = 3
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

// errNotConforming makes conform end with exitRefused.
var errNotConforming = errors.New("the module does not conform")

const about = `Decides what an agent's model is told about the outside world on a turn.

What a command answers goes to standard output, what is wrong to standard error.

Exit codes:

    0    done
    1    the module refused a request, or a vector failed
    2    the command line is wrong
    3    a file, the module or an output failed
    130  interrupted or terminated`

// cli is the whole command line.
type cli struct {
	moduleFlags

	Start     startCommand     `cmd:"" help:"Start a turn on the state in a file."`
	Steer     steerCommand     `cmd:"" help:"Add to the active turn of the state in a file."`
	Set       setCommand       `cmd:"" help:"Set the active turn of the state in a file."`
	Reconcile reconcileCommand `cmd:"" help:"Tell the model again what its history lost."`
	Serve     serveCommand     `cmd:"" help:"Be an app server on standard input and output."`
	Merge     mergeCommand     `cmd:"" help:"Answer a merge request."`
	Classify  classifyCommand  `cmd:"" help:"Tell which items of a history are hidden context."`
	Guidance  guidanceCommand  `cmd:"" help:"Print a paragraph for a system prompt."`
	Tokens    tokensCommand    `cmd:"" help:"Count the tokens of a text."`
	Describe  describeCommand  `cmd:"" help:"Tell the module's version, functions and limits."`
	Demo      demoCommand      `cmd:"" help:"Show a session turn by turn."`
	Conform   conformCommand   `cmd:"" help:"Run conformance vectors against the module."`

	Version kong.VersionFlag `help:"Print the version and exit."`
}

// environment is what a command works with. It is bound to every Run method.
type environment struct {
	ctx    context.Context
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	module *moduleFlags
	newID  func() string // for threads and turns
}

// run runs one command line, without the program's name, and returns its exit
// code. The end of ctx interrupts it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var c cli
	exited := false // --help and --version have written their text
	parser, err := kong.New(&c,
		kong.Name("turncontext"),
		kong.Description(about),
		kong.Vars{"version": fmt.Sprintf("turncontext %s (ABI %d)", abi.BuildVersion, abi.Version)},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Help(showHelp),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { exited = true }),
	)
	if err != nil {
		return report(stderr, exitFailed, err)
	}
	command, err := parser.Parse(args)
	if exited {
		return exitOK
	}
	if err == nil && slices.ContainsFunc(args, notUTF8) {
		err = errors.New("an argument is not UTF-8") // the parser has put something else in its place
	}
	if err != nil {
		return report(stderr, exitUsage, fmt.Errorf("%w; turncontext --help tells more", err))
	}
	err = command.Run(&environment{ctx, stdin, stdout, stderr, &c.moduleFlags, newID})
	return report(stderr, exitCode(err), err)
}

// showHelp writes a help text as kong does, but for flags of which one is
// required: kong's usage line shows them as if all were.
func showHelp(options kong.HelpOptions, c *kong.Context) error {
	stdout := c.Stdout
	var text bytes.Buffer
	c.Stdout = &text
	err := kong.DefaultHelpPrinter(options, c)
	c.Stdout = stdout
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, strings.Replace(text.String(), "--active=ID --none", "(--active=ID | --none)", 1))
	return err
}

func notUTF8(text string) bool { return !utf8.ValidString(text) }

// exitCode tells what an error of a command means for the exit code.
func exitCode(err error) int {
	var refused *abi.Error
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, errNotConforming):
		return exitRefused
	case errors.As(err, &refused) && refused.Kind != abi.Internal:
		return exitRefused
	}
	return exitFailed
}

// A fileError is an error whose cause stands in a file that the command line
// names.
type fileError struct {
	file  string
	cause error
}

// Error returns the file and the cause.
func (e *fileError) Error() string { return e.file + ": " + errorText(e.cause) }

// Unwrap returns the cause.
func (e *fileError) Unwrap() error { return e.cause }

// inFile adds to an error the file that a member of the request was read from, ""
// for none, if that member is what the module refused.
func inFile(err error, member, file string) error {
	refused, ok := errors.AsType[*abi.Error](err)
	if !ok || file == "" {
		return err
	}
	// A message begins with the path of what is wrong.
	rest, within := strings.CutPrefix(refused.Message, member)
	if !within || !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "[") {
		return err
	}
	return &fileError{file, err}
}

// errorText returns the text of an error without the program's name, with which
// that of an abi.Error begins.
func errorText(err error) string { return strings.TrimPrefix(err.Error(), "turncontext: ") }

// report writes an error, if there is one, and returns the code. A reader that
// went away early knows that it did.
func report(stderr io.Writer, code int, err error) int {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return code
	}
	text := errorText(err)
	if code == exitInterrupted {
		text = "interrupted"
	}
	// There is nobody left to tell if this fails.
	_, _ = fmt.Fprintf(stderr, "turncontext: %s\n", visible(text))
	return code
}
