package json

// Fields is an object of known members, as it is read with Next. It is small,
// so that it is cheap to clear.
type Fields struct {
	names  *[]string
	seen   uint64 // a bit for each of names
	base   int32  // where its unknown names begin in Reader.names
	next   int16  // index of the name that probably comes next
	strict bool
}

// Lacks returns those of required, a bit for each name, that were not there.
func (f *Fields) Lacks(required uint64) uint64 { return required &^ f.seen }

// Fields enters the next value, which is to be an object of the members named
// (64 at most). Other members are ignored. Another kind is rejected.
func (r *Reader) Fields(f *Fields, names *[]string) bool { return openFields(r, f, names) }

// openOther does what Fields does, whatever comes.
func openOther(r *Reader, f *Fields, names *[]string) bool {
	f.names, f.seen, f.base, f.next, f.strict = names, 0, int32(len(r.names)), 0, false
	if r.next() != '{' {
		r.reject(KindObject)
		return false
	}
	return r.enter()
}

// StrictFields does the same for an object that may have no other members.
func (r *Reader) StrictFields(f *Fields, names *[]string) bool {
	entered := r.Fields(f, names)
	f.strict = true
	return entered
}

// Next moves to the next known member of the object f and returns its index in
// f's names, -1 when there is none and the object has been left. Unknown
// members are read on the way, and a name that stands twice is rejected.
func (r *Reader) Next(f *Fields) int { return nextMember(r, f) }

// plainNextMember does what Next does. Most often the next member is a known one with
// nothing between its name and the colon, or there is none.
func plainNextMember(r *Reader, f *Fields) int {
	pos := plainSpaceEnd(r.text, r.pos)
	if r.text[pos] == '}' && len(r.names) == int(f.base) {
		r.Leave(pos + 1)
		return -1
	}
	if !r.first {
		if r.text[pos] != ',' {
			return nextOther(r, f)
		}
		pos = plainSpaceEnd(r.text, pos+1)
	}
	i := f.nameAt(r.text, pos)
	if i < 0 || f.seen&(1<<i) != 0 {
		return nextOther(r, f)
	}
	f.seen |= 1 << i
	f.next = int16(i) + 1
	n := int32(len((*f.names)[i]))
	start := int32(pos) + 1
	at := &r.frames[r.depth]
	at.at, at.name = inName, String{Start: start, End: start + n, Len: n}
	r.pos, r.first = int(start+n)+2, false
	return i
}

// nameAt returns which of f's names stands at i in quotes, with a colon behind, -1
// for none. It looks first for the one that probably comes next.
func (f *Fields) nameAt(text []byte, i int) int {
	if text[i] != '"' {
		return -1
	}
	next := int(f.next)
	for range *f.names {
		if next >= len(*f.names) {
			next = 0
		}
		if isNameAt(text, i, (*f.names)[next]) {
			return next
		}
		next++
	}
	return -1
}

// isNameAt reports whether the name stands behind the quote at i, with a quote and a
// colon behind.
func isNameAt(text []byte, i int, name string) bool {
	n := i + 1 + len(name)
	return n+2 <= len(text) && string(text[i+1:n]) == name && text[n] == '"' && text[n+1] == ':'
}

// nextOther does what Next does, whatever comes.
func nextOther(r *Reader, f *Fields) int {
	for r.passUnknown(f); !r.atBracket() && r.NextMember(); r.passUnknown(f) {
		i := -1
		if r.MemberName() && r.isKnown(f, &i) {
			return i
		}
		r.Skip()
	}
	r.checkUnknown(f)
	return -1
}

// atBracket leaves the object at hand if its closing bracket is the next byte, and reports
// whether it is. The reader stands behind a member or behind the opening bracket.
func (r *Reader) atBracket() bool {
	if r.text[r.pos] != '}' {
		return false
	}
	r.Leave(r.pos + 1)
	return true
}

// isKnown sets the index of the member at hand, and reports whether it is to be
// read.
func (r *Reader) isKnown(f *Fields, index *int) bool {
	name := &r.frames[r.depth].name
	for i, known := range *f.names {
		if !name.Is(r.text, known) {
			continue
		}
		if f.seen&(1<<i) != 0 {
			r.Reject(int(name.Start)-1, "repeated name")
			return false
		}
		f.seen |= 1 << i
		f.next = int16(i) + 1
		*index = i
		return true
	}
	if f.strict {
		r.Reject(int(name.Start)-1, "unknown field")
	}
	if !r.Settled() {
		r.AddName(int(f.base))
	}
	return false
}

// checkUnknown rejects the unknown names of f that stand twice.
func (r *Reader) checkUnknown(f *Fields) {
	names := r.names[f.base:]
	r.names = r.names[:f.base]
	if len(names) > 1 && !r.differ(names) {
		r.sort(names)
	}
}

// Require rejects the object f, which has been left, for want of the member
// with that index.
func (r *Reader) Require(f *Fields, index int) {
	if f.seen&(1<<index) == 0 {
		r.missing((*f.names)[index])
	}
}

//go:noinline
func (r *Reader) missing(name string) { r.RejectLeft(r.last, name, "missing") }
