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

// readUsual reads what is written just so, and returns where the params end; -1 if
// there is anything else: then all is to be read.
func (c *Core) readUsual() int {
	if len(c.reader.Text()) > store.MaxUsual {
		return -1
	}
	if c.request.steer {
		return c.readUsualSteer()
	}
	return c.readUsualStart()
}

func (c *Core) readUsualStart() int {
	var state [1]json.String
	var sent [3]json.String
	end, hasInput := c.readAround(&usualStart, state[:], sent[:])
	if end < 0 || sent[0].Len == 0 {
		return -1
	}
	c.took(hasInput, sent[2])
	c.state.given, c.state.threadID = true, state[0]
	c.request.turnID, c.request.threadID = sent[0], sent[1]
	return end
}

func (c *Core) readUsualSteer() int {
	var state [2]json.String
	var sent [3]json.String
	end, hasInput := c.readAround(&usualSteer, state[:], sent[:])
	if end < 0 {
		return -1
	}
	c.took(hasInput, sent[2])
	c.state.given, c.state.threadID = true, state[0]
	c.state.turn = activeTurn{active: true, id: state[1], kind: regularTurn}
	c.request.threadID, c.request.expected = sent[0], sent[1]
	return end
}

// took notes that there is a map that was sent, and the user's input.
func (c *Core) took(hasInput bool, input json.String) {
	c.request.context = true
	if hasInput {
		c.request.input.addText(input)
	}
}

// readAround reads the maps, the strings around the store, and the user's input, which
// is the last of those that were sent, if there is one. It returns where the params
// end, -1 if there is anything else.
func (c *Core) readAround(u *usual, state, sent []json.String) (end int, hasInput bool) {
	text, m := c.reader.Text(), &c.merge
	i := json.ShapeEnd(text, 0, u.before, state)
	if i < 0 {
		return -1, false
	}
	if i = m.Old.ReadUsual(text, i, mapDepth, &m.New, false); i < 0 {
		return -1, false
	}
	end = json.ShapeEnd(text, i, u.behind, sent)
	if hasInput = end >= 0; !hasInput {
		end = json.ShapeEnd(text, i, u.noInput, sent[:len(sent)-1])
	}
	if end < 0 {
		return -1, false
	}
	if end = m.New.ReadUsual(text, end, mapDepth, &m.Old, true); end < 0 || text[end] != '}' {
		return -1, false
	}
	return end + 1, hasInput
}
