package store

import (
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// Classify writes for each item of the history whether it is hidden context,
// and then its key and kind: those of the first part that is (abi/README.md,
// "classify"). Old is the store whose keys tell a developer's messages. All was
// read from text.
func (m *Merge) Classify(w *json.Writer, text []byte, h *History) {
	m.begin(text)
	m.tags.index(&m.Old, text)
	w.Text(`[`)
	for i := range h.items {
		parts := h.partsOf(i)
		if len(parts) == 0 && i > 0 {
			w.Text(`,` + notHidden) // as most are
			continue
		}
		if i > 0 {
			w.Text(`,`)
		}
		if key, hidden := m.hiddenKey(parts, h.items[i].kind); hidden {
			w.Text(`{"hidden":true,"key":`)
			w.Quote(key)
			w.Text(`,"kind":"`)
			w.Text(h.items[i].kind.String())
			w.Text(`"}`)
		} else {
			w.Text(notHidden)
		}
	}
	w.Text(`]`)
}

const notHidden = `{"hidden":false}`

// MaxBytes bounds what Classify writes of so many items if the keys have little
// more than what is not written of their texts.
func (h *History) MaxBytes() int {
	return len(h.items)*len(`,`+notHidden) + len(h.parts)*len(`"hidden":true,"key":"","kind":"application"`)
}

// hiddenKey returns the key of the first part that is a fragment.
func (m *Merge) hiddenKey(parts []json.String, kind fragment.Kind) (key []byte, hidden bool) {
	for _, part := range parts {
		text := m.resolve(part)
		if kind == fragment.Untrusted {
			key, hidden = m.Policy.Wrapper.Recognise(text, m.rewritten[:0])
		} else {
			key, hidden = m.developerKey(text)
		}
		if hidden {
			return key, true
		}
	}
	return nil, false
}

// developerKey does the same for one text of a developer, which by itself does
// not tell.
func (m *Merge) developerKey(text []byte) (key []byte, hidden bool) {
	if m.Policy.Wrapper == fragment.Attribute {
		if key, ok := fragment.Element(text, fragment.Application, m.rewritten[:0]); ok {
			return key, true
		}
	}
	keys := m.tags.around(fragment.Reference, text, fragment.Application)
	if len(keys) == 0 {
		return nil, false
	}
	return m.tags.key(keys[0]), true
}
