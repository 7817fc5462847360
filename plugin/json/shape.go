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
