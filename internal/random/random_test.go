package random_test

import (
	"encoding/json"
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
	for _, request := range requests(2000) {
		answer, err := model.Call(request.function, []byte(request.text))
		if err != nil {
			t.Fatalf("%s: %q: %v", request.function, request.text, err)
		}
		found[request.function+" "+outcome(t, answer)]++
	}
	for _, want := range strings.Fields(`
		merge:answer
		turn_set:answer turn_set:invalid_params turn_set:unsupported
		turn_start:answer turn_start:invalid_params turn_start:unsupported turn_start:experimental_api_required
		turn_start:turn_not_steerable turn_start:empty_input
		turn_steer:answer turn_steer:invalid_params turn_steer:unsupported turn_steer:experimental_api_required
		turn_steer:invalid_request turn_steer:no_active_turn turn_steer:turn_mismatch turn_steer:turn_not_steerable
		turn_steer:empty_input`) {
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
