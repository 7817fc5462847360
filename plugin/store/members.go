package store

import "github.com/turncontext/turncontext/plugin/json"

// plainWriteMembers writes entries of text to dst, as the output has them and with
// commas between them, as long as none is Foreign. It stops where it likes for want of room:
// so it does here always. It returns how many bytes and how many entries it has written.
func plainWriteMembers(_, _ []byte, _ []Entry) (written, n int) { return 0, 0 }

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
