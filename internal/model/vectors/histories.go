package main

import (
	"github.com/turncontext/turncontext/abi"
)

func reconciles() file {
	const none, attribute = `{}`, `{"wrapper":"attribute"}`
	two := object(u("ci", "green"), a("rules", "be brief"))
	ci, rules := user("<external_ci>green</external_ci>"), developer("<rules>be brief</rules>")
	stale := user("<external_ci>red</external_ci>")
	asked := user("what now?")
	answered := `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"<external_ci>green</external_ci>"}]}`
	saved := func(history ...string) call {
		return call{abi.FunctionReconcile, `{"state":{"version":1,"threadId":"t","activeTurn":{"id":"1","kind":"regular"},"additionalContext":` + two + `,"x":1},"history":` + array(history...) + `}`}
	}
	return file{"calls-reconcile.json", "What reconcile tells again: after compaction, rollback, resume and fork, and of histories that look like it.", []vector{
		of("compaction kept the context", reconcile(none, two, ci, rules, asked)),
		of("compaction dropped it", reconcile(none, two, asked), reconcile(none, two)),
		of("compaction dropped one of two", reconcile(none, two, rules, asked), reconcile(none, two, asked, ci)),
		of("compaction summarised it", reconcile(none, two, user("Summary: <external_ci>green</external_ci> and <rules>be brief</rules> were told.")),
			reconcile(none, two, developer("<rules>be brief</rules> <external_ci>green</external_ci>"))),
		of("rollback to a turn before the entry changed", reconcile(none, two, stale, rules, asked)),
		of("rollback to a turn before anything was told", reconcile(none, two, asked)),
		of("rollback of the store as well: an entry that is no more stored is not looked at", reconcile(none, object(a("rules", "be brief")), ci, rules)),
		of("resume from a saved state, with its history", saved(ci, rules, asked)),
		of("resume from a saved state, without it: the turn stays, unknown members go", saved()),
		of("fork: the copy has the beginning of the history", saved(ci), saved(rules, stale)),
		of("an empty store, and a state without one", reconcile(none, `{}`, ci), call{abi.FunctionReconcile, `{"state":{"version":1,"threadId":"t"},"history":[]}`}),
		of("a stale value last, the current one earlier", reconcile(none, two, ci, rules, stale)),
		of("a stale value earlier, the current one last", reconcile(none, two, stale, ci, rules)),
		of("told twice", reconcile(none, two, ci, ci, rules)),
		of("the former kind last", reconcile(none, two, ci, rules, developer("<ci>green</ci>")), reconcile(none, two, developer("<ci>green</ci>"), ci, rules)),
		of("the note of a removal last", reconcile(none, two, ci, rules, user("<external_ci>[no longer applies]</external_ci>"))),
		of("a note earlier, of an entry that came back", reconcile(`{"removals":"announce"}`, two, ci, user("<external_ci>[no longer applies]</external_ci>"), ci, rules)),
		of("items in another order", reconcile(none, two, rules, asked, ci)),
		of("roles: the tags of a user's in a developer's message, and the other way round, do not count",
			reconcile(none, two, developer("<external_ci>green</external_ci>"), user("<rules>be brief</rules>"))),
		of("other roles and other items do not count", reconcile(none, two, answered,
			`{"type":"message","role":"system","content":"<rules>be brief</rules>"}`, `{"type":"function_call_output","output":"<external_ci>green</external_ci>"}`,
			`{"type":"function_call","role":"user","content":"<external_ci>green</external_ci>"}`, `{}`)),
		of("content as a string, without a type", reconcile(none, two, `{"role":"user","content":"<external_ci>green</external_ci>"}`, `{"content":"<rules>be brief</rules>","role":"developer","type":"message"}`)),
		of("several parts in one message", reconcile(none, object(u("a", "1"), u("b", "2"), u("c", "3")),
			`{"role":"user","content":[{"type":"input_text","text":"<external_a>1</external_a>"},{"type":"input_image","image_url":"data:,"},{"type":"input_text","text":"hello"},{"text":"<external_b>2</external_b>","type":"input_text"}]}`)),
		of("several parts: the last of a key counts", reconcile(none, object(u("a", "1")),
			`{"role":"user","content":[{"type":"input_text","text":"<external_a>1</external_a>"},{"type":"input_text","text":"<external_a>0</external_a>"}]}`)),
		of("parts that are no text do not count", reconcile(none, object(u("a", "1")),
			`{"role":"user","content":[{"type":"output_text","text":"<external_a>1</external_a>"},{"text":"<external_a>1</external_a>"},"<external_a>1</external_a>",null,{"type":"input_text","text":1},{"type":"input_text"}]}`,
			`{"role":"user","content":null}`, `{"role":"user"}`, `{"role":"user","content":{"type":"input_text","text":"<external_a>1</external_a>"}}`)),
		of("the user quotes a fragment", reconcile(none, two, user("you said <external_ci>green</external_ci>"), rules), reconcile(none, two, ci, rules, user("you said <external_ci>red</external_ci>?"))),
		of("the user types a fragment, and nothing else: the last says what the model takes for true", reconcile(none, two, ci, rules, user("<external_ci>never mind</external_ci>")), reconcile(none, two, rules, ci)),
		of("space around a fragment is not the fragment", reconcile(none, two, user("<external_ci>green</external_ci>\n"), rules), reconcile(none, two, ci, rules, user(" <external_ci>red</external_ci>"))),
		of("tags that overlap are none", reconcile(none, object(a("a></a", "")), developer("<a></a></a>")), reconcile(none, object(a("a></a", "")), developer("<a></a></a></a>"))),
		of("a key with a >", reconcile(none, object(u("a>", "1"), u("a", "2")), user("<external_a>>1</external_a>>"), user("<external_a>2</external_a>")),
			reconcile(none, object(u("a>", "1")), user("<external_a>1</external_a>"))),
		of("keys that contain each other", reconcile(none, object(u("a", "1"), u("ab", "2"), a("external_a", "3")), user("<external_ab>2</external_ab>"), user("<external_a>1</external_a>"), developer("<external_a>3</external_a>"))),
		of("a key whose fragment stands between another's tags: what is another's says nothing of this one",
			reconcile(none, object(u("a", "1"), u("a></external_a", "2")), user("<external_a>1</external_a>"), user("<external_a></external_a>2</external_a></external_a>")),
			reconcile(none, object(u("a", "1"), u("a></external_a", "2")), user("<external_a></external_a>2</external_a></external_a>"))),
		of("a key whose fragment stood between another's tags, and is no more stored, says something",
			reconcile(none, object(u("a", "1")), user("<external_a>1</external_a>"), user("<external_a></external_a>2</external_a></external_a>"))),
		of("two keys with the same text: it is each one's own",
			reconcile(none, object(a("a", "x</a></a>x"), a("a>x</a", "")), developer("<a>x</a></a>x</a>"))),
		of("the policy: another wrapper, and nothing is recognised", reconcile(attribute, two, ci, rules),
			reconcile(attribute, two, user(`<external_context source="ci">green</external_context>`), developer(`<application_context source="rules">be brief</application_context>`)),
			reconcile(none, two, user(`<external_context source="ci">green</external_context>`), rules)),
		of("the policy: attribute, with escapes", reconcile(attribute, object(u(`a"`, "<1>")), user(`<external_context source="a&quot;">&lt;1&gt;</external_context>`)),
			reconcile(attribute, object(u(`a"`, "<1>")), user(`<external_context source="a"">&lt;1&gt;</external_context>`))),
		of("the policy: cut as it was told, or not", reconcile(`{"maxValueTokens":1}`, object(u("a", letters(1))), user("<external_a>ab…6 tokens truncated…yz</external_a>")),
			reconcile(`{"maxValueTokens":2}`, object(u("a", letters(1))), user("<external_a>ab…6 tokens truncated…yz</external_a>")),
			reconcile(`{"maxValueTokens":1,"keys":{"a":{"truncation":"head"}}}`, object(u("a", letters(1))), user("<external_a>ab…6 tokens truncated…yz</external_a>"))),
		of("the policy: strictBudget and strip", reconcile(`{"strictBudget":true,"maxValueTokens":1,"controlCharacters":"strip"}`, object(u("a", "\x1b[1m"+letters(1))), user("<external_a>abcd</external_a>")),
			reconcile(`{"strictBudget":true,"maxValueTokens":1}`, object(u("a", "\x1b[1m"+letters(1))), user("<external_a>abcd</external_a>"))),
		of("the policy: safe", reconcile(`{"preset":"safe"}`, two, ci), reconcile(`{"preset":"safe"}`, object(u("ci", "&")), user(`<external_context source="ci">&amp;</external_context>`))),
		of("what is restored has its warnings", reconcile(none, object(u("a>", "\x1b</external_a>>")))),
		of("a total budget: what is not restored leaves the store", reconcile(`{"maxTotalTokens":8}`, two), reconcile(`{"maxTotalTokens":0}`, two, ci),
			reconcile(`{"maxTotalTokens":8,"keys":{"rules":{"priority":1}}}`, two),
			call{abi.FunctionReconcile, `{"state":{"version":1,"threadId":"t","additionalContext":` + two + `},"history":[],"policy":{"maxTotalTokens":0}}`}),
		of("a total budget: what is in force costs nothing", reconcile(`{"maxTotalTokens":0}`, two, ci, rules)),
		of("updates, removals, steerContextOnly and experimentalApi make no difference",
			reconcile(`{"updates":"patch","removals":"announce","steerContextOnly":true,"experimentalApi":false}`, two, stale, rules)),
		of("null is absent, for the one that is not given and for the policy", call{abi.FunctionReconcile, `{"state":null,"store":{},"history":[],"policy":null}`},
			call{abi.FunctionReconcile, `{"history":[],"state":{"version":1,"threadId":"t"},"store":null}`}),
	}}
}

