// Package random writes random requests for tests: valid, and in as many
// wordings as JSON allows. The same source of numbers gives the same requests.
package random

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"

	"github.com/turncontext/turncontext/abi"
)

var keys = []string{
	"", "a", "ab", "b", "browser_info", "a>", "é", "e\u0301", "本", "🙂", "\uffff", "\"", "\\", "\n", "\x00", "/", "</external_a>",
	"a.b", "0", "10", "9", "terminal output", "_", "external_a",
	">", "a></a", "a></external_a", "\t", "\r\n", `" b="`, `"><b c="`, "&quot;", "</external_context>",
}

var pieces = []string{
	"a", "lorem ipsum ", "é", "本", "🙂", "\n", "\t", "\"", "\\", "/", "\x00", "\x1b[31m", "\u202e", "\u2066", "\x7f", "\u0085", "\r",
	"<", ">", "</", "</external_", "</external_a>", "</external_browser_info>", "</b>", "…1 tokens truncated…", "\u2028", "\ufeff",
	"€", "’", "\u00ad", "\U0010ffff", "&amp;", "&", "&#9;", "</external_context>", "</application_context>",
	"\x1b]8;;http://a\x07", "\x1b]0;t\x1b\\", "\x1bPq\u009c", "\u009d", "\u009b1;2m", "\u0090", "\x1b[1", "\x1b[?25l", "\x1b]", "\x1b(B", "\x1b#", "\x1b", "\x1b ", "\x07",
	"\u2069", "\u200f", "\u202a", "\ufeff", "[no longer applies]",
}

// longer are pieces that get longer when they are escaped, for JSON or in tags.
var longer = []string{"&", "<", ">", "\n", "\"", "a"}

// Map is a store, or what a client sends.
type Map = map[string]abi.Entry

// writer writes JSON in random words.
type writer struct {
	*rand.Rand
	bytes.Buffer
	compact bool // write it as the module does
	faulty  bool // break a member now and then
}

// Merge returns a random request to merge.
func Merge(r *rand.Rand) []byte {
	before, now := Maps(r)
	w := newWriter(r)
	w.object(
		member{"store", func() { w.entries(before) }},
		member{"additionalContext", func() { w.entries(now) }},
	)
	return w.Bytes()
}

func newWriter(r *rand.Rand) *writer { return &writer{Rand: r, compact: r.IntN(3) == 0} }

// Maps returns what a thread was told, and what it is sent now.
func Maps(r *rand.Rand) (before, now Map) {
	before = Map{}
	for range r.IntN(6) {
		before[pick(r, keys)] = Entry(r)
	}
	return before, Next(r, before)
}

// nested are keys whose tags may stand around each other's text.
var nested = []string{"", "a", "a></a", "a></external_a", "a></external_a></external_a", ">", "></external_", "></"}

// Next returns what a thread is sent that was told of this.
func Next(r *rand.Rand, before Map) Map {
	return next(r, before, keys)
}

// NextNested is Next with keys whose tags may stand around each other's text.
func NextNested(r *rand.Rand, before Map) Map {
	return next(r, before, nested)
}

func next(r *rand.Rand, before Map, keys []string) Map {
	now := Map{}
	for _, key := range keys { // not in the random order of a Go map
		e, ok := before[key]
		if !ok {
			continue
		}
		switch r.IntN(5) {
		case 0: // removed
		case 1:
			now[key] = Entry(r)
		default:
			now[key] = e
		}
	}
	for range r.IntN(3) {
		now[pick(r, keys)] = Entry(r)
	}
	return now
}

