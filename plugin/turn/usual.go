package turn

import (
	"github.com/turncontext/turncontext/plugin/json"
	"github.com/turncontext/turncontext/plugin/store"
)

// usual is what stands around the maps in a request as most hosts write it: before the
// store, and behind the state where the user's input is one text, and where there is
// none. These are all of the members in read.
type usual struct {
	before, behind, noInput []string
	read                    uint64
}

// A start between two turns, and a steer in one.
var (
	usualStart = usual{
		before:  []string{`{"state":{"version":1,"threadId":"`, `","activeTurn":null,"additionalContext":{`},
		behind:  []string{`,"turnId":"`, `","params":{"threadId":"`, `","input":[{"type":"text","text":"`, `"}],"additionalContext":{`},
		noInput: []string{`,"turnId":"`, `","params":{"threadId":"`, `","input":[],"additionalContext":{`},
		read:    1<<startState | 1<<startTurnID | 1<<startParams,
	}
	usualSteer = usual{
		before:  []string{`{"state":{"version":1,"threadId":"`, `","activeTurn":{"id":"`, `","kind":"regular"},"additionalContext":{`},
		behind:  []string{`,"params":{"threadId":"`, `","expectedTurnId":"`, `","input":[{"type":"text","text":"`, `"}],"additionalContext":{`},
		noInput: []string{`,"params":{"threadId":"`, `","expectedTurnId":"`, `","input":[],"additionalContext":{`},
		read:    1<<startState | 1<<startParams,
	}
)

// mapDepth is the depth of both maps in such a request.
const mapDepth = 3

// readUsual reads what is written just so: all up to the end of the params, or the state
// alone. It returns where that ends, and the members that it has read, a bit for each.
func (c *Core) readUsual() (end int, read uint64) {
	text, m, u := c.reader.Text(), &c.merge, &usualStart
	if len(text) > store.MaxUsual {
		return 0, 0
	}
	if c.request.steer {
		u = &usualSteer
	}
	var ids [2]json.String
	i := json.ShapeEnd(text, 0, u.before, ids[:len(u.before)-1])
	if i < 0 {
		return 0, 0
	}
	if i = m.Old.ReadUsual(text, i, mapDepth, &m.New, false); i < 0 || text[i] != '}' {
		m.Old.Reset()
		return 0, 0
	}
	c.state.given, c.state.threadID = true, ids[0]
	if c.request.steer {
		c.state.turn = activeTurn{active: true, id: ids[1], kind: regularTurn}
	}
	if end = c.readUsualParams(u, i+1); end >= 0 {
		return end, u.read
	}
	m.New.Reset()
	return i + 1, 1 << startState
}

// readUsualParams reads what stands behind the state, from i on, up to the end of the
// params, and returns where that is; -1 if there is anything else.
func (c *Core) readUsualParams(u *usual, i int) int {
	text, q, m := c.reader.Text(), &c.request, &c.merge
	var sent [3]json.String
	end := json.ShapeEnd(text, i, u.behind, sent[:])
	hasInput := end >= 0
	if !hasInput {
		end = json.ShapeEnd(text, i, u.noInput, sent[:2])
	}
	if end < 0 || !q.steer && sent[0].Len == 0 {
		return -1
	}
	if end = m.New.ReadUsual(text, end, mapDepth, &m.Old, true); end < 0 || text[end] != '}' {
		return -1
	}
	if q.steer {
		q.threadID, q.expected = sent[0], sent[1]
	} else {
		q.turnID, q.threadID = sent[0], sent[1]
	}
	q.context = true
	if hasInput {
		q.input.addText(sent[2])
	}
	return end + 1
}
