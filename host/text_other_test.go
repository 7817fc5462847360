//go:build !amd64 || purego

package host

// escapers and unescapers are what there is for this processor.
func escapers() map[string]func(to, from []byte) (wrote, read int) {
	return map[string]func(to, from []byte) (wrote, read int){"escapeWords": escapeWords}
}

func unescapers() map[string]func(to, from []byte) (wrote, read int) {
	return map[string]func(to, from []byte) (wrote, read int){"unescapeWords": unescapeWords}
}