// Patch returns what a thread is sent as a patch that was told of this: entries
// as they are, others and new ones, and the end of some, also of what it was
// not told of.
func Patch(r *rand.Rand, before Map) Map {
	patch := Next(r, before)
	for _, key := range keys { // not in the random order of a Go map
		_, stood := before[key]
		if r.IntN(40) == 0 || stood && r.IntN(4) == 0 {
			patch[key] = abi.Entry{Removed: true}
		}
	}
	return patch
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// Entry returns a random entry. A few have about as many bytes as the default
// budget, or more.
func Entry(r *rand.Rand) abi.Entry {
	n := r.IntN(pick(r, []int{4, 12, 12, 12, 80}))
	if r.IntN(24) == 0 {
		n = 500 + r.IntN(1000)
	}
	var value strings.Builder
	few := []string{pick(r, pieces), pick(r, pieces), pick(r, pieces)}
	if r.IntN(12) == 0 {
		few = longer
	}
	for range n {
		if r.IntN(8) == 0 {
			value.WriteString(pick(r, pieces))
		}
		value.WriteString(pick(r, few))
	}
	return abi.Entry{Value: value.String(), Kind: pick(r, []abi.Kind{abi.Untrusted, abi.Application})}
}

type member struct {
	name  string
	write func()
}

func (w *writer) entries(m Map) {
	if len(m) == 0 && w.IntN(2) == 0 {
		w.WriteString("null")
		return
	}
	var members []member
	for _, key := range keys { // not in the random order of a Go map
		e, ok := m[key]
		if !ok {
			continue
		}
		members = append(members, member{key, func() { w.entry(e) }})
	}
	w.members(members)
}

func (w *writer) entry(e abi.Entry) {
	if e.Removed {
		w.WriteString("null")
		return
	}
	w.object(
		member{"value", func() { w.string(e.Value) }},
		member{"kind", func() { w.string(string(e.Kind)) }},
	)
}

// object writes an object of known members; others are ignored.
func (w *writer) object(members ...member) {
	if !w.compact && w.IntN(4) == 0 {
		members = append(members, w.unknown()...)
	}
	w.members(members)
}

// strangers are names of unknown members: some begin as known ones do, or are as long.
var strangers = []string{"x", "", "a", "é", "\n", "valu", "values", "kin", "kinds", "Kind", "abcdefgh", "threadIdx", "contents", "type "}

// ignored are what unknown members may be.
var ignored = []string{
	`[{"x":1,"x":[null,-0.5e3,"\u00e9"]},true]`, `null`, `true`, `false`, `{}`, `[]`, `[ {} , "a" ]`, `{"x" : {"x":"\n"} }`,
	`""`, `"a"`, `"\u00e9"`, `"\/é\ud83d\ude42"`, `"words of more than a few bytes"`, `0`, `-0`, `17`, `0.5`, `-1.25e-7`, `2E+5`, `0e0`,
}

// unknown returns unknown members, most often few.
func (w *writer) unknown() []member {
	var members []member
	for _, i := range w.Perm(len(strangers))[:1+w.IntN(pick(w.Rand, []int{2, 2, len(strangers)}))] {
		value := pick(w.Rand, ignored)
		members = append(members, member{strangers[i], func() { w.WriteString(value) }})
	}
	return members
}

func (w *writer) members(members []member) {
	if !w.compact || w.IntN(2) == 0 {
		w.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	if w.faulty {
		members = w.breakOne(members)
	}
	w.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			w.WriteByte(',')
		}
		w.space()
		w.string(m.name)
		w.space()
		w.WriteByte(':')
		w.space()
		m.write()
		w.space()
	}
	w.WriteByte('}')
}

func (w *writer) space() {
	if !w.compact && w.IntN(6) == 0 {
		w.WriteString(pick(w.Rand, []string{" ", "\n", "\t", "\r\n  ", "\n            "}))
	}
}

// string writes a string with the escapes it needs, and now and then others.
func (w *writer) string(s string) {
	odds := 0
	if !w.compact {
		odds = pick(w.Rand, []int{0, 0, 30, 2})
	}
	w.WriteByte('"')
	for _, c := range s {
		w.char(c, odds > 0 && w.IntN(odds) == 0)
	}
	w.WriteByte('"')
}

func (w *writer) char(c rune, escape bool) {
	switch {
	case escape && c == '/':
		w.WriteString(`\/`)
	case escape && c > 0xFFFF:
		high, low := utf16.EncodeRune(c)
		fmt.Fprintf(w, `\u%04x\u%04X`, high, low)
	case escape:
		fmt.Fprintf(w, pick(w.Rand, []string{`\u%04x`, `\u%04X`}), c)
	case c >= ' ' && c != '"' && c != '\\':
		w.WriteRune(c)
	default:
		w.WriteString(escapes[c])
	}
}

// escapes are the shortest of the characters that need one.
var escapes = func() map[rune]string {
	m := map[rune]string{'"': `\"`, '\\': `\\`}
	for c := rune(0); c < ' '; c++ {
		m[c] = fmt.Sprintf(`\u%04x`, c)
	}
	for i, c := range "\b\f\n\r\t" {
		m[c] = `\` + "bfnrt"[i:i+1]
	}
	return m
}()
