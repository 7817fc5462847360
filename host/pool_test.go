package host

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/turncontext/turncontext/abi"
)

// eventually waits until a condition holds, and fails the test if it does not.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); {
		if time.Now().After(deadline) {
			t.Fatalf("not within ten seconds: %s", what)
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// waiting returns how many wait for a slot.
func (p *pool) waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiters.Len()
}

// take1 takes what must be there at once.
func take1(t *testing.T, p *pool) *instance {
	t.Helper()
	in, err := p.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// queue lets a goroutine wait for a slot, and returns when it stands in line.
func queue(t *testing.T, ctx context.Context, p *pool) <-chan grant {
	t.Helper()
	before := p.waiting()
	got := make(chan grant, 1)
	go func() {
		in, err := p.take(ctx)
		got <- grant{in, err}
	}()
	eventually(t, "a waiter in line", func() bool { return p.waiting() == before+1 })
	return got
}

func TestPoolIsLastInFirstOut(t *testing.T) {
	t.Parallel()
	p := newPool(3, func() {})
	for range 3 {
		if in := take1(t, p); in != nil {
			t.Fatalf("an empty pool lent %p", in)
		}
	}
	a, b, c := new(instance), new(instance), new(instance)
	p.give(a)
	p.give(b)
	p.give(c)
	for i, want := range []*instance{c, b, a} {
		if got := take1(t, p); got != want {
			t.Errorf("take %d is not the instance given last", i)
		}
	}
}

func TestPoolWaitersAreFirstInFirstOut(t *testing.T) {
	t.Parallel()
	p := newPool(1, func() {})
	take1(t, p)
	var line []<-chan grant
	for range 5 {
		line = append(line, queue(t, t.Context(), p))
	}
	for i, waiter := range line {
		in := new(instance)
		if i%2 == 1 {
			in = nil // a dropped instance passes its slot on just so
		}
		p.give(in)
		if got := <-waiter; got.instance != in || got.err != nil {
			t.Errorf("waiter %d got %v", i, got)
		}
	}
	if p.held != 1 || p.waiting() != 0 {
		t.Errorf("%d held, %d waiting", p.held, p.waiting())
	}
}

// Who comes while others wait stands behind them, even though a slot is given
// at that moment.
func TestPoolHasNoOvertaking(t *testing.T) {
	t.Parallel()
	p := newPool(1, func() {})
	take1(t, p)
	first := queue(t, t.Context(), p)
	p.give(new(instance))
	second := queue(t, t.Context(), p) // the slot is the first one's, read or not
	p.give((<-first).instance)
	if got := <-second; got.err != nil {
		t.Error(got.err)
	}
}

func TestPoolCancelledWaiterLeaves(t *testing.T) {
	t.Parallel()
	p := newPool(1, func() {})
	in := new(instance)
	take1(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	first := queue(t, t.Context(), p)
	second := queue(t, ctx, p)
	third := queue(t, t.Context(), p)
	cancel()
	if got := <-second; !errors.Is(got.err, context.Canceled) {
		t.Errorf("got %v, want the context's error", got.err)
	}
	if p.waiting() != 2 {
		t.Errorf("%d wait, want 2", p.waiting())
	}
	for _, waiter := range []<-chan grant{first, third} {
		p.give(in)
		if got := <-waiter; got.instance != in {
			t.Errorf("got %v", got)
		}
	}
}

// A grant and the end of the context may come at the same time: the slot must
// go on to the next.
func TestPoolLosesNoSlot(t *testing.T) {
	t.Parallel()
	p := newPool(1, func() {})
	in := new(instance)
	p.idle = append(p.idle, in)
	rounds := 5000
	if testing.Short() || raceDetector {
		rounds = 500
	}
	for range rounds {
		take1(t, p)
		ctx, cancel := context.WithCancel(t.Context())
		waiter := queue(t, ctx, p)
		go cancel()
		p.give(in)
		if got := <-waiter; got.err == nil {
			p.give(got.instance)
		} else if !errors.Is(got.err, context.Canceled) {
			t.Fatal(got.err)
		}
		cancel()
		if p.held != 0 || len(p.idle) != 1 || p.waiting() != 0 {
			t.Fatalf("%d held, %d idle, %d waiting", p.held, len(p.idle), p.waiting())
		}
	}
}

func TestPoolClose(t *testing.T) {
	t.Parallel()
	drained := 0
	p := newPool(2, func() { drained++ })
	a, b := take1(t, p), take1(t, p)
	waiter := queue(t, t.Context(), p)
	p.close()
	if got := <-waiter; !errors.Is(got.err, ErrClosed) {
		t.Errorf("a waiter got %v", got)
	}
	if _, err := p.take(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	p.give(a)
	p.close()
	if drained != 0 {
		t.Error("drained while a slot is held")
	}
	p.give(b)
	p.close()
	if drained != 1 {
		t.Errorf("drained %d times", drained)
	}
}

func TestCloseOfAnIdlePoolDrains(t *testing.T) {
	t.Parallel()
	drained := 0
	p := newPool(2, func() { drained++ })
	p.close()
	p.close()
	if drained != 1 {
		t.Errorf("drained %d times", drained)
	}
}

// Never are there more instances than slots, nor two holders of one.
func TestPoolUnderLoad(t *testing.T) {
	t.Parallel()
	const slots = 3
	var held atomic.Int32
	var made atomic.Int32
	p := newPool(slots, func() {})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 500 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(200))*time.Microsecond)
				in, err := p.take(ctx)
				cancel()
				if err != nil {
					continue
				}
				if in == nil {
					in = new(instance)
					made.Add(1)
				}
				if now := held.Add(1); now > slots {
					t.Errorf("%d hold a slot", now)
				}
				if in.address++; in.address != 1 { // the race detector looks here, too
					t.Error("two hold one instance")
				}
				runtime.Gosched()
				in.address--
				held.Add(-1)
				if rand.IntN(10) == 0 {
					made.Add(-1)
					in = nil
				}
				if now := made.Load(); now > slots {
					t.Errorf("there are %d instances", now)
				}
				p.give(in)
			}
		})
	}
	all.Wait()
	if p.held != 0 || p.waiting() != 0 || len(p.idle) > slots || len(p.idle) != int(made.Load()) {
		t.Errorf("%d held, %d waiting, %d idle", p.held, p.waiting(), len(p.idle))
	}
}

