package random

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/turncontext/turncontext/abi"
)

// Turn returns a random request to turn_start, turn_steer or turn_set, and
// which. Most are accepted, some fail the checks that come after the shape, and
// some have members that are missing, stand twice or are of a wrong type. All
// are JSON.
func Turn(r *rand.Rand) (function string, request []byte) {
	w := newWriter(r)
	w.faulty = r.IntN(4) == 0
	t := newTurn(w)
	t.before, t.now = Maps(r)
	return t.write(), w.Bytes()
}

func newTurn(w *writer) *turn {
	return &turn{writer: w, threadID: pick(w.Rand, ids), turnID: pick(w.Rand, ids)}
}

// write writes a request to one of the functions, and tells which.
func (t *turn) write() (function string) {
	switch t.IntN(5) {
	case 0:
		t.set()
		return abi.FunctionTurnSet
	case 1, 2:
		t.steer()
		return abi.FunctionTurnSteer
	}
	t.start()
	return abi.FunctionTurnStart
}

var ids = []string{"turn-1", "a", "A", "é", "🙂", "\"\\/", "\n", "a`b", " ", "thread 1", strings.Repeat("0123456789abcdef", 20)}

// turn is what a request is about.
type turn struct {
	*writer
	before, now Map
	threadID    string
	turnID      string // of the active turn
	full        []byte // the policy, where it may have any field
}

// often is true four times of five.
func (t *turn) often() bool { return t.IntN(5) > 0 }

// id writes an id, now and then another.
func (t *turn) id(id string) func() {
	if t.IntN(12) == 0 {
		id = pick(t.Rand, append(ids, ""))
	}
	return func() { t.string(id) }
}

func (t *turn) raw(choices ...string) func() {
	text := pick(t.Rand, choices)
	return func() { t.WriteString(text) }
}

func (t *turn) start() {
	members := []member{{"turnId", t.id("next")}, {"params", t.startParams}}
	if t.often() {
		members = append(members, member{"state", func() { t.state("null", "null", "regular") }})
	}
	t.object(t.options(members)...)
}

func (t *turn) steer() {
	t.object(t.options([]member{{"state", func() { t.state("regular") }}, {"params", t.steerParams}})...)
}

func (t *turn) set() {
	members := []member{{"state", func() { t.state("null", "regular") }}, {"activeTurn", func() { t.active("null", "regular", "review", "compact") }}}
	if t.IntN(2) == 0 {
		members = append(members, member{"ifTurnId", t.id(t.turnID)})
	}
	if t.full != nil {
		members = append(members, member{"policy", t.policy})
	}
	t.object(members...)
}

// options adds what a start and a steer may have.
func (t *turn) options(members []member) []member {
	if t.IntN(3) == 0 {
		members = append(members, member{"promptHook", t.hook})
	}
	if t.full != nil || t.IntN(3) == 0 {
		members = append(members, member{"policy", t.policy})
	}
	return members
}

// state writes a state in which a turn of one of these kinds is active.
func (t *turn) state(kinds ...string) {
	version := "1"
	if t.IntN(40) == 0 {
		version = pick(t.Rand, []string{"2", "0", "1.0", "4294967297"})
	}
	members := []member{{"version", t.raw(version)}, {"threadId", t.id(t.threadID)}, {"additionalContext", func() { t.entries(t.before) }}}
	if t.often() {
		members = append(members, member{"activeTurn", func() { t.active(kinds...) }})
	}
	t.object(members...)
}

// active writes an active turn of one of these kinds, now and then another.
func (t *turn) active(kinds ...string) {
	kind := pick(t.Rand, kinds)
	if t.IntN(8) == 0 {
		kind = pick(t.Rand, []string{"null", "regular", "review", "compact"})
	}
	if kind == "null" {
		t.WriteString("null")
		return
	}
	t.object(member{"id", t.id(t.turnID)}, member{"kind", func() { t.string(kind) }})
}

func (t *turn) hook() {
	if t.IntN(6) == 0 {
		t.WriteString("null")
		return
	}
	t.object(member{"blocked", t.raw("true", "false")}, member{"contexts", func() {
		t.list(t.IntN(4), func() { t.string(t.text()) })
	}})
}

func (t *turn) policy() {
	if t.full != nil {
		t.Write(t.full)
		return
	}
	if t.IntN(6) == 0 {
		t.WriteString(pick(t.Rand, []string{"null", "{}"}))
		return
	}
	t.members([]member{{"experimentalApi", t.raw("true", "true", "false", "null")}})
}

