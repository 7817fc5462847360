// Package texts makes the texts with which package tiktoken is compared with
// others: always the same ones.
package texts

import (
	_ "embed"
	"strings"
)

// Article 1 of the Universal Declaration of Human Rights in many languages, and
// snippets of code in many more, each behind a line with its name.
var (
	//go:embed prose.txt
	prose string
	//go:embed code.txt
	code string
)

// Prose returns a text in each of several languages, by the language's code.
func Prose() map[string]string { return sections(prose) }

// Code returns the snippets of code, one after the other.
func Code() string { return strings.Join(list(code), "\n\n") }

// sections reads a file of texts, each behind a line "# name".
func sections(file string) map[string]string {
	byName := map[string]string{}
	for _, section := range strings.Split("\n"+file, "\n# ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		byName[name] = strings.TrimSuffix(text, "\n")
	}
	return byName
}

// list reads the same file, in its order.
func list(file string) (texts []string) {
	for _, section := range strings.Split("\n"+file, "\n# ")[1:] {
		_, text, _ := strings.Cut(section, "\n")
		texts = append(texts, strings.TrimSuffix(text, "\n"))
	}
	return texts
}

// All returns thousands of texts.
func All() []string {
	m := maker{state: 1}
	texts := []string{"", " ", "\n", "a", "'", "'s", "\u0301", "\x00"}
	add := func(n int, text func() string) {
		for range n {
			texts = append(texts, text())
		}
	}
	for _, text := range list(prose) {
		texts = append(texts, text)
		add(59, func() string { return m.excerpt(text) })
	}
	for _, text := range list(code) {
		texts = append(texts, text)
		add(39, func() string { return m.excerpt(text) })
	}
	all := list(prose + code)
	add(400, func() string { return m.excerpt(m.pick(all)) + m.excerpt(m.pick(all)) })
	add(500, func() string { return m.some(20, m.emoji) })
	add(500, func() string { return m.some(4, m.repeat) })
	add(500, func() string { return m.some(12, m.white) })
	add(300, func() string { return m.some(6, m.special) })
	add(700, func() string { return m.some(24, m.tricky) })
	add(1200, func() string { return m.some(40, m.character) })
	return texts
}

// A maker makes texts from pseudo-random numbers (SplitMix64), the same ones
// with every version of Go.
type maker struct{ state uint64 }

// below returns a number in [0, n).
func (m *maker) below(n int) int {
	m.state += 0x9E3779B97F4A7C15
	z := m.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return int((z ^ z>>31) >> 1 % uint64(n))
}

func (m *maker) pick(from []string) string { return from[m.below(len(from))] }

// some joins one to n parts.
func (m *maker) some(n int, part func() string) string {
	var b strings.Builder
	for range 1 + m.below(n) {
		b.WriteString(part())
	}
	return b.String()
}

// excerpt returns some characters of a text, which one time in three has its
// words in another order, or other case.
func (m *maker) excerpt(text string) string {
	switch m.below(6) {
	case 0:
		words := strings.SplitAfter(text, " ")
		for i := range words {
			j := m.below(i + 1)
			words[i], words[j] = words[j], words[i]
		}
		text = strings.Join(words, "")
	case 1:
		text = strings.ToUpper(text)
	}
	runes := []rune(text)
	from := m.below(len(runes))
	return string(runes[from : from+m.below(len(runes)-from)+1])
}

