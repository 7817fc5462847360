package host

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build/tiktoken"
)

// worst is how large the requests of the search for the worst are, in bytes.
type worst int

// A worstCase is a request that is meant to cost more than a plain one of its
// size.
type worstCase struct {
	name, function string
	request        string
}

// fill repeats a piece between a head and a tail until the request has
// size bytes or a little less. Pieces are made for a number, from 0.
func (size worst) fill(head, tail, separator string, piece func(i int) string) string {
	var b strings.Builder
	b.Grow(int(size))
	b.WriteString(head)
	for i := 0; ; i++ {
		next := piece(i)
		if i > 0 {
			next = separator + next
		}
		if b.Len()+len(next)+len(tail) > int(size) {
			break
		}
		b.WriteString(next)
	}
	b.WriteString(tail)
	return b.String()
}

// same is a piece that is the same for each number.
func same(text string) func(int) string { return func(int) string { return text } }

// entry is an entry of a map.
func entryText(key, value string) string {
	return `"` + key + `":{"value":"` + value + `","kind":"untrusted"}`
}

// halves fills half of a request with store, and the other with what is sent.
func (size worst) halves(member string, head, tail string, piece func(i int) string, other func(i int) string) string {
	half := size/2 - 100
	return head + `"store":{` + half.list(piece) + `},"` + member + half.list(other) + tail
}

// list writes pieces with commas until they have size bytes.
func (size worst) list(piece func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < int(size); i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(piece(i))
	}
	return b.String()
}

const plainText = "lorem ipsum dolor sit amet, consectetur adipiscing elit. "

// plainRequests are what the worst is measured against: a megabyte of ordinary
// text for each function.
func (size worst) plainRequests() map[string]string {
	const startHead = `{"turnId":"1","params":{"threadId":"t","input":[{"type":"text","text":"`
	paragraph := strings.Repeat(plainText, 8)
	plainEntry := func(i int) string { return entryText(fmt.Sprintf("key %04d", i), paragraph) }
	message := func(i int) string {
		return `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + paragraph + `"}]}`
	}
	return map[string]string{
		abi.FunctionMerge:     size.fill(`{"additionalContext":{`, `}}`, ",", plainEntry),
		abi.FunctionTurnStart: size.fill(startHead, `"}]}}`, "", same(plainText)),
		abi.FunctionTurnSteer: size.fill(`{"state":{"version":1,"threadId":"t","activeTurn":{"id":"1","kind":"regular"}},"params":{"expectedTurnId":"1","threadId":"t","input":[{"type":"text","text":"`,
			`"}]}}`, "", same(plainText)),
		abi.FunctionTurnSet:   size.fill(`{"activeTurn":null,"state":{"version":1,"threadId":"t","additionalContext":{`, `}}}`, ",", plainEntry),
		abi.FunctionReconcile: size.fill(`{"store":{`+plainEntry(1)+`},"history":[`, `]}`, ",", message),
		abi.FunctionClassify:  size.fill(`{"items":[`, `]}`, ",", message),
		abi.FunctionGuidance:  size.fill(`{"x":"`, `"}`, "", same(plainText)),
		abi.FunctionDescribe:  size.fill(`{"x":"`, `"}`, "", same(plainText)),
	}
}

