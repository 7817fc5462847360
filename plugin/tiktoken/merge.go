package tiktoken

import "slices"

// A chain is the tokens of a piece up to some byte, each compatible with the
// next. There is one chain only for each beginning of a piece, and it is what
// byte pair encoding makes of that beginning: were two neighbours to be merged,
// some merge would have crossed a seam first, and compatible looks for that.
//
// So a piece is encoded from its start to its end. The longest token is tried
// first, and where none leads on, the last one is taken back. No byte is gone on
// from twice, which bounds the work by the length of the piece.
type chain struct {
	size    []uint8  // of the tokens
	dead    []uint64 // a bit for each byte at which no token of the piece begins; all 0 between pieces
	matches matches
}

// count returns how many tokens a piece has.
func (e *Encoding) count(piece []byte) int {
	n, _ := e.encode(piece, len(piece))
	return n
}

// encode encodes a piece until it has that many tokens, and returns how many it
// has then, and of how many bytes. That is the encoding of those bytes alone too.
func (e *Encoding) encode(piece []byte, limit int) (tokens, end int) {
	c := &e.chain
	m := &c.matches
	c.size = c.size[:0]
	e.match(piece, m)
	if longest := int(e.size[m.token[m.count-1]]); longest == len(piece) && limit > 0 {
		c.size = append(c.size, uint8(longest))
		return 1, longest
	}
	return e.link(piece, limit)
}

const none = 1<<32 - 1

// link does what encode does, once the matches of the piece's start are found.
func (e *Encoding) link(piece []byte, limit int) (tokens, end int) {
	c := &e.chain
	m := &c.matches
	last := uint32(none)
	marked := 0 // how far dead has bits
	at := 0
	for at < len(piece) && len(c.size) < limit {
		next := uint32(none)
		for m.count > 0 {
			m.count--
			token := m.token[m.count]
			to := at + int(e.size[token])
			if to < marked && c.dead[to>>6]>>(to&63)&1 != 0 {
				continue
			}
			if last == none || e.compatible(last, token) {
				next = token
				break
			}
		}
		if next != none {
			c.size = append(c.size, e.size[next])
			at += int(e.size[next])
			last = next
			if at < len(piece) {
				e.candidates(piece[at:], last)
			}
			continue
		}

		// Nothing leads on from here: try what comes after the last token.
		for at>>6 >= len(c.dead) {
			c.dead = append(c.dead, 0)
		}
		c.dead[at>>6] |= 1 << (at & 63)
		marked = max(marked, at+1)
		tried := last
		c.size = c.size[:len(c.size)-1]
		at -= int(e.size[tried])
		last = none
		if n := len(c.size); n > 0 {
			e.match(piece[at-int(c.size[n-1]):at], m)
			last = m.token[m.count-1]
		}
		e.candidates(piece[at:], last)
		m.count = slices.Index(m.token[:m.count], tried)
	}
	clear(c.dead[:(marked+63)>>6])
	return len(c.size), at
}

// manyMatches is how many there are in a run of one character only.
const manyMatches = 8

// candidates finds the tokens that the text begins with, the one to be tried
// first last: that is the longest, but in a run of one character the token
// before, because it is all the same token but for its end.
func (e *Encoding) candidates(text []byte, before uint32) {
	m := &e.chain.matches
	e.match(text, m)
	if m.count <= manyMatches {
		return
	}
	tokens := m.token[:m.count]
	if i := slices.Index(tokens, before); i >= 0 {
		copy(tokens[i:], tokens[i+1:])
		tokens[len(tokens)-1] = before
	}
}
