package json

// plainUnknowns reads members from i on, the first of an object or those behind a
// member, and adds their names to names, as long as there is room. It stops before
// one whose name may be known, and before whatever else it likes: everywhere, here,
// so that the reader does it all. It returns where the last one ends that it has
// read, and how many names there are.
func plainUnknowns(_ []byte, i int, _ bool, _ []string, names []String) (end, n int) {
	return i, len(names)
}

// passUnknown reads the next members of the object f, as long as they are unknown
// and simple.
func (r *Reader) passUnknown(f *Fields) {
	if f.strict || r.text[r.pos] == '}' {
		return
	}
	n := len(r.names)
	if n == cap(r.names) {
		r.names = Grow(r.names, r.More(n, 0))
	}
	// It leaves those to AddName with which it looks at them.
	room := looks
	for room <= n-int(f.base) {
		room *= 16
	}
	room = min(cap(r.names), int(f.base)+room-1)
	end, n := unknowns(r.text, r.pos, r.first, *f.names, r.names[:n:max(n, room)])
	r.names = r.names[:n]
	r.Pass(end)
}
