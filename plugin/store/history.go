package store

import (
	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// History is a list of items as a model sees them: what was said, and by whom
// (abi/README.md, "reconcile").
type History struct {
	items []item        // those that have parts
	parts []json.String // texts of input_text parts, in order
	n     int           // how many items the list has
	begin int           // offset of the list
}

// item is one item. Its parts end where the next one's begin.
type item struct {
	index int32 // in the list
	parts int32 // index in History.parts of the first
	kind  fragment.Kind
}

// Read reads the next value as the list, an array of objects. What is no message
// of a user or a developer has no parts.
func (h *History) Read(r *json.Reader) {
	h.items, h.parts, h.n = h.items[:0], h.parts[:0], 0
	h.begin = r.Offset()
	if !r.Array() {
		return
	}
	for r.Item() {
		if r.Settled() {
			r.SkipRest()
			return
		}
		switch {
		case r.AtEmpty():
			h.n += r.PassAll(1 << json.KindObject)
		case !h.readUsual(r):
			h.readItem(r)
			h.n++
		}
	}
}

// partsOf returns the texts of the item with that index.
func (h *History) partsOf(i int) []json.String {
	if i+1 < len(h.items) {
		return h.parts[h.items[i].parts:h.items[i+1].parts]
	}
	return h.parts[h.items[i].parts:]
}

// readUsual reads items from the next value on, as long as they are usual, and reports
// whether it is one.
func (h *History) readUsual(r *json.Reader) bool {
	if !usesKernels {
		return false
	}
	h.growParts(r)
	h.growItems(r)
	before := h.n
	end := readItems(h, r.Text(), r.Offset())
	if h.n == before {
		return false
	}
	r.PassedItems(end, h.n-before)
	return true
}

// addItem adds an item whose parts begin at that index.
func (h *History) addItem(r *json.Reader, parts int, kind fragment.Kind) {
	h.growItems(r)
	n := len(h.items)
	h.items = h.items[:n+1]
	it := &h.items[n]
	it.index, it.parts, it.kind = int32(h.n), int32(parts), kind
}

var itemFields = []string{"type", "role", "content"}

const (
	itemType = iota
	itemRole
	itemContent
)

// readItem reads the next value as an item.
func (h *History) readItem(r *json.Reader) {
	var kind fragment.Kind
	isMessage, hasRole := true, false
	parts := len(h.parts)
	var f json.Fields
	if !r.Fields(&f, &itemFields) {
		return
	}
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch i {
		case itemType:
			isMessage = isString(r, `"message"`)
		case itemRole:
			kind, hasRole = readRole(r)
		case itemContent:
			h.readContent(r)
		}
	}
	if !isMessage || !hasRole {
		h.parts = h.parts[:parts]
	}
	if len(h.parts) > parts {
		h.addItem(r, parts, kind)
	}
}

// isString reads the next value and reports whether it is that string, which is given
// in its quotes.
func isString(r *json.Reader, want string) bool {
	if r.Word(want) {
		return true
	}
	var s json.String
	if r.Kind() != json.KindString {
		r.Skip()
		return false
	}
	return r.String(&s) && s.Is(r.Text(), want[1:len(want)-1])
}

// roles has fragment.Roles in their quotes.
var roles = [fragment.Kinds]string{fragment.Untrusted: `"` + abi.UserRole + `"`, fragment.Application: `"` + abi.DeveloperRole + `"`}

// readWord reads the next value if it is one of words, which are in their quotes, and
// reports whether it is; else nothing has changed.
//
//go:noinline
func readWord(r *json.Reader, words *[fragment.Kinds]string) (kind fragment.Kind, known bool) {
	for k := range words {
		if r.Word(words[k]) {
			return fragment.Kind(k), true
		}
	}
	return 0, false
}

// readRole reads the next value as a role that hidden context may have.
func readRole(r *json.Reader) (kind fragment.Kind, known bool) {
	if kind, known = readWord(r, &roles); known {
		return kind, true
	}
	var s json.String
	if r.Kind() != json.KindString {
		r.Skip()
		return 0, false
	}
	if !r.String(&s) {
		return 0, false
	}
	for k, name := range fragment.Roles {
		if s.Is(r.Text(), name) {
			return fragment.Kind(k), true
		}
	}
	return 0, false
}

// readContent reads the next value as the content of a message: a text, or parts.
func (h *History) readContent(r *json.Reader) {
	if r.Word(`[]`) {
		return
	}
	switch r.Kind() {
	case json.KindString:
		h.growParts(r)
		h.parts = append(h.parts, json.String{})
		r.String(&h.parts[len(h.parts)-1])
	case json.KindArray:
		for r.Array(); r.Item(); {
			if r.At('{') && !r.AtEmpty() {
				h.readPart(r)
			} else {
				r.PassAll(json.AnyKinds)
			}
		}
	default:
		r.Skip()
	}
}

var partFields = []string{"type", "text"}

const (
	partType = iota
	partText
)

func (h *History) readPart(r *json.Reader) {
	var f json.Fields
	var text json.String
	isText := false
	if r.Shaped(`{"type":"input_text","text":"`, &text, ``) {
		h.addPart(r, text)
		return
	}
	r.Fields(&f, &partFields)
	for i := r.Next(&f); i >= 0; i = r.Next(&f) {
		switch {
		case i == partType:
			isText = isString(r, `"input_text"`)
		case r.Kind() == json.KindString:
			r.String(&text)
		default:
			r.Skip()
		}
	}
	if isText && !text.IsAbsent() {
		h.addPart(r, text)
	}
}

// addPart adds the text of a part.
func (h *History) addPart(r *json.Reader, text json.String) {
	if !r.Settled() {
		h.growParts(r)
		h.parts = append(h.parts, text)
	}
}

// growParts makes room for one more part.
func (h *History) growParts(r *json.Reader) {
	if n := len(h.parts); n == cap(h.parts) {
		h.parts = json.Grow(h.parts, r.More(n, h.begin))
	}
}

// growItems makes room for one more item that has parts.
func (h *History) growItems(r *json.Reader) {
	if n := len(h.items); n == cap(h.items) {
		h.items = json.Grow(h.items, r.More(n, h.begin))
	}
}
