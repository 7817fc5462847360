package tiktoken

import "slices"

// A cut is looked for near the place at which the tokens of the budget are
// spent. What is kept is counted anew there for one character after the other,
// from the last piece that the cut can change, because more characters may well
// be fewer tokens: the first that fits, coming from too many, is the cut. Long
// pieces are expensive to count anew, and a few bytes of them matter less: they
// are cut between tokens, and searched with a coarser step, if at all.

const (
	longest    = 128     // bytes that a token has at most
	reach      = longest // how far from the place a cut is looked for, in bytes
	fewTokens  = 12      // kept of a piece with so few, every character counts
	manyTokens = 100     // with so many,
	manyBytes  = 1024    // in so many bytes, it is enough to cut between tokens
	slack      = 4       // tokens by which one character more or less changes a count, generously
)

// exactBytes is up to how many bytes Total counts all, and sampleCount and
// sampleBytes how many samples it takes of a longer text, and of which size.
const (
	exactBytes  = 64 << 10
	sampleCount = 16
	sampleBytes = 2 << 10
)

// Total returns how many tokens the text has, and whether that is exact. It is
// for a text of at most 64 KiB. For a longer one it is an estimate, from 32 KiB
// of the text in samples spread evenly.
func (e *Encoding) Total(text []byte) (tokens int, exact bool) {
	if len(text) <= exactBytes {
		return e.Count(text), true
	}
	counted := 0
	for n := range sampleCount {
		from := boundary(text, (len(text)-sampleBytes)/(sampleCount-1)*n)
		to := boundary(text, from+sampleBytes)
		tokens += e.Count(text[from:to])
		counted += to - from
	}
	return int(int64(tokens) * int64(len(text)) / int64(counted)), false
}

// Fits reports whether the text has at most that many tokens. The cost follows
// the smaller of the two.
func (e *Encoding) Fits(text []byte, budget int) bool {
	return len(text) <= budget || e.countTo(text, budget) <= budget
}

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
// piece. The beginning is the longest with half of what the marker leaves, and
// the end has the rest. It is false if not even the marker has so few. The cost
// follows the budget, not the text.
func (e *Encoding) Middle(text, marker []byte, budget int) (head, tail int, ok bool) {
	own := e.countTo(marker, budget)
	if own > budget {
		return 0, len(text), false
	}
	c, _ := e.head(text, marker, own+(budget-own)/2)
	head = c.at
	if len(marker) == 0 {
		// Apart, beginning and end keep to the budget too.
		tail = e.tail(text[head:], nil, budget-c.tokens-e.Count(text[c.start:head]))
	}
	tail += head
	e.seam = append(append(e.seam[:0], text[c.start:head]...), marker...)
	return head, tail + e.tail(text[tail:], e.seam, budget-c.tokens), true
}

// A unit is a piece of a text, and how many tokens there are on its other side:
// before it where a beginning is cut, behind it where an end is.
type unit struct {
	start, end int
	tokens     int
}

// A base is the start of a piece such that what is before it does not depend on
// what follows the piece's first character, and how many tokens are before it.
// Any piece is one, but for white space that goes on, for what may turn out to be
// a contraction, and for a capital that may turn out to belong to the caseless
// letter before it.
type base struct {
	start, tokens int
	space         bool // the piece is white space
}

// next moves the base to the next piece, if that is one.
func (b *base) next(text []byte, u unit) {
	class, size := char(text, u.start)
	space := class&spaces != 0
	if !(space && b.space || text[u.start] == '\'' || class == upper && caseless(text, u.start)) {
		b.start, b.tokens = u.start, u.tokens
	}
	// White space before something else is one character of a piece.
	if second := u.start + size; space && second < u.end {
		class, _ = char(text, second)
		space = class&spaces != 0
	}
	b.space = space
}

// caseless reports whether the character before i is a letter without case or a
// mark.
func caseless(text []byte, i int) bool {
	if i == 0 {
		return false
	}
	class, _ := char(text, previous(text, i))
	return class&(letter|mark) != 0
}

// A cut is where a beginning ends, and from where on it was counted.
type cut struct {
	base
	at int
}

// A frame is what is kept with a cut text, and how many tokens there may be of
// both. Wherever the cut is, the marker has at least that many, all but those of
// the piece that touches the text.
type frame struct {
	marker     []byte
	own, least int
	budget     int
}

// head does what Head does.
func (e *Encoding) head(text, marker []byte, budget int) (cut, bool) {
	f := frame{marker: marker, own: e.countTo(marker, budget), budget: budget}
	if f.own > budget {
		return cut{}, false
	}
	if len(marker) > 0 {
		f.least = f.own - e.count(marker[:e.split(marker, 0)])
	}
	for size := 8*budget + 4*reach; ; {
		part := text[:boundary(text, size)]
		more := len(part) < len(text)
		c, tokens, spent := e.headOf(part, f, more)
		if spent || !more {
			return c, true
		}
		size = extrapolate(size, tokens, budget)
	}
}

