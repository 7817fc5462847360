package host

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/turncontext/turncontext/abi"
)

// The data of a refusal is what the types of package abi say: read and written
// again it is the same.
func TestRefusalData(t *testing.T) {
	t.Parallel()
	m := openBuiltIn(t)
	var review abi.TurnNotSteerableData
	review.Message = "cannot steer a review turn"
	review.CodexErrorInfo.ActiveTurnNotSteerable.TurnKind = abi.ReviewTurn
	compact := review
	compact.Message = "cannot steer a compact turn"
	compact.CodexErrorInfo.ActiveTurnNotSteerable.TurnKind = abi.CompactTurn
	const text = `"input":[{"type":"text","text":"a"}]`
	const before = `{"state":{"version":1,"threadId":"t","activeTurn":null},"turnId":"v","params":{"threadId":"t",`
	long := strings.Repeat("é", abi.MaxTextChars+1)
	for _, test := range []struct {
		active, params string
		kind           abi.ErrorKind
		data           any
	}{
		{`{"id":"u","kind":"review"}`, text, abi.TurnNotSteerable, &review},
		{`{"id":"u","kind":"compact"}`, text, abi.TurnNotSteerable, &compact},
		{`null`, `"input":0`, abi.InvalidParams, &abi.InvalidParamsData{Path: "input", Offset: len(before + `"input":`)}},
		{`null`, `"input":x`, abi.InvalidJSON, &abi.InvalidJSONData{Offset: len(before + `"input":`)}},
		{`null`, `"input":[{"type":"text","text":"` + long + `"}]`, abi.InputTooLarge,
			&abi.InputTooLargeData{InputErrorCode: abi.InputTooLarge, MaxChars: 1 << 20, ActualChars: 1<<20 + 1}},
	} {
		request := `{"state":{"version":1,"threadId":"t","activeTurn":` + test.active + `},"turnId":"v","params":{"threadId":"t",` + test.params + `}}`
		_, err := m.Call(t.Context(), abi.FunctionTurnStart, []byte(request))
		refused, ok := abi.Refused(err)
		if !ok || refused.Kind != test.kind {
			t.Errorf("got %v, want a refusal of kind %s", err, test.kind)
			continue
		}
		got := reflect.New(reflect.TypeOf(test.data).Elem()).Interface()
		if err := json.Unmarshal(refused.Data, got); err != nil || !reflect.DeepEqual(got, test.data) {
			t.Errorf("%s: got %+v, %v, want %+v", refused.Data, got, err, test.data)
		}
		if again, err := json.Marshal(got); err != nil || string(again) != string(refused.Data) {
			t.Errorf("%s becomes %s, %v", refused.Data, again, err)
		}
	}
}
