package tiktoken_test

import (
	"html"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
	native "github.com/turncontext/turncontext/plugin/tiktoken"
)

var words = []string{
	"the quick brown fox ", "jumps over ", "func main() { return nil }\n", "吾輩は猫である。", "名前はまだ無い", "مرحبا بالعالم ", "🙂👩‍👩‍👧🇫🇷 ",
	"    ", "\n\n", "<b>bold</b> & \"quoted\" ", "don't ", "12345 ", "<|endoftext|>", "\\n\\t", "ßẞſ ", "e\u0301\u0301", "----------", "&amp; ",
}

func text(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(60) {
		b.WriteString(words[rng.IntN(len(words))])
	}
	if rng.IntN(8) == 0 {
		b.WriteString(strings.Repeat("a", rng.IntN(2000)))
	}
	return b.String()
}

// A budget that is counted exactly is kept exactly, whatever it meets.
func TestBudgets(t *testing.T) {
	m := open(t)
	rng := rand.New(rand.NewPCG(1, 2))
	cut := 0
	for range 1500 {
		name := native.Names()[rng.IntN(2)]
		encoding, err := native.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		count := func(s string) int { return encoding.Count([]byte(s)) }
		value, limit, strict := text(rng), rng.IntN(80), rng.IntN(2) == 0
		policy := &abi.Policy{
			Tokenizer: abi.Tokenizer(name), MaxValueTokens: &limit, StrictBudget: &strict,
			Truncation: []abi.Truncation{abi.KeepEnds, abi.KeepHead, abi.KeepTail}[rng.IntN(3)],
			Wrapper:    []abi.Wrapper{abi.WrapReference, abi.WrapAttribute}[rng.IntN(2)],
		}
		answer, err := m.Merge(t.Context(), abi.MergeRequest{
			AdditionalContext: map[string]abi.Entry{"k": {Value: value, Kind: abi.Untrusted}}, Policy: policy,
		})
		if err != nil {
			t.Fatal(err)
		}
		told, receipt := answer.Inputs[0].Item.Content[0].Text, answer.Receipts[0]
		written := inner(t, told, policy.Wrapper)
		fail := func(why string) {
			t.Fatalf("%s: %+v, limit %d, strict %v, of %q: %q, %+v, %+v", why, *policy, limit, strict, value, told, receipt, receipt.Truncated)
		}
		if receipt.Tokens != count(told) {
			fail("the tokens are " + strconv.Itoa(count(told)))
		}
		left := written
		if policy.Wrapper == abi.WrapAttribute {
			left = html.UnescapeString(written)
		}
		switch {
		case receipt.Truncated == nil:
			if left != value || !strict && count(value) > limit || strict && count(written) > limit {
				fail("it is not cut")
			}
			continue
		case strict && count(written) > limit:
			fail("it has " + strconv.Itoa(count(written)) + " tokens")
		case receipt.Truncated.OriginalTokens != count(value):
			fail("the value has " + strconv.Itoa(count(value)) + " tokens")
		}
		cut++
		marker := "…" + strconv.Itoa(receipt.Truncated.RemovedTokens) + " tokens truncated…"
		head, tail, marked := strings.Cut(left, marker)
		if !marked && policy.Truncation == abi.KeepTail {
			head, tail = "", left
		}
		switch kept := head + tail; {
		case !marked && !strict:
			fail("there is no marker")
		case !strings.HasPrefix(value, head) || !strings.HasSuffix(value, tail):
			fail("it is not what the value had")
		case !strict && count(kept) > limit:
			fail("what is kept has " + strconv.Itoa(count(kept)) + " tokens")
		case receipt.Truncated.RemovedTokens != count(value)-count(kept):
			fail("left out are " + strconv.Itoa(count(value)-count(kept)))
		}
	}
	if cut < 250 {
		t.Errorf("only %d values were cut", cut)
	}
}

// inner returns what stands between the tags.
func inner(t *testing.T, told string, wrapper abi.Wrapper) string {
	t.Helper()
	opening, closing := "<external_k>", "</external_k>"
	if wrapper == abi.WrapAttribute {
		opening, closing = `<external_context source="k">`, "</external_context>"
	}
	rest, opens := strings.CutPrefix(told, opening)
	written, closes := strings.CutSuffix(rest, closing)
	if !opens || !closes {
		t.Fatalf("%q", told)
	}
	return written
}

// A long value is not counted whole, and the receipt says so.
func TestEstimate(t *testing.T) {
	m := open(t)
	value := strings.Repeat("the quick brown fox jumps over the lazy dog. ", 25_000)
	answer, err := m.Merge(t.Context(), abi.MergeRequest{
		AdditionalContext: map[string]abi.Entry{"k": {Value: value, Kind: abi.Untrusted}},
		Policy:            &abi.Policy{Tokenizer: abi.O200kBase},
	})
	if err != nil {
		t.Fatal(err)
	}
	encoding, err := native.Load("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	got, want := answer.Receipts[0].Truncated, encoding.Count([]byte(value))
	if !got.Estimated || got.OriginalTokens < want*95/100 || got.OriginalTokens > want*105/100 {
		t.Errorf("got %+v, the value has %d tokens", got, want)
	}
	if n := encoding.Count([]byte(inner(t, answer.Inputs[0].Item.Content[0].Text, abi.WrapReference))); n < 970 || n > 1030 {
		t.Errorf("%d tokens are left, marker included", n)
	}
}

// The total budget counts by the same tokenizer.
func TestTotal(t *testing.T) {
	m := open(t)
	context := map[string]abi.Entry{}
	for _, key := range []string{"a", "b", "c"} {
		context[key] = abi.Entry{Value: strings.Repeat("猫", 50), Kind: abi.Untrusted}
	}
	total := 130
	answer, err := m.Merge(t.Context(), abi.MergeRequest{
		AdditionalContext: context, Policy: &abi.Policy{Tokenizer: abi.O200kBase, MaxTotalTokens: &total},
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, receipt := range answer.Receipts {
		sum += receipt.Tokens
	}
	if sum > total || len(answer.Inputs) == 0 || len(answer.Inputs) == 3 {
		t.Errorf("%d inputs of %d tokens", len(answer.Inputs), sum)
	}
}
