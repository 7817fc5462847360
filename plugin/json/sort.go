package json

import "math/bits"

// BeginNames begins a list of names, those of the object at hand, which is to be
// given to AddName, PushName and EndNames.
func (r *Reader) BeginNames() (base int) { return len(r.names) }

// PushName adds a name to the list.
func (r *Reader) PushName(name String) { r.names = append(r.names, name) }

// GrowNames makes room for n more names.
func (r *Reader) GrowNames(n int) { r.names = Grow(r.names, n) }

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

// AddName adds the name of the member at hand to the list. Now and then it looks
// whether one stands twice already: then nothing behind it matters.
func (r *Reader) AddName(base int) {
	r.roomForNames(1)
	n := len(r.names)
	r.names = r.names[:n+1]
	r.names[n] = r.Name()
	const when = 0x04444440 // looks, and 16 times as many again and again
	if n := n + 1 - base; n&when != 0 && n&(n-1) == 0 {
		at := &r.frames[r.depth].at
		*at = between
		r.sort(r.names[base:])
		*at = inName
	}
}

// EndNames ends the list and returns what Sort returns.
func (r *Reader) EndNames(base int) []int32 {
	names := r.names[base:]
	r.names = r.names[:base]
	return r.Sort(names)
}

// Sort returns the order of names, those of the object that was just left, by
// the bytes of their UTF-8: the index of the first, of the second, and so on.
// Names that are the same keep their order, and one that stands twice is
// rejected. The result is valid until the next Sort.
func (r *Reader) Sort(names []String) []int32 {
	s := &r.sorter
	r.sort(names)
	s.order = Empty(s.order, len(s.keys))[:len(s.keys)]
	for i := range s.keys {
		s.order[i] = s.keys[i].index
	}
	return s.order
}

// sort puts the keys of names in order, and rejects a name that stands twice.
func (r *Reader) sort(names []String) {
	s := &r.sorter
	s.keys = s.keys[:0]
	if r.syntax != nil {
		return
	}
	s.set(r.text, names)
	repeated := s.sort(s.keys, s.spare, 0, len(names))
	if repeated < len(names) {
		name := names[repeated]
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

// Permute puts items into an order that Sort returned, which is lost thereby. It
// goes along its cycles, so as to need no second list.
func Permute[T any](items []T, order []int32) {
	for i := range order {
		if int(order[i]) == i {
			continue
		}
		first := items[i]
		at := i
		for int(order[at]) != i {
			next := int(order[at])
			items[at] = items[next]
			order[at] = int32(at)
			at = next
		}
		items[at] = first
		order[at] = int32(at)
	}
}

// sorter sorts names by seven of their bytes at a time, a digit: names are
// compared by numbers, and no byte of theirs is looked at more than once.
type sorter struct {
	keys, spare []sortKey
	order       []int32

	text  []byte // what names stand in
	names []String

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
func (s *sorter) set(text []byte, names []String) {
	s.text, s.names = text, names
	for i := range names {
		if names[i].Form != Plain {
			s.resolve(text, names)
			break
		}
	}
	n := len(names)
	s.keys = Empty(s.keys, n)[:n]
	s.spare = Empty(s.spare, n)[:n]
	setKeys(s.text, s.names, s.keys, 0)
}

// plainSetKeys sets the digits of keys, from that offset of their names on, and at first
// their indexes, by which they stand for names, which stand in text.
func plainSetKeys(text []byte, names []String, keys []sortKey, offset int) {
	for i := range keys {
		if offset == 0 {
			keys[i].index = int32(i)
		}
		keys[i].digit = digit(text, &names[keys[i].index], offset)
	}
}

// resolve resolves the escapes of names.
func (s *sorter) resolve(text []byte, names []String) {
	bytes, most := Pad, 0
	for i := range names {
		bytes += int(names[i].Len)
		most = max(most, int(names[i].End-names[i].Start))
	}
	b := Empty(s.resolved, bytes+most)
	s.resolvedNames = Empty(s.resolvedNames, len(names))
	for i := range names {
		start := len(b)
		b = appendResolved(b, names[i].Raw(text), names[i].Form)
		s.resolvedNames = append(s.resolvedNames, String{Start: int32(start), End: int32(len(b)), Len: int32(len(b) - start)})
	}
	s.resolved = append(b, make([]byte, Pad)...)
	s.text, s.names = s.resolved, s.resolvedNames
}

// sort puts keys, which have the digits at offset, in order by those and all
// behind them. It returns the smaller of repeated and of the indexes of names
// that stand again.
func (s *sorter) sort(keys, spare []sortKey, offset, repeated int) int {
	for {
		if !inOrder(keys) {
			copy(spare, keys)
			merge(keys, spare)
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

func inOrder(keys []sortKey) bool {
	last := uint64(0)
	for i := range keys {
		if keys[i].digit < last {
			return false
		}
		last = keys[i].digit
	}
	return true
}

// merge puts keys in order by their digits by merging; those with the same stay
// as they are. spare holds the same.
func merge(keys, spare []sortKey) {
	const few = 16
	if len(keys) <= few {
		insert(keys)
		return
	}
	middle := len(keys) / 2
	merge(spare[:middle], keys[:middle])
	merge(spare[middle:], keys[middle:])
	if spare[middle-1].digit <= spare[middle].digit {
		copy(keys, spare)
		return
	}
	mergeRuns(keys, spare[:middle], spare[middle:])
}

// plainInsert does the same for few keys.
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
