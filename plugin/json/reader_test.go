package json

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// padded returns text with the zero bytes behind it that a Reader needs.
func padded(text string) []byte {
	return append([]byte(text), make([]byte, Pad)...)
}

// skip reads text as one value.
func skip(text string) (*SyntaxError, *Violation) {
	var r Reader
	r.Reset(padded(text), len(text))
	r.Skip()
	return r.Finish(false)
}

// readText reads text, which is to be one string.
func readText(t testing.TB, text string) ([]byte, String) {
	t.Helper()
	var r Reader
	var s String
	r.Reset(padded(text), len(text))
	ok := r.String(&s)
	if syntax, violation := r.Finish(false); !ok || syntax != nil || violation != nil {
		t.Fatalf("reading %.200q: ok %v, syntax %v, violation %v", text, ok, syntax, violation)
	}
	return r.Text(), s
}

func TestSyntax(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth)
	for _, test := range []struct {
		text   string
		offset int // -1: well-formed
		path   string
	}{
		{`null`, -1, ""}, {` true `, -1, ""}, {"\t\r\n false", -1, ""}, {`"a"`, -1, ""}, {`{}`, -1, ""}, {`[]`, -1, ""},
		{`0`, -1, ""}, {`-0`, -1, ""}, {`10.50e+07`, -1, ""}, {`1E9`, -1, ""}, {`-1.5e-3`, -1, ""},
		{`[1,[2,{"a":[]}],"x"]`, -1, ""},
		{deep + strings.Repeat("]", MaxDepth), -1, ""},
		{deep + "[" + strings.Repeat("]", MaxDepth+1), MaxDepth, strings.Repeat("[0]", MaxDepth)},
		{``, 0, ""}, {` `, 1, ""}, {`nul`, 3, ""}, {`nulx`, 3, ""}, {`NULL`, 0, ""}, {`trueq`, 4, ""}, {`tru`, 3, ""},
		{`01`, 1, ""}, {`1.`, 2, ""}, {`1.x`, 2, ""}, {`-`, 1, ""}, {`-a`, 1, ""}, {`.5`, 0, ""}, {`+1`, 0, ""},
		{`1e`, 2, ""}, {`1e+`, 3, ""}, {`0x10`, 1, ""}, {`NaN`, 0, ""}, {`[1 2]`, 3, ""}, {`[1,]`, 3, "[1]"}, {`[,1]`, 1, "[0]"},
		{`[1,2}`, 4, ""}, {`[`, 1, "[0]"}, {`[1`, 2, ""}, {`[1,`, 3, "[1]"}, {`[]]`, 2, ""},
		{`{`, 1, ""}, {`{"a"`, 4, "a"}, {`{"a":`, 5, "a"}, {`{"a":1`, 6, ""}, {`{"a":1,`, 7, ""}, {`{"a":1,}`, 7, ""},
		{`{"a" 1}`, 5, "a"}, {`{a:1}`, 1, ""}, {`{'a':1}`, 1, ""}, {`{"a":1 "b":2}`, 7, ""}, {`{,}`, 1, ""}, {`{"a":}`, 5, "a"},
		{`1 1`, 2, ""}, {"1\x00", 1, ""}, {"\ufeff1", 0, ""}, {"[\u00a01]", 1, "[0]"}, {"/**/1", 0, ""},
		{`"`, 1, ""}, {`"a`, 2, ""}, {"\"\n\"", 1, ""}, {"\"\x00\"", 1, ""}, {"\"\x1f\"", 1, ""}, {"\"\x7f\"", -1, ""},
		{`"\`, 2, ""}, {`"\x"`, 1, ""}, {`"\u12`, 5, ""}, {`"\u12g4"`, 1, ""}, {`"\u"`, 1, ""}, {"\"a\\\x00\"", 2, ""},
		{`"\ud800"`, 1, ""}, {`"\ud800`, 7, ""}, {`"\ud800\`, 8, ""}, {`"\ud800\u`, 9, ""}, {`"\ud800\udc0`, 12, ""},
		{`"\ud800\n"`, 1, ""}, {`"\ud800x"`, 1, ""}, {`"\ud800\ud800"`, 1, ""}, {`"\ud800\u0041"`, 1, ""}, {`"\udc00"`, 1, ""},
		{`"\ud800\udcx0"`, 1, ""}, {`"\uD83D\uDE42"`, -1, ""},
		{`"\ud800\u0`, 1, ""}, {`"\ud800\uD`, 10, ""}, {`"\ud800\ud8`, 1, ""}, {`"\ud800\uDf`, 11, ""}, {`"\ud800\u0041`, 1, ""},
		{`{"k":["\ud800"]}`, 7, "k[0]"}, {`{"a":1,"\ud800":2}`, 8, ""}, {`[[],[{"x y":tru}]]`, 15, `[1][0]["x y"]`},
		{"\"\x80\"", 1, ""}, {"\"a\xc1\xbf\"", 2, ""}, {"\"\xc2\"", 1, ""}, {"\"\xe0\x9f\xbf\"", 1, ""}, {"\"\xed\xa0\x80\"", 1, ""},
		{"\"\xf0\x8f\xbf\xbf\"", 1, ""}, {"\"\xf4\x90\x80\x80\"", 1, ""}, {"\"\xf5\x80\x80\x80\"", 1, ""}, {"\"\xff\"", 1, ""},
		{"\"\xe2\x82", 1, ""}, {"\"\xf0\x9f\x99\"", 1, ""}, {"\"ab\xe2\x28\xa1\"", 3, ""},
	} {
		syntax, _ := skip(test.text)
		if test.offset < 0 {
			if syntax != nil {
				t.Errorf("%q: refused: %+v", test.text, *syntax)
			}
			continue
		}
		if syntax == nil {
			t.Errorf("%q: accepted", test.text)
		} else if syntax.Offset != test.offset || syntax.Path != test.path || syntax.Reason == "" {
			t.Errorf("%q: got %+v, want offset %d, path %q", test.text, *syntax, test.offset, test.path)
		}
	}
}

