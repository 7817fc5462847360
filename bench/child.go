package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// child is a path in a process of its own, which measures itself around the
// calls only. It is given commands, a line each, on its standard input, and
// answers each with a line on its standard output:
//
//	load N            N times: a line with a length, and so many bytes, one
//	                  request. Answer: an empty line
//	answer CALL I     sends request I. Answer: the length, and behind the line so
//	                  many bytes, the answer
//	run CALL FIRST N  sends N requests, each in its turn, beginning with FIRST.
//	                  Answer: the nanoseconds that took
//
// CALL is merge or echo. At the end of its input it exits. What it is started
// with are the files of the module and of the echo guest.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// startChild starts a program. It ends with the context at the latest.
func startChild(ctx context.Context, program string, args ...string) (path, error) {
	c := &child{cmd: exec.CommandContext(ctx, program, args...)}
	c.cmd.Stderr = &c.stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<16)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	if err := c.load(nil); err != nil { // when this is answered, the modules are open
		return nil, err
	}
	return c, nil
}

func (c *child) load(requests [][]byte) error {
	in := bufio.NewWriter(c.in)
	fmt.Fprintf(in, "load %d\n", len(requests))
	for _, request := range requests {
		fmt.Fprintf(in, "%d\n", len(request))
		in.Write(request)
	}
	if err := in.Flush(); err != nil { // that of the first write that failed
		return c.failure(err)
	}
	_, err := c.line()
	return err
}

func (c *child) answer(call string, request int) ([]byte, error) {
	length, err := c.ask("answer %s %d\n", call, request)
	if err != nil {
		return nil, err
	}
	answer := make([]byte, length)
	if _, err := io.ReadFull(c.out, answer); err != nil {
		return nil, c.failure(err)
	}
	return answer, nil
}

func (c *child) run(call string, first, count int) (sample, error) {
	nanoseconds, err := c.ask("run %s %d %d\n", call, first, count)
	if err != nil {
		return sample{}, err
	}
	return sample{time: time.Duration(nanoseconds / count), allocs: math.NaN(), bytes: math.NaN()}, nil
}

// ask sends a command and returns the number that answers it.
func (c *child) ask(format string, args ...any) (int, error) {
	if _, err := fmt.Fprintf(c.in, format, args...); err != nil {
		return 0, c.failure(err)
	}
	line, err := c.line()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(line)
}

func (c *child) line() (string, error) {
	line, err := c.out.ReadString('\n')
	if err != nil {
		return "", c.failure(err)
	}
	return strings.TrimSpace(line), nil
}

// failure ends the child, and returns what it said at last.
func (c *child) failure(err error) error {
	if e := c.close(); e != nil {
		err = e
	}
	said := strings.TrimSpace(c.stderr.String())
	if said == "" {
		return err
	}
	return fmt.Errorf("%w: %.1000s", err, said)
}

func (c *child) close() error {
	return errors.Join(c.in.Close(), c.cmd.Wait())
}

// cargoBuild builds a crate, with variables added to the environment.
func cargoBuild(ctx context.Context, folder string, variables []string, flags ...string) error {
	cmd := exec.CommandContext(ctx, "cargo", append([]string{"build", "--quiet", "--locked"}, flags...)...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), variables...)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cargo build in %s: %w: %.1000s", folder, err, bytes.TrimSpace(output))
	}
	return nil
}
