package main

import (
	"encoding/json"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

type reconcileCommand struct {
	State string `placeholder:"FILE" help:"Reconcile the thread whose state is in FILE. The argument then has the history alone."`
	policyFlags
	tableFlag
	File string `arg:"" optional:"" default:"-" help:"A file with the request, or with --state the history, in JSON; - is standard input, and the default."`
}

// Help is the longer part of the help text.
func (reconcileCommand) Help() string {
	return `For what happened to the history: a compaction, a rollback, a resume, a fork. The answer tells what the model has to be told again.

With --state the argument is the history, an array of the items that are left, and has no policy. The answer is one line of JSON on standard output, {"inputs", "receipts"}, and the state in the file is replaced as by start. The policy is to be that of the thread's turns.

Without --state the argument is the request, {"state" or "store", "history", "policy"?}, as abi/README.md specifies it, and the answer the module's, with the new state or store.

If the module refuses the request, the line is the error object {"error": …}, the message is on standard error as well, and the exit code is 1. An offset in its data counts from the beginning of the request; with --state the history stands in it after {"history":, which are 11 bytes.

` + requestHelp + `

    $ echo '[]' | turncontext reconcile --state thread.json`
}

// Run reconciles.
func (c *reconcileCommand) Run(e *environment) error {
	if c.State == "" {
		return e.request(abi.FunctionReconcile, c.File, &c.policyFlags, c.tableFlag)
	}
	policy, err := c.policy(e)
	if err != nil {
		return err
	}
	history, err := e.readRequest(c.File)
	if err != nil {
		return err
	}
	if !json.Valid(history) {
		_, err := e.answer(abi.FunctionReconcile, history) // the module tells what is wrong with it
		return err
	}
	return e.change(c.State, false, c.tableFlag, func(module *host.Module, state json.RawMessage) (*change, error) {
		request := requestOf(member{"history", history}, member{"state", state}, member{"policy", policy})
		text, err := module.Call(e.ctx, abi.FunctionReconcile, request)
		if err != nil {
			return &change{shown: text}, c.inFile(err)
		}
		answer, err := readTurnAnswer(text)
		if err != nil {
			return nil, err
		}
		shown, err := encode(answer.told())
		return &change{shown, answer.State}, err
	})
}