// cases are what is known of, or was feared.
func (size worst) cases() []worstCase {
	number := func(format string) func(int) string {
		return func(i int) string { return fmt.Sprintf(format, i) }
	}
	value := func(name, policy, piece string) worstCase {
		return worstCase{name, abi.FunctionMerge, size.fill(`{"policy":{`+policy+`},"additionalContext":{`+`"k":{"kind":"untrusted","value":"`, `"}}}`, "", same(piece))}
	}
	unread := func(name, piece string) worstCase {
		return worstCase{name, abi.FunctionMerge, size.fill(`{"x":[`, `]}`, ",", same(piece))}
	}
	entries := func(name, policy string, piece func(int) string) worstCase {
		return worstCase{name, abi.FunctionMerge, size.fill(`{"policy":{`+policy+`},"additionalContext":{`, `}}`, ",", piece)}
	}
	const safe, strip, large = `"preset":"safe"`, `"controlCharacters":"strip"`, `"maxValueTokens":1000000`
	tiny := func(i int) string { return entryText(fmt.Sprint(i), "") }
	long := strings.Repeat("k", 1000)
	longEscaped := strings.Repeat(`\u006b`, 160)
	tinyEscaped := func(i int) string { // but for the first one it is as tiny
		if i == 0 {
			return entryText(`\n`, "")
		}
		return tiny(i)
	}
	nestedKey := func(i int) string { return strings.Repeat("</", i) }
	nestedEntry := func(i int) string { return entryText(nestedKey(i), "") }
	return []worstCase{
		unread("deep nesting", strings.Repeat("[", 120)+strings.Repeat("]", 120)),
		unread("deep objects", strings.Repeat(`{"a":`, 120)+"0"+strings.Repeat("}", 120)),
		unread("empty arrays", "[]"), unread("empty objects", "{}"), unread("digits", "1"), unread("nulls", "null"), unread("empty strings", `""`),
		unread("numbers with exponents", "-1.5e-300"), unread("arrays of an escape", `["\n"]`), unread("objects of an escape", `{"\n":-1}`),
		{"one long number", abi.FunctionMerge, size.fill(`{"x":`, `}`, "", same("9"))},
		{"space", abi.FunctionMerge, size.fill(`{`, `}`, "", same(" \n\t\r"))},
		{"unknown names", abi.FunctionMerge, size.fill(`{"x":{`, `}}`, ",", number(`"%d":0`))},
		{"unknown names of the request", abi.FunctionMerge, size.fill(`{`, `}`, ",", number(`"%d":0`))},
		{"unknown names with escapes", abi.FunctionMerge, size.fill(`{`, `}`, ",", number(`"\n%d":0`))},
		{"unknown names that collide", abi.FunctionMerge, size.fill(`{`, `}`, ",", number(`"`+long+`%d":0`))},
		{"unknown names that collide, escaped", abi.FunctionMerge, size.fill(`{`, `}`, ",", number(`"`+longEscaped+`%d":0`))},
		{"a name that is repeated", abi.FunctionMerge, size.fill(`{`, `}`, ",", same(`"a":0`))},
		{"escaped name that is repeated", abi.FunctionMerge, size.fill(`{`, `}`, ",", same(`"\u0061":0`))},
		value(`value of \n`, "", `\n`), value(`value of \u0041`, "", `\u0041`), value(`value of \u001b`, "", `\u001b`), value(`value of pairs`, "", `\ud83d\ude42`),
		value(`value of \\`, "", `\\`), value(`value of \/`, "", `\/`), value(`value of \n, kept whole`, large, `\n`), value(`value of \u0041, kept whole`, large, `\u0041`),
		value("value of é", "", "é"), value("value of 本, kept whole", large, "本"),
		value("value of &, attribute", `"wrapper":"attribute",`+large, "&"), value("value of <, strict", safe+","+large, "<"),
		value("value of <, strict half", safe+`,"maxValueTokens":131072`, "<"), value("value of quotes, strict", safe+`,"maxValueTokens":65536`, `\"`),
		value("OSC without end", strip, `\u001b]`), value("OSC without end, kept whole", strip+","+large, `\u001b]`), value("CSI without end", strip+","+large, `\u001b[1`),
		value("CSI of one long run", strip+","+large, `\u001b[`+strings.Repeat("1", 1000)), value("C1 without end", strip+","+large, "\u009d"), value("DCS, BEL", strip+","+large, "\u0090a\\u0007"),
		value("ESC with spaces", strip+","+large, `\u001b `), value("bidi", strip+","+large, "\u202e"),
		value("closing tags", large, `</external_k>`), value("closing tags, nearly", large, `</external_`), value("<", large, `<`), value("tag in the middle", large, "</external_kk"),
		{"a key that is nearly in the value", abi.FunctionMerge, size.fill(`{"policy":{`+large+`},"additionalContext":{"`+strings.Repeat("a", int(size)/4)+`":{"kind":"untrusted","value":"</external_`, `"}}}`, "", same("a"))},
		{"a key of </external_", abi.FunctionMerge, size.fill(`{"policy":{`+large+`},"additionalContext":{"`+strings.Repeat("</external_", 10000)+`b":{"kind":"untrusted","value":"`, `"}}}`, "", same("</external_"))},
		entries("tiny entries", "", tiny), entries("tiny entries, safe", safe, tiny), entries("tiny entries, total budget", `"maxTotalTokens":1000`, tiny),
		entries("tiny entries, other order", "", func(i int) string { return `"` + fmt.Sprint(i) + `":{"kind":"untrusted","value":""}` }),
		entries("tiny entries, backwards", "", func(i int) string { return entryText(fmt.Sprint(1_000_000-i), "") }),
		entries("entries with unknown names", "", number(`"%d":{"kind":"untrusted","value":"","a":0,"b":0,"c":0,"d":0}`)),
		entries("keys that collide", "", func(i int) string { return entryText(long+fmt.Sprint(1_000_000-i), "") }),
		entries("keys that collide, escaped", "", func(i int) string { return entryText(longEscaped+fmt.Sprint(1_000_000-i), "") }),
		entries("keys of 9 bytes that collide", "", func(i int) string { return entryText("kkkkkkkk"+fmt.Sprint(1_000_000-i), "") }),
		entries("a key that is repeated", "", same(entryText("a", ""))), entries("a long key that is repeated", "", same(entryText(long, ""))),
		entries("a long escaped key that is repeated", "", same(entryText(longEscaped, ""))),
		entries("null entries", `"updates":"patch"`, number(`"%d":null`)), entries("null entries that are refused", "", number(`"%d":null`)),
		entries("entries of another kind", "", number(`"%d":{"value":"","kind":"x"}`)), entries("keys of escapes", "", func(i int) string { return entryText(`\u0001\u0002`+fmt.Sprint(i), "") }),
		entries("values just over the budget", `"maxValueTokens":0`, number(`"%d":{"value":"x","kind":"application"}`)),
		entries("values just over a strict budget", safe+`,"maxValueTokens":8`, number(`"%d":{"value":"<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<","kind":"application"}`)),
		entries("values just over the budget, not ASCII", `"maxValueTokens":0`, number(`"%d":{"value":"é","kind":"untrusted"}`)),
		entries("values just over a strict budget, not ASCII", `"strictBudget":true,"maxValueTokens":8`, number(`"%d":{"value":"`+strings.Repeat("é", 20)+`","kind":"untrusted"}`)),
		entries("values of a control character", "", number(`"%d":{"value":"`+"\x7f"+`","kind":"untrusted"}`)),
		entries("keys with a >", "", number(`"%d>":{"value":"","kind":"untrusted"}`)),
		entries("values of their own closing tag", "", number(`"%[1]d":{"value":"</external_%[1]d>","kind":"untrusted"}`)),
		entries("values of their own closing tag, safe", safe, number(`"%d":{"value":"</external_context>","kind":"untrusted"}`)),
		entries("values of their own closing tag, cut", `"maxValueTokens":6`, number(`"%[1]d":{"value":"</external_%[1]d>`+strings.Repeat("x", 20)+`","kind":"untrusted"}`)),
		entries("values of another's closing tag", "", number(`"%d":{"value":"</b>","kind":"untrusted"}`)),
		entries("values of another's closing tag, cut", `"maxValueTokens":1`, number(`"%d":{"value":"</b></b>","kind":"untrusted"}`)),
		entries("values of another's closing tag, application", "", number(`"b%d":{"value":"</b>","kind":"application"}`)),
		entries("values of HTML, safe", safe, number(`"%d":{"value":"`+strings.Repeat("<b>bold</b> ", 10)+`","kind":"untrusted"}`)),
		entries("values of nearly their own closing tag", "", func(i int) string {
			return entryText(strings.Repeat("</external_", 20)+fmt.Sprint(i), strings.Repeat("</external_", 30))
		}),
		entries("values of escapes just over a strict budget", `"strictBudget":true,"maxValueTokens":8`, number(`"%d":{"value":"`+strings.Repeat(`\n`, 33)+`","kind":"untrusted"}`)),
		entries("values as long as the marker", `"maxValueTokens":0`, number(`"%d":{"value":"aaaaaaaaaaaaaaaaaaaaaaaa","kind":"untrusted"}`)),
		entries("values of the marker", `"maxValueTokens":0`, number(`"%d":{"value":"…6 tokens truncated…","kind":"untrusted"}`)),
		entries("values as long as the marker, escaped", `"maxValueTokens":0`, number(`"%d":{"value":"`+strings.Repeat(`\n`, 24)+`","kind":"untrusted"}`)),
		{"policy.keys", abi.FunctionMerge, size.fill(`{"policy":{"keys":{`, `}}}`, ",", number(`"%d":{}`))},
		{"policy.keys of priorities", abi.FunctionMerge, size.fill(`{"policy":{"keys":{`, `}}}`, ",", number(`"%d":{"priority":1}`))},
		{"policy.keys of limits and truncations", abi.FunctionMerge, size.fill(`{"policy":{"keys":{`, `}}}`, ",", number(`"%d":{"maxValueTokens":1,"truncation":"head"}`))},
		{"policy.keys of many forms", abi.FunctionMerge, size.fill(`{"policy":{"keys":{`, `}}}`, ",", func(i int) string {
			fields := []string{`"maxValueTokens":1`, `"truncation":"head"`, `"priority":-1`}
			return fmt.Sprintf(`"%d":{%s}`, i, strings.Join([]string{fields[i%3], fields[(i+1+i/3%2)%3], fields[(i+2-i/3%2)%3]}[:i/6%4], ","))
		})},
		{"policy.keys with spaces", abi.FunctionMerge, size.fill(`{"policy":{"keys":{`, `}}}`, ",", number(`"%d": {"priority": 1, "truncation": null}`))},
		{"policy.keys with escapes", abi.FunctionMerge, size.fill(`{"policy":{"keys":{`, `}}}`, ",", number(`"\n%d":{"\u0070riority":1,"truncation":"\u0068ead"}`))},
		{"policy.keys with escapes, half of them empty", abi.FunctionMerge, size.fill(`{"policy":{"keys":{`, `}}}`, ",", func(i int) string {
			return fmt.Sprintf(`"\n%d":{%s}`, i, []string{"", `"priority":1`}[i%2])
		})},
		{"policy.keys of priorities, for each entry", abi.FunctionMerge, size.fill(`{"policy":{"maxTotalTokens":1,"keys":{`+
			(size/2).list(number(`"%d":{"priority":1}`))+`}},"additionalContext":{`, `}}`, ",", tiny)},
		{"policy.keys with escapes, for each entry", abi.FunctionMerge, size.fill(`{"policy":{"maxTotalTokens":1,"keys":{`+
			(size/2).list(number(`"\n\"%d":{"priority":1}`))+`}},"additionalContext":{`, `}}`, ",", func(i int) string { return entryText(`\n\"`+fmt.Sprint(i), "") })},
		{"policy.keys that collide", abi.FunctionMerge, size.fill(`{"policy":{"keys":{`, `}}}`, ",", number(`"`+longEscaped+`%d":{}`))},
		{"changed, dropped", abi.FunctionMerge, size.halves(`additionalContext":{`, `{`, `},"policy":{"maxTotalTokens":9}}`, tiny, tiny)},
		{"everything removed, announced", abi.FunctionMerge, size.fill(`{"policy":{"removals":"announce"},"store":{`, `}}`, ",", tiny)},
		{"everything removed, safe", abi.FunctionMerge, size.fill(`{"policy":{"preset":"safe"},"store":{`, `}}`, ",", tiny)},
		{"everything removed, dropped", abi.FunctionMerge, size.fill(`{"policy":{"removals":"announce","maxTotalTokens":0},"store":{`, `}}`, ",", tiny)},
		{"kinds changed, announced", abi.FunctionMerge, size.halves(`additionalContext":{`, `{`, `},"policy":{"removals":"announce"}}`, tiny, number(`"%d":{"value":"","kind":"application"}`))},
		{"unchanged, other words", abi.FunctionMerge, size.halves(`additionalContext":{`, `{`, `}}`, tiny, number(`"%d":{"kind":"untrusted","value":""}`))},
		{"unchanged, escaped", abi.FunctionMerge, size.halves(`additionalContext":{`, `{`, `}}`, number(`"%07d":{"kind":"untrusted","value":"`+plainText+`"}`), number(`"\u0030%06d":{"kind":"untrusted","value":"`+strings.ReplaceAll(plainText, "o", `\u006f`)+`"}`))},
		{"unchanged, backwards", abi.FunctionMerge, size.halves(`additionalContext":{`, `{`, `}}`, tiny, func(i int) string { return entryText(fmt.Sprint(12000-i), "") })},
		{"hook contexts", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[{"type":"text","text":""}]},"promptHook":{"blocked":true,"contexts":[`, `]}}`, ",", same(`""`))},
		{"texts", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":""}`))},
		{"texts, type last", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"text":"","type":"text"}`))},
		{"texts, type far away", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[{"text":"","x":[`, `],"type":"text"}]}}`, ",", same(`[]`))},
		{"local images", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"localImage","path":""}`))},
		{"images", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"image","url":""}`))},
		{"mentions", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"mention","name":"","path":""}`))},
		{"mentions and skills in turn", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", func(i int) string {
			return `{"type":"` + []string{"mention", "skill"}[i%2] + `","name":"","path":""}`
		})},
		{"texts and images in turn", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", func(i int) string {
			return []string{`{"type":"text","text":""}`, `{"type":"image","url":""}`}[i%2]
		})},
		{"texts and images in turn, type last", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", func(i int) string {
			return []string{`{"text":"","type":"text"}`, `{"url":"","type":"image"}`}[i%2]
		})},
		{"inputs of many forms", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", func(i int) string {
			members := []string{`"type":"` + []string{"mention", "skill"}[i%2] + `"`, `"name":""`, `"path":""`}
			return "{" + members[i/2%3] + "," + members[(i/2+1+i/6%2)%3] + "," + members[(i/2+2-i/6%2)%3] + "}"
		})},
		{"inputs of an escaped name", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","\u0074ext":""}`))},
		{"inputs of an escaped type", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"te\u0078t","text":""}`))},
		{"inputs of two unknown names", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":"","x":0,"y":0}`))},
		{"inputs of an unknown array", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":"","x":[0]}`))},
		{"inputs of an unknown object", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":"","x":{"\n":-1}}`))},
		{"inputs of unknown names that begin alike", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":"","unknown_1":0,"unknown_2":0}`))},
		{"inputs of unknown names of escapes", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":"","\u0061":0,"\u0062":0}`))},
		{"inputs of a long unknown name of escapes", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":"","`+strings.Repeat(`\u65e5`, 7)+`":0}`))},
		{"inputs of 17 unknown names", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":"","a":0,"b":0,"c":0,"d":0,"e":0,"f":0,"g":0,"h":0,"i":0,"j":0,"k":0,"l":0,"m":0,"n":0,"o":0,"p":0,"q":0}`))},
		{"inputs of another's members", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", func(i int) string {
			return `{"type":"text","text":"",` + []string{`"name":0`, `"detail":"x"`, `"path":{"a":0}`}[i%3] + "}"
		})},
		{"images of a detail", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"image","url":"","detail":"high"}`))},
		{"texts without elements", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":"","text_elements":[]}`))},
		{"texts of an escape", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`{"type":"text","text":"\n"}`))},
		{"hook contexts of an escape", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[{"type":"text","text":""}]},"promptHook":{"blocked":true,"contexts":[`, `]}}`, ",", same(`"\u0041"`))},
		{"text elements", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[{"type":"text","text":"","text_elements":[`, `]}]}}`, ",", same(`{"byteRange":{"start":0,"end":0}}`))},
		{"text elements with a placeholder", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[{"type":"text","text":"","text_elements":[`, `]}]}}`, ",", same(`{"byteRange":{"start":0,"end":0},"placeholder":""}`))},
		{"text elements of many forms, with placeholders", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[{"type":"text","text":"","text_elements":[`, `]}]}}`, ",", func(i int) string {
			members := []string{`"byteRange":{"start":0,"end":0}`, `"placeholder":` + []string{`"a"`, "null"}[i%2]}
			return "{" + members[i/2%2] + "," + members[1-i/2%2] + "}"
		})},
		{"texts of elements with a placeholder", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",",
			same(`{"type":"text","text":"","text_elements":[{"byteRange":{"start":0,"end":0},"placeholder":""}]}`))},
		{"output schema", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[],"outputSchema":[`, `]}}`, ",", same(`{}`))},
		{"unread params", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[],`, `}}`, ",", number(`"%d":0`))},
		{"writable roots, type last", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[],"sandboxPolicy":{"writableRoots":[`, `],"type":"workspaceWrite"}}}`, ",", same(`"/"`))},
		{"wrong inputs", abi.FunctionTurnStart, size.fill(`{"turnId":"1","params":{"threadId":"t","input":[`, `]}}`, ",", same(`0`))},
		{"a long thread id", abi.FunctionTurnSet, size.fill(`{"activeTurn":null,"state":{"version":1,"threadId":"`, `"}}`, "", same(`\n`))},
		{"a long wrong key", abi.FunctionMerge, size.fill(`{"additionalContext":{"`, `":0}}`, "", same(`\u0001`))},
		{"a long wrong word", abi.FunctionMerge, size.fill(`{"policy":{"wrapper":"`, `"}}`, "", same(`\u0001`))},
		{"a deep long path", abi.FunctionReconcile, size.fill(`{"history":[{"content":[{"`, `":0,"a":0,"a":0}]}]}`, "", same(`\u0001`))},
		{"empty items", abi.FunctionClassify, size.fill(`{"items":[`, `]}`, ",", same(`{}`))},
		{"items without parts", abi.FunctionClassify, size.fill(`{"items":[`, `]}`, ",", same(`{"role":"user","content":[]}`))},
		{"empty parts", abi.FunctionClassify, size.fill(`{"items":[{"role":"user","content":[`, `]}]}`, ",", same(`{}`))},
		{"null parts", abi.FunctionClassify, size.fill(`{"items":[{"role":"user","content":[`, `]}]}`, ",", same(`0`))},
		{"parts, role last", abi.FunctionClassify, size.fill(`{"items":[{"content":[`, `],"role":"user"}]}`, ",", same(`{"type":"input_text","text":"<external_a></external_a>"}`))},
		{"white space", abi.FunctionClassify, size.fill(`{"items":[{"role":"user","content":"`, `"}]}`, "", same("\u3000"))},
		{"white space behind a tag", abi.FunctionClassify, size.fill(`{"items":[{"role":"user","content":"<external_a>`, `"}]}`, "", same("\u3000"))},
		{"escaped white space", abi.FunctionClassify, size.fill(`{"items":[{"role":"user","content":"`, `"}]}`, "", same(`\n`))},
		{"openings", abi.FunctionClassify, size.fill(`{"items":[{"role":"user","content":"`, `</external_a>"}]}`, "", same("<external_"))},
		{"nearly an element", abi.FunctionClassify, size.fill(`{"policy":{"wrapper":"attribute"},"items":[{"role":"user","content":"<external_context source=\"a\">`, `&</external_context>"}]}`, "", same("&amp;"))},
		{"nearly a source", abi.FunctionClassify, size.fill(`{"policy":{"wrapper":"attribute"},"items":[{"role":"user","content":"<external_context source=\"`, `&\"></external_context>"}]}`, "", same("&quot;"))},
		{"hidden items", abi.FunctionClassify, size.fill(`{"items":[`, `]}`, ",", same(`{"role":"user","content":"<external_a></external_a>"}`))},
		{"hidden items of escapes", abi.FunctionClassify, size.fill(`{"items":[`, `]}`, ",", same(`{"role":"user","content":"<external_\u0001\u0001\u0001\u0001></external_\u0001\u0001\u0001\u0001>"}`))},
		{"hidden items of other escapes", abi.FunctionClassify, size.fill(`{"items":[`, `]}`, ",", same(`{"role":"user","content":"<external_\u0061></external_\u0061>"}`))},
		{"hidden items, safe", abi.FunctionClassify, size.fill(`{"policy":{"preset":"safe"},"items":[`, `]}`, ",", same(`{"role":"user","content":"<external_context source=\"a\"></external_context>"}`))},
		{"hidden items of a developer", abi.FunctionClassify, size.halves(`items":[`, `{`, `]}`, tiny, number(`{"role":"developer","content":"<%[1]d></%[1]d>"}`))},
		{"hidden items of a developer, a key of an escape", abi.FunctionClassify, size.halves(`items":[`, `{`, `]}`, tinyEscaped, number(`{"role":"developer","content":"<%[1]d></%[1]d>"}`))},
		{"hidden items with white space", abi.FunctionClassify, size.fill(`{"items":[`, `]}`, ",", same(`{"role": "user", "content": "<external_a></external_a>"}`))},
		{"hidden items behind white space", abi.FunctionClassify, size.fill(`{"items":[`, `]}`, ",", same(`{"role":"user","content":" <external_a></external_a>"}`))},
		{"items of an assistant", abi.FunctionClassify, size.fill(`{"items":[`, `]}`, ",", same(`{"role":"assistant","content":""}`))},
		{"items with many names", abi.FunctionClassify, size.fill(`{"items":[{`, `}]}`, ",", number(`"%d":0`))},
		{"classify, nested keys", abi.FunctionClassify, size.halves(`items":[`, `{`, `]}`, cut(nestedEntry, 700), func(i int) string {
			return `{"role":"developer","content":"<` + nestedKey(i%700) + `>` + strings.Repeat("</", 700) + `>"}`
		})},
		{"classify, keys of one letter", abi.FunctionClassify, size.halves(`items":[`, `{`, `]}`, cut(func(i int) string { return entryText(strings.Repeat("a", i), "") }, 950), func(i int) string {
			return `{"role":"developer","content":"<` + strings.Repeat("a", 950) + `></` + strings.Repeat("a", 950) + `>"}`
		})},
		{"reconcile, nested keys", abi.FunctionReconcile, size.halves(`history":[`, `{`, `]}`, cut(nestedEntry, 700), func(i int) string {
			return `{"role":"user","content":"<external_` + nestedKey(i%700) + `>` + strings.Repeat("</external_", 60) + nestedKey(i%700) + `>"}`
		})},
		{"reconcile, tags around tags", abi.FunctionReconcile, size.halves(`history":[`, `{`, `]}`, cut(func(i int) string { return entryText("a"+strings.Repeat("></external_a", i), "") }, 280), func(i int) string {
			return `{"role":"user","content":"<external_a` + strings.Repeat("></external_a", 280) + `>"}`
		})},
		{"reconcile, tags around tags, application", abi.FunctionReconcile, size.halves(`history":[`, `{`, `]}`, cut(func(i int) string {
			return `"` + "a" + strings.Repeat("></a", i) + `":{"value":"","kind":"application"}`
		}, 500), func(i int) string {
			return `{"role":"developer","content":"<a` + strings.Repeat("></a", 500) + `>"}`
		})},
		{"reconcile, tags that begin alike", abi.FunctionReconcile, size.halves(`history":[`, `{`, `]}`, cut(func(i int) string {
			return `"` + strings.Repeat(">", i) + `":{"value":"","kind":"application"}`
		}, 700), same(`{"role":"developer","content":"<`+strings.Repeat(">", 700)+`</>>>>>"}`))},
		{"reconcile, tags that begin and end alike", abi.FunctionReconcile, size.halves(`history":[`, `{`, `]}`, cut(func(i int) string {
			return `"` + strings.Repeat(">", i/2*(i%2)) + strings.Repeat("</", i/2*(1-i%2)) + `":{"value":"","kind":"application"}`
		}, 800), same(`{"role":"developer","content":"<`+strings.Repeat(">", 400)+strings.Repeat("</", 401)+`>"}`))},
		{"policy.keys that collide, for each entry", abi.FunctionMerge, size.fill(`{"policy":{"maxTotalTokens":1,"keys":{`+
			(size/2).list(func(i int) string { return `"` + longEscaped + fmt.Sprint(i) + `":{"priority":1}` })+`}},"additionalContext":{`, `}}`, ",",
			func(i int) string { return entryText(longEscaped+fmt.Sprint(i), "") })},
		{"backslashes", abi.FunctionClassify, size.fill(`{"items":[{"role":"user","content":"`, `"}]}`, "", same(`\\\\`))},
		{"reconcile, tiny entries", abi.FunctionReconcile, size.fill(`{"history":[],"store":{`, `}}`, ",", tiny)},
		{"reconcile, tiny entries, safe, dropped", abi.FunctionReconcile, size.fill(`{"history":[],"policy":{"preset":"safe","maxTotalTokens":1},"store":{`, `}}`, ",", tiny)},
		{"reconcile, all there", abi.FunctionReconcile, size.halves(`history":[`, `{`, `]}`, tiny, number(`{"role":"user","content":"<external_%[1]d></external_%[1]d>"}`))},
		{"reconcile, strict and cut", abi.FunctionReconcile, size.halves(`history":[`, `{`, `],"policy":{"preset":"safe","maxValueTokens":20}}`, number(`"%d":{"value":"`+strings.Repeat("&", 200)+`","kind":"untrusted"}`),
			number(`{"role":"user","content":"<external_context source=\"%d\"></external_context>"}`))},
		{"reconcile, one text again and again", abi.FunctionReconcile, size.halves(`history":[`, `{`, `]}`, func(i int) string { return entryText(fmt.Sprint(i), "x") }, same(`{"role":"user","content":"<external_1>y</external_1>"}`))},
		{"reconcile, all there, safe", abi.FunctionReconcile, size.halves(`history":[`, `{"policy":{"preset":"safe"},`, `]}`, tiny, number(`{"role":"user","content":"<external_context source=\"%d\"></external_context>"}`))},
		{"reconcile, all there, over the limit", abi.FunctionReconcile, size.halves(`history":[`, `{"policy":{"maxValueTokens":0},`, `]}`, func(i int) string { return entryText(fmt.Sprint(i), "x") }, number(`{"role":"user","content":"<external_%[1]d>x</external_%[1]d>"}`))},
		{"reconcile, a key of an escape", abi.FunctionReconcile, size.halves(`history":[`, `{`, `]}`, tinyEscaped, number(`{"role":"user","content":"<external_%[1]d></external_%[1]d>"}`))},
		{"reconcile, all there, limits of keys", abi.FunctionReconcile, size.fill(`{"policy":{"keys":{`+(size/4).list(number(`"%d":{"maxValueTokens":0}`))+`}},"store":{`+
			(size/4).list(func(i int) string { return entryText(fmt.Sprint(i), "x") })+`},"history":[`, `]}`, ",", number(`{"role":"user","content":"<external_%[1]d>…1 tokens truncated…</external_%[1]d>"}`))},
		{"reconcile, all there, safe and escaped", abi.FunctionReconcile, size.halves(`history":[`, `{"policy":{"preset":"safe"},`, `]}`, func(i int) string { return entryText(fmt.Sprint(i), "&") },
			number(`{"role":"user","content":"<external_context source=\"%d\">&amp;</external_context>"}`))},
		{"reconcile, all there, safe and not ASCII", abi.FunctionReconcile, size.halves(`history":[`, `{"policy":{"preset":"safe"},`, `]}`, func(i int) string { return entryText(fmt.Sprint(i), "é") },
			number(`{"role":"user","content":"<external_context source=\"%d\">é</external_context>"}`))},
		{"reconcile, all there, safe and stripped", abi.FunctionReconcile, size.halves(`history":[`, `{"policy":{"preset":"safe"},`, `]}`, func(i int) string { return entryText(fmt.Sprint(i), "\x7f") },
			number(`{"role":"user","content":"<external_context source=\"%d\"></external_context>"}`))},
		{"reconcile, all there, safe, keys escaped", abi.FunctionReconcile, size.halves(`history":[`, `{"policy":{"preset":"safe"},`, `]}`, func(i int) string { return entryText(fmt.Sprint(i)+"&", "") },
			number(`{"role":"user","content":"<external_context source=\"%d&amp;\"></external_context>"}`))},
		{"reconcile, all there, keys that end in >", abi.FunctionReconcile, size.halves(`history":[`, `{`, `]}`, func(i int) string { return entryText(fmt.Sprint(i)+">", "") },
			number(`{"role":"user","content":"<external_%[1]d>></external_%[1]d>>"}`))},
		{"reconcile, strict, no room for a marker", abi.FunctionReconcile, size.halves(`history":[`, `{"policy":{"strictBudget":true,"maxValueTokens":0},`, `]}`, func(i int) string { return entryText(fmt.Sprint(i), "x") },
			number(`{"role":"user","content":"<external_%[1]d></external_%[1]d>"}`))},
		{"guidance, names", abi.FunctionGuidance, size.fill(`{`, `}`, ",", number(`"%d":0`))},
		{"guidance, policy names", abi.FunctionGuidance, size.fill(`{"policy":{`, `}}`, ",", number(`"%d":0`))},
		{"not JSON at the end", abi.FunctionMerge, size.fill(`{"x":[`, `]`, ",", same("[]"))},
		{"a state written by hand", abi.FunctionTurnSet, size.fill(`{"activeTurn":null,"state":{"version":1,"threadId":"t","additionalContext":{`, `}}}`, ",", func(i int) string { return `"` + fmt.Sprint(1_000_000-i) + `":{"kind":"untrusted","value":"\u0041"}` })},
	}
}

