//go:build tiktoken

package budget

import "strconv"

// Exactly cuts values by the tokens that a Tokenizer counts (abi/README.md,
// "tokenizer"). Its memory is reused; the zero value is ready to use.
type Exactly struct {
	written, joined []byte
	marker          []byte
}

// Kept says what is left of a value that was cut exactly.
type Kept struct {
	Head, Tail int // bytes of the value: the beginning ends at Head, the end begins at Tail
	Total      int // tokens of the value
	Removed    int // tokens that are left out
	Estimated  bool
	// Marker stands between beginning and end, empty where there is no room for
	// one. It is valid until the next Cut.
	Marker []byte
}

// Cut cuts what is over the limit out of value, and reports whether there was
// anything to cut. write appends a part of a value as it is written, which counts
// for a strict limit only.
func (x *Exactly) Cut(t Tokenizer, l Limit, value []byte, write func(dst, part []byte) []byte) (Kept, bool) {
	if l.Strict {
		return x.cutStrictly(t, l, value, write)
	}
	if t.Fits(value, l.Tokens) {
		return Kept{}, false
	}
	k := whole(t, value)
	k.Head, k.Tail, _ = t.cut(l, value, nil)
	x.count(t, &k, value)
	x.mark(&k)
	return k, string(value[k.Head:k.Tail]) != string(k.Marker)
}

// whole returns what there is to tell of a value before it is cut.
func whole(t Tokenizer, value []byte) Kept {
	total, exact := t.Total(value)
	return Kept{Tail: len(value), Total: total, Estimated: !exact}
}

// count sets how many tokens are left out.
func (x *Exactly) count(t Tokenizer, k *Kept, value []byte) {
	x.joined = append(append(x.joined[:0], value[:k.Head]...), value[k.Tail:]...)
	k.Removed = max(k.Total-t.Count(x.joined), 0)
}

// mark writes the marker.
func (x *Exactly) mark(k *Kept) {
	x.marker = append(x.marker[:0], beforeNumber...)
	x.marker = strconv.AppendInt(x.marker, int64(k.Removed), 10)
	k.Marker = append(x.marker, afterNumber...)
	x.marker = k.Marker
}

// cutStrictly cuts so that what is left has at most the limit's tokens as it is
// written, its marker included.
func (x *Exactly) cutStrictly(t Tokenizer, l Limit, value []byte, write func(dst, part []byte) []byte) (Kept, bool) {
	x.written = write(x.written[:0], value)
	if t.Fits(x.written, l.Tokens) {
		return Kept{}, false
	}
	k := whole(t, value)
	// The marker's number depends on what is kept, and that on the marker's
	// tokens: start with all removed, and go on until they agree.
	k.Removed = k.Total
	for budget := l; budget.Tokens > 0; {
		x.mark(&k)
		head, tail, ok := t.cut(budget, x.written, k.Marker)
		if !ok {
			break
		}
		k.Head, k.Tail = x.unwritten(value, head, tail, write)
		x.count(t, &k, value)
		before := string(k.Marker)
		x.mark(&k)
		if x.fits(t, &k, value, l.Tokens, write) {
			return k, true
		}
		if string(k.Marker) == before {
			budget.Tokens-- // characters that are written longer were cut in two
		}
	}
	return x.cutUnmarked(t, l, value, k, write), true
}

// cutUnmarked cuts where not even the marker fits: the longest beginning stays,
// under tail the longest end.
func (x *Exactly) cutUnmarked(t Tokenizer, l Limit, value []byte, k Kept, write func(dst, part []byte) []byte) Kept {
	if l.Truncation == Middle {
		l.Truncation = Head
	}
	k.Marker = nil
	for budget := l; ; budget.Tokens-- {
		head, tail, _ := t.cut(budget, x.written, nil)
		k.Head, k.Tail = x.unwritten(value, head, tail, write)
		if budget.Tokens == 0 || x.fits(t, &k, value, l.Tokens, write) {
			x.count(t, &k, value)
			return k
		}
	}
}

// fits reports whether what is kept has at most that many tokens as it is
// written.
func (x *Exactly) fits(t Tokenizer, k *Kept, value []byte, tokens int, write func(dst, part []byte) []byte) bool {
	x.joined = write(x.joined[:0], value[:k.Head])
	x.joined = append(x.joined, k.Marker...)
	x.joined = write(x.joined, value[k.Tail:])
	return t.Fits(x.joined, tokens)
}

// unwritten returns the offsets in value for such in what is written, moved
// inward to characters of the value.
func (x *Exactly) unwritten(value []byte, head, tail int, write func(dst, part []byte) []byte) (int, int) {
	if len(x.written) == len(value) {
		return head, tail
	}
	var room [16]byte
	h, at := 0, 0
	for h < head && at < len(value) {
		n := len(write(room[:0], value[at:at+1]))
		if h+n > head {
			break
		}
		h += n
		at++
	}
	end, from := len(x.written), len(value)
	for end > tail && from > at {
		n := len(write(room[:0], value[from-1:from]))
		if end-n < tail {
			break
		}
		end -= n
		from--
	}
	return at, from
}
