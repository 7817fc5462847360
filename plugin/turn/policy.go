package turn

import (
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
		m.ReadKeys(r)
	case policyTruncation:
		store.ReadTruncation(r, &m.Limit.Truncation)
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
