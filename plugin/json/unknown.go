package json

// PassItems reads the item at hand and those behind it, as long as they are of these
// kinds and simple: a container is empty. It returns how many it has read, none if the
// item at hand is another. If strings has room, kinds is that of strings alone, and it
// writes them there and reads no more than there is room for.
func (r *Reader) PassItems(kinds Kinds, strings []String) int {
	if r.depth == MaxDepth {
		kinds &^= 1<<KindArray | 1<<KindObject
	}
	end, n := items(r.text, r.pos, kinds, strings)
	if n > 0 {
		r.PassedItems(end, n)
	}
	return n
}

// PassedItems says that the caller has read n items of the array at hand, from the one at
// hand on, up to end.
func (r *Reader) PassedItems(end, n int) {
	r.pos = end
	r.frames[r.depth].index += int32(n) - 1
}

// PassAll does the same, and reads the item at hand whatever it is.
func (r *Reader) PassAll(kinds Kinds) int {
	n := r.PassItems(kinds, nil)
	if n == 0 {
		r.Skip()
		n = 1
	}
	return n
}

// roomBefore makes room for names behind those there are, of the list that begins at base. It
// returns how many there are, and up to how many there may be before AddName looks at them.
func (r *Reader) roomBefore(base int) (before, room int) {
	before = len(r.names)
	r.roomForNames(fewNames)
	return before, max(before, min(cap(r.names), base+NextLook(before-base)-1))
}

// passUnknown reads the next members of the object f, as long as they are unknown.
func (r *Reader) passUnknown(f *Fields) {
	settled := r.Settled()
	if f.strict && !settled || r.text[r.pos] == '}' {
		return
	}
	before, room := r.roomBefore(int(f.base))
	if settled {
		room = cap(r.names) // nobody looks at them
	}
	end, n := unknowns(r.text, r.pos, r.first, *f.names, r.names[:before:room], r.depth)
	if settled {
		n = before
	}
	r.names = r.names[:n]
	r.Pass(end)
}
