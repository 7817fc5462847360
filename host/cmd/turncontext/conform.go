package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/internal/conform"
)

// checkoutVectors is where a checkout has the vectors.
const checkoutVectors = "testdata/vectors"

type conformCommand struct {
	Paths []string `arg:"" optional:"" name:"path" help:"Files of vectors, or folders of them; by default testdata/vectors in the working folder."`
}

// Help is the longer part of the help text.
func (conformCommand) Help() string {
	return `Runs the vectors against the built-in module, or against the one that --module names, and tells for each file how many passed, failed, and did not run because the module lacks what they need. The exit code is 1 if any failed or if none ran. The format of the files is described in testdata/README.md.`
}

// Run runs the files, one after the other.
func (c *conformCommand) Run(e *environment) error {
	files, err := c.load()
	if err != nil {
		return err
	}
	return e.with(func(module *host.Module) error {
		return e.conform(module, files)
	})
}

// load reads the files that the arguments name, or those of a checkout.
func (c *conformCommand) load() ([]conform.File, error) {
	if len(c.Paths) > 0 {
		return conform.Load(c.Paths...)
	}
	files, err := conform.Load(checkoutVectors)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; outside a checkout the argument has to name the vectors", err)
	}
	return files, err
}

func (e *environment) conform(module *host.Module, files []conform.File) error {
	rows := [][]string{{"file", "passed", "failed", "not run"}}
	var details strings.Builder
	passed, failed, skipped := 0, 0, 0
	for _, file := range files {
		result := conform.Run([]conform.File{file}, conform.CallOf(e.ctx, module))
		if err := e.ctx.Err(); err != nil {
			return err // what was interrupted says nothing about the module
		}
		rows = append(rows, conformRow(visible(file.Path), result.Passed, len(result.Failed), result.Skipped()))
		writeDetails(&details, result)
		passed, failed, skipped = passed+result.Passed, failed+len(result.Failed), skipped+result.Skipped()
	}
	rows = append(rows, conformRow("all", passed, failed, skipped))

	var b strings.Builder
	table(&b, rows, 1, 2, 3)
	if _, err := io.WriteString(e.stdout, b.String()+details.String()); err != nil {
		return err
	}
	switch {
	case failed > 0:
		return fmt.Errorf("%w: %d failed", errNotConforming, failed)
	case passed == 0:
		return fmt.Errorf("%w: no vector ran", errNotConforming)
	}
	return nil
}

func conformRow(name string, passed, failed, skipped int) []string {
	return []string{name, strconv.Itoa(passed), strconv.Itoa(failed), strconv.Itoa(skipped)}
}

// writeDetails tells what failed, and why something did not run.
func writeDetails(b *strings.Builder, result conform.Result) {
	for _, n := range result.NotRun {
		fmt.Fprintf(b, "\n%s\n", conform.NotRun{File: visible(n.File), Vectors: n.Vectors, Reason: visible(n.Reason)})
	}
	for _, f := range result.Failed {
		fmt.Fprintf(b, "\n%s\n", conform.Failure{File: visible(f.File), Vector: visible(f.Vector), Want: visible(f.Want), Got: visible(f.Got)})
	}
}
