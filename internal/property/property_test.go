package property

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/internal/model"
	"github.com/turncontext/turncontext/internal/random"
)

// nothing leaves a field out of a random policy.
const nothing = ""

// policy returns a random policy that lets context pass, and reads it.
func policy(r *rand.Rand, set map[string]string) (json.RawMessage, model.Policy) {
	set["experimentalApi"] = nothing
	text := random.Policy(r, set)
	p, err := model.ParsePolicy(text)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	return text, p
}

// sent returns a store, and a map that goes with the policy.
func sent(r *rand.Rand, p model.Policy) (store, sent random.Map) {
	store, sent = random.Maps(r)
	if p.Updates == "patch" {
		sent = random.Patch(r, store)
	}
	return store, sent
}

func TestModel(t *testing.T)     { hold(t, likeModel) }
func FuzzLikeModel(f *testing.F) { fuzz(f, likeModel) }

// Any function answers what the model answers.
func likeModel(r *rand.Rand, call ask) error {
	function, request := random.Request(r)
	return sameAsModel(call, function, request)
}

func sameAsModel(call ask, function string, request []byte) error {
	got := call(function, request)
	want, err := model.Call(function, request)
	if err != nil {
		return fmt.Errorf("%s %q: %w; answered %s", function, request, err, got)
	}
	if want == nil && !bytes.HasPrefix(got, []byte(`{"error":`)) {
		return nil // the text of guidance
	}
	if !model.Same(want, got) {
		return fmt.Errorf("%s %q:\n got %s\nwant %s", function, request, got, want)
	}
	return nil
}

// What is JSON, any function answers as the model does.
func FuzzRequest(f *testing.F) {
	call := core()
	r := rand.New(rand.NewPCG(1, 1))
	functions := abi.Functions()
	for range 64 {
		function, request := random.Request(r)
		f.Add(uint8(slices.Index(functions, function)), request)
	}
	f.Fuzz(func(t *testing.T, index uint8, request []byte) {
		function := functions[int(index)%len(functions)]
		if function == abi.FunctionDescribe || bytes.HasPrefix(call(function, request), []byte(`{"error":{"kind":"invalid_json"`)) {
			return
		}
		if err := sameAsModel(call, function, request); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSameMap(t *testing.T) { hold(t, sameMap) }
func FuzzSameMap(f *testing.F) { fuzz(f, sameMap) }

// A merge of the same map injects nothing, and leaves the store as it is. (What
// a total budget dropped is offered again.)
func sameMap(r *rand.Rand, call ask) error {
	text, p := policy(r, map[string]string{"maxTotalTokens": nothing})
	before, now := sent(r, p)
	first, err := say(call, abi.FunctionMerge, members{"store": before, "additionalContext": now, "policy": text})
	if err != nil {
		return err
	}
	second, err := say(call, abi.FunctionMerge, members{"store": first.Store, "additionalContext": now, "policy": text})
	if err != nil {
		return err
	}
	if len(second.Inputs) > 0 || !bytes.Equal(first.Store, second.Store) {
		return fmt.Errorf("policy %s: of %s, and then once more, it makes %s and injects %d", text, encode(now), second.Store, len(second.Inputs))
	}
	for _, receipt := range second.Receipts {
		if receipt.Change != abi.Unchanged {
			return fmt.Errorf("policy %s: %s, sent again, is %s", text, encode(now), receipt.Change)
		}
	}
	return nil
}

func TestReplay(t *testing.T) { hold(t, replay) }
func FuzzReplay(f *testing.F) { fuzz(f, replay) }

// step is a call of a session: its request, but for the state, and the state
// that it found.
type step struct {
	function string
	request  members
	found    json.RawMessage
	answer   []byte
}

// A session that is played again from any of its saved states, in whatever words
// a database keeps them, gives the same answers.
func replay(r *rand.Rand, call ask) error {
	var session []step
	var state json.RawMessage
	var store random.Map
	for range 2 + r.IntN(5) {
		s := step{found: state}
		s.function, s.request, store = nextStep(r, state, store)
		s.answer = call(s.function, s.with(s.found))
		var a answer
		if err := json.Unmarshal(s.answer, &a); err != nil {
			return err
		}
		session = append(session, s)
		if a.Error == nil {
			state = a.State
		}
	}
	for _, i := range r.Perm(len(session)) {
		s := session[i]
		request := s.with(reword(s.found))
		if again := call(s.function, request); !bytes.Equal(again, s.answer) {
			return fmt.Errorf("%s %s:\nfirst %s\n then %s", s.function, request, s.answer, again)
		}
	}
	return nil
}

// with returns the request with a state.
func (s step) with(state json.RawMessage) []byte {
	request := members{"state": nil}
	if state != nil {
		request["state"] = state
	}
	for name, value := range s.request {
		request[name] = value
	}
	return request.text()
}

// nextStep returns a request to a function for a thread in that state, and the
// map that was sent last.
func nextStep(r *rand.Rand, state json.RawMessage, last random.Map) (string, members, random.Map) {
	text, _ := policy(r, map[string]string{"updates": nothing})
	now := random.Next(r, last)
	params := members{"threadId": "t", "additionalContext": now, "input": []members{{"type": "text", "text": "x"}}}
	kind := r.IntN(6)
	switch {
	case state != nil && kind == 0:
		return abi.FunctionTurnSet, members{"activeTurn": nullOrTurn(r)}, last
	case state != nil && kind == 1:
		return abi.FunctionReconcile, members{"history": []any{}, "policy": text}, last
	case state != nil && kind < 4:
		params["expectedTurnId"] = "1"
		return abi.FunctionTurnSteer, members{"params": params, "policy": text}, now
	}
	return abi.FunctionTurnStart, members{"turnId": "1", "params": params, "policy": text}, now
}

func nullOrTurn(r *rand.Rand) json.RawMessage {
	if r.IntN(2) == 0 {
		return json.RawMessage(`null`)
	}
	return json.RawMessage(`{"kind":"regular","id":"1"}`)
}

// reword writes JSON anew, with other escapes and in another order.
func reword(text json.RawMessage) json.RawMessage {
	if text == nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		panic(err)
	}
	return encode(v)
}

func TestPatch(t *testing.T) { hold(t, patch) }
func FuzzPatch(f *testing.F) { fuzz(f, patch) }

// A patch is answered as is the whole map that JSON Merge Patch makes of it.
func patch(r *rand.Rand, call ask) error {
	seed := r.Uint64()
	with := func(updates string) json.RawMessage { // else the same policy
		text, _ := policy(rand.New(rand.NewPCG(seed, 1)), map[string]string{"updates": updates})
		return text
	}
	before, _ := random.Maps(r)
	change := random.Patch(r, before)
	whole := mergePatch(value(encode(before)), value(encode(change)))
	patched := members{"store": before, "additionalContext": change, "policy": with(`"patch"`)}.text()
	replaced := members{"store": before, "additionalContext": whole, "policy": with(`"replace"`)}.text()
	got, want := call(abi.FunctionMerge, patched), call(abi.FunctionMerge, replaced)
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%s:\nanswered %s\nbut %s:\nanswered %s", patched, got, replaced, want)
	}
	if bytes.HasPrefix(got, []byte(`{"error":`)) {
		return fmt.Errorf("%s: answered %s", patched, got)
	}
	return nil
}

func value(text []byte) any {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		panic(err)
	}
	return v
}