// Every byte of a text may be where a text of a request ends.
func TestTextsThatEndEarly(t *testing.T) {
	text := `{"a":[1,-2.5e3,true,null,"\ud83d\ude42\u00e9\n本🙂é"],"b":{"c":{}}}`
	for n := range len(text) {
		syntax, _ := skip(text[:n])
		if syntax == nil {
			t.Errorf("%q: accepted", text[:n])
		} else if syntax.Offset != n && utf8.ValidString(text[:n]) {
			t.Errorf("%q: offset %d, want %d", text[:n], syntax.Offset, n)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, test := range []struct{ name, path string }{
		{"a", "a.x"}, {"_a9", "_a9.x"}, {"", `[""].x`}, {"9a", `["9a"].x`}, {"a b", `["a b"].x`}, {"a.b", `["a.b"].x`},
		{"\"\\\n\x01", `["\"\\\n\u0001"].x`}, {"é", `["é"].x`}, {"a[0]", `["a[0]"].x`},
	} {
		name, _ := stdjson.Marshal(test.name)
		var r Reader
		text := `{` + string(name) + `:{"x":1}}`
		r.Reset(padded(text), len(text))
		r.Object()
		r.Member()
		r.Object()
		r.Member()
		var s String
		r.String(&s)
		for r.Member() {
		}
		for r.Member() {
		}
		_, violation := r.Finish(false)
		if violation == nil || violation.Path != test.path {
			t.Errorf("%q: got %+v, want path %q", test.name, violation, test.path)
		}
	}
}

func TestFields(t *testing.T) {
	for _, test := range []struct {
		text   string
		path   string // "": accepted
		offset int
	}{
		{`{"a":1,"b":2}`, "", 0},
		{`{"b":1,"x":[],"y":{"x":1,"x":2},"a":2}`, "", 0},
		{`{"a":1}`, "b", 6},
		{`{"a":1,"a":2,"b":3}`, "a", 7},
		{`{"a":1,"\u0061":2,"b":3}`, "a", 7},
		{`{"a":1,"x":2,"x":3,"x":4,"b":3}`, "x", 13},
		{`{"a":1,"y":0,"x":2,"\u0078":3,"y":0,"b":3}`, "x", 19},
		{`{"a":1,"x":2,"x":3}`, "x", 13},
		{`{"A":1,"b":2}`, "a", 12},
	} {
		var r Reader
		r.Reset(padded(test.text), len(test.text))
		var f Fields
		if r.Fields(&f, &[]string{"a", "b"}) {
			for i := r.Next(&f); i >= 0; i = r.Next(&f) {
				r.Skip()
			}
			r.Require(&f, 0)
			r.Require(&f, 1)
		}
		syntax, violation := r.Finish(false)
		switch {
		case syntax != nil:
			t.Errorf("%s: %+v", test.text, *syntax)
		case test.path == "" && violation != nil:
			t.Errorf("%s: refused: %+v", test.text, *violation)
		case test.path == "":
		case violation == nil:
			t.Errorf("%s: accepted", test.text)
		case violation.Path != test.path || violation.Offset != test.offset:
			t.Errorf("%s: got %+v, want %q at %d", test.text, *violation, test.path, test.offset)
		}
	}
}

// hasLoneSurrogate reports whether a text that encoding/json takes has a
// surrogate escape without its other half, which we refuse.
func hasLoneSurrogate(text []byte) bool {
	for i := 0; i+6 <= len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if text[i+1] != 'u' {
			i++
			continue
		}
		r, _ := strconv.ParseUint(string(text[i+2:i+6]), 16, 16)
		if r&0xFC00 == 0xD800 && i+12 <= len(text) && text[i+6] == '\\' && text[i+7] == 'u' {
			if low, _ := strconv.ParseUint(string(text[i+8:i+12]), 16, 16); low&0xFC00 == 0xDC00 {
				i += 11
				continue
			}
		}
		if r&0xF800 == 0xD800 {
			return true
		}
	}
	return false
}

// depth returns how deep a well-formed text nests.
func depth(text []byte) int {
	d, most, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '[' || c == '{'):
			d++
			most = max(most, d)
		case !quoted && (c == ']' || c == '}'):
			d--
		}
	}
	return most
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e-3,"\ud83d\ude42\n"]}`, `"\u0000"`, "\"\xff\"", `[[[]]]`, `{"a":1,"a":2}`, ` 1`, `"é本🙂"`, `{"x":tru}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		syntax, _ := skip(string(text))
		want := stdjson.Valid(text) && utf8.Valid(text) && !hasLoneSurrogate(text) && depth(text) <= MaxDepth
		if got := syntax == nil; got != want {
			t.Fatalf("%q: accepted %v, want %v (%+v)", text, got, want, syntax)
		}
		if syntax != nil && (syntax.Offset < 0 || syntax.Offset > len(text)) {
			t.Fatalf("%q: offset %d", text, syntax.Offset)
		}
	})
}

