package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
)

// edited returns the fake module with a change.
func edited(edit func(*wasmFile)) []byte {
	file := fakeModule()
	edit(file)
	return file.encode()
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		module []byte
		want   string
	}{
		"text":        {[]byte("no module"), "host: not a WebAssembly file, so it is no turncontext module; this host speaks ABI version 1"},
		"nothing":     {[]byte{}, "host: not a WebAssembly file"},
		"half a file": {fakeModule().encode()[:100], "host: compiling the module: "},
		"another module": {(&wasmFile{}).encode(),
			"host: module exports no direct_version, so it is no turncontext module; this host speaks ABI version 1"},
		"version 2": {edited(func(f *wasmFile) {
			f.function(abi.DirectVersion).code = constant32(2)
			f.function(abi.DirectReserve).name = "other" // what else may differ is not to be named
		}), "host: module has ABI version 2, this host speaks 1"},
		"version -1": {edited(func(f *wasmFile) { f.function(abi.DirectVersion).code = constant32(0xffffffff) }),
			"host: module has ABI version 4294967295, this host speaks 1"},
		"version of another type": {edited(func(f *wasmFile) {
			*f.function(abi.DirectVersion) = wasmFunction{abi.DirectVersion, callSignature, constant64(1)}
		}), "host: module exports direct_version as (i32) -> i64, not as () -> i32; this host speaks ABI version 1"},
		"version that traps": {edited(func(f *wasmFile) { f.function(abi.DirectVersion).code = unreachable }),
			"host: the module failed in direct_version: "},
		"no merge": {edited(func(f *wasmFile) { f.function("direct_merge").name = "merge" }),
			"host: module does not keep ABI version 1: module exports no direct_merge"},
		"nothing but the version": {edited(func(f *wasmFile) {
			f.functions = []wasmFunction{*f.function(abi.DirectVersion)}
			f.pages, f.data = 0, nil
		}), "module exports no _initialize; module exports no direct_reserve; module exports no direct_classify; " +
			"module exports no direct_describe; module exports no direct_guidance; module exports no direct_merge; " +
			"module exports no direct_reconcile; module exports no direct_turn_set; module exports no direct_turn_start; " +
			"module exports no direct_turn_steer; module exports no memory named memory"},
		"describe of another type": {edited(func(f *wasmFile) {
			*f.function("direct_describe") = wasmFunction{"direct_describe", signature{params: []byte{i64, i32}}, nil}
		}), "module exports direct_describe as (i64, i32) -> (), not as (i32) -> i64"},
		"foreign function": {edited(func(f *wasmFile) {
			f.imports = append(f.imports, wasmImport{"env", "steal", signature{}})
		}), "host: module imports what no turncontext module does: env.steal"},
		"foreign memory": {edited(func(f *wasmFile) { f.importMemory = true }),
			"host: module imports what no turncontext module does: foreign.memory"},
		"unknown function of WASI": {edited(func(f *wasmFile) {
			f.imports = append(f.imports, wasmImport{"wasi_snapshot_preview1", "steal", signature{}})
		}), "steal"},
		"trap at the start": {edited(func(f *wasmFile) { f.function(exportInitialize).code = unreachable }),
			"host: the module failed in _initialize: "},
		"exit at the start": {edited(func(f *wasmFile) {
			f.function(exportInitialize).code = join(constant32(0), call(0))
		}), "host: the module failed in _initialize: it exited with code 0"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := Open(t.Context(), Options{Module: c.module})
			if m != nil || err == nil {
				t.Fatalf("got %v, %v, want an error", m, err)
			}
			if !strings.HasPrefix(err.Error(), "host: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
		})
	}
}

func TestOpenChecksOptions(t *testing.T) {
	t.Parallel()
	for _, options := range []Options{
		{Instances: -1},
		{MemoryLimit: pageSize - 1},
		{MemoryLimit: maxMemoryLimit + 1},
		{MemoryLimit: pageSize, Module: fakeModule().encode()}, // less than what it begins with
	} {
		if m, err := Open(t.Context(), options); err == nil {
			t.Errorf("%+v was accepted: %v", options, m)
		}
	}
	m := open(t, Options{Module: fakeModule().encode(), MemoryLimit: memoryPages*pageSize + 1})
	if m.pool.slots != runtime.GOMAXPROCS(0) {
		t.Errorf("there are %d slots", m.pool.slots)
	}
}

func TestOpenHonoursContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}

	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	endless := edited(func(f *wasmFile) { f.function(exportInitialize).code = loopForever })
	if _, err := Open(ctx, Options{Module: endless, Interrupt: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
}

// The caller may do with the file's bytes what it likes once Open is done.
func TestModuleIsNotKept(t *testing.T) {
	t.Parallel()
	file := fakeModule().encode()
	m := open(t, Options{Module: file, Instances: 1})
	clear(file)
	checkWorks(t, m)
	if _, err := m.Call(t.Context(), abi.FunctionMerge, request('t')); err == nil {
		t.Error("the trap is no error")
	}
	checkWorks(t, m) // on an instance made after the bytes are gone
}

func TestBuiltInModule(t *testing.T) {
	t.Parallel()
	m := open(t, Options{CacheDir: cacheDir})
	if got := m.pool.idle; len(got) != 1 {
		t.Errorf("there are %d instances, want the one of the version check", len(got))
	}
	description, err := m.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := abi.Limits{RequestBytes: abi.MaxRequestBytes, Depth: abi.MaxDepth, TextChars: abi.MaxTextChars}
	if description.Limits != want || strings.Join(description.Functions, " ") != strings.Join(abi.Functions(), " ") {
		t.Errorf("got %+v", description)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made", "when missing")
	for range 2 {
		m, err := Open(t.Context(), Options{CacheDir: dir, Module: fakeModule().encode()})
		if err != nil {
			t.Fatal(err)
		}
		checkWorks(t, m)
		if err := m.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if files := filesIn(t, dir); len(files) != 2 || files[1] != files[0]+sumSuffix {
			t.Fatalf("the cache has the files %q, want one and its checksum", files)
		}
	}
}

// Interruptible code is other code, and has a file of its own.
func TestCacheTellsInterruptibleCode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, interrupt := range []bool{false, true, false} {
		m := openFake(t, Options{CacheDir: dir, Interrupt: interrupt})
		checkWorks(t, m)
	}
	if files := filesIn(t, dir); len(files) != 4 {
		t.Errorf("the cache has the files %q, want two and their checksums", files)
	}
}

func TestUnusableCache(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		if _, err := Open(t.Context(), Options{CacheDir: dir}); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("got %v, want an error that names %s", err, dir)
		}
	}
}

// A folder that may only be read serves what it has.
func TestReadOnlyCache(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	openFake(t, Options{CacheDir: dir})
	for folder := filepath.Dir(filesIn(t, dir)[0]); folder != filepath.Dir(dir); folder = filepath.Dir(folder) {
		if err := os.Chmod(folder, 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
	}
	checkWorks(t, openFake(t, Options{CacheDir: dir}))

	probe := filepath.Join(dir, "probe")
	if err := os.WriteFile(probe, nil, 0o600); err == nil {
		return // permissions do not bind who runs the test
	}
	if _, err := Open(t.Context(), Options{CacheDir: dir, Module: build.Module}); err == nil {
		t.Error("a folder that cannot be written is no error")
	}
}

// filesIn returns the files anywhere below a folder.
func filesIn(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
