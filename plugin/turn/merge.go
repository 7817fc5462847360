package turn

import (
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
	q := &c.request
	var f json.Fields
	if r.Fields(&f, &mergeMembers) {
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

	m.Policy = &q.policy.merge
	m.Compare(r.Text())
	w := c.write(maxFrame + m.MaxBytes())
	w.Text(`{"store":`)
	m.WriteStore(w)
	m.WriteTold(w)
	return w.Bytes()
}
