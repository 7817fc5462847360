//go:build wasip1

// Command plugin is the guest. It wires the module's exports, of both calling
// conventions, to the functions of the core (abi/README.md).
package main

import (
	"github.com/turncontext/turncontext/abi"
	"github.com/turncontext/turncontext/plugin/turn"
)

// main is never called: the module is a reactor.
func main() {}

var core turn.Core

//go:wasmexport direct_version
func directVersion() uint32 { return abi.Version }

//go:wasmexport direct_reserve
func directReserve(size uint32) uint64 { return pack(core.Reserve(int(size))) }

//go:wasmexport direct_classify
func directClassify(length uint32) uint64 { return direct(turn.Classify, length) }

//go:wasmexport direct_describe
func directDescribe(length uint32) uint64 { return direct(turn.Describe, length) }

//go:wasmexport direct_guidance
func directGuidance(length uint32) uint64 { return direct(turn.Guidance, length) }

//go:wasmexport direct_merge
func directMerge(length uint32) uint64 { return direct(turn.Merge, length) }

//go:wasmexport direct_reconcile
func directReconcile(length uint32) uint64 { return direct(turn.Reconcile, length) }

//go:wasmexport direct_turn_set
func directTurnSet(length uint32) uint64 { return direct(turn.TurnSet, length) }

//go:wasmexport direct_turn_start
func directTurnStart(length uint32) uint64 { return direct(turn.TurnStart, length) }

//go:wasmexport direct_turn_steer
func directTurnSteer(length uint32) uint64 { return direct(turn.TurnSteer, length) }

//go:wasmexport classify
func extismClassify() int32 { return extism(turn.Classify) }

//go:wasmexport describe
func extismDescribe() int32 { return extism(turn.Describe) }

//go:wasmexport guidance
func extismGuidance() int32 { return extism(turn.Guidance) }

//go:wasmexport merge
func extismMerge() int32 { return extism(turn.Merge) }

//go:wasmexport reconcile
func extismReconcile() int32 { return extism(turn.Reconcile) }

//go:wasmexport turn_set
func extismTurnSet() int32 { return extism(turn.TurnSet) }

//go:wasmexport turn_start
func extismTurnStart() int32 { return extism(turn.TurnStart) }

//go:wasmexport turn_steer
func extismTurnSteer() int32 { return extism(turn.TurnSteer) }