// FuzzString holds what is known of a string to encoding/json.
func FuzzString(f *testing.F) {
	for _, s := range []string{``, `abc`, `\n\"\\\/`, `\u0041\u00e9\u672c\ud83d\ude42`, `é本🙂`, `\u001f\u001F\u0008`, `\\\\\\n`, `\\u0041`} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, raw []byte, limit int) {
		text := `"` + string(raw) + `"`
		if syntax, _ := skip(text); syntax != nil {
			return
		}
		var want string
		if err := stdjson.Unmarshal([]byte(text), &want); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		b, s := readText(t, text)
		if got := string(s.Bytes(b, nil)); got != want || int(s.Len) != len(want) {
			t.Fatalf("%s: got %q of %d bytes, want %q", text, got, s.Len, want)
		}
		canonical := string(AppendQuoted(nil, []byte(want)))
		var w Writer
		if w.String(b, s); string(w.Bytes()) != canonical {
			t.Fatalf("%s: written as %s, want %s", text, w.Bytes(), canonical)
		}
		if isCanonical := text == canonical; isCanonical != (s.Form < Foreign) {
			t.Fatalf("%s: form %d, canonical is %s", text, s.Form, canonical)
		}
		if plain := !strings.Contains(text, `\`); plain != (s.Form == Plain) {
			t.Fatalf("%s: form %d", text, s.Form)
		}
		var back string
		if err := stdjson.Unmarshal([]byte(canonical), &back); err != nil || back != want {
			t.Fatalf("%s: %s reads as %q (%v)", text, canonical, back, err)
		}
		if got := Chars(b, s); got != utf8.RuneCountInString(want) {
			t.Fatalf("%s: %d characters, want %d", text, got, utf8.RuneCountInString(want))
		}
		if Normalise(b, &s); s.Form == Foreign || `"`+string(s.Raw(b))+`"` != canonical {
			t.Fatalf("%s: normalised %s", text, s.Raw(b))
		}
		checkCuts(t, b, s, want, limit&0xff)
	})
}

// checkCuts compares Head and Tail with cuts of the string itself.
func checkCuts(t *testing.T, text []byte, s String, value string, limit int) {
	t.Helper()
	Normalise(text, &s)
	head := value[:min(limit, len(value))]
	for !utf8.ValidString(head) {
		head = head[:len(head)-1]
	}
	end, length := Head(text, s, limit)
	part := String{Start: s.Start, End: int32(end), Form: s.Form}
	if got := string(part.Bytes(text, nil)); got != head || length != len(head) {
		t.Fatalf("%q: head of %d is %q of %d bytes, want %q", value, limit, got, length, head)
	}
	tail := value[max(len(value)-limit, 0):]
	for !utf8.ValidString(tail) {
		tail = tail[1:]
	}
	begin, length := Tail(text, s, limit)
	part = String{Start: int32(begin), End: s.End, Form: s.Form}
	if got := string(part.Bytes(text, nil)); got != tail || length != len(tail) {
		t.Fatalf("%q: tail of %d is %q of %d bytes, want %q", value, limit, got, length, tail)
	}
}

func TestCutsInEscapes(t *testing.T) {
	pieces := []string{`\\`, `\n`, `\"`, `\u0041`, `\u00e9`, `\u672c`, `\ud83d\ude42`, `a`, `é`, `本`, `🙂`, `u`, `\/`}
	for a := range pieces {
		for b := range pieces {
			for n := range 4 {
				raw := strings.Repeat(pieces[a], n) + strings.Repeat(pieces[b], 5) + strings.Repeat(pieces[a], 3)
				text, s := readText(t, `"`+raw+`"`)
				value := string(s.Bytes(text, nil))
				Normalise(text, &s)
				for limit := range len(value) + 2 {
					checkCuts(t, text, s, value, limit)
				}
			}
		}
	}
}

// A long run of backslashes is not walked again and again.
func TestTailOfBackslashes(t *testing.T) {
	text, s := readText(t, `"`+strings.Repeat(`\\`, 4<<20)+`n"`)
	begin, length := Tail(text, s, 4<<20)
	if want := int(s.End) - 1 - 2*(4<<20-1); begin != want || length != 4<<20 {
		t.Errorf("got %d, %d, want %d, %d", begin, length, want, 4<<20)
	}
}

func FuzzCompare(f *testing.F) {
	f.Add(`a`, `\u0061`)
	f.Add(`\ud83d\ude42`, `\uffff`)
	f.Add(`ab`, `a`)
	f.Add(`\n`, `\u000a`)
	f.Fuzz(func(t *testing.T, a, b string) {
		whole := `"` + a + `" "` + b + `"`
		var r Reader
		var x, y String
		r.Reset(padded(whole), len(whole))
		if !r.String(&x) || !r.String(&y) {
			return
		}
		if syntax, _ := r.Finish(false); syntax != nil {
			return
		}
		text := r.Text()
		want := bytes.Compare(x.Bytes(text, nil), y.Bytes(text, nil))
		if got := Compare(text, x, y); got != want {
			t.Fatalf("%s: %d, want %d", whole, got, want)
		}
		if got := Equal(text, x, y); got != (want == 0) {
			t.Fatalf("%s: equal %v", whole, got)
		}
	})
}

func TestExcerpt(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"foo", `"foo"`}, {"a\"\n", `"a\"\n"`}, {strings.Repeat("é", 40), fmt.Sprintf(`"%s…"`, strings.Repeat("é", 32))},
		{"x" + strings.Repeat("é", 40), fmt.Sprintf(`"x%s…"`, strings.Repeat("é", 31))},
	} {
		if got := Excerpt([]byte(test.text)); got != test.want {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
	}
}

