package host

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/turncontext/turncontext/abi"
)

// ErrSettled is the error of [Prepared.Commit] where what was prepared was
// committed or discarded before.
var ErrSettled = errors.New("host: what was prepared is committed or discarded already")

// A Thread keeps the state of one thread. Its methods may be called from many
// goroutines.
//
// Whatever changes the state does so alone: Start, Steer, Reconcile, Set, End
// and Restore of one thread happen one after the other, in the order of the
// calls; who waits gives up when its context ends. An error changes nothing. Errors are
// those of the Module's method behind; that of a context that ended wraps the
// context's.
//
// A thread is told what its model was told. So record the messages in the
// history first, then save the state: a crash between the two then repeats a
// message instead of losing one. PrepareStart and the like leave room for that,
// with the state adopted when both are done; Start and the like are for a
// history that cannot fail.
//
// There is nothing to close.
type Thread struct {
	module *Module
	id     string
	policy *abi.Policy // nil for the default
	turns  pool        // of one slot, which is the right to change the state

	mu  sync.Mutex // for who looks at now without that right, and for its change
	now *threadState
}

// A threadState is a state in the module's words, with what stands at its
// beginning. It does not change, but for one that no thread has any more.
type threadState struct {
	text   abi.State
	id     string
	inTurn bool
	turn   abi.ActiveTurn // empty for none
}

// NewThread returns a thread that has had no turn. Its calls go by the policy,
// unless they bring one of their own; nil is the default one. It is kept, so it must
// not change. An id that is not UTF-8 is refused by the first call.
func (m *Module) NewThread(id string, policy *abi.Policy) *Thread {
	return m.threadOf(id, abi.Store("{}"), policy)
}

// threadOf returns a thread that was told a store, which is in the module's words.
func (m *Module) threadOf(id string, store abi.Store, policy *abi.Policy) *Thread {
	text := appendStringMember([]byte(`{"version":1`), "threadId", id)
	text = append(text, `,"activeTurn":null,`+contextName...)
	text = append(append(text, store...), '}')
	return m.newThread(&threadState{text: text, id: id}, policy)
}

// RestoreThread returns a thread that goes on from a state, of
// [Thread.Snapshot] or of an answer. A state has no policy in it: give the one of
// before, as to NewThread. The module reads the state first: a state that it
// refuses is an *[abi.Error], of kind unsupported where a newer module wrote
// it, and so is nil: where nothing was saved there is [Module.NewThread]. The
// state is not kept. One that was saved in a turn is still in it:
// [Thread.ActiveTurn] tells, and [Thread.End] ends what died.
func (m *Module) RestoreThread(ctx context.Context, state abi.State, policy *abi.Policy) (*Thread, error) {
	restored, err := m.readState(ctx, state)
	if err != nil {
		return nil, err
	}
	return m.newThread(restored, policy), nil
}

func (m *Module) newThread(state *threadState, policy *abi.Policy) *Thread {
	return &Thread{module: m, id: state.id, policy: policy, turns: pool{slots: 1, what: "the thread"}, now: state}
}

// ID returns the thread's id.
func (t *Thread) ID() string { return t.id }

// ActiveTurn returns the turn that the thread is in, and false if there is
// none. One that is prepared is not yet the thread's.
func (t *Thread) ActiveTurn() (turn abi.ActiveTurn, active bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now.turn, t.now.inTurn
}

// Snapshot returns a copy of the state, to be saved. What is prepared is not in
// it. It does not wait for what changes the thread.
func (t *Thread) Snapshot() abi.State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.now.text)
}

// Store returns a copy of what the thread was last told, for [Module.Classify]. Like
// Snapshot it does not wait.
func (t *Thread) Store() abi.Store {
	t.mu.Lock()
	defer t.mu.Unlock()
	rest := t.now.text[len(stateHead(t.now.text)):]
	return bytes.Clone(bytes.TrimSuffix(bytes.TrimPrefix(rest, []byte(contextName)), []byte("}")))
}

// Fork returns a new thread that was told what this one was, by the same policy. No
// turn is active in it. Reconcile it with its copy of the history, which may be
// shorter. Like Snapshot it does not wait.
func (t *Thread) Fork(id string) *Thread {
	return t.module.threadOf(id, t.Store(), t.policy)
}

