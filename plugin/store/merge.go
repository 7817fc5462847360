package store

import (
	"strconv"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// change says what happened to a key.
type change uint8

const (
	added change = iota
	changed
	unchanged
	removed
	changes
)

var changeNames = [changes]abi.Change{abi.Added, abi.Changed, abi.Unchanged, abi.Removed}

// outcome is what happened to one key.
type outcome struct {
	entry    int32 // index in New.entries, of a removed key in Old.entries
	change   change
	rendered fragment.Rendered // if it was injected
}

// injected reports whether the model is told.
func (o *outcome) injected() bool { return o.change == added || o.change == changed }

// Merge compares the map a thread was last told with the one that was sent, and
// writes what follows. The zero value is ready to use; its memory is reused.
type Merge struct {
	Old, New Map

	text     []byte
	outcomes []outcome
}

// Reset empties both maps.
func (m *Merge) Reset() {
	m.Old.Reset()
	m.New.Reset()
}

// Compare finds out what happened to each key, in the order of the keys. Both
// maps were read from text.
func (m *Merge) Compare(text []byte) {
	m.text = text
	m.outcomes = m.outcomes[:0]
	before, now := m.Old.entries, m.New.entries
	b, n := 0, 0
	for b < len(before) && n < len(now) {
		order := -1
		same := int(now[n].twin) == b || int(before[b].twin) == n
		if same {
			order = 0
		} else {
			order = json.Compare(text, before[b].Key, now[n].Key)
		}
		switch {
		case order < 0:
			m.add(b, removed)
			b++
		case order > 0:
			m.add(n, added)
			n++
		case same || now[n].equal(&before[b], text):
			m.add(n, unchanged)
			b, n = b+1, n+1
		default:
			m.add(n, changed)
			b, n = b+1, n+1
		}
	}
	for ; b < len(before); b++ {
		m.add(b, removed)
	}
	for ; n < len(now); n++ {
		m.add(n, added)
	}
}

func (m *Merge) add(entry int, c change) {
	m.outcomes = append(m.outcomes, outcome{entry: int32(entry), change: c})
}

// entry returns the entry an outcome is about.
func (m *Merge) entry(o *outcome) *Entry {
	if o.change == removed {
		return &m.Old.entries[o.entry]
	}
	return &m.New.entries[o.entry]
}

// MaxBytes bounds what the Append methods write together, so that there is one
// allocation at most.
func (m *Merge) MaxBytes() int {
	const maxEntry, maxReceipt = 64, 256
	total := 64
	for i := range m.outcomes {
		o := &m.outcomes[i]
		e := m.entry(o)
		key, value := len(e.Key.Raw(m.text)), len(e.Value.Raw(m.text))
		if o.change != removed {
			total += maxEntry + key + value
		}
		if o.injected() {
			total += fragment.MaxInputBytes + 3*key + min(value, fragment.MaxValueBytes)
		}
		total += maxReceipt + key
	}
	return total
}

// AppendStore appends the map that was sent.
func (m *Merge) AppendStore(dst []byte) []byte { return m.New.Append(dst, m.text) }

// AppendInputs appends the inputs that tell the model, with commas between them.
func (m *Merge) AppendInputs(dst []byte) []byte {
	first := true
	for i := range m.outcomes {
		o := &m.outcomes[i]
		if !o.injected() {
			continue
		}
		if !first {
			dst = json.Append(dst, `,`)
		}
		first = false
		e := m.entry(o)
		dst, o.rendered = fragment.AppendInput(dst, m.text, e.Key, e.Kind, e.Value)
	}
	return dst
}

// AppendReceipts appends the array of the receipts. The inputs have to be
// written before.
func (m *Merge) AppendReceipts(dst []byte) []byte {
	dst = json.Append(dst, `[`)
	for i := range m.outcomes {
		if i > 0 {
			dst = json.Append(dst, `,`)
		}
		o := &m.outcomes[i]
		e := m.entry(o)
		dst = json.Append(dst, `{"key":"`)
		dst = json.AppendRaw(dst, m.text, e.Key, int(e.Key.Start), int(e.Key.End))
		dst = append(dst, receiptMiddle[e.Kind][o.change]...)
		if !o.injected() {
			dst = json.Append(dst, `0,"warnings":[]}`)
			continue
		}
		dst = appendRendered(dst, &o.rendered)
	}
	return json.Append(dst, `]`)
}

// receiptMiddle is what stands between the key and the number of tokens.
var receiptMiddle = func() (middle [fragment.Kinds][changes]string) {
	for kind := range middle {
		for change := range middle[kind] {
			middle[kind][change] = `","kind":"` + fragment.Kind(kind).String() + `","change":"` +
				string(changeNames[change]) + `","tokens":`
		}
	}
	return middle
}()

// appendRendered appends the rest of the receipt of an entry that was injected.
func appendRendered(dst []byte, r *fragment.Rendered) []byte {
	dst = strconv.AppendInt(dst, int64(r.Tokens), 10)
	if r.Truncated {
		dst = json.Append(dst, `,"truncated":{"originalTokens":`)
		dst = strconv.AppendInt(dst, int64(r.OriginalTokens), 10)
		dst = json.Append(dst, `,"removedTokens":`)
		dst = strconv.AppendInt(dst, int64(r.RemovedTokens), 10)
		dst = json.Append(dst, `}`)
	}
	dst = json.Append(dst, `,"warnings":`)
	dst = r.Warnings.Append(dst)
	return json.Append(dst, `}`)
}