// cut makes pieces start again after n of them, with names that differ.
func cut(piece func(int) string, n int) func(int) string {
	return func(i int) string {
		if i < n {
			return piece(i)
		}
		return entryText(fmt.Sprintf("z%d", i), "")
	}
}

// The search for the worst request of a megabyte. A figure is how many times as
// long it takes as a plain one, and how many bytes of the guest's memory each of
// its bytes needs beyond what an idle instance has. A plain one is a merge, or a
// call to the same function if that takes longer. The test prints the figures.
// What it checks is that work grows with the bytes: a request of four times the
// size may take up to ten times as long, and not sixteen. With TURNCONTEXT_WORST
// the calls are repeated, so that the figures are worth something, and only the
// cases whose names have its text are tried.
func TestWorstCases(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("not run: it measures")
	}
	only, measured := os.LookupEnv("TURNCONTEXT_WORST")
	calls := 2
	if measured {
		calls = 5
	}
	const size, times, most = 1 << 20, 4, 10
	m := openBuiltIn(t)
	plain := map[string]time.Duration{}
	for function, request := range worst(size).plainRequests() {
		took, grown, _ := cost(t, m, function, request, calls)
		plain[function] = took
		t.Logf("%-10s a plain request: %8v, %4.1f B/B", function, took.Round(time.Microsecond), grown)
	}
	small := worst(size / times).cases()
	for i, c := range worst(size).cases() {
		if !strings.Contains(c.name, only) {
			continue
		}
		took, grown, answer := cost(t, m, c.function, c.request, calls)
		growth := float64(took) / float64(quarter(t, m, c.function, small[i].request, calls))
		for tries := 0; growth > most && tries < 3; tries++ { // something else may have disturbed it
			took, grown, answer = cost(t, m, c.function, c.request, 2*calls)
			growth = float64(took) / float64(quarter(t, m, c.function, small[i].request, 2*calls))
		}
		t.Logf("%-10s %-42s %5.1fx %8v %6.1f B/B, the answer %4.1f B/B, %4.1f times a quarter", c.function, c.name,
			float64(took)/float64(max(plain[c.function], plain[abi.FunctionMerge])), took.Round(time.Microsecond), grown,
			float64(len(answer))/float64(len(c.request)), growth)
		if growth > most {
			t.Errorf("%s: %v, %.1f times a quarter of it", c.name, took, growth)
		}
	}
}

