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
	b.WriteString("\n" + receiptsTable(answer.Receipts) + "\n")
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
		rows = append(rows, sentRow(key, t.entries[key]))
	}
	table(b, rows, 2)
}

// sentRow returns the cells of an entry; one that is gone is null.
func sentRow(key string, entry abi.Entry) []string {
	if entry.Removed {
		return []string{cell(key, keyWidth), "-", "-", "null"}
	}
	return []string{
		cell(key, keyWidth),
		cell(string(entry.Kind), keyWidth),
		strconv.Itoa(len(entry.Value)),
		cell(entry.Value, valueWidth),
	}
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
