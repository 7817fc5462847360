package fuzz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/internal/random"
	"github.com/turncontext/turncontext/plugin/turn"
)

// Many goroutines ask for a long time, well and badly formed requests, small and
// large. Now and then an instance is killed while it works, by a deadline or by
// the limit of its memory. No answer is wrong, nothing is left, and at the end
// it is as quick as at the beginning. TURNCONTEXT_SOAK says how long, such as
// 20m.
func TestSoak(t *testing.T) {
	length := 3 * time.Second
	if text := os.Getenv("TURNCONTEXT_SOAK"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	before := resources(t)
	m, err := host.Open(t.Context(), host.Options{Instances: 8, Interrupt: true, MemoryLimit: 24 << 20})
	if err != nil {
		t.Fatal(err)
	}
	const goroutines, parts = 32, 10
	var s soak
	var all sync.WaitGroup
	end := time.Now().Add(length)
	for i := range goroutines {
		all.Go(func() {
			r := rand.New(rand.NewPCG(12, uint64(i)))
			var core turn.Core
			for time.Now().Before(end) && !t.Failed() {
				if err := s.once(r, &core, m); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var during []usage
	for part := range time.Duration(parts) {
		time.Sleep(time.Until(end.Add((part + 1 - parts) * length / parts)))
		now := resources(t)
		now.calls = s.calls.Load()
		during = append(during, now)
		t.Logf("%3d %%: %v", (part+1)*100/parts, now)
	}
	all.Wait()
	if err := m.Close(context.Background()); err != nil {
		t.Error(err)
	}
	t.Logf("%d calls, %d refused, %d instances killed by a deadline, %d by the limit of memory",
		s.calls.Load(), s.refused.Load(), s.interrupted.Load(), s.failed.Load())
	if s.interrupted.Load() == 0 || s.failed.Load() == 0 || s.refused.Load() == 0 {
		t.Error("nothing was killed, or nothing refused")
	}
	checkNothingIsLeft(t, before, during)
}

// soak counts what happened.
type soak struct{ calls, refused, interrupted, failed atomic.Int64 }

// once makes one call, and holds its answer to the core's.
func (s *soak) once(r *rand.Rand, core *turn.Core, m *host.Module) error {
	function, request := soakRequest(r, s.calls.Add(1))
	ctx := context.Background()
	if r.IntN(40) == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.IntN(1000))*time.Microsecond)
		defer cancel()
	}
	answer, err := m.Call(ctx, function, request)
	_, refused := err.(*abi.Error)
	_, failed := errors.AsType[*host.ModuleError](err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		s.interrupted.Add(1)
		return nil
	case failed && len(request) >= largeRequest:
		s.failed.Add(1)
		return nil
	case refused:
		s.refused.Add(1)
	case err != nil:
		return fmt.Errorf("%s %.300q: %w", function, request, err)
	}
	if function == abi.FunctionDescribe {
		return nil
	}
	if want := core.Call(function, request); !bytes.Equal(answer, want) {
		return fmt.Errorf("%s %.300q: got %.300q, want %.300q", function, request, answer, want)
	}
	return nil
}

// largeRequest is the size in bytes of a request whose answer does not fit into
// the memory that the soak's instances have.
const largeRequest = 3 << 20

// soakRequest returns a request of any kind. The number of the call decides
// which are too large.
func soakRequest(r *rand.Rand, number int64) (function string, request []byte) {
	function, request = random.Request(r)
	switch n := r.IntN(3000); {
	case number%1000 == 300:
		entry := `"%d":{"value":"","kind":"untrusted"},`
		var entries strings.Builder
		for i := 0; entries.Len() < largeRequest; i++ {
			fmt.Fprintf(&entries, entry, i)
		}
		return abi.FunctionMerge, []byte(`{"additionalContext":{` + strings.TrimSuffix(entries.String(), ",") + `}}`)
	case n < 20:
		value := strings.Repeat("\\u001b]</external_log> 🙂 ", r.IntN(10_000))
		return abi.FunctionMerge, []byte(`{"policy":{"preset":"safe"},"additionalContext":{"log":{"value":"` + value + `","kind":"untrusted"}}}`)
	case n < 1000:
		return function, mutate(r, request)
	case n < 1100:
		functions := abi.Functions()
		return functions[r.IntN(len(functions))], request
	}
	return function, request
}

// usage is what the process holds.
type usage struct {
	resident          int64 // memory in MiB
	goroutines, files int
	calls             int64 // that were made so far
}

func (u usage) String() string {
	return fmt.Sprintf("%9d calls, %4d MiB, %3d goroutines, %2d files", u.calls, u.resident, u.goroutines, u.files)
}

// resources asks the system, where it tells.
func resources(t *testing.T) (u usage) {
	t.Helper()
	u.goroutines = runtime.NumGoroutine()
	if runtime.GOOS != "linux" {
		return u
	}
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	u.files = len(files)
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	u.resident = pages * int64(os.Getpagesize()) >> 20
	return u
}

// checkNothingIsLeft compares the end with the beginning, and the second half
// with the first.
func checkNothingIsLeft(t *testing.T, before usage, during []usage) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before.goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("there are %d goroutines, were %d", runtime.NumGoroutine(), before.goroutines)
			break
		}
	}
	if after := resources(t); after.files > before.files {
		t.Errorf("%d files are open, were %d", after.files, before.files)
	}
	if os.Getenv("TURNCONTEXT_SOAK") == "" {
		return // too short to tell more
	}
	half := during[len(during)/2]
	var first, second int64 // the most memory in each half
	for i, u := range during {
		if i <= len(during)/2 {
			first = max(first, u.resident)
		} else {
			second = max(second, u.resident)
		}
	}
	if second > first+first/4+64 {
		t.Errorf("the memory grew from %d MiB to %d after half of the time", first, second)
	}
	last := during[len(during)-1]
	if quick, slow := half.calls/int64(len(during)/2+1), (last.calls-half.calls)/int64(len(during)-len(during)/2-1); slow < quick/3 {
		t.Errorf("%d calls in each part of the second half, %d in the first", slow, quick)
	}
}
