package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/jsonobject"
)

// policyFlags are the policy of a command.
type policyFlags struct {
	Policy string `placeholder:"FILE" help:"Take the policy, an object in JSON, from FILE."`
	Safe   bool   `help:"Take the preset safe, as a policy with \"preset\": \"safe\" does."`
}

// policyHelp is the part of a help text that tells about policyFlags.
const policyHelp = `abi/README.md describes the policy. A field that the policy file and another flag both set is a mistake (exit code 2).`

// policy returns the policy that the flags ask for, with more fields; nil is
// the default.
func (f *policyFlags) policy(e *environment, fields ...member) (json.RawMessage, error) {
	if f.Safe {
		fields = append(fields, member{"preset", json.RawMessage(`"` + abi.PresetSafe + `"`)})
	}
	if f.Policy == "" {
		return withFields(nil, fields...), nil
	}
	text, err := e.readFile(f.Policy)
	if err != nil {
		return nil, err
	}
	if err := checkValue(f.Policy, "policy file", text); err != nil {
		return nil, err
	}
	for _, field := range fields {
		if hasField(text, field.name) {
			return nil, f.taken(field.name, "the command line sets")
		}
	}
	return withFields(text, fields...), nil
}

// taken is the error of a field that the file has, and something else sets.
func (f *policyFlags) taken(field, setter string) error {
	return usageError(fmt.Sprintf("the policy in %s has the field %s, which %s", f.Policy, field, setter))
}

// inFile adds the file with the policy to an error, if the policy is what the
// module refused.
func (f *policyFlags) inFile(err error) error { return inFile(err, "policy", f.Policy) }

// hasField tells whether a policy has a field. One that is no object has none.
func hasField(policy json.RawMessage, name string) bool {
	fields, _ := jsonobject.Members(policy)
	_, has := fields[name]
	return has
}

// withFields adds fields that it does not have to a policy; nil is the default.
// A policy that is no object, or has a name twice, stays as it is: the module
// tells what is wrong with it.
func withFields(policy json.RawMessage, fields ...member) json.RawMessage {
	if len(fields) == 0 {
		return policy
	}
	if text := bytes.TrimSpace(policy); len(text) == 0 || string(text) == "null" {
		return requestOf(fields...)
	}
	if _, err := jsonobject.Members(policy); err != nil {
		return policy
	}
	return addMembers(policy, fields...)
}

// withPolicy adds a policy to a request; nil is the default. A request that is
// no object, or has a name twice, stays as it is: the module tells what is wrong
// with it.
func withPolicy(request []byte, policy json.RawMessage) ([]byte, error) {
	if policy == nil || !json.Valid(request) {
		return request, nil
	}
	parts, err := jsonobject.Members(request)
	if err != nil {
		return request, nil
	}
	if _, has := parts["policy"]; has {
		return nil, usageError("the request has a policy, and so has the command line")
	}
	return addMembers(request, member{"policy", policy}), nil
}

// addMembers adds members to the end of an object, so that an offset in it
// stays what it was.
func addMembers(object []byte, more ...member) []byte {
	end := bytes.LastIndexByte(object, '}')
	before := bytes.TrimRight(object[:end], " \t\r\n")
	added := requestOf(more...)[1:]
	if !bytes.HasSuffix(before, []byte("{")) {
		added = append([]byte(","), added...)
	}
	return append(bytes.Clone(object[:end]), added...)
}

// A usageError says what is wrong with a command line, where that is found only
// when a file or the input has been read.
type usageError string

// Error returns what is wrong.
func (e usageError) Error() string { return string(e) }
