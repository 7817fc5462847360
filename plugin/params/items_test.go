package params

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/plugin/json"
)

// inputs writes items of the user's input, most of them right.
type inputs struct{ *rand.Rand }

func (r inputs) pick(list []string) string { return list[r.IntN(len(list))] }

// item writes the members of an item of a usual form and others, in any order.
func (r inputs) item() string {
	usual := [][]string{{"type", "text"}, {"type", "url"}, {"type", "path"}, {"type", "name", "path"}, {"type", "url", "detail"}, {"type", "text", "text_elements"}}
	members := r.others()
	for _, name := range usual[r.IntN(len(usual))] {
		members = append(members, r.member(name))
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

// others writes members of unknown names, and a few that may be known or stand twice.
func (r inputs) others() (members []string) {
	known := []string{"type", "text", "url", "path", "name", "detail", "text_elements"}
	unknown := []string{"", "x", "y", "typ", "texts", "text_elementsx", "abcdefgh", "abcdefghi", "é1", `a\n`, "0", "1", "123", "1234", "1234x", "12345x", "1234567", `\u0074ext_elementstext`,
		`b\n`, "text_elementz", "unknown_1", "unknown_2", "abcdefgh1abcdefgh", "abcdefgh2abcdefgh", `abcdefgh\n`, `abcdefgh\t`, `\u0061bcdefgh1abcdefgh`}
	values := []string{`0`, `"a"`, `"\u0041"`, `[]`, `{}`, `true`, `null`, `[0]`, `{"a":[{}],"a":"é\n"}`, `[ "", -1.5e3 ]`, nested(deepest)}
	wrong := []string{`[0`, `{"a"}`, `[00]`, `["\x"]`, `[}`, nested(deepest + 1)}
	if r.IntN(20) == 0 {
		// Too long to be resolved, one that is, and the first again.
		long := strings.Repeat("b", 500)
		members = append(members, `"\u0061`+long+`":0`, `"\u0063":0`, `"a`+long+`":0`)
	}
	from := r.IntN(len(unknown))
	for i := range r.IntN([]int{1, 4, 4, 20}[r.IntN(4)]) {
		name := unknown[(from+i)%len(unknown)]
		member := r.written(name, r.pick(values))
		switch r.IntN(60) {
		case 0:
			member = r.member(r.pick(known))
		case 1:
			member = r.member(r.pick(unknown))
		case 2:
			member = r.written(name, r.pick(wrong))
		}
		members = append(members, member)
	}
	return members
}

// around is how many arrays are around the items, and deepest how deep a value of an item may nest.
const (
	around  = 3
	deepest = json.MaxDepth - around - 1
)

// nested writes an array that nests so deep.
func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// member writes a member of any value, and a few times of another name: one that would be the
// same as an unknown one, or a known one, if it were not for its last byte or an escape.
func (r inputs) member(name string) string {
	values := []string{`""`, `"a"`, `"é"`, `"\n\u0041"`, `"` + strings.Repeat("long ", 30) + `"`, `"` + strings.Repeat("long\\u0041é", 30) + `"`, `null`, `[]`,
		`[{"byteRange":{"start":0,"end":1}}]`, `[{"byteRange":{"end":10,"start":0}},{"byteRange":{"end":1,"start":0}}]`, `[{"byteRange": {"start": 0, "end": 12}}]`,
		`[{"byteRange":{"start":0,"end":1}},{"byteRange":{"end":1,"start":0}}]`, `[ ]`, `[ {"byteRange":{"start":0,"end":1},"placeholder":"a"} , {"x":` + nested(deepest-2) + `,"byteRange":{"end":1,"start":0}} ]`,
		`[{"byteRange":{"start":0,"end":1}},{"byteRange":{"start":0,"end":-1}}]`, `[{"byteRange":{"start":0,"end":1},"x":` + nested(deepest-1) + `}]`, `[0]`, `0`, `{}`, `0]`, `nul`, `"\x"`}
	enums := map[string][]string{"type": {`"text"`, `"image"`, `"localImage"`, `"skill"`, `"mention"`, `"texts"`}, "detail": {`"high"`, `"original"`, `"low"`, `null`}}
	odd := []string{"abcdefghj", `a\u000A`, `\u0061`, `\u0061bcdefgh2abcdefgh`, `\u0061` + strings.Repeat("b", 40), `a` + strings.Repeat("b", 40), strings.Repeat(`\u65e5`, 64), strings.Repeat(`\u65e5`, 65), `text_element\u0079`, `\u0075nknown_1`, `\nab`, `\u0078y`, `\u00n4ype`, `\x0074ype`, `\u0174ype`, `type\u0022:"text","x`, `type\u0022`, `\u007`, "t\x01"}
	value := r.pick(values[:1+r.IntN(len(values))])
	if enums[name] != nil && r.IntN(10) > 0 {
		value = r.escaped(r.pick(enums[name]))
	}
	if r.IntN(40) == 0 {
		name = r.pick(odd)
	}
	return r.written(r.escaped(name), value)
}

// escaped writes some letters as escapes.
func (r inputs) escaped(s string) string {
	for _, c := range "texyl" {
		if r.IntN(10) == 0 {
			s = strings.Replace(s, string(c), fmt.Sprintf(r.pick([]string{`\u%04x`, `\u%04X`}), c), 1)
		}
	}
	return s
}

// written writes a member, sometimes with white space.
func (r inputs) written(name, value string) string {
	space := strings.Repeat(" ", r.IntN(8)/7)
	return space + `"` + name + `"` + space + ":" + space + value + space
}

// Items that are read at once are what they are one by one, whatever their members are, and
// in whatever order. Nearly all that are right are read at once.
func TestReadItems(t *testing.T) {
	r := inputs{rand.New(rand.NewPCG(43, 44))}
	atOnce, left := 0, 0
	for range 30_000 {
		var items []string
		for range 1 + r.IntN(3) {
			items = append(items, r.item())
		}
		text := strings.Repeat("[", around) + strings.Join(items, ",") + strings.Repeat("]", around)
		if r.IntN(10) == 0 {
			text = text[:around+r.IntN(len(text)-around)]
		}
		padded := append([]byte("}"+text), make([]byte, json.Pad)...)[1:] // what stands before it is none of it
		var one, many json.Reader
		one.Reset(padded, len(text))
		many.Reset(padded, len(text))
		for range around {
			if !one.Array() || !one.Item() || !many.Array() || !many.Item() {
				break
			}
		}
		if one.Depth() < around {
			continue
		}
		room := make([]UserInput, 2+r.IntN(3))
		got := room[:len(room)-1]
		n := ReadItems(&many, got)
		if last := room[len(room)-1]; last != (UserInput{}) {
			t.Fatalf("%s: read %+v behind the room", text, last)
		}
		for i := range n {
			var want UserInput
			want.Read(&one)
			if want.Variant < 0 || one.Wrong() {
				t.Fatalf("%s: item %d is wrong", text, i)
			}
			for _, at := range inputVariants[want.Variant].strings {
				if got[i].Variant != want.Variant || at >= 0 && got[i].Strings[at] != want.Strings[at] {
					t.Fatalf("%s: item %d is %+v, want %+v", text, i, got[i], want)
				}
			}
			if i+1 < n {
				one.Item()
			}
		}
		if n > 0 && one.Offset() != many.Offset() {
			t.Fatalf("%s: read up to %d, want %d", text, many.Offset(), one.Offset())
		}
		atOnce += n
		var next UserInput
		if n < len(got) && (n == 0 || one.Item()) {
			if next.Read(&one); !one.Wrong() {
				left++
			}
		}
	}
	if runtime.GOARCH == "wasm" && (atOnce < 1_000 || left > atOnce/20) {
		t.Errorf("%d items were read at once, and %d that are right were not", atOnce, left)
	}
}

// mostly picks one of the usual, and now and then one of the odd.
func (r inputs) mostly(usual, odd []string) string {
	if r.IntN(30) == 0 {
		return r.pick(odd)
	}
	return r.pick(usual)
}

// element writes an element of a text, most often right.
func (r inputs) element() string {
	integer := func() string {
		return r.mostly([]string{"0", "1", "9", "10", "123456789", "2147483647"}, []string{"01", "-0", "-1", "1.5", "1e1", "2147483648", "99999999999", `"1"`, "null", "x", ""})
	}
	byteRange := r.mostly([]string{r.object(deepest-1, `"start":`+integer(), `"end":`+integer())}, []string{"{}", "null", "[]", `{"start":0}`, `{"end":1}`, `"a"`, `{"start":0,"end":1`, `["start":0,"end":1}`})
	placeholder := r.mostly([]string{`"a"`, `""`, "null", `"é"`, `"\n\u0041"`, `"` + strings.Repeat("long ", 30) + `"`}, []string{"0", "nul", `"`, "{}", "[]", `"\x"`, "false"})
	members := []string{r.written(r.escaped("byteRange"), byteRange), r.written(r.escaped("placeholder"), placeholder)}
	return r.object(deepest, members[:1+r.IntN(2)]...)
}

// object writes an object of these members and a few others, whose values nest so deep at most, in
// any order. Now and then one of them is missing, or there twice.
func (r inputs) object(deepest int, members ...string) string {
	others := []string{`"x":0`, `"byteRangf":[]`, `"placeholdez":{}`, `"star":null`, `"starts":""`, `"byteRange\u0000":0`, `"deep":` + nested(deepest), `"ends":{"end":0,"end":0}`}
	for i := range r.IntN(4) / 3 * r.IntN(len(others)) {
		members = append(members, r.mostly(others[i:i+1], append(others, `"deeper":`+nested(deepest+1))))
	}
	switch r.IntN(40) {
	case 0:
		members = append(members, members[r.IntN(len(members))])
	case 1:
		members = members[1:]
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	space := strings.Repeat("\n ", r.IntN(8)/7)
	return "{" + space + strings.Join(members, space+","+space) + space + "}"
}

// Elements that are read at once are what they are one by one, and nearly all that are right are.
func TestReadElements(t *testing.T) {
	element, bytes, position := nodes[textElement], nodes[byteRange], node{kinds: 1 << json.KindNumber, integer: true}
	if n := &nodes[textElements]; n.items != textElement || element.types[0] != byteRange || element.required != 1 || !reflect.DeepEqual(nodes[element.types[1]], node{kinds: 1<<json.KindNull | 1<<json.KindString}) ||
		len(element.types) != 2 || len(bytes.types) != 2 || bytes.required != 3 || !reflect.DeepEqual(nodes[bytes.types[0]], position) || !reflect.DeepEqual(nodes[bytes.types[1]], position) {
		t.Errorf("the assembler knows other elements than %+v of %+v", element, bytes)
	}
	r := inputs{rand.New(rand.NewPCG(45, 46))}
	atOnce, left := 0, 0
	for range 30_000 {
		elements := r.element()
		for range r.IntN(3) {
			elements += r.mostly([]string{",", " , "}, []string{"", ";", ",,"}) + r.element()
		}
		text := strings.Repeat("[", around) + elements + strings.Repeat("]", around)
		if r.IntN(10) == 0 {
			text = text[:around+r.IntN(len(text)-around)]
		}
		padded := append([]byte(text), make([]byte, json.Pad)...)
		var one json.Reader
		one.Reset(padded, len(text))
		for range around {
			if !one.Array() || !one.Item() {
				break
			}
		}
		if one.Depth() < around {
			continue
		}
		end, n := readElements(one.Text(), one.Offset(), one.Depth()+1)
		for i := range n {
			if i > 0 {
				one.Item()
			}
			if checkObject(&one, &element, nil); one.Wrong() {
				t.Fatalf("%s: element %d is wrong", text, i)
			}
		}
		if end != one.Offset() {
			t.Fatalf("%s: read up to %d, want %d", text, end, one.Offset())
		}
		atOnce += n
		if n == 0 || one.Item() {
			if check(&one, textElement, nil); !one.Wrong() {
				left++
			}
		}
	}
	if runtime.GOARCH == "wasm" && (atOnce < 1_000 || left > atOnce/50) {
		t.Errorf("%d elements were read at once, and %d that are right were not", atOnce, left)
	}
}
