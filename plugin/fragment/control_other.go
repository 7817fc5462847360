//go:build !wasm

package fragment

func hasControl(text []byte) bool { return plainHasControl(text) }