// The same search for the module that counts tokens exactly, where texts may be
// chosen to make counting slow. It takes a minute, so it is run with
// TURNCONTEXT_WORST only.
func TestWorstCasesOfTokens(t *testing.T) {
	if _, asked := os.LookupEnv("TURNCONTEXT_WORST"); !asked {
		t.Skip("not run: TURNCONTEXT_WORST is not set")
	}
	file, err := tiktoken.Module()
	if err != nil {
		t.Fatal(err)
	}
	m := open(t, Options{Instances: 1, Module: file, CacheDir: cacheDir})
	const size, times, most = 1 << 20, 4, 10
	value := func(size worst, policy, piece string) string {
		return size.fill(`{"policy":{`+policy+`},"additionalContext":{"k":{"kind":"untrusted","value":"`, `"}}}`, "", same(piece))
	}
	plain, _, _ := cost(t, m, abi.FunctionMerge, value(size, `"tokenizer":"o200k_base"`, plainText), 2)
	t.Logf("a plain value: %v", plain.Round(time.Microsecond))
	for _, policy := range []string{
		`"tokenizer":"o200k_base"`, `"tokenizer":"cl100k_base","truncation":"tail"`, `"tokenizer":"o200k_base","maxValueTokens":2000000`,
		`"tokenizer":"o200k_base","preset":"safe","maxValueTokens":100000`, `"tokenizer":"cl100k_base","preset":"safe"`,
	} {
		for _, piece := range []string{
			plainText, "a", "ab", "A", "aA", " ", `\n`, `\r\n`, "1", "=", "-", "_", "'s", "本", "é", "🙂", "e\u0301", "\u200d", "\u3000", " a", `\u0000`, "&", "<", `\"`,
			"abcdefghijklmnopqrstuvwxyz", "zqxjkv", "the", "ſ", "İ", "ǅ",
		} {
			took, grown, _ := cost(t, m, abi.FunctionMerge, value(size, policy, piece), 1)
			growth := float64(took) / float64(quarter(t, m, abi.FunctionMerge, value(size/times, policy, piece), 1))
			t.Logf("%-65s %-10q %5.1fx %8v %5.1f B/B, %4.1f times a quarter", policy, piece, float64(took)/float64(plain), took.Round(time.Microsecond), grown, growth)
			if growth > most {
				t.Errorf("%s, %q: %v, %.1f times a quarter of it", policy, piece, took, growth)
			}
		}
	}
}

