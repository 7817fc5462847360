package tiktoken

// Cutting looks for the longest beginning or end whose tokens, together with a
// marker's, are within a budget when all of it is counted in one piece. Pieces
// that lie before the last one of a beginning do not depend on what follows, so
// the search counts from the start until the budget is spent, and then tries
// the characters of the last pieces only. An end is sought from the right place
// on, which is estimated.

const (
	longest = 128     // bytes that a token has at most
	reach   = longest // how far from where the tokens are spent a cut is looked for
	work    = 1 << 16 // bytes counted in looking for a cut, about, if pieces are long
)

// Head returns the length of the longest beginning of text that has at most
// budget tokens with the marker behind it, counted in one piece. It is false if
// not even the marker has so few. The cost follows the budget, not the text.
func (e *Encoding) Head(text, marker []byte, budget int) (length int, ok bool) {
	c, ok := e.head(text, marker, budget)
	return c.at, ok
}

// Tail returns where the longest end of text begins that has at most budget
// tokens with the marker before it, counted in one piece. It is false if not
// even the marker has so few. The cost follows the budget, not the text.
func (e *Encoding) Tail(text, marker []byte, budget int) (start int, ok bool) {
	if !e.Fits(marker, budget) {
		return len(text), false
	}
	return e.tail(text, marker, budget), true
}

// Middle returns the length of a beginning of text and the start of an end, such
// that beginning, marker and end have at most budget tokens, counted in one
// piece. The beginning is the longest with half of what the marker leaves, the
// end has the rest. It is false if not even the marker has so few.
func (e *Encoding) Middle(text, marker []byte, budget int) (head, tail int, ok bool) {
	own := e.Count(marker)
	if own > budget {
		return 0, len(text), false
	}
	c, ok := e.head(text, marker, own+(budget-own)/2)
	if !ok {
		return 0, len(text), false
	}
	head = c.at
	rest := text[head:]
	if len(marker) == 0 {
		// The end has no more than its share by itself either.
		tail = e.tail(rest, nil, budget-c.tokens-e.Count(text[c.start:head]))
		rest = rest[tail:]
	}
	e.seam = append(append(e.seam[:0], text[c.start:head]...), marker...)
	return head, head + tail + e.tail(rest, e.seam, budget-c.tokens), true
}

// Fits reports whether the text has at most that many tokens. It stops counting
// once it has more.
func (e *Encoding) Fits(text []byte, budget int) bool {
	return len(text) <= budget || e.countTo(text, budget) <= budget
}

// countTo returns how many tokens the text has, or something above the limit if
// it has more.
func (e *Encoding) countTo(text []byte, limit int) int {
	n := 0
	for i := 0; i < len(text) && n <= limit; {
		end := e.split(text, i)
		n += e.countPiece(text[i:end], limit-n)
		i = end
	}
	return n
}

// countPiece does what countTo does for a piece.
func (e *Encoding) countPiece(piece []byte, limit int) int {
	n, _ := e.encode(piece, limit+1)
	return n
}

// A unit is a piece of a text.
type unit struct {
	start, end int
	tokens     int // before it
}

// A cut is where a beginning ends.
type cut struct {
	at     int
	start  int // of a piece of the beginning, from which on its end was counted
	tokens int // before start
}

// head does what Head does.
func (e *Encoding) head(text, marker []byte, budget int) (cut, bool) {
	own := e.Count(marker)
	if own > budget {
		return cut{}, false
	}
	// The least that the marker adds: what is behind its first piece.
	least := own
	if len(marker) > 0 {
		least -= e.count(marker[:e.split(marker, 0)])
	}
	if budget < len(text)/longest {
		text = text[:boundary(text, (budget+1)*longest)]
	}
	for {
		var last [8]unit
		n, tokens := 0, 0
		for i := 0; i < len(text) && tokens+1+least <= budget; n++ {
			end := e.split(text, i)
			last[n%len(last)] = unit{i, end, tokens}
			tokens += e.countPiece(text[i:end], budget-tokens)
			i = end
		}
		for k := n - 1; k >= 0 && k > n-len(last); k-- {
			before := unit{}
			if k > 0 {
				before = last[(k-1)%len(last)]
			}
			if c, ok := e.headIn(text, last[k%len(last)], before, marker, least, budget); ok {
				return c, true
			}
		}
		if n < len(last) {
			return cut{}, true
		}
		text = text[:last[n%len(last)].end] // the oldest
	}
}

