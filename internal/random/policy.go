package random

import (
	"math/rand/v2"
	"strconv"
)

// options are the fields of a policy with what they may be, keys apart, and
// what they may not be.
var options = []struct {
	name      string
	good, bad []string
}{
	{"preset", []string{`"reference"`, `"safe"`}, []string{`"Safe"`, `"default"`, `0`}},
	{"maxValueTokens", []string{`0`, `1`, `2`, `1000`, `2147483647`, small, small, small, small}, badCounts},
	{"maxTotalTokens", []string{`0`, `1`, `5`, `1000`, `2147483647`, small, small, small, small}, badCounts},
	{"keys", nil, []string{`[]`, `"a"`, `{"a":[]}`, `{"a":{"wrapper":"attribute"}}`, `{"a":{},"\u0061":null}`}},
	{"truncation", truncations, []string{`"Tail"`, `"end"`, `""`}},
	{"strictBudget", []string{`true`, `true`, `false`}, []string{`1`, `"true"`}},
	{"tokenizer", []string{`"approx"`}, []string{`"o200k_base"`, `"cl100k_base"`, `"o200k_base"`, `"o200k"`, `7`}},
	{"wrapper", []string{`"reference"`, `"attribute"`}, []string{`"attributes"`, `{}`}},
	{"controlCharacters", []string{`"keep"`, `"strip"`, `"strip"`}, []string{`"stripped"`, `true`}},
	{"updates", []string{`"replace"`, `"patch"`}, []string{`"merge"`, `["patch"]`}},
	{"removals", []string{`"silent"`, `"announce"`, `"announce"`}, []string{`"loud"`, `false`}},
	{"steerContextOnly", []string{`true`, `true`, `false`}, []string{`"yes"`, `0`}},
	{"experimentalApi", []string{`true`, `true`, `true`, `true`, `false`}, []string{`"true"`, `[]`}},
}

var (
	badCounts   = []string{`-1`, `-0`, `1.0`, `1e3`, `2147483648`, `99999999999999999999`, `"10"`, `true`}
	truncations = []string{`"middle"`, `"head"`, `"tail"`}
)

// small stands for a number of tokens around which a marker fits, or not, into a
// short value's budget.
const small = "small"

// Policy returns a random policy. What set names stands in it as it is given
// there, and not at all if that is empty.
func Policy(r *rand.Rand, set map[string]string) []byte {
	w := newWriter(r)
	w.policy(set)
	return w.Bytes()
}

func (w *writer) policy(set map[string]string) {
	odds := 1 + w.IntN(4)
	var members []member
	for _, o := range options {
		value, isSet := set[o.name]
		if isSet && value == "" || !isSet && w.IntN(odds) > 0 {
			continue
		}
		members = append(members, member{o.name, w.option(o.name, value, o.good, o.bad)})
	}
	if w.faulty && w.IntN(8) == 0 {
		members = append(members, member{pick(w.Rand, []string{"x", "MaxValueTokens", "a b", ""}), func() { w.WriteString("null") }})
	}
	w.members(members)
}

// option writes a field's value, the one given if there is one.
func (w *writer) option(name, given string, good, bad []string) func() {
	value := given
	switch {
	case given != "":
	case w.faulty && w.IntN(5) == 0:
		value = pick(w.Rand, bad)
	case w.IntN(12) == 0:
		value = "null"
	case name == "keys":
		return w.keys
	default:
		value = w.choose(good)
	}
	return func() { w.WriteString(value) }
}

// choose picks one, and a number where that stands for any small one.
func (w *writer) choose(from []string) string {
	if value := pick(w.Rand, from); value != small {
		return value
	}
	return strconv.Itoa(w.IntN(pick(w.Rand, []int{12, 40, 300})))
}

// keys writes what a policy says of single keys.
func (w *writer) keys() {
	var members []member
	for _, key := range keys {
		if w.IntN(4) == 0 {
			members = append(members, member{key, w.key})
		}
	}
	w.members(members)
}

func (w *writer) key() {
	if w.IntN(12) == 0 {
		w.WriteString("null")
		return
	}
	var members []member
	add := func(name string, good, bad []string) {
		if w.IntN(2) == 0 {
			members = append(members, member{name, w.option(name, "", good, bad)})
		}
	}
	add("maxValueTokens", []string{`0`, `1`, small, small, small}, badCounts)
	add("truncation", truncations, []string{`"Head"`, `1`})
	add("priority", []string{`0`, `1`, `-1`, `7`, `2147483647`, `-2147483648`}, []string{`-0`, `-2147483649`, `2147483648`, `0.5`, `-1e1`, `"1"`})
	w.members(members)
}