// Start starts a turn, or steers the active one, and adopts the new state at
// once.
//
// Of the request State does not count: the thread's own stands there. Params
// without ThreadID and Raw get the thread's id, and nil stands for the thread's
// policy: an empty one is the default.
func (t *Thread) Start(ctx context.Context, request abi.TurnStartRequest) (*abi.TurnResponse, error) {
	return committed(t.PrepareStart(ctx, request))
}

// Steer adds to the active turn and adopts the new state at once. The request
// is completed as that of Start is.
func (t *Thread) Steer(ctx context.Context, request abi.TurnSteerRequest) (*abi.TurnResponse, error) {
	return committed(t.PrepareSteer(ctx, request))
}

// committed commits what was just prepared.
func committed(p *Prepared, err error) (*abi.TurnResponse, error) {
	if err != nil {
		return nil, err
	}
	return &p.TurnResponse, p.Commit()
}

// PrepareStart does what Start does, but for adopting the new state: that is
// for the caller to commit or to discard. The context bounds the preparing
// only.
func (t *Thread) PrepareStart(ctx context.Context, request abi.TurnStartRequest) (*Prepared, error) {
	if request.Params.ThreadID == "" {
		request.Params.ThreadID = t.ID()
	}
	request.Policy = t.chosen(request.Policy)
	var sending sentContext
	return t.prepare(ctx, abi.FunctionTurnStart, request.TurnID, func(text []byte) ([]byte, error) {
		sending.counts = toldNothing(text)
		return appendStart(text, request, &sending)
	}, func(answer, sent []byte, p *Prepared) error {
		return readTurn(answer, sending.forecast(sent, &p.few), &p.TurnResponse)
	})
}

// PrepareSteer does what Steer does, but for adopting the new state, as
// PrepareStart does for Start.
func (t *Thread) PrepareSteer(ctx context.Context, request abi.TurnSteerRequest) (*Prepared, error) {
	if request.Params.ThreadID == "" {
		request.Params.ThreadID = t.ID()
	}
	request.Policy = t.chosen(request.Policy)
	var sending sentContext
	return t.prepare(ctx, abi.FunctionTurnSteer, "", func(text []byte) ([]byte, error) {
		sending.counts = toldNothing(text)
		return appendSteer(text, request, &sending)
	}, func(answer, sent []byte, p *Prepared) error {
		return readTurn(answer, sending.forecast(sent, &p.few), &p.TurnResponse)
	})
}

// Reconcile compares what the thread was told with the history that is really
// left, after a compaction, a rollback, a resume or a fork, returns what to tell
// the model again, and adopts the new state at once. A policy that is nil is the
// thread's, as for Start.
func (t *Thread) Reconcile(ctx context.Context, history abi.Items, policy *abi.Policy) (*abi.ReconcileResponse, error) {
	p, err := t.PrepareReconcile(ctx, history, policy)
	if err != nil {
		return nil, err
	}
	return &abi.ReconcileResponse{State: p.State, Inputs: p.Inputs, Receipts: p.Receipts}, p.Commit()
}

// PrepareReconcile does what Reconcile does, but for adopting the new state, as
// PrepareStart does for Start. No turn comes of it: Turn is empty.
func (t *Thread) PrepareReconcile(ctx context.Context, history abi.Items, policy *abi.Policy) (*Prepared, error) {
	return t.prepare(ctx, abi.FunctionReconcile, "", func(text []byte) ([]byte, error) {
		return appendReconcile(text, abi.ReconcileRequest{History: history, Policy: t.chosen(policy)})
	}, func(answer, _ []byte, p *Prepared) error {
		var read abi.ReconcileResponse
		err := readReconcile(answer, nil, &read)
		p.TurnResponse = abi.TurnResponse{State: read.State, Inputs: read.Inputs, Receipts: read.Receipts}
		return err
	})
}

// chosen returns the policy of a call, which is the thread's if it brings none.
func (t *Thread) chosen(policy *abi.Policy) *abi.Policy {
	if policy == nil {
		return t.policy
	}
	return policy
}

