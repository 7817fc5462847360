package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/turncontext/turncontext/abi"
)

// This file writes requests. Strings go in byte for byte, and JSON that a
// caller has goes in as it is, so that the module sees all that is wrong with
// them and can name it by its path.

// appendMergeRequest writes a request of merge. The store is looked at with the
// help of the context behind it.
func appendMergeRequest(text []byte, request abi.MergeRequest, context *sentContext) ([]byte, error) {
	text = append(text, '{')
	context.told, context.counts = follow(request.Store), true
	begin := 0
	if len(request.Store) > 0 {
		text = appendName(text, "store")
		begin = len(text)
		text = append(text, request.Store...)
	}
	text = appendContext(text, request.AdditionalContext, context)
	if end, whole := context.told.end(); !whole || end != len(request.Store) {
		return nil, notOneValue("store", begin+end)
	}
	return end(text, request.Policy), nil
}

// appendStartRequest writes a request of turn_start.
func appendStartRequest(text []byte, request abi.TurnStartRequest, context *sentContext) ([]byte, error) {
	text, err := appendStored(append(text, '{'), "state", request.State)
	if err != nil {
		return nil, err
	}
	return appendStart(text, request, context)
}

// appendStart writes what follows the state.
func appendStart(text []byte, request abi.TurnStartRequest, context *sentContext) ([]byte, error) {
	text = appendStringMember(text, "turnId", request.TurnID)
	text, err := appendStartParams(text, request.Params, context)
	if err != nil {
		return nil, err
	}
	text = appendHook(text, request.PromptHook)
	return end(text, request.Policy), nil
}

// appendSteerRequest writes a request of turn_steer.
func appendSteerRequest(text []byte, request abi.TurnSteerRequest, context *sentContext) ([]byte, error) {
	text, err := appendStored(append(text, '{'), "state", request.State)
	if err != nil {
		return nil, err
	}
	return appendSteer(text, request, context)
}

// appendSteer writes what follows the state.
func appendSteer(text []byte, request abi.TurnSteerRequest, context *sentContext) ([]byte, error) {
	text, err := appendSteerParams(text, request.Params, context)
	if err != nil {
		return nil, err
	}
	text = appendHook(text, request.PromptHook)
	return end(text, request.Policy), nil
}

// appendSetRequest writes a request of turn_set.
func appendSetRequest(text []byte, request abi.TurnSetRequest) ([]byte, error) {
	text, err := appendStored(append(text, '{'), "state", request.State)
	if err != nil {
		return nil, err
	}
	text = appendActiveTurn(appendName(text, "activeTurn"), request.ActiveTurn)
	if request.IfTurnID != nil {
		text = appendStringMember(text, "ifTurnId", *request.IfTurnID)
	}
	return append(text, '}'), nil
}

// appendReconcileRequest writes a request of reconcile.
func appendReconcileRequest(text []byte, request abi.ReconcileRequest) ([]byte, error) {
	text, err := appendStored(append(text, '{'), "state", request.State)
	if err != nil {
		return nil, err
	}
	if text, err = appendStored(text, "store", request.Store); err != nil {
		return nil, err
	}
	return appendReconcile(text, request)
}

// appendReconcile writes what follows the state and the store.
func appendReconcile(text []byte, request abi.ReconcileRequest) ([]byte, error) {
	text, err := appendStored(text, "history", request.History)
	if err != nil {
		return nil, err
	}
	return end(text, request.Policy), nil
}

// appendClassifyRequest writes a request of classify.
func appendClassifyRequest(text []byte, request abi.ClassifyRequest) ([]byte, error) {
	text, err := appendStored(append(text, '{'), "items", request.Items)
	if err != nil {
		return nil, err
	}
	if text, err = appendStored(text, "store", request.Store); err != nil {
		return nil, err
	}
	return end(text, request.Policy), nil
}

// appendGuidanceRequest writes a request of guidance.
func appendGuidanceRequest(text []byte, request abi.GuidanceRequest) []byte {
	return end(append(text, '{'), request.Policy)
}

