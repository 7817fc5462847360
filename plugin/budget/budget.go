// Package budget estimates tokens and cuts a value down to a number of them
// (the design, "Truncate").
package budget

import (
	"strconv"

	"github.com/turncontext/turncontext/plugin/json"
)

// MaxValueTokens is how many tokens a value may have.
const MaxValueTokens = 1000

// bytesPerToken is the estimate: a token is so many bytes of UTF-8.
const bytesPerToken = 4

// Tokens estimates how many tokens that many bytes of text are.
func Tokens(bytes int) int {
	return (bytes + bytesPerToken - 1) / bytesPerToken
}

// Cut says what is left of a value. The beginning and the end that remain are
// joined by a marker.
type Cut struct {
	Head    int // offset in the text at which the beginning ends
	Tail    int // offset in the text at which the end begins
	Kept    int // bytes of both, escapes resolved
	Removed int // tokens that the marker shows
}

// Middle cuts what is over maxTokens out of the middle of value, and reports
// whether there was anything to cut.
func Middle(text []byte, value json.String, maxTokens int) (Cut, bool) {
	length, limit := int(value.Len), maxTokens*bytesPerToken
	if length <= limit {
		return Cut{}, false
	}
	c := Cut{Removed: Tokens(length - limit)}
	var head, tail int
	c.Head, head = json.Head(text, value, limit/2)
	c.Tail, tail = json.Tail(text, value, limit-limit/2)
	c.Kept = head + tail
	return c, !c.restores(text, value)
}

// restores reports whether the marker is the very text that it replaces.
func (c Cut) restores(text []byte, value json.String) bool {
	var room [64]byte
	marker := c.AppendMarker(room[:0])
	if int(value.Len)-c.Kept != len(marker) {
		return false
	}
	gap := json.String{Start: int32(c.Head), End: int32(c.Tail), Form: value.Form}
	return string(gap.Bytes(text, nil)) == string(marker)
}

// AppendMarker appends what stands for the part that was cut.
func (c Cut) AppendMarker(dst []byte) []byte {
	dst = json.Append(dst, "…")
	dst = strconv.AppendInt(dst, int64(c.Removed), 10)
	return json.Append(dst, " tokens truncated…")
}

// Append appends what is left of value, as it stands in a JSON string of the
// output, and returns its length in bytes once escapes are resolved.
func (c Cut) Append(dst, text []byte, value json.String) ([]byte, int) {
	dst = json.AppendRaw(dst, text, value, int(value.Start), c.Head)
	before := len(dst)
	dst = c.AppendMarker(dst)
	length := c.Kept + len(dst) - before
	return json.AppendRaw(dst, text, value, c.Tail, int(value.End)), length
}
