package store

import (
	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/budget"
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
	restored
	dropped
	changes
)

var changeNames = [changes]abi.Change{
	added: abi.Added, changed: abi.Changed, unchanged: abi.Unchanged, removed: abi.Removed,
	restored: abi.Restored, dropped: abi.Dropped,
}

// outcome is what happened to one key.
type outcome struct {
	before, now int32 // indexes in Old.entries and New.entries, -1 where the key is not there
	change      change
	note        bool  // the model is told that the former entry does not apply any longer
	policy      int32 // index in Policy.Keys of what it says of the key, below 0 if that is no limit: see priorityOnly
	from, to    int32 // where in Merge.early its inputs stand; to is 0 if they do not, from where not even a text does
	rendered    fragment.Rendered
}

// hasText reports whether the entry itself is injected.
func (o *outcome) hasText() bool {
	return o.change == added || o.change == changed || o.change == restored
}

// injected reports whether the model is told anything.
func (o *outcome) injected() bool { return o.hasText() || o.change == removed && o.note }

// usesKernels is whether what is usual is left to the assembler, where there is any;
// a test turns it off.
var usesKernels = true

// Merge compares the map a thread was last told with the one that was sent, or
// with the history, and writes what follows. The zero value is ready to use;
// its memory is reused.
type Merge struct {
	Old, New Map
	Policy   *Policy

	text     []byte
	outcomes []outcome // in the order of their keys, which is that of inputs and receipts
	renderer fragment.Renderer
	keyLimit budget.Limit // see limit

	// What a call injects is rendered early, here, where more depends on how it looks.
	isEarly bool // something may be
	early   json.Writer
	// next is the next store where it is neither Old nor New.
	next  *Map
	mixed Map

	tags     tags
	standing []standing

	drops, spare        []candidate
	resolved, rewritten []byte
}

// Reset empties both maps.
func (m *Merge) Reset() {
	m.Old.Reset()
	m.New.Reset()
}

// begin begins with a request that was read from text.
func (m *Merge) begin(text []byte) {
	m.text = text
	m.outcomes = m.outcomes[:0]
	if n := max(len(m.Old.entries), len(m.New.entries)); n > cap(m.outcomes) && !m.Policy.Patch {
		m.outcomes = make([]outcome, 0, n)
	}
	m.renderer.Wrapper, m.renderer.Strip, m.renderer.Tokenizer = m.Policy.Wrapper, m.Policy.Strip, m.Policy.Tokenizer
	m.isEarly = false
	m.next = &m.New
}

// reserve makes room for the outcomes of a patch.
func (m *Merge) reserve() {
	if n := max(len(m.Old.entries), m.New.given()); n > cap(m.outcomes) {
		m.outcomes = make([]outcome, 0, n)
	}
}

// Compare finds out what happened to each key, in the order of the keys. Both
// maps were read from text, which changes where their values are normalised.
func (m *Merge) Compare(text []byte) {
	m.begin(text)
	m.normalise()
	if m.Policy.Patch {
		m.reserve()
	}
	m.compare()
	if m.Policy.Plain {
		return
	}
	if len(m.Policy.Keys) > 0 {
		m.findPolicies()
	}
	if m.Policy.HasTotal {
		m.measure()
		m.drop(m.Policy.Total)
	}
	if m.Policy.Patch || m.Policy.HasTotal {
		m.mix()
	}
}

// normalise makes what is compared and written Canonical at most.
func (m *Merge) normalise() {
	if max(m.New.form, m.New.keyForm, m.Old.keyForm) == json.Foreign {
		m.New.normalise(m.text)
		m.Old.normaliseKeys(m.text)
	}
}

// compare adds the outcomes.
func (m *Merge) compare() {
	for b, n := 0, 0; ; {
		if usesKernels {
			b, n = compareEntries(m, b, n)
		}
		if b == len(m.Old.entries) {
			n = m.New.passNulls(n) // which remove nothing
		}
		if b == len(m.Old.entries) && n == len(m.New.entries) {
			return
		}
		b, n = m.compareNext(b, n)
	}
}

// compareNext adds the outcome of the entry at hand, or of both, and returns which
// come next.
func (m *Merge) compareNext(b, n int) (nextBefore, nextNow int) {
	before, now := m.Old.entries, m.New.entries
	if b < len(before) && n < len(now) && (int(now[n].twin) == b || int(before[b].twin) == n) {
		m.add(b, n, unchanged) // they are written the same
		return b + 1, n + 1
	}
	switch m.order(b, n) {
	case -1:
		m.notSent(b)
		return b + 1, n
	case 1:
		if !now[n].null {
			m.add(-1, n, added)
		}
		return b, n + 1
	}
	m.sentAgain(b, n)
	return b + 1, n + 1
}