// end ends a request with its policy.
func end(text []byte, policy *abi.Policy) []byte {
	return append(appendPolicy(text, policy), '}')
}

// appendName begins a member of an object that is being written.
func appendName(text []byte, name string) []byte {
	if text[len(text)-1] != '{' {
		text = append(text, ',')
	}
	text = append(text, '"')
	text = append(text, name...)
	return append(text, `":`...)
}

// appendStringMember writes a member that is a string.
func appendStringMember(text []byte, name, value string) []byte {
	return appendString(appendName(text, name), value)
}

// appendWord writes a member that is one of several words, unless it is the
// default.
func appendWord[T ~string](text []byte, name string, value T) []byte {
	if value == "" {
		return text
	}
	return appendStringMember(text, name, string(value))
}

// appendInt writes a member that is a number, unless there is none.
func appendInt(text []byte, name string, value *int) []byte {
	if value == nil {
		return text
	}
	return strconv.AppendInt(appendName(text, name), int64(*value), 10)
}

// appendBool writes a member that is true or false, unless there is none.
func appendBool(text []byte, name string, value *bool) []byte {
	if value == nil {
		return text
	}
	return strconv.AppendBool(appendName(text, name), *value)
}

// appendStored writes a member with what the host keeps, unless it is empty.
func appendStored(text []byte, name string, value json.RawMessage) ([]byte, error) {
	if len(value) == 0 {
		return text, nil
	}
	return appendCarried(text, name, value)
}

// appendCarried writes a member whose value is JSON that a caller has, as it
// is. It refuses what is not one JSON value and nothing else, which could bring
// members of its own into the request. It looks for the value's end only; what
// else may be wrong, the module finds.
func appendCarried(text []byte, name string, value json.RawMessage) ([]byte, error) {
	text = appendName(text, name)
	end, whole := valueEnd(value)
	if whole && end == len(value) {
		return append(text, value...), nil
	}
	return nil, notOneValue(name, len(text)+end)
}

// notOneValue is the error for what is carried but has something behind its
// end, or none.
func notOneValue(name string, offset int) error {
	return &abi.Error{
		Kind:    abi.InvalidJSON,
		Code:    abi.CodeInvalidJSON,
		Message: name + " is not one JSON value",
		Data:    fmt.Appendf(nil, `{"offset":%d}`, offset),
	}
}

// appendStartParams writes the member params of a turn_start.
func appendStartParams(text []byte, params abi.TurnStartParams, context *sentContext) ([]byte, error) {
	if params.Raw != nil {
		return appendCarried(text, "params", params.Raw)
	}
	text = append(appendName(text, "params"), '{')
	text = appendStringMember(text, "threadId", params.ThreadID)
	text = appendInput(text, params.Input)
	text = appendContext(text, params.AdditionalContext, context)
	return append(text, '}'), nil
}

// appendSteerParams writes the member params of a turn_steer.
func appendSteerParams(text []byte, params abi.TurnSteerParams, context *sentContext) ([]byte, error) {
	if params.Raw != nil {
		return appendCarried(text, "params", params.Raw)
	}
	text = append(appendName(text, "params"), '{')
	text = appendStringMember(text, "threadId", params.ThreadID)
	text = appendStringMember(text, "expectedTurnId", params.ExpectedTurnID)
	text = appendInput(text, params.Input)
	text = appendContext(text, params.AdditionalContext, context)
	return append(text, '}'), nil
}

// appendInput writes the member input.
func appendInput(text []byte, input []abi.UserInput) []byte {
	text = append(appendName(text, "input"), '[')
	for i, piece := range input {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendPiece(text, piece)
	}
	return append(text, ']')
}

