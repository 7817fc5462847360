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

// ESCAPED leaves marks of the bytes of R2 that are a backslash with a letter
// behind: R5 has the bytes behind, and only the bits that bits has not are looked
// at. Marks above the first may be wrong.
#define ESCAPED(bits, letter) \
	Get R5; \
	I64Const bits; \
	I64Or; \
	I64Const letter; \
	I64Xor; \
	Get R2; \
	I64Const $0x5c5c5c5c5c5c5c5c; \
	I64Xor; \
	I64Or; \
	Tee R3; \
	I64Const $0x0101010101010101; \
	I64Sub; \
	Get R3; \
	I64Const $-1; \
	I64Xor; \
	I64And

// func controlAt(text []byte) int
//
// R0 is the address at hand, R1 the end, R2 the word or byte there, R3 for
// marks, R4 whether one was found, R5 the bytes behind, or goes back over
// backslashes, R6 all marks.
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
			I64Const $9
			I64GeS
			If
				// Most words are ASCII without a backslash or DEL.
				Get R0
				I32WrapI64
				I64Load $0
				Tee R2
				I64Const $0x0101010101010101
				I64Add
				Get R2
				I64Or
				Get R2
				I64Const $0x5c5c5c5c5c5c5c5c
				I64Xor
				I64Const $0x0101010101010101
				I64Sub
				I64Or
				I64Const $-0x7f7f7f7f7f7f7f80
				I64And
				I64Eqz
				If
					ADVANCE($8)
					Br next
				End

				MARK($0x7f7f7f7f7f7f7f7f)
				MARK($-0x3d3d3d3d3d3d3d3e)
				I64Or
				MARK($-0x1d1d1d1d1d1d1d1e)
				I64Or
				Set R6

				// Most escapes are of no control, and need not be taken one by one.
				MARK($0x5c5c5c5c5c5c5c5c)
				I64Const $-0x7f7f7f7f7f7f7f80
				I64And
				I64Eqz
				I32Eqz
				If
					Get R0
					I32WrapI64
					I64Load $1
					Set R5
					ESCAPED($0x0404040404040404, $0x6666666666666666)
					ESCAPED($0, $0x7272727272727272)
					I64Or
					ESCAPED($0, $0x7575757575757575)
					I64Or
					Get R6
					I64Or
					Set R6
				End

				Get R6
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

			// An escape: \b \f \r and all with \u are controls, \" \\ \n \t none. It
			// is one if the backslash is the first, third, … of its run.
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
				I64Const $4
				I64Or
				I64Const $0x66
				I64Eq
				I32Or
				If
					Get R0
					Set R5
run:
					Loop
						Get R5
						I64Load text_base+0(FP)
						I64GtU
						If
							Get R5
							I32WrapI64
							I32Const $1
							I32Sub
							I64Load8U $0
							I64Const $0x5C
							I64Eq
							If
								Get R5
								I64Const $1
								I64Sub
								Set R5
								Br run
							End
						End
					End
					Get R0
					Get R5
					I64Sub
					I64Const $1
					I64And
					I64Eqz
					I64ExtendI32U
					Tee R4
					I64Eqz
					I32Eqz
					BrIf done
				End
				ADVANCE($1)
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

// PAIRS leaves marks of the bytes that are "<" with a "/" behind, of the eight at
// R0. The first is right.
#define PAIRS \
	Get R0; \
	I32WrapI64; \
	I64Load $0; \
	I64Const $0x3c3c3c3c3c3c3c3c; \
	I64Xor; \
	Get R0; \
	I32WrapI64; \
	I64Load $1; \
	I64Const $0x2f2f2f2f2f2f2f2f; \
	I64Xor; \
	I64Or; \
	Tee R3; \
	I64Const $0x0101010101010101; \
	I64Sub; \
	Get R3; \
	I64Const $-1; \
	I64Xor; \
	I64And; \
	I64Const $-0x7f7f7f7f7f7f7f80; \
	I64And; \
	Tee R3

// func firstOf(text []byte, word, mask uint64) int
//
// R0 is the address at hand, R1 the last one from which nine bytes are left, R3
// marks.
TEXT ·firstOf(SB), NOSPLIT, $0-48
	I64Load text_base+0(FP)
	Tee R0
	I64Load text_len+8(FP)
	I64Add
	I64Const $9
	I64Sub
	Set R1

next:
	Loop
		Get R0
		Get R1
		I64LeS
		If
			PAIRS
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
			Tee R0
			Get R1
			I64LeS
			If
				Get R0
				I32WrapI64
				I64Load $0
				I64Load mask+32(FP)
				I64And
				I64Load word+24(FP)
				I64Ne
				If
					ADVANCE($1)
					Br next
				End
			End
		End
	End

	Get SP
	Get R0
	I64Load text_base+0(FP)
	I64Sub
	I64Store ret+40(FP)
	RET

