package json

// setKeys does what plainSetKeys says.
//
//go:noescape
func setKeys(text []byte, names []String, keys []sortKey, offset int)

// firstSame does what plainFirstSame says.
//
//go:noescape
func firstSame(keys []sortKey, i int) int

// insert does what plainInsert says.
//
//go:noescape
func insert(keys []sortKey)