// mergePatch is RFC 7396, section 2.
func mergePatch(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	members, ok := target.(map[string]any)
	if !ok {
		members = map[string]any{}
	}
	for name, change := range changes {
		if change == nil {
			delete(members, name)
			continue
		}
		members[name] = mergePatch(members[name], change)
	}
	return members
}

func TestStrictBudget(t *testing.T) { hold(t, strictBudget) }
func FuzzStrictBudget(f *testing.F) { fuzz(f, strictBudget) }

// Under strictBudget no value has more tokens than its budget, by the policy's
// own tokenizer, and a receipt counts the text that was injected.
func strictBudget(r *rand.Rand, call ask) error {
	text, p := policy(r, map[string]string{"strictBudget": "true", "maxTotalTokens": nothing, "updates": nothing})
	now := random.Next(r, nil)
	told, err := say(call, abi.FunctionMerge, members{"additionalContext": now, "policy": text})
	if err != nil {
		return err
	}
	for i, in := range told.Inputs {
		budget := p.MaxValueTokens
		if own := p.Keys[*in.Key].MaxValueTokens; own != nil {
			budget = *own
		}
		value, ok := unwrap(in, p.Wrapper)
		if !ok || tokens(value) > budget {
			return fmt.Errorf("policy %s: %s: of %d tokens, %q", text, encode(now), budget, in.text())
		}
		if receipt := told.Receipts[i]; receipt.Key != *in.Key || receipt.Tokens != tokens(in.text()) {
			return fmt.Errorf("policy %s: %q: the receipt is %+v", text, in.text(), receipt)
		}
	}
	return nil
}

// tokens counts as the tokenizer approx does.
func tokens(text string) int { return (len(text) + 3) / 4 }

// unwrap returns what stands between the tags.
func unwrap(in input, wrapper string) (value string, ok bool) {
	opening, closing := "<"+*in.Key+">", "</"+*in.Key+">"
	if in.Kind == abi.Untrusted {
		opening, closing = "<external_"+*in.Key+">", "</external_"+*in.Key+">"
	}
	if wrapper == "attribute" {
		before, _, found := strings.Cut(in.text(), `">`)
		name, _, hasName := strings.Cut(before, " ")
		if !found || !hasName {
			return "", false
		}
		opening, closing = before+`">`, "</"+name[1:]+">"
	}
	value, begins := strings.CutPrefix(in.text(), opening)
	value, ends := strings.CutSuffix(value, closing)
	return value, begins && ends
}

