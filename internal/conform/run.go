package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/turncontext/turncontext/abi"
)

// Call asks a function of the module. An error object is an answer like any
// other; err is only for a module that failed or lacks the function.
type Call func(function string, request []byte) ([]byte, error)

// CallOf returns the Call of a module as package host opens one, which this
// package does not import because its tests import this one. There a refusal is
// an error beside the answer.
func CallOf(ctx context.Context, module interface {
	Call(ctx context.Context, function string, request []byte) ([]byte, error)
}) Call {
	return func(function string, request []byte) ([]byte, error) {
		answer, err := module.Call(ctx, function, request)
		if _, refused := errors.AsType[*abi.Error](err); refused {
			return answer, nil
		}
		return answer, err
	}
}

// Result is what a run found.
type Result struct {
	Passed int // vectors
	Failed []Failure
	NotRun []NotRun
}

// Failure is a vector that the module does not keep to. Want and Got are cut to
// the place where they part.
type Failure struct {
	File, Vector, Want, Got string
}

// String tells of the failure in lines.
func (f Failure) String() string {
	return fmt.Sprintf("failed: %s: %s\n  want %s\n  got  %s", f.File, f.Vector, f.Want, f.Got)
}

// NotRun counts the vectors of a file that did not run for one reason.
type NotRun struct {
	File    string
	Vectors int
	Reason  string
}

// String tells what did not run, in one line.
func (n NotRun) String() string {
	return fmt.Sprintf("not run: %s: %s (vectors: %d)", n.File, n.Reason, n.Vectors)
}

// OK reports whether vectors have run and none has failed.
func (r Result) OK() bool {
	return r.Passed > 0 && len(r.Failed) == 0
}

// Skipped returns the number of vectors that did not run.
func (r Result) Skipped() int {
	vectors := 0
	for _, n := range r.NotRun {
		vectors += n.Vectors
	}
	return vectors
}

// String tells everything that was found, in lines.
func (r Result) String() string {
	var b strings.Builder
	for _, f := range r.Failed {
		fmt.Fprintln(&b, f)
	}
	for _, n := range r.NotRun {
		fmt.Fprintln(&b, n)
	}
	fmt.Fprintf(&b, "%d passed, %d failed, %d not run\n", r.Passed, len(r.Failed), r.Skipped())
	return b.String()
}

// Run runs every vector of the files. What needs a function or a policy field
// that the module lacks is not run. Without a usable answer of describe
// nothing is, which is one failure.
func Run(files []File, call Call) Result {
	r := runner{call: call}
	var description abi.Description
	if err := r.askFor(&description, "functions", abi.FunctionDescribe, nil); err != nil {
		r.record("", abi.FunctionDescribe, err)
		for i := range files {
			r.skip(files[i].Path, files[i].Len(), "describe did not tell the module's functions")
		}
		return r.result
	}
	r.functions = description.Functions
	for i := range files {
		r.file(&files[i])
	}
	return r.result
}

type runner struct {
	call      Call
	functions []string // that the module has
	result    Result
}

// mismatch is the error of a vector that failed.
type mismatch struct {
	want, got string
}

func (m mismatch) Error() string { return "want " + m.want + ", got " + m.got }

// lacking is the error of a vector that cannot run, and says why.
type lacking string

func (l lacking) Error() string { return string(l) }

func (r *runner) file(f *File) {
	for i, v := range f.Truncate {
		r.record(f.Path, name(i, v.Name), r.truncate(v))
	}
	for i, v := range f.Merge {
		r.record(f.Path, name(i, v.Name), r.merge(v))
	}
	for i, v := range f.Classify {
		r.record(f.Path, name(i, v.Text), r.classify(v))
	}
	for i, v := range f.Wire {
		r.record(f.Path, name(i, v.Params), r.wire(v))
	}
	for i, v := range f.Calls {
		r.record(f.Path, name(i, v.Name), r.calls(v))
	}
}

// record counts a vector by the error that running it gave.
func (r *runner) record(file, vector string, err error) {
	var reason lacking
	var found mismatch
	switch {
	case err == nil:
		r.result.Passed++
	case errors.As(err, &reason):
		r.skip(file, 1, string(reason))
	case errors.As(err, &found):
		r.result.Failed = append(r.result.Failed, Failure{file, vector, found.want, found.got})
	default:
		r.result.Failed = append(r.result.Failed, Failure{file, vector, "an answer", err.Error()})
	}
}

func (r *runner) skip(file string, vectors int, reason string) {
	for i := range r.result.NotRun {
		if n := &r.result.NotRun[i]; n.File == file && n.Reason == reason {
			n.Vectors += vectors
			return
		}
	}
	r.result.NotRun = append(r.result.NotRun, NotRun{file, vectors, reason})
}

