package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/build"
)

// refusedAs makes a call that has to be refused, and returns what is told.
func refusedAs(t *testing.T, m *Module, function string, request []byte, kind abi.ErrorKind) *abi.Error {
	t.Helper()
	_, err := m.Call(t.Context(), function, request)
	refused, ok := err.(*abi.Error)
	if !ok || refused.Kind != kind {
		t.Fatalf("%s of %d bytes: got %v, want %s", function, len(request), err, kind)
	}
	return refused
}

// accepted makes a call that has to be answered.
func accepted(t *testing.T, m *Module, function string, request []byte) []byte {
	t.Helper()
	answer, err := m.Call(t.Context(), function, request)
	if err != nil {
		t.Fatalf("%s of %d bytes: %v", function, len(request), err)
	}
	return answer
}

// A request of the largest size is answered. One that is a byte larger is
// refused without being read: neither the guest's memory nor the input buffer
// grows, however large it is.
func TestSizeLimit(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	for _, function := range abi.Functions() {
		accepted(t, m, abi.FunctionDescribe, nil)
		in := idleInstance(m)
		memory, capacity := in.memory.Size(), in.capacity
		for _, excess := range []int{1, 1000, 64 << 20} {
			refusedAs(t, m, function, make([]byte, abi.MaxRequestBytes+excess), abi.RequestTooLarge)
		}
		if in != idleInstance(m) || in.memory.Size() != memory || in.capacity != capacity {
			t.Errorf("%s: the instance has %d bytes of memory and a buffer of %d, had %d and %d", function, in.memory.Size(), in.capacity, memory, capacity)
		}
	}
	largest := append([]byte(`{}`), bytes.Repeat([]byte(" "), abi.MaxRequestBytes-2)...)
	accepted(t, m, abi.FunctionMerge, largest)
}

// The Extism convention asks its host for the length, and for none of the
// request, if that is too large. The work on the refusal is counted in calls of
// the host.
func TestSizeLimitThroughExtism(t *testing.T) {
	t.Parallel()
	count := func(size uint64) (total int, loads int) {
		ctx := context.Background()
		runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter()) // which need not compile
		defer runtime.Close(ctx)
		wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
		compiled, err := runtime.CompileModule(ctx, build.Module)
		if err != nil {
			t.Fatal(err)
		}
		kernel := runtime.NewHostModuleBuilder(extismModule)
		for _, f := range compiled.ImportedFunctions() {
			module, name, _ := f.Import()
			if module != extismModule {
				continue
			}
			kernel.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(_ context.Context, stack []uint64) {
				total++
				switch name {
				case "input_length":
					stack[0] = size
				case "input_load_u64", "input_load_u8":
					loads++
					stack[0] = 0
				case "alloc":
					stack[0] = 8
				}
			}), f.ParamTypes(), f.ResultTypes()).Export(name)
		}
		if _, err := kernel.Instantiate(ctx); err != nil {
			t.Fatal(err)
		}
		module, err := runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithStartFunctions(exportInitialize).WithSysNanotime())
		if err != nil {
			t.Fatal(err)
		}
		if code, err := module.ExportedFunction(abi.FunctionMerge).Call(ctx); err != nil || code[0] != 0 {
			t.Fatalf("%d, %v", code, err)
		}
		return total, loads
	}
	if _, loads := count(64); loads != 8 {
		t.Errorf("a request of 64 bytes is loaded in %d steps", loads)
	}
	total, loads := count(abi.MaxRequestBytes + 1)
	if loads != 0 {
		t.Errorf("a request that is too large is loaded in %d steps", loads)
	}
	if more, _ := count(1 << 40); more != total {
		t.Errorf("a terabyte is refused in %d steps, a byte too much in %d", more, total)
	}
}

// A text nests 128 deep, not 129, wherever that is. Reading ends at the bracket
// that goes too deep: what follows may be anything, and makes no difference.
func TestDepthLimit(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	nested := func(depth int, opening, closing string) []byte {
		return []byte(`{"x":` + strings.Repeat(opening, depth-1) + "0" + strings.Repeat(closing, depth-1) + `}`)
	}
	for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		accepted(t, m, abi.FunctionMerge, nested(abi.MaxDepth, brackets[0], brackets[1]))
		deep := nested(abi.MaxDepth+1, brackets[0], brackets[1])
		first := refusedAs(t, m, abi.FunctionMerge, deep, abi.InvalidJSON)
		at := len(`{"x":`) + (abi.MaxDepth-1)*len(brackets[0])
		if want := fmt.Sprintf(`{"offset":%d}`, at); string(first.Data) != want {
			t.Errorf("refused with %s, want %s", first.Data, want)
		}
		for _, rest := range []string{"", "\xff", strings.Repeat(brackets[0], 1<<20), strings.Repeat("\x00", 8<<20)} {
			refused := refusedAs(t, m, abi.FunctionMerge, append(deep[:at+1:at+1], rest...), abi.InvalidJSON)
			if refused.Message != first.Message || string(refused.Data) != string(first.Data) {
				t.Errorf("with %d bytes behind it: %v, want %v", len(rest), refused, first)
			}
		}
	}
}

