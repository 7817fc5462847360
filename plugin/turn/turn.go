package turn

import (
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/params"
)

// request is what turn_start and turn_steer read, without the state and the
// maps to merge.
type request struct {
	steer    bool
	turnID   json.String // of a start
	threadID json.String
	expected json.String // of a steer
	input    userInput
	context  bool // there is an additionalContext that is not null
	hook     promptHook
	policy   policy
}

// reset forgets the request before. It goes member by member: to clear or to
// copy a large struct costs more.
func (q *request) reset() {
	q.steer, q.context = false, false
	q.turnID, q.threadID, q.expected = json.String{}, json.String{}, json.String{}
	q.input = q.input[:0]
	q.hook.reset()
	q.policy.reset()
}

var (
	startMembers = []string{startState: "state", startParams: "params", startHook: "promptHook", startPolicy: "policy", startTurnID: "turnId"}
	steerMembers = startMembers[:startTurnID]
)

const (
	startState = iota
	startParams
	startHook
	startPolicy
	startTurnID
)

// turnStart answers a request to turn_start.
func (c *Core) turnStart(length int) []byte { return c.takeInput(length, false) }

// turnSteer answers a request to turn_steer.
func (c *Core) turnSteer(length int) []byte { return c.takeInput(length, true) }

// takeInput answers a request that brings a user's input.
func (c *Core) takeInput(length int, steer bool) []byte {
	r := c.read(length)
	c.request.steer = steer
	end, read := c.readUsual()
	if read&(1<<startParams) == 0 || end+1 != length || r.Text()[end] != '}' {
		c.readRequest(r, end, read)
		if refusal := c.finish(); refusal != nil {
			return refusal
		}
	}
	if refusal := c.check(); refusal != nil {
		return refusal
	}
	return c.answer()
}

// readRequest reads the request, or what is left of it behind the members that were read,
// a bit for each, up to end.
func (c *Core) readRequest(r *json.Reader, end int, read uint64) {
	members := &startMembers
	if c.request.steer {
		members = &steerMembers
	}
	var f json.Fields
	if read != 0 {
		r.Resume(&f, members, read, end)
	} else if !r.Fields(&f, members) {
		return
	}
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch i {
		case startState:
			c.readState(r)
		case startParams:
			c.readParams(r)
		case startHook:
			c.request.hook.read(r)
		case startPolicy:
			c.request.policy.read(r)
		case startTurnID:
			r.String(&c.request.turnID)
		}
	}
	if c.request.steer {
		requireState(r, &c.state)
	} else {
		r.Require(&f, startTurnID)
	}
	r.Require(&f, startParams)
	if id := &c.request.turnID; !c.state.turn.active && !id.IsAbsent() && id.Len == 0 {
		r.RejectLeft(int(id.Start)-1, "turnId", "must not be empty")
	}
}

// readParams reads the next value as the params.
func (c *Core) readParams(r *json.Reader) {
	if !r.At('{') && r.Kind() != json.KindObject {
		r.RejectKind(json.KindObject.String())
		return
	}
	r.BeginPart()
	var o params.Object
	if c.request.steer {
		c.readSteerParams(r, &o)
	} else {
		c.readStartParams(r, &o)
	}
	r.EndPart()
}

func (c *Core) readStartParams(r *json.Reader, o *params.Object) {
	if !o.TurnStart(r) {
		return
	}
	for i := o.Next(r); i >= 0; i = o.Next(r) {
		switch i {
		case params.StartThreadID:
			r.String(&c.request.threadID)
		case params.StartInput:
			c.request.input.read(r)
		case params.StartAdditionalContext:
			c.readContext(r)
		default:
			o.Check(r, i)
		}
	}
}

func (c *Core) readSteerParams(r *json.Reader, o *params.Object) {
	if !o.TurnSteer(r) {
		return
	}
	for i := o.Next(r); i >= 0; i = o.Next(r) {
		switch i {
		case params.SteerThreadID:
			r.String(&c.request.threadID)
		case params.SteerExpectedTurnID:
			r.String(&c.request.expected)
		case params.SteerInput:
			c.request.input.read(r)
		case params.SteerAdditionalContext:
			c.readContext(r)
		default:
			o.Check(r, i)
		}
	}
}

// readContext reads the next value as the map that was sent.
func (c *Core) readContext(r *json.Reader) {
	c.request.context = !c.merge.New.ReadPatch(r, &c.merge.Old)
}

// check makes the checks that come after the shape, in the order of abi/README.md. It
// returns the refusal, nil for none.
func (c *Core) check() []byte {
	text, q, turn := c.reader.Text(), &c.request, &c.state.turn
	if q.context && !q.policy.experimentalAPI {
		method := "turn/start"
		if q.steer {
			method = "turn/steer"
		}
		return c.refuse(abi.ExperimentalAPIRequired, method+".additionalContext requires experimentalApi capability", "")
	}
	if c.state.given && !json.Equal(text, c.state.threadID, q.threadID) {
		return c.refuseViolation(&json.Violation{
			Offset: int(q.threadID.Start) - 1, Path: "threadId", Reason: "is not the id of the state's thread",
		})
	}
	if q.steer && q.expected.Len == 0 {
		return c.refuse(abi.InvalidRequest, "expectedTurnId must not be empty", "")
	}
	if chars := q.input.chars(text); chars > abi.MaxTextChars {
		return c.refuseLength(chars)
	}
	if q.steer {
		if refusal := c.checkExpected(); refusal != nil {
			return refusal
		}
	}
	if turn.active && turn.kind != regularTurn {
		return c.refuseKind(turn.kind)
	}
	if turn.active && len(q.input) == 0 && !(q.policy.steerContextOnly && c.merge.New.Len() > 0) {
		return c.refuse(abi.EmptyInput, "input must not be empty", "")
	}
	return nil
}

