//go:build unix

package host

import "syscall"

// nonBlocking opens a pipe without waiting for its other end.
const nonBlocking = syscall.O_NONBLOCK
