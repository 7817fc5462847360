package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/testdata/examples"
)

type demoCommand struct {
	policyFlags
	Session string `arg:"" optional:"" help:"A session in JSON; the built-in one if there is none."`
}

// Help is the longer part of the help text.
func (demoCommand) Help() string {
	return `Shows for each turn of the session what the client sent, the messages that the model now sees, hidden ones included, and what became of each key. The store goes from turn to turn.

It is for reading: of long texts the middle is not shown, and control characters stand as pictures (␛) or code points (<U+202E>). The format of a session is described in testdata/examples/README.md.

The policy is the same for all turns. ` + policyHelp
}

const demoIntro = `Each turn shows what the client sends, the messages that the model now sees (hidden ones carry the context; the last is
the person's own), and a receipt for each key: what became of it, the tokens it costs now, and how many were cut.

`

// mergeTurn is a merge request that carries what a client sent as it is.
type mergeTurn struct {
	Store             abi.Store       `json:"store,omitempty"`
	AdditionalContext json.RawMessage `json:"additionalContext,omitempty"`
	Policy            json.RawMessage `json:"policy,omitempty"`
}

// Run shows the session.
func (c *demoCommand) Run(e *environment) error {
	policy, err := c.policy(e)
	if err != nil {
		return err
	}
	s, err := c.read()
	if err != nil {
		return err
	}
	return e.with(func(module *host.Module) error {
		if _, err := io.WriteString(e.stdout, demoIntro); err != nil {
			return err
		}
		return c.inFile(e.showSession(module, s, policy))
	})
}

// read reads the session and what it refers to, which must lie in its folder.
func (c *demoCommand) read() (*session, error) {
	if c.Session == "" {
		return readSession(examples.Files, examples.Session)
	}
	// A folder that a session cannot reach out of.
	root, err := os.OpenRoot(filepath.Dir(c.Session))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // only read
	return readSession(root.FS(), c.Session)
}

// showSession merges turn by turn, carrying the store along.
func (e *environment) showSession(module *host.Module, s *session, policy json.RawMessage) error {
	var store abi.Store
	for i := range s.Turns {
		t := &s.Turns[i]
		answer, err := e.mergeTurn(module, store, t, policy)
		if err != nil {
			return fmt.Errorf("%w (turn %d, %q)", err, i+1, t.Title)
		}
		store = answer.Store
		if _, err := io.WriteString(e.stdout, showTurn(i+1, len(s.Turns), t, answer)); err != nil {
			return err
		}
	}
	return nil
}

func (e *environment) mergeTurn(module *host.Module, store abi.Store, t *turn, policy json.RawMessage) (*abi.MergeResponse, error) {
	request, err := json.Marshal(mergeTurn{store, t.AdditionalContext, policy})
	if err != nil {
		return nil, err
	}
	text, err := module.Call(e.ctx, abi.FunctionMerge, request)
	if err != nil {
		return nil, err
	}
	var answer abi.MergeResponse
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("the module's answer: %w", err)
	}
	return &answer, nil
}
