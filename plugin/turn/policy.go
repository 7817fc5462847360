package turn

import (
	"math"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/store"
)

// policy is what the caller wants done otherwise than by default (abi/README.md,
// "Policy").
type policy struct {
	experimentalAPI  bool
	steerContextOnly bool
	merge            store.Policy
}

// reset makes it the default policy.
func (p *policy) reset() {
	p.experimentalAPI, p.steerContextOnly = true, false
	p.merge.Reset()
}

var policyFields = []string{
	policyPreset: "preset", policyMaxValueTokens: "maxValueTokens", policyMaxTotalTokens: "maxTotalTokens",
	policyKeys: "keys", policyTruncation: "truncation", policyStrictBudget: "strictBudget",
	policyTokenizer: "tokenizer", policyWrapper: "wrapper", policyControlCharacters: "controlCharacters",
	policyUpdates: "updates", policyRemovals: "removals", policySteerContextOnly: "steerContextOnly",
	policyExperimentalAPI: "experimentalApi",
}

const (
	policyPreset = iota
	policyMaxValueTokens
	policyMaxTotalTokens
	policyKeys
	policyTruncation
	policyStrictBudget
	policyTokenizer
	policyWrapper
	policyControlCharacters
	policyUpdates
	policyRemovals
	policySteerContextOnly
	policyExperimentalAPI
)

// What the fields may be that are words. The first is the default.
var (
	presets           = []string{string(abi.PresetReference), string(abi.PresetSafe)}
	truncations       = []string{budget.Middle: string(abi.KeepEnds), budget.Head: string(abi.KeepHead), budget.Tail: string(abi.KeepTail)}
	wrappers          = []string{fragment.Reference: string(abi.WrapReference), fragment.Attribute: string(abi.WrapAttribute)}
	controlCharacters = []string{string(abi.KeepControls), string(abi.StripControls)}
	updates           = []string{string(abi.ReplaceUpdates), string(abi.PatchUpdates)}
	removals          = []string{string(abi.SilentRemovals), string(abi.AnnounceRemovals)}
)

// knownTokenizers are those that a policy may name. Those of them that this
// module has, budget.Tokenizers, are the first.
var knownTokenizers = []string{string(abi.Approx), string(abi.CL100kBase), string(abi.O200kBase)}

// read reads the next value as a policy; null is the default.
func (p *policy) read(r *json.Reader) {
	var f json.Fields
	if r.Null() || !r.StrictFields(&f, &policyFields) {
		return
	}
	safe, given := false, uint(0)
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		if r.Null() {
			continue
		}
		given |= 1 << i
		p.readField(r, i, &safe)
	}
	if safe {
		p.applySafe(given)
	}
	p.merge.Settle()
}

// readField reads the value of the field with that index.
func (p *policy) readField(r *json.Reader, field int, safe *bool) {
	m := &p.merge
	switch field {
	case policyPreset:
		*safe = r.Enum("preset", presets) == 1
	case policyMaxValueTokens:
		r.Integer(&m.Limit.Tokens, 0)
	case policyMaxTotalTokens:
		m.HasTotal = r.Integer(&m.Total, 0)
	case policyKeys:
		p.readKeys(r)
	case policyTruncation:
		readTruncation(r, &m.Limit.Truncation)
	case policyStrictBudget:
		r.Bool(&m.Limit.Strict)
	case policyTokenizer:
		if i := readTokenizer(r); budget.Exact && i >= 0 {
			m.Tokenizer = budget.Load(knownTokenizers[i])
		}
	case policyWrapper:
		if r.Enum("wrapper", wrappers) == int(fragment.Attribute) {
			m.Wrapper = fragment.Attribute
		}
	case policyControlCharacters:
		m.Strip = r.Enum("controlCharacters", controlCharacters) == 1
	case policyUpdates:
		m.Patch = r.Enum("updates", updates) == 1
	case policyRemovals:
		m.Announce = r.Enum("removals", removals) == 1
	case policySteerContextOnly:
		r.Bool(&p.steerContextOnly)
	case policyExperimentalAPI:
		r.Bool(&p.experimentalAPI)
	}
}

// applySafe sets what the preset safe sets, but for the fields that are given.
func (p *policy) applySafe(given uint) {
	unset := func(field int) bool { return given&(1<<field) == 0 }
	if unset(policyWrapper) {
		p.merge.Wrapper = fragment.Attribute
	}
	if unset(policyControlCharacters) {
		p.merge.Strip = true
	}
	if unset(policyStrictBudget) {
		p.merge.Limit.Strict = true
	}
	if unset(policyRemovals) {
		p.merge.Announce = true
	}
}

