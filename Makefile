# Every command a person runs. `make help` lists them.

MODULES   := . abi/schema/schematest host/extism internal/property/html internal/fuzz plugin/tiktoken/compare bench
GO        := go
SHA256    := $(shell command -v sha256sum || echo shasum -a 256)
TOOLCHAIN := $(shell awk '$$1 == "toolchain" { print $$2 }' go.mod)

# What the module is built with: the pinned toolchain, and nothing of the
# caller's environment that could change a byte.
GUEST_ENV   := GOTOOLCHAIN=$(TOOLCHAIN) GOOS=wasip1 GOARCH=wasm GOWASM= GOEXPERIMENT= GOFLAGS= GOWORK=off GODEBUG=
GUEST_FLAGS := -trimpath -buildvcs=false -buildmode=c-shared -ldflags='-s -w -buildid='

# The hosts in other languages are made by their own tools. One that is missing is
# named and passed over; with CI=true it is an error.
NODE   := tools/with node npm -- npm --prefix host/node
PYTHON := tools/with python3 -- $(MAKE) -C host/python
RUST   := tools/with cargo -- $(MAKE) -C host/rust

# The module with SIMD is linked by binaryen, which comes through npm and is pinned.
SIMD := tools/with node npm -- $(MAKE)

.PHONY: help build build-simd check-simd test-guest-simd demo install-node test test-go test-node test-python test-rust test-bench test-guest race conform fuzz \
  bench bench-once bench-hosts check check-format check-lint check-modules check-build check-sbom check-node check-python check-rust audit

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the modules, and write their checksums beside them
	$(GUEST_ENV) $(GO) build $(GUEST_FLAGS) -tags guest -o build/turncontext.wasm ./plugin
	cd build && $(SHA256) turncontext.wasm >turncontext.wasm.sha256
	$(GUEST_ENV) $(GO) build $(GUEST_FLAGS) -tags guest,tiktoken -o build/tiktoken/turncontext-tiktoken.wasm ./plugin
	cd build/tiktoken && $(SHA256) turncontext-tiktoken.wasm >turncontext-tiktoken.wasm.sha256
	GOTOOLCHAIN=$(TOOLCHAIN) $(GO) run ./build/pack build/tiktoken/turncontext-tiktoken.wasm build/tiktoken/turncontext-tiktoken.wasm.gz
	$(GO) run ./supply/sbom -tags guest build/turncontext.wasm ./plugin
	$(GO) run ./supply/sbom -tags guest,tiktoken build/tiktoken/turncontext-tiktoken.wasm ./plugin
	$(SIMD) build-simd

build-simd: build/simd/linked.wasm
	mv build/simd/linked.wasm build/simd/turncontext-simd.wasm
	cd build/simd && $(SHA256) turncontext-simd.wasm >turncontext-simd.wasm.sha256
	$(GO) run ./supply/sbom -tags guest,simd build/simd/turncontext-simd.wasm ./plugin

.PHONY: build/simd/linked.wasm # always made anew
build/simd/linked.wasm: plugin/simd/node_modules/.package-lock.json
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	  $(GUEST_ENV) $(GO) build $(GUEST_FLAGS) -tags guest,simd -o "$$dir/unlinked.wasm" ./plugin && \
	  plugin/simd/link "$$dir/unlinked.wasm" $@

plugin/simd/node_modules/.package-lock.json: plugin/simd/package-lock.json
	npm --prefix plugin/simd ci --no-audit --no-fund
	touch $@

demo: ## run the example session through the module, and show it
	@$(GO) run ./host/cmd/turncontext demo

test: test-go test-node test-python test-rust test-bench ## run all tests

test-go: ## run the tests of the Go modules and of the core
	@for m in $(filter-out bench,$(MODULES)); do echo "test: $$m"; (cd $$m && $(GO) test ./...) || exit 1; done
	@echo 'test: the core with tokenizers'; $(GO) test -tags tiktoken ./plugin/...
	@echo 'test: the Go host without assembler'; $(GO) test -short -tags purego ./host

test-bench: bench-hosts
	@echo 'test: bench'; cd bench && $(GO) test ./...

test-node: install-node
	@echo 'test: host/node'; $(NODE) test

install-node:
	@echo 'install: host/node'; $(NODE) ci --no-audit --no-fund

test-python:
	@echo 'test: host/python'; $(PYTHON) test

test-rust:
	@echo 'test: host/rust'; $(RUST) test

test-guest: tools/bin/wazero ## run the tests of the core as WebAssembly, with its assembler
	GOWASIRUNTIME=wazero PATH="$(CURDIR)/tools/bin:$$($(GO) env GOROOT)/lib/wasm:$$PATH" GOOS=wasip1 GOARCH=wasm \
	  $(GO) test -short ./plugin/...
	$(SIMD) test-guest-simd

test-guest-simd: plugin/simd/node_modules/.package-lock.json
	GOWASIRUNTIME=wazero PATH="$(CURDIR)/tools/bin:$$($(GO) env GOROOT)/lib/wasm:$$PATH" GOOS=wasip1 GOARCH=wasm \
	  $(GO) test -short -tags simd -exec $(CURDIR)/plugin/simd/run ./plugin/json ./plugin/fragment ./plugin/params ./plugin/store ./plugin/turn

race: ## run the tests of the host and the core under the race detector (needs cgo)
	$(GO) test -race ./...

