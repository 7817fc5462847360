package conform

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/turncontext/turncontext/internal/jsonobject"
)

// maxText bounds the size of a text of a vector in bytes, so that a slip in a
// number of repetitions is an error, and not a full memory.
const maxText = 64 << 20

// Load reads files of vectors; of a folder, every file in it whose name ends
// in ".json", in the order of their names. The error names the file. A folder
// without such files, a member that the format does not know, one that is
// missing or stands twice, a wrong type and a file without vectors are errors.
func Load(paths ...string) ([]File, error) {
	var files []File
	for _, path := range paths {
		names, err := expand(path)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			file, err := loadFile(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			files = append(files, file)
		}
	}
	return files, nil
}

// expand returns the files that a path stands for.
func expand(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if !entry.IsDir() && filepath.Ext(entry.Name()) == ".json" {
			names = append(names, filepath.Join(path, entry.Name()))
		}
	}
	if names == nil {
		return nil, fmt.Errorf("%s: no .json files in this folder", path)
	}
	return names, nil
}

func loadFile(path string) (File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return File{}, err
	}
	file, err := parse(text)
	file.Path = path
	return file, err
}

// parse reads the text of a file.
func parse(text []byte) (File, error) {
	if !utf8.Valid(text) {
		return File{}, errors.New("not UTF-8")
	}
	envelope, err := readObject(text, []string{"format", "kind", "about", "vectors"}, nil)
	if err != nil {
		return File{}, err
	}
	var file File
	var format string
	var vectors []json.RawMessage
	err = errors.Join(
		envelope.decode("format", &format),
		envelope.decode("kind", &file.Kind),
		envelope.decode("about", &file.About),
		envelope.decode("vectors", &vectors))
	if err != nil {
		return File{}, err
	}
	if format != Format {
		return File{}, fmt.Errorf("format is %q, want %q", format, Format)
	}
	if len(vectors) == 0 {
		return File{}, errors.New("no vectors")
	}
	return file, file.readVectors(vectors)
}

func (f *File) readVectors(vectors []json.RawMessage) (err error) {
	switch f.Kind {
	case KindTruncate:
		f.Truncate, err = readAll(vectors, readTruncate)
	case KindMerge:
		f.Merge, err = readAll(vectors, readMerge)
	case KindClassify:
		f.Classify, err = readAll(vectors, readClassify)
	case KindWire:
		f.Wire, err = readAll(vectors, readWire)
	case KindCalls:
		f.Calls, err = readAll(vectors, readCalls)
	default:
		err = fmt.Errorf("unknown kind %q", f.Kind)
	}
	if err != nil {
		return fmt.Errorf("vectors%w", err)
	}
	return nil
}

