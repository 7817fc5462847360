package store

import "github.com/turncontext/turncontext/plugin/json"

// writeNext writes one entry or more, and returns how many.
func writeNext(w *json.Writer, text []byte, entries []Entry) int {
	room := w.Room(0)
	if written, n := writeMembers(room[:cap(room)], text, entries); n > 0 {
		w.Extend(written)
		return n
	}
	canonical := canonicalRun(entries)
	if canonical == 0 {
		entries[0].write(w, text)
		return 1
	}
	w.Raw(text[entries[0].start:entries[canonical-1].end])
	return canonical
}