func TestTotalBudget(t *testing.T) { hold(t, totalBudget) }
func FuzzTotalBudget(f *testing.F) { fuzz(f, totalBudget) }

// A total budget is never exceeded, and no key is lost without a receipt: what
// was dropped is as it was, everything else as it was sent.
func totalBudget(r *rand.Rand, call ask) error {
	budget := r.IntN(100)
	text, p := policy(r, map[string]string{"maxTotalTokens": fmt.Sprint(budget)})
	before, now := sent(r, p)
	told, err := say(call, abi.FunctionMerge, members{"store": before, "additionalContext": now, "policy": text})
	if err != nil {
		return err
	}
	wrong := func(what string) error {
		return fmt.Errorf("%s: policy %s, store %s, sent %s: receipts %s, store %s", what, text, encode(before), encode(now), encode(told.Receipts), told.Store)
	}
	injected := map[string]int{}
	total := 0
	for _, in := range told.Inputs {
		injected[*in.Key] += tokens(in.text())
		total += tokens(in.text())
	}
	if total > budget {
		return wrong(fmt.Sprintf("%d tokens", total))
	}
	after := model.Update(before, now, p)
	var store random.Map
	if err := json.Unmarshal(told.Store, &store); err != nil {
		return err
	}
	var keys []string
	for _, receipt := range told.Receipts {
		key := receipt.Key
		keys = append(keys, key)
		if receipt.Tokens != injected[key] {
			return wrong(fmt.Sprintf("%q: injected %d tokens", key, injected[key]))
		}
		last := after
		if receipt.Change == abi.Dropped {
			last = before
		}
		kept, isKept := store[key]
		entry, stands := last[key]
		if kept != entry || isKept != stands {
			return wrong(fmt.Sprintf("%q", key))
		}
	}
	for key := range before {
		after[key] = abi.Entry{}
	}
	if len(keys) != len(after) || !slices.IsSorted(keys) || len(slices.Compact(keys)) != len(after) {
		return wrong("not one receipt a key, in order")
	}
	return nil
}

func TestRecognises(t *testing.T) { hold(t, recognises) }
func FuzzRecognises(f *testing.F) { fuzz(f, recognises) }

// classify recognises whatever the attribute wrapper renders, without a store.
func recognises(r *rand.Rand, call ask) error {
	text, p := policy(r, map[string]string{"wrapper": `"attribute"`})
	before, now := sent(r, p)
	told, err := say(call, abi.FunctionMerge, members{"store": before, "additionalContext": now, "policy": text})
	if err != nil {
		return err
	}
	items := []json.RawMessage{}
	for _, in := range told.Inputs {
		items = append(items, in.Item)
	}
	found, err := say(call, abi.FunctionClassify, members{"items": items, "policy": text})
	if err != nil {
		return err
	}
	if len(found.Items) != len(items) {
		return fmt.Errorf("%d of %d items", len(found.Items), len(items))
	}
	for i, item := range found.Items {
		in := told.Inputs[i]
		if !item.Hidden || item.Key == nil || *item.Key != *in.Key || item.Kind != in.Kind {
			return fmt.Errorf("%s is %s", in.Item, encode(item))
		}
	}
	return nil
}

func TestTyped(t *testing.T) { hold(t, typed) }
func FuzzTyped(f *testing.F) { fuzz(f, typed) }

// Of what a user typed, classify hides what is a whole fragment and nothing
// else: a fragment of the attribute wrapper is what merge makes of some entry,
// one of the reference wrapper has its two tags.
func typed(r *rand.Rand, call ask) error {
	text := random.Text(r)
	items := []members{{"role": "user", "content": text}}
	found, err := say(call, abi.FunctionClassify, members{"items": items, "policy": members{"wrapper": "attribute"}})
	if err != nil {
		return err
	}
	key, whole := wholeReference(trim(text))
	if !whole {
		if key, whole, err = wholeElement(trim(text), call); err != nil {
			return err
		}
	}
	item := found.Items[0]
	if item.Hidden != whole || whole && (*item.Key != key || item.Kind != abi.Untrusted) {
		return fmt.Errorf("%q is %s; a whole fragment: %t, key %q", text, encode(item), whole, key)
	}
	return nil
}

func trim(text string) string { return strings.TrimFunc(text, unicode.IsSpace) }

