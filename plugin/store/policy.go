package store

import (
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// Policy is what a policy says of merging and rendering (abi/README.md, "Policy").
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

	// Plain says that nothing but Limit, which is not strict, and Announce differ
	// from the default: then there are quicker ways. PlainInputs says that of what
	// decides how an input is written. Settle sets both.
	Plain, PlainInputs bool
}

// Reset makes it the default policy.
func (p *Policy) Reset() {
	p.Wrapper, p.Strip, p.Tokenizer = fragment.Reference, false, budget.Tokenizer{}
	p.Limit = budget.Limit{Tokens: budget.DefaultTokens}
	p.HasTotal, p.Patch, p.Announce = false, false, false
	p.Keys = p.Keys[:0]
	p.Plain, p.PlainInputs = true, true
}

// Settle ends the setting of fields.
func (p *Policy) Settle() {
	p.PlainInputs = p.Wrapper == fragment.Reference && !p.Tokenizer.IsExact() && !p.Strip && !p.Limit.Strict && len(p.Keys) == 0
	p.Plain = p.PlainInputs && !p.HasTotal && !p.Patch
}

// KeyPolicy is what a policy says of one key.
type KeyPolicy struct {
	Key           json.String
	Tokens        int32
	Priority      int32
	HasTokens     bool
	HasTruncation bool
	Truncation    budget.Truncation
}

// limit returns the budget of the value that an outcome is about. It is right until
// the next call.
func (m *Merge) limit(o *outcome) *budget.Limit {
	if o.policy < 0 {
		return &m.Policy.Limit
	}
	m.keyLimit = m.Policy.Limit
	k := &m.Policy.Keys[o.policy]
	if k.HasTokens {
		m.keyLimit.Tokens = int(k.Tokens)
	}
	if k.HasTruncation {
		m.keyLimit.Truncation = k.Truncation
	}
	return &m.keyLimit
}

// priorityOnly returns what outcome.policy is for the key with that index, of which nothing but
// a priority is said: below -1, which is for a key of which nothing is said.
func priorityOnly(index int32) int32 { return -2 - index }

// priority returns the priority of the key that an outcome is about.
func (p *Policy) priority(o *outcome) int32 {
	index := o.policy
	if index < -1 {
		index = priorityOnly(index)
	}
	if index < 0 {
		return 0
	}
	return p.Keys[index].Priority
}

// findPolicies finds the policy of each key that an outcome is about.
func (m *Merge) findPolicies() {
	keys := m.Policy.Keys
	for i := range keys {
		json.Normalise(m.text, &keys[i].Key)
	}
	matchKeys(m)
}

// plainMatchKeys sets the policy of each outcome whose key has one. Both are in the order of
// their keys, none of which is Foreign.
func (m *Merge) plainMatchKeys() {
	keys := m.Policy.Keys
	for i, next := 0, 0; i < len(m.outcomes) && next < len(keys); {
		o, k := &m.outcomes[i], &keys[next]
		order := json.Compare(m.text, k.Key, m.entry(o).Key)
		if order == 0 {
			o.policy = int32(next)
			if !k.HasTokens && !k.HasTruncation {
				o.policy = priorityOnly(o.policy)
			}
		}
		if order >= 0 {
			i++
		}
		if order <= 0 {
			next++
		}
	}
}
