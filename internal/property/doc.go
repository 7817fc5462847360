// Package property holds the core, natively and as the module, to what has to be
// true of any request whatever: of what it is sent, and of what it is sent next.
//
// Each property is tried on a thousand cases in a test. Many more are tried
// with a number, and -v shows how many:
//
//	TURNCONTEXT_CASES=1000000 go test -v -timeout 0 ./internal/property
//
// and as a fuzz test of the core, which reads its choices from the input. Making
// such an input shorter takes long and tells little: -fuzzminimizetime 1x.
package property