// quarter is cost for a request of a quarter of the size, of which what is very short says
// nothing.
func quarter(t *testing.T, m *Module, function, request string, calls int) time.Duration {
	t.Helper()
	took, _, _ := cost(t, m, function, request, calls)
	return max(took, 100*time.Microsecond)
}

// cost makes a call so many times on an instance of its own, and returns the
// shortest time, how much memory the instance took beyond an idle one, for each
// byte of the request, and the answer.
func cost(t *testing.T, m *Module, function, request string, calls int) (shortest time.Duration, grown float64, answer []byte) {
	t.Helper()
	ctx := context.Background()
	in, err := m.instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer in.drop()
	read := func(text, _ []byte) error { answer = append(answer[:0], text...); return nil }
	for range 100 { // so that it is idle, and not new
		if err := in.call(ctx, abi.FunctionMerge, []byte(`{"additionalContext":{"a":{"value":"b","kind":"untrusted"}}}`), read); err != nil {
			t.Fatal(err)
		}
	}
	idle := in.memory.Size()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	shortest = time.Hour
	for range calls {
		begun := threadTime(t)
		if err := in.call(ctx, function, []byte(request), read); err != nil {
			t.Fatal(err)
		}
		shortest = min(shortest, threadTime(t)-begun)
	}
	return shortest, float64(in.memory.Size()-idle) / float64(len(request)), answer
}

// threadTime returns how long this thread has run, whatever else the machine
// does.
func threadTime(t *testing.T) time.Duration {
	t.Helper()
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var now syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&now)), 0); errno != 0 {
		t.Fatal(errno)
	}
	return time.Duration(now.Nano())
}
