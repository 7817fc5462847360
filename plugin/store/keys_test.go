package store

import (
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/plugin/json"
)

// keyTexts writes keys of a policy.
type keyTexts struct {
	*rand.Rand
	wrong bool // some of them are
}

func (r keyTexts) pick(list ...string) string { return list[r.IntN(len(list))] }

// space is white space, most often none.
func (r keyTexts) space() string {
	if r.IntN(20) > 0 {
		return ""
	}
	return r.pick(" ", "\n", "\t", "\r", "  ", "\r\n          ")
}

// odd is one of others in a few places of a text that may be wrong, else usual.
func (r keyTexts) odd(usual string, others ...string) string {
	if !r.wrong || r.IntN(40) > 0 {
		return usual
	}
	return r.pick(others...)
}

// word writes a word in quotes, a few times with escapes.
func (r keyTexts) word(s string) string {
	for _, c := range "pthnTd" {
		if r.IntN(10) == 0 {
			s = strings.Replace(s, string(c), fmt.Sprintf(r.pick(`\u%04x`, `\u%04X`), c), 1)
		}
	}
	return `"` + s + `"`
}

func (r keyTexts) token(s string) string { return r.space() + s + r.space() }

// key writes a key and its settings.
func (r keyTexts) key() string {
	name := r.word(r.pick("k", "é", `\n`, `\u006b`, "a long name, of more than eight bytes ", `\u0001 and \ud83d\ude42`, "") + fmt.Sprint(r.IntN(1_000_000)))
	name = r.odd(name, `"k"`, "x"+name[1:], `"\x"`, "\"\x01\"", "\"\xff\"", "\"\x01", `k`, `"`, ``)
	return r.token(name) + r.odd(":", ",", "") + r.token(r.settings())
}

func (r keyTexts) settings() string {
	if r.IntN(8) == 0 {
		return r.pick("{}", "{ }", "null")
	}
	var fields []string
	names := []string{"maxValueTokens", "truncation", "priority"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:1+r.IntN(3)] {
		value := r.value(name)
		name = r.odd(r.word(name), `"priorit"`, `"priorityx"`, `"maxValueToken"`, `"truncatiom"`, `"truncations"`, `"truncatio\x"`, `"\u0074runcatio"`, `"\u007"`,
			`"priority"`, `"truncation"`, `"p\u0072iority\u0022"`, `"prioritx\u0079"`, `"abcdep\u0072iority"`, `"\u0022aa"`, `"\nabcdef"`, "x"+name+`"`, `"x"`, `""`, `1`)
		fields = append(fields, r.token(name)+r.odd(":", "", ",")+r.token(value))
	}
	return r.odd("{", "[", "") + strings.Join(fields, ",") + r.odd("", ",", "x") + r.odd("}", "]", "", "}}", "} 1")
}

// value writes what the field of that name may be.
func (r keyTexts) value(name string) string {
	if r.IntN(8) == 0 {
		return r.odd("null", "nul", "nulll", "NULL")
	}
	if name == "truncation" {
		word := r.pick("middle", "head", "tail")
		return r.odd(r.word(word), `"heads"`, `"hea"`, `"middl"`, `"middlee"`, `"\u0074ai"`, `"tai\x"`, `"hea\u0064`, `"abcdet\u0061il"`, `"hea\u0064x"`, `"\nab"`, "x"+word+`"`, `""`, `0`, `{}`)
	}
	limits := []string{"0", "1", "7", "10", "999999999", "1000000000", "2147483647"}
	if name == "priority" {
		limits = append(limits, "-1", "-70", "-2147483648")
	}
	return r.odd(r.pick(limits...), "-1", "-0", "01", "-01", "00", "1.5", "1e3", "1E0", "0.0", "-", "2147483648", "-2147483649", "4294967296", "10000000000", "18446744073709551617", `"1"`, "[]", "true", "1x", "+1")
}