// prepare makes a call with the thread's state, behind which write puts the
// rest of the request, and keeps the right to change it unless the call fails.
// A turn that it may start has this id.
func (t *Thread) prepare(
	ctx context.Context, function, turnID string,
	write func(text []byte) ([]byte, error), read func(answer, sent []byte, p *Prepared) error,
) (*Prepared, error) {
	if err := t.enter(ctx); err != nil {
		return nil, err
	}
	p := &Prepared{thread: t}
	err := askInto(ctx, t.module, function, func(text []byte) ([]byte, error) {
		// The state is a value for sure, so nobody need look for its end.
		return write(append(append(text, `{"state":`...), t.now.text...))
	}, read, p)
	if err == nil {
		p.next = spareState(len(p.State))
		p.next.text = append(p.next.text, p.State...) // p.State is the caller's
		if t.now.inTurn {
			turnID = t.now.turn.ID
		}
		err = p.next.read(function, t.id, turnID)
	}
	if err != nil {
		t.leave()
		return nil, err
	}
	return p, nil
}

// toldNothing tells whether a text that ends with a thread's state has no
// context.
func toldNothing(text []byte) bool { return bytes.HasSuffix(text, []byte(`{}}`)) }

// spareStates has states that no thread has any more: what changes a thread
// takes and leaves as much memory.
var spareStates sync.Pool // of *threadState

// spareState returns a state to overwrite, with an empty text that has room for
// so many bytes or will get memory of its own.
func spareState(size int) *threadState {
	spare, _ := spareStates.Get().(*threadState)
	if spare == nil {
		return new(threadState)
	}
	if cap(spare.text) < size || cap(spare.text)/4 > size {
		spare.text = nil
	}
	spare.text = spare.text[:0]
	return spare
}

// adopt makes a state the thread's. It is for who has the right to change it.
func (t *Thread) adopt(next *threadState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	spareStates.Put(t.now) // Snapshot holds the lock while it looks at it
	t.now = next
}

// Set says that a turn began which no client started: a review or a compact
// turn. It takes the place of an active one.
func (t *Thread) Set(ctx context.Context, turn abi.ActiveTurn) error {
	return t.set(ctx, abi.TurnSetRequest{ActiveTurn: &turn})
}

// End says that a turn ended: the one that the answer to its start names, which
// is another than was asked for where one was active already. If it is not the
// active one, because another began in the meantime, nothing changes.
func (t *Thread) End(ctx context.Context, turnID string) error {
	return t.set(ctx, abi.TurnSetRequest{IfTurnID: &turnID})
}

func (t *Thread) set(ctx context.Context, request abi.TurnSetRequest) error {
	if err := t.enter(ctx); err != nil {
		return err
	}
	defer t.leave()
	request.State = t.now.text
	next, err := t.module.setState(ctx, request)
	if err != nil {
		return err
	}
	t.adopt(next)
	return nil
}

// Restore makes the thread go on from another state of its own, as a rollback
// does from an older one. What is prepared is waited for. Errors are those of
// RestoreThread; a state of another thread is an error as well. The state is
// not kept.
func (t *Thread) Restore(ctx context.Context, state abi.State) error {
	if err := t.enter(ctx); err != nil {
		return err
	}
	defer t.leave()
	restored, err := t.module.readState(ctx, state)
	if err != nil {
		return err
	}
	if restored.id != t.ID() {
		return fmt.Errorf("host: restoring thread %q: the state is that of thread %q", t.ID(), restored.id)
	}
	t.adopt(restored)
	return nil
}

// enter waits until nobody else changes the state.
func (t *Thread) enter(ctx context.Context) error {
	_, err := t.turns.take(ctx)
	return err
}

// leave lets the next in line change the state.
func (t *Thread) leave() { t.turns.give(nil) }

// readState has the module read a state, and returns it in the module's words.
func (m *Module) readState(ctx context.Context, state abi.State) (*threadState, error) {
	nobodys := rand.Text() // so that no turn ends
	return m.setState(ctx, abi.TurnSetRequest{State: state, IfTurnID: &nobodys})
}

