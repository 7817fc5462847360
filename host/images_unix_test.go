//go:build unix

package host

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// makePipe makes a named pipe, which nobody writes into.
func makePipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

// link makes a symbolic link.
func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// Only what ends at a regular file is read, and nothing is waited for.
func TestResolveImagesOfSpecialFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	picture := images(t)["image/png"]
	write(t, dir, "picture", picture)
	makePipe(t, filepath.Join(dir, "pipe"))
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	link(t, "picture", filepath.Join(dir, "link"))
	link(t, "/dev/zero", filepath.Join(dir, "device link"))
	link(t, "pipe", filepath.Join(dir, "pipe link"))
	link(t, "gone", filepath.Join(dir, "dangling"))
	link(t, "loop", filepath.Join(dir, "loop"))

	options := ImageOptions{Dir: dir}
	checkGiven(t, ResolveImages(localImage("link"), options), "link", "image/png", picture)
	if runtime.GOOS == "linux" { // has a regular file that cannot be read
		checkMissing(t, ResolveImages(localImage("/proc/self/mem"), options), "/proc/self/mem", "it could not be read")
	}
	for path, why := range map[string]string{
		"/dev/zero":   "it is not a regular file",
		"device link": "it is not a regular file",
		"pipe":        "it is not a regular file",
		"pipe link":   "it is not a regular file",
		"socket":      "it is not a regular file",
		"dangling":    "there is no such file",
		"loop":        "it could not be read",
		"picture/x":   "it could not be read", // picture is no folder
	} {
		checkMissing(t, ResolveImages(localImage(path), options), path, why)
	}
}

// A file that becomes a pipe between two looks at it makes nobody wait.
func TestResolveImagesOfAChangingFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, pipe := filepath.Join(dir, "file"), filepath.Join(dir, "pipe")
	makePipe(t, pipe)
	picture := images(t)["image/png"]
	write(t, dir, "file", picture)

	var done atomic.Bool
	changed := make(chan error, 1)
	go func() {
		for !done.Load() {
			err := os.WriteFile(path+".new", picture, 0o600)
			if err == nil {
				err = os.Rename(path+".new", path)
			}
			if err == nil {
				err = os.Link(pipe, path+".new")
			}
			if err == nil {
				err = os.Rename(path+".new", path)
			}
			if err != nil {
				changed <- err
				return
			}
		}
		changed <- nil
	}()
	results := map[int]int{} // how often there were so many parts
	begin := time.Now()
	for n := 0; n < 1000 || (results[1] == 0 || results[3] == 0) && time.Since(begin) < 10*time.Second; n++ {
		got := ResolveImages(localImage(path), ImageOptions{})
		results[len(got.Item.Content)]++
		if len(got.Item.Content) == 1 {
			checkMissing(t, got, path, "it is not a regular file")
		} else {
			checkGiven(t, got, path, "image/png", picture)
		}
	}
	done.Store(true)
	if err := <-changed; err != nil {
		t.Error(err)
	}
	if results[1] == 0 || results[3] == 0 {
		t.Errorf("the file did not change: %v", results)
	}
}
