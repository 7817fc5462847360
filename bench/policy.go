package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Goals of the policies, as ratios to a request without one.
const (
	goalNoPolicy = 1.05 // without one, to the same in the older module
	goalOption   = 1.3
)

// An option is a policy that sets one thing.
type option struct{ name, policy string }

// options has each field of a policy, and each preset.
var options = []option{
	{"preset: reference", `{"preset":"reference"}`},
	{"preset: safe", `{"preset":"safe"}`},
	{"maxValueTokens: 500", `{"maxValueTokens":500}`},
	{"maxValueTokens: 100000", `{"maxValueTokens":100000}`},
	{"maxTotalTokens: 1500", `{"maxTotalTokens":1500}`},
	{"keys, one", `{"keys":{"browser_tab_00":{"maxValueTokens":500,"truncation":"tail","priority":1}}}`},
	{"truncation: head", `{"truncation":"head"}`},
	{"truncation: tail", `{"truncation":"tail"}`},
	{"strictBudget", `{"strictBudget":true}`},
	{"tokenizer: approx", `{"tokenizer":"approx"}`},
	{"wrapper: attribute", `{"wrapper":"attribute"}`},
	{"controlCharacters: strip", `{"controlCharacters":"strip"}`},
	{"updates: patch", `{"updates":"patch"}`},
	{"removals: announce", `{"removals":"announce"}`},
	{"steerContextOnly", `{"steerContextOnly":true}`},
	{"experimentalApi", `{"experimentalApi":true}`},
}

// policyWorkloads are what options are measured on.
var policyWorkloads = []workload{
	{name: "43 KB, 3 of 12 changed", size: 43_000, entries: 12, changed: 3},
	{name: "43 KB, 10 new", size: 43_000, entries: 10, fresh: true, limit: true},
}

// policy measures each option beside a request without policy, through the raw
// call, and that beside an older module, both called without a host.
func (b bench) policy(ctx context.Context, out io.Writer) (err error) {
	m, err := b.openModule(ctx, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close(ctx)) }()
	ages, closeAges, err := b.openAges(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAges()) }()

	goals := newTally(b.plan)
	for _, w := range policyWorkloads {
		requests, err := w.requests(b.inputs)
		if err != nil {
			return err
		}
		meters := []*meter{callMeter(rawCall(ctx, m), requests)}
		for _, o := range options {
			meters = append(meters, callMeter(rawCall(ctx, m), o.added(requests)))
		}
		for _, merge := range ages {
			meters = append(meters, callMeter(merge, requests))
		}
		samples, err := b.measure(meters)
		if err != nil { // a refusal too
			return fmt.Errorf("%s: %w", w.name, err)
		}
		policyTable(goals, w, samples).write(out)
		fmt.Fprintln(out)
	}
	_, err = fmt.Fprintln(out, goals)
	return err
}

// openAges opens the module and the older one, if there is one to compare with.
func (b bench) openAges(ctx context.Context) (merges []func([]byte) ([]byte, error), closeAll func() error, err error) {
	var closers []func() error
	closeAll = func() error {
		var errs []error
		for _, c := range closers {
			errs = append(errs, c())
		}
		return errors.Join(errs...)
	}
	if b.against == "" {
		return nil, closeAll, nil
	}
	module, err := b.module()
	if err != nil {
		return nil, nil, err
	}
	older, err := os.ReadFile(b.against)
	if err != nil {
		return nil, nil, err
	}
	for _, source := range [][]byte{module, older} {
		merge, closer, err := openDirect(ctx, source)
		if err != nil {
			return nil, nil, errors.Join(err, closeAll())
		}
		merges, closers = append(merges, merge), append(closers, closer)
	}
	return merges, closeAll, nil
}

// callMeter measures one call that takes and gives bytes.
func callMeter(send func([]byte) ([]byte, error), requests [][]byte) *meter {
	call := bytesCall(send)
	_ = call.load(requests) // it only keeps them
	p := &local{calls: map[string]localCall{callMerge: call}, requests: len(requests)}
	return &meter{path: p, call: callMerge, requests: len(requests)}
}

// added returns the requests with the option's policy.
func (o option) added(requests [][]byte) [][]byte {
	var list [][]byte
	for _, request := range requests {
		request = bytes.Clone(request[:len(request)-len("}")])
		list = append(list, fmt.Appendf(request, `,"policy":%s}`, o.policy))
	}
	return list
}

func policyTable(goals *tally, w workload, samples []sample) *table {
	t := new(table)
	none := samples[0].time
	t.row(w.name, "time", "ratio to no policy")
	t.row("no policy", none, "")
	for i, o := range options {
		took := samples[1+i].time
		t.row(o.name, took, goals.atMost(timeRatio(took, none), goalOption))
	}
	if ages := samples[1+len(options):]; len(ages) == 2 {
		t.row("older module, no host", ages[1].time, "")
		t.row("this one, no host, to the older", ages[0].time, goals.atMost(timeRatio(ages[0].time, ages[1].time), goalNoPolicy))
	}
	return t
}
