package schematest

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/plugin/turn"
)

// bases are params with nothing wrong. Together they have every member and
// every alternative of the schema.
var bases = map[string][]string{
	abi.FunctionTurnStart: {
		`{"threadId":"h","input":[]}`,
		`{"input":[{"type":"text","text":"hello"}],"threadId":"h","additionalContext":null,"approvalPolicy":null,"approvalsReviewer":null,
			"cwd":null,"effort":null,"model":null,"outputSchema":null,"personality":null,"sandboxPolicy":null,"serviceTier":null,"summary":null}`,
		`{"threadId":"h","input":[{"text":"a","type":"text","text_elements":[{"byteRange":{"start":0,"end":1},"placeholder":"[a]"},
			{"placeholder":null,"byteRange":{"end":2147483647,"start":7}},{"byteRange":{"start":1,"end":1}}]},{"type":"text","text":"","text_elements":[]}]}`,
		`{"threadId":"h","input":[{"type":"image","url":"u"},{"type":"image","url":"u","detail":null},{"detail":"high","url":"","type":"image"},
			{"type":"localImage","path":"p"},{"path":"p","detail":null,"type":"localImage"},{"type":"localImage","path":"","detail":"original"},
			{"type":"skill","name":"n","path":"p"},{"path":"p","name":"n","type":"mention"}]}`,
		`{"threadId":"h","input":[],"additionalContext":{"a":{"value":"v","kind":"untrusted"},"":{"kind":"application","value":""},"a.b":{"value":"x","kind":"untrusted","more":[]}}}`,
		`{"threadId":"h","input":[],"additionalContext":{}}`,
		`{"threadId":"h","input":[],"approvalPolicy":"on-failure","approvalsReviewer":"auto_review","cwd":"/w","effort":"xhigh","model":"m",
			"outputSchema":{"type":"object","type":[{}]},"personality":"pragmatic","sandboxPolicy":{"type":"dangerFullAccess"},"serviceTier":"fast","summary":"none"}`,
		`{"threadId":"h","input":[],"summary":"concise","sandboxPolicy":{"type":"readOnly"},
			"approvalPolicy":{"granular":{"mcp_elicitations":true,"rules":false,"sandbox_approval":true,"request_permissions":false,"skill_approval":true}}}`,
		`{"threadId":"h","input":[],"sandboxPolicy":{"networkAccess":true,"type":"readOnly"},"outputSchema":[1.5,-0,"x"],
			"approvalPolicy":{"granular":{"mcp_elicitations":true,"rules":false,"sandbox_approval":true}}}`,
		`{"threadId":"h","input":[],"sandboxPolicy":{"networkAccess":"enabled","type":"externalSandbox"}}`,
		`{"threadId":"h","input":[],"sandboxPolicy":{"type":"workspaceWrite","excludeSlashTmp":true,"excludeTmpdirEnvVar":false,
			"networkAccess":false,"writableRoots":["/a","/b"]},"unknown":{"a":1,"a":2}}`,
	},
	abi.FunctionTurnSteer: {
		`{"threadId":"h","input":[{"type":"text","text":"hello"}],"expectedTurnId":"t"}`,
		`{"additionalContext":{"a":{"value":"v","kind":"untrusted"},"b":{"kind":"application","value":"w"}},"input":[],"threadId":"h","expectedTurnId":""}`,
		`{"expectedTurnId":"t","additionalContext":null,"input":[
			{"text":"a","type":"text","text_elements":[{"byteRange":{"start":0,"end":1},"placeholder":"[a]"},{"placeholder":null,"byteRange":{"end":2,"start":7}}]},
			{"type":"image","url":"u","detail":"original"},{"type":"image","url":"u","detail":null},{"type":"localImage","path":"p","detail":"high"},
			{"path":"p","detail":null,"type":"localImage"},{"type":"skill","name":"n","path":"p"},{"path":"p","name":"n","type":"mention"}],"threadId":"h"}`,
	},
}

// patches are params with nothing wrong under a policy whose updates are a
// patch.
var patches = map[string][]string{
	abi.FunctionTurnStart: {`{"threadId":"h","input":[],"additionalContext":{"a":null,"b":{"value":"v","kind":"untrusted"},"":null}}`},
	abi.FunctionTurnSteer: {`{"additionalContext":{"a":{"value":"v","kind":"untrusted"},"b":null},"input":[],"threadId":"h","expectedTurnId":"t"}`},
}

// functions are those that take params, in an order that stays.
var functions = []string{abi.FunctionTurnStart, abi.FunctionTurnSteer}

