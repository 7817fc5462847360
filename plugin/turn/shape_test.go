package turn_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/turn"
)

// usualRequest writes a request of turn_start or turn_steer in the order and the form
// in which most hosts do, with something else at some places.
func usualRequest(r *rand.Rand, steer bool) string {
	pick := func(usual string, others ...string) string {
		if r.IntN(8) > 0 {
			return usual
		}
		return others[r.IntN(len(others))]
	}
	id := func() string {
		return pick(`"t1"`, `"t2"`, `""`, `"é"`, `"a\n\"b"`, `"\u0074\u0031"`, `"\u001f"`, `1`, `null`, `"\x"`)
	}
	store := func() string {
		return pick(`{"k":{"value":"a","kind":"untrusted"}}`, `{}`, `null`, `{"k":{"value":"b","kind":"application"}}`, `{"k":{"value":1}}`, `[]`, `{"k":null}`)
	}
	active := pick(`null`, `{"id":"t1","kind":"regular"}`, `{"id":"é","kind":"regular"}`, `{"id":"t1","kind":"review"}`, `{"kind":"regular","id":"t1"}`, `{"id":1}`, `true`)
	if steer {
		active = pick(`{"id":"t1","kind":"regular"}`, `null`, `{"id":"","kind":"regular"}`)
	}
	state := `{"version":` + pick(`1`, `2`, `0`, `"1"`) + `,"threadId":` + id() + `,"activeTurn":` + active + `,"additionalContext":` + store() +
		pick(``, `,"x":1`, `,"version":1`) + `}`
	input := `[{"type":"text","text":` + pick(`"hello"`, `"two\nlines"`, `"\u65e5日本"`, `""`, `1`) + pick(`}`, `,"text_elements":[]}`, `,"text":"again"}`) + pick(`]`, `,{"type":"image","url":"u"}]`)
	input = pick(input, `[]`, `[]`, `[]`, `null`, `[{"text":"other order","type":"text"}]`)
	params := `{"threadId":` + id()
	if steer {
		params += `,"expectedTurnId":` + id()
	}
	params += `,"input":` + input + `,"additionalContext":` + store() + pick(``, `,"input":[]`, `,"model":"m"`, `,"threadId":"t1"`, `,"model":1`) + `}`
	request := `{"state":` + pick(state, `null`)
	if !steer {
		request += `,"turnId":` + id()
	}
	return request + `,"params":` + params + pick(``, `,"policy":{"experimentalApi":false}`, `,"turnId":"t1"`, `,"params":{}`, `,"promptHook":{"blocked":true,"contexts":["c"]}`, `}`, `,"policy":{"updates":"patch"}`, `,"policy":{"maxValueTokens":-1}`, `,"state":null`, ` `, `,"x":{},"x":1`, `,`) + `}`
}

var offsets = regexp.MustCompile(`at byte \d+|"offset":\d+`)

// A request that is written as most hosts write it is answered as one with a space
// before each name, which is read member by member.
func TestShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	var core turn.Core
	answered := 0
	for range 20_000 {
		function, steer := abi.FunctionTurnStart, r.IntN(2) == 0
		if steer {
			function = abi.FunctionTurnSteer
		}
		request := usualRequest(r, steer)
		spaced := strings.NewReplacer(`{"version"`, `{ "version"`, `,"turnId"`, `, "turnId"`, `{"threadId"`, `{ "threadId"`).Replace(request)
		got := string(core.Call(function, []byte(request)))
		want := string(core.Call(function, []byte(spaced)))
		if offsets.ReplaceAllString(got, "") != offsets.ReplaceAllString(want, "") {
			t.Fatalf("%s\n got %s\nwant %s", request, got, want)
		}
		if strings.HasPrefix(got, `{"state"`) {
			answered++
		}
	}
	if answered < 2000 {
		t.Errorf("%d requests were answered", answered)
	}
}

