package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/bench/peers/golang"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/host/extism"
	"github.com/turncontext/turncontext/plugin/turn"
)

// The calls of a path.
const (
	callMerge = "merge"
	callEcho  = "echo" // the floor: the same way, and back with the same bytes
)

// A path is one way to make the calls.
type path interface {
	// load gives the path the requests, by whose number they are sent.
	load(requests [][]byte) error
	// answer sends one request, and returns its answer.
	answer(call string, request int) ([]byte, error)
	// run sends so many requests, each in its turn, beginning with the first.
	run(call string, first, count int) (sample, error)
	close() error
}

// The names of the paths that others are compared with.
const (
	raw      = "raw"
	buffer   = "buffer"
	rawStart = "raw start"
	typed    = "typed"
	thread   = "Thread"
	rust     = "Rust"
)

// A way is a path that may be opened.
type way struct {
	name string
	what string
	// echoes tells whether there is an echo. A path without one would choke on
	// it, for it reads the answer.
	echoes bool
	// sdk tells whether the path goes through an SDK of Extism.
	sdk  bool
	open func(context.Context, guests) (path, error)
}

// ways returns every path.
func ways() []way {
	return []way{
		{raw, "the module in the Go host, Module.Call", true, false, openRaw},
		{buffer, "the same, Module.AppendCall into one buffer", true, false, openBuffer},
		{rawStart, "the same, for the turn_start that Thread makes", false, false, openRawStart},
		{typed, "the same, Module.Merge", false, false, openTyped},
		{thread, "the same, Thread.PrepareStart", false, false, openThread},
		{"core", "the module's core as a Go package", true, false, openCore},
		{rust, "a native merge in Rust, with serde_json (peers/rust)", true, false, openRust},
		{"Go", "a native merge in Go, with encoding/json (peers/golang)", true, false, openGo},
		{"Go SDK", "the module in Extism's Go SDK (host/extism)", true, true, openGoSDK},
		{"Node", "the module in host/node, Module.call", true, true, openNode},
		{"Python", "the module in host/python, Module.call", true, true, openPython},
		{"Rust SDK", "the module in host/rust, Module::call", true, true, openRustSDK},
	}
}

// A lane is a path that is open.
type lane struct {
	way
	path
}

// openLanes opens the paths that were asked for. It returns what could not be
// opened as a list of reasons, unless nothing may be missing.
func (b bench) openLanes(ctx context.Context, g guests, needAll bool) (lanes []lane, missing []string, err error) {
	for _, w := range ways() {
		if !b.paths.MatchString(w.name) {
			continue
		}
		fmt.Fprintf(b.progress, "opening %s\n", w.name)
		p, err := w.open(ctx, g)
		switch {
		case err == nil:
			lanes = append(lanes, lane{w, p})
		case needAll || ctx.Err() != nil:
			return nil, nil, errors.Join(fmt.Errorf("open %s: %w", w.name, err), closeLanes(lanes))
		default:
			missing = append(missing, fmt.Sprintf("%s: not measured: %v", w.name, err))
		}
	}
	return lanes, missing, nil
}

func closeLanes(lanes []lane) error {
	var errs []error
	for _, l := range lanes {
		if err := l.close(); err != nil {
			errs = append(errs, fmt.Errorf("close %s: %w", l.name, err))
		}
	}
	return errors.Join(errs...)
}

// openRaw calls the module in the Go host, with JSON in and out.
func openRaw(ctx context.Context, g guests) (path, error) { return openCalls(ctx, g, rawCall) }

// openBuffer does the same with one buffer for all answers, as a runtime would that
// makes many calls, and as the peer in Rust gets back the memory it has freed.
func openBuffer(ctx context.Context, g guests) (path, error) { return openCalls(ctx, g, bufferCall) }

func openCalls(ctx context.Context, g guests, calls func(context.Context, *host.Module) func([]byte) ([]byte, error)) (path, error) {
	return openBytes(g, func(module []byte) (func([]byte) ([]byte, error), func() error, error) {
		m, err := openHost(ctx, module)
		if err != nil {
			return nil, nil, err
		}
		return calls(ctx, m), func() error { return m.Close(ctx) }, nil
	})
}

func openHost(ctx context.Context, module []byte) (*host.Module, error) {
	return host.Open(ctx, host.Options{Module: module, Instances: 1})
}

func rawCall(ctx context.Context, m *host.Module) func([]byte) ([]byte, error) {
	return func(request []byte) ([]byte, error) { return m.Call(ctx, abi.FunctionMerge, request) }
}