// extrapolate returns how many bytes probably have the budget's tokens and some
// more, if so many had too few.
func extrapolate(size, tokens, budget int) int {
	return max(2*size, size/(tokens+1)*(budget+budget/8))
}

// headOf looks for the longest beginning in all of the text, and returns how many
// tokens it counted. If the text goes on, and the budget is not spent before its
// end, it does not look.
func (e *Encoding) headOf(text []byte, f frame, more bool) (c cut, tokens int, spent bool) {
	type located struct {
		unit
		base
	}
	var room [16]located
	last := room[:0] // units
	var from base
	i := 0
	for i < len(text) && tokens+f.least < f.budget {
		u := unit{i, e.split(text, i), tokens}
		from.next(text, u)
		if len(last) == len(room) {
			last = last[:copy(last, last[len(last)/2:])]
		}
		last = append(last, located{u, from})
		tokens += e.countPiece(text[u.start:u.end], f.budget-tokens)
		i = u.end
	}
	if spent = i < len(text) || tokens > f.budget+2*slack; !spent && more {
		return cut{}, tokens, false
	}
	for _, l := range slices.Backward(last) {
		if c, ok := e.headIn(text, l.unit, l.base, f); ok {
			return c, tokens, spent
		}
	}
	if len(last) > 0 && last[0].unit.start > 0 {
		c, _, _ = e.headOf(text[:last[0].unit.start], f, false)
	}
	return c, tokens, spent
}

// headIn looks for the longest beginning that ends in the unit, which is counted
// from the base.
func (e *Encoding) headIn(text []byte, u unit, from base, f frame) (cut, bool) {
	c := cut{base: from}
	if from.space {
		u.end = run(text, u.end, spaces) // one that ends the text is not split
	}
	room := f.budget - u.tokens
	_, length := e.encode(text[u.start:u.end], room-f.least)
	best, ok := cut{at: u.start}, false
	if room >= fewTokens {
		best, ok = e.headBetween(text, u, c, f, room-f.own)
		if length > manyBytes && room > manyTokens {
			return best, ok
		}
	}
	step := stepIn(length, room)
	for at := min(u.end, u.start+length+reach); ; {
		c.at = boundary(text, at)
		if c.at <= best.at {
			return best, ok
		}
		over := e.headOver(text, c, f)
		if over <= 0 {
			return c, true
		}
		at = c.at - max(step, over-slack)
	}
}

// stepIn returns by how many bytes a search goes on where there is room for so
// many tokens, of so many bytes: an eighth of a token, if there are some.
func stepIn(length, room int) int {
	if room < fewTokens {
		return 1
	}
	return max(1, length/room/8)
}

// headBetween does what headIn does where there is room for tokens of a long
// piece, which was encoded last. It tries only where tokens end.
func (e *Encoding) headBetween(text []byte, u unit, c cut, f frame, room int) (cut, bool) {
	for room > 0 {
		sizes := e.chain.size
		c.at = boundary(text, u.start+sum(sizes[:min(room, len(sizes))]))
		over := e.headOver(text, c, f)
		if over <= 0 && c.at > u.start {
			return c, true
		}
		room -= max(1, over)
		e.encode(text[u.start:u.end], room)
	}
	return cut{at: u.start}, false
}

// headOver returns by how many tokens the beginning and the marker are over the
// budget.
func (e *Encoding) headOver(text []byte, c cut, f frame) int {
	e.scratch = append(append(e.scratch[:0], text[c.start:c.at]...), f.marker...)
	return c.tokens + e.Count(e.scratch) - f.budget
}

// tail does what Tail does, if the marker fits.
func (e *Encoding) tail(text, marker []byte, budget int) int {
	last := e.lastBase(marker)
	f := frame{marker: marker[last.start:], budget: budget - last.tokens}
	f.own = e.Count(f.marker)

	from, after := e.tailFrom(text, f.budget)
	for i := from; i < len(text); {
		end := e.split(text, i)
		after -= e.count(text[i:end])
		// From within a piece on, the next pieces may be others, with a little
		// fewer tokens.
		if after <= f.budget+slack {
			if at, ok := e.tailIn(text, unit{i, end, after}, f); ok {
				return at
			}
		}
		i = end
	}
	return len(text)
}

// lastBase returns the last base in a text.
func (e *Encoding) lastBase(text []byte) base {
	var last base
	tokens := 0
	for i := 0; i < len(text); {
		u := unit{i, e.split(text, i), tokens}
		last.next(text, u)
		tokens += e.count(text[u.start:u.end])
		i = u.end
	}
	return last
}