// order says which of the entries at hand comes first, by its key: the old one
// (-1), the new one (1), or both at once (0).
func (m *Merge) order(b, n int) int {
	before, now := m.Old.entries, m.New.entries
	switch {
	case n == len(now):
		return -1
	case b == len(before):
		return 1
	}
	return json.Compare(m.text, before[b].Key, now[n].Key)
}

// notSent notes an old entry that was not sent again.
func (m *Merge) notSent(b int) {
	if m.Policy.Patch {
		m.add(b, -1, unchanged)
		return
	}
	m.remove(b)
}

func (m *Merge) remove(b int) {
	m.add(b, -1, removed).note = m.Policy.Announce
}

// sentAgain notes a key that is in both maps.
func (m *Merge) sentAgain(b, n int) {
	before, now := &m.Old.entries[b], &m.New.entries[n]
	if now.null {
		m.remove(b)
		return
	}
	if before.Value.Form == json.Foreign {
		json.Normalise(m.text, &before.Value) // as that of now is
	}
	if now.equal(before, m.text) {
		m.add(b, n, unchanged)
	} else {
		m.add(b, n, changed).note = m.Policy.Announce && now.Kind != before.Kind
	}
}

// add adds an outcome and returns it, until the next one is added. It is set
// member by member: to clear or to copy a large struct costs more.
func (m *Merge) add(before, now int, c change) *outcome {
	n := len(m.outcomes)
	if n == cap(m.outcomes) {
		m.outcomes = json.Grow(m.outcomes, len(m.Old.entries)+len(m.New.entries)-n)
	}
	m.outcomes = m.outcomes[:n+1]
	o := &m.outcomes[n]
	o.before, o.now, o.change, o.note, o.policy = int32(before), int32(now), c, false, -1
	return o
}

// entry returns the entry an outcome is about: the new one, if there is one.
func (m *Merge) entry(o *outcome) *Entry {
	if o.now < 0 {
		return &m.Old.entries[o.before]
	}
	return &m.New.entries[o.now]
}

// mix puts the next store together from both maps: it holds what the model was
// last told.
func (m *Merge) mix() {
	m.mixed.Reset()
	m.mixed.entries = json.Grow(m.mixed.entries, len(m.outcomes))
	for i := range m.outcomes {
		o := &m.outcomes[i]
		switch {
		case o.change == removed:
		case o.change != dropped:
			m.mixed.entries = append(m.mixed.entries, *m.entry(o))
		case o.before >= 0:
			m.mixed.entries = append(m.mixed.entries, m.Old.entries[o.before])
		}
	}
	m.next = &m.mixed
}

// render writes the inputs of an outcome that is injected.
func (m *Merge) render(w *json.Writer, o *outcome) {
	r := &o.rendered
	r.Tokens, r.Truncated, r.Estimated, r.Warnings = 0, false, false, 0
	if o.note {
		former := &m.Old.entries[o.before]
		m.renderer.Note(r, w, m.text, &former.Key, former.Kind)
	}
	if o.hasText() {
		e := m.entry(o)
		m.renderer.Input(r, w, m.text, &e.Key, e.Kind, &e.Value, m.limit(o), e.clean && usesKernels)
	}
}

// measure finds out how many tokens is what each outcome injects.
func (m *Merge) measure() {
	for i := range m.outcomes {
		m.outcomes[i].to = 0
	}
	m.beginEarly()
	m.measureRest()
}

// measureRest does that for what is not yet rendered. What there is a quicker way for is
// rendered, and again when it is written; the rest is kept.
func (m *Merge) measureRest() {
	m.early.Room(measureRoom)
	for i := 0; i < len(m.outcomes); i++ {
		begin := m.early.Len()
		i = m.writeRuns(&m.early, i)
		m.early.Extend(begin - m.early.Len())
		if i < len(m.outcomes) && m.outcomes[i].injected() && m.outcomes[i].to == 0 {
			m.renderEarly(i)
		}
	}
}

// measureRoom is enough to render many short inputs at once.
const measureRoom = 64 << 10

// beginEarly begins with outcomes none of which is rendered.
func (m *Merge) beginEarly() {
	m.isEarly = true
	m.early.Reset(0)
	m.early.Text(`[`) // where commas begin
}

