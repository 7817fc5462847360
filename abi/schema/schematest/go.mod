module github.com/turncontext/turncontext/abi/schema/schematest

go 1.26.0

toolchain go1.26.8

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/turncontext/turncontext v0.0.0
)

require (
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.44.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace github.com/turncontext/turncontext => ../../..