func reconcileRefusals() file {
	ask := func(requests ...string) []call {
		var calls []call
		for _, request := range requests {
			calls = append(calls, call{abi.FunctionReconcile, request})
		}
		return calls
	}
	return file{"calls-reconcile-errors.json", "Requests to reconcile that are refused, by path.", []vector{
		of("neither a state nor a store", ask(`{"history":[]}`, `{"state":null,"history":[]}`, `{"state":null,"store":null,"history":[] }`, `{}`)...),
		of("both", ask(`{"state":{"version":1,"threadId":"t"},"store":{},"history":[]}`, `{"store":{},"state":{"version":1,"threadId":"t"},"history":[]}`,
			`{"store":{},"history":[],"state":{"threadId":"t"}}`)...),
		of("a wrong state or store", ask(`{"state":{"version":1},"history":[]}`, `{"state":{"version":2,"threadId":"t"},"history":[]}`, `{"state":[],"history":[]}`,
			`{"store":{"a":null},"history":[],"policy":{"updates":"patch"}}`, `{"store":{"a.b":{"value":1,"kind":"untrusted"}},"history":[]}`, `{"store":"x","history":[]}`)...),
		of("no history", ask(`{"store":{}}`, `{"store":{},"history":null}`, `{"store":{},"history":{}}`, `{"store":{},"history":"x"}`)...),
		of("items that are no objects", ask(`{"store":{},"history":[null]}`, `{"store":{},"history":[{},{},"x"]}`, `{"store":{},"history":[[]]}`)...),
		of("a name twice, in an item or a part that is read", ask(`{"store":{},"history":[{"role":"user","role":"user"}]}`, `{"store":{},"history":[{"x":1,"x":1}]}`,
			`{"store":{},"history":[{},{"role":"user","content":["a",{"type":"input_text","text":"a","text":"b"}]}]}`,
			`{"store":{},"history":[{"role":"developer","content":[{"type":"input_image","x":1,"\u0078":2}]}]}`,
			`{"store":{},"history":[{"role":"assistant","content":[{"a":1,"a":2}]}]}`, `{"store":{},"history":[{"content":[{"a":1,"a":2}],"type":"other"}]}`)...),
		of("a name twice, where nothing is read", ask(`{"store":{},"history":[{"type":"reasoning","summary":[{"a":1,"a":2}]}]}`, `{"store":{},"history":[{"role":"user","content":[{"type":"input_image","image":{"a":1,"a":2}}]}]}`,
			`{"store":{},"history":[{"role":"user","content":[[{"a":1,"a":2}]]}]}`, `{"store":{},"history":[{"role":"user","content":{"a":1,"a":2}}]}`)...),
		of("a member twice", ask(`{"store":{},"store":{},"history":[]}`, `{"store":{},"history":[],"history":[]}`, `{"state":null,"state":{"version":1,"threadId":"t"},"history":[]}`)...),
		of("the first in document order", ask(`{"history":[7],"policy":{"x":1},"store":{}}`, `{"policy":{"x":1},"history":[7]}`, `{"history":7}`)...),
		of("not an object", ask(`[]`, `"x"`)...),
	}}
}

