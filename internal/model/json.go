package model

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// Answer answers the JSON text of a merge request with the bytes of the
// canonical answer. The request has to be one that the module accepts: Answer
// returns an error for text that it cannot make sense of, but it checks neither
// for repeated names nor for ill-formed strings, depth or size.
func Answer(request []byte) ([]byte, error) {
	// encoding/json matches the fields of a struct whatever their case; a map
	// takes names as they are.
	var members map[string]json.RawMessage
	if err := json.Unmarshal(request, &members); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	if members == nil {
		return nil, fmt.Errorf("request: not an object")
	}
	store, err := readEntries(members["store"])
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	additionalContext, err := readEntries(members["additionalContext"])
	if err != nil {
		return nil, fmt.Errorf("additionalContext: %w", err)
	}
	var policy map[string]json.RawMessage
	if raw, ok := members["policy"]; ok {
		if err := json.Unmarshal(raw, &policy); err != nil {
			return nil, fmt.Errorf("policy: %w", err)
		}
	}
	if len(policy) > 0 {
		return nil, fmt.Errorf("policy: has fields")
	}
	return Write(Merge(store, additionalContext)), nil
}

// readEntries reads a map of entries. Nil text (an absent member) and null are
// an empty map.
func readEntries(text json.RawMessage) (map[string]abi.Entry, error) {
	if text == nil {
		return nil, nil
	}
	var raw map[string]map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	entries := map[string]abi.Entry{}
	for key, members := range raw {
		var value, kind *string
		if err := json.Unmarshal(members["value"], &value); err != nil || value == nil {
			return nil, fmt.Errorf("%q: no value", key)
		}
		if err := json.Unmarshal(members["kind"], &kind); err != nil || kind == nil {
			return nil, fmt.Errorf("%q: no kind", key)
		}
		entry := abi.Entry{Value: *value, Kind: abi.Kind(*kind)}
		if entry.Kind != abi.Untrusted && entry.Kind != abi.Application {
			return nil, fmt.Errorf("%q: unknown kind %q", key, *kind)
		}
		entries[key] = entry
	}
	return entries, nil
}

// Write returns the canonical text of an answer of merge (abi/README.md,
// "JSON").
func Write(response abi.MergeResponse) []byte {
	inputs := []string{}
	for _, input := range response.Inputs {
		inputs = append(inputs, writeInput(input))
	}
	receipts := []string{}
	for _, receipt := range response.Receipts {
		receipts = append(receipts, writeReceipt(receipt))
	}
	return fmt.Appendf(nil, `{"store":%s,"inputs":[%s],"receipts":[%s]}`,
		response.Store, strings.Join(inputs, ","), strings.Join(receipts, ","))
}

func writeStore(entries map[string]abi.Entry) abi.Store {
	members := []string{}
	for _, key := range keysOfEither(entries, nil) {
		members = append(members, fmt.Sprintf(`%s:{"value":%s,"kind":%s}`,
			quote(key), quote(entries[key].Value), quote(string(entries[key].Kind))))
	}
	return abi.Store("{" + strings.Join(members, ",") + "}")
}

// writeInput writes an input of Merge, which always has a key and one part.
func writeInput(input abi.Input) string {
	return fmt.Sprintf(`{"source":%s,"key":%s,"kind":%s,"hidden":%t,"item":`+
		`{"type":%s,"role":%s,"content":[{"type":%s,"text":%s}]}}`,
		quote(string(input.Source)), quote(*input.Key), quote(string(input.Kind)), input.Hidden,
		quote(input.Item.Type), quote(input.Item.Role),
		quote(input.Item.Content[0].Type), quote(input.Item.Content[0].Text))
}

func writeReceipt(receipt abi.Receipt) string {
	truncated := ""
	if receipt.Truncated != nil {
		truncated = fmt.Sprintf(`"truncated":{"originalTokens":%d,"removedTokens":%d},`,
			receipt.Truncated.OriginalTokens, receipt.Truncated.RemovedTokens)
	}
	warnings := []string{}
	for _, warning := range receipt.Warnings {
		warnings = append(warnings, quote(string(warning)))
	}
	return fmt.Sprintf(`{"key":%s,"kind":%s,"change":%s,"tokens":%d,%s"warnings":[%s]}`,
		quote(receipt.Key), quote(string(receipt.Kind)), quote(string(receipt.Change)),
		receipt.Tokens, truncated, strings.Join(warnings, ","))
}

// quote writes a string with the escapes that the ABI asks for, and no other.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ':
			b.WriteString(`\u00` + strconv.FormatInt(int64(0x100+r), 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
