package model

import (
	"fmt"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// reconcileRequest is the shape of a request to reconcile.
var reconcileRequest = both(oneStore, objectOf(
	field{"state", optional, orNull(state)},
	field{"store", optional, orNull(entries)},
	field{"history", required, listOf(historyItem)},
	policyField,
))

// oneStore is the shape of a request that has a state or a store, not both.
func oneStore(c *checker, path string, v value) {
	state, store := v.given("state"), v.given("store")
	switch {
	case state == nil && store == nil:
		c.add(v.end, join(path, "state"), "missing, and so is store")
	case state == nil || store == nil:
	case state.start > store.start:
		c.add(state.start, join(path, "state"), "stands beside store")
	default:
		c.add(store.start, join(path, "store"), "stands beside state")
	}
}

// reconcile tells again what a history lacks of a store (design, "Reconcile").
func reconcile(store map[string]abi.Entry, history []part, p Policy) []decision {
	var all []decision
	for _, key := range keysOfEither(store, nil) {
		entry := store[key]
		d := decision{now: &entry, receipt: quiet(key, entry.Kind, abi.Unchanged)}
		if !inForce(key, store, history, p) {
			d.receipt.Change = abi.Restored
			d.tell(p)
		}
		all = append(all, d)
	}
	return fit(all, p)
}

// inForce reports whether the last that a history says of a key is its entry in
// the store. What another entry renders to says nothing of this one.
func inForce(key string, store map[string]abi.Entry, history []part, p Policy) bool {
	own := p.part(key, store[key])
	last := part{}
	for _, said := range history {
		if said == own || p.fits(said, key) && !p.isOfAnother(said, key, store) {
			last = said
		}
	}
	return last == own
}

// part is what an entry renders to.
func (p Policy) part(key string, entry abi.Entry) part {
	f := Render(key, entry, p)
	return part{f.Role, f.Text}
}

// fits reports whether a part stands between a key's tags, of either kind.
func (p Policy) fits(said part, key string) bool {
	for _, kind := range []abi.Kind{abi.Untrusted, abi.Application} {
		opening, closing := p.tags(key, kind)
		if said.role == role(kind) && between(said.text, opening, closing) {
			return true
		}
	}
	return false
}

// between reports whether a text has these tags around it.
func between(text, opening, closing string) bool {
	rest, begins := strings.CutPrefix(text, opening)
	return begins && strings.HasSuffix(rest, closing)
}

// isOfAnother reports whether a part is what another entry renders to.
func (p Policy) isOfAnother(said part, key string, store map[string]abi.Entry) bool {
	for other, entry := range store {
		if other != key && said == p.part(other, entry) {
			return true
		}
	}
	return false
}

// Reconcile answers a request to reconcile, as Call does.
func Reconcile(request []byte) ([]byte, error) {
	v, err := read(request)
	if err != nil {
		return nil, err
	}
	if refusal := check(reconcileRequest, v); refusal != nil {
		return refuse(refusal), nil
	}
	var history []part
	for _, item := range v.find("history").items {
		history = append(history, parts(item)...)
	}
	p := readPolicy(v.given("policy"))
	var kept string
	var told []decision
	if given := v.given("state"); given != nil {
		s := readState(given)
		told = reconcile(s.store, history, p)
		s.store = storeOf(told)
		kept = `"state":` + s.write()
	} else {
		told = reconcile(readEntries(v.given("store")), history, p)
		kept = `"store":` + string(writeStore(storeOf(told)))
	}
	return fmt.Appendf(nil, `{%s,"inputs":%s,"receipts":%s}`,
		kept, list(inputsOf(told), writeInput), list(receiptsOf(told), writeReceipt)), nil
}
