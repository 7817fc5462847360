package params

import "github.com/turncontext/turncontext/plugin/json"

// free has, for each variant, the members that may be any string.
var free = [...][]int{
	VariantText: {TextText}, VariantImage: {ImageURL}, VariantLocalImage: {LocalImagePath},
	VariantSkill: {SkillName, SkillPath}, VariantMention: {MentionName, MentionPath},
}

const (
	FewItems = 16 // how many items ReadRun reads at most
	mostFree = 2  // how many free strings one has at most
)

// Span is where an item stands in the request.
type Span struct{ Start, End int }

// ReadRun reads items that are written as the two that are given, which stand one after the
// other and are right, but for the free strings: so they are right as well. The next one
// comes first. It returns how many it has read, none if there is no room for a few.
func ReadRun(r *json.Reader, items, two []UserInput, spans *[2]Span) int {
	before, last := &two[0], &two[1]
	if last.Variant < 0 || before.Variant != last.Variant || len(items) < FewItems {
		return 0
	}
	text, members := r.Text(), free[last.Variant]
	each, a, b := len(members), members[0], members[len(members)-1] // in the order of the text
	if last.Strings[b].Start < last.Strings[a].Start {
		a, b = b, a
	}
	first, second := &last.Strings[a], &last.Strings[b]
	start := int(before.Strings[b].End)
	behind := part(text, int(second.End), spans[1].End)
	if spans[1].Start != spans[0].End+1 || part(text, start, spans[0].End) != behind {
		return 0
	}

	// From the last string of the one before to the first string of the other is what
	// stands between two.
	between, middle := part(text, start, int(first.Start)), ""
	if each > 1 {
		middle = part(text, int(first.End), int(second.Start))
	}
	var pieces [FewItems*mostFree + 1]string
	var strings [FewItems * mostFree]json.String
	n := FewItems * each
	for i := 0; i < n; i += each {
		pieces[i+each-1] = middle
		pieces[i] = between
	}
	pieces[0], pieces[n] = part(text, spans[1].Start, int(first.Start)), behind
	for read := 0; ; {
		more := r.Shapes(pieces[:n+1], strings[:n], each)
		for i := range more {
			items[read+i].repeat(last, a, b, strings[i*each:])
		}
		read += more
		if more < FewItems || len(items)-read < FewItems {
			return read
		}
		pieces[0] = between[len(behind):] // with its comma
	}
}

// part returns a part of the text.
//
//go:noinline
func part(text []byte, start, end int) string { return json.Filling(text[start:end]) }

// repeat makes it the item last with other free strings, a and b, which are one or two.
func (u *UserInput) repeat(last *UserInput, a, b int, strings []json.String) {
	u.clear(last.Variant)
	u.Strings[a] = strings[0]
	if a != b {
		u.Strings[b] = strings[1]
	} else if last.Variant != VariantText && !last.Strings[ImageDetail].IsAbsent() {
		u.Strings[ImageDetail] = shifted(last.Strings[ImageDetail], last.Strings[a], strings[0])
	}
}

// shifted returns the string that stands beside another one as s does beside last.
func shifted(s, last, other json.String) json.String {
	by := other.Start - last.Start
	if s.Start > last.Start {
		by = other.End - last.End
	}
	s.Start += by
	s.End += by
	return s
}

// An image has its detail where the other one has it.
const _ uint = -(ImageDetail ^ LocalImageDetail)
