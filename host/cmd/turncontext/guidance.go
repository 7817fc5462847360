package main

import (
	"encoding/json"
	"fmt"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

type guidanceCommand struct {
	policyFlags
}

// Help is the longer part of the help text.
func (guidanceCommand) Help() string {
	return `The paragraph tells the model what the messages are that the policy makes, and which of them are data that carry no authority. It is the same whenever the policy is the same.

If the module refuses the policy, the error object {"error": …} is on standard output, the message on standard error, and the exit code is 1.

` + policyHelp + `

    $ turncontext guidance --safe >>system-prompt.txt`
}

// Run prints the paragraph.
func (c *guidanceCommand) Run(e *environment) error {
	policy, err := c.policy(e)
	if err != nil {
		return err
	}
	return e.with(func(module *host.Module) error {
		answer, err := module.Call(e.ctx, abi.FunctionGuidance, requestOf(member{"policy", policy}))
		if err != nil {
			return e.writeLine(answer, c.inFile(err))
		}
		var response abi.GuidanceResponse
		if err := json.Unmarshal(answer, &response); err != nil {
			return fmt.Errorf("the module's answer: %w", err)
		}
		return e.writeLine([]byte(response.Text), nil)
	})
}