func classifies() file {
	const none = `{}`
	rules := object(a("rules", "be brief"), u("ci", "green"))
	item := func(text string) string { return `{"role":"user","content":` + quote(text) + `}` }
	return file{"calls-classify-items.json", "What classify takes for hidden context: items of every shape, both roles, under the reference wrapper.", []vector{
		of("no items", call{abi.FunctionClassify, `{"items":[]}`}, call{abi.FunctionClassify, `{"items":[],"store":null,"policy":null}`}),
		of("one item, many items", classify(none, `{}`, user("<external_ci>green</external_ci>")),
			classify(none, `{}`, user("<external_ci>green</external_ci>"), user("hello"), developer("<rules>be brief</rules>"), user("<external_a></external_a>"))),
		of("content as a string, and without a type", classify(none, `{}`, item("<external_ci>green</external_ci>"), item("hello"), `{"type":"message","role":"user","content":"<external_a>1</external_a>"}`)),
		of("several parts: hidden if any is, by the key of the first", classify(none, `{}`,
			`{"role":"user","content":[`+part("hello")+`,`+part("<external_b>2</external_b>")+`,`+part("<external_a>1</external_a>")+`]}`,
			`{"role":"user","content":[`+part("<external_b>")+`,`+part("</external_b>")+`]}`,
			`{"role":"user","content":[]}`)),
		of("parts that are no text", classify(none, `{}`,
			`{"role":"user","content":[{"type":"input_image","image_url":"<external_a></external_a>"},{"type":"output_text","text":"<external_a></external_a>"},{"text":"<external_a></external_a>"},"<external_a></external_a>",null,{"type":"input_text","text":null}]}`)),
		of("other roles and items never", classify(none, rules, `{"role":"assistant","content":"<external_a></external_a>"}`, `{"role":"system","content":"<rules></rules>"}`,
			`{"type":"function_call","role":"user","content":"<external_a></external_a>"}`, `{"type":null,"role":"user","content":"<external_a></external_a>"}`, `{}`, `{"role":"user"}`, `{"content":"<external_a></external_a>"}`,
			`{"role":"User","content":"<external_a></external_a>"}`, `{"role":"user","content":{"text":"<external_a></external_a>"}}`)),
		of("space around a user's text is trimmed, and no other", classify(none, `{}`, item(" \t\n\r\v\f\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000<external_a>1</external_a>\u3000\n"),
			item("\u200b<external_a>1</external_a>"), item("<external_a>1</external_a>\ufeff"), item("\x1c<external_a>1</external_a>"))),
		of("near misses of a user's", classify(none, `{}`, item("<external_api>"), item("<external_api"), item("<external_api>x</external_ap>"), item("<external_api>x</external_api> thanks"), item("see <external_api>x</external_api>"),
			item("<External_api>x</External_api>"), item("<external_api>x</api>"), item("<external_a>1</external_b>"), item("external_a>1</external_a>"), item(""))),
		of("keys: empty, with spaces, with a <, and what a > makes of one", classify(none, `{}`, item("<external_></external_>"), item("<external_a b>1</external_a b>"), item("<external_a<b>1</external_a<b>"),
			item("<external_a>b>1</external_a>b>"), item("<external_a>1</external_b></external_a>"), item("<external_\"\n\">1</external_\"\n\">"))),
		of("a user's text needs no store, and an application's tags in it are the user's", classify(none, rules, item("<external_other>1</external_other>"), item("<rules>be brief</rules>"), item("<ci>1</ci>"))),
		of("a developer's is known by a key of the store, whatever its kind and value", classify(none, rules, developer("<rules>be brief</rules>"), developer("<rules>[no longer applies]</rules>"), developer("<ci>1</ci>"), developer("<other>1</other>"), developer("<external_ci>1</external_ci>"))),
		of("a developer's without a store", classify(none, `{}`, developer("<rules>be brief</rules>")), classify(none, `null`, developer("<rules>be brief</rules>"))),
		of("a developer's is not trimmed", classify(none, rules, developer(" <rules>be brief</rules>"), developer("<rules>be brief</rules>\n"))),
		of("a developer's: the longest key that fits", classify(none, object(a("a", "1"), a("a></a", "2")), developer("<a></a>2</a></a>"), developer("<a>1</a>"), developer("<a></a></a></a>")),
			classify(none, object(a("", "1"), a(">", "2")), developer("<>x</>"), developer("<>>x</>>"))),
		of("a developer's: tags that overlap are none", classify(none, object(a("a></a", "1")), developer("<a></a></a>"), developer("<a></a></a></a>")),
			classify(none, object(a("a></a", "1"), a("a", "2")), developer("<a></a></a>")), classify(none, object(a("", "1")), developer("<>"), developer("</>"), developer("<></>"))),
		of("a developer's of several parts", classify(none, rules, `{"role":"developer","content":[`+part("x")+`,`+part("<rules>1</rules>")+`,`+part("<ci>1</ci>")+`]}`)),
		of("the attribute wrapper is not known without the policy", classify(none, rules, item(`<external_context source="ci">green</external_context>`), developer(`<application_context source="rules">be brief</application_context>`))),
		of("a policy changes nothing but by its wrapper", classify(`{"maxValueTokens":0,"removals":"announce","experimentalApi":false,"updates":"patch"}`, rules, item("<external_ci>green</external_ci>"), developer("<rules>x</rules>"))),
	}}
}

