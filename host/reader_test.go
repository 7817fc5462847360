package host

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/random"
)

// A rest is what an answer has behind the state or store.
type rest struct {
	Turn     abi.Turn      `json:"turn"`
	Inputs   []abi.Input   `json:"inputs"`
	Receipts []abi.Receipt `json:"receipts"`
}

// checkReader holds the reader equal to encoding/json, on what an answer has
// behind the state or store, and tells whether the reader could read it.
func checkReader(t testing.TB, text []byte, likely forecast) bool {
	t.Helper()
	var got, want rest
	r := newReader(text)
	if r.skip(`,"turn":`) {
		got.Turn = r.turn()
	}
	r.told(likely, &got.Inputs, &got.Receipts)
	if !r.done() {
		return false
	}
	if !utf8.Valid(text) {
		return true // encoding/json puts U+FFFD for what is no text
	}
	if err := json.Unmarshal(slices.Concat([]byte(`{"state":{}`), text), &want); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("of %s\ngot  %+v\nwant %+v", text, got, want)
	}
	return true
}

// checkStateReader does the same on the beginning of a state.
func checkStateReader(t testing.TB, text []byte) {
	t.Helper()
	got, err := readThreadState("", text)
	want := &threadState{text: text}
	wantErr := want.readAny("")
	if !utf8.Valid(text) {
		return
	}
	if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("of %s\ngot  %+v, %v\nwant %+v, %v", text, got, err, want, wantErr)
	}
	// What is likely may be so, or not.
	for _, likely := range []abi.ActiveTurn{want.turn, {ID: "turn"}, {ID: `a\`}} {
		again := &threadState{text: text}
		if err := again.read("", want.id, likely.ID); (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(again, want) {
			t.Fatalf("of %s, where %q is likely,\ngot  %+v, %v\nwant %+v, %v", text, likely.ID, again, err, want, wantErr)
		}
	}
}

// The reader reads every answer of the module, and nothing else that is not as
// encoding/json has it.
func TestReader(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	r := rand.New(rand.NewPCG(12, 0))
	told, states := 0, 0
	for range 3000 {
		function, request := random.Request(r)
		answer, err := m.Call(t.Context(), function, request)
		if err != nil {
			checkRefused(t, err)
			continue
		}
		state, text, isState := cutMember(answer, `{"state":`)
		if isState {
			states++
			checkStateReader(t, state)
			checkStateReader(t, mutate(r, state))
		} else if _, text, isState = cutMember(answer, `{"store":`); !isState {
			continue // of another function
		}
		if len(text) == 1 {
			continue // of turn_set
		}
		told++
		if !checkReader(t, text, forecast{}) {
			t.Fatalf("it cannot read %s", text)
		}
		for range 20 {
			checkReader(t, mutate(r, text), forecast{inputs: r.IntN(3), receipts: r.IntN(5)})
		}
	}
	if told < 300 || states < 300 {
		t.Errorf("only %d answers have inputs, %d a state", told, states)
	}
}

// mutate returns a text with a few changes.
func mutate(r *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	for range 1 + r.IntN(3) {
		at := r.IntN(len(text))
		switch r.IntN(4) {
		case 0:
			text[at] = "\"\\{}[]:, \n0129eu\x00\xff"[r.IntN(18)]
		case 1:
			text = slices.Delete(text, at, min(len(text), at+1+r.IntN(4)))
		case 2:
			end := min(len(text), at+1+r.IntN(12))
			text = slices.Insert(text, r.IntN(len(text)), text[at:end]...)
		case 3:
			words := []string{`\n`, `\u0001`, `\ud800`, `\u00e9`, `\x`, `null`, `,"more":1`, `-1`, `1.5`, `,"name":"n"`, `truefalse`}
			text = slices.Insert(text, at, []byte(words[r.IntN(len(words))])...)
		}
		if len(text) == 0 {
			break
		}
	}
	return text
}

// readable are texts in the reader's form, with every member and every escape.
var readable = []string{
	`,"inputs":[],"receipts":[]}`,
	`,"turn":{"id":"a\"\\\/\b\f\n\r\t\u0000\u00e9é","steered":true},"inputs":[],"receipts":[]}`,
	`,"inputs":[{"source":"additionalContext","key":"","kind":"untrusted","hidden":true,"item":{"type":"message","role":"user",` +
		`"content":[{"type":"input_text","text":"0123456789\n\nx"}]}},{"source":"user","hidden":false,"item":{"type":"message","role":"user",` +
		`"content":[{"type":"input_text","text":""},{"type":"input_image","image_url":"u","detail":"high"}]},"unresolved":[` +
		`{"at":0,"type":"localImage","path":"p","detail":"high","number":12},{"at":1,"type":"skill","name":"n","path":"p"}]},` +
		`{"source":"other","hidden":true,"item":{"type":"","role":"","content":[]},"unresolved":[]}],"receipts":[` +
		`{"key":"k","kind":"application","change":"added","tokens":7,"truncated":{"originalTokens":10,"removedTokens":0},"warnings":["key_has_gt","b"]},` +
		`{"key":"k","kind":"untrusted","change":"changed","tokens":7,"truncated":{"originalTokens":10,"removedTokens":3,"estimated":true},"warnings":[]},` +
		`{"key":"k","kind":"other","change":"restored","tokens":0,"warnings":[]}]}`,
}

func TestReaderReads(t *testing.T) {
	t.Parallel()
	for _, text := range readable {
		if !checkReader(t, []byte(text), forecast{}) {
			t.Errorf("it cannot read %s", text)
		}
		for end := range text {
			if checkReader(t, []byte(text[:end]), forecast{inputs: 2, receipts: 3}) {
				t.Errorf("it reads %s", text[:end])
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, text := range readable {
		f.Add([]byte(text), []byte(fakeState))
		f.Add([]byte(text), []byte(`{"version":1,"threadId":"a\","activeTurn":{"id":"a\","kind":"regular"},"additionalContext":{}}`))
	}
	f.Fuzz(func(t *testing.T, text, state []byte) {
		checkReader(t, text, forecast{})
		checkStateReader(t, state)
	})
}

