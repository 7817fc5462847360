package turn

import (
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
)

// code returns the code that goes with the kind.
func code(kind abi.ErrorKind) int64 {
	switch kind {
	case abi.InvalidJSON:
		return abi.CodeInvalidJSON
	case abi.InvalidParams, abi.InputTooLarge, abi.RequestTooLarge, abi.Unsupported:
		return abi.CodeInvalidParams
	case abi.Internal:
		return abi.CodeInternal
	}
	return abi.CodeInvalidRequest
}

// refuse answers with the error object. data is JSON, nil for none.
func (c *Core) refuse(kind abi.ErrorKind, message string, data []byte) []byte {
	out := append(c.output[:0], `{"error":{"kind":"`...)
	out = append(out, kind...)
	out = append(out, `","code":`...)
	out = strconv.AppendInt(out, code(kind), 10)
	out = append(out, `,"message":`...)
	out = json.AppendQuoted(out, []byte(message))
	if data != nil {
		out = append(out, `,"data":`...)
		out = append(out, data...)
	}
	c.output = append(out, `}}`...)
	return c.output
}

// refuseSyntax answers that the request is not JSON.
func (c *Core) refuseSyntax(e *json.SyntaxError) []byte {
	message := e.Reason + " at byte " + strconv.Itoa(e.Offset)
	if e.Path != "" {
		message = e.Path + ": " + message
	}
	data := append([]byte(nil), `{"offset":`...)
	data = strconv.AppendInt(data, int64(e.Offset), 10)
	return c.refuse(abi.InvalidJSON, message, append(data, '}'))
}

// refuseViolation answers that the request is JSON, but a value in it is wrong.
func (c *Core) refuseViolation(v *json.Violation) []byte {
	if v.Path == "" {
		return c.refuse(abi.InvalidRequest, "the request: "+v.Reason, nil)
	}
	if v.Version {
		return c.refuse(abi.Unsupported, v.Path+": "+v.Reason, nil)
	}
	data := append([]byte(nil), `{"path":`...)
	data = json.AppendQuoted(data, []byte(v.Path))
	data = append(data, `,"offset":`...)
	data = strconv.AppendInt(data, int64(v.Offset), 10)
	return c.refuse(abi.InvalidParams, v.Path+": "+v.Reason, append(data, '}'))
}
