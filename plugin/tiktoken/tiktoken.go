// Package tiktoken counts the tokens of a text exactly, and cuts a text down to
// a number of them, as the encodings o200k_base and cl100k_base of tiktoken
// have them. Texts that look like special tokens are ordinary text.
//
// A text is UTF-8. Whoever cuts one down asks Fits, which most texts answer by
// their length, then Total for the number of the marker, then Head, Tail or
// Middle with that marker.
//
// Nothing of it is safe for concurrent use. Once a text of some size has been
// seen, texts up to that size cost no allocation.
package tiktoken

import (
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// The vocabularies, as vocabulary.go says.
var (
	//go:embed cl100k_base.merges
	mergesCL100K string
	//go:embed o200k_base.merges
	mergesO200K string
)

// An Encoding is a vocabulary and a way to split a text into the pieces within
// which bytes are merged.
type Encoding struct {
	vocabulary
	split splitter
	chain chain

	scratch, seam []byte // reused by cuts
}

var names = []string{"cl100k_base", "o200k_base"}

var loaded = map[string]*Encoding{}

// Names returns the names of the encodings, in order.
func Names() []string { return slices.Clone(names) }

// Load returns the encoding of that name. The first call for a name makes its
// tables, which takes tens of milliseconds.
func Load(name string) (*Encoding, error) {
	if e := loaded[name]; e != nil {
		return e, nil
	}
	e := &Encoding{}
	switch name {
	case "cl100k_base":
		e.vocabulary, e.split = unpack(mergesCL100K), splitCL100K
	case "o200k_base":
		e.vocabulary, e.split = unpack(mergesO200K), splitO200K
	default:
		return nil, errors.New("unknown tokenizer " + strconv.Quote(name) + ", want one of " + strings.Join(names, ", "))
	}
	loaded[name] = e
	return e, nil
}

// PieceEnd returns where the piece of the text that begins at i ends: tokens do
// not cross the ends of pieces. The first piece begins at 0, and each next one
// where the one before it ends.
func (e *Encoding) PieceEnd(text []byte, i int) int { return e.split(text, i) }

// Count returns how many tokens the text has.
func (e *Encoding) Count(text []byte) int {
	n := 0
	for i := 0; i < len(text); {
		end := e.split(text, i)
		n += e.count(text[i:end])
		i = end
	}
	return n
}
