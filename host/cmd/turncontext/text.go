package main

import (
	"fmt"
	"strings"
	"unicode"
)

// visible makes text fit to be shown on a terminal: nothing in it moves the
// cursor, starts an escape sequence, changes the direction of writing or
// cannot be seen. A C0 control becomes its picture (ESC is ␛), any other
// invisible character its code point (<U+202E>), a tab four spaces. The joiners
// stay, because emoji and Persian words need them.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t':
			b.WriteString("    ")
		case r < ' ':
			b.WriteRune('␀' + r)
		case r == 0x7f:
			b.WriteRune('␡')
		case r == '\u200c' || r == '\u200d':
			b.WriteRune(r)
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// wide lists the blocks whose characters take two columns on a terminal. It is
// coarse: terminals differ in the rest.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, // Hangul Jamo
		{Lo: 0x231a, Hi: 0x231b, Stride: 1}, // watch, hourglass
		{Lo: 0x23e9, Hi: 0x23ec, Stride: 1},
		{Lo: 0x26a1, Hi: 0x26a1, Stride: 1},
		{Lo: 0x2705, Hi: 0x2705, Stride: 1}, // check mark
		{Lo: 0x2728, Hi: 0x2728, Stride: 1},
		{Lo: 0x274c, Hi: 0x274c, Stride: 1}, // cross mark
		{Lo: 0x2753, Hi: 0x2757, Stride: 1},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1}, // CJK radicals and punctuation
		{Lo: 0x3041, Hi: 0xa4cf, Stride: 1}, // kana, CJK ideographs, Yi
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, // Hangul
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, // fullwidth forms
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, // emoji
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1faff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1}, // CJK ideographs
	},
}

// runeWidth returns the columns that a character takes on a terminal.
func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// width returns the columns that visible text takes on a terminal.
func width(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

// fit returns visible text in at most limit columns; of a longer one the middle
// is left out.
func fit(text string, limit int) string {
	const gap = " ⋯ "
	if width(text) <= limit {
		return text
	}
	room := limit - width(gap)
	runes := []rune(text)
	head := take(runes, room-room/2)
	tail := takeLast(runes, room/2)
	return string(head) + gap + string(tail)
}

// take returns the longest beginning of runes in at most limit columns.
func take(runes []rune, limit int) []rune {
	n := 0
	for i, r := range runes {
		if n += runeWidth(r); n > limit {
			return runes[:i]
		}
	}
	return runes
}

// takeLast returns the longest end of runes in at most limit columns.
func takeLast(runes []rune, limit int) []rune {
	n := 0
	for i := len(runes) - 1; i >= 0; i-- {
		if n += runeWidth(runes[i]); n > limit {
			return runes[i+1:]
		}
	}
	return runes
}

// cell makes text fit for one cell of a table.
func cell(text string, limit int) string {
	if text == "" {
		return `""`
	}
	return fit(visible(text), limit)
}

// table writes rows in aligned columns. The columns of numbers, named by their
// index, are aligned to the right.
func table(b *strings.Builder, rows [][]string, numbers ...int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], width(text))
		}
	}
	right := map[int]bool{}
	for _, i := range numbers {
		right[i] = true
	}
	for _, row := range rows {
		var line strings.Builder
		for i, text := range row {
			pad := strings.Repeat(" ", widths[i]-width(text))
			if right[i] {
				text = pad + text
			} else {
				text += pad
			}
			line.WriteString("  " + text)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