// What was read shares memory with nothing of the answer and with nothing that
// is read later, and what is appended to one message does not reach another.
func TestReadIsTheCallers(t *testing.T) {
	t.Parallel()
	many := func(element string, n int) string { return strings.Repeat(element+",", n-1) + element }
	const (
		input   = `{"source":"additionalContext","key":"k","kind":"untrusted","hidden":true,"item":{"type":"message","role":"user","content":[{"type":"input_text","text":"t"}]}}`
		receipt = `{"key":"k","kind":"untrusted","change":"added","tokens":1,"truncated":{"originalTokens":5,"removedTokens":2},"warnings":[]}`
	)
	texts := []string{readable[0], readable[2]}
	for _, n := range []int{1000, 20, 3} {
		texts = append(texts, `,"inputs":[`+many(input, n)+`],"receipts":[`+many(receipt, n)+`]}`)
	}
	responses, wants := make([]abi.MergeResponse, len(texts)), make([]abi.MergeResponse, len(texts))
	for i, text := range texts {
		answer := []byte(`{"store":{}` + text)
		if err := json.Unmarshal(answer, &wants[i]); err != nil {
			t.Fatal(err)
		}
		if err := readMerge(answer, forecast{}, &responses[i]); err != nil {
			t.Fatal(err)
		}
		clear(answer)
	}
	for i, response := range responses {
		for _, input := range response.Inputs {
			_ = append(input.Item.Content, abi.Content{Type: "another"})
		}
		again := []byte(`{"store":{}` + readable[2])
		if err := readMerge(again, forecast{}, new(abi.MergeResponse)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(response, wants[i]) {
			t.Errorf("got  %+v\nwant %+v", response, wants[i])
		}
	}
}

// A store that is kept and what was read of the same answer do not reach each
// other, though they have one piece of memory.
func TestKeepApart(t *testing.T) {
	const store = `{"a":{"value":"v","kind":"untrusted"}}`
	answer := []byte(`{"store":` + store + `,"inputs":[],"receipts":[{"key":"a","kind":"untrusted","change":"unchanged","tokens":0,"warnings":[]}]}`)
	for _, few := range []*fewTold{nil, new(fewTold)} {
		var response abi.MergeResponse
		if err := readMerge(answer, forecast{few: few}, &response); err != nil {
			t.Fatal(err)
		}
		_ = append(response.Store, "overwritten"...)
		if string(response.Store) != store || response.Receipts[0].Key != "a" {
			t.Errorf("the store is %s, the key %q", response.Store, response.Receipts[0].Key)
		}
	}
	if kept, strings := keep(make([]byte, shared), []byte("}")); strings != nil || len(kept) != shared {
		t.Error("a large store shares its memory")
	}
}
