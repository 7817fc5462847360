package turn

import (
	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/json"
)

var mergeMembers = []string{mergeStore: "store", mergeContext: "additionalContext", mergePolicy: "policy"}

const (
	mergeStore = iota
	mergeContext
	mergePolicy
)

// mergeMaps answers a request to merge.
func (c *Core) mergeMaps(length int) []byte {
	r, m := c.read(length), &c.merge
	end, maps := m.ReadUsual(r.Text())
	if maps < 2 || end+1 != length || r.Text()[end] != '}' {
		if refusal := c.readMerge(r, end, maps); refusal != nil {
			return refusal
		}
	}
	m.Policy = &c.request.policy.merge
	m.Answer(&c.output, r.Text())
	return c.output.Bytes()
}

// readMerge reads the request, or what is left of it behind the maps that were read: so
// many, up to end. It returns the refusal if there is anything wrong.
func (c *Core) readMerge(r *json.Reader, end, maps int) []byte {
	q := &c.request
	var f json.Fields
	if maps > 0 {
		read := uint64(1 << mergeStore)
		if q.context = maps > 1; q.context {
			read |= 1 << mergeContext
		}
		r.Resume(&f, &mergeMembers, read, end)
		c.readMembers(r, &f)
	} else if r.Fields(&f, &mergeMembers) {
		c.readMembers(r, &f)
	}
	if refusal := c.finish(); refusal != nil {
		return refusal
	}
	if q.context && !q.policy.experimentalAPI {
		return c.refuse(abi.ExperimentalAPIRequired, "additionalContext requires experimentalApi capability", "")
	}
	return nil
}

// readMembers reads the members of the request.
func (c *Core) readMembers(r *json.Reader, f *json.Fields) {
	for i := r.Next(f); i >= 0; i = r.Next(f) {
		switch i {
		case mergeStore:
			c.merge.Old.Read(r, &c.merge.New)
		case mergeContext:
			c.readContext(r)
		case mergePolicy:
			c.request.policy.read(r)
		}
	}
}
