package fragment

// The algorithm of Knuth, Morris and Pratt: its cost is linear in the text, whatever is
// looked for.

// Borders sets borders[i] to the length of the longest proper beginning of text[:i+1] that
// is also its end. There are as many as text has bytes, one at least.
func Borders(text []byte, borders []int32) {
	borders[0] = 0
	run(text, text, borders, 1)
}

// search reports whether tag, which is not empty, stands in text.
func search(text, tag []byte) bool {
	borders := make([]int32, len(tag))
	Borders(tag, borders)
	return run(text, tag, borders, 0)
}

// plainRun goes through text from offset i on and looks for tag, whose borders are given,
// and reports whether it stands there. From 1 on, tag is text, and the borders are set.
func plainRun(text, tag []byte, borders []int32, i int) bool {
	sets := i > 0
	k := 0
	for ; i < len(text); i++ {
		c := text[i]
		for k > 0 && c != tag[k] {
			k = int(borders[k-1])
		}
		if c == tag[k] {
			k++
		}
		if sets {
			borders[i] = int32(k)
		} else if k == len(tag) {
			return true
		}
	}
	return false
}
