package store

import "bytes"

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
	if b.compared += n; !b.found && b.compared <= 4*len(b.text) {
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
	b.failure = append(b.failure[:0], 0)
	k := int32(0)
	for i := 1; i < len(b.text); i++ {
		for k > 0 && b.text[i] != b.text[k] {
			k = b.failure[k-1]
		}
		if b.text[i] == b.text[k] {
			k++
		}
		b.failure = append(b.failure, k)
	}
	b.found, b.border = true, int(k)
}