// bufferCall is rawCall with a buffer for the answer, which the next call
// overwrites.
func bufferCall(ctx context.Context, m *host.Module) func([]byte) ([]byte, error) {
	var buffer []byte
	return func(request []byte) (answer []byte, err error) {
		buffer, err = m.AppendCall(ctx, buffer[:0], abi.FunctionMerge, request)
		return buffer, err
	}
}

// openGoSDK calls the module in Extism's Go SDK.
func openGoSDK(ctx context.Context, g guests) (path, error) {
	return openBytes(g, func(module []byte) (func([]byte) ([]byte, error), func() error, error) {
		p, err := extism.Open(ctx, extism.Options{Module: module})
		if err != nil {
			return nil, nil, err
		}
		merge := func(request []byte) ([]byte, error) { return p.Call(abi.FunctionMerge, request) }
		return merge, p.Close, nil
	})
}

// openBytes opens the module and the echo in one way, that takes and gives
// bytes.
func openBytes(g guests, open func(module []byte) (func([]byte) ([]byte, error), func() error, error)) (path, error) {
	merge, closeMerge, err := open(g.module)
	if err != nil {
		return nil, err
	}
	echo, closeEcho, err := open(g.echo)
	if err != nil {
		return nil, errors.Join(err, closeMerge())
	}
	return &local{
		calls:   map[string]localCall{callMerge: bytesCall(merge), callEcho: bytesCall(echo)},
		closers: []func() error{closeMerge, closeEcho},
	}, nil
}

// openTyped calls the module in the Go host with the types of package abi. It
// takes a request apart before anything is measured.
func openTyped(ctx context.Context, g guests) (path, error) {
	m, err := openHost(ctx, g.module)
	if err != nil {
		return nil, err
	}
	var requests []abi.MergeRequest
	var last *abi.MergeResponse
	merge := localCall{
		load: func(texts [][]byte) (err error) {
			requests, err = parse(texts)
			return err
		},
		call: func(i int) (err error) {
			last, err = m.Merge(ctx, requests[i])
			return err
		},
		answer: func() ([]byte, error) { return marshal(last) },
	}
	return &local{
		calls:   map[string]localCall{callMerge: merge},
		closers: []func() error{func() error { return m.Close(ctx) }},
	}, nil
}

// openThread starts a turn of a thread that was told what a request's store
// says, and discards it, so that the thread is the same for the next call.
func openThread(ctx context.Context, g guests) (path, error) {
	m, err := openHost(ctx, g.module)
	if err != nil {
		return nil, err
	}
	var threads []*host.Thread
	var requests []abi.TurnStartRequest
	var last *host.Prepared
	merge := localCall{
		load: func(texts [][]byte) error {
			parsed, err := parse(texts)
			if err != nil {
				return err
			}
			threads, requests = nil, nil
			for _, r := range parsed {
				t, err := m.RestoreThread(ctx, stateOf(r.Store), nil)
				if err != nil {
					return err
				}
				threads = append(threads, t)
				requests = append(requests, abi.TurnStartRequest{
					TurnID: "turn",
					Params: abi.TurnStartParams{AdditionalContext: r.AdditionalContext},
					Policy: r.Policy,
				})
			}
			return nil
		},
		call: func(i int) (err error) {
			if last, err = threads[i].PrepareStart(ctx, requests[i]); err != nil {
				return err
			}
			last.Discard()
			return nil
		},
		answer: func() ([]byte, error) { return mergeAnswer(last.TurnResponse) },
	}
	return &local{
		calls:   map[string]localCall{callMerge: merge},
		closers: []func() error{func() error { return m.Close(ctx) }},
	}, nil
}

// openRawStart calls the module as a thread does that was told what a request's
// store says, with JSON in and out.
func openRawStart(ctx context.Context, g guests) (path, error) {
	m, err := openHost(ctx, g.module)
	if err != nil {
		return nil, err
	}
	var requests [][]byte
	var last []byte
	merge := localCall{
		load: func(texts [][]byte) error {
			requests = nil
			for _, text := range texts {
				request, err := startOf(ctx, m, text)
				if err != nil {
					return err
				}
				requests = append(requests, request)
			}
			return nil
		},
		call: func(i int) (err error) {
			last, err = m.Call(ctx, abi.FunctionTurnStart, requests[i])
			return err
		},
		answer: func() ([]byte, error) {
			var turn abi.TurnResponse
			if err := json.Unmarshal(last, &turn); err != nil {
				return nil, err
			}
			return mergeAnswer(turn)
		},
	}
	return &local{
		calls:   map[string]localCall{callMerge: merge},
		closers: []func() error{func() error { return m.Close(ctx) }},
	}, nil
}

