package store

import (
	"unsafe"

	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// What the assembler knows by name, or takes for granted.
const (
	lenMemberValue    = len(memberValue)
	lenMemberRest     = len(`"",` + `"`) // beside the key, the value, and what stands around that
	lenUntrustedEnd   = len(`,"kind":"untrusted"}`)
	lenApplicationEnd = len(`,"kind":"application"}`)

	longestEscape = fragment.LongestEscape

	_ = -(unsafe.Sizeof(outcome{}) ^ 48)
	_ = -(unsafe.Sizeof(json.Writer{}) ^ 24)
	_ = -unsafe.Offsetof(fragment.Rendered{}.Tokens)
	_ = -(unsafe.Offsetof(fragment.Rendered{}.Begin) ^ 12)
	_ = -(unsafe.Offsetof(fragment.Rendered{}.End) ^ 16)
	_ = -(unsafe.Offsetof(fragment.Rendered{}.Truncated) ^ 20)
	_ = -(unsafe.Offsetof(fragment.Rendered{}.Estimated) ^ 21)
	_ = -(unsafe.Offsetof(fragment.Rendered{}.Warnings) ^ 22)
	_ = -(unsafe.Offsetof(fragment.Pieces{}.Tag) ^ 64)
	_ = -(unsafe.Offsetof(fragment.Pieces{}.AfterText) ^ 72)
	_ = -(unsafe.Offsetof(fragment.Pieces{}.Bytes) ^ 80)
)

// compareEntries compares entries as Merge.compareNext does, from those two on, as long
// as there is room for outcomes, no entry is null, and no value is Foreign, as no key is. It returns which come next.
//
//go:noescape
func compareEntries(m *Merge, before, now int) (newBefore, newNow int)

// maxRun adds up what Merge.maxOutcome does, from the outcome i on, as long as no policy of a
// key counts, nor is a value told that is not empty if the limit is below 0, as it has to be
// unless the policy has the reference wrapper. It returns which outcome comes next.
//
//go:noescape
func maxRun(m *Merge, b *bounds, i int) (bytes, next int)

// matchKeys does what Merge.plainMatchKeys says.
//
//go:noescape
func matchKeys(m *Merge)

// writeReceiptRun writes receipts as Merge.writeReceipts does, from that of the outcome
// at-1 on, or from what comes before the first where at is 0, as long as nothing is
// estimated beside what is counted, and there is room. It returns what comes next, and
// whether that is nothing.
//
//go:noescape
func writeReceiptRun(m *Merge, w *json.Writer, middle, quiet *[fragment.Kinds][changes]string, at int) (newAt int, ended bool)

// writeInputRun writes inputs as Merge.writeInputs does by a plain policy, from that of
// the outcome i on, as long as the value is within limit, there is nothing to warn of, and
// there is room. It returns which outcome comes next.
//
//go:noescape
func writeInputRun(m *Merge, w *json.Writer, pieces *[fragment.Kinds]fragment.Pieces, limit, i int) (next int)

// writeWhole writes the object that has the entries, one at least, as it stands in the
// text, if that is as the output has it and there is room. It reports whether it did.
//
//go:noescape
func writeWhole(w *json.Writer, text []byte, entries []Entry) bool
