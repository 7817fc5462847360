package schematest

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

// policies are policies with nothing wrong. Together they have every field, and
// null for every field.
var policies = []string{
	`{}`,
	`{"preset":"safe","maxValueTokens":0,"maxTotalTokens":2147483647,"keys":{"a":{"maxValueTokens":7,"truncation":"head","priority":-2147483648},"":{},"b":null},
		"truncation":"tail","strictBudget":true,"wrapper":"attribute","controlCharacters":"strip","updates":"patch","removals":"announce",
		"steerContextOnly":true,"experimentalApi":true}`,
	`{"preset":null,"maxValueTokens":null,"maxTotalTokens":null,"keys":{"a":{"maxValueTokens":null,"truncation":null,"priority":null}},
		"truncation":null,"strictBudget":null,"tokenizer":null,"wrapper":null,"controlCharacters":null,"updates":null,"removals":null,
		"steerContextOnly":null,"experimentalApi":null}`,
	`{"tokenizer":"approx","keys":null,"wrapper":"reference","preset":"reference"}`,
	`{"tokenizer":"o200k_base","keys":{"a":{"priority":2147483647}}}`,
}

// isInteger tells how an integer is written; a priority may be negative.
var isInteger = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`).MatchString

// wrongBeyond tells whether something is wrong with a policy that JSON Schema
// does not see: a name twice, or the spelling of an integer.
func wrongBeyond(policy *value) bool {
	for _, v := range policy.all() {
		names := map[string]bool{}
		for _, m := range v.members {
			if names[m.name] {
				return true
			}
			names[m.name] = true
		}
		if v.kind == "number" && !isInteger(v.text) {
			return true
		}
	}
	return false
}

// The core takes the policies that the schema takes, and no others.
func TestPolicyMutations(t *testing.T) {
	random := 20_000
	if testing.Short() {
		random = 5_000
	}
	schemas := newSuite(t)
	r := rand.New(rand.NewPCG(7, 8))
	var mutants []*value
	for _, policy := range policies {
		mutants = append(mutants, parse(t, []byte(policy)))
		mutants = append(mutants, mutations(parse(t, []byte(policy)))...)
	}
	for range random {
		mutant := parse(t, []byte(policies[r.IntN(len(policies))]))
		for range 1 + r.IntN(3) {
			mutate(r, mutant)
		}
		mutants = append(mutants, mutant)
	}
	library := schemas.requests[abi.FunctionGuidance]
	answer := answerNatively(abi.FunctionGuidance)
	counts := map[abi.ErrorKind]int{}
	for _, mutant := range mutants {
		request := append(append([]byte(`{"policy":`), mutant.write(r)...), '}')
		text, err := answer(request)
		if err != nil {
			t.Fatal(err)
		}
		if err := schemas.check(abi.FunctionGuidance, request, text); err != nil {
			t.Errorf("the request or its answer: %v\n%s\n%s", err, request, text)
		}
		var got struct{ Error abi.Error }
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		counts[got.Error.Kind]++
		valid := library.Validate(map[string]any{"policy": mutant.instance()}) == nil && !wrongBeyond(mutant)
		var want []abi.ErrorKind
		switch other := otherTokenizer(mutant); {
		case valid && other:
			want = []abi.ErrorKind{abi.Unsupported}
		case valid:
			want = []abi.ErrorKind{""}
		case other: // whichever stands first
			want = []abi.ErrorKind{abi.InvalidParams, abi.Unsupported}
		default:
			want = []abi.ErrorKind{abi.InvalidParams}
		}
		if got.Error.Kind != want[0] && got.Error.Kind != want[len(want)-1] {
			t.Errorf("got %q, want one of %q, for %s", got.Error.Kind, want, request)
		}
	}
	t.Logf("%d policies: %v", len(mutants), counts)
	if counts[""] == 0 || counts[abi.InvalidParams] == 0 || counts[abi.Unsupported] == 0 {
		t.Error("not all verdicts came about")
	}
}

// otherTokenizer tells whether a policy has a tokenizer that only the tiktoken
// build has.
func otherTokenizer(policy *value) bool {
	for _, m := range policy.members {
		if text := m.value.text; m.name == "tokenizer" && m.value.kind == "string" && (text == "o200k_base" || text == "cl100k_base") {
			return true
		}
	}
	return false
}
