module github.com/turncontext/turncontext/plugin/tiktoken/compare

go 1.26.0

toolchain go1.26.8

require (
	github.com/dlclark/regexp2 v1.10.0
	github.com/pkoukk/tiktoken-go v0.1.8
	github.com/pkoukk/tiktoken-go-loader v0.0.2
	github.com/tetratelabs/wazero v1.12.0
	github.com/turncontext/turncontext v0.0.0-00010101000000-000000000000
)

require (
	github.com/google/uuid v1.3.0 // indirect
	golang.org/x/sys v0.44.0 // indirect
)

replace github.com/turncontext/turncontext => ../../..