func classifyAttribute() file {
	const attribute = `{"wrapper":"attribute"}`
	typed := func(texts ...string) call {
		var items []string
		for _, text := range texts {
			items = append(items, user(text))
		}
		return classify(attribute, `{}`, items...)
	}
	element := func(key, value string) string {
		return `<external_context source="` + key + `">` + value + `</external_context>`
	}
	return file{"calls-classify-attribute.json", "What classify takes for hidden context under the attribute wrapper: one element, to the byte.", []vector{
		of("both roles", classify(attribute, `{}`, user(element("ci", "green")), developer(`<application_context source="rules">be brief</application_context>`))),
		of("each role has its element", classify(attribute, `{}`, developer(element("ci", "green")), user(`<application_context source="rules">be brief</application_context>`))),
		of("the safe preset has this wrapper", classify(`{"preset":"safe"}`, `{}`, user(element("ci", "green")))),
		of("empty keys and values", typed(element("", ""), element("a", ""), element("", "b"))),
		of("every escape of a key, and the key that it stands for", typed(element("&amp;&lt;&gt;&quot;&#9;&#10;&#13;'=", "v"), element("&amp;lt;", "v"))),
		of("every escape of a value", typed(element("k", "&amp;&lt;&gt;\"'\t\n\r&amp;amp;"))),
		of("what a key has raw though the wrapper escapes it", typed(element("a<", "v"), element("a>", "v"), element(`a"`, "v"), element("a&b", "v"), element("a\tb", "v"), element("a\nb", "v"), element("a\rb", "v"))),
		of("what a value has raw though the wrapper escapes it", typed(element("k", "<"), element("k", ">"), element("k", "&"), element("k", "a & b"), element("k", "</external_context>"))),
		of("escapes that the wrapper does not write", typed(element("&apos;", "v"), element("&#34;", "v"), element("&#x9;", "v"), element("&#09;", "v"), element("&AMP;", "v"), element("&amp", "v"),
			element("k", "&quot;"), element("k", "&#9;"), element("k", "&lt"), element("k", "&nbsp;"), element("k", "&;"))),
		of("another element", typed(`<external_context source='k'>v</external_context>`, `<external_context  source="k">v</external_context>`, `<external_context source="k" >v</external_context>`, `<external_context source = "k">v</external_context>`,
			`<external_context source="k" id="1">v</external_context>`, `<external_context id="k">v</external_context>`, `<external_context>v</external_context >`, `<External_context source="k">v</External_context>`,
			`<external_context source="k"/>`, `<external_context source="k">v</external_context`, `<external_context source="k">v`, `source="k">v</external_context>`)),
		of("more than one element", typed(element("a", "1")+element("b", "2"), element("a", "1")+"\n"+element("a", "1"), element("a", "1")+" thanks", "see "+element("a", "1"))),
		of("space around it is trimmed, of a user's only", typed(" \n"+element("a", "1")+"\u3000"), classify(attribute, `{}`, developer(` <application_context source="r">v</application_context>`))),
		of("control characters and every script", typed(element("\x00\u202e本🙂", "\x1b[31m\x00é\u2028"))),
		of("the reference form too, for a user, and first", typed("<external_a>1</external_a>", "<external_context>v</external_context>", `<external_context source="k">v</external_context source="k">`)),
		of("the reference form too, for a developer, by the store", classify(attribute, object(a("rules", "v"), a(`application_context source="k"`, "v")), developer("<rules>v</rules>"),
			developer(`<application_context source="k">v</application_context>`), developer(`<application_context source="k">v</application_context source="k">`))),
		of("a fragment of several parts, as strings and parts", classify(attribute, `{}`, `{"role":"user","content":`+quote(element("a", "1"))+`}`, `{"role":"user","content":[`+part("x")+`,`+part(element("b", "2"))+`]}`)),
		of("a note is context", typed(element("a", "[no longer applies]"))),
		of("what was cut is context", typed(element("a", "ab…6 tokens truncated…yz"))),
	}}
}

