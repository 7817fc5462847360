// Package turn is the protocol: it takes a request apart, has the packages
// beside it do the work, and puts the answer together.
package turn

import (
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/store"
)

// minCapacity is the size of the first input buffer in bytes: large enough for
// most requests, so that a host reserves once.
const minCapacity = 64 << 10

// Core answers requests, one at a time. What it keeps between them is memory
// for the next one only. The zero value is ready to use.
type Core struct {
	input  []byte // the request, and Pad zero bytes behind it
	output json.Writer

	reader  json.Reader
	merge   store.Merge
	state   state
	request request
	history store.History
}

// Function is a function of the ABI: it answers the request in the first length
// bytes of the input buffer.
type Function func(c *Core, length int) []byte

// The functions of the ABI.
var (
	Classify  Function = (*Core).classify
	Describe  Function = (*Core).describe
	Guidance  Function = (*Core).guidance
	Merge     Function = (*Core).mergeMaps
	Reconcile Function = (*Core).reconcile
	TurnSet   Function = (*Core).turnSet
	TurnStart Function = (*Core).turnStart
	TurnSteer Function = (*Core).turnSteer
)

var functions = map[string]Function{
	abi.FunctionClassify:  Classify,
	abi.FunctionDescribe:  Describe,
	abi.FunctionGuidance:  Guidance,
	abi.FunctionMerge:     Merge,
	abi.FunctionReconcile: Reconcile,
	abi.FunctionTurnSet:   TurnSet,
	abi.FunctionTurnStart: TurnStart,
	abi.FunctionTurnSteer: TurnSteer,
}

// Reserve makes the input buffer at least size bytes large and returns it; what
// it held may be lost. For a size over abi.MaxRequestBytes it returns nil and
// leaves the buffer as it is.
func (c *Core) Reserve(size int) []byte {
	if size > abi.MaxRequestBytes {
		return nil
	}
	if c.input == nil || size > c.capacity() {
		c.input = nil // the collector may have it before the next is made
		c.input = make([]byte, max(size, minCapacity)+json.Pad)
	}
	return c.input[:c.capacity()]
}

// capacity returns how large a request fits into the input buffer.
func (c *Core) capacity() int { return max(len(c.input)-json.Pad, 0) }

// Answer answers the request in the first length bytes of the input buffer, and
// may change them. The answer stays valid until the next call. ok is false
// if the core itself failed; the answer says so.
func (c *Core) Answer(f Function, length int) (answer []byte, ok bool) {
	defer func() {
		if !ok {
			p := recover()
			*c = Core{} // whatever state it was in
			answer = c.refuse(abi.Internal, "the module failed: "+reason(p), "")
		}
	}()
	if length > abi.MaxRequestBytes {
		return c.refuse(abi.RequestTooLarge, "the request has more than "+strconv.Itoa(abi.MaxRequestBytes)+" bytes", ""), true
	}
	if length > c.capacity() {
		return c.refuse(abi.InvalidRequest, "the request is longer than the buffer reserved for it", ""), true
	}
	return f(c, length), true
}

// reason names what was given to panic.
func reason(p any) string {
	switch p := p.(type) {
	case error:
		return p.Error()
	case string:
		return p
	}
	return "panic"
}

// Call answers a request to the function of that name, for a caller that runs
// the core natively. The answer stays valid until the next call.
func (c *Core) Call(function string, request []byte) []byte {
	f, known := functions[function]
	if !known {
		return c.refuse(abi.InvalidRequest, "unknown function "+json.Excerpt([]byte(function)), "")
	}
	copy(c.Reserve(len(request)), request)
	answer, _ := c.Answer(f, len(request))
	return answer
}

// read has the reader begin with the request, and forgets the one before.
func (c *Core) read(length int) *json.Reader {
	c.state.reset()
	c.merge.Reset()
	c.request.reset()
	if c.input == nil {
		c.Reserve(length) // for an empty request
	}
	*(*[json.Pad]byte)(c.input[length:]) = [json.Pad]byte{} // quicker than clear
	c.reader.Reset(c.input, length)
	return &c.reader
}

// write has the writer begin with the answer, with room for so many bytes.
func (c *Core) write(room int) *json.Writer {
	c.output.Reset(room)
	return &c.output
}

// finish ends the reading of the request. It returns the refusal if anything
// was wrong with it.
func (c *Core) finish() []byte {
	if c.reader.IsClean() {
		return nil
	}
	return c.finishUnclean()
}

// finishUnclean does what finish does where something may be wrong.
func (c *Core) finishUnclean() []byte {
	syntax, violation := c.reader.Finish(c.request.policy.merge.Patch)
	switch {
	case syntax != nil:
		return c.refuseSyntax(syntax)
	case violation != nil:
		return c.refuseViolation(violation)
	}
	return nil
}
