//go:build !purego

package host

import "testing"

// escapers and unescapers are what there is for this processor.
func escapers() map[string]func(to, from []byte) (wrote, read int) {
	all := map[string]func(to, from []byte) (wrote, read int){
		"escapeWords": escapeWords, "escapeMany": escapeMany, "escapeBlocks": escapeBlocks,
	}
	if hasVBMI2 {
		all["escapeVBMI2"] = escapeVBMI2
	}
	return all
}

func unescapers() map[string]func(to, from []byte) (wrote, read int) {
	all := map[string]func(to, from []byte) (wrote, read int){
		"unescapeWords": unescapeWords, "unescapeMany": unescapeMany, "unescapeBlocks": unescapeBlocks,
	}
	if hasVBMI2 {
		all["unescapeVBMI2"] = unescapeVBMI2
	}
	return all
}

// The widest there is reads a string to its end, whatever its length, so that
// nothing is left to what is slower.
func TestVBMI2ReadsToTheEnd(t *testing.T) {
	t.Parallel()
	if !hasVBMI2 {
		t.Skip("not for this processor")
	}
	for size := range 300 {
		text := make([]byte, 0, size+1)
		for len(text) < size {
			text = append(text, "ab\"\\\nc 日本\t"[len(text)%13])
		}
		to := make([]byte, 2*size+200)
		wrote, read := escapeVBMI2(to, text)
		if read != size {
			t.Fatalf("of %d bytes %d were escaped", size, read)
		}
		quoted := append(to[:wrote:wrote], '"', ',')
		back := make([]byte, size+64)
		wroteBack, read := unescapeVBMI2(back, quoted)
		if read != wrote || string(back[:wroteBack]) != string(text) {
			t.Fatalf("of %q %d bytes were read as %q", quoted, read, back[:wroteBack])
		}
	}
}
