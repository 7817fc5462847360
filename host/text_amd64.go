//go:build !purego

package host

// hasVBMI2 tells whether the processor has all that escapeVBMI2 and
// unescapeVBMI2 need: Intel's servers since 2021 and AMD's since 2022 do.
var hasVBMI2 = detectVBMI2()

// escapeMany does what escapeWords does, as many bytes at a time as the
// processor can.
func escapeMany(to, from []byte) (wrote, read int) {
	if hasVBMI2 {
		return escapeVBMI2(to, from)
	}
	return escapeBlocks(to, from)
}

// unescapeMany does what unescapeWords does in the same way.
func unescapeMany(to, from []byte) (wrote, read int) {
	if hasVBMI2 {
		return unescapeVBMI2(to, from)
	}
	return unescapeBlocks(to, from)
}

// prefetch has the processor fetch the beginning of a string that is going to be
// read soon.
//
//go:noescape
func prefetch(s string)

// passBlocks passes over text within a string, and returns the index of the quote
// that ends it. Where none does in a whole number of blocks, it returns how many
// bytes those have.
//
//go:noescape
func passBlocks(text []byte) (n int)

//go:noescape
func escapeBlocks(to, from []byte) (wrote, read int)

//go:noescape
func unescapeBlocks(to, from []byte) (wrote, read int)

//go:noescape
func escapeVBMI2(to, from []byte) (wrote, read int)

//go:noescape
func unescapeVBMI2(to, from []byte) (wrote, read int)

func detectVBMI2() bool
