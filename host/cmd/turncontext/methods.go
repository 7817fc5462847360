package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/internal/jsonobject"
)

// The states of a turn, as the protocol names them.
const (
	turnInProgress  = "inProgress"
	turnCompleted   = "completed"
	turnInterrupted = "interrupted"
)

// rpcTurn is a turn as messages have it. Its items are told by notifications.
type rpcTurn struct {
	ID     string `json:"id"`
	Items  []any  `json:"items"`
	Status string `json:"status"`
	Error  any    `json:"error"`
}

func newTurn(id, status string) rpcTurn {
	return rpcTurn{ID: id, Items: []any{}, Status: status}
}

// rpcThread is a thread as messages have it; of its turns, the active one.
type rpcThread struct {
	ID    string    `json:"id"`
	Turns []rpcTurn `json:"turns"`
}

// The results and the params of notifications.
type (
	threadOnly struct {
		Thread rpcThread `json:"thread"`
	}
	turnOnly struct {
		Turn rpcTurn `json:"turn"`
	}
	reviewStarted struct {
		Turn           rpcTurn `json:"turn"`
		ReviewThreadID string  `json:"reviewThreadId"`
	}
	steered struct {
		TurnID string `json:"turnId"`
	}
	turnOfThread struct {
		ThreadID string  `json:"threadId"`
		Turn     rpcTurn `json:"turn"`
	}
	itemOfTurn struct {
		ThreadID string      `json:"threadId"`
		TurnID   string      `json:"turnId"`
		Item     userMessage `json:"item"`
	}
	inputsOfTurn struct {
		ThreadID string `json:"threadId"`
		TurnID   string `json:"turnId"`
		Steered  bool   `json:"steered"`
		told
	}
)

// userMessage is the item that shows what a user sent.
type userMessage struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Content json.RawMessage `json:"content"` // the input of the params
}

// initialize learns what the client can do.
func (s *server) initialize(_ context.Context, params json.RawMessage) (*reply, error) {
	if s.initialized {
		return nil, invalidRequest("Already initialized")
	}
	parts, err := optionalMembers(params, "params")
	if err != nil {
		return nil, err
	}
	capabilities, err := optionalMembers(parts["capabilities"], "capabilities")
	if err != nil {
		return nil, err
	}
	var experimentalAPI bool
	if err := optional(capabilities["experimentalApi"], &experimentalAPI); err != nil {
		return nil, invalidParams("capabilities.experimentalApi", "expected a boolean")
	}
	var optOut []string
	if err := optional(capabilities["optOutNotificationMethods"], &optOut); err != nil {
		return nil, invalidParams("capabilities.optOutNotificationMethods", "expected an array of strings")
	}
	s.initialized, s.experimentalAPI = true, experimentalAPI
	s.optedOut = map[string]bool{}
	for _, method := range optOut {
		s.optedOut[method] = true
	}
	return &reply{result: struct {
		UserAgent string `json:"userAgent"`
	}{abi.Name + "/" + abi.BuildVersion}}, nil
}

// optional decodes a value that may be absent.
func optional(value json.RawMessage, to any) error {
	if value == nil {
		return nil
	}
	return json.Unmarshal(value, to)
}

// optionalMembers reads an object that may be absent or null.
func optionalMembers(value json.RawMessage, path string) (map[string]json.RawMessage, error) {
	if value == nil || string(value) == "null" {
		return nil, nil
	}
	parts, err := jsonobject.Members(value)
	if err != nil {
		return nil, invalidParams(path, err.Error())
	}
	return parts, nil
}

// threadStart makes a thread. It reads nothing of the params.
func (s *server) threadStart(_ context.Context, params json.RawMessage) (*reply, error) {
	if _, err := optionalMembers(params, "params"); err != nil {
		return nil, err
	}
	t := &thread{id: s.e.newID()}
	if err := s.keep(t, s.module.NewThread(t.id, nil).Snapshot(), nil); err != nil {
		return nil, err
	}
	s.threads[t.id] = t
	return showThread(t, note{method: "thread/started"})
}

// threadResume tells what a client has to know to go on with a thread.
func (s *server) threadResume(_ context.Context, params json.RawMessage) (*reply, error) {
	_, t, err := s.params(params)
	if err != nil {
		return nil, err
	}
	return showThread(t)
}

// showThread answers with a thread, as do the notes.
func showThread(t *thread, notes ...note) (*reply, error) {
	active, err := activeTurn(t.state)
	if err != nil {
		return nil, err
	}
	shown := rpcThread{t.id, []rpcTurn{}}
	if active != nil {
		shown.Turns = append(shown.Turns, newTurn(active.ID, turnInProgress))
	}
	for i := range notes {
		notes[i].params = threadOnly{shown}
	}
	return &reply{threadOnly{shown}, notes}, nil
}