func (m *Module) setState(ctx context.Context, request abi.TurnSetRequest) (*threadState, error) {
	response, err := m.TurnSet(ctx, request)
	if err != nil {
		return nil, err
	}
	return readThreadState(abi.FunctionTurnSet, response.State)
}

// readThreadState reads the beginning of a state that a function of the module
// answered.
func readThreadState(function string, text abi.State) (*threadState, error) {
	state := &threadState{text: text}
	if err := state.read(function, "", ""); err != nil {
		return nil, err
	}
	return state, nil
}

// read reads the beginning of the text, where this id and turn are likely.
func (s *threadState) read(function, id, turnID string) error {
	if s.readLikely(id, turnID) {
		return nil
	}
	r := newReader(stateHead(s.text))
	r.want(`{"version":`)
	r.int()
	r.want(`,"threadId":`)
	s.id = r.string()
	r.want(`,"activeTurn":`)
	s.inTurn, s.turn = !r.skip(`null`), abi.ActiveTurn{}
	if s.inTurn {
		s.turn = r.activeTurn()
	}
	r.want(`,`)
	if r.failed {
		return s.readAny(function)
	}
	return nil
}

// readLikely is read for nothing but what is likely, of which nothing need be
// copied. It tells whether that stands there.
func (s *threadState) readLikely(id, turnID string) bool {
	r := newReader(s.text)
	if !r.skip(`{"version":1,"threadId":`) || !r.skipString(id) || !r.skip(`,"activeTurn":{"id":`) ||
		!r.skipString(turnID) || !r.skip(`,"kind":"regular"},`) {
		return false
	}
	s.id, s.inTurn, s.turn = id, true, abi.ActiveTurn{ID: turnID, Kind: abi.RegularTurn}
	return true
}

// stateHead returns what stands before the context.
func stateHead(text []byte) []byte {
	f := follow(text)
	f.skipHead()
	return text[:f.at]
}

// readAny is read for any JSON of the members that it wants.
func (s *threadState) readAny(function string) error {
	_, rest, hasVersion := cutMember(s.text, `{"version":`)
	id, rest, hasID := cutMember(rest, `,"threadId":`)
	active, _, hasActive := cutMember(rest, `,"activeTurn":`)
	if !hasVersion || !hasID || !hasActive {
		return malformedState(function, errors.New("it does not begin with version, threadId and activeTurn"))
	}
	var turn *abi.ActiveTurn
	s.id = ""
	if err := json.Unmarshal(id, &s.id); err != nil {
		return malformedState(function, err)
	}
	if err := json.Unmarshal(active, &turn); err != nil {
		return malformedState(function, err)
	}
	s.inTurn, s.turn = turn != nil, abi.ActiveTurn{}
	if turn != nil {
		s.turn = *turn
	}
	return nil
}

func malformedState(function string, err error) error {
	return &ModuleError{Function: function, Err: fmt.Errorf("malformed answer: state: %w", err)}
}

// Prepared is a turn that was started or steered, or a history that was
// reconciled, with the thread's state as it was. Record the inputs, save the state, then commit:
//
//	prepared, err := thread.PrepareStart(ctx, request)
//	if err != nil {
//		return err
//	}
//	defer prepared.Discard()
//	// put prepared.Inputs into the history, save prepared.State
//	return prepared.Commit()
//
// Until then whatever would change the thread waits. One that is neither
// committed nor discarded blocks the thread for good.
type Prepared struct {
	// TurnResponse is what the module answered. It is the caller's: changes do
	// not reach the thread.
	abi.TurnResponse

	thread  *Thread
	next    *threadState
	settled atomic.Bool
	few     fewTold // for TurnResponse
}

// Commit adopts the new state and lets the next in line go on. It fails only
// with [ErrSettled], if Commit or Discard was called before, and then does
// nothing.
func (p *Prepared) Commit() error {
	if p.settled.Swap(true) {
		return ErrSettled
	}
	p.thread.adopt(p.next)
	p.thread.leave()
	return nil
}

// Discard drops the new state, as if nothing had been asked, and lets the next
// in line go on. After Commit or Discard it does nothing, so it may be
// deferred.
func (p *Prepared) Discard() {
	if p.settled.Swap(true) {
		return
	}
	spareStates.Put(p.next)
	p.thread.leave()
}
