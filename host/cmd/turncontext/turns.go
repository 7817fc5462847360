package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

// turnFlags are what start and steer have in common.
type turnFlags struct {
	State           string   `required:"" placeholder:"FILE" help:"The file that holds the thread's state."`
	Blocked         bool     `help:"Say that the prompt hook blocked the prompt: the user's input is left out."`
	HookContexts    []string `name:"hook-context" sep:"none" placeholder:"TEXT" help:"Add a text of the prompt hook, as a developer message. May be given several times."`
	ExperimentalAPI bool     `name:"experimental-api" negatable:"" default:"true" help:"Whether the client opted in to the experimental API; an additionalContext of one that did not is refused."`
	policyFlags
	tableFlag
	File string `arg:"" optional:"" default:"-" help:"A file with the client's params, in JSON; - is standard input, and the default."`
}

// turnHelp is what the help texts of start and steer have in common.
const turnHelp = `The answer is one line of JSON on standard output, {"turn", "inputs", "receipts"}, as abi/README.md specifies it; the state is in the file. If the module refuses the request, that line is the error object {"error": …}, the message is on standard error as well, the exit code is 1, and the file is left as it was. Offsets in an error's data count from the beginning of the module's request, where the params stand after {"params":, which are 10 bytes.

The params are the client's and have no policy: a member "policy" in them is ignored, as is any that turn/start and turn/steer do not know.

The file is replaced after the answer was written, and in one step: a run that is stopped at any moment leaves the old state or the new one, and at worst an answer is given again. Its permissions stay; a symbolic link is followed. Runs at the same time wait for each other, by a lock on FILE.turncontext-lock, which may stay.

` + policyHelp

// run sends the params to a function of the module, with the state of the file
// and more members, and replaces the file.
func (f *turnFlags) run(e *environment, function string, more ...member) error {
	hook, policy, err := f.members(e)
	if err != nil {
		return err
	}
	params, err := e.readRequest(f.File)
	if err != nil {
		return err
	}
	if !json.Valid(params) {
		_, err := e.answer(function, params) // the module tells what is wrong with it
		return err
	}
	create := function == abi.FunctionTurnStart
	return e.change(f.State, create, f.tableFlag, func(module *host.Module, state json.RawMessage) (*change, error) {
		all := append([]member{{"params", params}, {"state", state}, hook, policy}, more...)
		text, err := module.Call(e.ctx, function, requestOf(all...))
		if err != nil {
			return &change{shown: text}, f.inFile(err)
		}
		answer, err := readTurnAnswer(text)
		if err != nil {
			return nil, err
		}
		shown, err := encode(answer.shown())
		return &change{shown, answer.State}, err
	})
}

// members returns the prompt hook and the policy, each nil if it is the
// default.
func (f *turnFlags) members(e *environment) (hook, policy member, err error) {
	hook.name, policy.name = "promptHook", "policy"
	if f.Blocked || len(f.HookContexts) > 0 {
		if hook.value, err = encode(abi.PromptHook{Blocked: f.Blocked, Contexts: f.HookContexts}); err != nil {
			return hook, policy, err
		}
	}
	var fields []member
	if !f.ExperimentalAPI {
		fields = append(fields, experimentalAPI(false))
	}
	policy.value, err = f.policy(e, fields...)
	return hook, policy, err
}

// experimentalAPI is the field of a policy that tells whether the client opted
// in.
func experimentalAPI(optedIn bool) member {
	return member{"experimentalApi", strconv.AppendBool(nil, optedIn)}
}

// A change is what a command makes of a state.
type change struct {
	shown []byte          // what goes to standard output
	state json.RawMessage // the new state
}