// checkExpected refuses a steer to another turn than the active one.
func (c *Core) checkExpected() []byte {
	text, expected, turn := c.reader.Text(), c.request.expected, &c.state.turn
	if !turn.active {
		return c.refuse(abi.NoActiveTurn, "no active turn to steer", "")
	}
	if json.Equal(text, expected, turn.id) {
		return nil
	}
	return c.refuse(abi.TurnMismatch, "expected active turn id `"+string(expected.Bytes(text, nil))+
		"` but found `"+string(turn.id.Bytes(text, nil))+"`", "")
}

// refuseLength answers that the user's text is too long.
func (c *Core) refuseLength(chars int) []byte {
	most := strconv.Itoa(abi.MaxTextChars)
	return c.refuse(abi.InputTooLarge, "Input exceeds the maximum length of "+most+" characters.",
		`{"input_error_code":"`+string(abi.InputTooLarge)+`","max_chars":`+most+`,"actual_chars":`+strconv.Itoa(chars)+`}`)
}

// refuseKind answers that a turn of that kind cannot be steered.
func (c *Core) refuseKind(kind turnKind) []byte {
	name := turnKindNames[kind]
	message := "cannot steer a " + name + " turn"
	return c.refuse(abi.TurnNotSteerable, message, `{"message":"`+message+
		`","codexErrorInfo":{"activeTurnNotSteerable":{"turnKind":"`+name+`"}},"additionalDetails":null}`)
}

// answer merges, and answers with what the model is told and the next state.
func (c *Core) answer() []byte {
	text, q, m := c.reader.Text(), &c.request, &c.merge
	turn, steered := c.state.turn, c.state.turn.active
	if !steered {
		turn = activeTurn{active: true, id: q.turnID, kind: regularTurn}
	}
	m.Policy = &q.policy.merge
	m.Compare(text)
	w := c.write(maxFrame + c.state.rawBytes() + q.maxBytes() + m.MaxBytes())
	w.Text(`{"state":`)
	writeState(w, text, q.threadID, turn)
	m.WriteStore(w)
	writeTurn(w, text, turn.id, steered)
	m.WriteInputs(w)
	q.writeInput(w, text)
	m.WriteReceipts(w)
	return w.Bytes()
}

// What the turn, and what its inputs begin with, look like.
var (
	startedTurn = []string{`},"turn":{"id":"`, `","steered":false},"inputs":[`}
	steeredTurn = []string{`},"turn":{"id":"`, `","steered":true},"inputs":[`}
)

// writeTurn writes what stands between the store and the inputs.
func writeTurn(w *json.Writer, text []byte, id json.String, steered bool) {
	template := startedTurn
	if steered {
		template = steeredTurn
	}
	if id.Form < json.Foreign {
		w.Fill(template, []string{id.Filling(text)})
		return
	}
	w.Text(template[0])
	w.Inner(text, id)
	w.Text(template[1])
}

// maxBytes bounds what writeInput writes, and the ids of a request.
func (q *request) maxBytes() int {
	total := rawBytes(q.threadID) + 2*rawBytes(q.turnID)
	if len(q.input) == 0 {
		return total
	}
	if !q.hook.blocked {
		total += q.input.maxBytes()
	}
	return total + q.hook.maxBytes()
}

// writeInput writes what comes after the hidden context: the user's message and
// what the prompt hook adds.
func (q *request) writeInput(w *json.Writer, text []byte) {
	if len(q.input) == 0 {
		return // there was nothing for the hook to inspect
	}
	if !q.hook.blocked {
		w.Comma()
		q.input.write(w, text)
	}
	q.hook.write(w, text)
}

var setMembers = []string{"state", "activeTurn", "ifTurnId", "policy"}

const (
	setState = iota
	setActiveTurn
	setIfTurnID
	setPolicy
)

// turnSet answers a request to turn_set.
func (c *Core) turnSet(length int) []byte {
	r := c.read(length)
	var f json.Fields
	var next activeTurn
	var condition json.String
	if r.Fields(&f, &setMembers) {
		for i := r.Next(&f); i >= 0; i = r.Next(&f) {
			switch i {
			case setState:
				c.readState(r)
			case setActiveTurn:
				next.read(r)
			case setIfTurnID:
				r.String(&condition)
			case setPolicy:
				c.request.policy.read(r)
			}
		}
		requireState(r, &c.state)
		r.Require(&f, setActiveTurn)
	}
	if refusal := c.finish(); refusal != nil {
		return refusal
	}

	text, turn := r.Text(), c.state.turn
	if condition.IsAbsent() || turn.active && json.Equal(text, condition, turn.id) {
		turn = next
	}
	w := c.write(0)
	w.Text(`{"state":`)
	writeState(w, text, c.state.threadID, turn)
	c.merge.Old.Write(w, text)
	w.Text(`}}`)
	return w.Bytes()
}

// requireState rejects the request, which has been left, for want of a state;
// null is none.
func requireState(r *json.Reader, s *state) {
	if !s.given {
		r.RejectLeft(r.Left(), "state", "missing")
	}
}