func classifyRefusals() file {
	ask := func(requests ...string) []call {
		var calls []call
		for _, request := range requests {
			calls = append(calls, call{abi.FunctionClassify, request})
		}
		return calls
	}
	return file{"calls-classify-errors.json", "Requests to classify that are refused, by path.", []vector{
		of("no items", ask(`{}`, `{"items":null}`, `{"items":{}}`, `{"store":{} }`)...),
		of("items that are no objects", ask(`{"items":[1]}`, `{"items":[{},"x"]}`, `{"items":[null]}`)...),
		of("a name twice, in an item or a part that is read", ask(`{"items":[{"role":"user","content":"a","role":"user"}]}`, `{"items":[{"role":"user","content":[{"type":"input_text","text":"a","type":"x"}]}]}`)...),
		of("a name twice, where nothing is read", ask(`{"items":[{"role":"user","content":{"a":1,"a":2}}]}`, `{"items":[{"role":"user","x":{"a":1,"a":2}}]}`)...),
		of("a wrong store", ask(`{"items":[],"store":[]}`, `{"items":[],"store":{"a":{"value":"v"}}}`, `{"store":{"a":null},"items":[],"policy":{"updates":"patch"}}`)...),
		of("not an object", ask(`[]`, `null`)...),
	}}
}
