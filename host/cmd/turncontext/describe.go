package main

import "github.com/turncontext/turncontext/abi"

type describeCommand struct{}

// Help is the longer part of the help text.
func (describeCommand) Help() string {
	return `The answer is one line of JSON on standard output.`
}

// Run asks the module to describe itself.
func (*describeCommand) Run(e *environment) error {
	_, err := e.answer(abi.FunctionDescribe, nil)
	return err
}
