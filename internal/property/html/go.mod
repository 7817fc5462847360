module github.com/turncontext/turncontext/internal/property/html

go 1.26.0

toolchain go1.26.8

replace github.com/turncontext/turncontext => ../../..

require (
	github.com/turncontext/turncontext v0.0.0
	golang.org/x/net v0.62.0
)

require (
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
