package json

// Grow makes room for n more items, and for no more than that, if there is less.
// It is not inlined: what it takes is a good part of a small function.
//
//go:noinline
func Grow[E any](items []E, n int) []E {
	if cap(items)-len(items) >= n {
		return items
	}
	grown := make([]E, len(items), len(items)+n)
	copy(grown, items)
	return grown
}

// Empty returns no items, with room for n.
//
//go:noinline
func Empty[E any](items []E, n int) []E {
	if cap(items) >= n {
		return items[:0]
	}
	return make([]E, 0, n)
}
