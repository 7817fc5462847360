#include "go_asm.h"
#include "shared_wasm.h"
#include "textflag.h"

// tags.go says what this does.

// NODE leaves a field of the node at R1.
#define NODE(field) \
	Get R1; \
	I32WrapI64; \
	I64Load32S $(field)

// SETNODE sets R1 to the node whose index is in R2.
#define SETNODE \
	Get R0; \
	Get R2; \
	I64Const $tagNode__size; \
	I64Mul; \
	I64Add; \
	Set R1

// func nextPrefix(nodes []tagNode, i int32, body []byte, closing int) int32
//
// R0 is the address of the nodes, R1 that of the node at hand, R2 its index, R3 the
// address of the body, R4 how many of its bytes are before the closing tag's name, R5 how
// long the node is, R6 where the closing tag has to begin.
TEXT ·nextPrefix(SB), NOSPLIT, $0-68
	I64Load nodes_base+0(FP)
	Set R0
	I64Load32S i+24(FP)
	Set R2
	I64Load body_base+32(FP)
	Set R3
	I64Load body_len+40(FP)
	I64Load closing+56(FP)
	I64Sub
	Set R4
	SETNODE

prefixes:
	Loop
		NODE(tagNode_prefix)
		Tee R2
		I64Const $0
		I64GeS
		If
			SETNODE
			NODE(tagNode_end)
			NODE(tagNode_start)
			I64Sub
			Set R5
			Get R4
			Get R5
			I64Sub
			Tee R6
			Get R5
			I64LeS
			BrIf prefixes
			Get R3
			Get R6
			I64Add
			I32WrapI64
			I64Load16U $0
			I64Const $0x2F3C
			I64Ne
			BrIf prefixes
			Get R3
			Get R5
			I64Add
			I32WrapI64
			I64Load8U $0
			I64Const $0x3E
			I64Ne
			BrIf prefixes
		End
	End

	Get SP
	Get R2
	I64Store32 ret+64(FP)
	RET

// FIRST and LAST leave whether the eight bytes of the closing tag at R6 differ from those
// that it has first and last.
#define FIRST \
	Get R6; \
	I32WrapI64; \
	I64Load $0; \
	Get R12; \
	I32WrapI64; \
	I64Load $0; \
	I64Ne
#define LAST \
	Get R6; \
	Get R9; \
	I64Add; \
	I64Const $8; \
	I64Sub; \
	I32WrapI64; \
	I64Load $0; \
	Get R12; \
	Get R9; \
	I64Add; \
	I64Const $8; \
	I64Sub; \
	I32WrapI64; \
	I64Load $0; \
	I64Ne

// func enclosing(nodes []tagNode, i int32, body []byte, closing string, failure, found []int32) (n int)
//
// R0 is the address of the nodes, R1 that of the node at hand, R2 its index, R3 the
// address of the body, R4 how many of its bytes are before the closing tag's name, R5 how
// long the node is, R6 where the closing tag has to begin, R7 the border at hand, R8 the
// address of failure, less that of one item, R9 the length of the closing tag up to its
// name, R10 where the next one that is found is written, R11 the index of the next node, R12
// the address of the closing tag.
TEXT ·enclosing(SB), NOSPLIT, $0-128
	I64Load nodes_base+0(FP)
	Set R0
	I64Load32S i+24(FP)
	Set R2
	I64Load body_base+32(FP)
	Set R3
	I64Load closing_base+56(FP)
	Set R12
	I64Load closing_len+64(FP)
	Set R9
	I64Load body_len+40(FP)
	Get R9
	I64Sub
	Set R4
	I64Load failure_base+72(FP)
	I64Const $4
	I64Sub
	Set R8
	Get R8
	I64Load body_len+40(FP)
	I64Const $2
	I64Shl
	I64Add
	I32WrapI64
	I64Load32U $0
	Set R7
	I64Load found_base+96(FP)
	Set R10

stop:
	Block
nodes:
		Loop
			Get R2
			I64Const $0
			I64LtS
			BrIf stop
			SETNODE
			NODE(tagNode_end)
			NODE(tagNode_start)
			I64Sub
			Set R5
			NODE(tagNode_prefix)
			Set R11
			Get R4
			Get R5
			I64Sub
			Set R6
next:
			Block
				Get R6
				Get R5
				I64LeS
				BrIf next
				Get R3
				Get R6
				I64Add
				Tee R6
				I32WrapI64
				I64Load16U $0
				I64Const $0x2F3C
				I64Ne
				BrIf next
				Get R3
				Get R5
				I64Add
				I32WrapI64
				I64Load8U $0
				I64Const $0x3E
				I64Ne
				BrIf next
				Get R9
				I64Const $8
				I64GeU
				If
					FIRST
					LAST
					I32Or
					BrIf next
				End
borders:
				Loop
					Get R7
					Get R5
					I64GtU
					If
						Get R8
						Get R7
						I64Const $2
						I64Shl
						I64Add
						I32WrapI64
						I64Load32U $0
						Set R7
						Br borders
					End
				End
				Get R7
				Get R5
				I64Ne
				BrIf next
				Get R10
				I32WrapI64
				Get R2
				I64Store32 $0
				ADVANCE(R10, $4)
			End
			Get R11
			Set R2
			Br nodes
		End
	End

	Get SP
	Get R10
	I64Load found_base+96(FP)
	I64Sub
	I64Const $2
	I64ShrU
	I64Store n+120(FP)
	RET

// func commonPrefix(a, b []byte) int
//
// R0 and R1 are the addresses of both, R2 is how long the shorter one is, R3 how many bytes
// are the same so far, R4 what differs in a word.
TEXT ·commonPrefix(SB), NOSPLIT, $0-56
	I64Load a_base+0(FP)
	Set R0
	I64Load b_base+24(FP)
	Set R1
	I64Load a_len+8(FP)
	I64Load b_len+32(FP)
	I64Load a_len+8(FP)
	I64Load b_len+32(FP)
	I64LtS
	Select
	Set R2
	I64Const $0
	Set R3

done:
	Block
words:
		Loop
			Get R3
			Get R2
			I64GeU
			BrIf done
			Get R0
			Get R3
			I64Add
			I32WrapI64
			I64Load $0
			Get R1
			Get R3
			I64Add
			I32WrapI64
			I64Load $0
			I64Xor
			Tee R4
			I64Eqz
			If
				ADVANCE(R3, $8)
				Br words
			End
		End
		Get R3
		Get R4
		I64Ctz
		I64Const $3
		I64ShrU
		I64Add
		Set R3
	End

	// The last word may go beyond the shorter one.
	Get SP
	Get R3
	Get R2
	Get R3
	Get R2
	I64LtU
	Select
	I64Store ret+48(FP)
	RET
