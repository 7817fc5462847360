package store

// writeMembers writes entries of text to dst, as the output has them and with commas
// between them, as long as no value is Foreign and there is room. It returns how many bytes and
// how many entries it has written.
//
//go:noescape
func writeMembers(dst, text []byte, entries []Entry) (written, n int)
