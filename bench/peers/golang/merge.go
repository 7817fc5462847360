// Package golang is the merge of turncontext written natively, to measure the
// module against: encoding/json into typed maps, merge, encoding/json out.
package golang

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
)

const (
	budget        = 4000 // bytes of a value that the model is given
	bytesPerToken = 4
)

type entry struct {
	Value string   `json:"value"`
	Kind  abi.Kind `json:"kind"`
}

type request struct {
	Store             map[string]entry `json:"store"`
	AdditionalContext map[string]entry `json:"additionalContext"`
}

type response struct {
	Store    map[string]entry `json:"store"`
	Inputs   []input          `json:"inputs"`
	Receipts []abi.Receipt    `json:"receipts"`
}

type input struct {
	Source abi.Source `json:"source"`
	Key    string     `json:"key"`
	Kind   abi.Kind   `json:"kind"`
	Hidden bool       `json:"hidden"`
	Item   item       `json:"item"`
}

type item struct {
	Type    string    `json:"type"`
	Role    string    `json:"role"`
	Content []content `json:"content"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Merge answers a request as merge does under the default policy (README.md of
// package abi). It takes the request to be well-formed.
func Merge(text []byte) ([]byte, error) {
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	answer := response{
		Store:    r.AdditionalContext,
		Inputs:   []input{},
		Receipts: make([]abi.Receipt, 0, len(r.AdditionalContext)),
	}
	if answer.Store == nil {
		answer.Store = map[string]entry{}
	}
	for _, key := range keys(r.Store, r.AdditionalContext) {
		answer.add(key, r.Store, r.AdditionalContext)
	}

	var out bytes.Buffer
	out.Grow(len(text))
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// keys returns the keys of both maps, sorted.
func keys(old, current map[string]entry) []string {
	list := make([]string, 0, max(len(old), len(current)))
	list = slices.AppendSeq(list, maps.Keys(current))
	for key := range old {
		if _, ok := current[key]; !ok {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// add adds the receipt of one key, and its input if there is one.
func (r *response) add(key string, old, current map[string]entry) {
	before, had := old[key]
	now, has := current[key]
	receipt := abi.Receipt{Key: key, Kind: now.Kind, Warnings: []abi.Warning{}}
	switch {
	case !has:
		receipt.Kind, receipt.Change = before.Kind, abi.Removed
	case !had:
		receipt.Change = abi.Added
	case before != now:
		receipt.Change = abi.Changed
	default:
		receipt.Change = abi.Unchanged
	}
	if receipt.Change == abi.Added || receipt.Change == abi.Changed {
		r.Inputs = append(r.Inputs, render(key, now, &receipt))
	}
	r.Receipts = append(r.Receipts, receipt)
}

// render returns what the model is told, and completes the receipt.
func render(key string, e entry, receipt *abi.Receipt) input {
	role, tag := "user", "external_"+key+">"
	if e.Kind == abi.Application {
		role, tag = "developer", key+">"
	}
	value := e.Value
	if cut := truncate(value); cut != value {
		receipt.Truncated = &abi.Truncated{
			OriginalTokens: tokens(len(value)),
			RemovedTokens:  tokens(len(value) - budget),
		}
		value = cut
	}
	fragment := "<" + tag + value + "</" + tag
	receipt.Tokens = tokens(len(fragment))
	if e.Kind == abi.Untrusted && strings.Contains(key, ">") {
		receipt.Warnings = append(receipt.Warnings, abi.KeyHasGT)
	}
	if strings.Contains(value, "</"+tag) {
		receipt.Warnings = append(receipt.Warnings, abi.ValueHasClosingTag)
	}
	if strings.ContainsFunc(value, isControl) {
		receipt.Warnings = append(receipt.Warnings, abi.ControlCharacters)
	}
	return input{
		Source: abi.SourceAdditionalContext,
		Key:    key,
		Kind:   e.Kind,
		Hidden: true,
		Item:   item{Type: "message", Role: role, Content: []content{{Type: abi.TextContent, Text: fragment}}},
	}
}

// truncate cuts the middle out of a value that is over the budget.
func truncate(value string) string {
	if len(value) <= budget {
		return value
	}
	end := budget / 2
	for !utf8.RuneStart(value[end]) {
		end--
	}
	start := len(value) - budget/2
	for start < len(value) && !utf8.RuneStart(value[start]) {
		start++
	}
	return value[:end] + "…" + strconv.Itoa(tokens(len(value)-budget)) + " tokens truncated…" + value[start:]
}

func tokens(size int) int { return (size + bytesPerToken - 1) / bytesPerToken }

// isControl reports whether a character is a control character other than tab
// and line feed, or turns the direction of text.
func isControl(c rune) bool {
	switch {
	case c == '\t' || c == '\n':
		return false
	case 0x202A <= c && c <= 0x202E, 0x2066 <= c && c <= 0x2069:
		return true
	}
	return unicode.IsControl(c)
}
