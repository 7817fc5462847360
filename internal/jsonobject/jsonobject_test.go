package jsonobject_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/internal/jsonobject"
)

func TestMembers(t *testing.T) {
	got, err := jsonobject.Members([]byte(" {\"a\": [1, 2] ,\"A\":null,\"\":\"\\u0061\", \"\\u0062\":{\"x\":1,\"x\":2}}\n"))
	want := map[string]json.RawMessage{"a": []byte("[1, 2]"), "A": []byte("null"), "": []byte(`"\u0061"`), "b": []byte(`{"x":1,"x":2}`)}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err := jsonobject.Members([]byte(`{}`)); err != nil || got == nil || len(got) != 0 {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestMembersRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                     "EOF",
		`nope`:                 "invalid character",
		`[]`:                   "is not an object",
		`null`:                 "is not an object",
		`"{}"`:                 "is not an object",
		`{`:                    "EOF",
		`{"a":1`:               "EOF",
		`{"a":}`:               "invalid character",
		`{"a":1]`:              "invalid character",
		`{1:1}`:                "invalid character",
		`{"a":1,"\u0061":2}`:   `has the member "a" twice`,
		`{}x`:                  "has text after the object",
		`{}{}`:                 "has text after the object",
		`{"a":1,"b":2,"a":{}}`: `has the member "a" twice`,
	} {
		if got, err := jsonobject.Members([]byte(text)); err == nil || got != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v, want an error with %q", text, got, err, want)
		}
	}
}
