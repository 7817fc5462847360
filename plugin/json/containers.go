package json

import "strconv"

// Array enters the next value, which is to be an array: read its items with
// Item. Another kind is rejected.
func (r *Reader) Array() bool {
	if r.next() != '[' {
		r.reject(KindArray)
		return false
	}
	return r.enter()
}

// Object enters the next value, which is to be an object: read its members with
// Member. Another kind is rejected.
func (r *Reader) Object() bool {
	if r.next() != '{' {
		r.reject(KindObject)
		return false
	}
	return r.enter()
}

// enter reads the bracket that begins a container.
func (r *Reader) enter() bool {
	if r.depth == MaxDepth {
		r.stop(r.pos, "nested deeper than "+strconv.Itoa(MaxDepth))
		return false
	}
	r.depth++
	f := &r.frames[r.depth]
	f.at, f.array = between, r.text[r.pos] == '['
	r.first = true
	r.pos++
	return true
}

// more moves to the next entry of the container at hand, past the comma, and
// reports whether there is one; else it reads the closing bracket.
func (r *Reader) more(closing byte, expected string) bool {
	r.frames[r.depth].at = between
	c := r.next()
	first := r.first
	r.first = false
	if c == closing {
		r.last = r.pos
		r.pos++
		r.depth--
		return false
	}
	if first {
		return true
	}
	if c != ',' {
		r.unexpected(r.pos, expected)
		return false
	}
	r.pos++
	r.next()
	return true
}

// Item moves to the next item of the array at hand and reports whether there is
// one; its value is to be read next. When there is none, the array has been
// left.
func (r *Reader) Item() bool {
	if r.text[r.pos] == ',' && r.text[r.pos+1] > ' ' && !r.first {
		// Most often there is nothing between them.
		r.frames[r.depth].index++
		r.pos++
		return true
	}
	index := int32(0)
	if !r.first {
		index = r.frames[r.depth].index + 1
	}
	if !r.more(']', "',' or ']'") {
		return false
	}
	r.frames[r.depth].index = index
	r.frames[r.depth].at = inItem
	return true
}

// Member moves to the next member of the object at hand, reads its name and
// reports whether there is one; its value is to be read next. When there is
// none, the object has been left.
func (r *Reader) Member() bool { return r.NextMember() && r.MemberName() }

// NextMember moves to the next member of the object at hand, before its name,
// and reports whether there is one. When there is none, the object has been
// left.
func (r *Reader) NextMember() bool { return r.more('}', "',' or '}'") }

// Repeat moves to the next member and reads it, if it is written as the one at
// [start, end), which was read before and whose value ended in a bracket. It
// reports whether it did; else nothing has changed.
func (r *Reader) Repeat(start, end int) bool {
	i := r.nextQuote()
	n := end - start
	if i < 0 || n > r.end-i || !longEqual(r.text, start, i, n) {
		return false
	}
	r.pos, r.first = i+n, false
	return true
}

// Pair moves to the next member and reads it, if it is key, a string, then
// between, then value, a string, then one of ends, with or without white space
// between the tokens. It returns where that member begins, and which of ends it
// has, -1 for none of it: then nothing has changed. It takes fewer steps than to
// read member by member.
func (r *Reader) Pair(key, value *String, between string, ends []string) (start, which int) {
	start = r.nextQuote()
	if start < 0 {
		return 0, -1
	}
	i, saved, form := textEnd(r.text, start+1)
	if r.text[i] != '"' {
		return 0, -1
	}
	key.Start, key.End, key.Len, key.Form = int32(start)+1, int32(i), int32(i-start-1-saved), form
	begin := follows(r.text, i+1, between)
	if begin < 0 {
		return 0, -1
	}
	i, saved, form = longTextEnd(r.text, begin)
	if r.text[i] != '"' {
		return 0, -1
	}
	value.Start, value.End, value.Len, value.Form = int32(begin), int32(i), int32(i-begin-saved), form
	for which, s := range ends {
		if end := follows(r.text, i+1, s); end >= 0 {
			r.pos, r.first = end, false
			return start, which
		}
	}
	return 0, -1
}

