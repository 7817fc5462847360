package store

import (
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// MaxUsual is up to how many bytes a request is taken for a usual one. Of a longer one
// too much would be read again where it is not, and its answer needs room that is made
// before anything is written.
const MaxUsual = 64 << 10

// maxAtOnce is up to how many bytes both maps are read at once: in longer requests that
// gains little, and more is read again where a member is not usual.
const maxAtOnce = 4 << 10

// What stands before the maps in a request to merge.
var beforeStore, beforeContext = []string{`{"store":{`}, []string{`,"additionalContext":{`}

// ReadUsual reads two maps of usual members at the beginning of a request to merge, or
// the first of them. It returns how many it has read, and where the last one ends.
func (m *Merge) ReadUsual(text []byte) (end, maps int) {
	if !usesKernels || len(text) > MaxUsual {
		return 0, 0
	}
	const depth = 2
	m.Old.depth, m.New.depth = depth, depth
	if len(text) <= maxAtOnce {
		if end = readMaps(m, text); end >= 0 {
			return end, 2
		}
		m.Reset()
	}
	i := json.ShapeEnd(text, 0, beforeStore, nil)
	if i < 0 {
		return 0, 0
	}
	store := m.Old.ReadUsual(text, i, depth, &m.New, false)
	if store < 0 {
		m.Reset()
		return 0, 0
	}
	if i = json.ShapeEnd(text, store, beforeContext, nil); i < 0 {
		return store, 1
	}
	if end = m.New.ReadUsual(text, i, depth, &m.Old, true); end < 0 {
		m.New.Reset()
		return store, 1
	}
	return end, 2
}

// ReadUsual reads an object of usual members as the map, from behind its bracket on,
// at i. Its depth is that of the object in the request, and like is as for Read. watched
// says that it is the map that was sent. It returns where the object ends, -1 if there
// is anything unusual: then the map is to be read.
func (m *Map) ReadUsual(text []byte, i, depth int, like *Map, watched bool) int {
	m.depth = depth
	at := cursor{watched: watched}
	end, closed := m.readRun(text, i, like, &at)
	if !closed || at.as == asRead {
		return -1
	}
	return end
}

// answerStage is what is to be done next for an answer.
type answerStage uint8

const (
	toCompare  answerStage = iota // all
	toStore                       // all but to compare
	toInputs                      // inputs, and receipts
	toReceipts                    // receipts
	answered                      // nothing
)

// Answer compares both maps, which were read from text and may be changed there, and
// writes the answer to a request to merge.
func (m *Merge) Answer(w *json.Writer, text []byte) {
	stage, at := toCompare, 0
	if usesKernels && m.Policy.Plain && len(text) <= MaxUsual {
		m.begin(text)
		m.normalise()
		w.Reset(0)
		stage, at = writeAnswer(m, w, &receiptMiddle, &receiptQuiet, &fragment.ReferencePieces, m.Policy.Limit.MaxBytes())
	}
	switch stage {
	case toCompare:
		m.Compare(text)
		m.writeAll(w)
	case toStore:
		m.writeAll(w)
	case toInputs:
		m.writeInputs(w, at)
		m.WriteReceipts(w)
	case toReceipts:
		m.writeReceipts(w, at)
	}
}

// writeAll writes the answer, once the maps are compared.
func (m *Merge) writeAll(w *json.Writer) {
	w.Reset(len(`{"store":`) + m.MaxBytes())
	w.Text(`{"store":`)
	m.WriteStore(w)
	m.WriteTold(w)
}
