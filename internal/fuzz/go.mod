module github.com/turncontext/turncontext/internal/fuzz

go 1.26.0

toolchain go1.26.8

replace (
	github.com/turncontext/turncontext => ../..
	github.com/turncontext/turncontext/host/extism => ../../host/extism
)

require (
	github.com/go-json-experiment/json v1.27.2
	github.com/turncontext/turncontext v0.0.0
	github.com/turncontext/turncontext/host/extism v0.0.0
)

require (
	github.com/dylibso/observe-sdk/go v0.0.0-20240819160327-2d926c5d788a // indirect
	github.com/extism/go-sdk v1.7.1 // indirect
	github.com/gobwas/glob v0.2.3 // indirect
	github.com/ianlancetaylor/demangle v0.0.0-20240805132620-81f5be970eca // indirect
	github.com/tetratelabs/wabin v0.0.0-20230304001439-f6f874872834 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	go.opentelemetry.io/proto/otlp v1.3.1 // indirect
	golang.org/x/sys v0.44.0 // indirect
	google.golang.org/protobuf v1.34.2 // indirect
)
