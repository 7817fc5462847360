package store

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/budget"
	"github.com/turncontext/turncontext/plugin/fragment"
	"github.com/turncontext/turncontext/plugin/json"
)

// historyWords are what keys and texts of the tests are made of.
var historyWords = []string{"a", "b", "1", "", "long key ", "é", "日", `\n`, `\u0001`, `\u001f`, `\t`, `\"`, `\u0061`, `\\`, ">", "<", "/", "</external_a>", "external_", "&amp;", "&", " ", `\r`, "&quot;", "&#9;", "&#1;", "&lt", "!", "\x7f"}

// historyWord returns some of them, more often those that come first.
func historyWord(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(historyWords[r.IntN([]int{4, 7, len(historyWords)}[r.IntN(3)])])
	}
	return b.String()
}

// escapedKey writes a key as the attribute wrapper does.
var escapedKey = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `\"`, "&quot;", `\t`, "&#9;", `\n`, "&#10;", `\r`, "&#13;", `\\`, `\\`)

// historyText returns the text of a message: most often nearly what an entry renders to.
func historyText(r *rand.Rand, key, value string) string {
	switch r.IntN(12) {
	case 0, 1:
		return historyWord(r)
	case 2, 3:
		value = historyWord(r)
	}
	tags := [][2]string{{"<external_%s>", "</external_%s>"}, {"<%s>", "</%s>"},
		{`<external_context source=\"%s\">`, "</external_context>"}, {`<application_context source=\"%s\">`, "</application_context>"}}[r.IntN(4)]
	shut := tags[1]
	if strings.Contains(tags[0], "source") && r.IntN(4) > 0 {
		key = escapedKey.Replace(key)
	}
	if strings.Contains(shut, "%") {
		shut = fmt.Sprintf(shut, key)
	}
	text := fmt.Sprintf(tags[0], key) + value + shut
	switch r.IntN(10) {
	case 0:
		text = historyWord(r) + text
	case 1:
		text += historyWord(r)
	case 5, 6:
		spaces := []string{"", " ", "  ", `\n`, `\t `, `\r`, "\u3000", `\f`}
		text = spaces[r.IntN(len(spaces))] + text + spaces[r.IntN(len(spaces))]
	case 2:
		text = strings.Replace(text, "e", `\u0065`, 1)
	case 3, 4:
		if i := 1 + r.IntN(len(text)-1); text[i] != '\\' && text[i-1] != '\\' {
			text = text[:i] + []string{"", "x"}[r.IntN(2)] + text[i+1:]
		}
	}
	return text
}