// appendPiece writes a piece of user input, with the members that go with its
// type. One of an unknown type has none: the module refuses it.
func appendPiece(text []byte, piece abi.UserInput) []byte {
	text = append(text, '{')
	text = appendStringMember(text, "type", string(piece.Type))
	switch piece.Type {
	case abi.TextInput:
		text = appendStringMember(text, "text", piece.Text)
	case abi.ImageInput:
		text = appendStringMember(text, "url", piece.URL)
		text = appendWord(text, "detail", piece.Detail)
	case abi.LocalImageInput:
		text = appendStringMember(text, "path", piece.Path)
		text = appendWord(text, "detail", piece.Detail)
	case abi.SkillInput, abi.MentionInput:
		text = appendStringMember(text, "name", piece.Name)
		text = appendStringMember(text, "path", piece.Path)
	}
	return append(text, '}')
}

// A sentContext is the context of a request: what the host wrote itself is
// known, and need not be looked at where it is met again.
type sentContext struct {
	told       follower // looks for the end of the store while entries are written; empty where there is none
	begin, end int      // where in the request the member stands
	counts     bool     // whether told is all that the thread was told
	entries    int      // of the context
	changed    int      // of them, as far as told tells
}

// A forecast is what an answer likely has.
type forecast struct {
	context          []byte   // of the new state or store, with its name
	inputs, receipts int      // how many
	few              *fewTold // room for them, while they are few; nil for none
}

// contextName begins the member with the context, in a request as in a state.
const contextName = `"additionalContext":`

// forecast returns what the answer to the request that was sent likely has. The
// context is nothing if there is no member.
func (c *sentContext) forecast(sent []byte, few *fewTold) forecast {
	return forecast{context: sent[c.begin:c.end], inputs: c.changed, receipts: c.entries, few: few}
}

// appendContext writes the member additionalContext, unless there is no map.
func appendContext(text []byte, entries map[string]abi.Entry, context *sentContext) []byte {
	if entries == nil {
		return text
	}
	text = appendName(text, "additionalContext")
	context.begin = len(text) - len(contextName)
	text = appendEntries(text, entries, context)
	context.end = len(text)
	return text
}

// manyKeys is how many keys take longer to sort than to look up one by one.
const manyKeys = 1000

// appendEntries writes entries in ascending order of their keys, and so as a
// store has them: the module then need only compare bytes to see that one is
// unchanged, and so need what looks for the end of a store.
func appendEntries(text []byte, entries map[string]abi.Entry, context *sentContext) []byte {
	context.entries = len(entries)
	if len(entries) >= manyKeys {
		if written, ok := appendInStoredOrder(text, entries, context); ok {
			return written
		}
	}
	var few [16]string // so that there seldom is anything to allocate
	keys := sortedKeys(few[:0], entries)
	text = append(text, '{')
	var next abi.Entry
	if len(keys) > 0 {
		next = entries[keys[0]]
	}
	for i, key := range keys {
		entry := next
		if i > 0 {
			text = append(text, ',')
		}
		if i+1 < len(keys) {
			next = entries[keys[i+1]]
			prefetch(next.Value)
		}
		begin := len(text)
		text = append(appendString(text, key), ':')
		name := len(text) - begin
		text = appendEntry(text, entry)
		if !context.told.sorted(text[begin:], name) && context.counts {
			context.changed++
		}
	}
	return append(text, '}')
}

// appendInStoredOrder does what appendEntries does, without sorting: the store or
// the state in text has the keys in order. ok is false where it has not, or has
// not all of them.
func appendInStoredOrder(text []byte, entries map[string]abi.Entry, context *sentContext) (written []byte, ok bool) {
	stored := context.told
	if stored.text == nil {
		stored = followState(text)
	}
	text = append(text, '{')
	changed := 0
	var last []byte
	for left := len(entries); left > 0; {
		key, ok := stored.plainName()
		if !ok || last != nil && bytes.Compare(last, key) >= 0 {
			return nil, false
		}
		last = key
		entry, ok := entries[string(key)]
		if !ok {
			stored.skip()
			continue
		}
		if left < len(entries) {
			text = append(text, ',')
		}
		left--
		begin := len(text)
		text = append(append(append(text, '"'), key...), `":`...)
		text = appendEntry(text, entry)
		if !stored.pass(text[begin:]) {
			stored.skip()
			changed++
		}
	}
	if context.told.text != nil {
		context.told = stored
	}
	context.changed = changed
	return append(text, '}'), true
}