// wholeReference reports whether a text has the two tags of a key.
func wholeReference(text string) (key string, whole bool) {
	if !strings.HasPrefix(text, "<external_") {
		return "", false
	}
	end := strings.Index(text, ">")
	if end < 0 {
		return "", false
	}
	key = text[len("<external_"):end]
	return key, strings.HasSuffix(text, "</external_"+key+">")
}

// wholeElement reports whether merge makes the text of some entry.
func wholeElement(text string, call ask) (key string, whole bool, err error) {
	text, isElement := strings.CutPrefix(text, `<external_context source="`)
	source, text, closed := strings.Cut(text, `">`)
	content, ends := strings.CutSuffix(text, `</external_context>`)
	if !isElement || !closed || !ends {
		return "", false, nil
	}
	key = html.UnescapeString(source)
	entry := abi.Entry{Value: html.UnescapeString(content), Kind: abi.Untrusted}
	told, err := say(call, abi.FunctionMerge, members{
		"additionalContext": random.Map{key: entry},
		"policy":            members{"wrapper": "attribute", "maxValueTokens": 1 << 30},
	})
	if err != nil {
		return "", false, err
	}
	return key, told.Inputs[0].text() == `<external_context source="`+source+`">`+content+`</external_context>`, nil
}

func TestReconcile(t *testing.T) { hold(t, reconcile) }
func FuzzReconcile(f *testing.F) { fuzz(f, reconcile) }

// Without a total budget, reconcile leaves each stored entry in force whatever
// was deleted from the history, restores none that was, and has nothing to do
// when it is asked again.
func reconcile(r *rand.Rand, call ask) error {
	text, p := policy(r, map[string]string{"maxTotalTokens": nothing, "updates": nothing})
	history, store, err := session(r, call, text)
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(history), func(input) bool { return r.IntN(3) == 0 })
	first, err := say(call, abi.FunctionReconcile, members{"store": store, "history": items(left), "policy": text})
	if err != nil {
		return err
	}
	wrong := func(what string) error {
		return fmt.Errorf("%s: policy %s, store %s, history %s: receipts %s", what, text, store, encode(items(left)), encode(first.Receipts))
	}
	if !bytes.Equal(first.Store, store) {
		return wrong("another store")
	}
	for _, receipt := range first.Receipts {
		if !distinct(receipt.Key, history, p) {
			continue
		}
		want := abi.Restored
		if final, ok := lastOf(history, receipt.Key); ok {
			if last, ok := lastOf(left, receipt.Key); ok && bytes.Equal(final, last) {
				want = abi.Unchanged
			}
		}
		if receipt.Change != want {
			return wrong(fmt.Sprintf("%q should be %s", receipt.Key, want))
		}
	}
	left = append(left, first.Inputs...)
	second, err := say(call, abi.FunctionReconcile, members{"store": first.Store, "history": items(left), "policy": text})
	if err != nil {
		return err
	}
	for _, receipt := range second.Receipts {
		if receipt.Change != abi.Unchanged {
			return wrong(fmt.Sprintf("%q is %s when asked again", receipt.Key, receipt.Change))
		}
	}
	if len(second.Inputs) > 0 || !bytes.Equal(second.Store, store) {
		return wrong("something is told again")
	}
	return nil
}

// session returns what a model was told in a few merges under a policy, the
// user's words between it, and the store that they left.
func session(r *rand.Rand, call ask, policy json.RawMessage) (history []input, store json.RawMessage, err error) {
	store = json.RawMessage(`{}`)
	next := random.Next
	if r.IntN(2) == 0 {
		next = random.NextNested
	}
	var now random.Map
	for range 1 + r.IntN(4) {
		now = next(r, now)
		told, err := say(call, abi.FunctionMerge, members{"store": store, "additionalContext": now, "policy": policy})
		if err != nil {
			return nil, nil, err
		}
		history = append(history, told.Inputs...)
		history = append(history, input{Item: json.RawMessage(`{"role":"user","content":"so <external_a></external_a> says"}`)})
		store = told.Store
	}
	return history, store, nil
}

func items(history []input) []json.RawMessage {
	items := []json.RawMessage{}
	for _, in := range history {
		items = append(items, in.Item)
	}
	return items
}

// lastOf returns the last item that told of a key.
func lastOf(history []input, key string) (item json.RawMessage, ok bool) {
	for _, in := range history {
		if in.Key != nil && *in.Key == key {
			item, ok = in.Item, true
		}
	}
	return item, ok
}

// distinct reports whether no text of another key in the history can stand
// between a key's tags: the reference wrapper escapes none of them.
func distinct(key string, history []input, p model.Policy) bool {
	if p.Wrapper == "attribute" {
		return true
	}
	return !strings.Contains(key, ">") && !slices.ContainsFunc(history, func(in input) bool {
		return in.Key != nil && strings.HasPrefix(*in.Key, key+">")
	})
}
