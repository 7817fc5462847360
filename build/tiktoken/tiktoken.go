// Package tiktoken holds the module that also counts tokens exactly, by
// o200k_base and cl100k_base. It is apart from package build because of its size:
// who imports it carries 2 MB more.
//
//	file, err := tiktoken.Module()
//	…
//	module, err := host.Open(ctx, host.Options{Module: file})
package tiktoken

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

//go:embed turncontext-tiktoken.wasm.gz
var packed []byte

// Module returns the module's file, unpacked anew at each call: open it once. It
// has the ABI of the default module and its answers, and more tokenizers in
// describe.
func Module() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
