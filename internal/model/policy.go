package model

import (
	"fmt"
	"strconv"

	"github.com/turncontext/turncontext/abi"
)

// Policy is a policy with every field filled in (design, "Policy").
type Policy struct {
	MaxValueTokens    int
	MaxTotalTokens    *int // nil for no budget
	Keys              map[string]KeyPolicy
	Truncation        string
	StrictBudget      bool
	Wrapper           string
	ControlCharacters string
	Updates           string
	Removals          string
	SteerContextOnly  bool
	ExperimentalAPI   bool
}

// KeyPolicy is what a policy says of one key; nil is what it says of all.
type KeyPolicy struct {
	MaxValueTokens *int
	Truncation     *string
	Priority       int
}

// DefaultPolicy returns the reference behaviour.
func DefaultPolicy() Policy {
	return Policy{
		MaxValueTokens:    1000,
		Truncation:        "middle",
		Wrapper:           "reference",
		ControlCharacters: "keep",
		Updates:           "replace",
		Removals:          "silent",
		ExperimentalAPI:   true,
	}
}

// ParsePolicy reads the policy of a request, "null" for the default. The error
// says that it is not JSON, or what is wrong with it.
func ParsePolicy(text []byte) (Policy, error) {
	v, err := read(text)
	if err != nil {
		return Policy{}, err
	}
	if refusal := checkPart(orNull(policy), v); refusal != nil {
		return Policy{}, refusal
	}
	if v.kind == null {
		return DefaultPolicy(), nil
	}
	return readPolicy(&v), nil
}

// readPolicy reads a policy; nil is the default.
func readPolicy(v *value) Policy {
	p := DefaultPolicy()
	if v == nil {
		return p
	}
	if preset := v.given("preset"); preset != nil && preset.text == "safe" {
		p.Wrapper, p.ControlCharacters, p.StrictBudget, p.Removals = "attribute", "strip", true, "announce"
	}
	p.MaxTotalTokens = readInteger(v.given("maxTotalTokens"))
	setInteger(&p.MaxValueTokens, v.given("maxValueTokens"))
	setText(&p.Truncation, v.given("truncation"))
	setText(&p.Wrapper, v.given("wrapper"))
	setText(&p.ControlCharacters, v.given("controlCharacters"))
	setText(&p.Updates, v.given("updates"))
	setText(&p.Removals, v.given("removals"))
	setTruth(&p.StrictBudget, v.given("strictBudget"))
	setTruth(&p.SteerContextOnly, v.given("steerContextOnly"))
	setTruth(&p.ExperimentalAPI, v.given("experimentalApi"))
	p.Keys = readKeys(v.given("keys"))
	return p
}

func readKeys(v *value) map[string]KeyPolicy {
	keys := map[string]KeyPolicy{}
	if v == nil {
		return keys
	}
	for _, m := range v.members {
		if m.value.kind == null {
			continue
		}
		k := KeyPolicy{MaxValueTokens: readInteger(m.value.given("maxValueTokens"))}
		if truncation := m.value.given("truncation"); truncation != nil {
			k.Truncation = &truncation.text
		}
		setInteger(&k.Priority, m.value.given("priority"))
		keys[m.name] = k
	}
	return keys
}

func readInteger(v *value) *int {
	if v == nil {
		return nil
	}
	var n int
	setInteger(&n, v)
	return &n
}

func setInteger(to *int, v *value) {
	if v != nil {
		*to, _ = strconv.Atoi(v.text)
	}
}

func setText(to *string, v *value) {
	if v != nil {
		*to = v.text
	}
}

func setTruth(to *bool, v *value) {
	if v != nil {
		*to = v.truth
	}
}

// maxValueTokens is the budget of a key's value.
func (p Policy) maxValueTokens(key string) int {
	if n := p.Keys[key].MaxValueTokens; n != nil {
		return *n
	}
	return p.MaxValueTokens
}

// truncation says what is kept of a key's value where it is cut.
func (p Policy) truncation(key string) string {
	if t := p.Keys[key].Truncation; t != nil {
		return *t
	}
	return p.Truncation
}

// The shape of a policy.
var (
	truncationField = field{"truncation", optional, orNull(oneOf("truncation", "middle", "head", "tail"))}
	budgetField     = field{"maxValueTokens", optional, orNull(anInteger)}

	policy = closed(
		field{"preset", optional, orNull(oneOf("preset", "reference", "safe"))},
		budgetField,
		field{"maxTotalTokens", optional, orNull(anInteger)},
		field{"keys", optional, orNull(mapOf(orNull(closed(
			budgetField,
			truncationField,
			field{"priority", optional, orNull(aSignedInteger)},
		))))},
		truncationField,
		field{"strictBudget", optional, orNull(isA(boolean))},
		field{"tokenizer", optional, orNull(tokenizer)},
		field{"wrapper", optional, orNull(oneOf("wrapper", "reference", "attribute"))},
		field{"controlCharacters", optional, orNull(oneOf("controlCharacters", "keep", "strip"))},
		field{"updates", optional, orNull(oneOf("updates", "replace", "patch"))},
		field{"removals", optional, orNull(oneOf("removals", "silent", "announce"))},
		field{"steerContextOnly", optional, orNull(isA(boolean))},
		field{"experimentalApi", optional, orNull(isA(boolean))},
	)
	policyField = field{"policy", optional, orNull(policy)}
)

func aSignedInteger(c *checker, path string, v value) {
	if _, ok := v.signedInteger(); !ok {
		c.add(v.start, path, "expected an integer")
	}
}

// tokenizer is the shape of a tokenizer's name; some are for other builds.
func tokenizer(c *checker, path string, v value) {
	oneOf("tokenizer", "approx", "o200k_base", "cl100k_base")(c, path, v)
	if v.kind == text && (v.text == "o200k_base" || v.text == "cl100k_base") {
		reason := fmt.Sprintf("this build has no tokenizer %q", v.text)
		*c = append(*c, violation{at: v.start, path: path, reason: reason, unsupported: true})
	}
}

// sendsPatch reports whether the map that a request sends may have a null for
// an entry: whether its policy, however wrong otherwise, says updates: patch. Of
// names that stand twice the first counts.
func sendsPatch(request value) bool {
	policy := request.find("policy")
	if policy == nil {
		return false
	}
	updates := policy.find("updates")
	return updates != nil && updates.kind == text && updates.text == "patch"
}

// forbidden reports whether the additionalContext that stands in holder, null
// or absent being none, is refused for want of the experimental API.
func (p Policy) forbidden(holder value) bool {
	return !p.ExperimentalAPI && holder.given("additionalContext") != nil
}

func experimental(member string) *abi.Error {
	return &abi.Error{Kind: abi.ExperimentalAPIRequired, Message: member + " requires experimentalApi capability"}
}
