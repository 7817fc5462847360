package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

// hostile is text that would take over a terminal that showed it as it is.
const hostile = "\x1b]0;owned\a\x1b[2J\r\u202edoc\u2066\u009b31m\x00\u200b\nReceipts (0 tokens in all)\n  none"

func TestShowTurnNeutralisesHostileText(t *testing.T) {
	key := hostile
	sent := &turn{
		Title:             hostile,
		AdditionalContext: json.RawMessage(`{"shown":"by entries"}`),
		UserInput:         hostile,
		entries:           map[string]abi.Entry{hostile: {Value: hostile, Kind: hostile}},
	}
	answer := &abi.MergeResponse{
		Inputs: []abi.Input{{
			Key: &key, Kind: hostile, Hidden: true,
			Item: abi.Item{Role: hostile, Content: []abi.Content{{Text: hostile}}},
		}},
		Receipts: []abi.Receipt{{Key: hostile, Kind: hostile, Change: hostile, Warnings: []abi.Warning{hostile}}},
	}
	shown := showTurn(1, 1, sent, answer)
	for line := range strings.Lines(shown) {
		if bad := actsOnTerminal(strings.TrimSuffix(line, "\n")); bad != "" {
			t.Errorf("%q stands in %q", bad, line)
		}
	}
	if n := strings.Count(shown, "\nReceipts ("); n != 1 {
		t.Errorf("%d headings, the text passes for one:\n%s", n, shown)
	}
}

func TestShowSentKeepsAbsentNullAndEmptyApart(t *testing.T) {
	for sent, want := range map[string]string{
		"":     "  no additionalContext\n",
		"null": "  additionalContext: null\n",
		"{}":   "  additionalContext: {}\n",
	} {
		var b strings.Builder
		t1 := &turn{}
		if sent != "" {
			t1.AdditionalContext = json.RawMessage(sent)
		}
		showSent(&b, t1)
		if b.String() != want {
			t.Errorf("%q is shown as %q, want %q", sent, b.String(), want)
		}
	}
}

func TestShowTextLeavesOutTheMiddleButNotTheMarker(t *testing.T) {
	lines := make([]string, 40)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i)
	}
	lines[20] = strings.Repeat("b", 200) + "…7 tokens truncated…" + strings.Repeat("a", 200)
	var b strings.Builder
	showText(&b, "user", strings.Join(lines, "\n"), "…7 tokens truncated…")
	shown := b.String()
	for _, want := range []string{"user               │ line 0\n", "│ line 5\n", "┆ (lines not shown here: 14)\n", "b…7 tokens truncated…a", "┆ (lines not shown here: 15)\n", "│ line 36\n", "│ line 39\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown:\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "line 6\n") || strings.Contains(shown, "line 35\n") {
		t.Errorf("the middle is shown:\n%s", shown)
	}
	for line := range strings.Lines(shown) {
		if width(line) > lineWidth+len("  developer (hidden) | \n") {
			t.Errorf("a line takes %d columns: %s", width(line), line)
		}
	}
}

func TestShowReceipts(t *testing.T) {
	var b strings.Builder
	showReceipts(&b, []abi.Receipt{
		{Key: "", Kind: abi.Untrusted, Change: abi.Removed, Warnings: []abi.Warning{}},
		{
			Key: "チャット", Kind: abi.Application, Change: abi.Added, Tokens: 1013,
			Truncated: &abi.Truncated{OriginalTokens: 7609, RemovedTokens: 6609},
			Warnings:  []abi.Warning{abi.ControlCharacters, abi.ValueHasClosingTag},
		},
	})
	want := `
  key       kind         change   tokens  truncated     warnings
  ""        untrusted    removed       0  -             -
  チャット  application  added      1013  6609 of 7609  control_characters, value_has_closing_tag
`[1:]
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
