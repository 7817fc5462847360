package main

import (
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	const text = "the quick brown fox <|endoftext|> 吾輩は猫である"
	for name, want := range map[string]string{"o200k_base": "19\n", "cl100k_base": "22\n"} {
		if got := runWith(t, text, "tokens", "--tokenizer="+name); got.stdout != want {
			t.Errorf("%s: %q, want %q", name, got.stdout, want)
		}
	}
	if got := runWith(t, "", "tokens"); got.stdout != "0\n" {
		t.Errorf("nothing has %q", got.stdout)
	}
	if got := runWith(t, "a\xff", "tokens"); got.code != exitFailed || !strings.Contains(got.stderr, "not UTF-8") {
		t.Errorf("got %+v", got)
	}
	if got := runWith(t, "", "tokens", "--tokenizer=gpt2"); got.code != exitUsage {
		t.Errorf("got %+v", got)
	}
}

// The module that counts exactly is there for whoever asks for it.
func TestTiktoken(t *testing.T) {
	const request = `{"additionalContext":{"k":{"value":"吾輩は猫である","kind":"untrusted"}},"policy":{"tokenizer":"o200k_base"}}`
	if got := runWith(t, request, "merge"); got.code != exitRefused || !strings.Contains(got.stdout, `"unsupported"`) {
		t.Errorf("without it: %+v", got)
	}
	if got := runWith(t, request, "merge", "--tiktoken"); got.code != exitOK || !strings.Contains(got.stdout, `"tokens":15,`) {
		t.Errorf("with it: %+v", got)
	}
	if got := runWith(t, request, "merge", "--tiktoken", "--module=x"); got.code != exitUsage {
		t.Errorf("two modules: %+v", got)
	}
}
