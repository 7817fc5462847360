package turn

import (
	"runtime"
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/budget"
)

// describe answers a request to describe, whatever it holds.
func (c *Core) describe(int) []byte {
	w := c.write(0)
	w.Text(`{"abi":{"name":"` + abi.Name + `","version":` + strconv.Itoa(abi.Version) +
		`},"build":{"version":"` + abi.BuildVersion + `","go":"` + runtime.Version() +
		`"},"functions":` + list(abi.Functions()) +
		`,"limits":{"requestBytes":` + strconv.Itoa(abi.MaxRequestBytes) + `,"depth":` + strconv.Itoa(abi.MaxDepth) +
		`,"textChars":` + strconv.Itoa(abi.MaxTextChars) + `},"tokenizers":` + list(budget.Tokenizers) + `}`)
	return w.Bytes()
}

// list writes names, which need no escapes, as a JSON array.
func list(names []string) string {
	text := `["` + names[0]
	for _, name := range names[1:] {
		text += `","` + name
	}
	return text + `"]`
}
