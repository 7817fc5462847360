package json

// decode does what plainDecode says.
//
//go:noescape
func decode(text []byte, i int) (end int)

// escape does what plainEscape says.
//
//go:noescape
func escape(dst []byte, s string) (n, read int)
