package main

import (
	"encoding/json"
	"errors"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

type setCommand struct {
	State  string       `required:"" placeholder:"FILE" help:"The file that holds the thread's state."`
	Active *string      `required:"" xor:"turn" placeholder:"ID" help:"The id of the turn that is active now."`
	Kind   abi.TurnKind `placeholder:"KIND" help:"The kind of that turn: regular (the default), review or compact."`
	None   bool         `required:"" xor:"turn" help:"No turn is active now."`
	IfTurn *string      `placeholder:"ID" help:"Only if this turn is active; else the state stays."`
}

// Help is the longer part of the help text.
func (setCommand) Help() string {
	return `For what the client did not ask for: a review or compact turn began, or the turn ended. The state file must exist, and is replaced as by start.

The answer is one line of JSON on standard output, {"activeTurn": …}: the turn that is active now, or null. If the module refuses the request, that line is the error object {"error": …}, the exit code is 1, and the file is left as it was.

    $ turncontext set --state thread.json --none`
}

// Validate refuses a kind without a turn.
func (c *setCommand) Validate() error {
	if c.Kind != "" && c.Active == nil {
		return errors.New("--kind goes with --active")
	}
	return nil
}

// activeTurn returns the turn to set, nil for none.
func (c *setCommand) activeTurn() *abi.ActiveTurn {
	if c.Active == nil {
		return nil
	}
	kind := c.Kind
	if kind == "" {
		kind = abi.RegularTurn
	}
	return &abi.ActiveTurn{ID: *c.Active, Kind: kind}
}

// Run sets the active turn.
func (c *setCommand) Run(e *environment) error {
	ifTurn := member{name: "ifTurnId"}
	if c.IfTurn != nil {
		var err error
		if ifTurn.value, err = encode(*c.IfTurn); err != nil {
			return err
		}
	}
	return e.change(c.State, false, tableFlag{}, func(module *host.Module, state json.RawMessage) (*change, error) {
		next, refusal, err := setTurn(e.ctx, module, state, c.activeTurn(), ifTurn)
		if err != nil {
			return &change{shown: refusal}, err
		}
		active, err := activeTurn(next)
		if err != nil {
			return nil, err
		}
		shown, err := encode(struct {
			ActiveTurn *abi.ActiveTurn `json:"activeTurn"`
		}{active})
		return &change{shown, next}, err
	})
}
