package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
)

// A workload is a kind of request to merge: what a thread was told, and a
// context of the same keys, some of them with another value.
type workload struct {
	name    string
	size    int  // of a request, in bytes
	entries int  // of the context, and of the store
	changed int  // of them in each request
	fresh   bool // nothing is stored, so all entries are new
	// limit makes the values as long as the model is told in full, or a little
	// longer, in turns.
	limit bool
	// small makes the one entry that changes a small one, and the rest share
	// the size.
	small bool
	write line // nil: that of each entry's source
	form  form
	hard  bool // a text with a goal of its own, because it is harder to scan
}

// A form is how a request is written, apart from what it says.
type form struct {
	pretty       bool
	unsorted     bool
	oddKeys      bool // keys need escapes, and the context has others than the store
	jsonb        bool // the store is as PostgreSQL writes it again: shorter names first, and spaces
	escapeStored bool // every character of a value in the store is \uXXXX
	escapeSent   bool // the same in the context
}

// workloads returns every workload.
func workloads() []workload {
	list := []workload{
		{name: "plain 300 B, 1 of 1 changed", size: 300, entries: 1, changed: 1},
		{name: "plain 2.5 KB, 1 of 4 changed", size: 2_500, entries: 4, changed: 1},
		{name: "plain 4.7 KB, 1 of 4 changed", size: 4_700, entries: 4, changed: 1},
		{name: "plain 43 KB, 0 of 10 changed", size: 43_000, entries: 10},
		{name: "plain 43 KB, 2 of 10 changed", size: 43_000, entries: 10, changed: 2},
		{name: "plain 43 KB, 10 new", size: 43_000, entries: 10, fresh: true, limit: true},
		{name: "plain 1 MB, 10 of 100 changed", size: 1_000_000, entries: 100, changed: 10},
		{name: "plain 1 MB, 100 new", size: 1_000_000, entries: 100, fresh: true},
	}
	for _, variant := range []struct {
		name  string
		write line
		form  form
		hard  bool
	}{
		{name: "Japanese", write: japanese},
		{name: "mixed UTF-8", write: mixed, hard: true},
		{name: "quotes", write: quotes},
		{name: `\uXXXX`, write: japanese, form: form{escapeStored: true, escapeSent: true}, hard: true},
		{name: `\uXXXX sent`, write: japanese, form: form{escapeSent: true}, hard: true},
		{name: "pretty", form: form{pretty: true}},
		{name: "unsorted", form: form{unsorted: true}},
		{name: "odd keys", form: form{oddKeys: true}},
		{name: "jsonb", form: form{jsonb: true}},
	} {
		for _, of := range []workload{
			{name: "2.5 KB, 1 of 4 changed", size: 2_500, entries: 4, changed: 1},
			{name: "43 KB, 2 of 10 changed", size: 43_000, entries: 10, changed: 2},
			{name: "1 MB, 10 of 100 changed", size: 1_000_000, entries: 100, changed: 10},
		} {
			of.name, of.write, of.form, of.hard = variant.name+" "+of.name, variant.write, variant.form, variant.hard
			list = append(list, of)
		}
	}
	return append(list,
		workload{name: "10,000 small keys, 1,000 changed", size: 1_200_000, entries: 10_000, changed: 1_000},
		workload{name: "one new value of 8 MB", size: 8_000_000, entries: 1, fresh: true},
		workload{name: "1 MB stored, 1 small of 21 changed", size: 2_000_000, entries: 21, changed: 1, small: true},
	)
}

// matching returns the workloads whose names match.
func matching(names *regexp.Regexp) []workload {
	return slices.DeleteFunc(workloads(), func(w workload) bool { return !names.MatchString(w.name) })
}

// maxRotation bounds the bytes of all inputs of a workload.
const maxRotation = 64_000_000

// requests returns so many inputs to rotate through, fewer where they would
// take too much memory. They are always the same ones.
func (w workload) requests(inputs int) ([][]byte, error) {
	hash := fnv.New64a()
	hash.Write([]byte(w.name))
	rng := rand.New(rand.NewPCG(hash.Sum64(), 0))
	list := make([][]byte, min(inputs, max(1, maxRotation/w.size)))
	for i := range list {
		request, err := w.request(rng, i)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
		list[i] = request
	}
	return list, nil
}

// An item is one entry with its key.
type item struct {
	key string
	abi.Entry
}

const (
	// smallValue is the size of a value that is small, in bytes of a request.
	smallValue = 80
	// valueLimit is how many bytes of UTF-8 a value may have that is not cut,
	// and overLimit how many more those have that are.
	valueLimit = 4_000
	overLimit  = 240
)

// request returns one input of the rotation.
func (w workload) request(rng *rand.Rand, input int) ([]byte, error) {
	told := make([]item, w.entries)
	for i := range told {
		told[i] = item{w.key(i), abi.Entry{Kind: sourceOf(i).kind}}
	}
	size, err := w.valueSize(rng, told)
	if err != nil {
		return nil, err
	}
	if size < smallValue/4 { // too little to differ
		return nil, fmt.Errorf("%d bytes are too few for %d entries", w.size, w.entries)
	}
	current := make([]item, w.entries)
	for i := range told {
		size, write := size, w.write
		if write == nil {
			write = sourceOf(i).write
		}
		switch {
		case w.small && i == w.entries-1:
			size = smallValue
		case w.limit:
			size = valueLimit + i%2*overLimit
		}
		told[i].Value = text(rng, write, size, w.cost)
		current[i] = told[i]
		if w.changes(input, i) {
			current[i].Value = edit(rng, write, told[i].Value, w.cost)
		}
	}
	return w.encode(rng, told, current)
}