// A user's input has 1048576 characters over all its texts, not one more. The
// refusal tells how many there are, so they are counted, and nothing else is
// done with them.
func TestTextLimit(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	ask := func(texts ...string) []byte {
		var input []abi.UserInput
		for _, text := range texts {
			input = append(input, abi.UserInput{Type: abi.TextInput, Text: text})
		}
		request, err := json.Marshal(abi.TurnStartRequest{TurnID: "1", Params: abi.TurnStartParams{ThreadID: "t", Input: input}})
		if err != nil {
			t.Fatal(err)
		}
		return request
	}
	for _, character := range []string{"x", "🙂", "\x01"} {
		exactly := strings.Repeat(character, abi.MaxTextChars)
		accepted(t, m, abi.FunctionTurnStart, ask(exactly[:len(exactly)/2/len(character)*len(character)], exactly[len(exactly)/2/len(character)*len(character):]))
		for excess := range 2 {
			refused := refusedAs(t, m, abi.FunctionTurnStart, ask(exactly, strings.Repeat(character, 1+excess*1000)), abi.InputTooLarge)
			want := fmt.Sprintf(`{"input_error_code":"input_too_large","max_chars":%d,"actual_chars":%d}`, abi.MaxTextChars, abi.MaxTextChars+1+excess*1000)
			if string(refused.Data) != want {
				t.Errorf("refused with %s, want %s", refused.Data, want)
			}
		}
	}
}

// Keys have no limit of their own: their number and length are bounded by the
// size of the request.
func TestManyKeys(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	entries := map[string]abi.Entry{strings.Repeat("long", 1<<18): {Kind: abi.Untrusted}}
	for i := range 50_000 {
		entries[fmt.Sprint(i)] = abi.Entry{Kind: abi.Untrusted}
	}
	first, err := m.Merge(t.Context(), abi.MergeRequest{AdditionalContext: entries})
	if err != nil || len(first.Inputs) != len(entries) || len(first.Receipts) != len(entries) {
		t.Fatalf("%v", err)
	}
	second, err := m.Merge(t.Context(), abi.MergeRequest{Store: first.Store, AdditionalContext: entries})
	if err != nil || len(second.Inputs) != 0 || len(second.Receipts) != len(entries) || !bytes.Equal(first.Store, second.Store) {
		t.Errorf("%v", err)
	}
}

// An integer has its bounds on both sides.
func TestIntegerLimits(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	for text, good := range map[string]bool{
		`"maxValueTokens":0`: true, `"maxValueTokens":-1`: false, `"maxValueTokens":2147483647`: true, `"maxValueTokens":2147483648`: false,
		`"maxTotalTokens":0`: true, `"maxTotalTokens":-1`: false, `"maxTotalTokens":2147483647`: true, `"maxTotalTokens":2147483648`: false,
		`"keys":{"a":{"priority":-2147483648}}`: true, `"keys":{"a":{"priority":-2147483649}}`: false,
		`"keys":{"a":{"priority":2147483647}}`: true, `"keys":{"a":{"priority":2147483648}}`: false,
		`"maxValueTokens":` + strings.Repeat("9", 1<<20): false,
	} {
		_, err := m.Call(t.Context(), abi.FunctionMerge, []byte(`{"policy":{`+text+`}}`))
		if refused, ok := errors.AsType[*abi.Error](err); good != (err == nil) || !good && (!ok || refused.Kind != abi.InvalidParams) {
			t.Errorf("%.60s: got %v", text, err)
		}
	}
}

// What an instance has answered before makes no difference to the memory that a
// request takes.
func TestMemoryAfterSmallerAnswers(t *testing.T) {
	m := openBuiltIn(t)
	var entries []string
	for i := range 60_000 {
		entries = append(entries, fmt.Sprintf(`"%d":{"value":"","kind":"untrusted"}`, i))
	}
	all, one := strings.Join(entries, ","), entries[0]
	small := `{"store":{` + one + `},"additionalContext":{` + one + `}}`
	middling := `{"additionalContext":{"k":{"value":"` + strings.Repeat("x", 60_000) + `","kind":"untrusted"}}}`
	for name, request := range map[string]string{
		"all but one removed":            `{"store":{` + all + `},"additionalContext":{` + one + `}}`,
		"all but one removed, announced": `{"store":{` + all + `},"additionalContext":{` + one + `},"policy":{"removals":"announce"}}`,
		"all new":                        `{"store":{},"additionalContext":{` + all + `}}`,
		"all new, cut":                   `{"store":{},"additionalContext":{"k":{"value":"` + strings.Repeat("x", 2_000_000) + `","kind":"untrusted"}}}`,
	} {
		alone := memoryAfter(t, m, request)
		for _, before := range [][]string{{small}, {middling}, {small, middling, small}} {
			if got := memoryAfter(t, m, append(before, request)...); got > alone*5/4 {
				t.Errorf("%s: %d bytes after %d smaller ones, %d alone", name, got, len(before), alone)
			}
		}
	}
}

// call sends a request that is written already.
func (in *instance) call(ctx context.Context, function string, request []byte, read func(answer, sent []byte) error) error {
	return in.exchange(ctx, function, func([]byte) ([]byte, error) { return request, nil }, read)
}

// memoryAfter returns how much memory a new instance has after the merges.
func memoryAfter(t *testing.T, m *Module, requests ...string) uint32 {
	t.Helper()
	ctx := context.Background()
	in, err := m.instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer in.drop()
	for _, request := range requests {
		if err := in.call(ctx, abi.FunctionMerge, []byte(request), func(_, _ []byte) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return in.memory.Size()
}
