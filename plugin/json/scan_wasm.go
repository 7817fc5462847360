package json

// textEnd does what plainTextEnd says.
//
//go:noescape
func textEnd(text []byte, i int) (end, escapes int)

// equal does what plainEqual says.
//
//go:noescape
func equal(text []byte, a, b, n int) bool

// leads does what plainLeads says.
//
//go:noescape
func leads(text []byte, from, to int) int