// renderEarly renders the outcome with that index before anything is written.
func (m *Merge) renderEarly(i int) {
	o := &m.outcomes[i]
	m.early.Room(m.maxInput(o) + shortRoom) // which at least doubles it
	from := m.early.Len()
	all := m.outcomes
	m.outcomes = all[:i+1]
	if m.writeRuns(&m.early, i) == i {
		m.render(&m.early, o)
	}
	m.outcomes = all
	if m.early.Bytes()[from] == ',' {
		from++
	}
	o.from, o.to = int32(from), int32(m.early.Len())
}

// shortRoom is how much more room than it needs a short input must have for the kernels.
const shortRoom = 4 << 10

// MaxBytes bounds what the Write methods write together, so that there is one
// allocation at most, and of hardly more than is needed where that is many times
// the request. Exact tokenizers may need more, and so may escaped values of a
// request that is not large.
func (m *Merge) MaxBytes() int {
	if m.isSmall() {
		return maxSmall
	}
	return m.maxBytes()
}

// maxBytes is what MaxBytes does where it has to count.
func (m *Merge) maxBytes() int {
	total := len(`{}[][]`)
	tags, keys := m.renderer.MaxTags()
	limit := &m.Policy.Limit
	b := bounds{
		tags, keys, maxReceipt, maxInjected, maxWarnings, budget.MaxMarker + maxTruncated, len(fragment.NoteText),
		limit.MaxBytes(), limit.Strict, m.Policy.HasTotal,
	}
	if m.renderer.Wrapper != fragment.Reference {
		b.limit = -1
	}
	for i := 0; i < len(m.outcomes); i++ {
		if usesKernels {
			bytes, next := maxRun(m, &b, i)
			total += bytes
			if i = next; i == len(m.outcomes) {
				break
			}
		}
		total += m.maxOutcome(&m.outcomes[i])
	}
	return total
}

// bounds are the parts of what is written of an outcome, as maxOutcome adds them up.
type bounds struct {
	tags                        *[fragment.Kinds]int
	keys                        int
	receipt, injected, warnings int
	cut                         int // the marker, and what a receipt tells of it
	note                        int
	limit                       int // the longest value that is not cut, -1 if values that are told are left to others
	strict, total               bool
}

// maxOutcome bounds what is written of an outcome.
func (m *Merge) maxOutcome(o *outcome) int {
	e := m.entry(o)
	total := maxReceipt + int(e.Key.End-e.Key.Start)
	if o.injected() {
		total += maxInjected + m.maxInput(o)
	}
	if o.now >= 0 {
		total += e.maxBytes()
	}
	if o.before >= 0 && o.change != removed && (o.now < 0 || m.Policy.HasTotal) {
		total += m.Old.entries[o.before].maxBytes()
	}
	return total
}

// maxInput bounds what render writes, and what a receipt tells of the value.
func (m *Merge) maxInput(o *outcome) int {
	total := 0
	tags, keys := m.renderer.MaxTags()
	if o.note {
		former := &m.Old.entries[o.before]
		total = tags[former.Kind] + keys*int(former.Key.End-former.Key.Start) + len(fragment.NoteText)
	}
	if !o.hasText() {
		return total
	}
	e := m.entry(o)
	total += tags[e.Kind] + keys*int(e.Key.End-e.Key.Start)
	if e.Value.Len == 0 {
		return total
	}
	limit := m.limit(o)
	total += m.renderer.MaxValue(m.text, &e.Value, limit)
	if limit.Strict || int(e.Value.Len) > limit.MaxBytes() {
		total += maxTruncated
		if e.Value.Len >= shortValue {
			total += 2 * (maxNumber - maxShortNumber)
		}
	}
	if limit.Strict || !e.clean {
		total += maxWarnings
	}
	return total
}

// isSmall reports whether nothing longer than maxSmall can become of the request:
// a byte of a key may stand there up to 15 times, escaped, and around each key
// stand at most 1 KiB.
func (m *Merge) isSmall() bool { return len(m.outcomes) <= 16 && len(m.text) <= 3<<10 }

const maxSmall = 64 << 10

// maxBytes bounds what write writes, and a comma.
func (a *Entry) maxBytes() int {
	return len(`"",`) + int(a.Key.End-a.Key.Start) + len(memberValue) + int(a.Value.End-a.Value.Start) + len(`"`) + len(memberEnds[a.Kind])
}

// WriteStore writes the next store.
func (m *Merge) WriteStore(w *json.Writer) { m.next.Write(w, m.text) }

// WriteTold writes the members of an answer that stand behind the store, and
// ends it.
func (m *Merge) WriteTold(w *json.Writer) {
	w.Text(`,"inputs":[`)
	m.WriteInputs(w)
	m.WriteReceipts(w)
}

// WriteInputs writes the inputs that tell the model, with commas between them.
func (m *Merge) WriteInputs(w *json.Writer) { m.writeInputs(w, 0) }