// basesOf returns what is valid for a function, with a patch or without.
func basesOf(function string, patch bool) []string {
	if patch {
		return slices.Concat(bases[function], patches[function])
	}
	return bases[function]
}

// examiner holds the core's verdict on params of one function to the library's
// and to the plain reading.
type examiner struct {
	function string
	answer   func(request []byte) ([]byte, error)
	library  *jsonschema.Schema
	plain    *plainReader
	suite    *suite

	cases   int
	refused int
	reasons map[string]int // how often something was wrong, but not by JSON Schema
}

func newExaminer(t *testing.T, suite *suite, function string, patch bool, answer func(request []byte) ([]byte, error)) *examiner {
	params := function + "_params"
	plain := newPlainReader(t, params)
	plain.patch = patch
	return &examiner{function: function, answer: answer, suite: suite, library: compile(t, params), plain: plain, reasons: map[string]int{}}
}

// request returns a request with the params, and where they stand in it. The
// thread of its state is the params', for what is checked beyond the shape. The
// policy of a patch stands before the params or behind them.
func (e *examiner) request(params *value, text []byte) (request []byte, offset int) {
	before := `{"turnId":"t","params":`
	if e.function == abi.FunctionTurnSteer {
		id, _ := json.Marshal("h")
		if given := params.get("threadId"); given != nil && given.kind == "string" {
			id, _ = json.Marshal(given.text)
		}
		before = `{"state":{"version":1,"threadId":` + string(id) + `,"activeTurn":{"id":"t","kind":"regular"}},"params":`
	}
	after := "}"
	switch {
	case e.plain.patch && e.cases%2 == 0:
		before = `{"policy":{"updates":"patch"},` + before[1:]
	case e.plain.patch:
		after = `,"policy":{"updates":"patch"}}`
	}
	return slices.Concat([]byte(before), text, []byte(after)), len(before)
}

// examine examines one text of params.
func (e *examiner) examine(t *testing.T, text []byte) {
	t.Helper()
	e.cases++
	params := parse(t, text)
	violations := e.plain.read(params)
	request, base := e.request(params, text)
	answer, err := e.answer(request)
	if err != nil {
		t.Errorf("%v\n%s", err, request)
		return
	}
	if err := e.suite.check(e.function, request, answer); err != nil {
		t.Errorf("the request or its answer: %v\n%s\n%s", err, request, answer)
	}
	e.compareVerdicts(t, params, violations, text)

	var refusal struct {
		Error struct {
			Kind abi.ErrorKind
			Data struct {
				Path   string
				Offset int
			}
		}
	}
	if err := json.Unmarshal(answer, &refusal); err != nil {
		t.Fatal(err)
	}
	if params.kind == "object" && len(violations) == 0 {
		if refusal.Error.Kind == abi.InvalidParams {
			t.Errorf("nothing is wrong with\n%s\nbut the core answers %s", text, answer)
		}
		return
	}
	e.refused++
	if refusal.Error.Kind != abi.InvalidParams {
		t.Errorf("wrong are %v in\n%s\nbut the core answers %.300s", violations, text, answer)
		return
	}
	offset, paths := first(violations)
	if params.kind != "object" {
		paths = []string{"params"} // the path of the request's member
	}
	data := refusal.Error.Data
	if data.Offset-base != offset || !slices.Contains(paths, data.Path) {
		t.Errorf("the first that is wrong is at %d, path %q, in\n%s\nbut the core answers %s (params begin at %d)", offset, paths, text, answer, base)
	}
}

// compareVerdicts holds the plain reading to the library. They differ only
// where a violation says why.
func (e *examiner) compareVerdicts(t *testing.T, params *value, violations []violation, text []byte) {
	t.Helper()
	valid := true
	for _, v := range violations {
		if v.beyond == "" {
			valid = false
		} else {
			e.reasons[v.beyond]++
		}
	}
	if err := e.library.Validate(params.instance()); (err == nil) != valid {
		t.Errorf("the library says %v, the plain reading %v of\n%s", err, violations, text)
	}
}

// mutations returns copies of params, each with another change of one value.
func mutations(params *value) []*value {
	var list []*value
	for i, original := range params.all() {
		for _, change := range changes(original) {
			mutant := params.clone()
			change(mutant.all()[i])
			list = append(list, mutant)
		}
	}
	return list
}

// literal returns a value with that text.
func literal(kind, text string) *value { return &value{kind: kind, text: text} }

