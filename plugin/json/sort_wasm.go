package json

// setKeys does what plainSetKeys says.
//
//go:noescape
func setKeys(text []byte, names nameList, keys []sortKey, offset int) (form Form)

// resolveNames does what plainResolveNames says.
//
//go:noescape
func resolveNames(dst, text []byte, names nameList, resolved []String) (end int)

// firstSame does what plainFirstSame says.
//
//go:noescape
func firstSame(keys []sortKey, i int) int

// runEnd does what plainRunEnd says.
//
//go:noescape
func runEnd(keys []sortKey, i int) int

// insert does what plainInsert says.
//
//go:noescape
func insert(keys []sortKey)
