package store

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/internal/random"
	"github.com/turncontext/turncontext/plugin/json"
)

// usualMap writes a map most of whose members are of the usual form.
func usualMap(r *rand.Rand) string {
	values := []string{
		``, `a`, `v`, `two words`, `a "quoted" word`, `tab\tand\nline\\`, `日本語`, `é`, `🙂`, `\u65e5`, `\u001b[0m`, `\/`, "\x7f",
		strings.Repeat("seventy bytes of plain text ", 3), strings.Repeat(`lines\n`, 20), strings.Repeat("long ", 50) + "é",
		`a<b|c`, `a|b<c`, `<p><=/b>\n<`, `<<<<<<<<<<<<</external_k>`, "<<<<<<\x7f", "<é</日本</",
		"ࠀ\ue000", "日\uffff", "퟿本語", "日é本", "日本 語", strings.Repeat("日本語", 80),
		"\x01", "\xff", `\x`, `open`, "\xe0\x80\x80", "日\xe0\x9f\xbf", "\xed\xa0\x80日", "日本\xed\xbf\xbf", "日\xe6\x97", "日本\x97", "\xf0\x8f\xbf\xbf",
	}
	const bad = 11
	var b strings.Builder
	b.WriteByte('{')
	order := r.Perm(12)
	if r.IntN(2) == 0 {
		slices.Sort(order)
	}
	if r.IntN(10) == 0 {
		order = r.Perm(90) // more than are put in place
	}
	kindFirst, oddKeys, nulls, unknowns := r.IntN(3) == 0, r.IntN(3) == 0, r.IntN(6) == 0, r.IntN(4) == 0
	for i, number := range order[:r.IntN(len(order))] {
		if i > 0 {
			b.WriteByte(',')
		}
		key := fmt.Sprintf("k%02d", 2*number+r.IntN(2))
		switch r.IntN(40) {
		case 0:
			key = fmt.Sprintf("k%02d", r.IntN(12))
		case 1, 4:
			key = `\u006b`
		case 5, 6:
			key = []string{`\\`, `\"`, `k\t`, `\n`}[r.IntN(4)]
		case 2:
			key = "é" + key
		case 3:
			key = strings.Repeat("k", r.IntN(20))
		}
		if i == 0 && r.IntN(8) == 0 {
			key = `\\` // what comes behind it may come before it
		}
		if oddKeys {
			if r.IntN(40) == 0 {
				number = order[0] // one stands twice
			}
			key = oddKey(r, number)
		}
		value := strings.ReplaceAll(values[r.IntN(len(values)-bad)], `"`, `\"`)
		if r.IntN(30) == 0 {
			value = values[r.IntN(len(values))]
		}
		kind := "untrusted"
		if r.IntN(3) == 0 {
			kind = "application"
		}
		if nulls && r.IntN(2) == 0 {
			fmt.Fprintf(&b, `"%s":null`, key)
			continue
		}
		if unknowns && r.IntN(4) > 0 {
			fmt.Fprintf(&b, `"%s":{%s}`, key, unknownBetween(r, `"value":"`+value+`"`, `"kind":"`+kind+`"`))
			continue
		}
		if kindFirst {
			fmt.Fprintf(&b, `"%s":{"kind":"%s","value":"%s"}`, key, kind, value)
			continue
		}
		switch r.IntN(40) {
		case 0:
			fmt.Fprintf(&b, `"%s": {"value":"%s","kind":"%s"}`, key, value, kind)
		case 1:
			fmt.Fprintf(&b, `"%s":{"kind":"%s","value":"%s"}`, key, kind, value)
		case 2:
			fmt.Fprintf(&b, `"%s":null`, key)
		case 3:
			fmt.Fprintf(&b, `"%s":{"value":"%s","kind":"%s"} `, key, value, kind)
		case 4:
			fmt.Fprintf(&b, `"%s":{"value":"%s","kind":"unknown"}`, key, value)
		default:
			fmt.Fprintf(&b, `"%s":{"value":"%s","kind":"%s"}`, key, value, kind)
		}
	}
	b.WriteByte('}')
	return b.String()
}

