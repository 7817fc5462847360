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
	if !m.ReadUsual(r.Text(), length) {
		if refusal := c.readMaps(r); refusal != nil {
			return refusal
		}
	}
	m.Policy = &c.request.policy.merge
	m.Answer(&c.output, r.Text())
	return c.output.Bytes()
}

// readMaps reads the request. It returns the refusal if there is anything wrong.
func (c *Core) readMaps(r *json.Reader) []byte {
	m, q := &c.merge, &c.request
	m.Reset()
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
	return nil
}