// valueSize returns how many bytes of a request each value takes, in the store
// and in the context together, for the request to have its size. The entries
// given are empty.
func (w workload) valueSize(rng *rand.Rand, empty []item) (int, error) {
	request, err := w.encode(rng, empty, empty)
	if err != nil {
		return 0, err
	}
	if w.small {
		return (w.size - len(request) - smallValue) / (w.entries - 1), nil
	}
	return (w.size - len(request)) / w.entries, nil
}

// changes reports whether an entry of an input has changed. Which ones do moves
// on from input to input.
func (w workload) changes(input, entry int) bool {
	if w.small {
		return entry == w.entries-1
	}
	return (entry+input*(w.entries-w.changed))%w.entries < w.changed
}

// cost is how many bytes a character of a value takes in the store and in the
// context, or by itself where its own length counts.
func (w workload) cost(r rune) int {
	if w.limit {
		return utf8.RuneLen(r)
	}
	size := width(r, w.form.escapeSent)
	if !w.fresh {
		size += width(r, w.form.escapeStored)
	}
	return size
}

// encode returns the request that merges a context into a store.
func (w workload) encode(rng *rand.Rand, told, current []item) ([]byte, error) {
	request := []byte(`{`)
	if !w.fresh {
		request = append(request, `"store":`...)
		if w.form.jsonb {
			request = appendJSONB(request, told)
		} else {
			request = w.form.appendMap(request, rng, told, false, w.form.escapeStored)
		}
		request = append(request, ',')
	}
	request = append(request, `"additionalContext":`...)
	request = w.form.appendMap(request, rng, current, w.form.oddKeys, w.form.escapeSent)
	request = append(request, '}')
	if !w.form.pretty {
		return request, nil
	}
	var pretty bytes.Buffer
	err := json.Indent(&pretty, request, "", "  ")
	return pretty.Bytes(), err
}

// appendMap writes a map of entries.
func (f form) appendMap(dst []byte, rng *rand.Rand, items []item, escapeSlashes, escapeValues bool) []byte {
	items = slices.Clone(items)
	if f.unsorted {
		rng.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	} else {
		slices.SortFunc(items, func(a, b item) int { return strings.Compare(a.key, b.key) })
	}
	dst = append(dst, '{')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		key := string(appendQuoted(nil, item.key, false))
		if escapeSlashes {
			key = strings.ReplaceAll(key, "/", `\/`)
		}
		dst = append(dst, key...)
		dst = append(dst, `:{"value":`...)
		dst = appendQuoted(dst, item.Value, escapeValues)
		dst = append(dst, `,"kind":"`...)
		dst = append(dst, item.Kind...)
		dst = append(dst, `"}`...)
	}
	return append(dst, '}')
}

// appendJSONB writes a map of entries as PostgreSQL writes a value of its type jsonb.
func appendJSONB(dst []byte, items []item) []byte {
	items = slices.SortedFunc(slices.Values(items), func(a, b item) int {
		return cmp.Or(cmp.Compare(len(a.key), len(b.key)), strings.Compare(a.key, b.key))
	})
	dst = append(dst, '{')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendQuoted(dst, item.key, false)
		dst = fmt.Appendf(dst, `: {"kind": "%s", "value": `, item.Kind)
		dst = append(appendQuoted(dst, item.Value, false), '}')
	}
	return append(dst, '}')
}

// appendQuoted writes a JSON string, with the escapes that it needs or, if all
// is set, as escapes only.
func appendQuoted(dst []byte, s string, all bool) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch short := strings.IndexRune("\"\\\n\t", r); {
		case all && r > 0xFFFF:
			r -= 0x10000
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		case all:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		case short >= 0:
			dst = append(dst, '\\', `"\nt`[short])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// width returns how many bytes appendQuoted writes for a character.
func width(r rune, all bool) int {
	switch {
	case all && r > 0xFFFF:
		return 12
	case all:
		return 6
	case strings.ContainsRune("\"\\\n\t", r):
		return 2
	}
	return utf8.RuneLen(r)
}

// A source is where a client has an entry from.
type source struct {
	name  string
	kind  abi.Kind
	write line
}

var sources = []source{
	{"browser_tab", abi.Untrusted, prose},
	{"open_file", abi.Untrusted, code},
	{"ci_run", abi.Untrusted, record},
	{"workspace", abi.Application, prose},
	{"terminal", abi.Untrusted, record},
}

func sourceOf(entry int) source {
	return sources[entry%len(sources)]
}

func (w workload) key(entry int) string {
	name := sourceOf(entry).name
	if w.form.oddKeys {
		return fmt.Sprintf(`%s/%02d "C:\src\main.go"`, name, entry)
	}
	return fmt.Sprintf("%s_%02d", name, entry)
}
