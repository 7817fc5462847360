// Package smalldisk lets a test have a disk of its own, which it can fill and
// make read-only, without any rights: Linux gives the test a name space in which
// it may mount one. On other systems there is nothing in this package.
package smalldisk

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// variable tells the process that has the disk which test it runs, and where.
const variable = "TURNCONTEXT_DISK"

// refused is what that process prints where it may not mount.
const refused = "mounting is not permitted here"

// A Disk is a folder with room for little.
type Disk struct {
	t   *testing.T
	Dir string
}

// Run runs a test again in a process of its own that has an empty disk of
// 256 KiB. Where the system does not let it, the test is skipped.
func Run(t *testing.T, test func(t *testing.T, disk Disk)) {
	t.Helper()
	if dir, ok := strings.CutPrefix(os.Getenv(variable), t.Name()+"="); ok {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
			t.Skipf("%s: %v", refused, err)
		}
		test(t, Disk{t, dir})
		return
	}
	again := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
	again.Env = append(os.Environ(), variable+"="+t.Name()+"="+t.TempDir())
	again.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	output, err := again.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || strings.Contains(string(output), refused) {
		t.Skipf("not run: this system gives a test no disk of its own: %v", err)
	}
	if err != nil || !strings.Contains(string(output), "--- PASS: "+t.Name()) {
		t.Fatalf("%v\n%s", err, output)
	}
}

// filler is the file that takes the room.
const filler = "filler"

// Fill leaves room for so many bytes, rounded down to pages.
func (d Disk) Fill(room int64) {
	d.t.Helper()
	d.Empty()
	var free syscall.Statfs_t
	if err := syscall.Statfs(d.Dir, &free); err != nil {
		d.t.Fatal(err)
	}
	pages := int64(free.Bfree) - room/free.Bsize
	if err := os.WriteFile(filepath.Join(d.Dir, filler), make([]byte, pages*free.Bsize), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// Empty gives the room back.
func (d Disk) Empty() {
	d.t.Helper()
	if err := os.Remove(filepath.Join(d.Dir, filler)); err != nil && !os.IsNotExist(err) {
		d.t.Fatal(err)
	}
}

// ReadOnly makes the disk read-only, or writable again.
func (d Disk) ReadOnly(readOnly bool) {
	d.t.Helper()
	flags := uintptr(syscall.MS_REMOUNT)
	if readOnly {
		flags |= syscall.MS_RDONLY
	}
	if err := syscall.Mount("", d.Dir, "", flags, ""); err != nil {
		d.t.Fatal(err)
	}
}
