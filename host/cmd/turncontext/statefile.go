package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// The files beside a file that is replaced. Each has one name, so that what a
// killed run left is used or written anew, and never piles up.
const (
	newSuffix  = ".turncontext-new"  // what is going to take the file's place
	lockSuffix = ".turncontext-lock" // empty; the system's lock on it counts
)

// privateMode is the mode of files that did not exist: what a thread was told
// is nobody else's business.
const privateMode fs.FileMode = 0o600

// lockInterval is the time between two looks at a lock that another process
// holds.
const lockInterval = 20 * time.Millisecond

// errLocked says that another process holds a lock.
var errLocked = errors.New("another process is using it")

// A stateFile holds the state of one thread. While it is open no other process
// has it open, so nothing is lost between reading and replacing.
type stateFile struct {
	path  string // no symbolic link
	mode  fs.FileMode
	state json.RawMessage // nil if the file does not exist
	lock  *os.File
}

// openStateFile waits for the lock on a file and reads it. With create it need
// not exist. The caller closes it.
func openStateFile(ctx context.Context, path string, create bool) (*stateFile, error) {
	path, err := followLinks(path)
	if err != nil {
		return nil, err
	}
	if !create { // no lock beside a file that was mistyped
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
	}
	lock, err := waitForLock(ctx, path+lockSuffix)
	if err != nil {
		return nil, err
	}
	file := &stateFile{path: path, mode: privateMode, lock: lock}
	if err := file.read(ctx); err != nil && !(create && errors.Is(err, fs.ErrNotExist)) {
		file.close()
		return nil, err
	}
	return file, nil
}

// read reads the state. That it is one JSON value is checked here, because it
// is put into requests as it is; all else the module finds.
func (f *stateFile) read(ctx context.Context) error {
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", f.path)
	}
	f.mode = info.Mode().Perm()
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	text, err := readBounded(ctx, file)
	if err != nil {
		return err
	}
	if len(text) == 0 {
		return fmt.Errorf("%s: the state file is empty; for a new thread it must not exist yet, start makes it", f.path)
	}
	if err := checkValue(f.path, "state file", text); err != nil {
		return err
	}
	f.state = text
	return nil
}

// replace puts a state into the file.
func (f *stateFile) replace(state json.RawMessage) error {
	return replaceFile(f.path, append(state, '\n'), f.mode)
}

// close lets other processes have the file.
func (f *stateFile) close() {
	_ = f.lock.Close() // nothing was written to it
}

// followLinks returns the path of the file that path stands for, which need not
// exist: a link is kept, and the file it leads to replaced.
func followLinks(path string) (string, error) {
	const most = 40 // links, as the kernels have it
	for range most {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		path = filepath.Join(folder, filepath.Base(path))
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		target, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(folder, target)
		}
		path = target
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// waitForLock takes the lock on a file, which is made if it is missing, and
// holds it until the file is closed or the process ends, however it ends.
func waitForLock(ctx context.Context, path string) (*os.File, error) {
	for {
		lock, err := tryLock(path)
		if !errors.Is(err, errLocked) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockInterval):
		}
	}
}

// replaceFile puts text into a file. Whenever the process or the machine stops,
// the file is the old one or the new one, whole; after replaceFile returned
// without an error it is the new one. Nobody else may replace the file at the
// same time.
func replaceFile(path string, text []byte, mode fs.FileMode) error {
	next := path + newSuffix
	if err := writeNew(next, text, mode); err != nil {
		_ = os.Remove(next) // it is of no use, and the next run removes it too
		return err
	}
	if err := os.Rename(next, path); err != nil {
		_ = os.Remove(next)
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// writeNew writes a file that is new, and returns when it is on the disk.
func writeNew(path string, text []byte, mode fs.FileMode) error {
	// What a killed run left may be anything, a link included.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, privateMode)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return finish(file, errors.Join(err, os.Chmod(path, mode)))
}

// finish closes a file that was written, after its content is on the disk. It
// returns the first error.
func finish(file *os.File, err error) error {
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// syncFolder returns when the names in a folder are on the disk. Where a file
// system cannot be told to do that, it does it in its own time.
func syncFolder(path string) error {
	if !foldersSync {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	_ = folder.Close() // nothing was written to it
	return err
}
