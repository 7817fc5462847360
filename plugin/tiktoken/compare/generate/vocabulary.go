package main

import "fmt"

// pack writes a vocabulary as plugin/tiktoken/vocabulary.go describes it, and
// checks what the package relies on.
func pack(ranks map[string]int) ([]byte, error) {
	tokens, err := inOrder(ranks)
	if err != nil {
		return nil, err
	}
	merged := len(tokens) - 256
	packed := make([]byte, 256+6*merged)
	for rank, token := range tokens[:256] {
		packed[rank] = token[0]
	}
	rows := packed[256:]
	for i, token := range tokens[256:] {
		left, right, err := parts(token, ranks)
		if err != nil {
			return nil, err
		}
		for row, b := range []int{left, left >> 8, left >> 16, right, right >> 8, right >> 16} {
			rows[row*merged+i] = byte(b)
		}
	}
	return packed, nil
}

// inOrder returns the tokens by rank: the single bytes first, and no gap.
func inOrder(ranks map[string]int) ([]string, error) {
	tokens := make([]string, len(ranks))
	for token, rank := range ranks {
		if rank < 0 || rank >= len(tokens) || tokens[rank] != "" || token == "" {
			return nil, fmt.Errorf("token %q has rank %d of %d", token, rank, len(tokens))
		}
		if (rank < 256) != (len(token) == 1) || len(token) > 128 {
			return nil, fmt.Errorf("token %q has rank %d and %d bytes", token, rank, len(token))
		}
		tokens[rank] = token
	}
	return tokens, nil
}

// parts merges the bytes of a token, as tiktoken does, and returns the ranks of
// the two parts that are left before the last merge.
func parts(token string, ranks map[string]int) (left, right int, err error) {
	ends := make([]int, len(token)) // of the parts
	for i := range ends {
		ends[i] = i + 1
	}
	for len(ends) > 2 {
		best, lowest := -1, len(ranks)
		start := 0
		for i, end := range ends[:len(ends)-1] {
			if rank, ok := ranks[token[start:ends[i+1]]]; ok && rank < lowest {
				best, lowest = i, rank
			}
			start = end
		}
		if best < 0 || lowest == ranks[token] {
			return 0, 0, fmt.Errorf("the bytes of token %q do not merge to it", token)
		}
		ends = append(ends[:best], ends[best+1:]...)
	}
	left, right = ranks[token[:ends[0]]], ranks[token[ends[0]:]]
	if max(left, right) >= ranks[token] {
		return 0, 0, fmt.Errorf("token %q is older than a part of it", token)
	}
	return left, right, nil
}
