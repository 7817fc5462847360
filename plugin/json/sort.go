package json

import (
	"math/bits"
	"slices"
	"unsafe"
)

// roomForNames makes room for n more names, and for as many as there will probably be.
//
//go:noinline
func (r *Reader) roomForNames(n int) {
	if before := len(r.names); before+n > cap(r.names) {
		r.names = Grow(r.names, max(2*fewNames, r.More(before, 0)))
	}
}

// fewNames is how many names are read in a call at least, if there are so many.
const fewNames = 256

// looks is with how many names AddName looks at them first, then with 16 times as
// many.
const looks = 64

// NextLook returns with which name, behind n of them, it looks at all next.
func NextLook(n int) int {
	next := looks
	for next <= n {
		next *= 16
	}
	return next
}

// AddName adds the name of the member at hand to the list. Now and then it looks
// whether one stands twice already: then nothing behind it matters.
func (r *Reader) AddName(base int) {
	r.roomForNames(1)
	n := len(r.names)
	r.names = r.names[:n+1]
	r.names[n] = r.Name()
	r.LookEach(&r.names[base], unsafe.Sizeof(String{}), n+1-base)
}

// LookEach is what AddName does behind each name, for names that stand in items as those of
// SortEach do.
func (r *Reader) LookEach(first *String, step uintptr, n int) {
	const when = 0x04444440 // looks, and 16 times as many again and again
	if n&when == 0 || n&(n-1) != 0 {
		return
	}
	at := &r.frames[r.depth].at
	*at = between
	r.sortEach(nameList{first, step, n})
	*at = inName
}

// Order is the order of names by the bytes of their UTF-8: the first, the second, and so on.
// It is valid until the next one is asked for.
type Order []sortKey

// Sort returns the order of names, those of the object that was just left. Names that are the
// same keep their order, and one that stands twice is rejected.
func (r *Reader) Sort(names []String) Order {
	r.sort(names)
	return r.sorter.keys
}

// SortEach does the same for names that stand in items, one in each: the first one is given,
// how far it is from each to the next, and how many there are.
func (r *Reader) SortEach(first *String, step uintptr, n int) Order {
	r.sortEach(nameList{first, step, n})
	return r.sorter.keys
}

// nameList is a list of names that stand in items, one in each.
type nameList struct {
	first *String
	step  uintptr
	n     int
}

// at returns the name with that index.
func (l *nameList) at(i int32) *String {
	return (*String)(unsafe.Add(unsafe.Pointer(l.first), uintptr(i)*l.step))
}

// sort puts the keys of names in order, and rejects a name that stands twice.
//
//go:noinline
func (r *Reader) sort(names []String) {
	r.sortEach(nameList{unsafe.SliceData(names), unsafe.Sizeof(String{}), len(names)})
}

func (r *Reader) sortEach(names nameList) {
	s := &r.sorter
	s.keys = s.keys[:0]
	if r.syntax != nil {
		return
	}
	s.set(r.text, names)
	repeated := s.sort(s.keys, s.spare, 0, names.n)
	if repeated < names.n {
		name := names.at(int32(repeated))
		r.RejectLeft(int(name.Start)-1, name.text(r.text), "repeated name")
	}
}

// differ reports whether names that are few differ; it may say no where they do.
func (r *Reader) differ(names []String) bool {
	const few = 4
	if len(names) > few {
		return false
	}
	var words [few]uint64 // their first eight bytes: none of a name is zero
	for i := range names {
		if names[i].Form != Plain {
			return false
		}
		words[i] = Word(r.text[names[i].Start:]) << (64 - 8*min(names[i].Len, 8))
		for _, before := range words[:i] {
			if before == words[i] {
				return false
			}
		}
	}
	return true
}

// Permute puts items into an order, which is lost thereby. It goes along its cycles, so as to
// need no second list.
func Permute[T any](items []T, order Order) {
	for i := range order {
		if int(order[i].index) == i {
			continue
		}
		first := items[i]
		at := i
		for int(order[at].index) != i {
			next := int(order[at].index)
			items[at] = items[next]
			order[at].index = int32(at)
			at = next
		}
		items[at] = first
		order[at].index = int32(at)
	}
}

// sorter sorts names by seven of their bytes at a time, a digit: names are
// compared by numbers, and no byte of theirs is looked at more than once.
type sorter struct {
	keys, spare []sortKey
	ends        []int32 // of runs of keys

	text  []byte // what names stand in
	names nameList

	// Names that have escapes are resolved first.
	resolved      []byte
	resolvedNames []String
}

// sortKey stands for a name.
type sortKey struct {
	digit uint64
	index int32
}

// digitBytes is how many bytes of a name a digit holds, the first one highest.
// Below them it has how many bytes there are from the first one on, one more at
// most.
const digitBytes = 7

// goesOn reports whether the name has more bytes than the digit.
func (k *sortKey) goesOn() bool { return k.digit&0xFF > digitBytes }

// digit returns the digit of a name, which stands in text, from that offset on.
func digit(text []byte, name *String, offset int) uint64 {
	word := bits.ReverseBytes64(Word(text[int(name.Start)+offset:]))
	rest := int(name.Len) - offset
	if rest > digitBytes {
		return word&^0xFF | (digitBytes + 1)
	}
	unused := uint(64 - 8*rest)
	return word>>unused<<unused | uint64(rest)
}

// set begins with names, which stand in text.
func (s *sorter) set(text []byte, names nameList) {
	s.text, s.names = text, names
	s.keys = Empty(s.keys, names.n)[:names.n]
	s.spare = Empty(s.spare, names.n)[:names.n]
	if form := setKeys(s.text, s.names, s.keys, 0); form != Plain {
		s.resolve()
		setKeys(s.text, s.names, s.keys, 0)
	}
}