// startOf returns the request of turn_start that does what a request of merge
// does.
func startOf(ctx context.Context, m *host.Module, merge []byte) ([]byte, error) {
	var r struct {
		Store             abi.Store
		AdditionalContext json.RawMessage
	}
	r.AdditionalContext = json.RawMessage("null") // where there is none
	if err := json.Unmarshal(merge, &r); err != nil {
		return nil, err
	}
	t, err := m.RestoreThread(ctx, stateOf(r.Store), nil)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"state":%s,"turnId":"turn","params":{"threadId":"bench","input":[],"additionalContext":%s}}`,
		t.Snapshot(), r.AdditionalContext), nil
}

// stateOf returns the state of a thread that was told a store.
func stateOf(store abi.Store) abi.State {
	if store == nil {
		store = abi.Store("null")
	}
	return fmt.Appendf(nil, `{"version":1,"threadId":"bench","activeTurn":null,"additionalContext":%s}`, store)
}

// mergeAnswer returns what merge answers where a thread gives this.
func mergeAnswer(turn abi.TurnResponse) ([]byte, error) {
	var state struct {
		AdditionalContext abi.Store `json:"additionalContext"`
	}
	if err := json.Unmarshal(turn.State, &state); err != nil {
		return nil, err
	}
	return marshal(abi.MergeResponse{Store: state.AdditionalContext, Inputs: turn.Inputs, Receipts: turn.Receipts})
}

func parse(texts [][]byte) ([]abi.MergeRequest, error) {
	requests := make([]abi.MergeRequest, len(texts))
	for i, text := range texts {
		if err := json.Unmarshal(text, &requests[i]); err != nil {
			return nil, err
		}
	}
	return requests, nil
}

// marshal writes JSON without the escapes for HTML that are the standard
// library's own habit.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// openCore calls the core as the Go package that it is.
func openCore(context.Context, guests) (path, error) {
	core := new(turn.Core)
	merge := func(request []byte) ([]byte, error) { return core.Call(abi.FunctionMerge, request), nil }
	return native(merge), nil
}

// openGo calls the native merge in Go.
func openGo(context.Context, guests) (path, error) { return native(golang.Merge), nil }

// native is a path without a module. Its floor is a copy of the request.
func native(merge func(request []byte) ([]byte, error)) path {
	var copied []byte
	echo := func(request []byte) ([]byte, error) {
		copied = append(copied[:0], request...)
		return copied, nil
	}
	return &local{calls: map[string]localCall{callMerge: bytesCall(merge), callEcho: bytesCall(echo)}}
}

// openRust builds and starts the native merge in Rust.
func openRust(ctx context.Context, _ guests) (path, error) {
	const folder = "peers/rust"
	if err := cargoBuild(ctx, folder, nil, "--release"); err != nil {
		return nil, err
	}
	return startChild(ctx, filepath.Join(folder, "target", "release", "turncontext-peer"))
}

func openNode(ctx context.Context, g guests) (path, error) {
	if err := exists("../host/node/dist/index.mjs", "run npm ci in host/node"); err != nil {
		return nil, err
	}
	return startChild(ctx, "node", "drivers/node.mjs", g.moduleFile, g.echoFile)
}

func openPython(ctx context.Context, g guests) (path, error) {
	const python = "../host/python/.venv/bin/python"
	if err := exists(python, "run make install in host/python"); err != nil {
		return nil, err
	}
	return startChild(ctx, python, "drivers/python.py", g.moduleFile, g.echoFile)
}

// openRustSDK builds and starts the driver in Rust, with what host/rust has
// compiled already.
func openRustSDK(ctx context.Context, g guests) (path, error) {
	target, err := filepath.Abs("../host/rust/target")
	if err != nil {
		return nil, err
	}
	if err := cargoBuild(ctx, "drivers/rust", []string{"CARGO_TARGET_DIR=" + target}); err != nil {
		return nil, err
	}
	return startChild(ctx, filepath.Join(target, "debug", "turncontext-driver"), g.moduleFile, g.echoFile)
}

func exists(file, remedy string) error {
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("%w (%s)", err, remedy)
	}
	return nil
}
