package store

import (
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// Policy is what a policy says of merging and rendering (the design, "Policy").
type Policy struct {
	Wrapper   fragment.Wrapper
	Tokenizer budget.Tokenizer
	Strip     bool         // control characters
	Limit     budget.Limit // of a value whose key has none of its own

	HasTotal bool // there is a budget for all that is injected
	Total    int  // that budget, in tokens

	Patch    bool // the map sent is what changes
	Announce bool // what does not apply any longer

	Keys []KeyPolicy // in the order of their keys
}

// Reset makes it the default policy.
func (p *Policy) Reset() {
	p.Wrapper, p.Strip, p.Tokenizer = fragment.Reference, false, budget.Tokenizer{}
	p.Limit = budget.Limit{Tokens: budget.DefaultTokens}
	p.HasTotal, p.Patch, p.Announce = false, false, false
	p.Keys = p.Keys[:0]
}

// KeyPolicy is what a policy says of one key.
type KeyPolicy struct {
	Key           json.String
	HasTokens     bool
	Tokens        int
	HasTruncation bool
	Truncation    budget.Truncation
	Priority      int
}

// ofKey returns what the policy says of a key, nil for nothing.
func (p *Policy) ofKey(text []byte, key json.String) *KeyPolicy {
	low, high := 0, len(p.Keys)
	for low < high {
		middle := int(uint(low+high) >> 1)
		k := &p.Keys[middle]
		switch order := json.Compare(text, k.Key, key); {
		case order == 0:
			return k
		case order < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return nil
}

// limit returns the budget of a key's value.
func (p *Policy) limit(text []byte, key json.String) budget.Limit {
	limit := p.Limit
	if len(p.Keys) == 0 {
		return limit
	}
	k := p.ofKey(text, key)
	if k == nil {
		return limit
	}
	if k.HasTokens {
		limit.Tokens = k.Tokens
	}
	if k.HasTruncation {
		limit.Truncation = k.Truncation
	}
	return limit
}

// priority returns the priority of a key.
func (p *Policy) priority(text []byte, key json.String) int {
	if k := p.ofKey(text, key); k != nil {
		return k.Priority
	}
	return 0
}
