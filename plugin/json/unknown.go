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
	settled := r.Settled()
	if f.strict && !settled || r.text[r.pos] == '}' {
		return
	}
	before := len(r.names)
	if before == cap(r.names) {
		r.names = Grow(r.names, r.More(before, 0))
	}
	room := cap(r.names)
	if !settled {
		room = min(room, int(f.base)+looksNext(before-int(f.base))-1)
	}
	end, n := unknowns(r.text, r.pos, r.first, *f.names, r.names[:before:max(before, room)])
	if settled {
		n = before // nobody asks for them
	}
	r.names = r.names[:n]
	r.Pass(end)
}

// looksNext returns with which name, behind n of them, AddName looks at all next.
func looksNext(n int) int {
	next := looks
	for next <= n {
		next *= 16
	}
	return next
}
