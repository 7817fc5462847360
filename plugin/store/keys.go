package store

import (
	"math"
	"unsafe"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/json"
)

// ReadKeys reads the next value as the settings of single keys.
func (p *Policy) ReadKeys(r *json.Reader) {
	names, begin := r.BeginNames(), r.Offset()
	for more := r.Object() && r.Member(); more; more = r.Member() {
		if r.Settled() {
			r.SkipRest()
			break
		}
		r.AddName(names)
		p.readKey(r, begin)
		p.readNextKeys(r, names)
	}
	p.sortKeys(r, names)
}

// sortKeys puts the keys in order. The list of the names of all begins at names.
func (p *Policy) sortKeys(r *json.Reader, names int) {
	order := r.EndNames(names)
	if len(p.Keys) == 0 {
		return
	}
	if len(order) > len(p.Keys) { // some say nothing
		order = r.SortEach(&p.Keys[0].Key, unsafe.Sizeof(KeyPolicy{}), len(p.Keys))
	}
	json.Permute(p.Keys, order)
}

// readKey reads the settings of the key at hand, whose object begins at begin.
func (p *Policy) readKey(r *json.Reader, begin int) {
	n := len(p.Keys)
	if n == cap(p.Keys) {
		p.Keys = json.Grow(p.Keys, r.More(n, begin))
	}
	k := &p.Keys[:n+1][n]
	k.begin(r.Name())
	k.read(r)
	if k.saysAnything() {
		p.Keys = p.Keys[:n+1]
	}
}

// readNextKeys reads keys behind the one at hand, as many as there is room for, and stops before
// one that is wrong. It adds their names to the list that begins at names.
func (p *Policy) readNextKeys(r *json.Reader, names int) {
	n := len(p.Keys)
	end, named, kept := readKeys(r.Text(), r.Offset(), p.Keys[n:cap(p.Keys)], r.RoomForNames(names))
	p.Keys = p.Keys[:n+kept]
	r.PassNamed(named, end)
}

// begin makes it one that says nothing of the key. It goes member by member: to copy a large
// struct costs more.
func (k *KeyPolicy) begin(key json.String) {
	k.Key, k.Priority, k.HasTokens, k.HasTruncation = key, 0, false, false
}

// saysAnything reports whether it differs from what holds for other keys.
func (k *KeyPolicy) saysAnything() bool { return k.HasTokens || k.HasTruncation || k.Priority != 0 }

var keyPolicyFields = []string{"maxValueTokens", "truncation", "priority"}

const (
	keyMaxValueTokens = iota
	keyTruncation
	keyPriority
)

// read reads the next value as what a policy says of one key.
func (k *KeyPolicy) read(r *json.Reader) {
	var f json.Fields
	if r.Null() || !r.StrictFields(&f, &keyPolicyFields) {
		return
	}
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch {
		case r.Null():
		case i == keyMaxValueTokens:
			k.HasTokens = readInt32(r, &k.Tokens, 0)
		case i == keyTruncation:
			k.HasTruncation = ReadTruncation(r, &k.Truncation)
		case i == keyPriority:
			readInt32(r, &k.Priority, math.MinInt32)
		}
	}
}

// readInt32 reads the next value as an integer, none of which has more bits.
func readInt32(r *json.Reader, n *int32, least int) bool {
	var value int
	ok := r.Integer(&value, least)
	if ok {
		*n = int32(value)
	}
	return ok
}

var truncations = []string{budget.Middle: string(abi.KeepEnds), budget.Head: string(abi.KeepHead), budget.Tail: string(abi.KeepTail)}

// ReadTruncation reads the next value as a truncation, and reports whether it is one.
func ReadTruncation(r *json.Reader, t *budget.Truncation) bool {
	i := r.Enum("truncation", truncations)
	if i >= 0 {
		*t = budget.Truncation(i)
	}
	return i >= 0
}
