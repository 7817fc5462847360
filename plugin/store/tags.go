package store

import (
	"bytes"
	"math/bits"

	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// tags finds the keys of a store whose tags stand around a text.
type tags struct {
	keys     []byte // what has them, escapes resolved: the text, or else resolved
	resolved []byte
	nodes    []tagNode
	found    []int32
	failure  []int32 // see fragment.Borders
	room     []byte
	hint     int // index of the node that was the last one before a text
}

// tagNode is a key of the store, in the order of the keys. A key's prefix is the
// longest other key that it begins with; shortcut is one further up that chain,
// so that a place on it is found in a logarithm of its length.
type tagNode struct {
	word             uint64 // its first bytes
	start, end       int32  // in tags.keys
	prefix, shortcut int32  // indexes in tags.nodes, -1 for none
	depth            int    // how many prefixes there are
}

// bytes returns the length of the key.
func (n *tagNode) bytes() int { return int(n.end - n.start) }

// reset forgets all keys.
func (t *tags) reset() { t.nodes = t.nodes[:0] }

// isEmpty reports whether no keys are known.
func (t *tags) isEmpty() bool { return len(t.nodes) == 0 }

// index makes the keys of a store known.
func (t *tags) index(m *Map, text []byte) {
	t.hint = 0
	t.nodes = json.Empty(t.nodes, len(m.entries))[:len(m.entries)]
	t.resolved = t.resolved[:0]
	for i := range t.nodes {
		n, key := &t.nodes[i], &m.entries[i].Key
		n.start, n.end = key.Start, key.End
		if m.keyForm != json.Plain {
			n.start = int32(len(t.resolved))
			t.resolved = append(t.resolved, key.Bytes(text, t.resolved)...)
			n.end = int32(len(t.resolved))
		}
	}
	t.resolved = json.Grow(t.resolved, readBeyond)
	t.keys = t.resolved
	if m.keyForm == json.Plain {
		t.keys = text
	}
	for i := range t.nodes {
		n, key := &t.nodes[i], t.key(int32(i))
		n.word, n.shortcut, n.depth = firstWord(key), -1, 0
		n.prefix = int32(i) - 1
		for n.prefix >= 0 && !hasPrefix(key, t.key(n.prefix)) {
			n.prefix = t.nodes[n.prefix].prefix
		}
		if n.prefix >= 0 {
			t.link(n, n.prefix)
		}
	}
}

// firstWord returns the first bytes of a key as a number, filled up with zeros. Where
// those of two keys differ, their order is that of the keys.
func firstWord(key []byte) uint64 {
	if len(key) >= 8 {
		return bits.ReverseBytes64(json.Word(key))
	}
	word := uint64(0)
	for _, c := range key {
		word = word<<8 | uint64(c)
	}
	return word << (64 - 8*len(key))
}

// link sets the prefix of a key. Shortcuts that are twice as long where two of
// equal length follow each other make the chain a skew binary number.
func (t *tags) link(n *tagNode, prefix int32) {
	p := &t.nodes[prefix]
	n.prefix, n.shortcut, n.depth = prefix, prefix, p.depth+1
	if p.shortcut < 0 {
		return
	}
	s := &t.nodes[p.shortcut]
	if s.shortcut >= 0 && p.depth-s.depth == s.depth-t.nodes[s.shortcut].depth {
		n.shortcut = s.shortcut
	}
}

func (t *tags) key(i int32) []byte { return t.keys[t.nodes[i].start:t.nodes[i].end] }

// last returns the index of the last key that is not after text, -1 for none.
func (t *tags) last(text []byte) int32 {
	word := firstWord(text)
	if i := t.hint; i < len(t.nodes) && t.isBefore(i, word, text) {
		// Texts follow one another as keys do most often.
		for range 2 {
			if i+1 == len(t.nodes) || !t.isBefore(i+1, word, text) {
				t.hint = i
				return int32(i)
			}
			i++
		}
	}
	low, high := 0, len(t.nodes)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if t.isBefore(middle, word, text) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	t.hint = max(low-1, 0)
	return int32(low) - 1
}

// isBefore reports whether the key with that index is not after text, of which word is the
// first.
func (t *tags) isBefore(i int, word uint64, text []byte) bool {
	w := t.nodes[i].word
	return w < word || w == word && !isAfter(t.key(int32(i)), text)
}

// isAfter reports whether a comes after b.
func isAfter(a, b []byte) bool {
	n := commonPrefix(a, b)
	return n < len(a) && (n == len(b) || a[n] > b[n])
}

// around returns the indexes of the keys whose tags, for that kind, stand around
// text, the longest first. It is valid until the next call.
func (t *tags) around(w fragment.Wrapper, text []byte, kind fragment.Kind) []int32 {
	t.found = t.found[:0]
	if w == fragment.Attribute {
		key, _, ok := fragment.Split(text, kind, &t.room)
		if !ok {
			return t.found
		}
		if i := t.last(key); i >= 0 && bytes.Equal(t.key(i), key) {
			t.found = append(t.found, i)
		}
		return t.found
	}
	rest, opens := fragment.Opens(text, kind)
	if !opens {
		return t.found
	}
	end := len(rest) - len(`>`)
	if end < 0 || rest[end] != '>' {
		return t.found
	}
	body := rest[:end]
	closing := fragment.Closing(kind)
	longest := (len(body) - len(">") - len(closing)) / 2 // the key stands there twice
	if longest < 0 {
		return t.found
	}
	compared := 0
	for i := t.longestPrefix(rest, longest); i >= 0; {
		n := t.nodes[i].bytes()
		tag := len(body) - n - len(closing) // where the closing tag has to begin
		if tag <= n || body[n] != '>' || body[tag] != '<' || body[tag+1] != '/' {
			i = nextPrefix(t.nodes, i, body, len(closing))
			continue
		}
		if compared += n; compared > len(body) {
			t.findRest(i, body, closing)
			break
		}
		if string(body[tag:tag+len(closing)]) == closing && hasPrefix(body, body[len(body)-n:]) {
			t.found = append(t.found, i)
		}
		i = t.nodes[i].prefix
	}
	return t.found
}

// findRest adds to what was found the keys from the node i on, along its prefixes. Where few
// are to be compared, it is quicker to do that; this is linear in body for however many.
func (t *tags) findRest(i int32, body []byte, closing string) {
	t.failure = json.Empty(t.failure, len(body))[:len(body)]
	fragment.Borders(body, t.failure)
	n := len(t.found)
	t.found = json.Grow(t.found, t.nodes[i].depth+1)
	n += enclosing(t.nodes, i, body, closing, t.failure, t.found[n:cap(t.found)])
	t.found = t.found[:n]
}

// plainEnclosing writes to found, which has room for all, which of the node i and its
// prefixes, with which body begins, stand with their tags around it and a last ">". It returns
// how many do. failure has the borders of body: a key that ends it is one of them.
func plainEnclosing(nodes []tagNode, i int32, body []byte, closing string, failure, found []int32) (n int) {
	border := int(failure[len(body)-1])
	for ; i >= 0; i = nodes[i].prefix {
		key := nodes[i].bytes()
		tag := len(body) - key - len(closing)
		if tag <= key || body[key] != '>' || string(body[tag:tag+len(closing)]) != closing {
			continue
		}
		for border > key {
			border = int(failure[border-1])
		}
		if border == key {
			found[n] = i
			n++
		}
	}
	return n
}

// plainNextPrefix returns the index of the first of the prefixes of the node i, from the
// longest on, behind which body, which begins with it, has a ">", and a closing tag of so
// many bytes up to its name may begin as far from the end; -1 if there is none.
func plainNextPrefix(nodes []tagNode, i int32, body []byte, closing int) int32 {
	for i = nodes[i].prefix; i >= 0; i = nodes[i].prefix {
		n := nodes[i].bytes()
		tag := len(body) - n - closing
		if tag > n && body[n] == '>' && body[tag] == '<' && body[tag+1] == '/' {
			break
		}
	}
	return i
}

// longestPrefix returns the index of the longest key of so many bytes at most that text
// begins with, -1 for none. The last key before text shares with it whatever any key does, so
// it is that one or one of its prefixes.
func (t *tags) longestPrefix(text []byte, most int) int32 {
	i := t.last(text)
	if i < 0 {
		return -1
	}
	common := commonPrefix(t.key(i), text[:most])
	for i >= 0 && t.nodes[i].bytes() > common {
		if s := t.nodes[i].shortcut; s >= 0 && t.nodes[s].bytes() > common {
			i = s
		} else {
			i = t.nodes[i].prefix
		}
	}
	return i
}

// plainCommonPrefix returns how many bytes a and b have in common at the beginning.
func plainCommonPrefix(a, b []byte) int {
	i, n := 0, min(len(a), len(b))
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// hasPrefix reports whether a begins with b.
func hasPrefix(a, b []byte) bool { return len(a) >= len(b) && commonPrefix(a, b) == len(b) }
