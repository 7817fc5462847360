package params

import "github.com/turncontext/turncontext/plugin/json"

// word is a string as it is compared at once: its bytes with the quote behind them, the first
// of them lowest, which of the bits count, and how many bytes there are.
type word struct {
	bytes, mask [2]uint64
	length      int
}

// inputName is the name of a member of a UserInput, and what it may be, nil for any string.
type inputName struct {
	name word
	enum []word
}

// inputVariant has eight bits for each of inputNames, the first lowest: one for each kind that
// it may be of, and the lowest one if it may, or must, be there. A name of another variant is
// one that is unknown; the highest eight are for how many others there are, of which any number
// is allowed.
type inputVariant struct {
	allowed, required uint64
	strings           []int8 // for each field, which of the strings of a UserInput it is, -1 if it is none
}

// ReadItems reads items of the user's input, the next one first, as long as there is room, and
// stops before one that is wrong or not usual. It returns how many it has read.
func ReadItems(r *json.Reader, items []UserInput) int {
	end, n := readItems(r.Text(), r.Offset(), items, r.Depth()+1)
	if n > 0 {
		r.PassedItems(end, n)
	}
	return n
}
