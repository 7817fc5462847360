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
	return c.refuseAt(kind, "", message, data)
}

// refusal is the error object up to its message.
var refusal = []string{`{"error":{"kind":"`, `","code":`, `,"message":"`}

// refuseAt does the same for what is wrong at a path, if that is not empty. The message
// begins with it, and the data, of which data is the rest. It may be long, and is escaped
// once: each byte as two at most.
func (c *Core) refuseAt(kind abi.ErrorKind, path, message, data string) []byte {
	w := c.write(maxFrame + 4*len(path))
	w.Fill(refusal, []string{string(kind), strconv.Itoa(code(kind))})
	start := w.Len()
	w.EscapeText(path)
	end := w.Len()
	w.EscapeText(message)
	w.Text(`"`)
	if data != "" {
		w.Text(`,"data":`)
	}
	if path != "" {
		w.Text(`{"path":"`)
		w.Raw(w.Bytes()[start:end])
	}
	w.Text(data)
	w.Text(`}}`)
	return w.Bytes()
}

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
	switch {
	case v.Path == "":
		return c.refuse(abi.InvalidRequest, "the request: "+v.Reason, "")
	case v.Unsupported:
		return c.refuse(abi.Unsupported, v.Path+": "+v.Reason, "")
	}
	return c.refuseAt(abi.InvalidParams, v.Path, ": "+v.Reason, `","offset":`+strconv.Itoa(v.Offset)+`}`)
}
