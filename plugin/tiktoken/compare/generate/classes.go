package main

import (
	"fmt"
	"unicode"
)

// These are as in plugin/tiktoken/split.go.
const (
	other = 1 << iota
	upper
	lower
	letter
	mark
	number
	space
	newline

	blockSize = 128
	tableEnd  = 0x32400
)

// classTable returns the index of blocks and the blocks.
func classTable() ([]byte, error) {
	index := make([]byte, 0, tableEnd/blockSize)
	known := map[[blockSize]byte]int{}
	var blocks []byte
	for r := rune(0); r < tableEnd; r += blockSize {
		var block [blockSize]byte
		for i := range block {
			block[i] = class(r + rune(i))
		}
		n, ok := known[block]
		if !ok {
			n = len(known)
			known[block] = n
			blocks = append(blocks, block[:]...)
		}
		index = append(index, byte(n))
	}
	if len(known) > 256 {
		return nil, fmt.Errorf("%d blocks do not fit an index of bytes", len(known))
	}
	for r := rune(tableEnd); r <= unicode.MaxRune; r++ {
		want := byte(other)
		if 0xE0100 <= r && r <= 0xE01EF {
			want = mark
		}
		if class(r) != want {
			return nil, fmt.Errorf("U+%X is beyond the table", r)
		}
	}
	return append(index, blocks...), nil
}

func class(r rune) byte {
	switch {
	case r == '\r' || r == '\n':
		return newline
	case unicode.Is(unicode.White_Space, r):
		return space
	case unicode.Is(unicode.Lu, r), unicode.Is(unicode.Lt, r):
		return upper
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.Is(unicode.L, r):
		return letter
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.N, r):
		return number
	}
	return other
}
