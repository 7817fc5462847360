package host_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
)

// One module serves a whole program. Each turn goes with the store of the turn
// before, and what comes back goes into the history first, into storage second.
func Example() {
	ctx := context.Background()
	module, err := host.Open(ctx, host.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() {
		if err := module.Close(ctx); err != nil {
			log.Print(err)
		}
	}()

	var store abi.Store // nothing: a new thread
	for _, ci := range []string{"3 tests failed", "3 tests failed", "passed"} {
		response, err := module.Merge(ctx, abi.MergeRequest{
			Store: store,
			AdditionalContext: map[string]abi.Entry{
				"ci": {Value: ci, Kind: abi.Untrusted},
			},
		})
		if err != nil {
			log.Print(err)
			return
		}
		for _, input := range response.Inputs {
			fmt.Println(input.Item.Role, input.Item.Content[0].Text)
		}
		for _, receipt := range response.Receipts {
			fmt.Println(receipt.Key, receipt.Change)
		}
		store = response.Store
	}

	// Output:
	// user <external_ci>3 tests failed</external_ci>
	// ci added
	// ci unchanged
	// user <external_ci>passed</external_ci>
	// ci changed
}

// A refused request changes nothing, and tells where it is wrong.
func ExampleModule_Call() {
	ctx := context.Background()
	module, err := host.Open(ctx, host.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() {
		if err := module.Close(ctx); err != nil {
			log.Print(err)
		}
	}()

	request := []byte(`{"additionalContext":{"ci":{"value":"ok","kind":"foo"}}}`)
	_, err = module.Call(ctx, abi.FunctionMerge, request)
	if refused, ok := errors.AsType[*abi.Error](err); ok {
		fmt.Println(refused.Kind, refused.Code, string(refused.Data))
	}

	// Output:
	// invalid_params -32602 {"path":"additionalContext.ci.kind","offset":48}
}