func readTruncation(r *json.Reader, t *budget.Truncation) bool {
	i := r.Enum("truncation", truncations)
	if i >= 0 {
		*t = budget.Truncation(i)
	}
	return i >= 0
}

// readTokenizer reads the next value as the name of a tokenizer, and returns its
// index in knownTokenizers; -1 if it was rejected.
func readTokenizer(r *json.Reader) int {
	r.Kind()
	begin := r.Offset()
	i := r.Enum("tokenizer", knownTokenizers)
	if i >= len(budget.Tokenizers) {
		r.RejectUnsupported(begin, "this module has no tokenizer "+knownTokenizers[i]+", only "+list(budget.Tokenizers))
		return -1
	}
	return i
}

// readKeys reads the next value as the settings of single keys.
func (p *policy) readKeys(r *json.Reader) {
	m := &p.merge
	names, begin := r.BeginNames(), r.Offset()
	for more := r.Object(); more; {
		more = p.readKey(r, names, begin)
	}
	order := r.EndNames(names)
	if len(m.Keys) == 0 {
		return
	}
	if len(order) > len(m.Keys) { // some say nothing
		order = store.SortKeys(r, m.Keys)
	}
	json.Permute(m.Keys, order)
}

// What stands before the name of a key that has only a priority, or a limit, and between
// them. Such ones are read in fewer steps, a few at once.
var (
	priorityOf = []string{`,"`, `":{"priority":`}
	limitOf    = []string{`,"`, `":{"maxValueTokens":`}
)

// readKey reads the next key and its settings, or a few of them, and reports whether there is
// one. It adds its name to the list that begins at names; the object begins at begin.
func (p *policy) readKey(r *json.Reader, names, begin int) bool {
	if r.Settled() {
		r.SkipMembers()
		return false
	}
	m := &p.merge
	n := len(m.Keys)
	if cap(m.Keys)-n < fewKeys {
		m.Keys = json.Grow(m.Keys, max(fewKeys, r.More(n, begin)))
	}
	if p.readFewKeys(r, names) {
		return true
	}
	if !r.Member() {
		return false
	}
	r.AddName(names)
	if r.AtEmpty() || r.At('n') { // it says nothing
		r.Skip()
		r.PassEmpty(names)
		return true
	}
	k := &m.Keys[:n+1][n]
	k.Begin(r.Name())
	readKeyPolicy(r, k)
	if k.SaysAnything() {
		m.Keys = m.Keys[:n+1]
	}
	return true
}

// fewKeys is how many keys are read at once.
const fewKeys = 16

// readFewKeys reads keys of each of which only a priority is said, or of each only a limit, and
// reports whether it has read any. There is room for fewKeys.
func (p *policy) readFewKeys(r *json.Reader, names int) bool {
	m := &p.merge
	var integers [fewKeys]int32
	read, areLimits := r.NamedIntegers(priorityOf, names, integers[:]), false
	if len(read) == 0 {
		read, areLimits = r.NamedIntegers(limitOf, names, integers[:]), true
	}
	for i, name := range read {
		if !areLimits && integers[i] == 0 {
			continue // it says nothing
		}
		n := len(m.Keys)
		m.Keys = m.Keys[:n+1]
		k := &m.Keys[n]
		k.Begin(name)
		if areLimits {
			k.Tokens, k.HasTokens = integers[i], true
		} else {
			k.Priority = integers[i]
		}
	}
	return len(read) > 0
}

var keyPolicyFields = []string{"maxValueTokens", "truncation", "priority"}

const (
	keyMaxValueTokens = iota
	keyTruncation
	keyPriority
)

// readKeyPolicy reads the next value as what a policy says of one key.
func readKeyPolicy(r *json.Reader, k *store.KeyPolicy) {
	var f json.Fields
	if r.Null() || !r.StrictFields(&f, &keyPolicyFields) {
		return
	}
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch {
		case r.Null():
		case i == keyMaxValueTokens:
			k.HasTokens = readInt32(r, &k.Tokens, 0)
		case i == keyTruncation:
			k.HasTruncation = readTruncation(r, &k.Truncation)
		case i == keyPriority:
			readInt32(r, &k.Priority, math.MinInt32)
		}
	}
}

// readInt32 reads the next value as an integer, none of which has more bits.
func readInt32(r *json.Reader, n *int32, least int) bool {
	var value int
	ok := r.Integer(&value, least)
	if ok {
		*n = int32(value)
	}
	return ok
}
