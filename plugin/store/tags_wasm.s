#include "go_asm.h"
#include "textflag.h"

// tags.go says what this does.

// NODE leaves a field of the node at R1.
#define NODE(field) \
	Get R1; \
	I32WrapI64; \
	I64Load32S $(field)

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
	Get R0
	Get R2
	I64Const $tagNode__size
	I64Mul
	I64Add
	Set R1

prefixes:
	Loop
		NODE(tagNode_prefix)
		Tee R2
		I64Const $0
		I64GeS
		If
			Get R0
			Get R2
			I64Const $tagNode__size
			I64Mul
			I64Add
			Set R1
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
