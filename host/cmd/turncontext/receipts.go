package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// tableFlag is a flag of the commands whose answers have receipts.
type tableFlag struct {
	Table bool `help:"Show the receipts as a table on standard error as well, for a person."`
}

// show writes the receipts of an answer, if the flag says so.
func (f tableFlag) show(e *environment, answer []byte) error {
	if !f.Table {
		return nil
	}
	var told struct{ Receipts []abi.Receipt }
	if err := json.Unmarshal(answer, &told); err != nil {
		return fmt.Errorf("the module's answer: %w", err)
	}
	_, err := io.WriteString(e.stderr, receiptsTable(told.Receipts))
	return err
}

// receiptsTable returns receipts as a table, with a heading. Nothing in it is a
// control character but the line feeds.
func receiptsTable(receipts []abi.Receipt) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Receipts (%d tokens in all)\n", totalTokens(receipts))
	showReceipts(&b, receipts)
	return b.String()
}

func showReceipts(b *strings.Builder, receipts []abi.Receipt) {
	if len(receipts) == 0 {
		b.WriteString("  none\n")
		return
	}
	rows := [][]string{{"key", "kind", "change", "tokens", "truncated", "warnings"}}
	for _, r := range receipts {
		rows = append(rows, []string{
			cell(r.Key, keyWidth),
			cell(string(r.Kind), keyWidth),
			cell(string(r.Change), keyWidth),
			strconv.Itoa(r.Tokens),
			truncatedCell(r.Truncated),
			warningsCell(r.Warnings),
		})
	}
	table(b, rows, 3)
}

func totalTokens(receipts []abi.Receipt) int {
	total := 0
	for _, r := range receipts {
		total += r.Tokens
	}
	return total
}

func truncatedCell(t *abi.Truncated) string {
	if t == nil {
		return "-"
	}
	return fmt.Sprintf("%d of %d", t.RemovedTokens, t.OriginalTokens)
}

func warningsCell(warnings []abi.Warning) string {
	if len(warnings) == 0 {
		return "-"
	}
	names := make([]string, len(warnings))
	for i, w := range warnings {
		names[i] = cell(string(w), keyWidth)
	}
	return strings.Join(names, ", ")
}
