// Package model says a second time, as plainly as possible, what the module
// does: with maps, runes and encoding/json, no regard for speed, and no code
// shared with the plugin. Tests hold the plugin and the conformance vectors to
// it.
package model

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
)

// The default budget of a value, and the bytes that the estimate takes for one
// token (abi/README.md, "merge").
const (
	maxValueTokens = 1000
	tokenBytes     = 4
)

// Merge compares the context sent with the store, under the default policy.
// Nil maps are empty ones. The answer's store is the map sent, in its canonical
// text.
func Merge(store, additionalContext map[string]abi.Entry) abi.MergeResponse {
	response := abi.MergeResponse{
		Store:    writeStore(additionalContext),
		Inputs:   []abi.Input{},
		Receipts: []abi.Receipt{},
	}
	for _, key := range keysOfEither(store, additionalContext) {
		old, stood := store[key]
		entry, sent := additionalContext[key]
		switch {
		case !sent:
			response.Receipts = append(response.Receipts, quiet(key, old.Kind, abi.Removed))
		case stood && entry == old:
			response.Receipts = append(response.Receipts, quiet(key, entry.Kind, abi.Unchanged))
		default:
			change := abi.Added
			if stood {
				change = abi.Changed
			}
			input, receipt := inject(key, entry, change)
			response.Inputs = append(response.Inputs, input)
			response.Receipts = append(response.Receipts, receipt)
		}
	}
	return response
}

// keysOfEither returns the keys of both maps, each once, by their UTF-8 bytes.
func keysOfEither(a, b map[string]abi.Entry) []string {
	var keys []string
	for key := range a {
		keys = append(keys, key)
	}
	for key := range b {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// quiet is the receipt of a key for which nothing was injected.
func quiet(key string, kind abi.Kind, change abi.Change) abi.Receipt {
	return abi.Receipt{Key: key, Kind: kind, Change: change, Warnings: []abi.Warning{}}
}

func inject(key string, entry abi.Entry, change abi.Change) (abi.Input, abi.Receipt) {
	role, name := "user", "external_"+key
	if entry.Kind == abi.Application {
		role, name = "developer", key
	}
	opening, closing := "<"+name+">", "</"+name+">"
	value, truncated := Truncate(entry.Value, maxValueTokens)
	text := opening + value + closing

	warnings := []abi.Warning{}
	if entry.Kind == abi.Untrusted && strings.Contains(key, ">") {
		warnings = append(warnings, abi.KeyHasGT)
	}
	if strings.Contains(value, closing) {
		warnings = append(warnings, abi.ValueHasClosingTag)
	}
	if strings.ContainsFunc(value, isControl) {
		warnings = append(warnings, abi.ControlCharacters)
	}

	input := abi.Input{
		Source: abi.SourceAdditionalContext,
		Key:    &key,
		Kind:   entry.Kind,
		Hidden: true,
		Item: abi.Item{
			Type:    "message",
			Role:    role,
			Content: []abi.Content{{Type: abi.InputText, Text: text}},
		},
	}
	receipt := abi.Receipt{
		Key:       key,
		Kind:      entry.Kind,
		Change:    change,
		Tokens:    tokens(len(text)),
		Truncated: truncated,
		Warnings:  warnings,
	}
	return input, receipt
}

// isControl reports what stripping takes out of a value. Every ANSI sequence
// begins with ESC or a C1 character, so the characters alone tell.
func isControl(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return false
	case r < ' ', 0x7f <= r && r <= 0x9f:
		return true
	}
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

// tokens estimates how many tokens so many bytes of UTF-8 are.
func tokens(bytes int) int {
	return (bytes + tokenBytes - 1) / tokenBytes
}

// Truncate cuts a value in the middle to a budget in tokens. It returns the
// text that remains and what was cut, nil where nothing was.
func Truncate(value string, maxTokens int) (string, *abi.Truncated) {
	budget := maxTokens * tokenBytes
	if len(value) <= budget {
		return value, nil
	}
	removed := tokens(len(value) - budget)
	marker := fmt.Sprintf("…%d tokens truncated…", removed)
	text := beginning(value, budget/2) + marker + end(value, budget-budget/2)
	if text == value {
		return value, nil
	}
	return text, &abi.Truncated{OriginalTokens: tokens(len(value)), RemovedTokens: removed}
}

// beginning returns the whole characters that fit into so many bytes.
func beginning(value string, bytes int) string {
	kept := 0
	for kept < len(value) {
		_, size := utf8.DecodeRuneInString(value[kept:])
		if kept+size > bytes {
			break
		}
		kept += size
	}
	return value[:kept]
}

// end is beginning from the other side.
func end(value string, bytes int) string {
	kept := 0
	for kept < len(value) {
		_, size := utf8.DecodeLastRuneInString(value[:len(value)-kept])
		if kept+size > bytes {
			break
		}
		kept += size
	}
	return value[len(value)-kept:]
}

// Hidden reports whether a user's text is hidden context, as the reference
// wrapper writes it.
func Hidden(text string) bool {
	text = strings.TrimFunc(text, unicode.IsSpace)
	rest, ok := strings.CutPrefix(text, "<external_")
	if !ok {
		return false
	}
	key, _, ok := strings.Cut(rest, ">")
	return ok && strings.HasSuffix(text, "</external_"+key+">")
}
