//go:build tiktoken

package budget

import "github.com/turncontext/turncontext/plugin/tiktoken"

// Exact says whether there are tokenizers that count.
const Exact = true

// Tokenizers are the names of the tokenizers that there are.
var Tokenizers = append([]string{"approx"}, tiktoken.Names()...)

// Tokenizer counts tokens exactly. The zero value, for approx, estimates.
type Tokenizer struct {
	encoding *tiktoken.Encoding
}

// Load returns the tokenizer of that name, one of Tokenizers. The first time, an
// encoding makes its tables.
func Load(name string) Tokenizer {
	encoding, err := tiktoken.Load(name)
	if err != nil {
		return Tokenizer{} // approx
	}
	return Tokenizer{encoding}
}

// IsExact reports whether tokens are counted, not estimated.
func (t Tokenizer) IsExact() bool { return t.encoding != nil }

// Count returns how many tokens text, UTF-8, has.
func (t Tokenizer) Count(text []byte) int { return t.encoding.Count(text) }

// Fits reports whether text has at most that many tokens.
func (t Tokenizer) Fits(text []byte, tokens int) bool { return t.encoding.Fits(text, tokens) }

// Total returns how many tokens text has. A long text's are an estimate: then
// exact is false.
func (t Tokenizer) Total(text []byte) (tokens int, exact bool) { return t.encoding.Total(text) }

// cut returns where the beginning of text ends and where its end begins that a
// limit keeps, with a marker between them. ok is false where not even the marker
// fits.
func (t Tokenizer) cut(l Limit, text, marker []byte) (head, tail int, ok bool) {
	switch l.Truncation {
	case Head:
		head, ok = t.encoding.Head(text, marker, l.Tokens)
		return head, len(text), ok
	case Tail:
		tail, ok = t.encoding.Tail(text, marker, l.Tokens)
		return 0, tail, ok
	}
	return t.encoding.Middle(text, marker, l.Tokens)
}