// writeInputs writes those from that of the outcome i on.
func (m *Merge) writeInputs(w *json.Writer, i int) {
	for ; i < len(m.outcomes); i++ {
		if i = m.writeRuns(w, i); i == len(m.outcomes) {
			return
		}
		o := &m.outcomes[i]
		switch {
		case !o.injected():
		case m.isEarly && o.to > 0:
			w.Comma()
			w.Raw(m.early.Bytes()[o.from:o.to])
		default:
			m.render(w, o)
		}
	}
}

// writeRuns writes those from that of the outcome i on that there is a quicker way for,
// and returns which comes next.
func (m *Merge) writeRuns(w *json.Writer, i int) (next int) {
	if !usesKernels || m.Policy.Tokenizer.IsExact() {
		return i
	}
	if m.Policy.PlainInputs {
		i = writeInputRun(m, w, &fragment.ReferencePieces, m.Policy.Limit.MaxBytes(), i)
	}
	if i == len(m.outcomes) {
		return i
	}
	return writeShortRun(m, w, &fragment.Templates[m.Policy.Wrapper], fragment.NoteText, i)
}

// WriteReceipts ends the array of the inputs, which have to be written before,
// writes the receipts, and ends the answer.
func (m *Merge) WriteReceipts(w *json.Writer) { m.writeReceipts(w, 0) }

// writeReceipts does that from a place on: 0 for what comes before the first receipt,
// and one more than the index of an outcome for its receipt.
func (m *Merge) writeReceipts(w *json.Writer, at int) {
	for ; ; at++ {
		if usesKernels {
			var ended bool
			if at, ended = writeReceiptRun(m, w, &receiptMiddle, &receiptQuiet, at); ended {
				return
			}
		}
		switch {
		case at == 0:
			w.Text(`],"receipts":[`)
		case at > len(m.outcomes):
			w.Text(`]}`)
			return
		default:
			m.writeReceipt(w, &m.outcomes[at-1])
		}
	}
}

// writeReceipt writes one receipt.
func (m *Merge) writeReceipt(w *json.Writer, o *outcome) {
	e, r := m.entry(o), &o.rendered
	rest := &receiptQuiet
	if o.injected() {
		rest = &receiptMiddle
	}
	w.Comma()
	w.Fill(receiptPieces, []string{e.Key.Filling(m.text), rest[e.Kind][o.change]})
	if !o.injected() {
		return
	}
	w.Int(int(r.Tokens))
	if r.Truncated {
		var original, removed json.Digits
		w.Fill(truncatedPieces, []string{original.Of(r.OriginalTokens), removed.Of(r.RemovedTokens)})
		if budget.Exact && r.Estimated {
			w.Text(`,"estimated":true`)
		}
		w.Text(`}`)
	}
	w.Text(r.Warnings.Member())
}

var (
	receiptPieces   = []string{`{"key":"`, ``, ``}
	truncatedPieces = []string{`,"truncated":{"originalTokens":`, `,"removedTokens":`, ``}
)

// What stands behind the key: up to the number of tokens, and all of the rest
// where nothing is injected.
var receiptMiddle, receiptQuiet = func() (middle, quiet [fragment.Kinds][changes]string) {
	for kind := range middle {
		for change := range middle[kind] {
			middle[kind][change] = `","kind":"` + fragment.Kind(kind).String() + `","change":"` +
				string(changeNames[change]) + `","tokens":`
			quiet[kind][change] = middle[kind][change] + `0,"warnings":[]}`
		}
	}
	return middle, quiet
}()

// Bounds for parts of a receipt: all that stands around the key where nothing is
// injected, what is longer where something is, and what only stands where there is
// a value.
var (
	maxReceipt = func() int {
		longest := 0
		for kind := range receiptQuiet {
			for _, rest := range receiptQuiet[kind] {
				longest = max(longest, len(rest))
			}
		}
		return len(`,{"key":"`) + longest
	}()
	maxInjected  = maxNumber + len(`"",`) + len(abi.KeyHasGT)
	maxWarnings  = len(`"",`) + len(abi.ValueHasClosingTag) + len(`"",`) + len(abi.ControlCharacters)
	maxTruncated = func() int {
		n := len(`,"truncated":{"originalTokens":,"removedTokens":}`) + 2*maxShortNumber
		if budget.Exact {
			n += len(`,"estimated":true`)
		}
		return n
	}()
)

// maxNumber is the length of the longest number of tokens, maxShortNumber of those of a
// value that has fewer bytes than shortValue.
const (
	maxNumber      = 10
	maxShortNumber = 4
	shortValue     = 10_000
)
