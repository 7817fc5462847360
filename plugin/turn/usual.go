package turn

import (
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/store"
)

// usual is what stands around the maps in a request as most hosts write it: before the
// store, and behind it where the user's input is one text, and where there is none.
type usual struct{ before, behind, noInput []string }

// A start between two turns, and a steer in one.
var (
	usualStart = usual{
		before:  []string{`{"state":{"version":1,"threadId":"`, `","activeTurn":null,"additionalContext":{`},
		behind:  []string{`},"turnId":"`, `","params":{"threadId":"`, `","input":[{"type":"text","text":"`, `"}],"additionalContext":{`},
		noInput: []string{`},"turnId":"`, `","params":{"threadId":"`, `","input":[],"additionalContext":{`},
	}
	usualSteer = usual{
		before:  []string{`{"state":{"version":1,"threadId":"`, `","activeTurn":{"id":"`, `","kind":"regular"},"additionalContext":{`},
		behind:  []string{`},"params":{"threadId":"`, `","expectedTurnId":"`, `","input":[{"type":"text","text":"`, `"}],"additionalContext":{`},
		noInput: []string{`},"params":{"threadId":"`, `","expectedTurnId":"`, `","input":[],"additionalContext":{`},
	}
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
	if !c.readAround(length, &usualStart, state[:], sent[:]) || sent[0].Len == 0 {
		return false
	}
	c.state.given, c.state.threadID = true, state[0]
	c.request.turnID, c.request.threadID = sent[0], sent[1]
	return true
}

func (c *Core) readUsualSteer(length int) bool {
	var state [2]json.String
	var sent [3]json.String
	if !c.readAround(length, &usualSteer, state[:], sent[:]) {
		return false
	}
	c.state.given, c.state.threadID = true, state[0]
	c.state.turn = activeTurn{active: true, id: state[1], kind: regularTurn}
	c.request.threadID, c.request.expected = sent[0], sent[1]
	return true
}

// readAround reads the maps, the strings around the store, and the user's input, which
// is the last of those that were sent.
func (c *Core) readAround(length int, u *usual, state, sent []json.String) bool {
	text, m, last := c.reader.Text(), &c.merge, len(sent)-1
	i := json.ShapeEnd(text, 0, u.before, state)
	if i < 0 {
		return false
	}
	if i = m.Old.ReadUsual(text, i, mapDepth, &m.New, false); i < 0 {
		return false
	}
	end := json.ShapeEnd(text, i, u.behind, sent)
	hasInput := end >= 0
	if !hasInput {
		end = json.ShapeEnd(text, i, u.noInput, sent[:last])
	}
	if end < 0 {
		return false
	}
	end = m.New.ReadUsual(text, end, mapDepth, &m.Old, true)
	if end < 0 || end+2 != length || text[end] != '}' || text[end+1] != '}' {
		return false
	}
	c.request.context = true
	if hasInput {
		c.request.input.addText(sent[last])
	}
	return true
}