// unknownBetween writes members in any order, with unknown ones between them.
func unknownBetween(r *rand.Rand, members ...string) string {
	names := []string{"", "a", "b", "kin", "kind ", "valu", "values", "x", "abcdefgh", "abcdefghi", "abcdefghj", "abcdefgh1abcdefgh", "abcdefgh2abcdefgh", `\u0061`, `a\n`, `b\t`, "é", "日本"}
	values := []string{"0", "null", `""`, `"a"`, "{}", "[]", "true", "-1.5e3", `"\u0041"`, `[0]`, `{"a":[{}],"a":"é\n"}`, `[ "", -1.5e3 ]`, nested(deepest)}
	if r.IntN(2) == 0 {
		slices.Reverse(members)
	}
	from := r.IntN(len(names))
	for i := range r.IntN([]int{3, 6, 20}[r.IntN(3)]) {
		name := names[(from+i)%len(names)]
		switch r.IntN(60) {
		case 0:
			name = names[r.IntN(len(names))] // one may stand twice
		case 1:
			name = []string{"value", "kind", `k\u0069nd`, `a\u000a`, `\u0061bcdefgh1abcdefgh`}[r.IntN(5)]
		}
		if i >= len(names) {
			name += fmt.Sprint(i)
		}
		value := values[r.IntN(len(values))]
		if r.IntN(60) == 0 {
			value = []string{"[1", "x", "", `"`, "1.", `{"a"}`, "[}", nested(deepest + 1)}[r.IntN(8)]
		}
		members = slices.Insert(members, r.IntN(len(members)+1), `"`+name+`":`+value)
	}
	return strings.Join(members, ",")
}

// deepest is how deep a value of an entry may nest, in a map of a request.
const deepest = json.MaxDepth - 3

// nested writes an array that nests so deep.
func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

var shortEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '/': `\/`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

// oddKey writes a key that has the number in it and needs escapes, in one of the
// ways in which it can be written.
func oddKey(r *rand.Rand, number int) string {
	words := []string{`a/"b" `, `C:\`, "日本", "kkkkkkkkk"}
	middle := []rune("\x01\b\t\n\f\r\"\\/0Azéē日🙂")
	var b strings.Builder
	for _, c := range words[number%len(words)] + string(middle[number/2%len(middle)]) + words[number%3] {
		switch escape, has := shortEscapes[c]; {
		case r.IntN(16) == 0 || c < ' ' && !has:
			fmt.Fprintf(&b, []string{`\u%04x`, `\u%04X`}[r.IntN(2)], c)
		case has && (c != '/' || r.IntN(3) == 0):
			b.WriteString(escape)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// spread writes a text with white space between its tokens, all the same or any.
func spread(r *rand.Rand, text string) string {
	spaces := []string{"", "", " ", "\n", "\n  ", "\r\n\t", "\n          ", "        ", "\n       \n"}
	style := r.IntN(3)
	between := spaces[r.IntN(len(spaces))]
	var b strings.Builder
	inString, escaped := false, false
	for i, c := range []byte(text) {
		escaped = inString && !escaped && i > 0 && text[i-1] == '\\'
		if c == '"' && !escaped {
			inString = !inString
		}
		b.WriteByte(c)
		switch {
		case inString:
		case style == 0 && (c == ':' || c == ','):
			b.WriteByte(' ')
		case style == 1 && (c == ':' || c == ',' || c == '{'):
			b.WriteString(between)
		case style == 2 && r.IntN(4) > 0:
			b.WriteString(spaces[r.IntN(len(spaces))])
		}
	}
	return b.String()
}

// respelled returns a text some of whose characters are written otherwise, most of
// them in keys.
func respelled(r *rand.Rand, text string) string {
	var b strings.Builder
	for i, c := range []byte(text) {
		switch {
		case c == '/' && i > 0 && text[i-1] != '\\' && r.IntN(2) == 0:
			b.WriteString(`\/`)
		case c == 'A' && r.IntN(2) == 0:
			b.WriteString(`\u0041`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// shuffled returns a map with its members in another order, or what looks like it.
func shuffled(r *rand.Rand, text string) string {
	const separator = `},"`
	members := strings.Split(text[1:len(text)-1], separator)
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	for i, m := range members {
		members[i] = `"` + strings.TrimPrefix(strings.TrimSuffix(m, "}"), `"`) + "}"
	}
	return "{" + strings.Join(members, separator[1:len(separator)-1]) + "}"
}