// headIn looks for the longest beginning that ends in the unit.
func (e *Encoding) headIn(text []byte, u, before unit, marker []byte, least, budget int) (cut, bool) {
	at := cut{start: u.start, tokens: u.tokens}
	if class, _ := char(text, u.start); class&spaces != 0 {
		// Cut within white space, it may be one piece with that before it, or
		// with one character more.
		u.end = max(u.end, run(text, u.start, spaces))
		if before.end == u.start && run(text[:u.start], before.start, spaces) == u.start {
			at = cut{start: before.start, tokens: before.tokens}
		}
	}

	room := budget - u.tokens - least
	_, length := e.encode(text[u.start:u.end], max(room, 0))
	spent := u.start + length
	high := boundary(text, min(u.end, spent+min(reach, work/(1+spent-at.start))))

	e.scratch = append(append(e.scratch[:0], text[at.start:high]...), marker...)
	for at.at = high; at.at > u.start; at.at = previous(text, at.at) {
		n := at.at - at.start
		copy(e.scratch[n:], marker)
		if e.Fits(e.scratch[:n+len(marker)], budget-at.tokens) {
			return at, true
		}
	}
	return cut{}, false
}

// boundary returns the last boundary of characters in text that is not after i.
func boundary(text []byte, i int) int {
	if i >= len(text) {
		return len(text)
	}
	for i > 0 && text[i]&0xC0 == 0x80 {
		i--
	}
	return i
}

// tail does what Tail does, if the marker fits.
func (e *Encoding) tail(text, marker []byte, budget int) int {
	// The least that the marker adds: what is before its last piece.
	least := 0
	for i := 0; i < len(marker); {
		end := e.split(marker, i)
		if end < len(marker) {
			least += e.count(marker[i:end])
		}
		i = end
	}

	from, total := e.tailFrom(text, budget)
	after := total
	for i := from; i < len(text); {
		end := e.split(text, i)
		after -= e.count(text[i:end])
		// From within a piece on, what follows may be split in another way, with
		// a token less.
		if after+least <= budget+1 {
			if at, ok := e.tailIn(text, unit{i, end, after}, marker, least, budget); ok {
				return at
			}
		}
		i = end
	}
	return len(text)
}

// tailFrom returns an offset from which on there are certainly more tokens than
// the budget, or 0, and how many there are.
func (e *Encoding) tailFrom(text []byte, budget int) (from, tokens int) {
	for size := 6*budget + 64; ; size *= 2 {
		from = 0
		if size < len(text) {
			from = boundary(text, len(text)-size)
		}
		tokens = e.Count(text[from:])
		if from == 0 || tokens > budget+8 {
			return from, tokens
		}
	}
}

// tailIn looks for the longest end that begins in the unit, behind which there
// are u.tokens.
func (e *Encoding) tailIn(text []byte, u unit, marker []byte, least, budget int) (int, bool) {
	// The last tokens of the unit that there is room for.
	e.encode(text[u.start:u.end], u.end-u.start)
	spent := u.end
	sizes := e.chain.size
	for room := budget - least - u.tokens; room > 0 && len(sizes) > 0; room-- {
		spent -= int(sizes[len(sizes)-1])
		sizes = sizes[:len(sizes)-1]
	}
	low := max(u.start, spent-min(reach, work/(1+len(marker)+u.end-spent)))
	for low < u.end && text[low]&0xC0 == 0x80 {
		low++
	}
	for at := low; at < u.end; at = next(text, at) {
		if e.tailFits(text, at, u, marker, budget) {
			return at, true
		}
	}
	return 0, false
}

// next returns where the character after the one at i begins.
func next(text []byte, i int) int {
	_, size := char(text, i)
	return i + size
}

// tailFits reports whether the marker and the text from at on, in the unit, have
// at most budget tokens. It counts up to where the pieces are those that were
// counted before.
func (e *Encoding) tailFits(text []byte, at int, u unit, marker []byte, budget int) bool {
	tokens, to := e.seamTokens(text, at, u.end, marker)
	known, left := u.end, u.tokens
	for to != known && tokens <= budget {
		if known < to {
			end := e.split(text, known)
			left -= e.count(text[known:end])
			known = end
			continue
		}
		end := e.split(text, to)
		tokens += e.countPiece(text[to:end], budget-tokens)
		to = end
	}
	return tokens+left <= budget
}

// seamTokens counts the pieces of the marker followed by the text from at on, up
// to the first that ends in the text, and returns where that is.
func (e *Encoding) seamTokens(text []byte, at, end int, marker []byte) (tokens, to int) {
	if len(marker) == 0 {
		return 0, at
	}
	for size := end - at + 64; ; size *= 4 {
		whole := at+size >= len(text)
		cut := len(text)
		if !whole {
			cut = run(text, boundary(text, at+size), spaces) // all of a run, or none
		}
		e.scratch = append(append(e.scratch[:0], marker...), text[at:cut]...)
		tokens = 0
		for i := 0; ; {
			end := e.split(e.scratch, i)
			if end == len(e.scratch) && !whole {
				break // it may be longer
			}
			tokens += e.count(e.scratch[i:end])
			if end > len(marker) || end == len(e.scratch) {
				return tokens, at + end - len(marker)
			}
			i = end
		}
	}
}