// plainSetKeys sets the digits of keys, from that offset of their names on, and at first
// their indexes, by which they stand for names, which stand in text. It returns Plain if all
// of them are.
func plainSetKeys(text []byte, names nameList, keys []sortKey, offset int) (form Form) {
	for i := range keys {
		if offset == 0 {
			keys[i].index = int32(i)
		}
		name := names.at(keys[i].index)
		keys[i].digit = digit(text, name, offset)
		form |= name.Form
	}
	return form
}

// resolve resolves the escapes of names.
func (s *sorter) resolve() {
	bytes, most, names := Pad, 0, &s.names
	for i := range int32(names.n) {
		name := names.at(i)
		bytes += int(name.Len)
		most = max(most, int(name.End-name.Start))
	}
	b := Empty(s.resolved, bytes+most)
	resolved := Empty(s.resolvedNames, names.n)[:names.n]
	end := resolveNames(b[:cap(b)], s.text, *names, resolved)
	s.resolved, s.resolvedNames = b[:end+Pad], resolved
	clear(s.resolved[end:])
	s.text, s.names.first, s.names.step = s.resolved, unsafe.SliceData(s.resolvedNames), unsafe.Sizeof(String{})
}

// plainResolveNames writes names, which stand in text, to dst with their escapes resolved, one
// behind the other, and to resolved where. It returns where the last one ends. There is room for
// each as it stands in text, and for a word.
func plainResolveNames(dst, text []byte, names nameList, resolved []String) (end int) {
	for i := range resolved {
		name := names.at(int32(i))
		start := end
		end = len(appendResolved(dst[:start], name.Raw(text), name.Form))
		resolved[i] = String{Start: int32(start), End: int32(end), Len: int32(end - start)}
	}
	return end
}

// sort puts keys, which have the digits at offset, in order by those and all
// behind them. It returns the smaller of repeated and of the indexes of names
// that stand again.
func (s *sorter) sort(keys, spare []sortKey, offset, repeated int) int {
	for {
		if runEnd(keys, 0) < len(keys) {
			s.merge(keys, spare)
		}
		begin := firstSame(keys, 0)
		for end := 0; begin < len(keys); begin = firstSame(keys, end) {
			end = sameDigits(keys, begin)
			if !keys[begin].goesOn() {
				repeated = min(repeated, int(keys[begin+1].index))
				continue
			}
			setKeys(s.text, s.names, keys[begin:end], offset+digitBytes)
			if end-begin == len(keys) {
				break
			}
			repeated = s.sort(keys[begin:end], spare[begin:end], offset+digitBytes, repeated)
		}
		if begin == len(keys) {
			return repeated
		}
		offset += digitBytes // of all, without going deeper
	}
}

// plainFirstSame returns the index, from i on, of the first key that has the digit of the one
// behind it; how many keys there are if none has.
func plainFirstSame(keys []sortKey, i int) int {
	for ; i+1 < len(keys); i++ {
		if keys[i].digit == keys[i+1].digit {
			return i
		}
	}
	return len(keys)
}

// sameDigits returns where the keys end that have the digit of the one at begin.
func sameDigits(keys []sortKey, begin int) int {
	digit := keys[begin].digit
	end := begin + 1
	for end < len(keys) && keys[end].digit == digit {
		end++
	}
	return end
}

// plainRunEnd returns where the keys from i on end that are in order; there is one at least.
func plainRunEnd(keys []sortKey, i int) int {
	for i++; i < len(keys) && keys[i-1].digit <= keys[i].digit; {
		i++
	}
	return i
}

// merge puts keys in order by their digits; those with the same stay as they are. Two runs
// that are in order become one, again and again: so what is nearly in order takes little.
// What spare holds is lost.
func (s *sorter) merge(keys, spare []sortKey) {
	s.findRuns(keys)
	from, to := keys, spare
	for ends := s.ends; len(ends) > 1; from, to = to, from {
		begin, n := int32(0), 0
		for i := 0; i < len(ends); i += 2 {
			middle, end := ends[i], ends[min(i+1, len(ends)-1)]
			mergeRuns(to[begin:end], from[begin:middle], from[middle:end])
			ends[n] = end
			begin = end
			n++
		}
		ends = ends[:n]
	}
	copy(keys, from)
}

// findRuns finds where runs of keys end. It turns those round that descend, and lengthens
// short ones.
func (s *sorter) findRuns(keys []sortKey) {
	const few = 16
	s.ends = Empty(s.ends, len(keys)/few+1)
	for end := 0; end < len(keys); {
		rest := keys[end:]
		n := runEnd(rest, 0)
		if n == 1 {
			n = descending(rest)
			slices.Reverse(rest[:n])
		}
		if n < few {
			n = min(few, len(rest))
			insert(rest[:n])
		}
		end += n
		s.ends = append(s.ends, int32(end))
	}
}

// descending returns how many of the first keys come each before the one before it.
func descending(keys []sortKey) int {
	n := 1
	for n < len(keys) && keys[n-1].digit > keys[n].digit {
		n++
	}
	return n
}

// plainInsert puts few keys in order as merge does.
func plainInsert(keys []sortKey) {
	for i := 1; i < len(keys); i++ {
		key := keys[i]
		j := i
		for j > 0 && keys[j-1].digit > key.digit {
			keys[j] = keys[j-1]
			j--
		}
		keys[j] = key
	}
}

// plainMergeRuns puts the keys of a and b, each in order, into dst in order, those
// of a before those of b that are the same.
func plainMergeRuns(dst, a, b []sortKey) {
	for i := range dst {
		if len(b) == 0 || len(a) > 0 && a[0].digit <= b[0].digit {
			dst[i], a = a[0], a[1:]
		} else {
			dst[i], b = b[0], b[1:]
		}
	}
}
