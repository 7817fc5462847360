// Package model says a second time, as plainly as possible, what the module
// does: with maps, runes and encoding/json, no regard for speed, and no code
// shared with the plugin. Tests hold the plugin and the conformance vectors to
// it.
package model

import (
	"maps"
	"slices"

	"github.com/turncontext/turncontext/abi"
)

// decision is what happens to one key.
type decision struct {
	old, now *abi.Entry // nil for none
	inputs   []abi.Input
	receipt  abi.Receipt
}

// Merge compares the map that a thread has now with the one that it had (design,
// "Merge"). Nil maps are empty ones. The answer's store is in its canonical
// text.
func Merge(store, now map[string]abi.Entry, p Policy) abi.MergeResponse {
	told := merge(store, now, p)
	return abi.MergeResponse{Store: writeStore(storeOf(told)), Inputs: inputsOf(told), Receipts: receiptsOf(told)}
}

func merge(store, now map[string]abi.Entry, p Policy) []decision {
	var all []decision
	for _, key := range keysOfEither(store, now) {
		all = append(all, compare(key, at(store, key), at(now, key), p))
	}
	return fit(all, p)
}

// Update returns the map that a thread has once it was sent one: the one sent,
// or the store changed by it (design, "Policy": updates).
func Update(store, sent map[string]abi.Entry, p Policy) map[string]abi.Entry {
	now := map[string]abi.Entry{}
	if p.Updates == "patch" {
		maps.Copy(now, store)
	}
	for key, entry := range sent {
		if entry.Removed {
			delete(now, key)
			continue
		}
		now[key] = entry
	}
	return now
}

// compare decides on a key of which there was one entry and is another.
func compare(key string, old, now *abi.Entry, p Policy) decision {
	d := decision{old: old, now: now}
	switch {
	case now == nil:
		d.receipt = quiet(key, old.Kind, abi.Removed)
		d.announce(old.Kind, p)
	case old == nil:
		d.receipt = quiet(key, now.Kind, abi.Added)
		d.tell(p)
	case *old == *now:
		d.receipt = quiet(key, now.Kind, abi.Unchanged)
	default:
		d.receipt = quiet(key, now.Kind, abi.Changed)
		if old.Kind != now.Kind {
			d.announce(old.Kind, p)
		}
		d.tell(p)
	}
	return d
}

// announce tells that what stood under the key is no more (design, "Policy":
// removals).
func (d *decision) announce(kind abi.Kind, p Policy) {
	if p.Removals == "announce" {
		d.inject(kind, renderNote(d.receipt.Key, kind, p))
	}
}

// tell tells the new entry.
func (d *decision) tell(p Policy) {
	d.inject(d.now.Kind, Render(d.receipt.Key, *d.now, p))
}

func (d *decision) inject(kind abi.Kind, f Fragment) {
	d.inputs = append(d.inputs, abi.Input{
		Source: abi.SourceAdditionalContext,
		Key:    &d.receipt.Key,
		Kind:   kind,
		Hidden: true,
		Item:   message(f.Role, abi.Content{Type: abi.TextContent, Text: f.Text}),
	})
	d.receipt.Tokens += tokens(len(f.Text))
	d.receipt.Truncated = f.Truncated
	for _, w := range f.Warnings {
		if !slices.Contains(d.receipt.Warnings, w) {
			d.receipt.Warnings = append(d.receipt.Warnings, w)
		}
	}
}

// quiet is the receipt of a key for which nothing was injected.
func quiet(key string, kind abi.Kind, change abi.Change) abi.Receipt {
	return abi.Receipt{Key: key, Kind: kind, Change: change, Warnings: []abi.Warning{}}
}

// fit drops whole keys until what is injected keeps to the total budget (design,
// "Policy": maxTotalTokens).
func fit(all []decision, p Policy) []decision {
	for p.MaxTotalTokens != nil && sum(all) > *p.MaxTotalTokens {
		last := -1
		for i, d := range all {
			if d.receipt.Tokens > 0 && (last < 0 || p.priority(d) <= p.priority(all[last])) {
				last = i
			}
		}
		all[last].drop()
	}
	return all
}

func sum(all []decision) (tokens int) {
	for _, d := range all {
		tokens += d.receipt.Tokens
	}
	return tokens
}

func (p Policy) priority(d decision) int { return p.Keys[d.receipt.Key].Priority }

// drop leaves the key as the model was last told of it.
func (d *decision) drop() {
	d.now, d.inputs, d.receipt = d.old, nil, quiet(d.receipt.Key, d.receipt.Kind, abi.Dropped)
}

// storeOf returns what the model was last told.
func storeOf(all []decision) map[string]abi.Entry {
	store := map[string]abi.Entry{}
	for _, d := range all {
		if d.now != nil {
			store[d.receipt.Key] = *d.now
		}
	}
	return store
}

func inputsOf(all []decision) []abi.Input {
	inputs := []abi.Input{}
	for _, d := range all {
		inputs = append(inputs, d.inputs...)
	}
	return inputs
}

func receiptsOf(all []decision) []abi.Receipt {
	receipts := []abi.Receipt{}
	for _, d := range all {
		receipts = append(receipts, d.receipt)
	}
	return receipts
}

// at returns the entry of a key, nil if there is none.
func at(entries map[string]abi.Entry, key string) *abi.Entry {
	if entry, ok := entries[key]; ok {
		return &entry
	}
	return nil
}

// keysOfEither returns the keys of both maps, each once, by their UTF-8 bytes.
func keysOfEither(a, b map[string]abi.Entry) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}
