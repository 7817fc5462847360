package main

import "github.com/turncontext/turncontext/abi"

type steerCommand struct {
	turnFlags
}

// Help is the longer part of the help text.
func (steerCommand) Help() string {
	return `The argument has the params of turn/steer. The state file must exist.

` + turnHelp + `

    $ echo '{"threadId":"t","input":[],"additionalContext":{}}' | turncontext start --state thread.json --turn u
    $ echo '{"threadId":"t","expectedTurnId":"u","input":[{"type":"text","text":"Now?"}],"additionalContext":{}}' |
          turncontext steer --state thread.json

The whole set is sent again: what is left out is removed.`
}

// Run steers the active turn.
func (c *steerCommand) Run(e *environment) error {
	return c.run(e, abi.FunctionTurnSteer)
}
