// Package simd holds the module whose hottest loops are in SIMD instructions of
// WebAssembly. It has the ABI of the default module and its answers, and is
// quicker from some KB on. It is apart from package build so that who imports one
// does not carry both.
//
//	module, err := host.Open(ctx, host.Options{Module: simd.Module})
package simd

import _ "embed"

// Module is turncontext-simd.wasm. It must not be changed.
//
//go:embed turncontext-simd.wasm
var Module []byte