// Shaped reads the next value, an object, if it is before, then a string, which it
// reads into s, then after, then its bracket, with or without white space between the
// tokens. It reports whether it is; else nothing has changed. before and after have
// eight bytes at least, or after none.
func (r *Reader) Shaped(before string, s *String, after string) bool {
	begin := follows(r.text, r.pos, before)
	if begin < 0 {
		return false
	}
	end, saved, form := longTextEnd(r.text, begin)
	if r.text[end] != '"' {
		return false
	}
	bracket := end + 1
	if after != "" {
		if bracket = follows(r.text, bracket, after); bracket < 0 {
			return false
		}
	}
	bracket = spaceEnd(r.text, bracket)
	if r.text[bracket] != '}' {
		return false
	}
	*s = String{Start: int32(begin), End: int32(end), Len: int32(end - begin - saved), Form: form}
	r.PassObject(bracket + 1)
	return true
}

// Pass says that the caller has read members of the object at hand, up to end.
func (r *Reader) Pass(end int) {
	r.first = r.first && end == r.pos
	r.pos = end
}

// PassObject says that the caller has read an object that it did not enter.
func (r *Reader) PassObject(end int) { r.pos, r.last, r.first = end, end-1, false }

// Leave says that the caller has read the object at hand to its end.
func (r *Reader) Leave(end int) {
	r.PassObject(end)
	r.frames[r.depth].at = between
	r.depth--
}

// nextQuote returns where the next member begins, -1 if there is none.
func (r *Reader) nextQuote() int {
	i := r.pos
	if !r.first {
		if r.text[i] <= ' ' {
			i = spaceEnd(r.text, i)
		}
		if r.text[i] != ',' {
			return -1
		}
		i++
	}
	if r.text[i] <= ' ' {
		i = spaceEnd(r.text, i)
	}
	if r.text[i] != '"' {
		return -1
	}
	return i
}

// MemberName reads the name of the member that NextMember moved to, and its
// colon.
func (r *Reader) MemberName() bool {
	if r.text[r.pos] != '"' {
		r.unexpected(r.pos, "a name")
		return false
	}
	f := &r.frames[r.depth]
	if !r.readString(&f.name) {
		return false
	}
	f.at = inName
	if r.next() != ':' {
		r.unexpected(r.pos, "':'")
		return false
	}
	r.pos++
	return true
}

// SkipRest reads the value at hand and what is left of the container.
func (r *Reader) SkipRest() { r.skip(r.depth-1, atValue) }

// SkipMembers reads what is left of the object at hand.
func (r *Reader) SkipMembers() {
	if r.NextMember() && r.MemberName() {
		r.skip(r.depth-1, atValue)
	}
}

// Name returns the name of the member at hand.
func (r *Reader) Name() String { return r.frames[r.depth].name }

// Left returns the offset of the bracket that ended the object last left.
func (r *Reader) Left() int { return r.last }

// Ahead looks in the next value, an object, for the first member whose name is the
// one of names, reads it into s if it is a string, and goes back. It reports
// whether it was one.
func (r *Reader) Ahead(names *[1]string, s *String) bool {
	begin, depth := r.pos, r.depth
	if begins := begin + len(names[0]) + 4; r.text[begin] == '{' && r.text[begin+1] == '"' && isNameAt(r.text, begin+1, names[0]) && r.text[begins] == '"' {
		// Most often it is the first.
		if end, saved, form := textEnd(r.text, begins+1); r.text[end] == '"' {
			*s = String{Start: int32(begins) + 1, End: int32(end), Len: int32(end - begins - 1 - saved), Form: form}
			return true
		}
	}
	found := false
	for more := r.Object() && r.Member(); more; more = r.Member() {
		if r.frames[r.depth].name.Is(r.text, names[0]) {
			found = r.Kind() == KindString && r.readString(s)
			break
		}
		r.Skip()
	}
	if r.syntax != nil {
		return false
	}
	r.pos, r.depth = begin, depth
	return found
}

// More returns for how many more things of a kind to make room, n of which were
// read since begin: for as many as there will be if it goes on like that, and for
// no less than n, so that there are few sizes on the way.
func (r *Reader) More(n, begin int) int {
	const few = 16
	read := r.pos - begin
	if n < few || read <= 0 {
		return few
	}
	rest := int(int64(r.end-r.pos) * int64(n) / int64(read))
	return max(n+1, rest+rest/32+few) // too little would cost as much again
}
