// Package abi is the contract between the turncontext module and its hosts:
// the version, the names of its functions, its limits, and the Go types of
// every request and response. It holds no logic. README.md beside this file
// specifies both calling conventions and every function to the byte.
//
// The module itself is built with the tag guest, which leaves the types out: it
// reads JSON by itself, and what encoding/json brings would be a sixth of it.
package abi

// Name identifies the ABI in the answer of describe.
const Name = "turncontext"

// Version is the version of the ABI: what direct_version returns and describe
// reports. A host refuses a module that has another.
const Version = 1

// BuildVersion is the version of the module's source, as describe reports it.
const BuildVersion = "0.1.0"

// Limits that the module enforces on every call.
const (
	// MaxRequestBytes is the size in bytes of the largest request (32 MiB).
	MaxRequestBytes = 32 << 20
	// MaxDepth is how deep a request may nest; its outermost value is at 1.
	MaxDepth = 128
	// MaxTextChars is the most text, in Unicode scalars over all text items,
	// that one user input may hold.
	MaxTextChars = 1 << 20
)

// The functions of the module. Each is an export of its own under the Extism
// convention, and with DirectPrefix before its name under the direct one.
const (
	FunctionClassify  = "classify"
	FunctionDescribe  = "describe"
	FunctionGuidance  = "guidance"
	FunctionMerge     = "merge"
	FunctionReconcile = "reconcile"
	FunctionTurnSet   = "turn_set"
	FunctionTurnStart = "turn_start"
	FunctionTurnSteer = "turn_steer"
)

// The exports of the direct convention (README.md, "Direct convention").
const (
	DirectPrefix  = "direct_"
	DirectVersion = "direct_version"
	DirectReserve = "direct_reserve"
)

// Functions returns the names of the module's functions, sorted.
func Functions() []string {
	return []string{
		FunctionClassify, FunctionDescribe, FunctionGuidance, FunctionMerge, FunctionReconcile,
		FunctionTurnSet, FunctionTurnStart, FunctionTurnSteer,
	}
}
