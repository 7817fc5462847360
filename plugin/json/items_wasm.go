package json

// items does what plainItems says.
//
//go:noescape
func items(text []byte, i int, kinds Kinds, strings []String) (end, n int)