// ask calls a function that the module has to have; its answer is JSON.
func (r *runner) ask(function string, request []byte) ([]byte, error) {
	if function != abi.FunctionDescribe && !slices.Contains(r.functions, function) {
		return nil, lacking("the module has no function " + function)
	}
	answer, err := r.call(function, request)
	if err != nil {
		return nil, fmt.Errorf("the module failed: %w", err)
	}
	if !utf8.Valid(answer) || !json.Valid(answer) {
		return nil, mismatch{"JSON", abbreviate(string(answer))}
	}
	return answer, nil
}

// askFor is ask for an answer that has a member, and reads it.
func (r *runner) askFor(to any, member, function string, request []byte) error {
	answer, err := r.ask(function, request)
	if err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(answer, &members) != nil || members[member] == nil {
		return mismatch{"an answer with " + member, abbreviate(string(answer))}
	}
	if err := json.Unmarshal(answer, to); err != nil {
		return mismatch{"an answer of " + function, err.Error() + ": " + abbreviate(string(answer))}
	}
	return nil
}

// merge carries the store from step to step and compares what the model is
// told.
func (r *runner) merge(v MergeVector) error {
	var store json.RawMessage
	for i, step := range v.Steps {
		var members []string
		if store != nil {
			members = append(members, `"store":`+string(store))
		}
		if step.AdditionalContext != nil {
			members = append(members, `"additionalContext":`+string(step.AdditionalContext))
		}
		var answer abi.MergeResponse
		request := "{" + strings.Join(members, ",") + "}"
		if err := r.askFor(&answer, "store", abi.FunctionMerge, []byte(request)); err != nil {
			return inStep(i, err)
		}
		if err := compareInputs(step.Inputs, answer.Inputs); err != nil {
			return inStep(i, err)
		}
		store = answer.Store
	}
	return nil
}

// inStep tells in which step of a vector an error was found.
func inStep(i int, err error) error {
	var m mismatch
	if !errors.As(err, &m) {
		return fmt.Errorf("in step %d: %w", i, err)
	}
	return mismatch{fmt.Sprintf("in step %d: %s", i, m.want), m.got}
}

func compareInputs(want []MergeInput, got []abi.Input) error {
	told := []MergeInput{}
	for _, input := range got {
		if len(input.Item.Content) != 1 {
			return mismatch{"one part", fmt.Sprintf("%d parts", len(input.Item.Content))}
		}
		told = append(told, MergeInput{input.Item.Role, input.Item.Content[0].Text})
	}
	if slices.Equal(want, told) {
		return nil
	}
	return different(text(want), text(told))
}

// wire asks merge, and compares the entries it read or that it refused.
func (r *runner) wire(v WireVector) error {
	if !v.OK {
		return r.refused(v)
	}
	var answer abi.MergeResponse
	if err := r.askFor(&answer, "store", abi.FunctionMerge, []byte(v.Params)); err != nil {
		return err
	}
	want := string(v.Entries)
	if want == "null" {
		want = "{}"
	}
	if reflect.DeepEqual(value([]byte(want)), value(answer.Store)) {
		return nil
	}
	return different(want, string(answer.Store))
}

// refused expects an error that blames the request.
func (r *runner) refused(v WireVector) error {
	answer, err := r.ask(abi.FunctionMerge, []byte(v.Params))
	if err != nil {
		return err
	}
	got, err := readAnsweredError(answer)
	if err != nil {
		return err
	}
	switch abi.ErrorKind(got.Kind) {
	case abi.InvalidJSON, abi.InvalidRequest, abi.InvalidParams:
		return nil
	}
	return mismatch{"invalid_json, invalid_request or invalid_params", abbreviate(string(answer))}
}

// truncate asks merge with a budget, where its policy has one.
func (r *runner) truncate(v TruncateVector) error {
	const opening, closing = "<external_k>", "</external_k>"
	request := fmt.Sprintf(`{"policy":{"maxValueTokens":%d},"additionalContext":{"k":{"value":%s,"kind":"untrusted"}}}`,
		v.MaxTokens, text(v.Value))
	answered, err := r.ask(abi.FunctionMerge, []byte(request))
	if err != nil {
		return err
	}
	if refusesBudget(answered) {
		return lacking("the module's policy has no maxValueTokens")
	}
	var answer abi.MergeResponse
	if err := json.Unmarshal(answered, &answer); err != nil ||
		len(answer.Inputs) != 1 || len(answer.Inputs[0].Item.Content) != 1 || len(answer.Receipts) != 1 {
		return mismatch{"one input of one part, one receipt", abbreviate(string(answered))}
	}
	if want, got := opening+v.Text+closing, answer.Inputs[0].Item.Content[0].Text; want != got {
		return different(want, got)
	}
	var original *int
	if truncated := answer.Receipts[0].Truncated; truncated != nil {
		original = &truncated.OriginalTokens
	}
	if !reflect.DeepEqual(v.OriginalTokens, original) {
		return different("originalTokens "+text(v.OriginalTokens), "originalTokens "+text(original))
	}
	return nil
}

