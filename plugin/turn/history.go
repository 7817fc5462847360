package turn

import (
	"github.com/turncontext/turncontext/plugin/json"
)

var reconcileMembers = []string{
	reconcileState: "state", reconcileStore: "store", reconcileHistory: "history", reconcilePolicy: "policy",
}

const (
	reconcileState = iota
	reconcileStore
	reconcileHistory
	reconcilePolicy
)

// reconcile answers a request to reconcile.
func (c *Core) reconcile(length int) []byte {
	r, m := c.read(length), &c.merge
	c.readReconcile(r)
	if refusal := c.finish(); refusal != nil {
		return refusal
	}
	text := r.Text()
	m.Policy = &c.request.policy.merge
	m.Reconcile(text, &c.history)
	w := c.write(maxFrame + c.state.rawBytes() + m.MaxBytes())
	if c.state.given {
		w.Text(`{"state":`)
		writeState(w, text, c.state.threadID, c.state.turn)
		m.WriteStore(w)
		w.Text(`}`)
	} else {
		w.Text(`{"store":`)
		m.WriteStore(w)
	}
	m.WriteTold(w)
	return w.Bytes()
}

func (c *Core) readReconcile(r *json.Reader) {
	var f json.Fields
	if !r.Fields(&f, &reconcileMembers) {
		return
	}
	stored := false // a state or a store was given
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch i {
		case reconcileState, reconcileStore:
			if r.Null() {
				continue
			}
			if stored {
				r.Reject(r.Offset(), "there may be a state or a store, not both")
				r.Skip()
				continue
			}
			stored = true
			if i == reconcileState {
				c.readState(r)
			} else {
				c.merge.Old.Read(r, &c.merge.New)
			}
		case reconcileHistory:
			c.history.Read(r)
		case reconcilePolicy:
			c.request.policy.read(r)
		}
	}
	if !stored {
		r.RejectLeft(r.Left(), "state", "missing")
	}
	r.Require(&f, reconcileHistory)
}

var classifyMembers = []string{"items", "store", "policy"}

const (
	classifyItems = iota
	classifyStore
	classifyPolicy
)

// classify answers a request to classify.
func (c *Core) classify(length int) []byte {
	r, m := c.read(length), &c.merge
	var f json.Fields
	if r.Fields(&f, &classifyMembers) {
		for i := r.Next(&f); i >= 0; i = r.Next(&f) {
			switch i {
			case classifyItems:
				c.history.Read(r)
			case classifyStore:
				m.Old.Read(r, &m.New)
			case classifyPolicy:
				c.request.policy.read(r)
			}
		}
		r.Require(&f, classifyItems)
	}
	if refusal := c.finish(); refusal != nil {
		return refusal
	}
	m.Policy = &c.request.policy.merge
	w := c.write(maxFrame + c.history.MaxBytes())
	w.Text(`{"items":`)
	m.Classify(w, r.Text(), &c.history)
	w.Text(`}`)
	return w.Bytes()
}
