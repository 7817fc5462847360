#include "textflag.h"

// Why assembler: plugin/json/scan_wasm.s says it. control.go says what this
// function does; the tests hold the two equal.

// MARK leaves marks of the bytes of R2 that are those of want, eight times the
// same. Marks above the first may be wrong.
#define MARK(want) \
	Get R2; \
	I64Const want; \
	I64Xor; \
	Tee R3; \
	I64Const $0x0101010101010101; \
	I64Sub; \
	Get R3; \
	I64Const $-1; \
	I64Xor; \
	I64And

// BYTE leaves the byte at that offset from the address at hand.
#define BYTE(offset) \
	Get R0; \
	I32WrapI64; \
	I64Load8U offset

// WITHIN takes a byte and leaves 1 if it is one of n from first on.
#define WITHIN(first, n) \
	I64Const first; \
	I64Sub; \
	I64Const n; \
	I64LtU

#define ADVANCE(n) \
	Get R0; \
	I64Const n; \
	I64Add; \
	Set R0

// func controlAt(text []byte) int
//
// R0 is the address at hand, R1 the end, R2 the word or byte there, R3 for
// MARK, R4 whether one was found.
TEXT ·controlAt(SB), NOSPLIT, $0-32
	I64Load text_base+0(FP)
	Tee R0
	I64Load text_len+8(FP)
	I64Add
	Set R1
	I64Const $0
	Set R4

done:
	Block
next:
		Loop
			Get R1
			Get R0
			I64Sub
			Tee R3
			I64Const $8
			I64GeS
			If
				Get R0
				I32WrapI64
				I64Load $0
				Set R2
				MARK($0x5c5c5c5c5c5c5c5c)
				MARK($0x7f7f7f7f7f7f7f7f)
				I64Or
				MARK($-0x3d3d3d3d3d3d3d3e)
				I64Or
				MARK($-0x1d1d1d1d1d1d1d1e)
				I64Or
				I64Const $-0x7f7f7f7f7f7f7f80
				I64And
				Tee R3
				I64Eqz
				If
					ADVANCE($8)
					Br next
				End
				Get R0
				Get R3
				I64Ctz
				I64Const $3
				I64ShrU
				I64Add
				Set R0
				I64Const $1
				Set R3
			End
			Get R3
			I64Eqz
			BrIf done

			BYTE($0)
			Set R2

			// An escape: \b \f \r and all with \u are controls, \" \\ \n \t none.
			Get R2
			I64Const $0x5C
			I64Eq
			If
				BYTE($1)
				Tee R2
				I64Const $0x75
				I64Eq
				Get R2
				I64Const $0x72
				I64Eq
				I32Or
				Get R2
				I64Const $0x62
				I64Eq
				I32Or
				Get R2
				I64Const $0x66
				I64Eq
				I32Or
				I64ExtendI32U
				Tee R4
				I64Eqz
				I32Eqz
				BrIf done
				ADVANCE($2)
				Br next
			End

			// C2 80 to C2 9F.
			Get R2
			I64Const $0xC2
			I64Eq
			If
				BYTE($1)
				WITHIN($0x80, $0x20)
				I64ExtendI32U
				Tee R4
				I64Eqz
				I32Eqz
				BrIf done
				ADVANCE($2)
				Br next
			End

			// E2 80 AA to E2 80 AE, E2 81 A6 to E2 81 A9.
			Get R2
			I64Const $0xE2
			I64Eq
			If
				BYTE($1)
				I64Const $0x80
				I64Eq
				BYTE($2)
				WITHIN($0xAA, $5)
				I32And
				BYTE($1)
				I64Const $0x81
				I64Eq
				BYTE($2)
				WITHIN($0xA6, $4)
				I32And
				I32Or
				I64ExtendI32U
				Tee R4
				I64Eqz
				I32Eqz
				BrIf done
				ADVANCE($3)
				Br next
			End

			// DEL ends the search, what else there is does not.
			Get R2
			I64Const $0x7F
			I64Eq
			I64ExtendI32U
			Tee R4
			I64Eqz
			I32Eqz
			BrIf done
			ADVANCE($1)
			Br next
		End
	End

	Get SP
	Get R0
	I64Load text_base+0(FP)
	I64Sub
	I64Const $-1
	Get R4
	I32WrapI64
	Select
	I64Store ret+24(FP)
	RET