# Every host appends a line of JSON to the file, also when its other tests run.
conform: install-node ## run the vectors through every host, and write how many each passed
	@file=$$(mktemp) && trap 'rm -f "$$file"' EXIT && export TURNCONTEXT_CONFORM="$$file" && \
	  $(GO) test ./host -run '^TestVectors$$' -count=1 && \
	  (cd host/extism && $(GO) test . -run '^TestVectors' -count=1) && \
	  $(NODE) run conform && $(PYTHON) conform && $(RUST) conform && \
	  sed 's/[{}"]//g; s/[A-Za-z]*://g' "$$file" | awk -F, \
	    'BEGIN { f = "%-12s %7s %7s %8s\n"; printf f, "host", "passed", "failed", "not run" } { printf f, $$1, $$2, $$3, $$4 }'

FUZZTIME := 30s
fuzz: ## run each fuzz test for FUZZTIME (30s)
	@grep -ro --include='*_test.go' '^func Fuzz[A-Za-z]*' plugin host internal | sort | while IFS=: read -r file test; do \
	  dir=$$(dirname $$file); test=$${test#func }; echo "fuzz: $$dir $$test"; \
	  GO=$(GO) tools/fuzz $$dir $$test $(FUZZTIME) || exit 1; done

# What is measured beside the module: all paths, its opening, long user input,
# policies, and how it scales. Node, Python and Rust run their own packages.
BENCHES := '' -open -text -policy -scale

bench: bench-hosts ## measure the module on all paths beside native peers and echoes
	cd bench && for b in $(BENCHES); do $(GO) run . $$b || exit 1; done
	$(MAKE) -C plugin/tiktoken/compare bench

bench-once: bench-hosts ## run every measurement once, so that none rots
	cd bench && for b in $(BENCHES); do $(GO) run . -once $$b || exit 1; done
	$(MAKE) -C plugin/tiktoken/compare bench-once
	$(NODE) run bench:once
	$(PYTHON) bench-once
	$(RUST) bench-once

bench-hosts: install-node
	@$(PYTHON) install
	@$(RUST) build

check: check-format check-lint check-modules check-build check-sbom check-node check-python check-rust ## run every formatter and linter, and compare the module with its source

check-node: install-node
	@echo 'check: host/node'; $(NODE) run check

check-python:
	@echo 'check: host/python'; $(PYTHON) check

check-rust:
	@echo 'check: host/rust'; $(RUST) check

check-format:
	@echo 'check: gofmt'; files=$$(gofmt -l .); test -z "$$files" || { echo "not formatted: $$files" >&2; exit 1; }

check-lint: tools/bin/staticcheck
	@for m in $(MODULES); do echo "check: vet and staticcheck: $$m"; \
	  (cd $$m && $(GO) vet ./... && $(CURDIR)/tools/bin/staticcheck ./...) || exit 1; done
	@echo 'check: vet and staticcheck: the guest' # U1000 does not know go:wasmexport
	@GOOS=wasip1 GOARCH=wasm $(GO) vet ./plugin/... && GOOS=wasip1 GOARCH=wasm $(GO) vet -tags simd ./plugin/... && GOOS=wasip1 GOARCH=wasm $(GO) vet -tags guest ./plugin
	@GOOS=wasip1 GOARCH=wasm tools/bin/staticcheck -checks inherit,-U1000 ./plugin/...

tools/bin/staticcheck: tools/go.mod
	$(GO) build -modfile=tools/go.mod -o $@ honnef.co/go/tools/cmd/staticcheck

tools/bin/wazero: tools/go.mod
	$(GO) build -modfile=tools/go.mod -o $@ github.com/tetratelabs/wazero/cmd/wazero

check-modules:
	@for m in $(MODULES) tools; do echo "check: go.mod: $$m"; (cd $$m && $(GO) mod tidy -diff && $(GO) mod verify) || exit 1; done

check-build:
	@echo 'check: the modules in build are what the source gives'
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	  $(GUEST_ENV) $(GO) build $(GUEST_FLAGS) -tags guest -o "$$dir/turncontext.wasm" ./plugin && cmp "$$dir/turncontext.wasm" build/turncontext.wasm && \
	  $(GUEST_ENV) $(GO) build $(GUEST_FLAGS) -tags guest,tiktoken -o "$$dir/turncontext-tiktoken.wasm" ./plugin && \
	  gzip -dc build/tiktoken/turncontext-tiktoken.wasm.gz | cmp - "$$dir/turncontext-tiktoken.wasm" && \
	  (cd "$$dir" && $(SHA256) -c "$(CURDIR)/build/turncontext.wasm.sha256" "$(CURDIR)/build/tiktoken/turncontext-tiktoken.wasm.sha256")
	@$(SIMD) check-simd

check-simd: build/simd/linked.wasm
	@trap 'rm -f $<' EXIT; cmp $< build/simd/turncontext-simd.wasm

check-sbom: ## compare the bills of materials with what is in the modules
	@echo 'check: the bills of materials'
	@$(GO) run ./supply/sbom -check -tags guest build/turncontext.wasm ./plugin
	@$(GO) run ./supply/sbom -check -tags guest,tiktoken build/tiktoken/turncontext-tiktoken.wasm ./plugin
	@$(GO) run ./supply/sbom -check -tags guest,simd build/simd/turncontext-simd.wasm ./plugin

audit: ## look the dependencies up in the databases of known vulnerabilities
	supply/audit