// turned returns a map with the members of its entries the other way round.
func turned(text string) string {
	const value, kind = `("value":"(?:[^"\\]|\\.)*")`, `("kind":"[a-z]*")`
	first := regexp.MustCompile(`{`+kind+`,`+value+`}`).ReplaceAllString(text, `{$2,$1}`)
	if first != text {
		return first
	}
	return regexp.MustCompile(`{`+value+`,`+kind+`}`).ReplaceAllString(text, `{$2,$1}`)
}

// reading is all that reading two maps comes to.
type reading struct {
	old, now  []Entry
	offset    int
	syntax    *json.SyntaxError
	violation *json.Violation
	answer    string
}

// readBoth reads two maps, one after the other, into m, the second as a patch if
// the policy is so.
func readBoth(m *Merge, request string, patch bool) reading {
	text := append([]byte(request), make([]byte, json.Pad)...)
	var r json.Reader
	r.Reset(text, len(request))
	m.Reset()
	m.Policy = &Policy{}
	m.Policy.Reset()
	m.Policy.Patch = patch
	var f json.Fields
	if r.Fields(&f, &[]string{"store", "additionalContext"}) {
		for i := r.Next(&f); i >= 0; i = r.Next(&f) {
			if i == 0 {
				m.Old.Read(&r, &m.New)
			} else {
				m.New.ReadPatch(&r, &m.Old)
			}
		}
	}
	result := reading{offset: r.Offset()}
	clean := r.IsClean()
	if result.syntax, result.violation = r.Finish(patch); result.syntax != nil || result.violation != nil {
		if clean {
			result.answer = "it was said to be clean"
		}
		return result
	}
	for _, list := range []struct {
		from Map
		to   *[]Entry
	}{{m.Old, &result.old}, {m.New, &result.now}} {
		for _, e := range list.from.entries {
			e.twin = -1     // there is more than one way to find it
			e.clean = false // only runs look
			*list.to = append(*list.to, e)
		}
	}
	m.Compare(text)
	result.answer = string(answer(m))
	return result
}

// compareReadings reads a request in runs, and member by member.
func compareReadings(t *testing.T, m *Merge, request string, patch bool) {
	t.Helper()
	defer func() { readsRuns = hasRuns }()
	readsRuns = hasRuns
	got := readBoth(m, request, patch)
	readsRuns = false
	want := readBoth(m, request, patch)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q\n got %+v %+v %+v\nwant %+v %+v %+v", request, got, got.syntax, got.violation, want, want.syntax, want.violation)
	}
}

// Members that are read in runs come to the same as those read one by one.
func TestRuns(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are runs as WebAssembly only (make test-guest)")
	}
	r := rand.New(rand.NewPCG(7, 8))
	n := 60_000
	if testing.Short() {
		n = 6000
	}
	var m Merge
	for range n {
		if r.IntN(4) == 0 {
			m = Merge{} // there is no room for entries
		}
		old := usualMap(r)
		now := usualMap(r)
		switch r.IntN(6) {
		case 0:
			now = old
		case 1:
			now = shuffled(r, old)
		case 2:
			now = respelled(r, old)
		case 3:
			now = turned(old)
		}
		switch r.IntN(6) {
		case 0:
			old, now = spread(r, old), spread(r, now)
		case 1:
			now = spread(r, now)
			old = now
		case 2:
			now = spread(r, now)
		}
		request := []byte(`{"store":` + old + `,"additionalContext":` + now + `}`)
		if r.IntN(4) == 0 {
			request = []byte(`{"additionalContext":` + now + `,"store":` + old + `}`)
		}
		switch r.IntN(4) {
		case 0:
			request[r.IntN(len(request))] = `"\,:{}é`[r.IntN(8)]
		case 1:
			i := r.IntN(len(request))
			request = append(request[:i], request[min(len(request), i+1+r.IntN(30)):]...)
		case 2:
			request[r.IntN(len(request))]++
		}
		compareReadings(t, &m, string(request), r.IntN(2) == 0)
	}
	for range n / 10 {
		compareReadings(t, &m, string(random.Merge(r)), false)
	}
}

