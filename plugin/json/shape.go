package json

// Resume has the reader stand in the outermost object, of the members named, behind
// those that the caller has read, up to end; seen has a bit for each of them.
func (r *Reader) Resume(f *Fields, names *[]string, seen uint64, end int) {
	f.names, f.seen, f.base, f.next, f.strict = names, seen, int32(len(r.names)), 0, false
	r.depth = 1
	r.frames[1].at, r.frames[1].array = between, false
	r.pos, r.first = end, false
}

// ShapeEnd reads the strings between the pieces, which begin at i, and returns where
// the last piece ends; -1 if something else is there. Pad zero bytes must follow the
// text.
func ShapeEnd(text []byte, i int, pieces []string, strings []String) int {
	end, n := shape(text, i, pieces, strings)
	if n < len(strings) && end >= 0 {
		end, _ = shapeEnd(text, end, n, pieces, strings)
	}
	return end
}

// shapeEnd goes on with a shape from i on, in the string with index n: it returns where
// the last piece ends, -1 if something else is there, and how many strings were read.
func shapeEnd(text []byte, i, n int, pieces []string, strings []String) (end, read int) {
	for read = n; i >= 0 && n < len(strings); read += n + 1 {
		s := &strings[n]
		end, saved, form := longTextEnd(text, i)
		if text[end] != '"' {
			return -1, read
		}
		s.End, s.Len, s.Form = int32(end), int32(end-saved)-s.Start, form
		pieces, strings = pieces[n+1:], strings[n+1:]
		i, n = shape(text, end, pieces, strings)
	}
	return i, read
}

// plainShape reads the strings between the pieces, which begin at i, up to the first
// string that has more than printable ASCII: it returns where in it that is, and which
// one it is. At the end of all it returns how many there are, and an end of -1 where
// something else is there. Pad zero bytes must follow the text.
func plainShape(text []byte, i int, pieces []string, strings []String) (end, n int) {
	for n, piece := range pieces {
		if i+len(piece) > len(text) || string(text[i:i+len(piece)]) != piece {
			return -1, n
		}
		i += len(piece)
		if n == len(strings) {
			break
		}
		s := &strings[n]
		s.Start = int32(i)
		for text[i] != '"' {
			if text[i] < 0x20 || text[i] >= 0x80 || text[i] == '\\' {
				return i, n
			}
			i++
		}
		s.End, s.Len, s.Form = int32(i), int32(i)-s.Start, Plain
	}
	return i, len(strings)
}

// fewDigits is how many digits an integer has at most that NamedIntegers reads: it has 32 bits.
const fewDigits = 9

// NamedIntegers reads the next members of the object at hand, behind another one, as long as
// each is the pieces with its name between, then an integer of a few digits and a bracket, and
// adds their names to the list that begins at base. It returns the names; integers gets the
// integers, and there are no more than it has room for.
func (r *Reader) NamedIntegers(pieces []string, base int, integers []int32) []String {
	if r.first || !r.At(',') {
		return nil
	}
	before, room := r.roomBefore(base)
	names, end, n := r.names[before:room], r.pos, 0
	for n < len(integers) && n < len(names) {
		i := ShapeEnd(r.text, end, pieces, names[n:][:1])
		if i < 0 {
			break
		}
		begin, value := i, int32(0)
		for ; r.text[i]-'0' <= 9 && i-begin <= fewDigits; i++ {
			value = value*10 + int32(r.text[i]-'0')
		}
		if !isShort(r.text[begin:i]) || r.text[i] != '}' {
			break
		}
		integers[n] = value
		end = i + 1
		n++
	}
	if n > 0 {
		r.names = r.names[:before+n]
		r.PassObject(end)
	}
	return names[:n]
}

// isShort reports whether digits are an integer of a few.
func isShort(digits []byte) bool {
	n := len(digits)
	return n == 1 || n > 1 && n <= fewDigits && digits[0] != '0'
}