// refusesBudget tells an answer that does not know the budget's field.
func refusesBudget(answer []byte) bool {
	got, err := readAnsweredError(answer)
	if err != nil || got.Kind != string(abi.InvalidParams) {
		return false
	}
	data, _ := got.Data.(map[string]any)
	return data["path"] == "policy.maxValueTokens"
}

// classify asks about a user's message of one part.
func (r *runner) classify(v ClassifyVector) error {
	request := `{"items":[{"type":"message","role":"user","content":[{"type":"input_text","text":` + text(v.Text) + `}]}]}`
	var answer struct {
		Items []struct {
			Hidden *bool `json:"hidden"`
		} `json:"items"`
	}
	if err := r.askFor(&answer, "items", "classify", []byte(request)); err != nil {
		return err
	}
	if len(answer.Items) != 1 || answer.Items[0].Hidden == nil {
		return mismatch{"one item with hidden", text(answer)}
	}
	if *answer.Items[0].Hidden != v.Hidden {
		return mismatch{fmt.Sprintf("hidden %t", v.Hidden), fmt.Sprintf("hidden %t", !v.Hidden)}
	}
	return nil
}

func (r *runner) calls(v CallsVector) error {
	for i, step := range v.Calls {
		answer, err := r.ask(step.Function, step.Request.Bytes())
		if err != nil {
			return inStep(i, err)
		}
		if err := step.check(answer); err != nil {
			return inStep(i, err)
		}
	}
	return nil
}

// check compares an answer with what is expected of it.
func (c *CallStep) check(answer []byte) error {
	switch {
	case c.Error != nil:
		return c.Error.check(answer)
	case c.Contains != nil:
		if contains(value(answer), c.Contains) {
			return nil
		}
		return mismatch{"an answer that contains " + abbreviate(text(c.Contains)), abbreviate(string(answer))}
	}
	if want := c.Response.Bytes(); !bytes.Equal(want, answer) {
		return different(string(want), string(answer))
	}
	return nil
}

func (e *ErrorExpected) check(answer []byte) error {
	got, err := readAnsweredError(answer)
	if err != nil {
		return err
	}
	same := got.Kind == e.Kind && got.Code == e.Code && reflect.DeepEqual(got.Data, e.Data) &&
		(e.Message == "" || got.Message == e.Message)
	if same {
		return nil
	}
	return mismatch{fmt.Sprintf("error %+v", *e), abbreviate(string(answer))}
}

// readAnsweredError reads an answer that has to be an error object.
func readAnsweredError(answer []byte) (*ErrorExpected, error) {
	envelope, err := readObject(answer, []string{"error"}, nil)
	if err != nil {
		return nil, mismatch{"an error", abbreviate(string(answer))}
	}
	e, err := readError(envelope["error"])
	if err != nil || e.Message == "" {
		return nil, mismatch{"an error with kind, code and message", abbreviate(string(answer))}
	}
	return e, nil
}

// contains reports whether got has every member of want; what is not an object
// has to be equal.
func contains(got, want any) bool {
	members, ok := want.(map[string]any)
	if !ok {
		return reflect.DeepEqual(got, want)
	}
	object, ok := got.(map[string]any)
	if !ok {
		return false
	}
	for name, member := range members {
		value, stands := object[name]
		if !stands || !contains(value, member) {
			return false
		}
	}
	return true
}

// value reads JSON that is known to be valid.
func value(text []byte) any {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		panic(err)
	}
	return v
}

// text writes a value that JSON can always express.
func text(v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// shown is how many bytes of a text a report shows.
const shown = 200

// abbreviate quotes the beginning of a text, so that it is safe on a terminal.
func abbreviate(text string) string {
	if len(text) <= shown {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("%q… (%d bytes)", text[:shown], len(text))
}

// different is the mismatch of two texts, shown around where they part.
func different(want, got string) mismatch {
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	from := max(0, at-shown/2)
	prefix := ""
	if from > 0 {
		prefix = fmt.Sprintf("from byte %d: ", from)
	}
	return mismatch{prefix + abbreviate(want[from:]), prefix + abbreviate(got[from:])}
}
