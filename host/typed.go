package host

import (
	"context"

	"github.com/turncontext/turncontext/abi"
)

// Describe asks the module what it is and what its limits are. Errors are those
// of Call.
func (m *Module) Describe(ctx context.Context) (*abi.Description, error) {
	return ask(ctx, m, abi.FunctionDescribe, func(text []byte) ([]byte, error) { return text, nil }, readDescription)
}

// Merge compares the context that a client sent with what the thread was told
// before, and returns what to tell the model now, with the store to keep. It
// reads neither store: it carries the one given into the request as it is, and
// cuts the new one out of the answer. Strings that are not UTF-8 go to the
// module byte for byte, which refuses them.
//
// Errors are those of Call. A Store that is not one JSON value is an *abi.Error
// of kind invalid_json, as it is where the module finds that out.
func (m *Module) Merge(ctx context.Context, request abi.MergeRequest) (*abi.MergeResponse, error) {
	var sending sentContext
	type told struct {
		abi.MergeResponse
		few fewTold
	}
	response, err := ask(ctx, m, abi.FunctionMerge, func(text []byte) ([]byte, error) {
		return appendMergeRequest(text, request, &sending)
	}, func(answer, sent []byte, response *told) error {
		return readMerge(answer, sending.forecast(sent, &response.few), &response.MergeResponse)
	})
	if err != nil {
		return nil, err
	}
	return &response.MergeResponse, nil
}

// TurnStart starts a turn, or steers the active one, and returns what to tell
// the model, with the state to keep. A [Thread] does this for one thread.
//
// The state and Params.Raw are carried as Merge carries a store, and errors are
// those of Merge. A turn that the module refuses to start or to steer is an
// *abi.Error; it changed nothing.
func (m *Module) TurnStart(ctx context.Context, request abi.TurnStartRequest) (*abi.TurnResponse, error) {
	var sending sentContext
	return ask(ctx, m, abi.FunctionTurnStart, func(text []byte) ([]byte, error) {
		return appendStartRequest(text, request, &sending)
	}, func(answer, sent []byte, response *abi.TurnResponse) error {
		return readTurn(answer, sending.forecast(sent, nil), response)
	})
}

// TurnSteer adds to the active turn. It is like TurnStart otherwise.
func (m *Module) TurnSteer(ctx context.Context, request abi.TurnSteerRequest) (*abi.TurnResponse, error) {
	var sending sentContext
	return ask(ctx, m, abi.FunctionTurnSteer, func(text []byte) ([]byte, error) {
		return appendSteerRequest(text, request, &sending)
	}, func(answer, sent []byte, response *abi.TurnResponse) error {
		return readTurn(answer, sending.forecast(sent, nil), response)
	})
}

// TurnSet writes into a state which turn is active: a turn began that no client
// started, or the turn ended. Errors are those of Merge.
func (m *Module) TurnSet(ctx context.Context, request abi.TurnSetRequest) (*abi.TurnSetResponse, error) {
	return ask(ctx, m, abi.FunctionTurnSet, func(text []byte) ([]byte, error) {
		return appendSetRequest(text, request)
	}, readSet)
}

// Reconcile compares what a thread was told with the history that is left, and
// returns what to tell the model again. [Thread.Reconcile] does this for one
// thread.
//
// The state or store, and the history, are carried as Merge carries a store:
// whatever is in the history stays as it is. Errors are those of Merge.
func (m *Module) Reconcile(ctx context.Context, request abi.ReconcileRequest) (*abi.ReconcileResponse, error) {
	return ask(ctx, m, abi.FunctionReconcile, func(text []byte) ([]byte, error) {
		return appendReconcileRequest(text, request)
	}, readReconcile)
}

// Classify tells which items are hidden context, and not what a person or the
// host wrote: what a client is not to show. Items are carried as Merge carries
// a store, and errors are those of Merge.
func (m *Module) Classify(ctx context.Context, request abi.ClassifyRequest) (*abi.ClassifyResponse, error) {
	return ask(ctx, m, abi.FunctionClassify, func(text []byte) ([]byte, error) {
		return appendClassifyRequest(text, request)
	}, readClassify)
}

// Guidance returns a paragraph for a system prompt, which tells the model what
// hidden context is. It is always the same for the same policy, so one call for
// a policy will do. Errors are those of Call.
func (m *Module) Guidance(ctx context.Context, request abi.GuidanceRequest) (*abi.GuidanceResponse, error) {
	return ask(ctx, m, abi.FunctionGuidance, func(text []byte) ([]byte, error) {
		return appendGuidanceRequest(text, request), nil
	}, readGuidance)
}