// historyItem returns an item of a history, most often a message.
func historyItem(r *rand.Rand, key, value string) string {
	if r.IntN(12) == 0 {
		return []string{`{}`, `{"type":"reasoning"}`, `{"content":"a"}`, `{"role":"user"}`, `{"role":"user","content":null}`, `0`}[r.IntN(6)]
	}
	part := func() string {
		kind := []string{"input_text", "input_text", "output_text", "x"}[r.IntN(4)]
		return `{"type":"` + kind + `","text":"` + historyText(r, key, value) + `"}`
	}
	content := `"` + historyText(r, key, value) + `"`
	switch r.IntN(8) {
	case 0, 1, 2:
		content = "[" + part() + "]"
	case 3:
		content = "[" + part() + "," + part() + "]"
	case 4:
		content = "[]"
	}
	members := []string{`"role":"` + []string{"user", "user", "developer", "assistant", "é", `\u0075ser`}[r.IntN(6)] + `"`, `"content":` + content}
	if r.IntN(2) == 0 {
		members = slices.Insert(members, 0, `"type":"`+[]string{"message", "message", "message", "Message"}[r.IntN(4)]+`"`)
	}
	if r.IntN(3) == 0 {
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	switch r.IntN(30) {
	case 0:
		members = append(members, members[0])
	case 1:
		members = append(members, `"x":1`)
	}
	item := "{" + strings.Join(members, ",") + "}"
	switch r.IntN(20) {
	case 0:
		item = strings.TrimSuffix(item, "}") + []string{`,}`, `]`, ` }`, ""}[r.IntN(4)]
	case 1, 2, 3:
		for _, token := range []string{"{", "}", "[", "]", ":", ","} {
			item = strings.ReplaceAll(item, token, []string{token, token + " ", " " + token, "\n" + token + "\t"}[r.IntN(4)])
		}
	}
	return item
}

// What kernels do of a history comes to the same as what is done without them.
func TestHistoryKernels(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are kernels as WebAssembly only (make test-guest)")
	}
	defer func() { usesKernels = true }()
	r := rand.New(rand.NewPCG(15, 16))
	n := 60_000
	if testing.Short() {
		n = 15_000
	}
	read, hidden, inForce := 0, 0, 0
	for range n {
		var entries, items, keys, values []string
		for range r.IntN(10) {
			key, value := historyWord(r), historyWord(r)
			if slices.Contains(keys, key) {
				continue
			}
			keys, values = append(keys, key), append(values, value)
			entries = append(entries, fmt.Sprintf(`"%s":{"value":"%s","kind":"%s"}`, key, value, fragment.KindNames[r.IntN(2)]))
		}
		most := 6
		if r.IntN(500) == 0 {
			most = 400 // more than there is room for at first
		}
		for range r.IntN(most) {
			key, value := historyWord(r), historyWord(r)
			if len(keys) > 0 && r.IntN(4) > 0 {
				i := r.IntN(len(keys))
				key, value = keys[i], values[i]
			}
			items = append(items, historyItem(r, key, value))
		}
		if r.IntN(40) == 0 {
			items = slices.Repeat(items, 20) // for more there is no room at first
		}
		store := `{` + strings.Join(entries, ",") + `}`
		history := `[` + strings.Join(items, []string{",", ",", ", "}[r.IntN(3)]) + `]`
		var p Policy
		p.Reset()
		if r.IntN(4) == 0 {
			p.Wrapper = fragment.Attribute
		}
		if r.IntN(4) == 0 {
			p.Limit = budget.Limit{Tokens: r.IntN(8), Strict: r.IntN(2) == 0}
		}
		p.Strip = r.IntN(4) == 0
		p.Settle()
		room := r.IntN(1000)
		usesKernels = true
		got := tellHistory(store, history, p, room)
		usesKernels = false
		if want := tellHistory(store, history, p, room); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s and %s with %+v\n got %+v\nwant %+v", store, history, p, got, want)
		}
		if got.read {
			read++
			hidden += strings.Count(got.classified, `"hidden":true`)
			inForce += strings.Count(got.reconciled, `"unchanged"`)
		}
	}
	if read < n/2 || hidden < n/12 || inForce < n/80 {
		t.Errorf("of %d requests %d were good, %d items hidden, %d entries in force", n, read, hidden, inForce)
	}
}

// Kernels look at each byte of an item and of its tags.
func TestHistoryKernelsToTheByte(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are kernels as WebAssembly only (make test-guest)")
	}
	defer func() { usesKernels = true }()
	const store = `{"key":{"value":"value","kind":"untrusted"},"kez":{"value":"value","kind":"application"}}`
	for _, text := range []string{
		"<external_key>value</external_key>", "<kez>value</kez>",
		`<external_context source=\"key\">value</external_context>`, `<application_context source=\"kez\">value</application_context>`,
	} {
		role := abi.UserRole
		if strings.Contains(text, "kez") {
			role = abi.DeveloperRole
		}
		for _, item := range []string{
			`{"type":"message","role":"` + role + `","content":[{"type":"input_text","text":"` + text + `"}]}`,
			`{"content":[{"type":"output_text","text":"` + text + `"}],"role":"` + role + `"}`,
			`{"role":"` + role + `","content":"` + text + `"}`,
		} {
			for i := range item {
				for _, other := range []string{"x", "", " ", `\n`, ">", item[i : i+1], item[i:i+1] + "\x01", "\x01" + item[i:i+1]} {
					history := `[` + item + `,` + item[:i] + other + item[i+1:] + `]`
					for wrapper := range fragment.Wrapper(2) {
						var p Policy
						p.Reset()
						p.Wrapper = wrapper
						p.Settle()
						usesKernels = true
						got := tellHistory(store, history, p, 0)
						usesKernels = false
						if want := tellHistory(store, history, p, 0); !reflect.DeepEqual(got, want) {
							t.Fatalf("%s with %+v\n got %+v\nwant %+v", history, p, got, want)
						}
					}
				}
			}
		}
	}
}

