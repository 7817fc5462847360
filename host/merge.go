package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/turncontext/turncontext/abi"
)

// Merge compares the context that a client sent with what the thread was told
// before, and returns what to tell the model now, with the store to keep. It
// reads neither store: it carries the one given into the request as it is, and
// cuts the new one out of the answer. Strings that are not UTF-8 go to the
// module byte for byte, which refuses them.
//
// Errors are those of Call. A Store that is not one JSON value is an *abi.Error
// of kind invalid_json, as it is where the module finds that out.
func (m *Module) Merge(ctx context.Context, request abi.MergeRequest) (*abi.MergeResponse, error) {
	text, err := mergeRequest(request)
	if err != nil {
		return nil, err
	}
	response := new(abi.MergeResponse)
	err = m.call(ctx, abi.FunctionMerge, text, func(answer []byte) error {
		if err := refusal(answer); err != nil {
			return err
		}
		return readMerge(answer, response)
	})
	if err != nil {
		return nil, err
	}
	return response, nil
}

// storeMember begins a request that has a store.
const storeMember = `{"store":`

// mergeRequest writes a request. Its entries come in the order and with the
// escapes that a store has, so that the module need only compare bytes to see
// that one is unchanged.
func mergeRequest(request abi.MergeRequest) ([]byte, error) {
	if err := checkStore(request.Store); err != nil {
		return nil, err
	}
	text := make([]byte, 0, mergeRequestSize(request))
	next := byte('{') // what comes before the next member
	if len(request.Store) > 0 {
		text = append(text, storeMember...)
		text = append(text, request.Store...)
		next = ','
	}
	if len(request.AdditionalContext) > 0 {
		text = append(text, next)
		text = append(text, `"additionalContext":`...)
		text = appendEntries(text, request.AdditionalContext)
		next = ','
	}
	if next == '{' {
		text = append(text, '{')
	}
	return append(text, '}'), nil
}

// checkStore refuses a store that is not one JSON value and nothing else: what
// is carried as it is must not bring members of its own into the request. It
// looks for the value's end only; what else may be wrong, the module finds.
func checkStore(store abi.Store) error {
	end, whole := valueEnd(store)
	if whole && end == len(store) {
		return nil
	}
	return &abi.Error{
		Kind:    abi.InvalidJSON,
		Code:    abi.CodeInvalidJSON,
		Message: "store is not one JSON value",
		Data:    fmt.Appendf(nil, `{"offset":%d}`, len(storeMember)+end),
	}
}

// appendEntries writes entries in ascending order of their keys.
func appendEntries(text []byte, entries map[string]abi.Entry) []byte {
	next := byte('{')
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		entry := entries[key]
		text = append(text, next)
		text = appendString(text, key)
		text = append(text, `:{"value":`...)
		text = appendString(text, entry.Value)
		text = append(text, `,"kind":`...)
		text = appendString(text, string(entry.Kind))
		text = append(text, '}')
		next = ','
	}
	return append(text, '}')
}

// mergeRequestSize is how long a request gets without escapes, or more.
func mergeRequestSize(request abi.MergeRequest) int {
	const members, entryMembers = 48, 32 // names, quotes and brackets, rounded up
	size := members + len(request.Store)
	for key, entry := range request.AdditionalContext {
		size += entryMembers + len(key) + len(entry.Value) + len(entry.Kind)
	}
	return size
}

// readMerge reads an answer of merge into response, which keeps nothing of the
// answer. The members of an answer have a fixed order.
func readMerge(answer []byte, response *abi.MergeResponse) error {
	store, rest, hasStore := cutMember(answer, storeMember)
	inputs, rest, hasInputs := cutMember(rest, `,"inputs":`)
	receipts, rest, hasReceipts := cutMember(rest, `,"receipts":`)
	if !hasStore || !hasInputs || !hasReceipts || string(rest) != "}" {
		return errors.New("malformed answer: it is not an object of store, inputs and receipts")
	}
	if store[0] != '{' || inputs[0] != '[' || receipts[0] != '[' {
		return errors.New("malformed answer: a member has the wrong type")
	}
	if err := json.Unmarshal(inputs, &response.Inputs); err != nil {
		return fmt.Errorf("malformed answer: inputs: %w", err)
	}
	if err := json.Unmarshal(receipts, &response.Receipts); err != nil {
		return fmt.Errorf("malformed answer: receipts: %w", err)
	}
	response.Store = bytes.Clone(store)
	return nil
}
