//go:build !purego

package host

//go:noescape
func escapeBlocks(to, from []byte) (wrote, read int)

//go:noescape
func unescapeBlocks(to, from []byte) (wrote, read int)