func TestIs(t *testing.T) {
	for raw, word := range map[string]string{`type`: "type", `ty\u0070e`: "type", `\u0074\u0079\u0070\u0065`: "type", `a\"\n`: "a\"\n", `\ud83d\ude42é`: "🙂é", ``: ""} {
		text, s := readText(t, `"`+raw+`"`)
		if !s.Is(text, word) || s.Is(text, word+"x") || word != "" && s.Is(text, "z"+word[1:]) {
			t.Errorf("%s: not what it is", raw)
		}
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	text := `{"a":[1,-2.5e3,true,null,"\ud83d\ude42\u00e9\n本🙂é"],"b":{"c":{}},"d\n":1}`
	b := padded(text)
	var r Reader
	if n := testing.AllocsPerRun(100, func() {
		r.Reset(b, len(text))
		r.Skip()
		r.Finish(false)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Names that share a beginning, end early or have escapes come in the order of
// their bytes, and each that stands twice is found.
func TestSort(t *testing.T) {
	alphabet := []string{"a", "b", "longprefix", "longpref", "sevenby", `\u0000`, "\x7f", `\n\"\/\\`, `\u0061`, "é", "本", `\ud83d\ude42`, "\uffff", "z"}
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 4000 {
		most := 12
		if round%100 == 0 {
			most = 400
		}
		text := "{"
		for i := range 1 + r.IntN(most) {
			if i > 0 {
				text += ","
			}
			text += `"`
			for range r.IntN(4) {
				text += alphabet[r.IntN(len(alphabet))]
			}
			text += `":0`
		}
		text += "}"
		var reader Reader
		reader.Reset(padded(text), len(text))
		var names []String
		seen := map[string]bool{}
		repeated := -1
		for more := reader.Object() && reader.Member(); more; more = reader.Member() {
			name := reader.Name()
			decoded := string(name.Bytes(reader.Text(), nil))
			if seen[decoded] && repeated < 0 {
				repeated = int(name.Start) - 1
			}
			seen[decoded] = true
			names = append(names, name)
			reader.Skip()
		}
		order := reader.Sort(names)
		sorted := slices.IsSortedFunc(order, func(a, b sortKey) int {
			return bytes.Compare(names[a.index].Bytes(reader.Text(), nil), names[b.index].Bytes(reader.Text(), nil))
		})
		if len(order) != len(names) || !sorted {
			t.Fatalf("%s: order %v", text, order)
		}
		_, violation := reader.Finish(false)
		switch {
		case repeated < 0 && violation != nil:
			t.Fatalf("%s: %+v", text, *violation)
		case repeated >= 0 && (violation == nil || violation.Offset != repeated):
			t.Fatalf("%s: got %+v, want a violation at %d", text, violation, repeated)
		}
	}
}

// A name that stands twice among many unknown ones is found, the first of them,
// whether it was noticed on the way or at the end.
func TestRepeatedUnknownNames(t *testing.T) {
	for _, n := range []int{2, 63, 64, 65, 300, 5000} {
		for _, repeated := range []int{1, 40, 64, 100, n - 1} {
			if repeated >= n {
				continue
			}
			text, want := `{"x":[{"known":0`, 0
			for i := range n {
				name := strconv.Itoa(1_000_000 + i)
				if i >= repeated && (i-repeated)%50 == 0 {
					name = `100000\u0030`
					if want == 0 {
						want = len(text) + 1
					}
				}
				text += `,"` + name + `":0`
			}
			text += "}]}"
			var r Reader
			r.Reset(padded(text), len(text))
			for more := r.Object() && r.Member(); more; more = r.Member() {
				for more := r.Array() && r.Item(); more; more = r.Item() {
					var f Fields
					r.Fields(&f, &[]string{"known"})
					for i := r.Next(&f); i >= 0; i = r.Next(&f) {
						r.Skip()
					}
				}
			}
			_, violation := r.Finish(false)
			if violation == nil || violation.Offset != want || violation.Path != `x[0]["1000000"]` {
				t.Errorf("%d names, %d repeated: %+v, want %d", n, repeated, violation, want)
			}
		}
	}
}

// What is skipped by the piece ends as it does step by step: at the same place,
// with the same error at the same path.
func FuzzSkip(f *testing.F) {
	for _, text := range []string{
		`[]`, `{}`, `[{}]`, `{"a":[1,2,{"b":null}],"c":"d"}`, `[[[1,[2,`, `{"a":{"b":[0,01]}}`, `[1.5,-1,1e3]`, `{"a" : [ 1 , true ] , "b":false}`,
		`[1,2,tru]`, `[1,]`, `{"a":1,}`, `{"a":1,"b`, `{"a":1,"é":[x]}`, `["\n",1]`, `[{"a":1},{"a":]}]`, `[1}`, `{"a":1]`, `[[1],2`, `[0,0.5,00]`, `{"a"}`, `{1:2}`,
		strings.Repeat("[", 129), strings.Repeat(`{"a":`, 129), strings.Repeat("[", 128) + strings.Repeat("]", 128) + "1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var a, b Reader
		a.Reset(padded(text), len(text))
		b.Reset(padded(text), len(text))
		a.Skip()
		skipPlainly(&b)
		if a.syntax == nil && (a.pos != b.pos || a.depth != b.depth || a.first != b.first) {
			t.Fatalf("%s: %d, %d, %v and %d, %d, %v", text, a.pos, a.depth, a.first, b.pos, b.depth, b.first)
		}
		x, _ := a.Finish(false)
		y, _ := b.Finish(false)
		if (x == nil) != (y == nil) || x != nil && *x != *y {
			t.Fatalf("%s: %+v and %+v", text, x, y)
		}
	})
}

// skipPlainly skips a value with nothing but the public methods.
func skipPlainly(r *Reader) {
	switch r.Kind() {
	case KindArray:
		for more := r.Array() && r.Item(); more; more = r.Item() {
			skipPlainly(r)
		}
	case KindObject:
		for more := r.Object() && r.Member(); more; more = r.Member() {
			skipPlainly(r)
		}
	default:
		r.Skip()
	}
}

// Random texts, with a mistake in some of them. skipAhead reads all the others.
func TestSkip(t *testing.T) {
	names := []string{`"a"`, `"longer than a word"`, `"é"`, `"\n"`, `"longer than a word, \u0041 and é"`}
	scalars := []string{"1", "0", "-1", "-0", "120", "1.5", "-0.25E+7", "1e9", "1e-300", "null", "true", "false"}
	mistakes := []string{"[", "]", "{", "}", ",", ":", `"`, " ", "\n\t", "x", "0", "1", "-", ".", "e", "+", `"a"`, `\`, `"\x"`, "\x01", "\xff"}
	rng := rand.New(rand.NewPCG(9, 10))
	var value func(depth int) string
	value = func(depth int) string {
		n := rng.IntN(4)
		if depth == 0 {
			n = 0
		}
		var list []string
		switch rng.IntN(3) {
		case 0:
			for range n {
				list = append(list, value(depth-1))
			}
			return "[" + strings.Join(list, ",") + "]"
		case 1:
			for range n {
				list = append(list, names[rng.IntN(len(names))]+":"+value(depth-1))
			}
			return "{" + strings.Join(list, ",") + "}"
		}
		return append(scalars, names...)[rng.IntN(len(scalars)+len(names))]
	}
	wrong := 0
	for range 40_000 {
		text := value(6)
		if rng.IntN(2) == 0 {
			i := rng.IntN(len(text) + 1)
			text = text[:i] + mistakes[rng.IntN(len(mistakes))] + text[min(len(text), i+rng.IntN(3)):]
		}
		var a, b Reader
		a.Reset(padded(text), len(text))
		b.Reset(padded(text), len(text))
		a.Skip()
		skipPlainly(&b)
		x, _ := a.Finish(false)
		y, _ := b.Finish(false)
		if (x == nil) != (y == nil) || x != nil && *x != *y || a.depth != b.depth {
			t.Fatalf("%s: %+v and %+v", text, x, y)
		}
		for i, f := range a.frames[:a.depth+1] {
			if f.at == inName && f.name != b.frames[i].name {
				t.Fatalf("%s: in %+v and %+v", text, f.name, b.frames[i].name)
			}
		}
		if x != nil {
			wrong++
			continue
		}
		if _, _, s := skipAhead(padded(text), &a.frames, 0, 0, 0); s != pastAll && runtime.GOARCH == "wasm" {
			t.Fatalf("%s: not skipped at once", text)
		}
	}
	if wrong < 5000 {
		t.Errorf("only %d texts were wrong", wrong)
	}
}

// readerAt returns a reader at an offset of the text, in an object.
func readerAt(text []byte, offset int, first bool) *Reader {
	r := &Reader{}
	r.Reset(text, len(text)-Pad)
	r.depth, r.pos, r.first = 3, offset, first
	r.names = []String{{}} // that of an object around it
	return r
}

// checkFields holds openFields and nextMember equal to their twins.
func checkFields(t *testing.T, text []byte, offset int, first bool, f Fields) int {
	t.Helper()
	got, want := readerAt(text, offset, first), readerAt(text, offset, first)
	gotFields, wantFields := f, f
	index, wantIndex := nextMember(got, &gotFields), plainNextMember(want, &wantFields)
	if index != wantIndex || gotFields != wantFields || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q at %d: member %d, want %d\n got %+v\nwant %+v", text, offset, index, wantIndex, gotFields, wantFields)
	}
	got, want = readerAt(text, offset, first), readerAt(text, offset, first)
	if len(text)%3 == 0 {
		got.depth, want.depth = MaxDepth, MaxDepth
	}
	gotFields, wantFields = f, f
	opened, wantOpened := openFields(got, &gotFields, f.names), openOther(want, &wantFields, f.names)
	if opened != wantOpened || gotFields != wantFields || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q at %d: opened %t, want %t\n got %+v\nwant %+v", text, offset, opened, wantOpened, gotFields, wantFields)
	}
	return index
}

func TestFieldsEqualTheirTwins(t *testing.T) {
	names := []string{"a", "id", "value", "values", "kind567", "kind5678", "additionalContext", "additionalContexts", "sixteen bytes ok", ""}
	for index, name := range names {
		for next := range len(names) + 1 {
			f := Fields{names: &names, next: int16(next), base: 1}
			for _, before := range []string{"", ",", " ", "\n\t,\r ", "x", `"`, ",,", "\x00", "\x1f", "\v", "!"} {
				for _, end := range []string{`":`, `" :`, `"`, `x":`, `s":`, ``} {
					text := padded(before + `"` + name + end)
					for i := range len(before) + 1 {
						checkFields(t, text, i, true, f)
						checkFields(t, text, i, false, f)
					}
				}
			}
			if got := checkFields(t, padded(` , "`+name+`":`), 0, false, f); got != index {
				t.Fatalf("%q is %d", name, got)
			}
			f.seen = 1 << index
			if got := checkFields(t, padded(`"`+name+`":`), 0, true, f); got >= 0 {
				t.Fatalf("%q, seen before, is %d", name, got)
			}
		}
		for at := range name {
			text := padded(`"` + name + `":`)
			text[1+at] ^= 0x80
			if got := checkFields(t, text, 0, true, Fields{names: &names, next: int16(index), base: 1}); got >= 0 {
				t.Fatalf("%q is %q", text, names[got])
			}
		}
	}
	none := []string{}
	for _, text := range []string{`"a":`, `}`, ` }`, "\n}}", `{`, ` {"a":1}`, `[`, ``} {
		for base := range int32(2) {
			checkFields(t, padded(text), 0, true, Fields{names: &none, base: base})
			checkFields(t, padded(text), 0, false, Fields{names: &none, base: base})
		}
	}
}

// nested writes an array that nests so deep.
func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// readKnown reads an object of known members with Next. It returns which there were,
// and where each value began.
func readKnown(r *Reader, names []string) (found []int) {
	var f Fields
	if r.Fields(&f, &names) {
		for i := r.Next(&f); i >= 0; i = r.Next(&f) {
			found = append(found, i, r.Offset())
			r.Skip()
		}
	}
	return found
}

// readKnownPlainly does the same with nothing but the public methods.
func readKnownPlainly(r *Reader, names []string) (found []int) {
	seen := map[int]bool{}
	base := len(r.names)
	for more := r.Object() && r.Member(); more; more = r.Member() {
		name := r.Name()
		i := slices.Index(names, string(name.Bytes(r.text, nil)))
		switch {
		case i < 0 && !r.Settled():
			r.AddName(base)
		case i >= 0 && seen[i]:
			r.Reject(int(name.Start)-1, "repeated name")
		case i >= 0:
			seen[i] = true
			found = append(found, i, r.Offset())
		}
		r.Skip()
	}
	unknown := r.names[base:]
	r.names = r.names[:base]
	r.Sort(unknown)
	return found
}

// Members that are unknown come to the same when they are read in one step, with a
// mistake in some of the texts.
func TestUnknown(t *testing.T) {
	names := []string{"a", "known", "eight by", "longer than a word"}
	spaces := []string{"", "", "", " ", "\n\t", "          "}
	values := []string{`""`, `"text"`, `"a text, longer than a word"`, `"é"`, `"\n"`, "1", "0", "00", "120", "12.5", "1e9", "-1", "[]", "{}", "-0.5E+7", "null", "true", "false", "falsy", "nul", "[1]", `{"a":[{}],"a":"é\n"}`, "[00]", "\x01", nested(MaxDepth - 1), nested(MaxDepth)}
	pieces := []string{",", ":", `"`, "}", "{", "0", "x", "é", ".", " "}
	rng := rand.New(rand.NewPCG(11, 12))
	passed, wrong := 0, 0
	for range 30_000 {
		space := func() string { return spaces[rng.IntN(len(spaces))] }
		if rng.IntN(2) == 0 {
			space = func() string { return "" }
		}
		var b strings.Builder
		b.WriteString("{" + space())
		for i := range rng.IntN([]int{6, 6, 90}[rng.IntN(3)]) {
			if i > 0 {
				b.WriteString("," + space())
			}
			name := fmt.Sprintf(`unknown %d`, rng.IntN(5000))
			switch rng.IntN(12) {
			case 0:
				name = names[rng.IntN(len(names))]
			case 1:
				name = []string{"b", "c", "knowm", "eight bY", "longer than a work", "longer thin a word", `\u0061`, "é", "", `\n`, `\u00e9`, `known\u0021`, `kn\u006fwn`, `longer than a wor\u0064`, `longer than a wor\u006b`}[rng.IntN(15)]
			}
			value := values[rng.IntN(7)]
			if rng.IntN(6) == 0 {
				value = values[rng.IntN(len(values))]
			}
			b.WriteString(`"` + name + `"` + space() + ":" + space() + value + space())
		}
		text := b.String() + "}"
		if rng.IntN(3) == 0 {
			i := rng.IntN(len(text))
			text = text[:i] + pieces[rng.IntN(len(pieces))] + text[min(len(text), i+rng.IntN(3)):]
		}
		var x, y Reader
		x.Reset(padded(text), len(text))
		y.Reset(padded(text), len(text))
		got, want := readKnown(&x, names), readKnownPlainly(&y, names)
		left := x.last
		gotSyntax, gotViolation := x.Finish(false)
		wantSyntax, wantViolation := y.Finish(false)
		switch {
		case !reflect.DeepEqual(gotSyntax, wantSyntax) || !reflect.DeepEqual(gotViolation, wantViolation):
			t.Fatalf("%q: %+v, %+v, want %+v, %+v", text, gotSyntax, gotViolation, wantSyntax, wantViolation)
		case gotSyntax == nil && (left != y.last || x.depth != 0):
			t.Fatalf("%q: left at %d, want %d, depth %d", text, left, y.last, x.depth)
		case gotSyntax == nil && gotViolation == nil:
			if passed++; !slices.Equal(got, want) {
				t.Fatalf("%q: %d, want %d", text, got, want)
			}
		default:
			wrong++
		}
	}
	if passed < 5000 || wrong < 5000 {
		t.Errorf("only %d texts were right, %d wrong", passed, wrong)
	}
}

// readStrings reads an array of strings, and rejects other items; passed says whether
// items are passed where that goes.
func readStrings(r *Reader, passed bool) (found []String) {
	if !r.Array() {
		return nil
	}
	for r.Item() {
		room := make([]String, 1+len(found)%5)
		if n := 0; passed {
			if n = r.PassItems(1<<KindString, room); n > 0 {
				found = append(found, room[:n]...)
				continue
			}
		}
		if r.String(&room[0]) {
			found = append(found, room[0])
		}
	}
	return found
}

// countKinds reads an array and counts items that are of these kinds.
func countKinds(r *Reader, kinds Kinds, passed bool) (n int) {
	if !r.Array() {
		return 0
	}
	for r.Item() {
		if passed {
			if more := r.PassItems(kinds, nil); more > 0 {
				n += more
				continue
			}
		}
		if kind := r.Kind(); kinds&(1<<kind) != 0 {
			n++
		} else {
			r.Reject(r.pos, "another kind")
		}
		r.Skip()
	}
	return n
}

func TestPassItems(t *testing.T) {
	values := []string{`""`, `"text"`, `"a text, longer than a word"`, `"é"`, `"\n"`, `"\u0041\ud83d\ude42"`, `"longer than a word and \u00e9 "`, "1", "0", "120", "12.5", "-1.5e-300", "1E+9", "-0.0",
		"null", "true", "false", "[]", "{}", "[ ]", "[1]", `{"a":1}`, "00", "1.", "-", "1e", "falsy", "nul", `"\x"`, `"\ud83d"`, "\"\x01\"", "\"\xff\""}
	pieces := []string{",", `"`, "]", "[", "{", "}", "0", "x", "é", ".", " ", "-"}
	rng := rand.New(rand.NewPCG(15, 16))
	wrong := 0
	for i := range 40_000 {
		var b strings.Builder
		depth := []int{0, MaxDepth - 2, MaxDepth - 1}[i%7/3]
		b.WriteString(strings.Repeat("[", depth) + "[")
		few := 1 + rng.IntN(len(values))
		for i := range rng.IntN(12) {
			if i > 0 {
				b.WriteString([]string{",", ",", ", ", " ,\n"}[rng.IntN(4)])
			}
			b.WriteString(values[rng.IntN(few)])
		}
		text := b.String() + "]" + strings.Repeat("]", depth)
		if rng.IntN(3) == 0 {
			i := rng.IntN(len(text))
			text = text[:i] + pieces[rng.IntN(len(pieces))] + text[min(len(text), i+rng.IntN(3)):]
		}
		kinds := Kinds(rng.IntN(int(AnyKinds)+1)) & AnyKinds
		read := func(passed bool) (found []String, n int, syntax *SyntaxError, violation *Violation) {
			var r Reader
			r.Reset(padded(text), len(text))
			for range depth {
				r.Array()
				r.Item()
			}
			if i%2 == 0 {
				found = readStrings(&r, passed)
			} else {
				n = countKinds(&r, kinds, passed)
			}
			for range 2 * depth {
				if r.Depth() > 0 && r.Item() {
					r.Skip()
				}
			}
			syntax, violation = r.Finish(false)
			return found, n, syntax, violation
		}
		found, n, syntax, violation := read(true)
		wantFound, wantN, wantSyntax, wantViolation := read(false)
		switch {
		case !reflect.DeepEqual(syntax, wantSyntax) || !reflect.DeepEqual(violation, wantViolation):
			t.Fatalf("%q: %+v, %+v, want %+v, %+v", text, syntax, violation, wantSyntax, wantViolation)
		case syntax != nil:
			wrong++
		case n != wantN || !slices.Equal(found, wantFound):
			t.Fatalf("%q: %d, %d, want %d, %d", text, found, n, wantFound, wantN)
		}
	}
	if wrong < 5000 || wrong > 35_000 {
		t.Errorf("%d texts were wrong", wrong)
	}
}

// Behind what is wrong, known members are still read, and unknown ones are passed.
func TestSettled(t *testing.T) {
	names := []string{"a", "known"}
	for _, strict := range []bool{false, true} {
		for _, more := range []int{0, 1, 15, 16, 63, 64, 65, 200, 5000} {
			var b strings.Builder
			b.WriteString(`{"a":0,"a":1,"x":2`)
			for i := range more {
				fmt.Fprintf(&b, `,"y%d":%d`, i%100, i)
			}
			b.WriteString(`,"known":3}`)
			var r Reader
			r.Reset(padded(b.String()), b.Len())
			var f Fields
			if strict {
				r.StrictFields(&f, &names)
			} else {
				r.Fields(&f, &names)
			}
			var found []int
			for i := r.Next(&f); i >= 0; i = r.Next(&f) {
				found = append(found, i)
				r.Skip()
			}
			syntax, violation := r.Finish(false)
			if !slices.Equal(found, []int{0, 1}) || syntax != nil || violation == nil || violation.Path != "a" || len(r.names) > 0 {
				t.Errorf("strict %v, %d more: %d, %+v, %+v, %d names", strict, more, found, syntax, violation, len(r.names))
			}
		}
	}
}

// Shapes are read as their twin reads them, and their strings as a Reader does.
func TestShape(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	pieces := []string{`"version":1,"threadId":"`, `","activeTurn":{"id":"`, `"},"b":`, `"`, `","kind":"regular"},"additionalContext":`}
	values := []string{``, `a`, `turn_1`, `eight888`, strings.Repeat("long ", 20), `é`, `日本`, `a\n`, `\"`, `\\`, `\u0041`, `\u001f`, `\ud83d\ude42`, `\ud83d`, `\x`, "\x1f", "\xff", "\x7f"}
	whole := 0
	for range 30_000 {
		shape := pieces[r.IntN(len(pieces)):][:1]
		text := "xy" + shape[0]
		for range r.IntN(4) {
			piece := pieces[1+r.IntN(len(pieces)-1)]
			shape = append(shape[:len(shape):len(shape)], piece)
			value := values[r.IntN(len(values))]
			if r.IntN(2) == 0 {
				value = values[r.IntN(5)]
			}
			text += value + piece
		}
		switch r.IntN(6) {
		case 0:
			text = text[:2+r.IntN(len(text)-1)]
		case 1:
			i := 2 + r.IntN(len(text)-2)
			text = text[:i] + string(`"\,x`[r.IntN(4)]) + text[i+1:]
		}
		checkShape(t, padded(text), shape, &whole)
	}
	if whole < 3000 {
		t.Errorf("%d shapes were whole", whole)
	}
}

func checkShape(t *testing.T, text []byte, pieces []string, whole *int) {
	t.Helper()
	got, want := make([]String, len(pieces)-1), make([]String, len(pieces)-1)
	end, n := shape(text, 2, pieces, got)
	wantEnd, wantN := plainShape(text, 2, pieces, want)
	if end != wantEnd || n != wantN || !slices.Equal(got, want) {
		t.Fatalf("%q with %q: %d, %d, %+v, want %d, %d, %+v", text, pieces, end, n, got, wantEnd, wantN, want)
	}
	if end >= 0 && n < len(got) {
		end, _ = shapeEnd(text, end, n, pieces, got)
	}
	if end < 0 {
		return
	}
	*whole++
	i := 2
	for k, piece := range pieces {
		if string(text[i:i+len(piece)]) != piece {
			t.Fatalf("%q: piece %d is not at %d", text, k, i)
		}
		i += len(piece)
		if k == len(got) {
			break
		}
		var r Reader
		r.Reset(text, len(text)-Pad)
		r.pos = i - 1
		var s String
		if text[r.pos] == '"' && (!r.String(&s) || s != got[k]) {
			t.Fatalf("%q: string %d is %+v, want %+v", text, k, got[k], s)
		}
		i = int(got[k].End)
	}
	if i != end {
		t.Fatalf("%q: it ends at %d, want %d", text, end, i)
	}
}

// A template is filled as its twin fills it, whatever room there is.
func TestFill(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	text := strings.Repeat("0123456789abcdef", 40)
	piece := func() string {
		n := r.IntN(40)
		if r.IntN(8) == 0 {
			n = r.IntN(len(text))
		}
		return text[r.IntN(len(text)-n+1):][:n]
	}
	for range 20_000 {
		template, values := []string{piece()}, []string{}
		for range r.IntN(5) {
			template, values = append(template, piece()), append(values, piece())
		}
		var got, want Writer
		got.Reset(1 + r.IntN(1000))
		for _, w := range []*Writer{&got, &want} {
			w.Text("begin")
		}
		got.Fill(template, values)
		plainFill(&want, template, values)
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%q with %q: %q, want %q", template, values, got.Bytes(), want.Bytes())
		}
	}
}

// Each writes what its twin writes, whatever room there is.
func TestEach(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	contents := []string{``, ``, `a`, `plain text`, `\\\n\u0001`, `\u0041\/`, `é`, strings.Repeat("long ", 30), strings.Repeat(`\u0041`, 60)}
	for range 20_000 {
		text := `[`
		all := make([]String, r.IntN(r.IntN(60)+1))
		for i := range all {
			all[i].Start = int32(len(text)) + 1
			text += `"` + contents[r.IntN(1+r.IntN(len(contents)))] + `",`
		}
		whole := padded(text)
		for i := range all {
			s := &all[i]
			end, saved, form := longTextEnd(whole, int(s.Start))
			s.End, s.Len, s.Form = int32(end), int32(end-saved)-s.Start, form
		}
		after := strings.Repeat("0123456789abcdefg", 20)[:r.IntN(3)*r.IntN(160)]
		var got, want Writer
		got.Reset(1 + r.IntN(1500))
		for _, w := range []*Writer{&got, &want} {
			w.Text("begin")
		}
		plainEach(&want, whole, all, after)
		got.Each(whole, all, after)
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%+v and %q: %q, want %q", all, after, got.Bytes(), want.Bytes())
		}
	}
}
