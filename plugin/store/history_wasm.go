package store

import "github.com/turncontext/turncontext/plugin/json"

// readItems reads items of the list from i on, where one begins, as long as they have no
// members but those of a message, whose content is a text, one part with a text, or no
// parts, and there is room. It returns where the last one ends, i if it has read none.
//
//go:noescape
func readItems(h *History, text []byte, i int) (end int)

// classifyRun writes what Merge.Classify does from that of the item i on, or of those
// before it without parts, of which next is the first, as long as it has one part, there is
// room, and a look at the first byte tells that it is not hidden, or it is a user's, without
// white space at its ends. Under the attribute wrapper that is so if neither key nor value has
// an entity, nor the key an escape of JSON. It returns what comes next.
//
//go:noescape
func classifyRun(w *json.Writer, text []byte, h *History, i, next int, attribute bool) (newI, newNext int)

// weighRun does what Merge.weigh does with texts of the history from the part p on, which is
// one of the item i, as long as they are not Foreign, those in the tags of a key in those of
// no other, and the key's value is within limit. It is for a plain policy and keys that are plain; nested says that
// some have a ">". It returns what comes next.
//
//go:noescape
func weighRun(m *Merge, h *History, limit int, nested bool, i, p int) (newI, newP int)
