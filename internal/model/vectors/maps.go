package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// maps are merges of maps that are written in other ways than the output: it is
// what they say that counts.
func maps() file {
	const none = `{}`
	tab, ci, rules := u("browser_tab", "Inbox"), a("ci", "green\n\"all\" of it"), a("rules", "be brief, 日本語")
	store := object(tab, ci, rules)
	other := u("ci", "red")
	written := func(name string, in func(string) string) vector {
		return of(name,
			then(none, in(store), in(tab), in(ci), in(rules)),
			then(none, store, in(tab), in(other), in(u("log", "new"))),
			then(none, in(store), tab, ci),
			then(`{"updates":"patch"}`, store, in(other)))
	}
	var many []string
	for i := range 40 {
		many = append(many, u(fmt.Sprintf("key %02d", 7*i%40), strings.Repeat("v", i)))
	}
	reversed := slices.Clone(many)
	slices.Reverse(reversed)
	ten := many[:10]
	sorted := slices.Sorted(slices.Values(ten))
	escaped := u(`\`, "first as it is sent, last as it is kept")
	return file{"calls-maps.json", "Merges of maps in any order and in any words: what counts is what they say.", []vector{
		of("in another order than the store", then(none, store, rules, ci, tab), then(none, store, ci, rules, tab), then(none, store, rules, tab, other)),
		of("a store in another order, as from a database", then(none, object(rules, tab, ci), tab, ci, rules), then(none, object(rules, tab, ci), ci, rules, tab)),
		of("ten in any order", then(none, object(sorted...), ten...), then(none, object(ten...), sorted...), then(none, object(ten...), ten[3:]...), then(none, object(ten[3:]...), ten...)),
		of("forty in any order", then(none, object(many...), reversed...), then(none, object(reversed...), many[5:]...)),
		of("keys that begin alike", then(none, object(u("a", "1"), u("a ", "2"), u("aa", "3"), u("aaaaaaaa", "4"), u("aaaaaaaaa", "5"), u("ab", "6")),
			u("aaaaaaaaa", "5"), u("ab", "7"), u("aaaaaaaa", "4"), u("", "0"), u("aa", "3"), u("a", "2"))),
		written("the kind first", func(text string) string {
			return strings.NewReplacer(
				`{"value":"Inbox","kind":"untrusted"}`, `{"kind":"untrusted","value":"Inbox"}`, `{"value":"red","kind":"untrusted"}`, `{"kind":"untrusted","value":"red"}`,
				`{"value":"green\n\"all\" of it","kind":"application"}`, `{"kind":"application","value":"green\n\"all\" of it"}`,
			).Replace(text)
		}),
		written("a space behind each colon and comma", func(text string) string {
			return strings.NewReplacer(`":{"`, `": {"`, `":"`, `": "`, `","`, `", "`, `},"`, `}, "`).Replace(text)
		}),
		written("white space everywhere", func(text string) string {
			return strings.NewReplacer(`":{"`, "\" :\r\n\t{ \"", `":"`, `" : "`, `","`, "\" ,\n\"", `"}`, "\" }").Replace(text)
		}),
		written("escapes where there need be none", func(text string) string {
			return strings.NewReplacer("ci", `\u0063i`, "kind", `k\u0069nd`, "Inbox", `\u0049nb\u006fx`, "red", `r\u0065d`).Replace(text)
		}),
		of("the first key has escapes, and what comes behind it is as in the store, and before it in order",
			then(none, object(u("<", "same")), escaped, u("<", "same")), then(none, object(u("<", "same"), escaped), escaped, u("<", "same")),
			then(none, object(escaped, u("<", "same")), u("<", "same"), escaped)),
		of("entries that are gone or null between those that stay", then(`{"updates":"patch"}`, object(sorted...), gone(`key 07`), ten[2], gone("key 01")),
			then(`{"updates":"patch"}`, store, gone("rules"), gone("browser_tab"))),
		of("a key that stands twice, at any distance", then(none, store, tab, tab), then(none, store, ci, tab, ci), then(none, object(tab, ci, tab)),
			then(none, object(many...), append(slices.Clone(many), many[3])...)),
		of("the context first, and the store behind it",
			call{abi.FunctionMerge, `{"additionalContext":` + object(rules, tab, other) + `,"store":` + store + `}`},
			call{abi.FunctionMerge, `{"additionalContext":` + object(rules, tab) + `,"store":` + object(rules, tab, ci) + `}`}),
		of("values that only begin or end alike", then(none, object(u("a", "0123456789abcdef0123456789abcdef!"), u("b", "!0123456789abcdef0123456789abcdef")),
			u("a", "0123456789abcdef0123456789abcdef?"), u("b", "?0123456789abcdef0123456789abcdef"))),
	}}
}
