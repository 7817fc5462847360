//go:build !amd64 || purego

package host

// Here all is left to escapeWords and unescapeWords.

func escapeBlocks(to, from []byte) (wrote, read int) { return 0, 0 }

func unescapeBlocks(to, from []byte) (wrote, read int) { return 0, 0 }
