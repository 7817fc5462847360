package conform_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/internal/conform"
)

// file writes a file of vectors and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "vectors.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// envelope is a file of one kind; vectors are the items of its array.
func envelope(kind conform.Kind, vectors string) string {
	return `{"format":"` + conform.Format + `","kind":"` + string(kind) + `","about":"a test","vectors":[` + vectors + `]}`
}

// load reads one file of one kind.
func load(t *testing.T, kind conform.Kind, vectors string) []conform.File {
	t.Helper()
	files, err := conform.Load(file(t, envelope(kind, vectors)))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestLoad(t *testing.T) {
	twelve := 12
	for _, test := range []struct {
		kind    conform.Kind
		vectors string
		want    conform.File
	}{
		{conform.KindTruncate, `{"name":"n","value":"v","maxTokens":3,"text":"t","originalTokens":12},{"name":"m","value":"","maxTokens":0,"text":"","originalTokens":null}`,
			conform.File{Truncate: []conform.TruncateVector{{"n", "v", 3, "t", &twelve}, {"m", "", 0, "", nil}}}},
		{conform.KindMerge, `{"name":"n","steps":[{"additionalContext":{ },"inputs":[{"role":"r","text":"t"}]},{"additionalContext":null,"inputs":[]},{"inputs":[]}]}`,
			conform.File{Merge: []conform.MergeVector{{"n", []conform.MergeStep{
				{[]byte("{ }"), []conform.MergeInput{{"r", "t"}}}, {[]byte("null"), []conform.MergeInput{}}, {nil, []conform.MergeInput{}},
			}}}}},
		{conform.KindClassify, `{"text":"t","hidden":true}`,
			conform.File{Classify: []conform.ClassifyVector{{"t", true}}}},
		{conform.KindWire, `{"params":"p","ok":false},{"params":"q","ok":true,"entries":null}`,
			conform.File{Wire: []conform.WireVector{{"p", false, nil}, {"q", true, []byte("null")}}}},
		{conform.KindCalls, `{"name":"n","calls":[
			{"function":"f","request":"é","response":""},
			{"function":"f","requestParts":[["a",2],["b",0]],"responseParts":[]},
			{"function":"f","requestBase64":"/w==","responseContains":{"a":[1]}},
			{"function":"f","request":"","error":{"kind":"k","code":-1,"data":{"offset":2},"message":"m"}},
			{"function":"f","request":"","error":{"kind":"k","code":-1}}]}`,
			conform.File{Calls: []conform.CallsVector{{"n", []conform.CallStep{
				{Function: "f", Request: conform.Text{{"é", 1}}, Response: conform.Text{{"", 1}}},
				{Function: "f", Request: conform.Text{{"a", 2}, {"b", 0}}, Response: conform.Text{}},
				{Function: "f", Request: conform.Text{{"\xff", 1}}, Contains: map[string]any{"a": []any{1.0}}},
				{Function: "f", Request: conform.Text{{"", 1}}, Error: &conform.ErrorExpected{Kind: "k", Code: -1, Message: "m", Data: map[string]any{"offset": 2.0}}},
				{Function: "f", Request: conform.Text{{"", 1}}, Error: &conform.ErrorExpected{Kind: "k", Code: -1}},
			}}}}},
	} {
		path := file(t, envelope(test.kind, test.vectors))
		files, err := conform.Load(path)
		if err != nil {
			t.Errorf("%s: %v", test.kind, err)
			continue
		}
		test.want.Path, test.want.Kind, test.want.About = path, test.kind, "a test"
		if len(files) != 1 || !reflect.DeepEqual(files[0], test.want) {
			t.Errorf("%s: got %+v, want %+v", test.kind, files, test.want)
		}
		if files[0].Len() == 0 {
			t.Errorf("%s: Len is 0", test.kind)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	const classify = `{"text":"t","hidden":true}`
	call := func(members string) string {
		return envelope(conform.KindCalls, `{"name":"n","calls":[{"function":"f",`+members+`}]}`)
	}
	for _, test := range []struct{ text, want string }{
		{"", "EOF"},
		{"\xff", "not UTF-8"},
		{"[]", "is not an object"},
		{"{", "EOF"},
		{"nope", "invalid character"},
		{"{}", `no member "format"`},
		{envelope("classify", classify) + "x", "text after the object"},
		{envelope("classify", classify)[:40], "EOF"},
		{strings.Replace(envelope("classify", classify), "vectors/1", "vectors/2", 1), `format is "turncontext-vectors/2"`},
		{strings.Replace(envelope("classify", classify), `"kind":"classify"`, `"kind":null`, 1), "kind: null"},
		{strings.Replace(envelope("classify", classify), `"kind"`, `"Kind"`, 1), `unknown member "Kind"`},
		{strings.Replace(envelope("classify", classify), `"kind"`, `"x":1,"kind"`, 1), `unknown member "x"`},
		{strings.Replace(envelope("classify", classify), `"kind"`, `"kind":"wire","kind"`, 1), `has the member "kind" twice`},
		{strings.Replace(envelope("classify", classify), `"kind":"classify",`, ``, 1), `no member "kind"`},
		{envelope("reconcile", classify), `unknown kind "reconcile"`},
		{envelope("", classify), `unknown kind ""`},
		{envelope("classify", ""), "no vectors"},
		{strings.Replace(envelope("classify", ""), "[]", "null", 1), "vectors: null"},
		{envelope("classify", classify+`,{"text":"t"}`), `vectors[1]: no member "hidden"`},
		{envelope("classify", `{"text":"t","hidden":true,"kind":1}`), `vectors[0]: unknown member "kind"`},
		{envelope("classify", `{"text":"t","hidden":1}`), "hidden: json: cannot unmarshal"},
		{envelope("classify", `{"text":null,"hidden":true}`), "text: null"},
		{envelope("truncate", `{"name":"n","value":"v","maxTokens":3,"text":"t"}`), `no member "originalTokens"`},
		{envelope("truncate", `{"name":"n","value":"v","maxTokens":3,"text":"t","originalTokens":"1"}`), "originalTokens: json"},
		{envelope("truncate", `{"name":"n","value":"v","maxTokens":3.5,"text":"t","originalTokens":1}`), "maxTokens: json"},
		{envelope("truncate", `7`), "vectors[0]: is not an object"},
		{envelope("merge", `{"steps":[]}`), `no member "name"`},
		{envelope("merge", `{"name":1,"steps":[]}`), `name: json`},
		{envelope("merge", `{"name":"n","steps":[]}`), "steps: empty"},
		{envelope("merge", `{"name":"n","steps":1}`), "steps: json"},
		{envelope("merge", `{"name":"n","steps":[{"additionalContext":{}}]}`), `steps[0]: no member "inputs"`},
		{envelope("merge", `{"name":"n","steps":[{"inputs":{}}]}`), `steps[0]: inputs: json`},
		{envelope("merge", `{"name":"n","steps":[{"inputs":[{"role":"user"}]}]}`), `steps[0]: inputs[0]: no member "text"`},
		{envelope("wire", `{"params":"p"}`), `no member "ok"`},
		{envelope("wire", `{"params":"p","ok":"true"}`), "ok: json"},
		{envelope("wire", `{"params":"p","ok":true}`), "entries stands with ok true"},
		{envelope("wire", `{"params":"p","ok":false,"entries":null}`), "entries stands with ok true"},
		{envelope("calls", `{"name":"n"}`), `no member "calls"`},
		{envelope("calls", `{"name":[],"calls":[]}`), "name: json"},
		{envelope("calls", `{"name":"n","calls":[]}`), "calls: empty"},
		{envelope("calls", `{"name":"n","calls":[{"request":"","response":""}]}`), `calls[0]: no member "function"`},
		{envelope("calls", `{"name":"n","calls":[{"function":1,"request":"","response":""}]}`), "function: json"},
		{call(`"response":""`), "none of"},
		{call(`"request":""`), "none of"},
		{call(`"request":"","requestParts":[],"response":""`), "both request and requestParts"},
		{call(`"request":"","response":"","error":{"kind":"k","code":1}`), "both response and error"},
		{call(`"request":"","respond":""`), `unknown member "respond"`},
		{call(`"request":{},"response":""`), "request: json"},
		{call(`"request":"","response":null`), "response: null"},
		{call(`"requestBase64":"/w","response":""`), "requestBase64: illegal base64"},
		{call(`"requestBase64":"/x==","response":""`), "requestBase64: illegal base64"},
		{call(`"requestBase64":1,"response":""`), "requestBase64: json"},
		{call(`"requestParts":{},"response":""`), "requestParts: json"},
		{call(`"requestParts":[["a"]],"response":""`), "requestParts[0]: not a pair"},
		{call(`"requestParts":[["a",1],["a","1"]],"response":""`), "requestParts[1]: times: json"},
		{call(`"requestParts":[["a",-1]],"response":""`), "requestParts[0]: -1 times"},
		{call(`"requestParts":[["a",99999999999]],"response":""`), "requestParts[0]: 99999999999 times"},
		{call(`"requestParts":[["aaaa",33554432]],"response":""`), "requestParts: more than"},
		{call(`"request":"","responseContains":{}`), "responseContains: no members"},
		{call(`"request":"","responseContains":[1]`), "responseContains: json"},
		{call(`"request":"","error":1`), "error: is not an object"},
		{call(`"request":"","error":{"kind":"k"}`), `error: no member "code"`},
		{call(`"request":"","error":{"kind":1,"code":1}`), `error: kind: json`},
		{call(`"request":"","error":{"kind":"k","code":1,"datum":{}}`), `error: unknown member "datum"`},
		{call(`"request":"","error":{"kind":"k","code":1,"data":null}`), `error: data: null`},
		{call(`"request":"","error":{"kind":"k","code":1,"message":null}`), `error: message: null`},
	} {
		path := file(t, test.text)
		files, err := conform.Load(path)
		if err == nil {
			t.Errorf("%s: loaded %+v", test.text, files)
			continue
		}
		if !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error is %q, want the file's name and %q", test.text, err, test.want)
		}
	}
}

func TestLoadFolder(t *testing.T) {
	folder := t.TempDir()
	if _, err := conform.Load(folder); err == nil || !strings.Contains(err.Error(), folder) {
		t.Errorf("an empty folder: error is %v", err)
	}
	if _, err := conform.Load(filepath.Join(folder, "absent.json")); err == nil {
		t.Error("an absent file was loaded")
	}
	for _, name := range []string{"b.json", "a.json", "README.md"} {
		text := envelope("classify", `{"text":"`+name+`","hidden":true}`)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "c.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := conform.Load(folder, filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, file := range files {
		texts = append(texts, file.Classify[0].Text)
	}
	if want := []string{"a.json", "b.json", "README.md"}; !reflect.DeepEqual(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
}

// TestRepository holds the files of testdata to what README.md there says.
func TestRepository(t *testing.T) {
	files, err := conform.Load("../../testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[conform.Kind]int{}
	for _, file := range files {
		base := filepath.Base(file.Path)
		if want := string(file.Kind); base != want+".json" && !strings.HasPrefix(base, want+"-") {
			t.Errorf("%s holds vectors of kind %s", base, want)
		}
		if file.About == "" {
			t.Errorf("%s: about is empty", base)
		}
		names := map[string]bool{}
		for _, v := range file.Calls {
			if v.Name == "" || names[v.Name] {
				t.Errorf("%s: the name %q is empty or stands twice", base, v.Name)
			}
			names[v.Name] = true
		}
		counts[file.Kind] += file.Len()
	}
	// The reference's are complete; the project's own may become more.
	want := map[conform.Kind]int{"truncate": 350, "merge": 60, "classify": 232, "wire": 80, "calls": counts["calls"]}
	if counts["calls"] < 370 || !reflect.DeepEqual(counts, want) {
		t.Errorf("got %v vectors, want %v", counts, want)
	}
}
