package main

import (
	"errors"
	"os"
	"syscall"
)

// foldersSync tells whether a folder can be synced like a file.
const foldersSync = false

// errSharingViolation is the system's ERROR_SHARING_VIOLATION.
const errSharingViolation syscall.Errno = 32

// tryLock takes the lock on a file, which is made if it is missing, until the
// file is closed: it opens the file and shares it with nobody. The error is
// errLocked where another process has it.
func tryLock(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err == nil {
		return os.NewFile(uintptr(handle), path), nil
	}
	if errors.Is(err, errSharingViolation) {
		err = errLocked
	}
	return nil, &os.PathError{Op: "lock", Path: path, Err: err}
}
