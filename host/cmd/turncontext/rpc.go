package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/jsonobject"
)

// codeMethodNotFound is JSON-RPC's; the other codes are the ABI's.
const codeMethodNotFound = -32601

// maxLine is how long a line may be in bytes: the largest request, and the
// message around it.
const maxLine = abi.MaxRequestBytes + 1<<20

// rpcError is an error as an answer has it.
type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns the message.
func (e *rpcError) Error() string { return e.Message }

func invalidRequest(format string, args ...any) *rpcError {
	return &rpcError{Code: abi.CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

func invalidParams(path, problem string) *rpcError {
	data, err := encode(struct {
		Path string `json:"path"`
	}{path})
	if err != nil {
		data = nil
	}
	return &rpcError{abi.CodeInvalidParams, path + ": " + problem, data}
}

// asRPC returns what an answer tells of an error. What the module refused goes
// to the client as the module has it.
func asRPC(err error) *rpcError {
	if own, ok := errors.AsType[*rpcError](err); ok {
		return own
	}
	if refused, ok := errors.AsType[*abi.Error](err); ok && refused.Kind != abi.Internal {
		return &rpcError{refused.Code, refused.Message, refused.Data}
	}
	return &rpcError{Code: abi.CodeInternal, Message: err.Error()}
}

// response answers a request.
type response struct {
	Version string          `json:"jsonrpc,omitempty"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// notification is a message of the server's own.
type notification struct {
	Version string `json:"jsonrpc,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// message is what a client sent in one line.
type message struct {
	version bool            // it has the member jsonrpc
	id      json.RawMessage // as it was sent; nil for a notification
	method  string
	params  json.RawMessage // nil if absent
}

// null is the id of an answer to what has none that can be told.
var null = json.RawMessage("null")

// parseMessage reads a line. With an error, the message has the id to answer
// with.
func parseMessage(line []byte) (message, error) {
	m := message{id: null}
	if !json.Valid(line) || !utf8.Valid(line) {
		return m, &rpcError{Code: abi.CodeInvalidJSON, Message: "the line is not JSON"}
	}
	parts, err := jsonobject.Members(line)
	if err != nil {
		return m, invalidRequest("the message %v", err)
	}
	id, hasID := parts["id"]
	if hasID && id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		return m, invalidRequest("the id is neither a string nor a number")
	}
	if hasID {
		m.id = id
	}
	version, hasVersion := parts["jsonrpc"]
	if hasVersion && string(version) != `"2.0"` {
		return m, invalidRequest(`jsonrpc is not "2.0"`)
	}
	m.version = hasVersion
	method := parts["method"]
	if method == nil || method[0] != '"' {
		return m, invalidRequest("the message has no method")
	}
	if err := json.Unmarshal(method, &m.method); err != nil {
		return m, invalidRequest("the method: %v", err)
	}
	if !hasID {
		m.id = nil
	}
	m.params = parts["params"]
	return m, nil
}

// stringMember returns a member that has to be a string, or an answer.
func stringMember(parts map[string]json.RawMessage, name string) (string, error) {
	value, ok := parts[name]
	if !ok {
		return "", invalidParams(name, "missing")
	}
	var text *string
	if err := json.Unmarshal(value, &text); err != nil || text == nil {
		return "", invalidParams(name, "expected a string")
	}
	if loneSurrogate(value) {
		return "", &rpcError{Code: abi.CodeInvalidJSON, Message: name + ": a surrogate stands alone"}
	}
	return *text, nil
}

// loneSurrogate tells whether JSON has an escape for one half of a surrogate
// pair alone. Go reads it as U+FFFD; the module takes no such string.
func loneSurrogate(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch first, second := escapedUnit(text[i:]), escapedUnit(text[min(i+6, len(text)):]); {
		case utf16.IsSurrogate(first) && utf16.DecodeRune(first, second) == unicode.ReplacementChar:
			return true
		case utf16.IsSurrogate(first):
			i += 11
		default:
			i++ // what is escaped may be another backslash
		}
	}
	return false
}

// escapedUnit returns the code unit of a \u escape at the beginning of text, -1
// where there is none.
func escapedUnit(text []byte) rune {
	if len(text) < 6 || !bytes.HasPrefix(text, []byte(`\u`)) {
		return -1
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}

// errLineTooLong says that a line was left out.
var errLineTooLong = errors.New("the line is too long")

// A line is one line of the input, or why there is none.
type line struct {
	text []byte
	err  error // errLineTooLong, after which there are more; or the last
}

// readLines reads lines until the input ends or done is closed.
func readLines(from io.Reader, done <-chan struct{}) <-chan line {
	lines := make(chan line)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(from, 1<<16)
		for {
			text, err := readLine(r, maxLine)
			select {
			case lines <- line{text, err}:
			case <-done:
				return
			}
			if err != nil && !errors.Is(err, errLineTooLong) {
				return
			}
		}
	}()
	return lines
}

// readLine reads a line of at most limit bytes, without its end. Of a longer
// one it keeps nothing. The last line need not have an end; after it the error
// is io.EOF.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var text []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		part, ended := bytes.CutSuffix(part, []byte("\n"))
		if len(text)+len(part) > limit {
			tooLong, text = true, nil
		}
		if !tooLong {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(text) == 0 && !tooLong):
			return nil, err
		case tooLong:
			return nil, errLineTooLong
		case ended || err != nil:
			return text, nil
		}
	}
}
