package turn

import (
	"slices"

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
	var f json.Fields
	if r.Fields(&f, mergeMembers) {
		for i := r.Next(&f); i >= 0; i = r.Next(&f) {
			switch i {
			case memberStore:
				m.Old.Read(r, &m.New)
			case memberContext:
				m.New.Read(r, &m.Old)
			case memberPolicy:
				readPolicy(r)
			}
		}
	}
	if refusal := c.finish(); refusal != nil {
		return refusal
	}

	m.Compare(r.Text())
	out := slices.Grow(c.output[:0], m.MaxBytes())
	out = append(out, `{"store":`...)
	out = m.AppendStore(out)
	out = append(out, `,"inputs":`...)
	out = m.AppendInputs(out)
	out = append(out, `,"receipts":`...)
	out = m.AppendReceipts(out)
	c.output = append(out, '}')
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

// readPolicy reads the next value as a policy, which has no field yet.
func readPolicy(r *json.Reader) {
	var f json.Fields
	if r.Null() || !r.StrictFields(&f, nil) {
		return
	}
	r.Next(&f)
}
