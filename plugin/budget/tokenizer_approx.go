//go:build !tiktoken

package budget

// Exact says whether there are tokenizers that count.
const Exact = false

// Tokenizers are the names of the tokenizers that there are.
var Tokenizers = []string{"approx"}

// Tokenizer counts tokens exactly. This build has none: see
// tokenizer_tiktoken.go.
type Tokenizer struct{}

// Load returns the tokenizer of that name. The zero value, for approx, estimates.
func Load(string) Tokenizer { return Tokenizer{} }

// IsExact reports whether tokens are counted, not estimated.
func (Tokenizer) IsExact() bool { return false }
