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
)

var turnKindNames = []string{
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

func (s *state) reset() {
	s.given, s.turn.active = false, false
	s.threadID = json.String{}
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
	if !r.At('{') {
		if r.Null() {
			return
		}
		r.Kind() // moves to the value
	}
	s.given = true
	begin := r.Offset()
	var f json.Fields
	if !r.Fields(&f, &stateFields) {
		return
	}
	version := stateVersion
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch i {
		case stateFieldVersion:
			r.Integer(&version, stateVersion)
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
		r.RejectUnsupported(begin, "version "+strconv.Itoa(version)+" of the state is newer than "+strconv.Itoa(stateVersion))
	}
}

var turnFields = []string{"id", "kind"}

const (
	activeTurnID = iota
	activeTurnKind
)

// read reads the next value as an active turn; null is none.
func (t *activeTurn) read(r *json.Reader) {
	t.active, t.id, t.kind = false, json.String{}, regularTurn
	var f json.Fields
	if r.Null() {
		return
	}
	t.active = true // or is meant to be
	if !r.Fields(&f, &turnFields) {
		return
	}
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch i {
		case activeTurnID:
			r.String(&t.id)
		case activeTurnKind:
			readTurnKind(r, &t.kind)
		}
	}
	r.Require(&f, activeTurnID)
	r.Require(&f, activeTurnKind)
}

// readTurnKind reads the next value as a kind of turn.
func readTurnKind(r *json.Reader, kind *turnKind) {
	if k := r.Enum("kind", turnKindNames); k >= 0 {
		*kind = turnKind(k)
	}
}

// maxFrame bounds what an answer has besides the ids, the store, the inputs and
// the receipts.
const maxFrame = 256

// rawBytes bounds how many bytes it takes to write s, without its quotes.
func rawBytes(s json.String) int { return int(s.End - s.Start) }

// rawBytes bounds how many bytes it takes to write the ids of an answer.
func (s *state) rawBytes() int {
	total := rawBytes(s.threadID)
	if s.turn.active {
		total += 2 * rawBytes(s.turn.id)
	}
	return total
}

// stateBegin is what a state begins with.
var stateBegin = `{"version":` + strconv.Itoa(stateVersion) + `,"threadId":`

// stateTemplate is a state up to its store, in a turn.
var stateTemplate = []string{stateBegin + `"`, `","activeTurn":{"id":"`, `","kind":"`, `"},"additionalContext":`}

// writeState writes a state up to its store, which is to be written next, and a
// bracket behind it.
func writeState(w *json.Writer, text []byte, threadID json.String, turn activeTurn) {
	if turn.active && max(threadID.Form, turn.id.Form) < json.Foreign {
		w.Fill(stateTemplate, []string{threadID.Filling(text), turn.id.Filling(text), turnKindNames[turn.kind]})
		return
	}
	w.Text(stateBegin)
	w.String(text, threadID)
	w.Text(`,"activeTurn":`)
	turn.write(w, text)
	w.Text(`,"additionalContext":`)
}

// write writes the active turn, null for none.
func (t *activeTurn) write(w *json.Writer, text []byte) {
	if !t.active {
		w.Text("null")
		return
	}
	w.Text(`{"id":`)
	w.String(text, t.id)
	w.Text(`,"kind":"`)
	w.Text(turnKindNames[t.kind])
	w.Text(`"}`)
}
