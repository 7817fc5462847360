package main

import "github.com/turncontext/turncontext/abi"

type classifyCommand struct {
	policyFlags
	File string `arg:"" optional:"" default:"-" help:"A file with the request, in JSON; - is standard input, and the default."`
}

// Help is the longer part of the help text.
func (classifyCommand) Help() string {
	return `The request is {"items", "store"?, "policy"?}, as abi/README.md specifies it: messages of developers are recognised by the keys of the store. The answer is one line of JSON on standard output, {"items"}, with one for each item: {"hidden": false}, or true with "key" and "kind". If the module refuses the request, that line is the error object {"error": …}, the message is on standard error as well, and the exit code is 1.

` + requestHelp + `

    $ echo '{"items":[{"role":"user","content":"<external_ci>red</external_ci>"}]}' |
          turncontext classify`
}

// Run sends the request to the module as it is.
func (c *classifyCommand) Run(e *environment) error {
	return e.request(abi.FunctionClassify, c.File, &c.policyFlags, tableFlag{})
}
