package turn

import (
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
)

// code returns the code that goes with the kind.
func code(kind abi.ErrorKind) int {
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

// refuse answers with the error object. data is JSON, "" for none.
func (c *Core) refuse(kind abi.ErrorKind, message, data string) []byte {
	if data != "" {
		data = `,"data":` + data
	}
	w := c.write(0)
	w.Text(`{"error":{"kind":"`)
	w.Text(string(kind))
	w.Text(`","code":`)
	w.Int(code(kind))
	w.Text(`,"message":`)
	w.Quote([]byte(message))
	w.Text(data)
	w.Text(`}}`)
	return w.Bytes()
}

// quote writes s as a string of the output.
func quote(s string) string { return string(json.AppendQuoted(nil, []byte(s))) }

// refuseSyntax answers that the request is not JSON.
func (c *Core) refuseSyntax(e *json.SyntaxError) []byte {
	offset := strconv.Itoa(e.Offset)
	message := e.Reason + " at byte " + offset
	if e.Path != "" {
		message = e.Path + ": " + message
	}
	return c.refuse(abi.InvalidJSON, message, `{"offset":`+offset+`}`)
}

// refuseViolation answers that the request is JSON, but a value in it is wrong.
func (c *Core) refuseViolation(v *json.Violation) []byte {
	if v.Path == "" {
		return c.refuse(abi.InvalidRequest, "the request: "+v.Reason, "")
	}
	message := v.Path + ": " + v.Reason
	if v.Unsupported {
		return c.refuse(abi.Unsupported, message, "")
	}
	return c.refuse(abi.InvalidParams, message, `{"path":`+quote(v.Path)+`,"offset":`+strconv.Itoa(v.Offset)+`}`)
}