// sortedKeys returns the keys of a map in ascending order, in buffer if they fit
// in.
func sortedKeys[T any](buffer []string, entries map[string]T) []string {
	if len(entries) > cap(buffer) {
		buffer = make([]string, 0, len(entries))
	}
	keys := buffer
	for key := range entries {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// appendEntry writes an entry, null for one that is removed.
func appendEntry(text []byte, entry abi.Entry) []byte {
	if entry.Removed {
		return append(text, "null"...)
	}
	text = append(text, `{"value":`...)
	text = appendString(text, entry.Value)
	switch entry.Kind {
	case abi.Untrusted:
		return append(text, `,"kind":"untrusted"}`...)
	case abi.Application:
		return append(text, `,"kind":"application"}`...)
	}
	text = append(text, `,"kind":`...)
	text = appendString(text, string(entry.Kind))
	return append(text, '}')
}

// appendHook writes the member promptHook, unless there was no hook.
func appendHook(text []byte, hook *abi.PromptHook) []byte {
	if hook == nil {
		return text
	}
	text = appendName(text, "promptHook")
	text = append(text, `{"blocked":`...)
	text = strconv.AppendBool(text, hook.Blocked)
	text = append(text, `,"contexts":[`...)
	for i, context := range hook.Contexts {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendString(text, context)
	}
	return append(text, "]}"...)
}

// appendPolicy writes the member policy, unless it is the default.
func appendPolicy(text []byte, policy *abi.Policy) []byte {
	if policy == nil {
		return text
	}
	text = append(appendName(text, "policy"), '{')
	text = appendWord(text, "preset", policy.Preset)
	text = appendInt(text, "maxValueTokens", policy.MaxValueTokens)
	text = appendInt(text, "maxTotalTokens", policy.MaxTotalTokens)
	text = appendKeys(text, policy.Keys)
	text = appendWord(text, "truncation", policy.Truncation)
	text = appendBool(text, "strictBudget", policy.StrictBudget)
	text = appendWord(text, "tokenizer", policy.Tokenizer)
	text = appendWord(text, "wrapper", policy.Wrapper)
	text = appendWord(text, "controlCharacters", policy.ControlCharacters)
	text = appendWord(text, "updates", policy.Updates)
	text = appendWord(text, "removals", policy.Removals)
	if policy.SteerContextOnly {
		text = appendBool(text, "steerContextOnly", &policy.SteerContextOnly)
	}
	text = appendBool(text, "experimentalApi", policy.ExperimentalAPI)
	return append(text, '}')
}

// appendKeys writes the member keys, in ascending order, unless there are none.
func appendKeys(text []byte, keys map[string]abi.KeyPolicy) []byte {
	if len(keys) == 0 {
		return text
	}
	text = append(appendName(text, "keys"), '{')
	for i, key := range sortedKeys(nil, keys) {
		if i > 0 {
			text = append(text, ',')
		}
		policy := keys[key]
		text = append(appendString(text, key), ":{"...)
		text = appendInt(text, "maxValueTokens", policy.MaxValueTokens)
		text = appendWord(text, "truncation", policy.Truncation)
		if policy.Priority != 0 {
			text = appendInt(text, "priority", &policy.Priority)
		}
		text = append(text, '}')
	}
	return append(text, '}')
}

// appendActiveTurn writes a turn, null for none.
func appendActiveTurn(text []byte, turn *abi.ActiveTurn) []byte {
	if turn == nil {
		return append(text, "null"...)
	}
	text = append(text, '{')
	text = appendStringMember(text, "id", turn.ID)
	text = appendStringMember(text, "kind", string(turn.Kind))
	return append(text, '}')
}
