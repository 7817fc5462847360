package main

import (
	"fmt"
	"os"
	"strconv"
	"unicode/utf8"

	"github.com/turncontext/turncontext/plugin/tiktoken"
)

type tokensCommand struct {
	Tokenizer string `enum:"o200k_base,cl100k_base" default:"o200k_base" help:"Count in this encoding: ${enum}."`
	File      string `arg:"" optional:"" default:"-" help:"The text, in UTF-8; - is standard input, and the default."`
}

// Help is the longer part of the help text.
func (tokensCommand) Help() string {
	return `The count is exact, however long the text is. What looks like a special token is ordinary text. A policy with the field "tokenizer" counts in the same way (see --tiktoken).

    $ turncontext tokens README.md`
}

// Run counts the tokens of a file, with the module's own counting: a function of
// the module would count them with tags around.
func (c *tokensCommand) Run(e *environment) error {
	text, err := e.readText(c.File)
	if err != nil {
		return err
	}
	if !utf8.Valid(text) {
		return fmt.Errorf("%s: not UTF-8", c.File)
	}
	encoding, err := tiktoken.Load(c.Tokenizer)
	if err != nil {
		return err
	}
	return e.writeLine([]byte(strconv.Itoa(encoding.Count(text))), nil)
}

// readText reads a file, - for standard input.
func (e *environment) readText(name string) ([]byte, error) {
	if name == "-" {
		return readAll(e.ctx, e.stdin)
	}
	return os.ReadFile(name)
}
