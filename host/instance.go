package host

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/turncontext/turncontext/abi"
)

// retainLimit is the most memory in bytes with which an instance goes back into
// the pool. A guest's memory never shrinks, so one very large request would
// hold on to its memory for good.
const retainLimit = 64 << 20

// wallTime is the time that a guest's wall clock always says, in seconds since
// 1970: the beginning of 2022, as wazero's own clock does at first.
const wallTime = 1640995200

// An instance is one instance of the module. It serves one call at a time.
type instance struct {
	module    api.Module
	memory    api.Memory
	linear    *linearMemory // what memory lies in
	reserve   api.Function
	functions map[string]api.Function // by the ABI's names
	stderr    tail

	address, capacity uint32    // of the input buffer in memory
	stack             [1]uint64 // for the parameter and result of every call
}

// instantiate makes an instance that is ready for calls. Its error is a
// ModuleError, or tells that the context ended.
func (m *Module) instantiate(ctx context.Context) (in *instance, err error) {
	linear := new(linearMemory)
	in = &instance{linear: linear, functions: map[string]api.Function{}}
	defer func() {
		if err != nil {
			linear.Free() // which wazero leaves out where data does not fit in
		}
	}()
	defer in.caught(ctx, exportInitialize, &err)

	// The guest's collector paces itself by the monotonic clock: without a real
	// one it stalls, and memory grows without bound. The random source seeds
	// its hash tables. The wall clock stands still: what time it is makes no
	// difference to an answer.
	config := wazero.NewModuleConfig().
		WithName(""). // any number of instances may be without a name
		WithStartFunctions(exportInitialize).
		WithSysNanotime().
		WithWalltime(func() (sec int64, nsec int32) { return wallTime, 0 }, sys.ClockResolution(time.Millisecond)).
		WithRandSource(rand.Reader).
		WithStderr(&in.stderr)
	in.module, err = m.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, linear), m.compiled, config)
	if err != nil {
		return nil, in.failure(ctx, exportInitialize, err)
	}
	if in.module.IsClosed() { // exit code 0 is no error to wazero
		return nil, in.failure(ctx, exportInitialize, sys.NewExitError(0))
	}
	in.memory = in.module.ExportedMemory(exportMemory)
	in.reserve = in.module.ExportedFunction(abi.DirectReserve)
	for _, function := range abi.Functions() {
		in.functions[function] = in.module.ExportedFunction(abi.DirectPrefix + function)
	}
	return in, nil
}

// exchange sends the request that write returns, and hands the answer to read
// while it lies in the guest's memory. Write gets the input buffer, empty, to
// append the request to, which then need not be copied; it may return one that
// lies elsewhere. Its error is an *abi.Error, which exchange returns as it is.
// So does it one of read, unless its kind is internal; another tells that the
// answer is malformed. What was sent read gets as well, as it lies now: in the
// input buffer the guest may have overwritten it.
func (in *instance) exchange(ctx context.Context, function string, write func(buffer []byte) ([]byte, error), read func(answer, sent []byte) error) (err error) {
	defer in.caught(ctx, function, &err)
	in.stderr.reset()
	request, err := write(in.input())
	if err != nil {
		return err
	}
	answer, sent, err := in.ask(ctx, function, request)
	if err != nil {
		return in.failure(ctx, function, err)
	}
	err = read(answer, sent)
	if err == nil || isRefusal(err) {
		return err
	}
	return in.failure(ctx, function, err)
}

// input returns the input buffer, empty and with its capacity. There is none
// before the first call.
func (in *instance) input() []byte {
	buffer, _ := in.memory.Read(in.address, in.capacity)
	return buffer[:0]
}

// ask puts the request into the input buffer, calls the function and returns
// its answer and the request as they lie until the next call, the answer in the
// guest's memory.
func (in *instance) ask(ctx context.Context, function string, request []byte) (answer, sent []byte, err error) {
	// A length that 32 bits cannot hold is too large by any count.
	size := uint32(min(uint64(len(request)), math.MaxUint32))
	held := in.holds(request)
	if !held {
		if err := in.write(ctx, request, size); err != nil {
			return nil, nil, err
		}
	}
	in.stack[0] = uint64(size)
	if err := in.functions[function].CallWithStack(ctx, in.stack[:]); err != nil {
		return nil, nil, err
	}
	address, length := unpack(in.stack[0])
	answer, ok := in.memory.Read(address, length)
	if !ok {
		return nil, nil, in.outOfRange("answer", address, length)
	}
	if held {
		request = in.input()[:len(request)] // the memory may have moved as it grew
	}
	return answer, request, nil
}

// holds tells whether the request was written to where the guest reads it, and
// not to other memory because it was too long for that.
func (in *instance) holds(request []byte) bool {
	buffer := in.input()
	return cap(buffer) > 0 && len(request) > 0 && &request[0] == &buffer[:1][0]
}

// write puts the request into the input buffer, which it makes larger where
// need be. A request over the module's limit is not written: the function
// refuses it by its size.
func (in *instance) write(ctx context.Context, request []byte, size uint32) error {
	if size > in.capacity {
		in.stack[0] = uint64(size)
		if err := in.reserve.CallWithStack(ctx, in.stack[:]); err != nil {
			return err
		}
		if in.stack[0] == 0 {
			return nil
		}
		in.address, in.capacity = unpack(in.stack[0])
		if in.capacity < size {
			return fmt.Errorf("an input buffer of %d bytes was reserved, %d were asked for", in.capacity, size)
		}
	}
	if !in.memory.Write(in.address, request) {
		return in.outOfRange("input buffer", in.address, in.capacity)
	}
	return nil
}

// unpack splits a result of the guest into an address and a number of bytes.
func unpack(result uint64) (address, size uint32) {
	return uint32(result >> 32), uint32(result)
}

func (in *instance) outOfRange(what string, address, size uint32) error {
	return fmt.Errorf("the %s of %d bytes at %d lies outside of the memory of %d bytes", what, size, address, in.memory.Size())
}

// reusable tells whether the instance may serve another call after one that
// ended with err.
func (in *instance) reusable(ctx context.Context, err error) bool {
	// wazero may still be about to stop an instance whose context has ended.
	healthy := (err == nil || isRefusal(err)) && ctx.Err() == nil
	return healthy && in.memory.Size() <= retainLimit
}

// drop gives the instance's memory back. It cannot fail: the guest has no files
// that would have to be closed.
func (in *instance) drop() {
	if in.module != nil {
		_ = in.module.Close(context.Background())
		in.linear.Free() // which wazero leaves out where a context ended as the call did
	}
}

// failure returns the error of a call that did not come to its end: a
// ModuleError, unless the context ended it.
func (in *instance) failure(ctx context.Context, function string, err error) error {
	exit, exited := errors.AsType[*sys.ExitError](err)
	if exited && ctx.Err() != nil {
		return fmt.Errorf("host: %s was interrupted: %w", function, ctx.Err())
	}
	if exited {
		err = fmt.Errorf("it exited with code %d", exit.ExitCode())
	}
	return &ModuleError{Function: function, Err: err, Stderr: in.stderr.String()}
}

// caught turns a panic during a call into a failure. It is to be deferred
// itself.
func (in *instance) caught(ctx context.Context, function string, err *error) {
	if reason := recover(); reason != nil {
		*err = in.failure(ctx, function, fmt.Errorf("panic: %v", reason))
	}
}

// isRefusal tells whether err is the answer of a module that is well.
func isRefusal(err error) bool {
	refusal, ok := err.(*abi.Error) // not one inside a ModuleError
	return ok && refusal.Kind != abi.Internal
}
