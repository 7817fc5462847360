package turn

import (
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
)

// stateVersion is the version of the state that this module reads and writes.
const stateVersion = 1

// turnKind is the kind of a turn.
type turnKind uint8

const (
	regularTurn turnKind = iota
	reviewTurn
	compactTurn
	turnKinds
)

var turnKindNames = [turnKinds]string{
	regularTurn: string(abi.RegularTurn), reviewTurn: string(abi.ReviewTurn), compactTurn: string(abi.CompactTurn),
}

// activeTurn is the turn that a thread is in, if any.
type activeTurn struct {
	active bool
	id     json.String
	kind   turnKind
}

// state is a thread's state without its store, which Core.merge has.
type state struct {
	given    bool
	threadID json.String
	turn     activeTurn
}

var stateFields = []string{"version", "threadId", "activeTurn", "additionalContext"}

const (
	stateFieldVersion = iota
	stateThreadID
	stateActiveTurn
	stateContext
)

// readState reads the next value as a state; null is none.
func (c *Core) readState(r *json.Reader) {
	s := &c.state
	if r.Null() {
		return
	}
	s.given = true
	r.Kind()
	begin := r.Offset()
	var f json.Fields
	if !r.Fields(&f, stateFields) {
		return
	}
	version := stateVersion
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch i {
		case stateFieldVersion:
			readVersion(r, &version)
		case stateThreadID:
			r.String(&s.threadID)
		case stateActiveTurn:
			s.turn.read(r)
		case stateContext:
			c.merge.Old.Read(r, &c.merge.New)
		}
	}
	r.Require(&f, stateFieldVersion)
	r.Require(&f, stateThreadID)
	if version > stateVersion {
		// What else seems wrong may be right in that version.
		r.RejectVersion(begin, "version "+strconv.Itoa(version)+" of the state is newer than "+strconv.Itoa(stateVersion))
	}
}

// readVersion reads the next value as a version of the state.
func readVersion(r *json.Reader, version *int) {
	r.Kind()
	begin := r.Offset()
	r.Integer(version)
	if *version < 1 {
		r.Reject(begin, "expected an integer from 1 on")
	}
}

var turnFields = []string{"id", "kind"}

const (
	turnFieldID = iota
	turnFieldKind
)

// read reads the next value as an active turn; null is none.
func (t *activeTurn) read(r *json.Reader) {
	*t = activeTurn{}
	var f json.Fields
	if r.Null() || !r.Fields(&f, turnFields) {
		return
	}
	t.active = true
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch i {
		case turnFieldID:
			r.String(&t.id)
		case turnFieldKind:
			readTurnKind(r, &t.kind)
		}
	}
	r.Require(&f, turnFieldID)
	r.Require(&f, turnFieldKind)
}

// readTurnKind reads the next value as a kind of turn.
func readTurnKind(r *json.Reader, kind *turnKind) {
	var s json.String
	if !r.String(&s) {
		return
	}
	name := s.Bytes(r.Text(), nil)
	for k, known := range turnKindNames {
		if string(name) == known {
			*kind = turnKind(k)
			return
		}
	}
	r.Reject(int(s.Start)-1, "unknown kind "+json.Excerpt(name)+`, expected "regular", "review" or "compact"`)
}

// appendState appends a state. The store is appended by appendStore.
func appendState(dst, text []byte, threadID json.String, turn activeTurn, appendStore func([]byte) []byte) []byte {
	dst = json.Append(dst, `{"version":`)
	dst = strconv.AppendInt(dst, stateVersion, 10)
	dst = json.Append(dst, `,"threadId":`)
	dst = json.AppendString(dst, text, threadID)
	dst = json.Append(dst, `,"activeTurn":`)
	dst = turn.append(dst, text)
	dst = json.Append(dst, `,"additionalContext":`)
	dst = appendStore(dst)
	return json.Append(dst, `}`)
}

// append appends the active turn, null for none.
func (t *activeTurn) append(dst, text []byte) []byte {
	if !t.active {
		return json.Append(dst, "null")
	}
	dst = json.Append(dst, `{"id":`)
	dst = json.AppendString(dst, text, t.id)
	dst = json.Append(dst, `,"kind":"`)
	dst = append(dst, turnKindNames[t.kind]...)
	return json.Append(dst, `"}`)
}
