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
	begin := r.Offset()
	for more := r.Object() && r.Member(); more; more = r.Member() {
		if r.Settled() {
			r.SkipRest()
			break
		}
		p.readKey(r, begin)
		p.readNextKeys(r)
	}
	p.sortKeys(r)
}

// readKey reads the settings of the key at hand, whose object begins at begin.
func (p *Policy) readKey(r *json.Reader, begin int) {
	n := len(p.Keys)
	if n == cap(p.Keys) {
		p.Keys = json.Grow(p.Keys, r.More(n, begin))
	}
	p.Keys = p.Keys[:n+1]
	k := &p.Keys[n]
	k.begin(r.Name())
	r.LookEach(&p.Keys[0].Key, unsafe.Sizeof(*k), n+1)
	k.read(r)
}

// readNextKeys reads keys behind the one at hand, as many as there is room for before the next look
// at all, and stops before one that is wrong.
func (p *Policy) readNextKeys(r *json.Reader) {
	n := len(p.Keys)
	end, read := readKeys(r.Text(), r.Offset(), p.Keys[n:min(cap(p.Keys), json.NextLook(n)-1)])
	p.Keys = p.Keys[:n+read]
	r.Pass(end)
}

// sortKeys puts the keys in order, and drops those of which nothing is said.
func (p *Policy) sortKeys(r *json.Reader) {
	if len(p.Keys) == 0 {
		return
	}
	order := r.SortEach(&p.Keys[0].Key, unsafe.Sizeof(KeyPolicy{}), len(p.Keys))
	if p.sayNothing() {
		p.Keys = p.Keys[:0] // to move them takes longer than all else
		return
	}
	json.Permute(p.Keys, order)
	kept := 0
	for i := range p.Keys {
		if !p.Keys[i].saysAnything() {
			continue
		}
		if kept < i {
			p.Keys[kept] = p.Keys[i]
		}
		kept++
	}
	p.Keys = p.Keys[:kept]
}

// sayNothing reports whether nothing is said of any key.
func (p *Policy) sayNothing() bool {
	for i := range p.Keys {
		if p.Keys[i].saysAnything() {
			return false
		}
	}
	return true
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
