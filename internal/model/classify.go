package model

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/turncontext/turncontext/abi"
)

// classifyRequest is the shape of a request to classify.
var classifyRequest = objectOf(
	field{"items", required, listOf(historyItem)},
	field{"store", optional, orNull(entries)},
	policyField,
)

// origin is what hidden context was told under.
type origin struct {
	key  string
	kind abi.Kind
}

// Classify answers a request to classify, as Call does.
func Classify(request []byte) ([]byte, error) {
	v, err := read(request)
	if err != nil {
		return nil, err
	}
	if refusal := check(classifyRequest, v); refusal != nil {
		return refuse(refusal), nil
	}
	p, store := readPolicy(v.given("policy")), readEntries(v.given("store"))
	return fmt.Appendf(nil, `{"items":%s}`, list(v.find("items").items, func(item value) string {
		found := p.recognise(parts(item), store)
		if found == nil {
			return `{"hidden":false}`
		}
		return fmt.Sprintf(`{"hidden":true,"key":%s,"kind":%s}`, quote(found.key), quote(found.kind))
	})), nil
}

// recognise returns what the first part of a message that is hidden context was
// told under, nil if none is (design, "Recognise").
func (p Policy) recognise(parts []part, store map[string]abi.Entry) *origin {
	for _, said := range parts {
		found := p.recogniseUser(said.text)
		if said.role == "developer" {
			found = p.recogniseDeveloper(said.text, store)
		}
		if found != nil {
			return found
		}
	}
	return nil
}

func (p Policy) recogniseUser(text string) *origin {
	text = strings.TrimFunc(text, unicode.IsSpace)
	if key := referenceKey(text); key != nil {
		return &origin{*key, abi.Untrusted}
	}
	if key := elementKey(text, "external_context"); p.Wrapper == "attribute" && key != nil {
		return &origin{*key, abi.Untrusted}
	}
	return nil
}

func (p Policy) recogniseDeveloper(text string, store map[string]abi.Entry) *origin {
	if key := elementKey(text, "application_context"); p.Wrapper == "attribute" && key != nil {
		return &origin{*key, abi.Application}
	}
	var longest *string
	for key := range store {
		if between(text, "<"+key+">", "</"+key+">") && (longest == nil || len(key) > len(*longest)) {
			longest = &key
		}
	}
	if longest == nil {
		return nil
	}
	return &origin{*longest, abi.Application}
}

// Hidden reports whether a user's text is hidden context, as the reference
// wrapper writes it.
func Hidden(text string) bool {
	return DefaultPolicy().recogniseUser(text) != nil
}

// referenceKey returns the key that a user's text names as the reference wrapper
// does, nil if it does not.
func referenceKey(text string) *string {
	rest, begins := strings.CutPrefix(text, "<external_")
	key, _, ends := strings.Cut(rest, ">")
	if begins && ends && strings.HasSuffix(text, "</external_"+key+">") {
		return &key
	}
	return nil
}

// elements are the two elements of the attribute wrapper, to the byte.
var elements = func() map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for _, name := range []string{"external_context", "application_context"} {
		all[name] = regexp.MustCompile(`\A<` + name + ` source="((?:[^&<>"\t\n\r]|&(?:amp|lt|gt|quot|#9|#10|#13);)*)">` +
			`(?:[^&<>]|&(?:amp|lt|gt);)*</` + name + `>\z`)
	}
	return all
}()

// elementKey returns the key of a text that is one element of that name, nil if
// it is none.
func elementKey(text, name string) *string {
	found := elements[name].FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	key := unescapeKey(found[1])
	return &key
}
