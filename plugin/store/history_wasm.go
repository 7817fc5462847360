package store

import (
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// readItems reads items of the list from i on, where one begins, as long as they have no
// members but those of a message, whose content is a text, one part with a text, or no
// parts, and there is room. It returns where the last one ends, i if it has read none.
//
//go:noescape
func readItems(h *History, text []byte, i int) (end int)

// classifyRun writes what Merge.Classify does from that of the item i on, or of those
// before it without parts, of which next is the first, as long as it has one part, there is
// room, and one of these holds: a look at the first byte tells that it is not hidden; it is a
// user's, with nothing around it but spaces, or line feeds and tabs before it; it is a
// developer's and the wrapper is not attribute, where nested is as for weighRun. Under the attribute wrapper neither key nor value may
// have an entity, nor the key an escape of JSON. It returns what comes next.
//
//go:noescape
func classifyRun(m *Merge, w *json.Writer, h *History, i, next int, attribute, nested bool) (newI, newNext int)

// weighRun does what Merge.weigh does with texts of the history from the part p on, which is
// one of the item i, as long as none stands in the tags of more than one key, and a look at it
// tells whether the entry renders to it, or it is rendered, or can be by renderShort: else others
// compare. limit is what holds for keys that have none of their own, in
// bytes, -1 where tokens are counted exactly. Keys are not Foreign; nested says that some have a
// ">", and nothing where the wrapper is attribute. It returns what comes next, and the index of
// the entry in whose tags alone that stands if it is known, else -1.
//
//go:noescape
func weighRun(m *Merge, h *History, templates *[fragment.Kinds]fragment.Template, limit int, attribute, nested bool, i, p int) (newI, newP, found int)

// keyAround returns the index of the entry of Merge.Old in whose tags for that kind a part
// stands, and where the value begins and ends between them; -1 if there is none, and -2 if
// there may be several, or there is no room in Merge.resolved for a key that has an entity or an
// escape under the attribute wrapper. The rest is as for weighRun; hint is the index of an entry
// that it probably is, or the next one. The assembler calls it.
//
//go:noescape
func keyAround(m *Merge, part *json.String, kind fragment.Kind, attribute, nested bool, hint int) (found, begin, end int)

// compareKeys does what json.Compare does with strings that are Canonical at most, of n bytes
// at a and m at b. The first one is a string of the text. The assembler calls it.
//
//go:noescape
func compareKeys(text []byte, a, n, b, m int) int

// compareWritten reports whether the n bytes of the text at i are what is written of a value that
// is not cut: 1 if they are, 0 if not, -1 if there is something to strip. It has room to read
// behind both. The assembler calls it.
//
//go:noescape
func compareWritten(text *byte, value *json.String, i, n int, attribute, strip bool) (same int)
