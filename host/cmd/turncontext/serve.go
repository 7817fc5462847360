package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

type serveCommand struct {
	Dir string `placeholder:"FOLDER" help:"Keep the threads in FOLDER, which is made if it is missing, and go on with those that are there. By default they are gone when the server ends."`
	policyFlags
}

// Help is the longer part of the help text.
func (serveCommand) Help() string {
	return `An app server for trying out a client: JSON-RPC, one message a line, from standard input to standard output. There is no model. A turn is active until the client ends it, and the notification turn/inputs tells what the model would see.

Methods: initialize, then thread/start, thread/resume, turn/start, turn/steer, turn/interrupt, and what makes turns that a client can try itself on: turn/complete, review/start, thread/compact/start. Additions are thread/reconcile, thread/classify and guidance/read. README.md in the folder of the command describes them, with a session.

The policy is that of all threads, and checked before the server starts: if the module refuses it, the exit code is 1. Its experimentalApi is what the client says with initialize, and may not be in the policy file (exit code 2). ` + policyHelp + `

Requests are answered in the order in which they come. With --dir, what was answered is on the disk before it is answered, and a server that is stopped at any moment leaves nothing half done.

The end of the input ends the server, and so does an interrupt, after the request in progress; the exit code is then 0. It is 3 if a file, the input or the output failed.`
}

// Run serves until the input ends.
func (c *serveCommand) Run(e *environment) error {
	policy, err := c.policy(e)
	if err != nil {
		return err
	}
	if name := experimentalAPI(true).name; hasField(policy, name) {
		return c.taken(name, "the client sets with initialize")
	}
	return e.with(func(module *host.Module) error {
		if err := c.check(e.ctx, module, policy); err != nil {
			return err
		}
		s := &server{e: e, module: module, policy: policy, threads: map[string]*thread{}}
		if c.Dir != "" {
			folder, err := openFolder(c.Dir)
			if err != nil {
				return err
			}
			defer folder.close()
			s.folder = folder
			if s.threads, err = folder.load(e.ctx, module); err != nil {
				return err
			}
		}
		return s.serve()
	})
}

// check has the module check the policy: what is wrong with it is the command
// line's mistake, and no request of a client's should be blamed for it.
func (c *serveCommand) check(ctx context.Context, module *host.Module, policy json.RawMessage) error {
	if policy == nil {
		return nil
	}
	_, err := module.Call(ctx, abi.FunctionGuidance, requestOf(member{"policy", policy}))
	return c.inFile(err)
}

// A server answers one client.
type server struct {
	e       *environment
	module  *host.Module
	policy  json.RawMessage // without experimentalApi
	folder  *folder         // nil: the threads are in memory only
	threads map[string]*thread

	initialized     bool
	experimentalAPI bool
	optedOut        map[string]bool // notifications that the client does not want
	version         string          // "2.0" if the client writes the member jsonrpc
}

// reply is what a method has to say.
type reply struct {
	result any
	notes  []note // in order, after the result
}

// note is a notification.
type note struct {
	method string
	params any
}

// methods are what a client may ask for.
var methods = map[string]func(*server, context.Context, json.RawMessage) (*reply, error){
	"initialize":           (*server).initialize,
	"thread/start":         (*server).threadStart,
	"thread/resume":        (*server).threadResume,
	"thread/compact/start": (*server).compactStart,
	"thread/reconcile":     (*server).threadReconcile,
	"thread/classify":      (*server).threadClassify,
	"guidance/read":        (*server).guidanceRead,
	"review/start":         (*server).reviewStart,
	"turn/start":           (*server).turnStart,
	"turn/steer":           (*server).turnSteer,
	"turn/interrupt":       (*server).turnInterrupt,
	"turn/complete":        (*server).turnComplete,
}

// serve answers line by line until the input ends or the context does.
func (s *server) serve() error {
	done := make(chan struct{})
	defer close(done)
	lines := readLines(s.e.stdin, done)
	for s.e.ctx.Err() == nil {
		select {
		case <-s.e.ctx.Done():
		case l := <-lines:
			if errors.Is(l.err, io.EOF) {
				return nil
			}
			if err := s.line(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// line answers one line. An error ends the server; what was not kept is
// answered before.
func (s *server) line(l line) error {
	if l.err != nil && !errors.Is(l.err, errLineTooLong) {
		return l.err
	}
	answer, err := s.answer(l)
	if _, writeErr := s.e.stdout.Write(answer); err == nil {
		err = writeErr
	}
	return err
}

// answer returns the lines that answer a line. With an error, which ends the
// server, there may be some too.
func (s *server) answer(l line) ([]byte, error) {
	if l.err != nil {
		return s.write(null, nil, invalidRequest("the line has more than %d bytes", maxLine))
	}
	m, err := parseMessage(l.text)
	if m.version {
		s.version = "2.0"
	}
	if err != nil {
		return s.write(m.id, nil, err)
	}
	if m.id == nil { // a notification has no answer, and none that a client sends does anything
		return nil, nil
	}
	answered, err := s.call(m)
	return s.write(m.id, answered, err)
}

// call runs a method. An interrupt does not stop it half way.
func (s *server) call(m message) (*reply, error) {
	method, ok := methods[m.method]
	if !ok {
		return nil, &rpcError{Code: codeMethodNotFound, Message: fmt.Sprintf("there is no method %q", m.method)}
	}
	if !s.initialized && m.method != "initialize" {
		return nil, invalidRequest("Not initialized")
	}
	return method(s, context.WithoutCancel(s.e.ctx), m.params)
}

// write returns an answer and its notifications, one a line, and with them the
// failure if it must end the server.
func (s *server) write(id json.RawMessage, answered *reply, failed error) ([]byte, error) {
	first := response{Version: s.version, ID: id}
	var notes []note
	if failed != nil {
		first.Error = asRPC(failed)
	} else {
		first.Result, notes = answered.result, answered.notes
	}
	messages := []any{first}
	for _, n := range notes {
		if !s.optedOut[n.method] {
			messages = append(messages, notification{s.version, n.method, n.params})
		}
	}
	var lines bytes.Buffer
	for _, m := range messages {
		text, err := encode(m)
		if err != nil {
			return nil, err
		}
		lines.Write(append(text, '\n'))
	}
	if errors.Is(failed, errNotKept) {
		return lines.Bytes(), failed
	}
	return lines.Bytes(), nil
}