// readAll reads each item of an array; its errors begin with the index.
func readAll[T any](items []json.RawMessage, read func(json.RawMessage) (T, error)) ([]T, error) {
	all := make([]T, len(items))
	for i, item := range items {
		var err error
		if all[i], err = read(item); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return all, nil
}

func readTruncate(text json.RawMessage) (v TruncateVector, err error) {
	o, err := readObject(text, []string{"name", "value", "maxTokens", "text", "originalTokens"}, nil)
	if err != nil {
		return v, err
	}
	if string(o["originalTokens"]) != "null" {
		v.OriginalTokens = new(int)
		err = o.decode("originalTokens", v.OriginalTokens)
	}
	return v, errors.Join(err,
		o.decode("name", &v.Name),
		o.decode("value", &v.Value),
		o.decode("maxTokens", &v.MaxTokens),
		o.decode("text", &v.Text))
}

func readMerge(text json.RawMessage) (v MergeVector, err error) {
	o, err := readObject(text, []string{"name", "steps"}, nil)
	if err != nil {
		return v, err
	}
	if err := o.decode("name", &v.Name); err != nil {
		return v, err
	}
	v.Steps, err = readList(o, "steps", readMergeStep)
	return v, err
}

func readMergeStep(text json.RawMessage) (s MergeStep, err error) {
	o, err := readObject(text, []string{"inputs"}, []string{"additionalContext"})
	if err != nil {
		return s, err
	}
	s.AdditionalContext = o["additionalContext"]
	var inputs []json.RawMessage
	if err := o.decode("inputs", &inputs); err != nil {
		return s, err
	}
	if s.Inputs, err = readAll(inputs, readMergeInput); err != nil {
		return s, fmt.Errorf("inputs%w", err)
	}
	return s, nil
}

func readMergeInput(text json.RawMessage) (i MergeInput, err error) {
	o, err := readObject(text, []string{"role", "text"}, nil)
	if err != nil {
		return i, err
	}
	return i, errors.Join(o.decode("role", &i.Role), o.decode("text", &i.Text))
}

func readClassify(text json.RawMessage) (v ClassifyVector, err error) {
	o, err := readObject(text, []string{"text", "hidden"}, nil)
	if err != nil {
		return v, err
	}
	return v, errors.Join(o.decode("text", &v.Text), o.decode("hidden", &v.Hidden))
}

func readWire(text json.RawMessage) (v WireVector, err error) {
	o, err := readObject(text, []string{"params", "ok"}, []string{"entries"})
	if err != nil {
		return v, err
	}
	v.Entries = o["entries"]
	if err := errors.Join(o.decode("params", &v.Params), o.decode("ok", &v.OK)); err != nil {
		return v, err
	}
	if v.OK != (v.Entries != nil) {
		return v, errors.New("entries stands with ok true, and only then")
	}
	return v, nil
}

func readCalls(text json.RawMessage) (v CallsVector, err error) {
	o, err := readObject(text, []string{"name", "calls"}, nil)
	if err != nil {
		return v, err
	}
	if err := o.decode("name", &v.Name); err != nil {
		return v, err
	}
	v.Calls, err = readList(o, "calls", readCall)
	return v, err
}

// requests and expectations are the members of a call of which it has one.
var (
	requests     = []string{"request", "requestParts", "requestBase64"}
	expectations = []string{"response", "responseParts", "responseContains", "error"}
)

func readCall(text json.RawMessage) (c CallStep, err error) {
	o, err := readObject(text, []string{"function"}, slices.Concat(requests, expectations))
	if err != nil {
		return c, err
	}
	request, err := o.oneOf(requests)
	if err != nil {
		return c, err
	}
	expectation, err := o.oneOf(expectations)
	if err != nil {
		return c, err
	}
	if err := o.decode("function", &c.Function); err != nil {
		return c, err
	}
	if c.Request, err = o.text(request); err != nil {
		return c, err
	}
	switch expectation {
	case "error":
		c.Error, err = readError(o["error"])
	case "responseContains":
		c.Contains, err = readContains(o)
	default:
		c.Response, err = o.text(expectation)
	}
	return c, err
}

// readContains reads what an answer has to contain. Without a member it would
// be contained in every answer.
func readContains(o object) (any, error) {
	var contains map[string]any
	if err := o.decode("responseContains", &contains); err != nil {
		return nil, err
	}
	if len(contains) == 0 {
		return nil, errors.New("responseContains: no members")
	}
	return contains, nil
}

func readError(text json.RawMessage) (*ErrorExpected, error) {
	o, err := readObject(text, []string{"kind", "code"}, []string{"message", "data"})
	if err != nil {
		return nil, fmt.Errorf("error: %w", err)
	}
	var e ErrorExpected
	err = errors.Join(o.decode("kind", &e.Kind), o.decode("code", &e.Code))
	if _, ok := o["message"]; ok {
		err = errors.Join(err, o.decode("message", &e.Message))
	}
	if _, ok := o["data"]; ok {
		var data map[string]any
		err = errors.Join(err, o.decode("data", &data))
		e.Data = data
	}
	if err != nil {
		return nil, fmt.Errorf("error: %w", err)
	}
	return &e, nil
}

// object is the members of a JSON object, as text.
type object map[string]json.RawMessage

// readObject reads an object that has the required members and, at most, the
// optional ones besides.
func readObject(text []byte, required, optional []string) (object, error) {
	o, err := jsonobject.Members(text)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(required, name) && !slices.Contains(optional, name) {
			return nil, fmt.Errorf("unknown member %q", name)
		}
	}
	for _, name := range required {
		if _, ok := o[name]; !ok {
			return nil, fmt.Errorf("no member %q", name)
		}
	}
	return o, nil
}

// decode reads a member that stands. Null is of no type.
func (o object) decode(name string, to any) error {
	if string(o[name]) == "null" {
		return fmt.Errorf("%s: null", name)
	}
	if err := json.Unmarshal(o[name], to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readList reads an array that has at least one item.
func readList[T any](o object, name string, read func(json.RawMessage) (T, error)) ([]T, error) {
	var items []json.RawMessage
	if err := o.decode(name, &items); err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%s: empty", name)
	}
	all, err := readAll(items, read)
	if err != nil {
		return nil, fmt.Errorf("%s%w", name, err)
	}
	return all, nil
}

// oneOf returns the only one of the names that stands.
func (o object) oneOf(names []string) (string, error) {
	found := ""
	for _, name := range names {
		if _, ok := o[name]; !ok {
			continue
		}
		if found != "" {
			return "", fmt.Errorf("both %s and %s", found, name)
		}
		found = name
	}
	if found == "" {
		return "", fmt.Errorf("none of %q", names)
	}
	return found, nil
}

// text reads a text in any of its three forms.
func (o object) text(name string) (Text, error) {
	switch name {
	case "requestParts", "responseParts":
		return o.parts(name)
	case "requestBase64":
		var encoded string
		if err := o.decode(name, &encoded); err != nil {
			return nil, err
		}
		plain, err := base64.StdEncoding.Strict().DecodeString(encoded)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return Text{{string(plain), 1}}, nil
	}
	var plain string
	if err := o.decode(name, &plain); err != nil {
		return nil, err
	}
	return Text{{plain, 1}}, nil
}

// parts reads a text that is given as [[text, times], …].
func (o object) parts(name string) (Text, error) {
	var pairs [][]json.RawMessage
	if err := o.decode(name, &pairs); err != nil {
		return nil, err
	}
	text := make(Text, len(pairs))
	size := 0
	for i, pair := range pairs {
		if len(pair) != 2 {
			return nil, fmt.Errorf("%s[%d]: not a pair", name, i)
		}
		part := object{"text": pair[0], "times": pair[1]}
		err := errors.Join(part.decode("text", &text[i].Text), part.decode("times", &text[i].Times))
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", name, i, err)
		}
		if text[i].Times < 0 || text[i].Times > maxText {
			return nil, fmt.Errorf("%s[%d]: %d times", name, i, text[i].Times)
		}
		if size += len(text[i].Text) * text[i].Times; size > maxText {
			return nil, fmt.Errorf("%s: more than %d bytes", name, maxText)
		}
	}
	return text, nil
}
