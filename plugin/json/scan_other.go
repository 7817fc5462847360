//go:build !wasm

package json

import "encoding/binary"

// Word returns the first eight bytes of b, the first of them lowest.
func Word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func textEnd(text []byte, i int) (end, saved int, form Form) { return plainTextEnd(text, i) }

func equal(text []byte, a, b, n int) bool { return plainEqual(text, a, b, n) }

func leads(text []byte, from, to int) int { return plainLeads(text, from, to) }

func rewrite(text []byte, to, from, end int) int { return plainRewrite(text, to, from, end) }

func forward(text []byte, i, n int) int { return plainForward(text, i, n) }

func backward(text []byte, start, i, n int) int { return plainBackward(text, start, i, n) }

func follows(text []byte, i int, s string) int { return plainFollows(text, i, s) }

func spaceEnd(text []byte, i int) int { return plainSpaceEnd(text, i) }

func compare(text []byte, a, n, b, m int) int { return plainCompare(text, a, n, b, m) }

func text(w *Writer, s string) { plainText(w, s) }

func openFields(r *Reader, f *Fields, names *[]string) bool { return openOther(r, f, names) }

func nextMember(r *Reader, f *Fields) int { return plainNextMember(r, f) }

// Elsewhere skipAhead, unknowns and items do nothing, and the reader does it all.

func skipAhead(_ []byte, _ *[MaxDepth + 1]frame, i, depth, _ int) (end, newDepth int, s state) {
	return i, depth, atValue
}

func mergeRuns(dst, a, b []sortKey) { plainMergeRuns(dst, a, b) }

func unknowns(_ []byte, i int, _ bool, _ []string, names []String, _ int) (end, n int) {
	return i, len(names)
}

func items(_ []byte, i int, _ Kinds, _ []String) (end, n int) { return i, 0 }

func shape(text []byte, i int, pieces []string, strings []String) (end, n int) {
	return plainShape(text, i, pieces, strings)
}

func fill(w *Writer, template, values []string) { plainFill(w, template, values) }

func each(w *Writer, text []byte, strings []String, after string) int {
	return plainEach(w, text, strings, after)
}
