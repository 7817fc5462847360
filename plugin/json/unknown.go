package json

// plainUnknowns reads members from i on, the first of an object or those behind a
// member, and adds their names to names, as long as there is room. What they hold may
// have brackets, with nothing between them. It stops before one whose name may be known, and before whatever else it likes: everywhere, here,
// so that the reader does it all. It returns where the last one ends that it has
// read, and how many names there are.
func plainUnknowns(_ []byte, i int, _ bool, _ []string, names []String) (end, n int) {
	return i, len(names)
}

// plainItems reads items of an array from i on, as long as they are of these kinds and
// it likes them. It returns where the last one ends that it has read, and how many it has
// read: nothing, here, so that the reader does it all. If strings has room, kinds is
// that of strings alone, and it writes them there and reads no more than there is room for.
func plainItems(_ []byte, i int, _ Kinds, _ []String) (end, n int) { return i, 0 }

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

// passMembers reads the next members of the object at hand, as long as they are simple.
func (r *Reader) passMembers() {
	if r.depth == MaxDepth {
		return // it may hold no brackets
	}
	r.roomForNames(fewNames) // nobody asks for them
	n := len(r.names)
	end, _ := unknowns(r.text, r.pos, r.first, nil, r.names[:n])
	r.Pass(end)
}

// PassEmpty reads the next members of the object at hand, as long as they are simple and
// their values empty objects or null, and adds their names to the list that begins at base.
func (r *Reader) PassEmpty(base int) {
	const few = 16 // what is read in vain is read again
	for start, n := len(r.names)-few, len(r.names); n == start+few; {
		start = n
		r.roomForNames(few)
		most := start + min(few, looksNext(start-base)-1-(start-base)) // AddName is to look
		_, end := unknowns(r.text, r.pos, r.first, nil, r.names[:start:most])
		for r.names = r.names[:end]; n < end; n++ {
			rest := r.text[r.names[n].End:]
			length := len(`":{}`)
			if string(rest[:length]) != `":{}` {
				if length = len(`":null`); string(rest[:length]) != `":null` {
					break
				}
			}
			r.Pass(int(r.names[n].End) + length)
		}
		r.names = r.names[:n]
	}
}

// passUnknown reads the next members of the object f, as long as they are unknown
// and simple.
func (r *Reader) passUnknown(f *Fields) {
	settled := r.Settled()
	if f.strict && !settled || r.text[r.pos] == '}' {
		return
	}
	before := len(r.names)
	r.roomForNames(fewNames)
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
