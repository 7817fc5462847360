package store

// writeMembers does what plainWriteMembers says.
//
//go:noescape
func writeMembers(dst, text []byte, entries []Entry) (written, n int)
