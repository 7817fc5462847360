package host

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/turncontext/turncontext/abi"
)

// Where the probe has what it is given, and where it puts what it finds out.
const (
	probePath    = 256  // the text "/etc/passwd"
	probeVector  = 512  // a list of one buffer, of 64 bytes, at probeBuffer
	probeBuffer  = 1024 // for what is read
	probeScratch = 4096 // for results that are not looked at
	probeAnswer  = 8192 // the answer: a number of 32 bits for each question, then the values
	probeValues  = probeAnswer + 512
)

// A question is a call of a WASI function. Arguments are int for 32 bits and
// int64 for 64.
type question struct {
	function string
	args     []any
}

// probeModule returns a module whose merge asks the questions of its host. The
// answer are the results, one after the other, and what stands at probeValues.
func probeModule(questions []question) []byte {
	file := &wasmFile{pages: memoryPages, data: []wasmData{
		{probePath, []byte("/etc/passwd")},
		{probeVector, binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, probeBuffer), 64)},
	}}
	var ask []byte
	for i, q := range questions {
		s := signature{results: []byte{i32}}
		code := constant32(uint32(probeAnswer + 4*i))
		for _, arg := range q.args {
			switch arg := arg.(type) {
			case int:
				s.params, code = append(s.params, i32), join(code, constant32(uint32(arg)))
			case int64:
				s.params, code = append(s.params, i64), join(code, constant64(uint64(arg)))
			}
		}
		file.imports = append(file.imports, wasmImport{"wasi_snapshot_preview1", q.function, s})
		const store32, aligned, offset = 0x36, 2, 0
		ask = join(ask, code, call(uint32(i)), []byte{store32, aligned, offset})
	}
	file.functions = []wasmFunction{
		{exportInitialize, initializeSignature, nil},
		{abi.DirectVersion, versionSignature, constant32(abi.Version)},
		{abi.DirectReserve, callSignature, constant64(packed(inputAddress, inputCapacity))},
	}
	for _, function := range abi.Functions() {
		file.functions = append(file.functions, wasmFunction{abi.DirectPrefix + function, callSignature,
			join(ask, constant64(packed(probeAnswer, 1024)))})
	}
	return file.encode()
}

// probe asks the questions, and returns the results and the values.
func probe(t *testing.T, m *Module) (results func(i int) uint32, values func(i int) uint64) {
	t.Helper()
	answer, err := m.Call(t.Context(), abi.FunctionMerge, nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(i int) uint32 { return binary.LittleEndian.Uint32(answer[4*i:]) },
		func(i int) uint64 { return binary.LittleEndian.Uint64(answer[probeValues-probeAnswer+8*i:]) }
}

// WASI's numbers.
const (
	badFile        = 8 // EBADF
	success        = 0
	wallClock      = 0
	monotonicClock = 1
	processClock   = 2
	threadClock    = 3
)

// A guest has no arguments, no environment, no files, no input and no network,
// whatever the program has that runs it. What is asked is more than a
// turncontext module imports: this is what one that was tampered with could ask.
func TestGuestIsGivenNothing(t *testing.T) {
	t.Setenv("TURNCONTEXT_SECRET", "not for the guest")
	var questions []question
	ask := func(function string, args ...any) { questions = append(questions, question{function, args}) }
	ask("args_sizes_get", probeValues, probeValues+4)
	ask("environ_sizes_get", probeValues+8, probeValues+12)
	ask("fd_read", 0, probeVector, 1, probeValues+16)
	given := len(questions)
	for fd := range 8 {
		const rights = int64(1)<<29 - 1
		ask("path_open", fd, 0, probePath, 11, 0, rights, rights, 0, probeScratch)
		ask("path_filestat_get", fd, 0, probePath, 11, probeScratch)
		ask("path_create_directory", fd, probePath, 11)
		ask("path_unlink_file", fd, probePath, 11)
		ask("sock_accept", fd, 0, probeScratch)
		ask("sock_recv", fd, probeVector, 1, 0, probeScratch, probeScratch)
		ask("sock_send", fd, probeVector, 1, 0, probeScratch)
		ask("fd_readdir", fd, probeBuffer, 64, int64(0), probeScratch)
		if fd > 2 {
			ask("fd_prestat_get", fd, probeScratch)
			ask("fd_prestat_dir_name", fd, probeScratch, 64)
			ask("fd_read", fd, probeVector, 1, probeScratch)
			ask("fd_write", fd, probeVector, 1, probeScratch)
			ask("fd_pread", fd, probeVector, 1, int64(0), probeScratch)
			ask("fd_seek", fd, int64(0), 0, probeScratch)
		}
	}
	results, values := probe(t, open(t, Options{Module: probeModule(questions), Instances: 1}))
	for i, q := range questions {
		switch {
		case i < given && results(i) != success:
			t.Errorf("%s%v gives %d", q.function, q.args, results(i))
		case i >= given && results(i) == success:
			t.Errorf("%s%v succeeds", q.function, q.args)
		case q.function == "fd_prestat_get" && results(i) != badFile:
			t.Errorf("%s%v gives %d: a guest would look for more folders", q.function, q.args, results(i))
		}
	}
	for i, what := range []string{"arguments", "environment", "bytes of input"} {
		if got := values(i); got != 0 {
			t.Errorf("the guest has %s: %#x", what, got)
		}
	}
}

// The wall clock stands still, at the same moment in every instance. The
// monotonic one goes, since the guest's collector needs it. There is no other.
func TestGuestsClocks(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Module: probeModule([]question{
		{"clock_time_get", []any{wallClock, int64(1), probeValues}},
		{"clock_time_get", []any{monotonicClock, int64(1), probeValues + 8}},
		{"clock_time_get", []any{processClock, int64(1), probeValues + 16}},
		{"clock_time_get", []any{threadClock, int64(1), probeValues + 24}},
	}), Instances: 2})
	var walls, monotonics []uint64
	for range 3 {
		results, values := probe(t, m)
		if got := []uint32{results(0), results(1)}; !slices.Equal(got, []uint32{success, success}) {
			t.Errorf("the clocks give %d", got)
		}
		if results(2) == success || results(3) == success {
			t.Error("the guest can tell how much it worked")
		}
		walls, monotonics = append(walls, values(0)), append(monotonics, values(1))
		time.Sleep(2 * time.Millisecond)
	}
	other, err := m.instantiate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	m.pool.mu.Lock()
	m.pool.idle = append(m.pool.idle, other) // the next call's
	m.pool.mu.Unlock()
	_, values := probe(t, m)
	walls = append(walls, values(0))
	if slices.Max(walls) != slices.Min(walls) || walls[0] == 0 {
		t.Errorf("the wall clock says %d", walls)
	}
	for i := range 2 {
		if passed := monotonics[i+1] - monotonics[i]; passed < uint64(time.Millisecond) || passed > uint64(time.Minute) {
			t.Errorf("the monotonic clock says %d", monotonics)
		}
	}
}
