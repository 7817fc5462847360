package model

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// The functions below write the canonical text of values (abi/README.md,
// "JSON").

// list writes an array.
func list[T any](items []T, write func(T) string) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = write(item)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

func writeStore(entries map[string]abi.Entry) abi.Store {
	members := []string{}
	for _, key := range keysOfEither(entries, nil) {
		members = append(members, fmt.Sprintf(`%s:{"value":%s,"kind":%s}`,
			quote(key), quote(entries[key].Value), quote(entries[key].Kind)))
	}
	return abi.Store("{" + strings.Join(members, ",") + "}")
}

func writeInput(input abi.Input) string {
	origin := ""
	if input.Key != nil {
		origin = fmt.Sprintf(`"key":%s,"kind":%s,`, quote(*input.Key), quote(input.Kind))
	}
	unresolved := ""
	if len(input.Unresolved) > 0 {
		unresolved = `,"unresolved":` + list(input.Unresolved, writeUnresolved)
	}
	return fmt.Sprintf(`{"source":%s,%s"hidden":%t,"item":{"type":%s,"role":%s,"content":%s}%s}`,
		quote(input.Source), origin, input.Hidden,
		quote(input.Item.Type), quote(input.Item.Role), list(input.Item.Content, writePart), unresolved)
}

func writePart(part abi.Content) string {
	if part.Type == abi.ImageContent {
		return fmt.Sprintf(`{"type":%s,"image_url":%s,"detail":%s}`, quote(part.Type), quote(part.ImageURL), quote(part.Detail))
	}
	return fmt.Sprintf(`{"type":%s,"text":%s}`, quote(part.Type), quote(part.Text))
}

func writeUnresolved(u abi.Unresolved) string {
	if u.Type == abi.LocalImageInput {
		return fmt.Sprintf(`{"at":%d,"type":%s,"path":%s,"detail":%s,"number":%d}`,
			u.At, quote(u.Type), quote(u.Path), quote(u.Detail), u.Number)
	}
	return fmt.Sprintf(`{"at":%d,"type":%s,"name":%s,"path":%s}`, u.At, quote(u.Type), quote(u.Name), quote(u.Path))
}

func writeReceipt(receipt abi.Receipt) string {
	truncated := ""
	if receipt.Truncated != nil {
		truncated = fmt.Sprintf(`"truncated":{"originalTokens":%d,"removedTokens":%d},`,
			receipt.Truncated.OriginalTokens, receipt.Truncated.RemovedTokens)
	}
	return fmt.Sprintf(`{"key":%s,"kind":%s,"change":%s,"tokens":%d,%s"warnings":%s}`,
		quote(receipt.Key), quote(receipt.Kind), quote(receipt.Change),
		receipt.Tokens, truncated, list(receipt.Warnings, quote[abi.Warning]))
}

// quote writes a string with the escapes that the ABI asks for, and no other.
func quote[S ~string](s S) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range string(s) {
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
