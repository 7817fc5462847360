//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package main

import (
	"errors"
	"os"
)

// foldersSync tells whether a folder can be synced like a file.
const foldersSync = false

// tryLock refuses: without a lock that ends with its process, two runs at once
// would lose what one of them wrote.
func tryLock(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "lock", Path: path, Err: errors.ErrUnsupported}
}
