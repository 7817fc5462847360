// Package budget estimates tokens and cuts a value down to a number of them
// (abi/README.md, "Cutting").
package budget

import (
	"github.com/turncontext/turncontext/plugin/json"
)

// DefaultTokens is how many tokens a value may have by default.
const DefaultTokens = 1000

// bytesPerToken is the estimate: a token is so many bytes of UTF-8.
const bytesPerToken = 4

// Tokens estimates how many tokens that many bytes of text are.
func Tokens(bytes int) int {
	return (bytes + bytesPerToken - 1) / bytesPerToken
}

// Truncation says which part of a value is kept.
type Truncation uint8

// The truncations of the policy.
const (
	Middle Truncation = iota // the beginning and the end are kept
	Head                     // the beginning is kept
	Tail                     // the end is kept
)

// split divides a budget in bytes between the beginning and the end.
func (t Truncation) split(limit int) (head, tail int) {
	switch t {
	case Head:
		return limit, 0
	case Tail:
		return 0, limit
	}
	return limit / 2, limit - limit/2
}

// Limit is the budget of a value.
type Limit struct {
	Tokens     int
	Truncation Truncation
	// Strict says that the marker and what Extra tells count as well.
	Strict bool
}

// MaxBytes bounds the length of what the limit leaves of a value, its marker
// not included.
func (l Limit) MaxBytes() int { return l.Tokens * bytesPerToken }

// Cut says what is left of a value: a beginning and an end, one of which may be
// empty, with a marker between them.
type Cut struct {
	Head    int32 // offset in the text at which the beginning ends
	Tail    int32 // offset in the text at which the end begins
	Kept    int32 // bytes of both, escapes of JSON resolved
	Removed int32 // tokens that are left out, as the marker shows them
	Extra   int32 // what Extra told of all that is kept, if the limit is strict

	unmarked bool // there is no room for a marker
}

// Cut cuts what is over the limit out of value, which is not Foreign, and
// reports whether there was anything to cut: then c says what is left. extra is
// for a strict limit, nil for none; for such, c.Extra is set in any case.
func (c *Cut) Cut(l *Limit, text []byte, value *json.String, extra Extra) bool {
	length, limit := int(value.Len), l.MaxBytes()
	if l.Strict {
		return c.cutStrictly(l.Truncation, text, value, limit, extra)
	}
	if length <= limit {
		return false
	}
	headLimit, tailLimit := l.Truncation.split(limit)
	head, headLength := json.Head(text, *value, headLimit)
	tail, tailLength := json.Tail(text, *value, tailLimit)
	c.set(head, tail, headLength+tailLength, Tokens(length-limit))
	return !c.restores(text, value)
}

func (c *Cut) set(head, tail, kept, removed int) {
	c.Head, c.Tail, c.Kept, c.Removed, c.unmarked = int32(head), int32(tail), int32(kept), int32(removed), false
}

// restores reports whether the marker is the very text that it replaces.
func (c *Cut) restores(text []byte, value *json.String) bool {
	if int(value.Len-c.Kept) != markerBytes(int(c.Removed)) {
		return false
	}
	var marker json.Writer
	c.WriteMarker(&marker)
	gap := json.String{Start: c.Head, End: c.Tail, Form: value.Form}
	return string(gap.Bytes(text, nil)) == string(marker.Bytes())
}

// The words around the number of a marker.
const (
	beforeNumber = "…"
	afterNumber  = " tokens truncated…"
)

// MaxMarker bounds the length of a marker.
const MaxMarker = len(beforeNumber) + len("2147483647") + len(afterNumber)

// WriteMarker writes what stands between the beginning and the end, and returns
// its length in bytes.
func (c *Cut) WriteMarker(w *json.Writer) int {
	if c.unmarked {
		return 0
	}
	var removed json.Digits
	w.Fill(marker, []string{removed.Of(c.Removed)})
	return markerBytes(int(c.Removed))
}

var marker = []string{beforeNumber, afterNumber}

// markerBytes is the length of a marker for so many tokens.
func markerBytes(removed int) int {
	n := len(beforeNumber) + len(afterNumber) + 1
	for ; removed >= 10; removed /= 10 {
		n++
	}
	return n
}