// Items of the user's input, of one form or of many, with others here and there, are answered
// as with an escaped name in each, which is read member by member.
func TestItemsOfInput(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	forms := []string{`{"type":"text","text":"$"}`, `{"type":"image","url":"$"}`, `{"type":"localImage","path":"$"}`,
		`{"text":"$","type":"text"}`, `{"url":"$","type":"image"}`, `{"path":"$","type":"localImage"}`,
		`{"type":"skill","name":"$","path":"$"}`, `{"type":"mention","path":"$","name":"$"}`, `{"name":"$","x":"1","path":"$","type":"mention"}`,
		`{"type":"image","url":"$","detail":"original"}`, `{"detail":"original","url":"$","type":"image"}`, `{"path":"$","detail":"high","type":"localImage"}`,
		`{"type":"text","text":"$","text_elements":[]}`, `{"text_elements":[{"byteRange":{"start":0,"end":17}}],"text":"$","type":"text"}`,
		`{"type":"text","url":"$","text":"$"}`, `{"path":null,"text":"$","type":"text","x":[]}`, `{"detail":null,"url":"$","type":"image"}`, `{"x":-1.5e3,"name":"$","type":"skill","path":"$"}`}
	others := []string{`{"type":"text", "text":"$"}`, `{"type":"image","url":"$","detail":"high"}`, `{"type":"localImage","path":"$","detail":null}`,
		`{"url":"$","text":"$","type":"text"}`, `{"\u0074ype":"\u0074ext","text":"$"}`, `{"type": "image", "url": "$"}`, `{ "type": "localImage", "path": "$" }`, `{ "path" : "$" , "detail" : "original","type":"localImage" }`,
		`{"type":"text","text":"$","text_elements":[{"byteRange":{"start":0,"end":17}},{"byteRange":{"start":1,"end":10}},{"byteRange":{"end":0,"start":0}},{"placeholder":"$","byteRange":{"end":0,"start":2}}]}`,
		`{"type":"text","text":"$","text_elements":[{"byteRange":{"start":0,"end":17},"placeholder":"$"},{"byteRange":{"start":1,"end":10},"placeholder":","},{"byteRange":{"start":1,"end":10},"placeholder":"$","x":"$"}]}`,
		`{"type":"text","text":"$","text_elements":[{"byteRange":{"start":0,"end":1}},{"byteRange":{"start":0,"end":1}},{"byteRange":{"start":0,"end":01}}]}`,
		`{"type":"text","text":"$","text_elements":[{"byteRange":{"start":0,"end":1}},{"byteRange":{"start":0,"end":1}},{"byteRange":{"start":0,"end":2147483648}}]}`,
		`{"type":"text","text":"$","text_elements":[{"byteRange":{"start":0,"end":00},"placeholder":""}]}`, `{"type":"text","text":"$","text_elements":[{"byteRange":{"start":0,"end":1},"placeholder":"\x"}]}`,
		`{"type":"text","text":"$","text_elements":null}`, `{"type":"text","text":"$","text_elements":[{}]}`, `{"type":"text","text":"$","text_elements":[{"byteRange":{"start":0,"end":1}},]}`,
		`{"type":"text","text":"$","x":0,"x":0}`, `{"type":"text","text":"$","x":0,"y":0}`, `{"type":"text","text":"$","text_elementsx":0}`, `{"type":"text","text":"$","url":{},"url":0}`, `{"type":"text","text":null}`,
		`{"type":"text","type":"text","text":"$"}`, `{"type":"texts","text":"$"}`, `{"type":"localImages","path":"$"}`, `{"type":"image","url":"$","detail":"originals"}`, `{"type":"image","url":"$","detail":"\u0068igh"}`,
		`{"type":"text"}`, `{"type":"text","text":"$",}`, `{"type":"image","url":1}`, `{"type":"image","url":"$","detail":"low"}`,
		`{"name":"$","path":"$","name":"$","type":"skill"}`, `{"detail":"$","url":"$","type":"image"}`, `{"url":"$"}`, `{}`, `{"path":"$","type":"skill"}`, `{"type":"$","text":"$"}`}
	texts := []string{``, ``, `a`, `é`, `\n`, `\u0041`, `plain text of more than a few bytes`}
	var core turn.Core
	for range 4_000 {
		var items []string
		strange := len(others) - r.IntN(2)*20
		for range r.IntN(5) {
			form := r.IntN(2*len(forms)) - len(forms)
			for range r.IntN(40) {
				item := forms[max(form, 0)]
				if form < 0 {
					item = forms[r.IntN(len(forms))]
				}
				if r.IntN(60) == 0 {
					item = others[r.IntN(strange)]
				}
				for strings.Contains(item, "$") {
					item = strings.Replace(item, "$", texts[r.IntN(1+r.IntN(len(texts)))], 1)
				}
				items = append(items, item)
			}
		}
		list := strings.Join(items, ",")
		request := `{"turnId":"t","params":{"threadId":"t","input":[` + list + `]}}`
		got := string(core.Call(abi.FunctionTurnStart, []byte(request)))
		want := string(core.Call(abi.FunctionTurnStart, []byte(strings.Replace(request, list, strings.ReplaceAll(list, `{"`, `{"\u007a":0,"`), 1))))
		if offsets.ReplaceAllString(got, "") != offsets.ReplaceAllString(want, "") {
			t.Fatalf("%s\n got %s\nwant %s", request, got, want)
		}
	}
}
