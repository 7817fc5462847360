package turn

import (
	"runtime"
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
)

// tokenizers are the names that a policy's tokenizer may have.
var tokenizers = []string{"approx"}

// describe answers a request to describe, whatever it holds.
func (c *Core) describe(int) []byte {
	out := append(c.output[:0], `{"abi":{"name":`...)
	out = json.AppendQuoted(out, []byte(abi.Name))
	out = append(out, `,"version":`...)
	out = strconv.AppendInt(out, abi.Version, 10)
	out = append(out, `},"build":{"version":`...)
	out = json.AppendQuoted(out, []byte(abi.BuildVersion))
	out = append(out, `,"go":`...)
	out = json.AppendQuoted(out, []byte(runtime.Version()))
	out = append(out, `},"functions":`...)
	out = appendNames(out, abi.Functions())
	out = append(out, `,"limits":{"requestBytes":`...)
	out = strconv.AppendInt(out, abi.MaxRequestBytes, 10)
	out = append(out, `,"depth":`...)
	out = strconv.AppendInt(out, json.MaxDepth, 10)
	out = append(out, `,"textChars":`...)
	out = strconv.AppendInt(out, abi.MaxTextChars, 10)
	out = append(out, `},"tokenizers":`...)
	out = appendNames(out, tokenizers)
	c.output = append(out, '}')
	return c.output
}

// appendNames appends names as a JSON array.
func appendNames(dst []byte, names []string) []byte {
	dst = append(dst, '[')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = json.AppendQuoted(dst, []byte(name))
	}
	return append(dst, ']')
}
