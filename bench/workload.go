package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/turncontext/turncontext/abi"
)

// A workload is a kind of request to merge: the store of the answer before,
// and a context of the same keys, some of them with another value.
type workload struct {
	size    int // of a request, in bytes
	entries int // in the store, and in the context
	every   int // one entry in so many has changed; 0 for none
}

// workloads returns every workload, from the smallest requests to the largest.
func workloads() []workload {
	var list []workload
	for _, request := range []struct{ size, entries int }{
		{300, 1},
		{2_500, 4},
		{goalSize, 10},
		{1_000_000, 100},
	} {
		for _, every := range []int{4, 10, 0} {
			list = append(list, workload{request.size, request.entries, every})
		}
	}
	return list
}

// sizeName returns the size of a request, for people.
func (w workload) sizeName() string {
	switch {
	case w.size >= 1_000_000:
		return fmt.Sprintf("%g MB", float64(w.size)/1_000_000)
	case w.size >= 1_000:
		return fmt.Sprintf("%g KB", float64(w.size)/1_000)
	}
	return fmt.Sprintf("%d B", w.size)
}

// changeName returns how many entries have changed, for people.
func (w workload) changeName() string {
	if w.every == 0 {
		return "none"
	}
	return fmt.Sprintf("1 in %d", w.every)
}

// changed reports whether an entry of an input has changed. Entries are
// counted through the whole rotation, so that the fraction is kept where a
// single request has too few of them: of 64 requests with one entry each, one
// in four has a changed entry. The shift moves the change to other keys.
func (w workload) changed(input, entry int) bool {
	if w.every == 0 {
		return false
	}
	number := input*w.entries + (entry+input)%w.entries
	return number%w.every == w.every-1
}

// requests returns so many inputs to rotate through, always the same ones.
// merge gives the answers whose stores the requests carry.
func (w workload) requests(inputs int, merge call) ([][]byte, error) {
	rng := rand.New(rand.NewPCG(uint64(w.size), uint64(w.every)))
	list := make([][]byte, inputs)
	for i := range list {
		request, err := w.request(rng, i, merge)
		if err != nil {
			return nil, fmt.Errorf("%s request: %w", w.sizeName(), err)
		}
		list[i] = request
	}
	return list, nil
}

// request returns one input of the rotation.
func (w workload) request(rng *rand.Rand, input int, merge call) ([]byte, error) {
	told := make(map[string]abi.Entry, w.entries)
	current := make(map[string]abi.Entry, w.entries)
	valueSize, err := w.valueSize()
	if err != nil {
		return nil, err
	}
	for i := range w.entries {
		source := sourceOf(i)
		key := keyOf(i)
		entry := abi.Entry{Value: text(rng, source.write, valueSize), Kind: source.kind}
		told[key] = entry
		if w.changed(input, i) {
			entry.Value = edit(rng, source.write, entry.Value)
		}
		current[key] = entry
	}

	store, err := storeOf(told, merge)
	if err != nil {
		return nil, err
	}
	return encode(store, current)
}

// valueSize returns how large in JSON each value is for the request to have
// its size: a value stands in the store and in the context.
func (w workload) valueSize() (int, error) {
	empty := make(map[string]abi.Entry, w.entries)
	for i := range w.entries {
		empty[keyOf(i)] = abi.Entry{Kind: sourceOf(i).kind}
	}
	context, err := marshal(empty)
	if err != nil {
		return 0, err
	}
	request, err := encode(context, empty)
	if err != nil {
		return 0, err
	}
	return (w.size - len(request)) / (2 * w.entries), nil
}

// storeOf returns the store after a thread was told a context.
func storeOf(told map[string]abi.Entry, merge call) (abi.Store, error) {
	request, err := encode(abi.Store(`null`), told)
	if err != nil {
		return nil, err
	}
	answer, err := merge(request)
	if err != nil {
		return nil, err
	}
	var response abi.MergeResponse
	if err := json.Unmarshal(answer, &response); err != nil {
		return nil, err
	}
	if len(response.Store) == 0 {
		return nil, fmt.Errorf("an answer without a store: %.200s", answer)
	}
	return response.Store, nil
}

// encode returns the request that merges a context into a store.
func encode(store abi.Store, current map[string]abi.Entry) ([]byte, error) {
	context, err := marshal(current)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"store":%s,"additionalContext":%s}`, store, context), nil
}

// marshal writes a context as a client does: the standard library's escapes
// for HTML are its own habit.
func marshal(context map[string]abi.Entry) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(context); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// A source is where a client has an entry from.
type source struct {
	name  string
	kind  abi.Kind
	write line
}

var sources = []source{
	{"browser_tab", abi.Untrusted, prose},
	{"open_file", abi.Untrusted, code},
	{"ci_run", abi.Untrusted, record},
	{"workspace", abi.Application, prose},
	{"terminal", abi.Untrusted, record},
}

func sourceOf(entry int) source {
	return sources[entry%len(sources)]
}

func keyOf(entry int) string {
	return fmt.Sprintf("%s_%02d", sourceOf(entry).name, entry)
}