// turnStart starts a turn, or steers the active one.
func (s *server) turnStart(ctx context.Context, params json.RawMessage) (*reply, error) {
	id, err := encode(s.e.newID())
	if err != nil {
		return nil, err
	}
	t, answer, err := s.turn(ctx, abi.FunctionTurnStart, params, member{"turnId", id})
	if err != nil {
		return nil, err
	}
	turn := newTurn(answer.Turn.ID, turnInProgress)
	r := &reply{result: turnOnly{turn}}
	if !answer.Turn.Steered {
		r.notes = append(r.notes, note{"turn/started", turnOfThread{t.id, turn}})
	}
	return r, s.tellInputs(r, t, answer, params)
}

// turnSteer adds to the active turn.
func (s *server) turnSteer(ctx context.Context, params json.RawMessage) (*reply, error) {
	t, answer, err := s.turn(ctx, abi.FunctionTurnSteer, params)
	if err != nil {
		return nil, err
	}
	r := &reply{result: steered{answer.Turn.ID}}
	return r, s.tellInputs(r, t, answer, params)
}

// turn lets the module answer, and keeps what follows from it. It is not
// host.Thread that answers: what goes to the client is what the module wrote,
// to the byte.
func (s *server) turn(ctx context.Context, function string, params json.RawMessage, more ...member) (*thread, *turnAnswer, error) {
	t, err := s.threadOf(params)
	if err != nil {
		return nil, nil, err
	}
	policy := withFields(s.policy, experimentalAPI(s.experimentalAPI))
	all := append([]member{{"params", params}, {"state", t.state}, {"policy", policy}}, more...)
	text, err := s.module.Call(ctx, function, requestOf(all...))
	if err != nil {
		return nil, nil, err
	}
	answer, err := readTurnAnswer(text)
	if err != nil {
		return nil, nil, err
	}
	if answer.Inputs, err = resolveImages(answer.Inputs); err != nil {
		return nil, nil, err
	}
	record, err := encode(answer.shown())
	if err != nil {
		return nil, nil, err
	}
	return t, answer, s.keep(t, answer.State, record)
}

// resolveImages puts local images into inputs, where there are any.
func resolveImages(inputs json.RawMessage) (json.RawMessage, error) {
	// In a string the quotes would be escaped.
	if !bytes.Contains(inputs, []byte(`"unresolved":`)) {
		return inputs, nil
	}
	var all []abi.Input
	if err := json.Unmarshal(inputs, &all); err != nil {
		return nil, fmt.Errorf("the module's answer: %w", err)
	}
	for i := range all {
		all[i] = host.ResolveImages(all[i], host.ImageOptions{})
	}
	return encode(all)
}

// nowhere is the state for params that name no thread. The module refuses them,
// and knows best why.
var nowhere = &thread{state: json.RawMessage(`{"version":1,"threadId":""}`)}

// threadOf returns the thread that params of turn/start or turn/steer name.
func (s *server) threadOf(params json.RawMessage) (*thread, error) {
	parts, err := optionalMembers(params, "params")
	if err != nil {
		return nowhere, nil
	}
	id, err := stringMember(parts, "threadId")
	if err != nil {
		return nowhere, nil
	}
	return s.thread(id)
}

// thread returns the thread with an id.
func (s *server) thread(id string) (*thread, error) {
	t, ok := s.threads[id]
	if !ok {
		return nil, invalidRequest("thread not found: %s", id)
	}
	return t, nil
}

// keep makes a state the thread's, after it is on the disk.
func (s *server) keep(t *thread, state, record json.RawMessage) error {
	if t == nowhere {
		return invalidRequest("the params name no thread")
	}
	if s.folder != nil {
		history, err := s.folder.keep(t, state, record)
		if err != nil {
			return err
		}
		t.history = history
	}
	t.state = state
	return nil
}

// tellInputs adds to a reply what the model would see, and what the user sent.
func (s *server) tellInputs(r *reply, t *thread, answer *turnAnswer, params json.RawMessage) error {
	turn := answer.Turn
	r.notes = append(r.notes, note{"turn/inputs", inputsOfTurn{t.id, turn.ID, turn.Steered, answer.told()}})
	parts, err := jsonobject.Members(params)
	if err != nil {
		return err
	}
	var pieces []json.RawMessage
	if err := json.Unmarshal(parts["input"], &pieces); err != nil {
		return err
	}
	if len(pieces) == 0 {
		return nil
	}
	item := itemOfTurn{t.id, turn.ID, userMessage{"userMessage", s.e.newID(), parts["input"]}}
	r.notes = append(r.notes, note{"item/started", item}, note{"item/completed", item})
	return nil
}