// change replaces the state in a file by what call makes of it. With create the
// file need not exist; call is then given no state. What call wants shown is
// written also if call fails, and before the file is replaced: an answer that
// was given twice does less harm than one that was lost. Its receipts are shown
// last.
func (e *environment) change(path string, create bool, table tableFlag, call func(*host.Module, json.RawMessage) (*change, error)) error {
	return e.with(func(module *host.Module) error {
		file, err := openStateFile(e.ctx, path, create)
		if err != nil {
			return err
		}
		defer file.close()
		made, err := call(module, file.state)
		err = inFile(err, "state", path)
		if made == nil {
			return err
		}
		if err := e.writeLine(made.shown, err); err != nil {
			return err
		}
		if err := file.replace(made.state); err != nil {
			return err
		}
		return table.show(e, made.shown)
	})
}

// member is a member of a request. Without a value it is left out.
type member struct {
	name  string
	value json.RawMessage // one JSON value
}

// requestOf writes a request. The values go in as they are, so that the module
// sees, and its offsets count, what was sent.
func requestOf(members ...member) []byte {
	size := 2
	for _, m := range members {
		size += len(m.name) + len(m.value) + 4
	}
	text := append(make([]byte, 0, size), '{')
	for _, m := range members {
		if m.value == nil {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(text, '"')
		text = append(text, m.name...)
		text = append(text, `":`...)
		text = append(text, m.value...)
	}
	return append(text, '}')
}

// turnAnswer is what turn_start and turn_steer answer, and reconcile for a
// state, which has no turn.
type turnAnswer struct {
	State    json.RawMessage `json:"state"`
	Turn     abi.Turn        `json:"turn"`
	Inputs   json.RawMessage `json:"inputs"`
	Receipts json.RawMessage `json:"receipts"`
}

func readTurnAnswer(text []byte) (*turnAnswer, error) {
	answer := new(turnAnswer)
	if err := json.Unmarshal(text, answer); err != nil {
		return nil, fmt.Errorf("the module's answer: %w", err)
	}
	if answer.State == nil || answer.Inputs == nil || answer.Receipts == nil {
		return nil, errors.New("the module's answer lacks a member")
	}
	return answer, nil
}

// told is what an answer tells the model, and a person.
type told struct {
	Inputs   json.RawMessage `json:"inputs"`
	Receipts json.RawMessage `json:"receipts"`
}

func (a *turnAnswer) told() told { return told{a.Inputs, a.Receipts} }

// shownTurn is an answer without the state.
type shownTurn struct {
	Turn abi.Turn `json:"turn"`
	told
}

func (a *turnAnswer) shown() shownTurn { return shownTurn{a.Turn, a.told()} }

// setTurn asks the module to set the active turn; nil says that none is. It
// returns the new state, or the answer that tells why not.
func setTurn(ctx context.Context, module *host.Module, state json.RawMessage, active *abi.ActiveTurn, more ...member) (next json.RawMessage, answer []byte, err error) {
	activeText, err := encode(active)
	if err != nil {
		return nil, nil, err
	}
	all := append([]member{{"state", state}, {"activeTurn", activeText}}, more...)
	answer, err = module.Call(ctx, abi.FunctionTurnSet, requestOf(all...))
	if err != nil {
		return nil, answer, err
	}
	var response abi.TurnSetResponse
	if err := json.Unmarshal(answer, &response); err != nil {
		return nil, nil, fmt.Errorf("the module's answer: %w", err)
	}
	return response.State, nil, nil
}

// activeTurn returns the active turn of a state that the module made, nil if
// there is none.
func activeTurn(state json.RawMessage) (*abi.ActiveTurn, error) {
	var s struct{ ActiveTurn *abi.ActiveTurn }
	if err := json.Unmarshal(state, &s); err != nil {
		return nil, fmt.Errorf("the module's state: %w", err)
	}
	return s.ActiveTurn, nil
}

// encode writes a value in JSON with the escapes that JSON asks for and no
// others, so that a raw message in it stays as it is.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// newID returns an id that nothing else has: a random UUID (RFC 9562, version
// 4).
func newID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // it never fails
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
