// Command turncontext runs the turncontext module from the command line: single
// requests, the turns of a thread, an app server, a whole session, or the
// conformance vectors.
//
// Each command is a struct in a file of its own, with a Run method; cli lists
// them.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// An output whose reader went away is an error like others, and not the end.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// From the first signal on a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
