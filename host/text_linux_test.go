package host

import (
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// atTheEnd returns memory of that many bytes with nothing readable behind it.
func atTheEnd(t *testing.T, size int) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	pages := (size+page-1)/page + 1
	mapped, err := syscall.Mmap(-1, 0, pages*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(mapped); err != nil {
			t.Error(err)
		}
	})
	end := (pages - 1) * page
	if err := syscall.Mprotect(mapped[end:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return mapped[end-size : end : end]
}

// Strings are written, read and passed over without a look at the memory behind them,
// which need not be there. A look would end the test.
func TestNothingBehindIsRead(t *testing.T) {
	const most = 300
	memory := atTheEnd(t, most+2)
	for _, piece := range []string{"a", `"`, "\n", "\x01", "é", "plain text, and \"quotes\" "} {
		for n := range most/len(piece) + 1 {
			value := strings.Repeat(piece, n)
			if len(value) > most {
				continue
			}
			behind := memory[len(memory)-len(value):]
			copy(behind, value)
			written := appendString(nil, unsafe.String(unsafe.SliceData(behind), len(behind)))
			if len(written) > len(memory) {
				continue
			}
			text := memory[len(memory)-len(written):]
			copy(text, written)
			if got := newReader(text).string(); got != value {
				t.Fatalf("%q is read from %q", got, written)
			}
			if end, whole := valueEnd(text); end != len(text) || !whole {
				t.Fatalf("%q ends at %d", written, end)
			}
		}
	}
}
