package main

import (
	"errors"
	"flag"
	"io"
	"testing"
)

func TestRunRefusesArguments(t *testing.T) {
	for _, args := range [][]string{{"-unknown"}, {"more"}, {"-rounds", "0"}, {"-workload", "("}, {"-path", "("}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil || errors.Is(err, flag.ErrHelp) {
			t.Errorf("%q: error %v", args, err)
		}
	}
}
