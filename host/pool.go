package host

import (
	"container/list"
	"context"
	"fmt"
	"sync"
)

// A pool lends instances, at most as many at a time as it has slots. Who takes
// holds a slot until giving; what comes with the slot is an idle instance, the
// last one given, or nil where there is none: then the holder makes one. Who
// finds no slot free waits, first in, first out.
type pool struct {
	slots   int
	what    string // that is waited for, for errors
	drained func() // called once, when the pool is closed and no slot is held

	mu      sync.Mutex
	held    int
	idle    []*instance // with held never more than slots
	waiters list.List   // each a chan grant; none while a slot is free
	closed  bool
}

// A grant is what a waiter gets: a slot with what is in it, or an error.
type grant struct {
	instance *instance
	err      error
}

func newPool(slots int, drained func()) *pool {
	return &pool{slots: slots, what: "an instance", drained: drained}
}

// take returns an instance, or nil for the holder to make one, when a slot is
// free. The error is ErrClosed or tells that the context ended; then no slot is
// held.
func (p *pool) take(ctx context.Context) (*instance, error) {
	if ctx.Err() != nil {
		return nil, p.waitingError(ctx)
	}
	got, waiter := p.enter()
	if waiter == nil {
		return got.instance, got.err
	}
	select {
	case got = <-waiter.Value.(chan grant):
	case <-ctx.Done():
		got = p.leave(ctx, waiter)
	}
	if got.err == nil && ctx.Err() != nil {
		p.give(got.instance) // it came too late, and is for the next in line
		return nil, p.waitingError(ctx)
	}
	return got.instance, got.err
}

// enter asks for a slot. Where all are held it returns the place in the line,
// whose channel is going to have the grant.
func (p *pool) enter() (grant, *list.Element) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return grant{err: ErrClosed}, nil
	}
	if p.held == p.slots {
		return grant{}, p.waiters.PushBack(make(chan grant, 1))
	}
	p.held++
	return grant{instance: p.popIdle()}, nil
}

// leave gives up waiting. It returns a grant that came in the meantime, or the
// reason for leaving.
func (p *pool) leave(ctx context.Context, waiter *list.Element) grant {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case got := <-waiter.Value.(chan grant):
		return got
	default:
		p.waiters.Remove(waiter)
		return grant{err: p.waitingError(ctx)}
	}
}

// popIdle returns the instance given last, nil if none is idle.
func (p *pool) popIdle() *instance {
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	in := p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	return in
}

// give ends the holding of a slot, and leaves an instance in it, or nil where
// it was dropped.
func (p *pool) give(in *instance) {
	if p.pass(in) {
		p.drained()
	}
}

// pass hands a slot to the first waiter, or sets it free. It tells whether that
// was the last slot held of a closed pool.
func (p *pool) pass(in *instance) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if first := p.waiters.Front(); first != nil {
		p.waiters.Remove(first).(chan grant) <- grant{instance: in}
		return false
	}
	p.held--
	if in != nil {
		p.idle = append(p.idle, in)
	}
	return p.closed && p.held == 0
}

// close refuses waiters and whoever comes later. Idle instances stay for
// drained to give back.
func (p *pool) close() {
	if p.shut() {
		p.drained()
	}
}

// shut closes the pool. It tells whether this call did and no slot is held.
func (p *pool) shut() (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.closed = true
	for first := p.waiters.Front(); first != nil; first = p.waiters.Front() {
		p.waiters.Remove(first).(chan grant) <- grant{err: ErrClosed}
	}
	return p.held == 0
}

func (p *pool) waitingError(ctx context.Context) error {
	return fmt.Errorf("host: waiting for %s: %w", p.what, ctx.Err())
}
