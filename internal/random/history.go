package random

import (
	"math/rand/v2"
	"slices"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/model"
)

// history is what a request to reconcile or to classify is about.
type history struct {
	*writer
	policy model.Policy // that of the request, if there is nothing wrong with it
	store  Map
	told   []string // the store's keys, and a few others, in an order that stays
}

func newHistory(w *writer, policy []byte, store Map) *history {
	h := &history{writer: w, policy: model.DefaultPolicy(), store: store}
	if p, err := model.ParsePolicy(policy); err == nil {
		h.policy = p
	}
	for _, key := range keys {
		if _, stands := store[key]; stands || w.IntN(20) == 0 {
			h.told = append(h.told, key)
		}
	}
	return h
}

// said is one text in a history.
type said struct{ role, text string }

// items writes the history: what is left of messages that told of the store,
// in any order, some of them stale, spoilt or quoted, and much else.
func (h *history) items() {
	all := h.texts()
	h.WriteByte('[')
	for i := 0; len(all) > 0 || i == 0 && h.IntN(2) == 0; i++ {
		if i > 0 {
			h.WriteByte(',')
		}
		h.space()
		all = h.item(all)
	}
	h.WriteByte(']')
}

// texts returns what the messages say.
func (h *history) texts() []said {
	var all []said
	for _, key := range h.told {
		for range h.IntN(4) {
			all = append(all, h.near(key))
		}
		if h.IntN(2) == 0 {
			all = append(all, h.fragment(key, h.current(key), h.policy))
		}
	}
	if h.IntN(2) == 0 {
		h.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return all
}

// current returns the entry of a key; any where there is none.
func (h *history) current(key string) abi.Entry {
	if e, stands := h.store[key]; stands {
		return e
	}
	return Entry(h.Rand)
}

// fragment is what an entry renders to.
func (h *history) fragment(key string, e abi.Entry, p model.Policy) said {
	f := model.Render(key, e, p)
	return said{f.Role, f.Text}
}

// near returns a text that is, or nearly is, context of a key.
func (h *history) near(key string) said {
	e, p := h.current(key), h.policy
	switch h.IntN(6) {
	case 0:
		e = Entry(h.Rand) // stale
	case 1:
		p = model.DefaultPolicy()
	case 2:
		p.Wrapper = "attribute"
	}
	s := h.fragment(key, e, p)
	switch h.IntN(8) {
	case 0:
		s.role = pick(h.Rand, []string{"user", "developer", "assistant", "system"})
	case 1:
		s.text = h.spoil(s.text)
	case 2:
		s.text = pick(h.Rand, spaces) + s.text + pick(h.Rand, spaces)
	case 3:
		s.text = "look: " + s.text
	case 4:
		other := h.fragment(pick(h.Rand, keys), Entry(h.Rand), p)
		s.text += other.text
	case 5:
		s.text = pick(h.Rand, []string{"", "hello", "<external_", "<external_api>", "<>", "</>", "<></>", "<external_></external_>"})
	}
	return s
}

var spaces = []string{"", " ", "\n", "\u0085", "\u00a0", "\u2028", "\u3000", "\t\r\n", "\u200b", "\ufeff", "\x1c"}

// spoil changes a text in one place.
func (h *history) spoil(text string) string {
	chars := []rune(text)
	if len(chars) == 0 {
		return text
	}
	at := h.IntN(len(chars))
	switch h.IntN(4) { // near an end is where the tags are
	case 0:
		at = min(at, h.IntN(40))
	case 1:
		at = max(at, len(chars)-1-h.IntN(40))
	}
	switch h.IntN(3) {
	case 0:
		return string(slices.Delete(chars, at, at+1))
	case 1:
		chars[at] = pick(h.Rand, []rune("<>&\"/\t\n\r;aé🙂"))
		return string(chars)
	}
	return string(chars[:at]) + pick(h.Rand, spoilers) + string(chars[at:])
}

// item writes an item with the first of these texts, or with none, and returns
// those that are left.
func (h *history) item(all []said) []said {
	if h.faulty && h.IntN(20) == 0 {
		h.WriteString(pick(h.Rand, []string{`null`, `"hello"`, `[]`, `7`}))
		return all
	}
	if len(all) == 0 || h.IntN(6) == 0 {
		h.WriteString(pick(h.Rand, junk))
		return all
	}
	n := 1
	for n < len(all) && all[n].role == all[0].role && h.IntN(3) == 0 {
		n++
	}
	members := []member{{"role", func() { h.string(all[0].role) }}, {"content", func() { h.content(all[:n]) }}}
	if h.IntN(6) > 0 {
		members = append(members, member{"type", func() { h.string("message") }})
	}
	h.object(members...)
	return all[n:]
}

// junk are items that say nothing.
var junk = []string{
	`{}`, `{"type":"message"}`, `{"type":"function_call","name":"f","arguments":"{}"}`, `{"type":"reasoning","summary":[{"a":1,"a":2}]}`,
	`{"type":null,"role":"user","content":"<external_a></external_a>"}`, `{"type":"Message","role":"user","content":"<external_a></external_a>"}`,
	`{"role":"assistant","content":[{"type":"output_text","text":"<external_a></external_a>","text":""}]}`,
	`{"role":"user","content":null}`, `{"role":"user","content":{}}`, `{"role":"user"}`, `{"role":7,"content":""}`, `{"role":"user","content":[]}`,
	`{"content":"<a></a>","role":"tool"}`, `{"type":"message","role":["user"],"content":"x"}`,
}

// content writes the texts as parts among others, or one as a string.
func (h *history) content(texts []said) {
	if len(texts) == 1 && h.IntN(3) == 0 {
		h.string(texts[0].text)
		return
	}
	h.WriteByte('[')
	for i, s := range texts {
		if i > 0 {
			h.WriteByte(',')
		}
		if h.IntN(6) == 0 {
			h.WriteString(pick(h.Rand, junkParts) + ",")
		}
		h.space()
		h.object(member{"type", func() { h.string(abi.TextContent) }}, member{"text", func() { h.string(s.text) }})
	}
	h.WriteByte(']')
}

// junkParts are parts that say nothing.
var junkParts = []string{
	`{}`, `null`, `7`, `"<external_a></external_a>"`, `[]`, `{"type":"input_image","image_url":"data:,","detail":"high"}`,
	`{"type":"output_text","text":"<external_a></external_a>"}`, `{"text":"<external_a></external_a>"}`, `{"type":"input_text"}`,
	`{"type":"input_text","text":null}`, `{"type":"input_text","text":["<external_a></external_a>"]}`, `{"type":null,"text":"<external_a></external_a>"}`,
}

// Text returns what a user may type: nearly context of some key, and now and
// then just that.
func Text(r *rand.Rand) string {
	h := newHistory(newWriter(r), []byte("null"), Map{})
	h.policy.Wrapper = pick(r, []string{"reference", "attribute"})
	if r.IntN(2) == 0 {
		return `<external_context source="` + h.escaped() + `">` + h.escaped() + `</external_context>`
	}
	return h.near(pick(r, keys)).text
}

// escaped returns what may stand in an element, and now and then what may not.
func (h *history) escaped() string {
	pieces := []string{"a", "b c", "é", "'", "&amp;", "&lt;", "&gt;", "&amp;lt;"}
	if h.IntN(2) == 0 {
		pieces = append(pieces, spoilers...)
	}
	text := ""
	for range h.IntN(5) {
		text += pick(h.Rand, pieces)
	}
	return text
}

// spoilers are what an element has not, here or there.
var spoilers = []string{"<", ">", "&", `"`, "\t", "\n", "\r", "&quot;", "&#9;", "&#10;", "&#13;", "&#09;", "&#x9;", "&apos;", "&AMP;", "&amp", "&nbsp;", "&;", "</external_context>"}
