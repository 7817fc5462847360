package fragment

// hasControl does what plainHasControl says.
//
//go:noescape
func hasControl(text []byte) bool
