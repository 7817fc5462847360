// Package fuzz has the fuzz tests that need another program to compare with: the
// core's JSON against go-json-experiment's jsontext, the module against the
// core, and one calling convention against the other. Sessions against the plain
// model and the search for the slowest request stand here too, since they ask
// the whole module.
//
// It is a module of its own, so that nobody who uses turncontext needs jsontext
// or Extism's SDK. What the tests begin with stands in testdata/corpora.
package fuzz