// Runs look at each byte of a member, and at what is between its tokens.
func TestRunsToTheByte(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are runs as WebAssembly only (make test-guest)")
	}
	var m Merge
	for _, now := range []string{
		`{"a":{"value":"v","kind":"untrusted"},"b":{"kind":"application","value":"w"}}`,
		`{"a": {"value": "v", "kind": "application"}, "b": {"kind": "untrusted", "value": "w"}}`,
		`{ "a" : { "x" : 1 , "value" : "v" , "y" : 2 , "kind" : "untrusted" , "z" : 3 } , "b" : null }`,
		`{ "a" : { "x" : 1 , "kind" : "application" , "y" : 2 , "value" : "v" } }`,
	} {
		for i := range now {
			for _, other := range []string{"x", "", " ", "\x01", `"`, ",", `\`, now[i : i+1]} {
				for _, behind := range []int{i, i + 1} {
					text := now[:i] + other + now[behind:]
					compareReadings(t, &m, `{"store":`+now+`,"additionalContext":`+text+`}`, true)
					compareReadings(t, &m, `{"store":`+text+`,"additionalContext":`+now+`}`, false)
				}
			}
		}
	}
}

// Maps are written the same in one step and entry by entry, whatever room there is.
func TestWriteMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	entries := 0
	for range 3000 {
		request := usualMap(rng)
		if rng.IntN(2) == 0 {
			request = spread(rng, request)
		}
		text := append([]byte(request), make([]byte, json.Pad)...)
		var r json.Reader
		r.Reset(text, len(request))
		var m Map
		m.Read(&r, &noEntries)
		if syntax, violation := r.Finish(false); syntax != nil || violation != nil {
			continue
		}
		if rng.IntN(2) == 0 {
			m.normalise(text)
		}
		var want json.Writer
		want.Text(`{`)
		for i := range m.entries {
			want.Comma()
			m.entries[i].write(&want, text)
		}
		want.Text(`}`)
		entries += m.Len()
		for _, room := range []int{0, rng.IntN(want.Len()), want.Len(), want.Len() + rng.IntN(100)} {
			var got json.Writer
			got.Reset(room)
			m.Write(&got, text)
			if string(got.Bytes()) != string(want.Bytes()) {
				t.Fatalf("%q with room for %d:\n got %s\nwant %s", request, room, got.Bytes(), want.Bytes())
			}
		}
	}
	if entries < 5000 {
		t.Errorf("only %d entries were written", entries)
	}
}

// Where there are too many entries to look for one, a run comes to the same too.
func TestManyOutOfOrder(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are runs as WebAssembly only (make test-guest)")
	}
	r := rand.New(rand.NewPCG(19, 20))
	write := func() string {
		var b strings.Builder
		for _, i := range r.Perm(700) {
			fmt.Fprintf(&b, `,"k%d":{"value":"%d","kind":"untrusted"}`, i+r.IntN(2)*700, r.IntN(2))
		}
		return "{" + b.String()[1:] + "}"
	}
	var m Merge
	for range 20 {
		compareReadings(t, &m, `{"store":`+write()+`,"additionalContext":`+write()+`}`, false)
		compareReadings(t, &m, `{"additionalContext":`+write()+`,"store":`+write()+`}`, true)
	}
}
