package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestReadSession(t *testing.T) {
	files := fstest.MapFS{
		"s.json":    {Data: []byte(`{"turns":[{"title":"a","additionalContext":{"k":{"valueFile":"d/v.txt","kind":"untrusted"},"e":{"value":"","kind":"application"}},"userInput":"u"},{"additionalContext":null},{"additionalContext":{}},{}]}`)},
		"d/v.txt":   {Data: []byte("<text>\r\n")},
		"d/bad.txt": {Data: []byte("\xff")},
	}
	s, err := readSession(files, "s.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Turns[0].entries["k"].Value; got != "<text>\r\n" {
		t.Errorf("the file's text is %q", got)
	}
	var sent []string
	for _, turn := range s.Turns {
		sent = append(sent, string(turn.AdditionalContext))
	}
	want := `{"e":{"value":"","kind":"application"},"k":{"value":"\u003ctext\u003e\r\n","kind":"untrusted"}}|null|{}|`
	if got := strings.Join(sent, "|"); got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if s.Turns[3].AdditionalContext != nil {
		t.Error("an absent map is not nil")
	}
}

func TestReadSessionErrors(t *testing.T) {
	entry := func(e string) string { return `{"turns":[{"additionalContext":{"k":` + e + `}}]}` }
	for text, want := range map[string]string{
		``:                         "s.json: EOF",
		`{`:                        "s.json: unexpected EOF",
		`{"turns":[{}]} x`:         "s.json: text after the JSON value",
		`{"turns":[]}`:             "s.json: no turns",
		`{"turns":[{"tilte":""}]}`: `s.json: json: unknown field "tilte"`,
		`{"turns":[{},{"additionalContext":[]}]}`:  "s.json: turn 2: additionalContext: ",
		entry(`{"kind":"untrusted"}`):              `s.json: turn 1: additionalContext, key "k": needs either value or valueFile`,
		entry(`{"value":"","valueFile":"s.json"}`): "needs either value or valueFile",
		entry(`{"value":"","kinds":"untrusted"}`):  `unknown field "kinds"`,
		entry(`{"valueFile":"absent.txt"}`):        "open absent.txt: file does not exist",
		entry(`{"valueFile":"../s.json"}`):         "open ../s.json: ",
		entry(`{"valueFile":"bad.txt"}`):           "bad.txt: not UTF-8",
	} {
		files := fstest.MapFS{"s.json": {Data: []byte(text)}, "bad.txt": {Data: []byte("\xff")}}
		_, err := readSession(files, "s.json")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %q", text, err, want)
		}
	}
	if _, err := readSession(fstest.MapFS{}, "s.json"); err == nil {
		t.Error("a session that is not there was read")
	}
}