var emoji = []string{"👍", "👋🏽", "👩🏾‍🚀", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴‍☠️", "🇯🇵", "🇩🇪", "1️⃣", "#️⃣", "☺️", "☺", "❤️‍🔥", "🧑🏿‍🤝‍🧑🏻", "🫶🏼", "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", " ", "ok", "!", "\n", "👍👍👍", "🏽", "\u200d", "\ufe0f"}

func (m *maker) emoji() string { return m.pick(emoji) }

var repeated = []string{"a", "A", "é", "漢", "か", "ก", "ا", "0", "7", "٣", " ", "\n", "\t", "\r\n", "-", "=", "/", "*", ".", "…", "\u0301", "\u0308", "🙂", "\u200b", "\u00a0", "\u3000", "ab", "ha", "=-", " /", "\n\n ", "\x00", "ǅ", "ʰ", "\U000E0100"}

func (m *maker) repeat() string { return strings.Repeat(m.pick(repeated), 1+m.below(300)) }

var white = []string{" ", "  ", "    ", "\t", "\n", "\r", "\r\n", "\n\n", "\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\u200b", "\ufeff", "x", "1", "!", "é", "/"}

func (m *maker) white() string { return m.pick(white) }

var special = []string{"<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|endofprompt|>", "<|im_start|>", "<|im_end|>", "<|start|>", "<|", "|>", "endoftext", " ", "\n", "user", "a<|endoftext|>b", "<|endoftext|", "<|ENDOFTEXT|>"}

func (m *maker) special() string { return m.pick(special) }

// What the regular expressions of the encodings make a difference of.
var tricky = []string{"a", "B", "ß", "É", "ǅ", "ʰ", "ª", "漢", "\u0301", "\u0903", "1", "٣", "Ⅷ", "½", "²", "'", "'s", "'S", "'t", "'RE", "'ve", "'Ll", "'m", "'d", "'ſ", "’s", "''s", "ſ", "K", " ", " ", "\t", "\n", "\r\n", "\u00a0", "!", "/", "//", "\n/", ".", "_", "-", "$", "€", "the", "The", "THE", "camelCase", "don't", "DON'T"}

func (m *maker) tricky() string { return m.pick(tricky) }

// ranges are characters that every current version of Unicode classes alike,
// and some that none will ever assign.
var ranges = [][2]rune{
	{0, 0x7F}, {0x80, 0x377}, {0x384, 0x52F}, {0x531, 0x556}, {0x591, 0x5F4}, {0x600, 0x6FF}, {0x710, 0x74A},
	{0x780, 0x7B1}, {0x904, 0x94D}, {0x985, 0x9CD}, {0xA05, 0xA4D}, {0xB85, 0xBCD}, {0xC05, 0xC39}, {0xD05, 0xD3A},
	{0xE01, 0xE5B}, {0xE81, 0xEB9}, {0xF00, 0xF47}, {0x1000, 0x10FF}, {0x1100, 0x1248}, {0x13A0, 0x13F5}, {0x1400, 0x167F},
	{0x16A0, 0x16F8}, {0x1780, 0x17DD}, {0x1820, 0x1878}, {0x1D00, 0x1DF9}, {0x1E00, 0x1F15}, {0x1F80, 0x1FB4},
	{0x2000, 0x2064}, {0x2070, 0x209C}, {0x20A0, 0x20BF}, {0x20D0, 0x20F0}, {0x2100, 0x218B}, {0x2190, 0x2426},
	{0x2460, 0x2B73}, {0x2C00, 0x2CF3}, {0x2D30, 0x2D67}, {0x2E80, 0x2E99}, {0x3000, 0x30FF}, {0x3105, 0x312F},
	{0x3131, 0x318E}, {0x3190, 0x31E3}, {0x3200, 0x9FEF}, {0xA000, 0xA48C}, {0xA500, 0xA6F7}, {0xA722, 0xA78A},
	{0xAC00, 0xD7A3}, {0xE000, 0xFA6D}, {0xFB00, 0xFB06}, {0xFB50, 0xFBB1}, {0xFE00, 0xFE6B}, {0xFF01, 0xFFBE},
	{0xFFF9, 0xFFFF}, {0x10000, 0x1000B}, {0x10280, 0x1029C}, {0x10330, 0x1034A}, {0x10400, 0x1049D}, {0x10900, 0x1091B},
	{0x10A00, 0x10A03}, {0x11003, 0x1104D}, {0x12000, 0x12399}, {0x13000, 0x1342E}, {0x16800, 0x16A38}, {0x1B000, 0x1B11E},
	{0x1D100, 0x1D126}, {0x1D400, 0x1D454}, {0x1D7CE, 0x1D7FF}, {0x1E900, 0x1E943}, {0x1F100, 0x1F10C}, {0x1F300, 0x1F6D5},
	{0x1F900, 0x1F9FF}, {0x20000, 0x2A6D6}, {0x2A700, 0x2B734}, {0x2F800, 0x2FA1D}, {0x30000, 0x3134A}, {0xE0001, 0xE007F},
	{0xE0100, 0xE01EF}, {0xF0000, 0xFFFFD}, {0x100000, 0x10FFFF},
}

func (m *maker) character() string {
	r := ranges[m.below(len(ranges))]
	return string(r[0] + rune(m.below(int(r[1]-r[0])+1)))
}