// Keys of a policy that are read at once are what they are one by one, whatever is said of them,
// and wrong where they are. Those that are right are read at once.
func TestReadKeys(t *testing.T) {
	random := rand.New(rand.NewPCG(47, 48))
	wrong := 0
	for range 10_000 {
		r := keyTexts{random, random.IntN(2) == 0}
		var keys []string
		for range r.IntN([]int{4, 40, 40, 200}[r.IntN(4)]) {
			keys = append(keys, r.key())
		}
		text := "{" + strings.Join(keys, ",") + "}"
		if r.wrong && r.IntN(4) == 0 {
			text = text[:1+r.IntN(len(text)-1)]
		}
		padded := append([]byte(text), make([]byte, json.Pad)...)
		read := func(keys func(*Policy, *json.Reader)) ([]KeyPolicy, *json.SyntaxError, *json.Violation) {
			var p Policy
			var reader json.Reader
			p.Reset()
			reader.Reset(padded, len(text))
			keys(&p, &reader)
			for i := range p.Keys {
				p.Keys[i].settle()
			}
			syntax, violation := reader.Finish(false)
			return p.Keys, syntax, violation
		}
		got, gotSyntax, gotViolation := read((*Policy).ReadKeys)
		want, wantSyntax, wantViolation := read((*Policy).readOneByOne)
		if !reflect.DeepEqual(gotSyntax, wantSyntax) || !reflect.DeepEqual(gotViolation, wantViolation) {
			t.Fatalf("%q:\n got %+v, %+v\nwant %+v, %+v", text, gotSyntax, gotViolation, wantSyntax, wantViolation)
		}
		if gotSyntax != nil || gotViolation != nil {
			wrong++
			continue
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q:\n got %+v\nwant %+v", text, got, want)
		}
		if n := atOnce(padded, len(text)); runtime.GOARCH == "wasm" && !r.wrong && n < len(keys)-1 {
			t.Fatalf("%q: %d of %d were read at once", text, n, len(keys))
		}
	}
	if wrong < 2_000 {
		t.Errorf("%d texts were wrong", wrong)
	}
}

// readOneByOne does what ReadKeys does, without what is read at once.
func (p *Policy) readOneByOne(r *json.Reader) {
	begin := r.Offset()
	for more := r.Object() && r.Member(); more; more = r.Member() {
		if r.Settled() {
			r.Skip()
			continue
		}
		p.readKey(r, begin)
	}
	p.sortKeys(r)
}

// settle clears what does not count.
func (k *KeyPolicy) settle() {
	if !k.HasTokens {
		k.Tokens = 0
	}
	if !k.HasTruncation {
		k.Truncation = 0
	}
}

// atOnce returns how many keys behind the first one are read at once, if there is room for all.
func atOnce(padded []byte, n int) int {
	var r json.Reader
	r.Reset(padded, n)
	if !r.Object() || !r.Member() {
		return 0
	}
	r.Skip()
	_, read := readKeys(r.Text(), r.Offset(), make([]KeyPolicy, n))
	return read
}

// Each outcome gets the policy of its key, which may be written in another way.
func TestMatchKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(49, 50))
	names := []string{"", "a", "aa", "ab", "b", "é", `\n`, `\u000a`, `\"`, `\u0022`, `\\`, `\/`, "/", `\u0001`, "日本", `\u65e5\u672c`, "🙂", `\ud83d\ude42`, "\uffff", "a long key"}
	list := func(value string) string {
		seen := map[string]bool{}
		var members []string
		for range r.IntN(12) {
			name := `"` + names[r.IntN(len(names))] + names[r.IntN(len(names))] + `"`
			var resolved string
			if err := stdjson.Unmarshal([]byte(name), &resolved); err != nil || seen[resolved] {
				continue
			}
			seen[resolved] = true
			members = append(members, name+":"+value)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	both, priorities := 0, 0
	for range 20_000 {
		settings := []string{`{"priority":1}`, `{"maxValueTokens":0}`, `{"truncation":"head"}`, `{"priority":2,"truncation":"tail"}`}[r.IntN(4)]
		request := `{"keys":` + list(settings) + `,"store":` + list(`{"value":"","kind":"untrusted"}`) + `,"additionalContext":` + list(`{"value":"v","kind":"untrusted"}`) + `}`
		m := Merge{Policy: &Policy{}}
		m.Policy.Reset()
		var reader json.Reader
		reader.Reset(append([]byte(request), make([]byte, json.Pad)...), len(request))
		var f json.Fields
		reader.Fields(&f, &[]string{"keys", "store", "additionalContext"})
		for i := reader.Next(&f); i >= 0; i = reader.Next(&f) {
			switch i {
			case 0:
				m.Policy.ReadKeys(&reader)
			case 1:
				m.Old.Read(&reader, &m.New)
			case 2:
				m.New.Read(&reader, &m.Old)
			}
		}
		if reader.Wrong() {
			t.Fatalf("%s is wrong", request)
		}
		m.Policy.Settle()
		m.Compare(reader.Text())
		got := slices.Clone(m.outcomes)
		for i := range m.outcomes {
			m.outcomes[i].policy = -1
		}
		m.plainMatchKeys()
		for i, o := range m.outcomes {
			if got[i].policy != o.policy {
				t.Fatalf("%s: outcome %d has %d, want %d", request, i, got[i].policy, o.policy)
			}
			switch {
			case o.policy >= 0:
				both++
			case o.policy < -1:
				priorities++
			}
		}
	}
	if both < 4_000 || priorities < 1_500 {
		t.Errorf("%d outcomes had a limit, %d a priority", both, priorities)
	}
}
