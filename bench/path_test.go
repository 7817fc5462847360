package main

import (
	"errors"
	"strings"
	"testing"
)

func constant(answer string) call {
	return func([]byte) ([]byte, error) { return []byte(answer), nil }
}

func same(request []byte) ([]byte, error) { return request, nil }

func TestVerify(t *testing.T) {
	good := path{"good", constant("{}"), same}
	fails := func([]byte) ([]byte, error) { return nil, errors.New("broken") }
	for _, test := range []struct {
		name string
		path path
		want string // in the error; none if empty
	}{
		{"alike", path{"other", constant("{}"), same}, ""},
		{"another answer", path{"other", constant("[]"), same}, "other answers otherwise than good"},
		{"no echo", path{"other", constant("{}"), constant("{}")}, "echo other answers something else"},
		{"merge fails", path{"other", fails, same}, "broken"},
		{"echo fails", path{"other", constant("{}"), fails}, "broken"},
	} {
		err := verify([]path{good, test.path}, [][]byte{[]byte("a request")})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}

func TestVerifyRefused(t *testing.T) {
	refusing := path{"refusing", constant(`{"error":{}}`), same}
	if err := verify([]path{refusing}, [][]byte{nil}); err == nil {
		t.Error("no error for a request that every path refuses")
	}
}

// TestEchoGuest sends requests around the size of the guest's first buffer,
// and one that makes it larger.
func TestEchoGuest(t *testing.T) {
	echo, err := buildEcho(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]opener{"direct": openDirect, "SDK": openSDK} {
		call, closer, err := open(t.Context(), echo)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, size := range []int{1, 4096, 4097, 1_000_000, 8} {
			request := strings.Repeat("x", size)
			answer, err := call([]byte(request))
			if err != nil {
				t.Errorf("%s, %d bytes: %v", name, size, err)
			} else if string(answer) != request {
				t.Errorf("%s, %d bytes: the answer is not the request", name, size)
			}
		}
		if err := closer(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
