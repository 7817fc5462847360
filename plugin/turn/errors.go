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
	w := c.beginRefusal(kind, 0)
	w.EscapeText(message)
	w.Text(`"`)
	if data != "" {
		w.Text(`,"data":`)
		w.Text(data)
	}
	w.Text(`}}`)
	return w.Bytes()
}

// beginRefusal writes the error object up to its message, with room for so many bytes.
func (c *Core) beginRefusal(kind abi.ErrorKind, room int) *json.Writer {
	w := c.write(room)
	w.Text(`{"error":{"kind":"`)
	w.Text(string(kind))
	w.Text(`","code":`)
	w.Int(code(kind))
	w.Text(`,"message":"`)
	return w
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
	// The path may be long: it is escaped once, each byte as two at most.
	w := c.beginRefusal(abi.InvalidParams, maxFrame+4*len(v.Path))
	start := w.Len()
	w.EscapeText(v.Path)
	path := w.Bytes()[start:]
	w.EscapeText(": " + v.Reason)
	w.Text(`","data":{"path":"`)
	w.Raw(path)
	w.Text(`","offset":`)
	w.Int(v.Offset)
	w.Text(`}}}`)
	return w.Bytes()
}
