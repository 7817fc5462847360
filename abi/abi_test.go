package abi

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

func TestZeroPolicyIsTheDefault(t *testing.T) {
	for _, zero := range []any{Policy{}, KeyPolicy{}} {
		text, err := json.Marshal(zero)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != "{}" {
			t.Errorf("%T is %s, want {}", zero, text)
		}
	}
}

// What differs from the default is said, 0 and false included.
func TestPolicySaysWhatIsSet(t *testing.T) {
	full := Policy{
		Preset: PresetSafe, MaxValueTokens: new(0), MaxTotalTokens: new(0),
		Keys:       map[string]KeyPolicy{"": {MaxValueTokens: new(0), Truncation: KeepTail, Priority: -1}},
		Truncation: KeepHead, StrictBudget: new(false), Tokenizer: Approx, Wrapper: WrapReference,
		ControlCharacters: KeepControls, Updates: PatchUpdates, Removals: SilentRemovals,
		SteerContextOnly: true, ExperimentalAPI: new(false),
	}
	const want = `{"preset":"safe","maxValueTokens":0,"maxTotalTokens":0,` +
		`"keys":{"":{"maxValueTokens":0,"truncation":"tail","priority":-1}},"truncation":"head","strictBudget":false,` +
		`"tokenizer":"approx","wrapper":"reference","controlCharacters":"keep","updates":"patch","removals":"silent",` +
		`"steerContextOnly":true,"experimentalApi":false}`
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	var again Policy
	if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, full) {
		t.Errorf("read again it is %+v, %v", again, err)
	}
	for i := range reflect.TypeFor[Policy]().NumField() {
		if reflect.ValueOf(full).Field(i).IsZero() {
			t.Errorf("the test does not set %s", reflect.TypeFor[Policy]().Field(i).Name)
		}
	}
}

func TestEntry(t *testing.T) {
	for want, entry := range map[string]Entry{
		`null`:                               {Removed: true},
		`{"value":"","kind":""}`:             {},
		`{"value":"<&>","kind":"untrusted"}`: {Value: "<&>", Kind: Untrusted},
	} {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(map[string]Entry{"k": entry}); err != nil {
			t.Fatal(err)
		}
		if got := text.String(); got != `{"k":`+want+"}\n" {
			t.Errorf("%+v is %s, want %s", entry, got, want)
		}
		read := map[string]Entry{"k": {Value: "before", Kind: "before"}}
		if err := json.Unmarshal(text.Bytes(), &read); err != nil || read["k"] != entry {
			t.Errorf("%s is read as %+v, %v", want, read["k"], err)
		}
	}
	// Whoever wants the escapes of HTML gets them.
	if text, err := json.Marshal(Entry{Value: "<"}); err != nil || string(text) != `{"value":"\u003c","kind":""}` {
		t.Errorf("got %s, %v", text, err)
	}
	if err := json.Unmarshal([]byte(`[]`), new(Entry)); err == nil {
		t.Error("an array was read as an entry")
	}
}