func TestCallWaitsForAnInstance(t *testing.T) {
	t.Parallel()
	m := openFake(t, Options{})
	in := take1(t, m.pool)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := m.Call(ctx, abi.FunctionMerge, harmless); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := m.Call(t.Context(), abi.FunctionMerge, harmless)
		done <- err
	}()
	eventually(t, "the call in line", func() bool { return m.pool.waiting() == 1 })
	m.pool.give(in)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if idleInstance(m) != in {
		t.Error("the call did not use the instance")
	}
}

func TestCloseWaitsForCalls(t *testing.T) {
	t.Parallel()
	m, err := Open(t.Context(), Options{Module: fakeModule().encode(), Instances: 1, Interrupt: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	endless, waiter := make(chan error, 1), make(chan error, 1)
	run := func(done chan error, behaviour byte) {
		_, err := m.Call(ctx, abi.FunctionMerge, request(behaviour))
		done <- err
	}
	go run(endless, 'l')
	eventually(t, "the call in progress", func() bool { return idleInstance(m) == nil })
	go run(waiter, '-')
	eventually(t, "the call in line", func() bool { return m.pool.waiting() == 1 })

	short, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if err := m.Close(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close returned %v, want the context's error", err)
	}
	if err := <-waiter; !errors.Is(err, ErrClosed) {
		t.Errorf("a waiting call got %v, want ErrClosed", err)
	}
	if _, err := m.Call(t.Context(), abi.FunctionMerge, harmless); !errors.Is(err, ErrClosed) {
		t.Errorf("a late call got %v, want ErrClosed", err)
	}
	cancel()
	if err := <-endless; !errors.Is(err, context.Canceled) {
		t.Errorf("the call in progress got %v, want the context's error", err)
	}
	for range 2 {
		if err := m.Close(short); err != nil {
			t.Errorf("Close of what is closed returned %v", err)
		}
	}
}

func TestCloseFromManyGoroutines(t *testing.T) {
	t.Parallel()
	m, err := Open(t.Context(), Options{Module: fakeModule().encode(), Instances: 2})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for {
				_, err := m.Call(t.Context(), abi.FunctionMerge, harmless)
				if errors.Is(err, ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			time.Sleep(5 * time.Millisecond)
			if err := m.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