// replacements are one value of each kind and more, to stand for any other.
var replacements = []*value{
	literal("null", "null"), literal("boolean", "true"), literal("boolean", "false"), literal("string", ""), literal("string", "x"),
	literal("string", "Untrusted"), literal("string", "text"), literal("string", "null"),
	literal("number", "0"), literal("number", "1.0"), literal("number", "1e2"), literal("number", "-0"), literal("number", "-1"),
	literal("number", "1.5"), literal("number", "2147483647"), literal("number", "2147483648"), literal("number", "18446744073709551616"),
	literal("number", "0E0"), literal("number", "100e-2"), literal("number", "1e-1"),
	{kind: "array"}, {kind: "array", items: []*value{literal("null", "null")}}, {kind: "array", items: []*value{{kind: "object"}}},
	{kind: "object"}, {kind: "object", members: []member{{name: "type", value: literal("string", "text")}}},
	{kind: "object", members: []member{{name: "type", value: literal("null", "null")}, {name: "x", value: literal("number", "1")}}},
}

// tags are values of a member "type".
var tags = []string{
	"text", "image", "localImage", "skill", "mention", "dangerFullAccess", "readOnly", "externalSandbox", "workspaceWrite", "Text", "", "text ",
}

// enumerated returns all strings that stand in an enum of the schemas.
var enumerated = sync.OnceValue(func() []string {
	var list []string
	for _, file := range []string{"../turn_start_params.schema.json", "../common.schema.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		var schema any
		if err := json.Unmarshal(text, &schema); err != nil {
			panic(err)
		}
		list = append(list, enums(schema)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
})

func enums(schema any) []string {
	var list []string
	switch s := schema.(type) {
	case object:
		for name, part := range s {
			if name != "enum" {
				list = append(list, enums(part)...)
				continue
			}
			for _, one := range part.([]any) {
				if text, ok := one.(string); ok { // and not null
					list = append(list, text)
				}
			}
		}
	case []any:
		for _, part := range s {
			list = append(list, enums(part)...)
		}
	}
	return list
}

// change changes a value in place.
type change func(v *value)

// changes returns the changes of a value.
func changes(v *value) []change {
	var list []change
	for _, replacement := range replacements {
		list = append(list, func(v *value) { *v = *replacement.clone() })
	}
	list = append(list,
		func(v *value) { *v = value{kind: "array", items: []*value{v.clone()}} },
		func(v *value) { *v = value{kind: "object", members: []member{{name: "value", value: v.clone()}}} })
	switch v.kind {
	case "string":
		others := []string{v.text + "x", strings.ToUpper(v.text), v.text + "\x00", "é" + v.text}
		for _, text := range append(others, enumerated()...) {
			list = append(list, func(v *value) { v.text = text })
		}
	case "array":
		list = append(list, arrayChanges(v)...)
	case "object":
		list = append(list, objectChanges(v)...)
	}
	return list
}

func arrayChanges(v *value) []change {
	var list []change
	for i := range v.items {
		list = append(list,
			func(v *value) { v.items = slices.Delete(v.items, i, i+1) },
			func(v *value) { v.items = slices.Insert(v.items, i, v.items[i].clone()) },
			func(v *value) { v.items = slices.Insert(v.items, i, literal("null", "null")) })
	}
	return append(list, func(v *value) { v.items = append(v.items, &value{kind: "object"}) })
}

func objectChanges(v *value) []change {
	list := []change{
		func(v *value) { slices.Reverse(v.members) },
		func(v *value) { // the members in an array
			items := []*value{}
			for _, m := range v.members {
				items = append(items, m.value)
			}
			*v = value{kind: "array", items: items}
		},
		func(v *value) { // an unknown name twice
			v.members = append(v.members, member{name: "y", value: literal("null", "null")}, member{name: "y", value: &value{kind: "array"}})
		},
	}
	for _, name := range []string{"unknown", "", "Type", "a-b", `q"\`, "é", "granular", "url", "type"} {
		list = append(list,
			func(v *value) { v.members = append(v.members, member{name: name, value: literal("number", "1")}) },
			func(v *value) {
				v.members = slices.Insert(v.members, 0, member{name: name, value: &value{kind: "object"}})
			})
	}
	for i, m := range v.members {
		list = append(list,
			func(v *value) { v.members = slices.Delete(v.members, i, i+1) },
			func(v *value) { v.members[i].name += "_" },
			func(v *value) { v.members[i].name = strings.ToUpper(v.members[i].name) },
			func(v *value) { // last
				m := v.members[i]
				v.members = append(slices.Delete(v.members, i, i+1), m)
			},
			func(v *value) { v.members = append(v.members, member{name: m.name, value: m.value.clone()}) },
			func(v *value) { v.members = append(v.members, member{name: m.name, value: literal("null", "null")}) },
			func(v *value) {
				v.members = slices.Insert(v.members, 0, member{name: m.name, value: literal("string", "x")})
			})
		if m.name == "type" {
			list = append(list, tagChanges(i)...)
		}
	}
	return list
}

// tagChanges returns changes of the member "type", which has that index.
func tagChanges(i int) []change {
	var list []change
	for _, tag := range tags {
		list = append(list,
			func(v *value) { // last
				v.members = append(slices.Delete(v.members, i, i+1), member{name: "type", value: literal("string", tag)})
			},
			func(v *value) { // a second one, which does not decide
				v.members = append(v.members, member{name: "type", value: literal("string", tag)})
			})
	}
	return list
}

// mutate makes one change as chance has it.
func mutate(r *rand.Rand, params *value) {
	all := params.all()
	v := all[r.IntN(len(all))]
	list := changes(v)
	list[r.IntN(len(list))](v)
}

// answerNatively returns a function that has the native core answer.
func answerNatively(function string) func(request []byte) ([]byte, error) {
	core := new(turn.Core)
	return func(request []byte) ([]byte, error) { return core.Call(function, request), nil }
}

// examineAll runs a function for each function that takes params, with a patch
// and without.
func examineAll(t *testing.T, answer func(function string) func(request []byte) ([]byte, error), examine func(*testing.T, *examiner)) {
	suite := newSuite(t)
	for _, function := range functions {
		for _, patch := range []bool{false, true} {
			name := function
			if patch {
				name += " with a patch"
			}
			t.Run(name, func(t *testing.T) { examine(t, newExaminer(t, suite, function, patch, answer(function))) })
		}
	}
}

// The bases are valid, and hold some value to everything that the schemas say.
func TestBases(t *testing.T) {
	examineAll(t, answerNatively, func(t *testing.T, e *examiner) {
		for _, base := range basesOf(e.function, e.plain.patch) {
			e.examine(t, []byte(base))
		}
		if e.refused > 0 {
			t.Errorf("%d of its bases are refused", e.refused)
		}
		for _, place := range e.plain.places(e.plain.schema, "#") {
			isNullEntry := place == entryPlace+"/anyOf/1"
			if !e.plain.met[place] && (e.plain.patch || !isNullEntry) {
				t.Errorf("no base has anything for %s", place)
			}
		}
	})
}

// Each single change of each base, and several changes at once, have the same
// verdict and the same first violation in the core as in the plain reading, and
// the library agrees.
func TestMutations(t *testing.T) {
	random := 20_000
	if testing.Short() {
		random = 5_000
	}
	examineAll(t, answerNatively, func(t *testing.T, e *examiner) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, base := range basesOf(e.function, e.plain.patch) {
			for _, mutant := range mutations(parse(t, []byte(base))) {
				e.examine(t, mutant.write(r))
			}
		}
		for range random {
			e.examine(t, e.randomMutant(t, r).write(r))
		}
		e.summarize(t)
	})
}

// randomMutant returns a base with one to four changes.
func (e *examiner) randomMutant(t *testing.T, r *rand.Rand) *value {
	all := basesOf(e.function, e.plain.patch)
	mutant := parse(t, []byte(all[r.IntN(len(all))]))
	for range 1 + r.IntN(4) {
		mutate(r, mutant)
	}
	return mutant
}

// summarize fails the test unless all kinds of verdicts came about.
func (e *examiner) summarize(t *testing.T) {
	t.Helper()
	t.Logf("%d cases, %d refused", e.cases, e.refused)
	if e.refused == 0 || e.refused == e.cases {
		t.Error("all verdicts are the same")
	}
	reasons := []string{repeatedName, integerSpelling}
	if !e.plain.patch {
		reasons = append(reasons, nullEntry)
	}
	for _, reason := range reasons {
		if e.reasons[reason] == 0 {
			t.Errorf("it never happened that %s", reason)
		}
	}
}

// The module judges as the core does.
func TestModule(t *testing.T) {
	n := 3_000
	if testing.Short() {
		n = 500
	}
	ctx := context.Background()
	module, err := host.Open(ctx, host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := module.Close(ctx); err != nil {
			t.Error(err)
		}
	}()
	answer := func(function string) func(request []byte) ([]byte, error) {
		return func(request []byte) ([]byte, error) {
			answer, err := module.Call(ctx, function, request)
			if refused := new(abi.Error); errors.As(err, &refused) {
				err = nil // the answer says so too
			}
			return answer, err
		}
	}
	examineAll(t, answer, func(t *testing.T, e *examiner) {
		r := rand.New(rand.NewPCG(5, 6))
		for range n {
			e.examine(t, e.randomMutant(t, r).write(r))
		}
		e.summarize(t)
	})
}
