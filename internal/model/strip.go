package model

import (
	"regexp"
	"strings"
)

// What strip takes out (design, "Exact details": strip). An alternative is tried
// only where those before it do not match, so that a sequence that does not end
// as it should is one of the later ones.
var stripped = regexp.MustCompile(`(?s)` + strings.Join([]string{
	`(?:\x1b\[|\x{9b})[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]`,                       // CSI
	`(?:\x1b[\]PX^_]|[\x{9d}\x{90}\x{98}\x{9e}\x{9f}]).*?(?:\x07|\x1b\\|\x{9c})`, // OSC, DCS, SOS, PM, APC
	`\x1b[\[\]PX^_]`,                       // one of these that does not end
	`\x1b[\x20-\x2f]*[\x30-\x7e]`,          // any other escape
	`\x1b[\x20-\x2f]?`,                     // one that does not end
	`[\x00-\x08\x0b-\x1f\x7f-\x{9f}]`,      // C0 but tab and newline, DEL, C1
	`[\x{202a}-\x{202e}\x{2066}-\x{2069}]`, // bidirectional
}, "|"))

// Strip takes control characters out of a value.
func Strip(value string) string {
	return stripped.ReplaceAllString(value, "")
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
