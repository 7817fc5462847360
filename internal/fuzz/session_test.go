package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/internal/model"
	"github.com/turncontext/turncontext/internal/random"
)

// count returns a number that the environment may give.
func count(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, which is no number", variable, text)
	}
	return n
}

// A thread, its state carried by hand, and the plain model go through the same
// sessions: all that can happen to a thread, in any order, under policies that
// change. TURNCONTEXT_SESSIONS says how many.
func TestSessions(t *testing.T) {
	sessions := count(t, "TURNCONTEXT_SESSIONS", 300)
	m, err := open()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var next, steps, refused atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := next.Add(1); i <= int64(sessions) && !t.Failed(); i = next.Add(1) {
				s := newSession(rand.New(rand.NewPCG(10, uint64(i))), m)
				if err := s.run(); err != nil {
					t.Errorf("session %d, step %d (%s): %v", i, s.steps, s.doing, err)
				}
				steps.Add(int64(s.steps))
				refused.Add(int64(s.refused))
			}
		})
	}
	all.Wait()
	t.Logf("%d sessions, %d steps, of which %d were refused", sessions, steps.Load(), refused.Load())
	if accepted := steps.Load() - refused.Load(); accepted < steps.Load()/2 {
		t.Errorf("only %d of %d steps were accepted", accepted, steps.Load())
	}
}

// A session is one thread with the model's idea of it.
type session struct {
	*rand.Rand
	module *host.Module
	thread *host.Thread

	state   json.RawMessage // the model's
	context random.Map      // what the client sent last
	policy  *abi.Policy
	history []json.RawMessage // the items that the model of the thread sees
	saved   []savedSession    // to go back to

	steps, refused int
	doing          string
}

// savedSession is a session at an earlier time.
type savedSession struct {
	state   json.RawMessage
	history []json.RawMessage
}

const threadID = "thread \"1\" é"

func newSession(r *rand.Rand, m *host.Module) *session {
	thread := m.NewThread(threadID, nil)
	return &session{Rand: r, module: m, thread: thread, state: thread.Snapshot(), context: random.Map{}}
}

func (s *session) run() error {
	type action struct {
		name string
		do   func() error
	}
	// Starts and steers are most of what happens.
	actions := []action{
		{"start", s.start}, {"start", s.start}, {"start", s.start}, {"steer", s.steer}, {"steer", s.steer}, {"steer", s.steer},
		{"end", s.end}, {"end", s.end}, {"set", s.set}, {"policy", s.change}, {"discard", s.discard},
		{"roll back", s.rollBack}, {"fork", s.fork}, {"compact", s.compact}, {"reword", s.reword},
	}
	for range 4 + s.IntN(16) {
		chosen := actions[s.IntN(len(actions))]
		s.steps, s.doing = s.steps+1, chosen.name
		s.saved = append(s.saved, savedSession{s.state, slices.Clone(s.history)})
		if err := chosen.do(); err != nil {
			return err
		}
		if got := s.thread.Snapshot(); !bytes.Equal(got, s.state) {
			return fmt.Errorf("the thread's state is %s, want %s", got, s.state)
		}
	}
	return nil
}

// answered is what any answer may have.
type answered struct {
	State    json.RawMessage
	Turn     abi.Turn
	Inputs   []abi.Input
	Receipts []abi.Receipt
	Error    *abi.Error
}

// ask has the model and the module answer a request, and compares them.
func (s *session) ask(function string, request map[string]any) (answered, error) {
	var a answered
	request["state"] = s.state
	text, err := json.Marshal(request)
	if err != nil {
		return a, err
	}
	want, err := model.Call(function, text)
	if err != nil {
		return a, err
	}
	got, err := s.module.Call(context.Background(), function, text)
	if _, refusal := errors.AsType[*abi.Error](err); err != nil && !refusal {
		return a, err
	}
	if !model.Same(want, got) {
		return a, fmt.Errorf("%s %s:\n got %s\nwant %s", function, text, got, want)
	}
	if err := json.Unmarshal(want, &a); err != nil {
		return a, err
	}
	if a.Error != nil {
		s.refused++
	}
	return a, nil
}

