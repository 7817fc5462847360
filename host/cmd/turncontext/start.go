package main

import "github.com/turncontext/turncontext/abi"

type startCommand struct {
	Turn *string `placeholder:"ID" help:"The id of the turn, if a new one starts. Default: a random UUID."`
	turnFlags
}

// Help is the longer part of the help text.
func (startCommand) Help() string {
	return `The argument has the params of turn/start. A state file that does not exist yet stands for a thread that has no state; it is made. If a regular turn is active, the input goes to that turn.

` + turnHelp + `

    $ echo '{"threadId":"t","input":[{"type":"text","text":"Why is CI red?"}],
             "additionalContext":{"ci":{"value":"red","kind":"untrusted"}}}' |
          turncontext start --state thread.json`
}

// Run starts a turn.
func (c *startCommand) Run(e *environment) error {
	id := e.newID()
	if c.Turn != nil {
		id = *c.Turn
	}
	text, err := encode(id)
	if err != nil {
		return err
	}
	return c.run(e, abi.FunctionTurnStart, member{"turnId", text})
}
