package fragment

// controlAt does what plainControlAt says.
//
//go:noescape
func controlAt(text []byte) int
