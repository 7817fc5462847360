package store

import "github.com/turncontext/turncontext/plugin/json"

// candidate is a key that a total budget may drop.
type candidate struct {
	priority int32
	outcome  int32
}

// drop drops what a total budget has no room for: lowest priority first, of
// equals the last key first (abi/README.md, "maxTotalTokens"). A note is dropped
// with its key.
func (m *Merge) drop(budget int) {
	total := 0
	m.drops = json.Empty(m.drops, len(m.outcomes))
	for i := len(m.outcomes) - 1; i >= 0; i-- {
		if o := &m.outcomes[i]; o.injected() {
			total += int(o.rendered.Tokens)
			m.drops = append(m.drops, candidate{m.Policy.priority(o), int32(i)})
		}
	}
	if total <= budget {
		return
	}
	if len(m.Policy.Keys) > 0 {
		m.spare = append(json.Empty(m.spare, len(m.drops)), m.drops...)
		sortCandidates(m.drops, m.spare)
	}
	for _, c := range m.drops {
		if total <= budget {
			return
		}
		o := &m.outcomes[c.outcome]
		total -= int(o.rendered.Tokens)
		o.change = dropped
	}
}

// sortCandidates puts candidates in order of their priority by merging, which
// leaves equals as they are. spare holds the same.
func sortCandidates(sorted, spare []candidate) {
	const few = 16
	if len(sorted) <= few {
		insertCandidates(sorted)
		return
	}
	middle := len(sorted) / 2
	sortCandidates(spare[:middle], sorted[:middle])
	sortCandidates(spare[middle:], sorted[middle:])
	a, b := spare[:middle], spare[middle:]
	if a[middle-1].priority <= b[0].priority {
		copy(sorted, spare) // they are in order
		return
	}
	for i := range sorted {
		if len(b) == 0 || len(a) > 0 && a[0].priority <= b[0].priority {
			sorted[i], a = a[0], a[1:]
		} else {
			sorted[i], b = b[0], b[1:]
		}
	}
}

// insertCandidates does the same for few, each of which it moves before those that come behind it.
func insertCandidates(few []candidate) {
	for i, c := range few {
		for ; i > 0 && few[i-1].priority > c.priority; i-- {
			few[i] = few[i-1]
		}
		few[i] = c
	}
}
