//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"errors"
	"os"
	"syscall"
)

// foldersSync tells whether a folder can be synced like a file.
const foldersSync = true

// tryLock takes the lock on a file, which is made if it is missing, until the
// file is closed. The error is errLocked where another process has it.
func tryLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, privateMode)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return file, nil
	}
	_ = file.Close() // nothing was written to it
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errLocked
	}
	return nil, &os.PathError{Op: "lock", Path: path, Err: err}
}
