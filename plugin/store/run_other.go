//go:build !wasm

package store

import "github.com/turncontext/turncontext/plugin/json"

const hasRuns = false

// readRun reads nothing: elsewhere, reading step by step is quick.
func readRun(_ []byte, i int, entries, _ []Entry, hint int, _ scanMode, _ runState, as order, _ bool) (end, n, newHint int, form, keyForms json.Form, s runState, nowAs order) {
	return i, len(entries), hint, json.Plain, json.Plain, runStopped, as
}

func writeMembers(dst, text []byte, entries []Entry) (written, n int) {
	return plainWriteMembers(dst, text, entries)
}
