package main

import "github.com/turncontext/turncontext/abi"

type steerCommand struct {
	turnFlags
}

// Help is the longer part of the help text.
func (steerCommand) Help() string {
	return `FILE has the params of turn/steer. The state file must exist.

` + turnHelp + `

    $ echo '{"threadId":"t","expectedTurnId":"u","input":[{"type":"text","text":"Now?"}]}' |
          turncontext steer --state thread.json`
}

// Run steers the active turn.
func (c *steerCommand) Run(e *environment) error {
	return c.run(e, abi.FunctionTurnSteer)
}
