package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A line is one way to write a line of text, with its line feed.
type line func(*rand.Rand) string

// pick returns one of the words.
func pick(rng *rand.Rand, words []string) string {
	return words[rng.IntN(len(words))]
}

var (
	nouns = strings.Fields(`account address backup browser build change client cluster column context
		customer deploy disk document editor entry error event field file folder header history host image
		index invoice issue job key library limit list log market memory message model module network node
		number object order page parser path plan policy price process project queue record region release
		report request result review row sample schedule schema screen server session setting signal source
		state step storage stream string system table team test thread ticket token traffic turn update user
		value version view warning window worker`)
	verbs = strings.Fields(`accepts adds builds calls checks clears closes compares copies counts deletes
		drops ends fails finds fixes follows holds keeps leaves loads marks merges moves needs opens parses
		prints reads records refuses renders repeats replaces returns runs saves sends shows skips sorts
		starts stops stores takes tells tests trims updates waits writes`)
	adjectives = strings.Fields(`active big broken clean current daily early empty exact fast final first
		fresh full hidden known large last late local long main missing new next old open partial plain
		public quick quiet recent remote short simple slow small stale stable strict whole`)
)

// prose is a paragraph's line, as on a web page: sentences, now and then one
// in quotation marks.
func prose(rng *rand.Rand) string {
	var b strings.Builder
	for range 2 + rng.IntN(3) {
		sentence := fmt.Sprintf("the %s %s %s the %s %s", pick(rng, adjectives), pick(rng, nouns),
			pick(rng, verbs), pick(rng, adjectives), pick(rng, nouns))
		switch rng.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "\"T%s,\" said the %s. ", sentence[1:], pick(rng, nouns))
		case 1:
			fmt.Fprintf(&b, "When it %s, t%s. ", pick(rng, verbs), sentence[1:])
		default:
			fmt.Fprintf(&b, "T%s. ", sentence[1:])
		}
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// code is a line of source, indented by tabs.
func code(rng *rand.Rand) string {
	noun, other := pick(rng, nouns), pick(rng, nouns)
	switch rng.IntN(5) {
	case 0:
		return fmt.Sprintf("func (%c *%s) %s(%s int) error {\n", noun[0], noun, pick(rng, verbs), other)
	case 1:
		return fmt.Sprintf("\tif %s.%s < %d {\n\t\treturn errors.New(\"%s %s\")\n\t}\n", noun, other,
			rng.IntN(1000), pick(rng, adjectives), other)
	case 2:
		return fmt.Sprintf("\t// The %s %s %s a %s.\n", pick(rng, adjectives), noun, pick(rng, verbs), other)
	case 3:
		return fmt.Sprintf("\treturn fmt.Errorf(\"%s: %%w\", err)\n}\n\n", noun)
	default:
		return fmt.Sprintf("\t%s := %s[%d] + len(%s)\n", noun, other, rng.IntN(100), pick(rng, nouns))
	}
}

// record is a line of a log.
func record(rng *rand.Rand) string {
	return fmt.Sprintf("2026-03-%02dT%02d:%02d:%02dZ %-5s %s/%s: %s %s %s %s=%d\n", 1+rng.IntN(28), rng.IntN(24),
		rng.IntN(60), rng.IntN(60), pick(rng, []string{"INFO", "WARN", "DEBUG"}), pick(rng, nouns),
		pick(rng, nouns), pick(rng, adjectives), pick(rng, nouns), pick(rng, verbs), pick(rng, nouns),
		rng.IntN(100_000))
}

// text returns lines that take exactly size bytes as the inside of a JSON
// string; the last one may be cut.
func text(rng *rand.Rand, write line, size int) string {
	var b strings.Builder
	for left := size; left > 0; {
		part := cut(write(rng), left)
		if part == "" { // the next character is an escape, and one byte is left
			part = "."
		}
		b.WriteString(part)
		left -= escapedLen(part)
	}
	return b.String()
}

// cut returns the longest beginning of text whose JSON form has at most size
// bytes.
func cut(s string, size int) string {
	for i := range len(s) {
		size -= width(s[i])
		if size < 0 {
			return s[:i]
		}
	}
	return s
}

// escapedLen returns the size of text as the inside of a JSON string.
func escapedLen(s string) int {
	size := 0
	for i := range len(s) {
		size += width(s[i])
	}
	return size
}

// width returns how many bytes a character of the lines above takes in a JSON
// string: all of them are ASCII, and these are the ones with an escape.
func width(c byte) int {
	if c == '\n' || c == '\t' || c == '"' {
		return 2
	}
	return 1
}

// edit returns a value that differs from the old one from some place in its
// first three quarters on, and has the same size in JSON.
func edit(rng *rand.Rand, write line, old string) string {
	kept := old[:rng.IntN(len(old)*3/4+1)]
	return kept + text(rng, write, escapedLen(old)-escapedLen(kept))
}
