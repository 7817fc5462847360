package host

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/turncontext/turncontext/build"
	"github.com/turncontext/turncontext/internal/smalldisk"
)

// A full disk fails Open, wherever the writing stops, and leaves nothing that
// is in the way once there is room.
func TestCacheOnAFullDisk(t *testing.T) {
	smalldisk.Run(t, func(t *testing.T, disk smalldisk.Disk) {
		file := fakeModule().encode()
		const enough = 3 // pages: two for the code, one for its checksum
		for pages := range int64(enough) {
			disk.Fill(pages * 4096)
			if _, err := Open(t.Context(), Options{CacheDir: disk.Dir, Module: file}); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("with room for %d pages: got %v", pages, err)
			}
		}
		disk.Fill(enough * 4096)
		checkWorks(t, openFake(t, Options{CacheDir: disk.Dir}))
		disk.Empty()
		checkWorks(t, openFake(t, Options{CacheDir: disk.Dir}))
		if files := filesIn(t, disk.Dir); len(files) != 2 {
			t.Errorf("the cache has the files %q", files)
		}
	})
}

// A read-only disk serves the code that it has, and fails Open where it has
// none, or where what it has is damaged.
func TestCacheOnAReadOnlyDisk(t *testing.T) {
	smalldisk.Run(t, func(t *testing.T, disk smalldisk.Disk) {
		openFake(t, Options{CacheDir: disk.Dir})
		disk.ReadOnly(true)
		checkWorks(t, openFake(t, Options{CacheDir: disk.Dir}))
		if _, err := Open(t.Context(), Options{CacheDir: disk.Dir, Module: build.Module}); err == nil || !strings.Contains(err.Error(), "read-only") {
			t.Errorf("another module: got %v", err)
		}
		disk.ReadOnly(false)
		if err := os.Truncate(filesIn(t, disk.Dir)[0], 100); err != nil {
			t.Fatal(err)
		}
		disk.ReadOnly(true)
		if _, err := Open(t.Context(), Options{CacheDir: disk.Dir, Module: fakeModule().encode()}); !errors.Is(err, syscall.EROFS) {
			t.Errorf("a damaged file: got %v", err)
		}
		disk.ReadOnly(false)
		checkWorks(t, openFake(t, Options{CacheDir: disk.Dir}))
	})
}
