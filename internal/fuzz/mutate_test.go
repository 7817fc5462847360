package fuzz

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/internal/random"
)

// mutate returns a request with a few edits.
func mutate(r *rand.Rand, request []byte) []byte {
	text := bytes.Clone(request)
	for range 1 + r.IntN(4) {
		text = edits[r.IntN(len(edits))](r, text)
	}
	return text
}

// edits change a text in one place. They never make it much longer.
var edits = []func(r *rand.Rand, text []byte) []byte{
	func(r *rand.Rand, text []byte) []byte { // flip a bit
		if len(text) > 0 {
			text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		}
		return text
	},
	func(r *rand.Rand, text []byte) []byte { return text[:r.IntN(len(text)+1)] },
	func(r *rand.Rand, text []byte) []byte { // leave a stretch out
		begin, end := stretch(r, text)
		return slices.Delete(text, begin, end)
	},
	func(r *rand.Rand, text []byte) []byte { // say a stretch again, here or elsewhere
		begin, end := stretch(r, text)
		return slices.Insert(text, r.IntN(len(text)+1), bytes.Clone(text[begin:end])...)
	},
	func(r *rand.Rand, text []byte) []byte { // say a member again
		begin := bytes.IndexByte(text, ',')
		if begin < 0 {
			return text
		}
		end := begin + 1 + r.IntN(len(text)-begin)
		return slices.Insert(text, begin, bytes.Clone(text[begin:end])...)
	},
	insert, insert, insert,
	func(r *rand.Rand, text []byte) []byte { // one word for another
		begin, end := stretch(r, text)
		return slices.Replace(text, begin, end, words[r.IntN(len(words))]...)
	},
	func(r *rand.Rand, text []byte) []byte { // escape a character, in a name perhaps
		if i := r.IntN(len(text) + 1); i < len(text) && 'a' <= text[i] && text[i] <= 'z' {
			const hex = "0123456789abcdef"
			return slices.Replace(text, i, i+1, '\\', 'u', '0', '0', hex[text[i]>>4], hex[text[i]&15])
		}
		return text
	},
}

func insert(r *rand.Rand, text []byte) []byte {
	return slices.Insert(text, r.IntN(len(text)+1), words[r.IntN(len(words))]...)
}

// stretch chooses a few bytes.
func stretch(r *rand.Rand, text []byte) (begin, end int) {
	begin = r.IntN(len(text) + 1)
	return begin, min(len(text), begin+r.IntN(24))
}

// words are what requests are made of, and what breaks readers.
var words = func() (all [][]byte) {
	for _, word := range strings.Fields(`{ } [ ] , : " \ / null true false 0 -0 1e5 2147483648 -2147483649 9999999999999999999999 {} [] "" {"a":1,"a":2}
		"value" "kind" "untrusted" "application" "state" "store" "params" "policy" "input" "history" "items" "version" "threadId" "turnId"
		"activeTurn" "ifTurnId" "expectedTurnId" "additionalContext" "promptHook" "type" "text" "role" "content" "input_text" "user" "developer"
		"message" "maxValueTokens" "maxTotalTokens" "strictBudget" "wrapper" "attribute" "strip" "patch" "announce" "keys" "priority" "safe"
		\u0000 \ud800 \udc00 \ud83d\ude42 \uFFFF \n \x <external_ </external_a> <a> </a> &amp; &#10; …1 é 本 🙂`) {
		all = append(all, []byte(word))
	}
	for _, word := range []string{"\x00", "\x1b", "\x80", "\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\ufeff", " ", "\n",
		strings.Repeat("[", 130), strings.Repeat(`{"a":`, 130), strings.Repeat("1", 300), strings.Repeat(`\u001b[`, 20), strings.Repeat("</external_a", 20)} {
		all = append(all, []byte(word))
	}
	return all
}()

// Of the mutated requests, a fair part is still JSON: else they would only try
// the reader.
func TestMutate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	accepted, changed := 0, 0
	const n = 2000
	for range n {
		_, request := random.Request(r)
		text := mutate(r, request)
		if _, syntax := own(text); syntax == nil {
			accepted++
		}
		if !bytes.Equal(text, request) {
			changed++
		}
	}
	if accepted < n/10 || changed < n*3/4 {
		t.Errorf("of %d requests %d were changed, and %d are JSON", n, changed, accepted)
	}
}
