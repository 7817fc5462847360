package main

import (
	"errors"
	"runtime"
	"time"
)

// local is a path in this process.
type local struct {
	calls    map[string]localCall
	requests int
	closers  []func() error
}

// A localCall sends requests in one way.
type localCall struct {
	load   func(requests [][]byte) error
	call   func(request int) error
	answer func() ([]byte, error) // of the last call, as merge answers
}

// bytesCall is a call that takes and gives bytes.
func bytesCall(send func(request []byte) ([]byte, error)) localCall {
	var requests [][]byte
	var last []byte
	return localCall{
		load: func(list [][]byte) error {
			requests = list
			return nil
		},
		call: func(i int) (err error) {
			last, err = send(requests[i])
			return err
		},
		answer: func() ([]byte, error) { return last, nil },
	}
}

func (l *local) load(requests [][]byte) error {
	l.requests = len(requests)
	for _, c := range l.calls {
		if err := c.load(requests); err != nil {
			return err
		}
	}
	return nil
}

func (l *local) answer(call string, request int) ([]byte, error) {
	c := l.calls[call]
	if err := c.call(request); err != nil {
		return nil, err
	}
	return c.answer()
}

func (l *local) run(call string, first, count int) (sample, error) {
	send := l.calls[call].call
	runtime.GC() // what others left is not this call's to collect
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	for range count {
		if err := send(first); err != nil {
			return sample{}, err
		}
		if first++; first == l.requests {
			first = 0
		}
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)

	return sample{
		time:   took / time.Duration(count),
		allocs: float64(after.Mallocs-before.Mallocs) / float64(count),
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / float64(count),
	}, nil
}

func (l *local) close() error {
	var errs []error
	for _, c := range l.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}
