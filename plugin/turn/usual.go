package turn

import (
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/store"
)

// What stands around the maps in a request as most hosts write it, of a start between
// two turns and of a steer in one, where the user's input is one text.
var (
	startBeforeStore = []string{`{"state":{"version":1,"threadId":"`, `","activeTurn":null,"additionalContext":{`}
	startBehindStore = []string{`},"turnId":"`, `","params":{"threadId":"`, `","input":[{"type":"text","text":"`, `"}],"additionalContext":{`}
	steerBeforeStore = []string{`{"state":{"version":1,"threadId":"`, `","activeTurn":{"id":"`, `","kind":"regular"},"additionalContext":{`}
	steerBehindStore = []string{`},"params":{"threadId":"`, `","expectedTurnId":"`, `","input":[{"type":"text","text":"`, `"}],"additionalContext":{`}
)

// mapDepth is the depth of both maps in such a request.
const mapDepth = 3

// readUsual reads a request that is written just so, and reports whether it is. Else
// all is to be read.
func (c *Core) readUsual(length int) bool {
	switch {
	case length > store.MaxUsual:
		return false
	case c.request.steer:
		return c.readUsualSteer(length)
	}
	return c.readUsualStart(length)
}

func (c *Core) readUsualStart(length int) bool {
	var state [1]json.String
	var sent [3]json.String
	if !c.readAround(length, startBeforeStore, startBehindStore, state[:], sent[:]) || sent[0].Len == 0 {
		return false
	}
	c.state.given, c.state.threadID = true, state[0]
	c.request.turnID, c.request.threadID = sent[0], sent[1]
	c.request.input.addText(sent[2])
	return true
}

func (c *Core) readUsualSteer(length int) bool {
	var state [2]json.String
	var sent [3]json.String
	if !c.readAround(length, steerBeforeStore, steerBehindStore, state[:], sent[:]) {
		return false
	}
	c.state.given, c.state.threadID = true, state[0]
	c.state.turn = activeTurn{active: true, id: state[1], kind: regularTurn}
	c.request.threadID, c.request.expected = sent[0], sent[1]
	c.request.input.addText(sent[2])
	return true
}

// readAround reads the maps, and the strings that stand before and behind the store.
func (c *Core) readAround(length int, before, behind []string, state, sent []json.String) bool {
	text, m := c.reader.Text(), &c.merge
	i := json.ShapeEnd(text, 0, before, state)
	if i < 0 {
		return false
	}
	if i = m.Old.ReadUsual(text, i, mapDepth, &m.New, false); i < 0 {
		return false
	}
	if i = json.ShapeEnd(text, i, behind, sent); i < 0 {
		return false
	}
	if i = m.New.ReadUsual(text, i, mapDepth, &m.Old, true); i < 0 || i+2 != length || text[i] != '}' || text[i+1] != '}' {
		return false
	}
	c.request.context = true
	return true
}