// tailFrom returns an offset from which on there are more tokens than the
// budget, or 0, and how many there are.
func (e *Encoding) tailFrom(text []byte, budget int) (from, tokens int) {
	for size := 6*budget + 64; ; {
		from = boundary(text, len(text)-size)
		tokens = e.Count(text[from:])
		if from == 0 || tokens > budget+2*slack {
			return from, tokens
		}
		size = extrapolate(size, tokens, budget)
	}
}

// tailIn looks for the longest end that begins in the unit, whose piece was
// encoded last.
func (e *Encoding) tailIn(text []byte, u unit, f frame) (int, bool) {
	sizes := e.chain.size
	room := min(max(f.budget-u.tokens, 0), len(sizes))
	length := sum(sizes[len(sizes)-room:])
	best, ok := u.end, false
	if room >= fewTokens {
		best, ok = e.tailBetween(text, u, f, min(f.budget-u.tokens-f.own, len(sizes)))
		if length > manyBytes && room > manyTokens {
			return best, ok
		}
	}
	step := stepIn(length, room)
	for at := max(u.start, u.end-length-reach); ; {
		at = start(text, at)
		if at >= best {
			return best, ok
		}
		over := e.tailOver(text, at, u, f)
		if over <= 0 {
			return at, true
		}
		at += max(step, over-slack)
	}
}

// tailBetween does what tailIn does where there is room for tokens of a long
// piece, which was encoded last. It tries only where tokens begin, and where as
// long a beginning of the piece has as many tokens: in a run of one character,
// ends are as beginnings.
func (e *Encoding) tailBetween(text []byte, u unit, f frame, room int) (int, bool) {
	for room > 0 {
		sizes := e.chain.size
		alike, spent := u.end-sum(sizes[:room]), u.end-sum(sizes[len(sizes)-room:])
		over := 0
		for _, at := range [2]int{min(alike, spent), max(alike, spent)} {
			at = start(text, at)
			if over = e.tailOver(text, at, u, f); over <= 0 && at < u.end {
				return at, true
			}
		}
		room -= max(1, over)
		e.encode(text[u.start:u.end], u.end-u.start)
	}
	return u.end, false
}

func sum(sizes []uint8) (n int) {
	for _, size := range sizes {
		n += int(size)
	}
	return n
}

// tailOver returns by how many tokens the marker and the text from at on, in the
// unit, are over the budget. It counts up to where the pieces are those that
// were counted before.
func (e *Encoding) tailOver(text []byte, at int, u unit, f frame) int {
	tokens, to := e.seamTokens(text, at, u.end, f.marker)
	known, left := u.end, u.tokens
	for to != known {
		if known < to {
			end := e.split(text, known)
			left -= e.count(text[known:end])
			known = end
			continue
		}
		end := e.split(text, to)
		tokens += e.count(text[to:end])
		to = end
	}
	return tokens + left - f.budget
}

// seamTokens counts the pieces of the marker followed by the text from at on, up
// to the first that ends in the text, and returns where that is.
func (e *Encoding) seamTokens(text []byte, at, end int, marker []byte) (tokens, to int) {
	if len(marker) == 0 {
		return 0, at
	}
	for size := end - at + 64; ; size *= 4 {
		// White space is all there or not at all: its last newline matters.
		end := run(text, boundary(text, at+size), spaces)
		e.scratch = append(append(e.scratch[:0], marker...), text[at:end]...)
		tokens, to = e.countPast(e.scratch, len(marker))
		if to < len(e.scratch) || end == len(text) {
			return tokens, at + to - len(marker)
		}
	}
}

// countPast counts the pieces of a text up to the first that ends behind i, and
// returns where that is.
func (e *Encoding) countPast(text []byte, i int) (tokens, to int) {
	for to <= i && to < len(text) {
		end := e.split(text, to)
		tokens += e.count(text[to:end])
		to = end
	}
	return tokens, to
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

// countPiece does what countTo does for a piece. Further bytes may make fewer
// tokens of the last ones, but not of those before the longest token.
func (e *Encoding) countPiece(piece []byte, limit int) int {
	n, _ := e.encode(piece, limit+1+longest)
	return n
}

// boundary returns the last boundary of characters in text that is not after i.
func boundary(text []byte, i int) int {
	i = max(0, min(i, len(text)))
	for 0 < i && i < len(text) && text[i]&0xC0 == 0x80 {
		i--
	}
	return i
}

// start returns the first boundary of characters in text that is not before i.
func start(text []byte, i int) int {
	for i < len(text) && text[i]&0xC0 == 0x80 {
		i++
	}
	return i
}
