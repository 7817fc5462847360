package random_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/model"
	"github.com/turncontext/turncontext/internal/random"
)

// request is a random one, and the function that it is for.
type request struct{ function, text string }

func requests(n int) []request {
	r := rand.New(rand.NewPCG(1, 2))
	var all []request
	for range n {
		function, text := random.Turn(r)
		all = append(all, request{function, string(text)}, request{abi.FunctionMerge, string(random.Merge(r))})
		function, text = random.Request(r)
		all = append(all, request{function, string(text)})
	}
	return all
}

func TestTheSameNumbersGiveTheSameRequests(t *testing.T) {
	again := requests(50)
	for i, request := range requests(50) {
		if request != again[i] {
			t.Fatalf("request %d: got %q, and then %q", i, request, again[i])
		}
	}
}

// Each function is asked, and answers in each way that it can, but for what
// takes more text than these requests have.
func TestVariety(t *testing.T) {
	found := map[string]int{}
	for _, request := range requests(4000) {
		answer, err := model.Call(request.function, []byte(request.text))
		if err != nil {
			t.Fatalf("%s: %q: %v", request.function, request.text, err)
		}
		if request.function == abi.FunctionGuidance && answer == nil {
			answer = []byte(`{}`)
		}
		found[request.function+" "+outcome(t, answer)]++
		for _, detail := range details(t, answer) {
			found[request.function+" "+detail]++
		}
	}
	for _, want := range strings.Fields(`
		merge:answer merge:invalid_params merge:unsupported merge:experimental_api_required
		turn_set:answer turn_set:invalid_params turn_set:unsupported
		turn_start:answer turn_start:invalid_params turn_start:unsupported turn_start:experimental_api_required
		turn_start:turn_not_steerable turn_start:empty_input
		turn_steer:answer turn_steer:invalid_params turn_steer:unsupported turn_steer:experimental_api_required
		turn_steer:invalid_request turn_steer:no_active_turn turn_steer:turn_mismatch turn_steer:turn_not_steerable
		turn_steer:empty_input
		reconcile:answer reconcile:invalid_params reconcile:unsupported
		classify:answer classify:invalid_params classify:unsupported
		guidance:answer guidance:invalid_params guidance:unsupported

		merge:added merge:changed merge:unchanged merge:removed merge:dropped merge:announced merge:cut merge:bare
		merge:key_has_gt merge:value_has_closing_tag merge:control_characters
		reconcile:unchanged reconcile:restored reconcile:dropped reconcile:cut reconcile:bare
		classify:hidden-untrusted classify:hidden-application classify:shown`) {
		if name := strings.Replace(want, ":", " ", 1); found[name] == 0 {
			t.Errorf("no %s among %v", name, found)
		}
	}
	for _, function := range abi.Functions() {
		if found[function+" answer"] < 200 && function != abi.FunctionDescribe {
			t.Errorf("%s is accepted too seldom: %v", function, found)
		}
	}
}

// details names what an answer says of its keys or its items.
func details(t *testing.T, answer []byte) []string {
	t.Helper()
	var said struct {
		Inputs   []abi.Input
		Receipts []abi.Receipt
		Items    []struct {
			Hidden bool
			Kind   string
		}
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		t.Fatal(err)
	}
	var all []string
	context := map[string]string{} // what was told of each key
	for _, input := range said.Inputs {
		if input.Source == abi.SourceAdditionalContext {
			context[*input.Key] += input.Item.Content[0].Text
		}
	}
	for _, text := range context {
		if strings.Contains(text, ">[no longer applies]<") {
			all = append(all, "announced")
		}
	}
	for _, r := range said.Receipts {
		all = append(all, string(r.Change))
		for _, w := range r.Warnings {
			all = append(all, string(w))
		}
		if r.Truncated == nil {
			continue
		}
		all = append(all, "cut")
		if !strings.Contains(context[r.Key], fmt.Sprintf("…%d tokens truncated…", r.Truncated.RemovedTokens)) {
			all = append(all, "bare")
		}
	}
	for _, item := range said.Items {
		if !item.Hidden {
			all = append(all, "shown")
			continue
		}
		all = append(all, "hidden-"+item.Kind)
	}
	return all
}

// outcome names what was answered: an error's kind, or "answer".
func outcome(t *testing.T, answer []byte) string {
	t.Helper()
	var refused struct{ Error *abi.Error }
	if err := json.Unmarshal(answer, &refused); err != nil {
		t.Fatal(err)
	}
	if refused.Error == nil {
		return "answer"
	}
	return string(refused.Error.Kind)
}