// same compares what the thread answers with what the model does.
func same(got *abi.TurnResponse, err error, want answered) error {
	refusal, refused := errors.AsType[*abi.Error](err)
	switch {
	case want.Error != nil && (!refused || refusal.Kind != want.Error.Kind || refusal.Code != want.Error.Code):
		return fmt.Errorf("the thread says %v, want %v", err, want.Error)
	case want.Error != nil:
		return nil
	case err != nil:
		return err
	case !bytes.Equal(got.State, want.State):
		return fmt.Errorf("the thread answers the state %s, want %s", got.State, want.State)
	case got.Turn != want.Turn, !reflect.DeepEqual(got.Inputs, want.Inputs), !reflect.DeepEqual(got.Receipts, want.Receipts):
		return fmt.Errorf("the thread answers %+v, want %+v", got, want)
	}
	return nil
}

// adopt takes over what was answered, unless it was refused.
func (s *session) adopt(a answered, sent random.Map) error {
	if a.Error != nil {
		return nil
	}
	s.state = a.State
	if sent != nil {
		s.context = sent
	}
	for _, input := range a.Inputs {
		item, err := json.Marshal(input.Item)
		if err != nil {
			return err
		}
		s.history = append(s.history, item)
	}
	return nil
}

// active returns the active turn's id, "" for none.
func (s *session) active() string {
	turn, _ := s.thread.ActiveTurn()
	return turn.ID
}

// send returns what a client may send now; nil for nothing.
func (s *session) send() random.Map {
	switch {
	case s.IntN(12) == 0:
		return nil
	case s.policy != nil && s.policy.Updates == abi.PatchUpdates:
		return random.Patch(s.Rand, s.context)
	case s.IntN(6) == 0:
		return random.NextNested(s.Rand, s.context)
	}
	return random.Next(s.Rand, s.context)
}

// input returns what the user says, now and then nothing.
func (s *session) input() []abi.UserInput {
	var all []abi.UserInput
	for range s.IntN(4) {
		all = append(all, []abi.UserInput{
			{Type: abi.TextInput, Text: random.Text(s.Rand)},
			{Type: abi.ImageInput, URL: "data:,", Detail: "original"},
			{Type: abi.LocalImageInput, Path: "a.png"},
			{Type: abi.SkillInput, Name: "s", Path: "/s"},
			{Type: abi.MentionInput, Name: "m", Path: "/m"},
		}[s.IntN(5)])
	}
	return all
}

// hook returns what a prompt hook says, if there is one.
func (s *session) hook() *abi.PromptHook {
	if s.IntN(3) > 0 {
		return nil
	}
	return &abi.PromptHook{Blocked: s.IntN(2) == 0, Contexts: []string{"be brief", "<external_a></external_a>"}[:s.IntN(3)]}
}

// id returns the id of a thread or turn, now and then another.
func (s *session) id(id string) string {
	if s.IntN(15) == 0 {
		return []string{"", "other"}[s.IntN(2)]
	}
	return id
}

func (s *session) newStart() abi.TurnStartRequest {
	return abi.TurnStartRequest{
		TurnID:     s.id("turn " + strconv.Itoa(s.steps)),
		Params:     abi.TurnStartParams{ThreadID: threadID, Input: s.input(), AdditionalContext: s.send()},
		PromptHook: s.hook(),
		Policy:     s.policy,
	}
}

func (s *session) start() error {
	request := s.newStart()
	if s.IntN(20) == 0 {
		request.Params.ThreadID = "other"
	}
	want, err := s.ask(abi.FunctionTurnStart, map[string]any{"turnId": request.TurnID, "params": request.Params,
		"promptHook": request.PromptHook, "policy": request.Policy})
	if err != nil {
		return err
	}
	got, err := s.thread.Start(context.Background(), request)
	if err := same(got, err, want); err != nil {
		return err
	}
	return s.adopt(want, request.Params.AdditionalContext)
}

func (s *session) steer() error {
	request := abi.TurnSteerRequest{
		Params:     abi.TurnSteerParams{ThreadID: threadID, ExpectedTurnID: s.id(s.active()), Input: s.input(), AdditionalContext: s.send()},
		PromptHook: s.hook(),
		Policy:     s.policy,
	}
	want, err := s.ask(abi.FunctionTurnSteer, map[string]any{"params": request.Params, "promptHook": request.PromptHook, "policy": request.Policy})
	if err != nil {
		return err
	}
	got, err := s.thread.Steer(context.Background(), request)
	if err := same(got, err, want); err != nil {
		return err
	}
	return s.adopt(want, request.Params.AdditionalContext)
}