// threadReconcile tells the model again what a history lost.
func (s *server) threadReconcile(ctx context.Context, params json.RawMessage) (*reply, error) {
	parts, t, err := s.params(params)
	if err != nil {
		return nil, err
	}
	text, err := s.module.Call(ctx, abi.FunctionReconcile,
		requestOf(member{"history", parts["history"]}, member{"state", t.state}, member{"policy", s.policy}))
	if err != nil {
		return nil, err
	}
	answer, err := readTurnAnswer(text)
	if err != nil {
		return nil, err
	}
	record, err := encode(answer.told())
	if err != nil {
		return nil, err
	}
	return &reply{result: answer.told()}, s.keep(t, answer.State, record)
}

// threadClassify tells which items are hidden context, as a thread knows it.
func (s *server) threadClassify(ctx context.Context, params json.RawMessage) (*reply, error) {
	parts, t, err := s.params(params)
	if err != nil {
		return nil, err
	}
	state, err := jsonobject.Members(t.state)
	if err != nil {
		return nil, err
	}
	return s.ask(ctx, abi.FunctionClassify,
		member{"items", parts["items"]}, member{"store", state["additionalContext"]}, member{"policy", s.policy})
}

// guidanceRead tells what to put into a system prompt.
func (s *server) guidanceRead(ctx context.Context, params json.RawMessage) (*reply, error) {
	if _, err := optionalMembers(params, "params"); err != nil {
		return nil, err
	}
	return s.ask(ctx, abi.FunctionGuidance, member{"policy", s.policy})
}

// ask answers with what the module answers.
func (s *server) ask(ctx context.Context, function string, request ...member) (*reply, error) {
	answer, err := s.module.Call(ctx, function, requestOf(request...))
	if err != nil {
		return nil, err
	}
	return &reply{result: json.RawMessage(answer)}, nil
}

// turnInterrupt ends the active turn as a client does that stops it.
func (s *server) turnInterrupt(ctx context.Context, params json.RawMessage) (*reply, error) {
	return s.endTurn(ctx, params, turnInterrupted)
}

// turnComplete ends the active turn as a model does that is done.
func (s *server) turnComplete(ctx context.Context, params json.RawMessage) (*reply, error) {
	return s.endTurn(ctx, params, turnCompleted)
}

func (s *server) endTurn(ctx context.Context, params json.RawMessage, status string) (*reply, error) {
	parts, t, err := s.params(params)
	if err != nil {
		return nil, err
	}
	id, err := stringMember(parts, "turnId")
	if err != nil {
		return nil, err
	}
	active, err := activeTurn(t.state)
	switch {
	case err != nil:
		return nil, err
	case active == nil:
		return nil, invalidRequest("no active turn")
	case active.ID != id:
		return nil, invalidRequest("expected active turn id `%s` but found `%s`", id, active.ID)
	}
	if err := s.setActive(ctx, t, nil); err != nil {
		return nil, err
	}
	return &reply{struct{}{}, []note{{"turn/completed", turnOfThread{t.id, newTurn(id, status)}}}}, nil
}

// reviewStart begins a turn that cannot be steered.
func (s *server) reviewStart(ctx context.Context, params json.RawMessage) (*reply, error) {
	t, turn, err := s.begin(ctx, params, abi.ReviewTurn)
	if err != nil {
		return nil, err
	}
	return &reply{reviewStarted{turn, t.id}, []note{{"turn/started", turnOfThread{t.id, turn}}}}, nil
}

// compactStart begins another turn that cannot be steered.
func (s *server) compactStart(ctx context.Context, params json.RawMessage) (*reply, error) {
	t, turn, err := s.begin(ctx, params, abi.CompactTurn)
	if err != nil {
		return nil, err
	}
	return &reply{struct{}{}, []note{{"turn/started", turnOfThread{t.id, turn}}}}, nil
}

// begin makes a new turn the active one, if there is none.
func (s *server) begin(ctx context.Context, params json.RawMessage, kind abi.TurnKind) (*thread, rpcTurn, error) {
	_, t, err := s.params(params)
	if err != nil {
		return nil, rpcTurn{}, err
	}
	active, err := activeTurn(t.state)
	if err != nil {
		return nil, rpcTurn{}, err
	}
	if active != nil {
		return nil, rpcTurn{}, invalidRequest("the turn `%s` is active", active.ID)
	}
	turn := newTurn(s.e.newID(), turnInProgress)
	err = s.setActive(ctx, t, &abi.ActiveTurn{ID: turn.ID, Kind: kind})
	return t, turn, err
}

// setActive sets a thread's active turn, nil for none.
func (s *server) setActive(ctx context.Context, t *thread, active *abi.ActiveTurn) error {
	state, _, err := setTurn(ctx, s.module, t.state, active)
	if err != nil {
		return err
	}
	return s.keep(t, state, nil)
}

// params reads params that name a thread, and finds it.
func (s *server) params(params json.RawMessage) (map[string]json.RawMessage, *thread, error) {
	parts, err := optionalMembers(params, "params")
	if err != nil {
		return nil, nil, err
	}
	id, err := stringMember(parts, "threadId")
	if err != nil {
		return nil, nil, err
	}
	t, err := s.thread(id)
	return parts, t, err
}