func (t *turn) steerParams() {
	t.object(t.params(member{"expectedTurnId", t.id(t.turnID)})...)
}

func (t *turn) startParams() {
	members := t.params()
	for _, m := range unread {
		if t.IntN(12) == 0 {
			members = append(members, member{m.name, t.raw(m.values...)})
		}
	}
	t.object(members...)
}

// unread are the members of a start that turncontext only checks.
var unread = []struct {
	name   string
	values []string
}{
	{"cwd", []string{`null`, `"/src"`}},
	{"model", []string{`null`, `"m"`}},
	{"serviceTier", []string{`null`, `""`}},
	{"effort", []string{`null`, `"low"`, `"xhigh"`}},
	{"summary", []string{`null`, `"auto"`, `"none"`}},
	{"personality", []string{`null`, `"friendly"`}},
	{"approvalsReviewer", []string{`null`, `"guardian_subagent"`}},
	{"outputSchema", []string{`null`, `{"type":"object","x":1,"x":2}`, `[[]]`, `true`}},
	{"approvalPolicy", []string{`null`, `"never"`, `{"granular":{"rules":true,"mcp_elicitations":false,"sandbox_approval":true,"x":0}}`}},
	{"sandboxPolicy", []string{`null`, `{"type":"readOnly"}`, `{"networkAccess":"enabled","type":"externalSandbox"}`,
		`{"writableRoots":["/src"],"type":"workspaceWrite","excludeSlashTmp":true}`}},
}

// params returns what a start and a steer have, and more.
func (t *turn) params(more ...member) []member {
	members := append(more, member{"threadId", t.id(t.threadID)}, member{"input", func() {
		t.list(t.IntN(5), t.item)
	}})
	if t.often() {
		members = append(members, member{"additionalContext", func() { t.entries(t.now) }})
	}
	return members
}

// item writes a UserInput.
func (t *turn) item() {
	kind := abi.UserInputType(pick(t.Rand, []string{"text", "text", "image", "localImage", "skill", "mention"}))
	members := []member{{"type", func() { t.string(string(kind)) }}}
	words := func(name string) { members = append(members, member{name, func() { t.string(t.text()) }}) }
	switch kind {
	case abi.TextInput:
		words("text")
		if t.IntN(4) == 0 {
			members = append(members, member{"text_elements", func() { t.list(t.IntN(3), t.element) }})
		}
	case abi.ImageInput:
		words("url")
	case abi.LocalImageInput:
		words("path")
	default:
		words("name")
		words("path")
	}
	if image := kind == abi.ImageInput || kind == abi.LocalImageInput; image && t.IntN(2) == 0 {
		members = append(members, member{"detail", t.raw(`null`, `"high"`, `"original"`)})
	}
	t.object(members...)
}

// element writes a TextElement.
func (t *turn) element() {
	members := []member{{"byteRange", func() {
		t.object(member{"start", t.raw(strconv.Itoa(t.IntN(9)))}, member{"end", t.raw("0", "2147483647")})
	}}}
	if t.IntN(2) == 0 {
		members = append(members, member{"placeholder", t.raw(`null`, `"@a"`)})
	}
	t.object(members...)
}

// list writes an array of that many items.
func (t *turn) list(n int, item func()) {
	t.WriteByte('[')
	for i := range n {
		if i > 0 {
			t.WriteByte(',')
		}
		t.space()
		item()
		t.space()
	}
	t.WriteByte(']')
}

// text returns what a person might write, and what breaks programs.
func (t *turn) text() string {
	var text strings.Builder
	for range t.IntN(6) {
		text.WriteString(pick(t.Rand, pieces))
	}
	return text.String()
}

// breakOne leaves out, repeats or spoils a member, now and then.
func (w *writer) breakOne(members []member) []member {
	if len(members) == 0 || w.IntN(6) > 0 {
		return members
	}
	i := w.IntN(len(members))
	switch w.IntN(4) {
	case 0:
		return slices.Delete(members, i, i+1)
	case 1:
		return append(members, members[i])
	}
	wrong := pick(w.Rand, []string{`null`, `7`, `-0`, `1.5`, `true`, `"no"`, `""`, `[]`, `[{}]`, `{}`, `{"type":"no"}`})
	members[i].write = func() { w.WriteString(wrong) }
	return members
}
