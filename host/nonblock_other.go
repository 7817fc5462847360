//go:build !unix

package host

// nonBlocking is nothing where the file system has no pipes.
const nonBlocking = 0
