package store

import (
	"unicode/utf8"

	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// Classify writes for each item of the history whether it is hidden context,
// and then its key and kind: those of the first part that is (abi/README.md,
// "classify"). Old is the store whose keys tell a developer's messages. All was
// read from text.
func (m *Merge) Classify(w *json.Writer, text []byte, h *History) {
	m.begin(text)
	m.tags.reset()
	attribute := m.Policy.Wrapper == fragment.Attribute
	m.Old.normaliseKeys(text)
	nested := usesKernels && !attribute && m.Old.hasNested(text)
	w.Text(`[`)
	for i, next := 0, 0; ; i++ {
		if usesKernels {
			i, next = classifyRun(m, w, h, i, next, attribute, nested)
		}
		if i == len(h.items) {
			writeNotHidden(w, h.n-next)
			break
		}
		it := &h.items[i]
		writeNotHidden(w, int(it.index)-next)
		next = int(it.index) + 1
		if key, hidden := m.hiddenKey(h.partsOf(i), it.kind); hidden {
			writeHidden(w, key, it.kind)
		} else {
			writeNotHidden(w, 1)
		}
	}
	w.Text(`]`)
}

// What most items are, and many of them.
const (
	notHidden      = `{"hidden":false}`
	fourNotHidden  = notHidden + "," + notHidden + "," + notHidden + "," + notHidden
	manyNotHidden  = fourNotHidden + "," + fourNotHidden + "," + fourNotHidden + "," + fourNotHidden
	manyNotHiddenN = 16
)

// writeNotHidden writes that so many items are not hidden.
func writeNotHidden(w *json.Writer, n int) {
	for ; n > 0; n -= manyNotHiddenN {
		w.Comma()
		w.Text(manyNotHidden[:min(n*len(notHidden+",")-1, len(manyNotHidden))])
	}
}

// writeHidden writes that an item is hidden context of that key.
func writeHidden(w *json.Writer, key []byte, kind fragment.Kind) {
	w.Comma()
	w.Text(`{"hidden":true,"key":"`)
	w.Escape(key)
	w.Fill(behindKey, []string{kind.String()})
}

var behindKey = []string{`","kind":"`, `"}`}

// MaxBytes bounds what Classify writes of so many items if the keys have little
// more than what is not written of their texts.
func (h *History) MaxBytes() int {
	return h.n*len(`,`+notHidden) + len(h.parts)*len(`"hidden":true,"key":"","kind":"application"`)
}

// hiddenKey returns the key of the first part that is a fragment.
func (m *Merge) hiddenKey(parts []json.String, kind fragment.Kind) (key []byte, hidden bool) {
	for _, part := range parts {
		if !mayBeHidden(part.Raw(m.text)) {
			continue
		}
		text := m.resolve(part)
		if kind == fragment.Untrusted {
			key, hidden = m.Policy.Wrapper.Recognise(text, &m.rewritten)
		} else {
			key, hidden = m.developerKey(text)
		}
		if hidden {
			return key, true
		}
	}
	return nil, false
}

// mayBeHidden reports whether a text, as it is written, may begin with a tag behind white
// space.
func mayBeHidden(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == ' ':
		case c == '\\' && (raw[i+1] == 'n' || raw[i+1] == 'r' || raw[i+1] == 't'):
			i++
		default:
			return c == '<' || c == '\\' || c >= utf8.RuneSelf
		}
	}
	return false
}

// developerKey does the same for one text of a developer, which by itself does
// not tell.
func (m *Merge) developerKey(text []byte) (key []byte, hidden bool) {
	if m.Policy.Wrapper == fragment.Attribute {
		if key, ok := fragment.Element(text, fragment.Application, &m.rewritten); ok {
			return key, true
		}
	}
	if m.tags.isEmpty() {
		m.tags.index(&m.Old, m.text)
	}
	keys := m.tags.around(fragment.Reference, text, fragment.Application)
	if len(keys) == 0 {
		return nil, false
	}
	return m.tags.key(keys[0]), true
}
