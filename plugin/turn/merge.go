package turn

import (
	"slices"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
)

var mergeMembers = []string{memberStore: "store", memberContext: "additionalContext", memberPolicy: "policy"}

const (
	memberStore = iota
	memberContext
	memberPolicy
)

// mergeMaps answers a request to merge.
func (c *Core) mergeMaps(length int) []byte {
	r, m := c.read(length), &c.merge
	m.Reset()
	q := &c.request
	q.reset(false)
	var f json.Fields
	if r.Fields(&f, mergeMembers) {
		for i := r.Next(&f); i >= 0; i = r.Next(&f) {
			switch i {
			case memberStore:
				m.Old.Read(r, &m.New)
			case memberContext:
				c.readContext(r)
			case memberPolicy:
				q.policy.read(r)
			}
		}
	}
	if refusal := c.finish(); refusal != nil {
		return refusal
	}
	if q.context && !q.policy.experimentalAPI {
		return c.refuse(abi.ExperimentalAPIRequired, "additionalContext requires experimentalApi capability", "")
	}

	m.Compare(r.Text())
	out := slices.Grow(c.output[:0], m.MaxBytes())
	out = json.Append(out, `{"store":`)
	out = m.AppendStore(out)
	out = json.Append(out, `,"inputs":[`)
	out = m.AppendInputs(out)
	out = json.Append(out, `],"receipts":`)
	out = m.AppendReceipts(out)
	c.output = json.Append(out, `}`)
	return c.output
}

// finish ends the reading of the request. It returns the refusal if anything
// was wrong with it.
func (c *Core) finish() []byte {
	syntax, violation := c.reader.Finish()
	switch {
	case syntax != nil:
		return c.refuseSyntax(syntax)
	case violation != nil:
		return c.refuseViolation(violation)
	}
	return nil
}
