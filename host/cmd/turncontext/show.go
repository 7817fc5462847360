package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// How much of a text is shown: lines at its beginning and its end, columns of
// each line.
const (
	headLines  = 6
	tailLines  = 4
	lineWidth  = 96
	keyWidth   = 32
	valueWidth = 60
)

// showTurn returns what is to be read about one turn: what was sent, what the
// model sees, and the receipts. Nothing in it is a control character but the
// line feeds.
func showTurn(number, of int, t *turn, answer *abi.MergeResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "━━ Turn %d of %d ━━ %s\n\n", number, of, visible(t.Title))
	b.WriteString("The client sends\n")
	showSent(&b, t)
	b.WriteString("\nThe model now sees\n")
	showInputs(&b, answer, t.UserInput)
	fmt.Fprintf(&b, "\nReceipts (%d tokens in all)\n", totalTokens(answer.Receipts))
	showReceipts(&b, answer.Receipts)
	b.WriteString("\n")
	return b.String()
}

func showSent(b *strings.Builder, t *turn) {
	switch {
	case t.AdditionalContext == nil:
		b.WriteString("  no additionalContext\n")
		return
	case len(t.entries) == 0:
		fmt.Fprintf(b, "  additionalContext: %s\n", t.AdditionalContext)
		return
	}
	rows := [][]string{{"key", "kind", "bytes", "value"}}
	for _, key := range slices.Sorted(maps.Keys(t.entries)) {
		entry := t.entries[key]
		rows = append(rows, []string{
			cell(key, keyWidth),
			cell(string(entry.Kind), keyWidth),
			strconv.Itoa(len(entry.Value)),
			cell(entry.Value, valueWidth),
		})
	}
	table(b, rows, 2)
}

// showInputs shows the messages of a turn: the hidden ones that the module
// made, then the person's own.
func showInputs(b *strings.Builder, answer *abi.MergeResponse, userInput string) {
	markers := markersOf(answer.Receipts)
	for _, input := range answer.Inputs {
		role := input.Item.Role
		if input.Hidden {
			role += " (hidden)"
		}
		for _, part := range input.Item.Content {
			showText(b, role, part.Text, markers[keyOf(input)])
		}
	}
	showText(b, "user", userInput, "")
}

func keyOf(input abi.Input) string {
	if input.Key == nil {
		return ""
	}
	return *input.Key
}

// markersOf returns for each key whose value was cut the marker that stands in
// its text.
func markersOf(receipts []abi.Receipt) map[string]string {
	markers := map[string]string{}
	for _, r := range receipts {
		if r.Truncated != nil {
			markers[r.Key] = fmt.Sprintf("…%d tokens truncated…", r.Truncated.RemovedTokens)
		}
	}
	return markers
}

// showText shows one message, its role before the first line. Each line of the
// text stands behind a bar, so that no text passes for the words around it; of
// a long one the middle is left out, but for the line with the marker.
func showText(b *strings.Builder, role, text, marker string) {
	lines := strings.Split(text, "\n")
	label := cell(role, keyWidth)
	left := 0
	for i, line := range lines {
		marked := marker != "" && strings.Contains(line, marker)
		if i >= headLines && i < len(lines)-tailLines && !marked {
			left++
			continue
		}
		showLeftOut(b, left)
		left = 0
		shown := fmt.Sprintf("  %-18s │ %s", label, fitLine(line, marker))
		b.WriteString(strings.TrimRight(shown, " ") + "\n")
		label = ""
	}
}

// showLeftOut shows, behind a bar of its own, that lines are not shown.
func showLeftOut(b *strings.Builder, lines int) {
	if lines > 0 {
		fmt.Fprintf(b, "  %-18s ┆ (lines not shown here: %d)\n", "", lines)
	}
}

// fitLine makes one line fit to be shown. The marker stays in sight.
func fitLine(line, marker string) string {
	before, after, found := strings.Cut(line, marker)
	if marker == "" || !found {
		return fit(visible(line), lineWidth)
	}
	side := (lineWidth - width(marker)) / 2
	return fit(visible(before), side) + marker + fit(visible(after), side)
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
