package model

import (
	"fmt"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
)

// tokenBytes is how many bytes the estimate takes for one token.
const tokenBytes = 4

// tokens estimates how many tokens so many bytes of UTF-8 are.
func tokens(bytes int) int {
	return (bytes + tokenBytes - 1) / tokenBytes
}

// kept is what remains of a value. Where it was not cut, beginning is all.
type kept struct {
	beginning, marker, end string
	truncated              *abi.Truncated
}

func (k kept) text() string { return k.beginning + k.marker + k.end }

// Truncate cuts a value in the middle to a budget in tokens. It returns the
// text that remains and what was cut, nil where nothing was.
func Truncate(value string, maxTokens int) (string, *abi.Truncated) {
	k := cut(value, maxTokens, "middle")
	return k.text(), k.truncated
}

// cut cuts a value to a budget in tokens (design, "Truncate").
func cut(value string, maxTokens int, truncation string) kept {
	budget := maxTokens * tokenBytes
	if len(value) <= budget {
		return kept{beginning: value}
	}
	k := leave(value, budget, truncation)
	if k.text() == value {
		return kept{beginning: value}
	}
	return k
}

// cutStrictly cuts a value so that it has no more bytes, escaped and with the
// marker, than the budget (design, "Policy": strictBudget).
func cutStrictly(value string, maxTokens int, truncation string, escape func(string) string) kept {
	budget := maxTokens * tokenBytes
	if len(escape(value)) <= budget {
		return kept{beginning: value}
	}
	// At most three bytes are lost at each of two boundaries, so a larger b than
	// this leaves more than the budget.
	for b := min(len(value)-1, budget+6); b >= 0; b-- {
		k := leave(value, b, truncation)
		if len(escape(k.beginning)+k.marker+escape(k.end)) <= budget {
			return k
		}
	}
	return leaveBare(value, budget, truncation, escape)
}

// leave leaves a budget in bytes, less than the value's, and a marker.
func leave(value string, budget int, truncation string) kept {
	first, last := budget/2, budget-budget/2
	switch truncation {
	case "head":
		first, last = budget, 0
	case "tail":
		first, last = 0, budget
	}
	removed := tokens(len(value) - budget)
	return kept{
		beginning: beginning(value, first),
		marker:    fmt.Sprintf("…%d tokens truncated…", removed),
		end:       end(value, last),
		truncated: &abi.Truncated{OriginalTokens: tokens(len(value)), RemovedTokens: removed},
	}
}

// leaveBare leaves as much as fits, escaped, without a marker.
func leaveBare(value string, budget int, truncation string, escape func(string) string) kept {
	side := beginning
	if truncation == "tail" {
		side = end
	}
	rest := ""
	for bytes := range min(budget, len(value)) + 1 {
		if s := side(value, bytes); len(escape(s)) <= budget {
			rest = s
		}
	}
	return kept{
		beginning: rest,
		truncated: &abi.Truncated{OriginalTokens: tokens(len(value)), RemovedTokens: tokens(len(value) - len(rest))},
	}
}

// beginning returns the whole characters that fit into so many bytes.
func beginning(value string, bytes int) string {
	if bytes >= len(value) {
		return value
	}
	for !utf8.RuneStart(value[bytes]) {
		bytes--
	}
	return value[:bytes]
}

// end is beginning from the other side.
func end(value string, bytes int) string {
	at := max(len(value)-bytes, 0)
	for at < len(value) && !utf8.RuneStart(value[at]) {
		at++
	}
	return value[at:]
}
