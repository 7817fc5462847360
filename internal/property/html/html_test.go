// Package html holds the attribute wrapper to a tokenizer of HTML5. It is a
// module of its own, so that the tokenizer is no dependency of the project.
package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/host"
	"github.com/turncontext/turncontext/internal/random"
	"github.com/turncontext/turncontext/plugin/turn"
)

// ask answers a request to merge.
type ask func(request []byte) ([]byte, error)

// Whatever the key and the value, a tokenizer sees one start tag with one
// attribute, one text, and one end tag; and no text where the value is empty.
func TestAttributeWrapper(t *testing.T) {
	n := 4000
	if cases := os.Getenv("TURNCONTEXT_CASES"); cases != "" {
		var err error
		if n, err = strconv.Atoi(cases); err != nil {
			t.Fatalf("TURNCONTEXT_CASES is %q, which is no number of cases", cases)
		}
	}
	t.Run("core", func(t *testing.T) {
		var core turn.Core
		holds(t, n, func(request []byte) ([]byte, error) {
			return core.Call(abi.FunctionMerge, request), nil
		})
	})
	t.Run("module", func(t *testing.T) {
		module, err := host.Open(t.Context(), host.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer module.Close(t.Context())
		holds(t, max(1, n/4), func(request []byte) ([]byte, error) {
			return module.Call(t.Context(), abi.FunctionMerge, request)
		})
	})
}

func holds(t *testing.T, n int, call ask) {
	seen := 0
	for i := range n {
		r := rand.New(rand.NewPCG(4, uint64(i)))
		elements, err := try(r, call)
		if err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		seen += elements
	}
	t.Logf("%d cases, %d elements", n, seen)
}

// try merges random maps under a random policy, and looks at each element.
func try(r *rand.Rand, call ask) (elements int, err error) {
	policy := random.Policy(r, map[string]string{"wrapper": `"attribute"`, "experimentalApi": "", "updates": ""})
	before, now := random.Maps(r)
	if r.IntN(2) == 0 {
		now[letters(r)] = abi.Entry{Value: letters(r), Kind: abi.Untrusted}
	}
	request, err := json.Marshal(map[string]any{"store": before, "additionalContext": now, "policy": json.RawMessage(policy)})
	if err != nil {
		return 0, err
	}
	answer, err := call(request)
	if err != nil {
		return 0, err
	}
	var told struct {
		Inputs []struct {
			Key  string
			Item abi.Item
		}
		Error *abi.Error
	}
	if err := json.Unmarshal(answer, &told); err != nil {
		return 0, err
	}
	if told.Error != nil {
		return 0, fmt.Errorf("%s: %w", request, told.Error)
	}
	for _, in := range told.Inputs {
		if err := isElement(in.Item.Content[0].Text, in.Item.Role, in.Key); err != nil {
			return 0, fmt.Errorf("%s: %q: %w", request, in.Item.Content[0].Text, err)
		}
	}
	return len(told.Inputs), nil
}

// letters returns what means something in HTML, in any order.
func letters(r *rand.Rand) string {
	const all = "<>\"'&;#=/!-? \t\n\r\f\x00abx10"
	text := make([]byte, r.IntN(16))
	for i := range text {
		text[i] = all[r.IntN(len(all))]
	}
	return string(text)
}

// isElement looks at a text as a tokenizer does.
func isElement(text, role, key string) error {
	name := map[string]string{"user": "external_context", "developer": "application_context"}[role]
	key = strings.ReplaceAll(key, "\x00", "\ufffd") // as HTML5 has it
	tokens := html.NewTokenizer(strings.NewReader(text))

	if kind := tokens.Next(); kind != html.StartTagToken {
		return fmt.Errorf("it begins with %v", kind)
	}
	start := tokens.Token()
	if start.Data != name || len(start.Attr) != 1 || start.Attr[0].Key != "source" || start.Attr[0].Val != key {
		return fmt.Errorf("the start tag is %+v, of key %q", start, key)
	}
	kind := tokens.Next()
	if kind == html.TextToken {
		if bytes.ContainsAny(tokens.Raw(), "<>") {
			return fmt.Errorf("the text has a raw < or >")
		}
		kind = tokens.Next()
	} else if !strings.Contains(text, "></"+name+">") {
		return fmt.Errorf("%v follows the start tag", kind)
	}
	if end := tokens.Token(); kind != html.EndTagToken || end.Data != name {
		return fmt.Errorf("%+v is no end tag", end)
	}
	if kind := tokens.Next(); kind != html.ErrorToken {
		return fmt.Errorf("%v follows the end tag", kind)
	}
	return nil
}
