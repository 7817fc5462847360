package store

import (
	"bytes"

	"github.com/turncontext/turncontext/plugin/fragment"
)

// borders tells which beginnings of a text are its ends too. It is asked for
// shorter and shorter ones. Few are compared; for more, all are found at once
// (the failure function of Knuth, Morris and Pratt), so that the cost is linear
// in the text.
type borders struct {
	text     []byte
	compared int
	found    bool
	failure  []int32 // of each beginning, the length of its longest border
	border   int     // of the text, the longest that was not yet passed
}

// reset sets the text.
func (b *borders) reset(text []byte) { b.text, b.compared, b.found = text, 0, false }

// has reports whether the first n bytes are the last n as well; n is less than
// the text's length, and than that of the call before.
func (b *borders) has(n int) bool {
	if b.compared += n; !b.found && b.compared <= len(b.text) {
		return bytes.Equal(b.text[:n], b.text[len(b.text)-n:])
	}
	if !b.found {
		b.find()
	}
	for b.border > n {
		b.border = int(b.failure[b.border-1])
	}
	return b.border == n
}

func (b *borders) find() {
	n := len(b.text)
	if cap(b.failure) < n {
		b.failure = make([]int32, n)
	}
	failure := b.failure[:n]
	fragment.Borders(b.text, failure)
	b.failure, b.found, b.border = failure, true, int(failure[n-1])
}
