#include "textflag.h"

// borders.go says what this does.

// BYTE leaves the byte at that index of what begins at the address in r.
#define BYTE(r, index) \
	Get r; \
	Get index; \
	I64Add; \
	I32WrapI64; \
	I64Load8U $0

// func run(text, tag []byte, borders []int32, i int) bool
//
// R0 is the address of the text, R1 its length, R2 that of the tag, R3 its length, R4 that
// of the borders, R5 the offset in the text, R6 how much of the tag is found before it, R7
// the byte at it, R8 whether the borders are set.
TEXT ·run(SB), NOSPLIT, $0-81
	I64Load text_base+0(FP)
	Set R0
	I64Load text_len+8(FP)
	Set R1
	I64Load tag_base+24(FP)
	Set R2
	I64Load tag_len+32(FP)
	Set R3
	I64Load borders_base+48(FP)
	Set R4
	I64Load i+72(FP)
	Tee R5
	Set R8
	I64Const $0
	Set R6
	Get SP
	I64Const $0
	I64Store8 ret+80(FP)

end:
	Block
next:
		Loop
			Get R5
			Get R1
			I64GeU
			BrIf end
			BYTE(R0, R5)
			Set R7
shorter:
			Loop
				BYTE(R2, R6)
				Get R7
				I64Ne
				If
					Get R6
					I64Eqz
					If
						I64Const $-1
						Set R6
					Else
						Get R6
						I64Const $2
						I64Shl
						Get R4
						I64Add
						I64Const $4
						I64Sub
						I32WrapI64
						I64Load32U $0
						Set R6
						Br shorter
					End
				End
			End
			Get R6
			I64Const $1
			I64Add
			Set R6

			Get R8
			I64Eqz
			If
				Get R6
				Get R3
				I64Eq
				If
					Get SP
					I64Const $1
					I64Store8 ret+80(FP)
					Br end
				End
			Else
				Get R5
				I64Const $2
				I64Shl
				Get R4
				I64Add
				I32WrapI64
				Get R6
				I64Store32 $0
			End
			Get R5
			I64Const $1
			I64Add
			Set R5
			Br next
		End
	End
	RET