// EXACT takes a word from the stack and leaves marks of its bytes that are those
// of want, and of no other. r is for its use.
#define EXACT(want, r) \
	I64Const want; \
	I64Xor; \
	Tee r; \
	I64Const $0x7f7f7f7f7f7f7f7f; \
	I64And; \
	I64Const $0x7f7f7f7f7f7f7f7f; \
	I64Add; \
	Get r; \
	I64Or; \
	I64Const $-1; \
	I64Xor; \
	I64Const $-0x7f7f7f7f7f7f7f80; \
	I64And

// func extraBytes(value []byte) int
//
// R0 is the address at hand, R1 the end, R2 the word or byte there, R3 for
// EXACT, R4 the result.
TEXT ·extraBytes(SB), NOSPLIT, $0-32
	I64Load value_base+0(FP)
	Tee R0
	I64Load value_len+8(FP)
	I64Add
	Set R1
	I64Const $0
	Set R4

next:
	Loop
		Get R1
		Get R0
		I64Sub
		I64Const $8
		I64GeS
		If
			// 4 for each "&", 3 for each "<" and ">", which differ in one bit.
			Get R0
			I32WrapI64
			I64Load $0
			Tee R2
			EXACT($0x2626262626262626, R3)
			I64Popcnt
			I64Const $2
			I64Shl
			Get R2
			I64Const $0x0202020202020202
			I64Or
			EXACT($0x3e3e3e3e3e3e3e3e, R3)
			I64Popcnt
			I64Const $3
			I64Mul
			I64Add
			Get R4
			I64Add
			Set R4
			ADVANCE($8)
			Br next
		End
		Get R0
		Get R1
		I64LtU
		If
			BYTE($0)
			Tee R2
			I64Const $0x26
			I64Eq
			I64ExtendI32U
			I64Const $2
			I64Shl
			Get R2
			I64Const $2
			I64Or
			I64Const $0x3e
			I64Eq
			I64ExtendI32U
			I64Const $3
			I64Mul
			I64Add
			Get R4
			I64Add
			Set R4
			ADVANCE($1)
			Br next
		End
	End

	Get SP
	Get R4
	I64Store ret+24(FP)
	RET

// ENTITY writes an entity of n characters in place of the one at hand.
#define ENTITY(text, n) \
	Get R1; \
	I32WrapI64; \
	I64Const text; \
	I64Store $0; \
	Get R1; \
	I64Const n; \
	I64Add; \
	Set R1; \
	ADVANCE($1); \
	Br next

// func escape(dst, value []byte) int
//
// R0 is the address that is read, R1 the one that is written, R2 the end, R3 the
// word or byte at hand, R4 how many of its bytes count.
TEXT ·escape(SB), NOSPLIT, $0-56
	I64Load dst_base+0(FP)
	Set R1
	I64Load value_base+24(FP)
	Tee R0
	I64Load value_len+32(FP)
	I64Add
	Set R2

next:
	Loop
		// Eight bytes; of them only those before the first that is escaped count.
		Get R2
		Get R0
		I64Sub
		I64Const $8
		I64GeS
		If
			Get R1
			I32WrapI64
			Get R0
			I32WrapI64
			I64Load $0
			Tee R3
			I64Store $0
			Get R3
			I64Const $0x2626262626262626
			I64Xor
			I64Const $0x0101010101010101
			I64Sub
			Get R3
			I64Const $0x0202020202020202
			I64Or
			I64Const $0x3e3e3e3e3e3e3e3e
			I64Xor
			I64Const $0x0101010101010101
			I64Sub
			I64Or
			Get R3
			I64Const $-1
			I64Xor
			I64And
			I64Const $-0x7f7f7f7f7f7f7f80
			I64And
			I64Ctz
			I64Const $3
			I64ShrU
			Tee R4
			Get R0
			I64Add
			Set R0
			Get R4
			Get R1
			I64Add
			Set R1
			Get R4
			I64Const $8
			I64Eq
			BrIf next
		End

		Get R0
		Get R2
		I64LtU
		If
			BYTE($0)
			Tee R3
			I64Const $0x26
			I64Eq
			If
				ENTITY($0x3b706d6126, $5)
			End
			Get R3
			I64Const $0x3c
			I64Eq
			If
				ENTITY($0x3b746c26, $4)
			End
			Get R3
			I64Const $0x3e
			I64Eq
			If
				ENTITY($0x3b746726, $4)
			End
			Get R1
			I32WrapI64
			Get R3
			I64Store8 $0
			Get R1
			I64Const $1
			I64Add
			Set R1
			ADVANCE($1)
			Br next
		End
	End

	Get SP
	Get R1
	I64Load dst_base+0(FP)
	I64Sub
	I64Store ret+48(FP)
	RET
