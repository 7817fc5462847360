// Package build embeds the built module.
package build

import _ "embed"

// Module is turncontext.wasm, the default module. It must not be changed.
//
//go:embed turncontext.wasm
var Module []byte