// discard prepares a start, and makes nothing of it.
func (s *session) discard() error {
	request := s.newStart()
	prepared, err := s.thread.PrepareStart(context.Background(), request)
	if _, refused := errors.AsType[*abi.Error](err); refused {
		s.refused++
		return nil
	}
	if err != nil {
		return err
	}
	prepared.Discard()
	return nil
}

func (s *session) end() error {
	id := s.id(s.active())
	want, err := s.ask(abi.FunctionTurnSet, map[string]any{"activeTurn": nil, "ifTurnId": id, "policy": s.policy})
	if err != nil {
		return err
	}
	if err := s.thread.End(context.Background(), id); err != nil {
		return err
	}
	return s.adopt(want, nil)
}

func (s *session) set() error {
	turn := abi.ActiveTurn{ID: "other turn " + strconv.Itoa(s.steps), Kind: []abi.TurnKind{abi.RegularTurn, abi.ReviewTurn, abi.CompactTurn}[s.IntN(3)]}
	want, err := s.ask(abi.FunctionTurnSet, map[string]any{"activeTurn": turn})
	if err != nil {
		return err
	}
	if err := s.thread.Set(context.Background(), turn); err != nil {
		return err
	}
	return s.adopt(want, nil)
}

// change has another policy from now on.
func (s *session) change() error {
	s.policy = nil
	if s.IntN(4) == 0 {
		return nil
	}
	s.policy = new(abi.Policy)
	return json.Unmarshal(random.Policy(s.Rand, nil), s.policy)
}

// rollBack goes back to an earlier time, and reconciles.
func (s *session) rollBack() error {
	then := s.saved[s.IntN(len(s.saved))]
	if err := s.thread.Restore(context.Background(), then.state); err != nil {
		return err
	}
	s.state, s.history = then.state, slices.Clone(then.history)
	return s.reconcile()
}

// fork goes on with another thread from an earlier time, whose history the
// client cut somewhere else.
func (s *session) fork() error {
	then := s.saved[s.IntN(len(s.saved))]
	before := s.thread.Snapshot()
	fork, err := s.module.RestoreThread(context.Background(), then.state, nil)
	if err != nil {
		return err
	}
	old := s.thread
	s.thread, s.state, s.history = fork, then.state, slices.Clone(then.history[:s.IntN(len(then.history)+1)])
	if err := s.reconcile(); err != nil {
		return err
	}
	if got := old.Snapshot(); !bytes.Equal(got, before) {
		return fmt.Errorf("the thread that was left now has the state %s, had %s", got, before)
	}
	return nil
}

// compact drops some of the history, puts a summary in its place, and
// reconciles.
func (s *session) compact() error {
	kept := slices.DeleteFunc(slices.Clone(s.history), func(json.RawMessage) bool { return s.IntN(2) == 0 })
	s.history = append(kept, json.RawMessage(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a summary"}]}`))
	return s.reconcile()
}

func (s *session) reconcile() error {
	history := s.history
	if history == nil {
		history = []json.RawMessage{}
	}
	items, err := json.Marshal(history)
	if err != nil {
		return err
	}
	want, err := s.ask(abi.FunctionReconcile, map[string]any{"history": json.RawMessage(items), "policy": s.policy})
	if err != nil {
		return err
	}
	response, err := s.thread.Reconcile(context.Background(), items, s.policy)
	got := new(abi.TurnResponse)
	if err == nil {
		got.State, got.Inputs, got.Receipts = response.State, response.Inputs, response.Receipts
	}
	if err := same(got, err, want); err != nil {
		return err
	}
	return s.adopt(want, nil)
}

// reword has the thread restored from a state that a database wrote again.
func (s *session) reword() error {
	var members map[string]any // which come out in another order
	if err := json.Unmarshal(s.state, &members); err != nil {
		return err
	}
	text, err := json.MarshalIndent(members, "\t", " ")
	if err != nil {
		return err
	}
	return s.thread.Restore(context.Background(), text)
}