// Kernels find the entry of a key that is escaped, and no other.
func TestHistoryKernelsOfEscapedKeys(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are kernels as WebAssembly only (make test-guest)")
	}
	defer func() { usesKernels = true }()
	r := rand.New(rand.NewPCG(21, 22))
	pieces := []string{"a", "&", "<", ">", `\"`, `\t`, `\n`, `\r`, `\\`, `\b`, `\u0001`, "é", "amp;", "#9;", "long words "}
	entities := []string{"&amp;", "&lt;", "&gt;", "&quot;", "&#9;", "&#10;", "&#13;", "&#1;", "&am;", "&quo;", "&#x9;"}
	word := func() string {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	inForce := 0
	const n = 10_000
	for range n {
		keys := []string{word(), word(), strings.Repeat("long", r.IntN(300)) + word()}
		var entries, items []string
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			kind := r.IntN(2)
			entries = append(entries, fmt.Sprintf(`"%s":{"value":"","kind":"%s"}`, key, fragment.KindNames[kind]))
			source := escapedKey.Replace(key)
			switch at := strings.LastIndexAny(source, `&\`); {
			case r.IntN(4) > 0:
			case r.IntN(2) == 0:
				source = key
			case at >= 0:
				source = source[:at] + entities[r.IntN(len(entities))]
			}
			tag := []string{"external_context", "application_context"}[kind]
			items = append(items, fmt.Sprintf(`{"role":"%s","content":"<%s source=\"%s\"></%[2]s>"}`, fragment.Roles[kind], tag, source))
		}
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		store, history := "{"+strings.Join(entries, ",")+"}", "["+strings.Join(items, ",")+"]"
		var p Policy
		p.Reset()
		p.Wrapper = fragment.Attribute
		p.Settle()
		usesKernels = true
		got := tellHistory(store, history, p, 0)
		usesKernels = false
		if want := tellHistory(store, history, p, 0); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s and %s\n got %+v\nwant %+v", store, history, got, want)
		}
		inForce += strings.Count(got.reconciled, `"unchanged"`)
	}
	if inForce < n {
		t.Errorf("only %d entries are in force", inForce)
	}
}

// Kernels find the one key in whose tags a text stands among keys that go on behind a ">", and
// tell where there may be more.
func TestHistoryKernelsOfNestedKeys(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are kernels as WebAssembly only (make test-guest)")
	}
	defer func() { usesKernels = true }()
	r := rand.New(rand.NewPCG(23, 24))
	pieces := []string{"a", "b", ">", "a>", "</", "</external_", "></external_a", "></a", `\n`}
	word := func() string {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	inForce := 0
	const n = 10_000
	for range n {
		keys := []string{word(), word()}
		for range 1 + r.IntN(3) {
			keys = append(keys, keys[r.IntN(2)]+[]string{">", ">a", "></external_" + keys[0], "></" + keys[0]}[r.IntN(4)])
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
		var entries, items []string
		kind := r.IntN(2)
		for _, key := range keys {
			entries = append(entries, fmt.Sprintf(`"%s":{"value":"%s","kind":"%s"}`, key, pieces[r.IntN(2)], fragment.KindNames[kind]))
		}
		keys = append(keys, word(), keys[0]+">b") // of which there are no entries
		for range 1 + r.IntN(4) {
			opening, closing := keys[r.IntN(len(keys))], keys[r.IntN(len(keys))]
			if r.IntN(4) > 0 {
				closing = opening
			}
			tag := []string{"external_", ""}[kind]
			items = append(items, fmt.Sprintf(`{"role":"%s","content":"<%[2]s%s>%s</%[2]s%[5]s>"}`, fragment.Roles[kind], tag, opening, pieces[r.IntN(2+r.IntN(2))], closing))
		}
		store, history := "{"+strings.Join(entries, ",")+"}", "["+strings.Join(items, ",")+"]"
		var p Policy
		p.Reset()
		p.Settle()
		usesKernels = true
		got := tellHistory(store, history, p, 0)
		usesKernels = false
		if want := tellHistory(store, history, p, 0); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s and %s\n got %+v\nwant %+v", store, history, got, want)
		}
		inForce += strings.Count(got.reconciled, `"unchanged"`)
	}
	if inForce < n/4 {
		t.Errorf("only %d entries are in force", inForce)
	}
}

// Kernels find a text that is what an entry renders to, by any policy, and hardly another.
func TestHistoryKernelsOfRendered(t *testing.T) {
	if !hasRuns {
		t.Skip("not run: there are kernels as WebAssembly only (make test-guest)")
	}
	defer func() { usesKernels = true }()
	r := rand.New(rand.NewPCG(17, 18))
	letters := []string{"a", "b", "1", "é", "日", "🙂", `\n`, `\t`, `\u0001`, `\\`, `\"`, "…", " ", "<", ">", "&", "&amp;", "\u007f", "\u0085", "\u00a0", "\u202a", "\u2066", "\u2065", `\r`, "plain text"}
	inForce := 0
	const n = 20_000
	for range n {
		var value strings.Builder
		letters := letters[:1+r.IntN(len(letters))]
		for range r.IntN(60) {
			value.WriteString(letters[r.IntN(len(letters))])
		}
		switch r.IntN(16) {
		case 0, 1:
			value.WriteString("…1 tokens truncated…")
		case 2:
			value.WriteString("a" + strings.Repeat("🙂", r.IntN(60)) + "b") // a cut loses most where there are six bytes less
		}
		kind := r.IntN(2)
		key := "k" + []string{"", "", "é", "&", "<k", `\"`, `\n`, `\\`}[r.IntN(8)]
		store := fmt.Sprintf(`{"%s":{"value":"%s","kind":"%s"},"l":{"value":"","kind":"untrusted"}}`, key, value.String(), fragment.KindNames[kind])
		var p Policy
		p.Reset()
		p.Limit = budget.Limit{Tokens: r.IntN(24), Truncation: budget.Truncation(r.IntN(3)), Strict: r.IntN(3) == 0}
		if p.Strip = r.IntN(3) == 0; r.IntN(3) == 0 {
			p.Wrapper = fragment.Attribute
		}
		if r.IntN(4) == 0 {
			policy := KeyPolicy{HasTokens: r.IntN(2) == 0, Tokens: int32(r.IntN(24)), HasTruncation: r.IntN(2) == 0, Truncation: budget.Truncation(r.IntN(3))}
			policy.Key = json.String{Start: int32(len(`[{"`)), End: int32(len(`[{"`) + len(key)), Len: int32(len(key))}
			if strings.Contains(key, `\`) {
				policy.Key.Len, policy.Key.Form = policy.Key.Len-1, json.Canonical
			}
			p.Keys = append(p.Keys, policy)
		}
		p.Settle()
		usesKernels = false
		_, text, _ := strings.Cut(tellHistory(store, `[]`, p, 0).reconciled, `"input_text","text":"`)
		text, _, _ = strings.Cut(text, `"}]}}`)
		switch i := r.IntN(len(text)); r.IntN(8) {
		case 0:
			text = text[:i] + text[i+1:]
		case 1:
			text = text[:i] + "1" + text[i:]
		case 2:
			text = text[:i] + letters[r.IntN(len(letters))] + text[i+1:]
		}
		history := fmt.Sprintf(`[{"role":"%s","content":"%s"}]`, fragment.Roles[kind], text)
		want := tellHistory(store, history, p, 0)
		usesKernels = true
		if got := tellHistory(store, history, p, 0); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s and %s with %+v\n got %+v\nwant %+v", store, history, p, got, want)
		}
		inForce += strings.Count(want.reconciled, `"unchanged"`)
	}
	if inForce < n/2 || inForce == n {
		t.Errorf("of %d entries %d are in force", n, inForce)
	}
}

// toldHistory is what becomes of a history.
type toldHistory struct {
	read                   bool
	items                  []item
	parts                  []json.String
	n                      int
	classified, reconciled string
	most                   int
}

// tellHistory classifies and reconciles; the first answer has that much room.
func tellHistory(store, history string, p Policy, room int) toldHistory {
	m, h := Merge{Policy: &p}, History{}
	m.Old.entries = make([]Entry, 0, 1) // behind an empty store there is an entry, of an empty key
	request := `[` + store + `,` + history + `]`
	readAll := func() (text []byte, read bool) {
		m.Reset()
		text = append([]byte(request), make([]byte, json.Pad)...)
		var r json.Reader
		r.Reset(text, len(request))
		r.Array()
		r.Item()
		m.Old.Read(&r, &m.New)
		r.Item()
		h.Read(&r)
		r.Item()
		syntax, violation := r.Finish(false)
		return text, syntax == nil && violation == nil
	}
	text, read := readAll()
	if !read {
		return toldHistory{}
	}
	told := toldHistory{read: true, items: append([]item{}, h.items...), parts: append([]json.String{}, h.parts...), n: h.n}
	var w json.Writer
	w.Reset(room)
	w.Text(`{"items":`)
	m.Classify(&w, text, &h)
	told.classified = string(w.Bytes())

	text, _ = readAll()
	m.Reconcile(text, &h)
	w.Reset(0)
	w.Text(`{`)
	m.WriteTold(&w)
	told.reconciled, told.most = string(w.Bytes()), m.maxBytes()
	return told
}
