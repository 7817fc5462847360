package tiktoken

import "math/bits"

// A vocabulary is what byte pair encoding knows: tokens, numbered in the order
// in which they are merged. The first 256 are the single bytes; every other is
// made of two before it. That is all that the packed form says: the bytes of
// the first 256, then the three bytes of each left part and of each right part,
// each byte in a row of its own, lowest first, which compresses best.
//
// Two things hold for a vocabulary, and the generator checks them: merging the
// bytes of a token ends with that token, and its two parts are what the last
// merge joined. Then no two neighbours are ever merged but those two parts,
// so a table of pairs of tokens does for merging what tiktoken's table of
// strings does: see chain.
type vocabulary struct {
	single [256]uint32 // token of a byte
	left   []uint32    // parts of a token
	right  []uint32
	size   []uint8 // bytes of a token

	// pairs finds the token made of two: left<<36 | right<<18 | token, or 0.
	pairs     []uint64
	pairShift uint8

	// edges is the tree of the tokens' beginnings: from a node by a byte to
	// another, node<<45 | byte<<37 | node<<18 | token, or 0. The token is 0 where
	// none ends. Node b+1 is that of the byte b alone.
	edges     []uint64
	edgeShift uint8
}

// Both tables are open addressing, at most half full.
const (
	tokenBits = 18
	tokenMask = 1<<tokenBits - 1
	nodeBits  = 19
	nodeMask  = 1<<nodeBits - 1
	keyShift  = tokenBits + nodeBits // of an edge: node and byte
	hashMul   = 0x9E3779B97F4A7C15   // 2^64 over the golden ratio
)

// unpack makes the tables.
func unpack(packed string) vocabulary {
	merged := (len(packed) - 256) / 6
	count := 256 + merged
	v := vocabulary{
		left:  make([]uint32, count),
		right: make([]uint32, count),
		size:  make([]uint8, count),
	}
	v.pairs, v.pairShift = table(2 * count)
	v.edges, v.edgeShift = table(4 * count) // a token brings about two nodes

	u := unpacker{vocabulary: &v, node: make([]uint32, count), begin: make([]uint64, count), nodes: 256}
	for token := range 256 {
		b := packed[token]
		v.single[b] = uint32(token)
		v.size[token] = 1
		u.node[token] = uint32(b) + 1
		u.begin[token] = uint64(b)
	}
	rows := packed[256:]
	row := func(n, i int) uint32 { return uint32(rows[n*merged+i]) }
	for i := range merged {
		u.add(uint32(256+i), row(0, i)|row(1, i)<<8|row(2, i)<<16, row(3, i)|row(4, i)<<8|row(5, i)<<16)
	}
	return v
}

// table returns a table with room for at least that many, a power of two, and
// by how much a hash is shifted to be an index of it.
func table(room int) ([]uint64, uint8) {
	n := bits.Len(uint(room - 1))
	return make([]uint64, 1<<n), uint8(64 - n)
}

// An unpacker holds what only the making of a vocabulary needs.
type unpacker struct {
	*vocabulary
	node  []uint32 // of a token
	begin []uint64 // the bytes of a token of at most eight, the first one lowest
	nodes uint32   // how many there are
}

// add adds the next token, made of the two.
func (u *unpacker) add(token, left, right uint32) {
	u.left[token], u.right[token] = left, right
	u.size[token] = u.size[left] + u.size[right]
	u.begin[token] = u.begin[left] | u.begin[right]<<(8*u.size[left]) // of use up to eight bytes

	key := uint64(left)<<tokenBits | uint64(right)
	i := key * hashMul >> u.pairShift
	for u.pairs[i] != 0 {
		i = (i + 1) & uint64(len(u.pairs)-1)
	}
	u.pairs[i] = key<<tokenBits | uint64(token)

	edge := u.walk(u.node[left], right)
	u.edges[edge] |= uint64(token)
	u.node[token] = uint32(u.edges[edge]>>tokenBits) & nodeMask
}

// walk goes from a node along the bytes of a token, and returns the index of the
// last edge.
func (u *unpacker) walk(node, token uint32) (edge uint64) {
	size := u.size[token]
	if size > 8 {
		edge = u.walk(node, u.left[token])
		return u.walk(uint32(u.edges[edge]>>tokenBits)&nodeMask, u.right[token])
	}
	for b := u.begin[token]; size > 0; size-- {
		edge = u.step(node, byte(b))
		node = uint32(u.edges[edge]>>tokenBits) & nodeMask
		b >>= 8
	}
	return edge
}

// step returns the index of the edge, which it makes if there is none.
func (u *unpacker) step(node uint32, b byte) uint64 {
	key := uint64(node)<<8 | uint64(b)
	i := key * hashMul >> u.edgeShift
	for ; u.edges[i] != 0; i = (i + 1) & uint64(len(u.edges)-1) {
		if u.edges[i]>>keyShift == key {
			return i
		}
	}
	u.nodes++
	u.edges[i] = key<<keyShift | uint64(u.nodes)<<tokenBits
	return i
}

// matches are the tokens that a text begins with, the shortest first.
type matches struct {
	token [128]uint32 // no token has more bytes
	count int
}

// match finds the tokens that the text begins with.
func (v *vocabulary) match(text []byte, m *matches) {
	node := uint64(text[0]) + 1
	m.token[0] = v.single[text[0]]
	m.count = 1
	edges, shift := v.edges, v.edgeShift
	for _, b := range text[1:] {
		key := node<<8 | uint64(b)
		i := key * hashMul >> shift
		for edges[i]>>keyShift != key {
			if edges[i] == 0 {
				return
			}
			i = (i + 1) & uint64(len(edges)-1)
		}
		edge := edges[i]
		node = edge >> tokenBits & nodeMask
		if token := uint32(edge) & tokenMask; token != 0 {
			m.token[m.count&127] = token
			m.count++
		}
	}
}

// compatible reports whether two tokens stay apart when the bytes of both are
// merged from the beginning. It takes their merges back, the last one first,
// and looks whether what touches at their seam would have been merged earlier.
func (v *vocabulary) compatible(a, b uint32) bool {
	limit := uint64(1 << tokenBits) // merges before it count
	pairs, shift := v.pairs, v.pairShift
	for {
		key := uint64(a)<<tokenBits | uint64(b)
		for i := key * hashMul >> shift; pairs[i] != 0; i = (i + 1) & uint64(len(pairs)-1) {
			if pairs[i]>>tokenBits == key {
				if pairs[i]&tokenMask < limit {
					return false
				}
				break
			}
		}
		switch {
		case a < 256 && b < 256:
			return true
		case a > b:
			limit = uint64(a)
			a = v.right[a]
		default:
			// Of equal merges the left one comes first, so the seam's before b's.
			limit = uint64(b) + 1
			b = v.left[b]
		}
	}
}
