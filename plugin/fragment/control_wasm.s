#include "textflag.h"

// Why assembler: plugin/json/scan_wasm.s says it. Each function has a plain twin,
// which says what it does, or a caller that does (firstOf); the tests hold the two
// equal.

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

// AT leaves the byte at that offset from the address in a register.
#define AT(r, offset) \
	Get r; \
	I32WrapI64; \
	I64Load8U offset

// BYTE leaves the one at that offset from the address at hand.
#define BYTE(offset) AT(R0, offset)

// LOAD leaves the word at that offset from the address at hand.
#define LOAD(offset) \
	Get R0; \
	I32WrapI64; \
	I64Load offset

// WITHIN takes a byte and leaves 1 if it is one of n from first on.
#define WITHIN(first, n) \
	I64Const first; \
	I64Sub; \
	I64Const n; \
	I64LtU

// MOVE goes on by n bytes in a register.
#define MOVE(r, n) \
	Get r; \
	I64Const n; \
	I64Add; \
	Set r

// ADVANCE goes on by n bytes.
#define ADVANCE(n) MOVE(R0, n)

// DIRECTION leaves 1 if what stands behind an E2 is 80 AA to 80 AE or 81 A6 to 81
// A9.
#define DIRECTION \
	BYTE($1); \
	I64Const $0x80; \
	I64Eq; \
	BYTE($2); \
	WITHIN($0xAA, $5); \
	I32And; \
	BYTE($1); \
	I64Const $0x81; \
	I64Eq; \
	BYTE($2); \
	WITHIN($0xA6, $4); \
	I32And; \
	I32Or

// func controlAt(text []byte) int
//
// R0 is the address at hand, R1 the end, R2 the word or byte there, R3 for
// marks, R4 whether one was found, R5 the bytes behind, or goes back over
// backslashes, R6 marks of escapes.
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
				// Most words are ASCII without DEL and the escape of a control. Of the
				// letters that may follow a backslash only b, f, r and u have bit 6, not
				// bit 3, and bit 1 or 0. To look for a backslash first, and to jump where
				// there is none, is slower: it cannot be foretold.
				LOAD($0)
				Set R2
				MARK($0x5c5c5c5c5c5c5c5c)
				LOAD($1)
				Tee R5
				I64Const $1
				I64Shl
				I64And
				Get R5
				I64Const $4
				I64Shl
				I64Const $-1
				I64Xor
				I64And
				Get R5
				I64Const $6
				I64Shl
				Get R5
				I64Const $7
				I64Shl
				I64Or
				I64And
				Tee R6
				Get R2
				I64Const $0x0101010101010101
				I64Add
				Get R2
				I64Or
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
				Get R6
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

			Get R2
			I64Const $0xE2
			I64Eq
			If
				DIRECTION
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

// PAIRS puts into r marks of the bytes that are "<" with a "/" behind, of the eight
// at that offset, the one behind which is next. The first is right.
#define PAIRS(offset, next, r) \
	LOAD(offset); \
	I64Const $0x3c3c3c3c3c3c3c3c; \
	I64Xor; \
	LOAD(next); \
	I64Const $0x2f2f2f2f2f2f2f2f; \
	I64Xor; \
	I64Or; \
	Tee r; \
	I64Const $0x0101010101010101; \
	I64Sub; \
	Get r; \
	I64Const $-1; \
	I64Xor; \
	I64And; \
	I64Const $-0x7f7f7f7f7f7f7f80; \
	I64And; \
	Set r

// func firstOf(text []byte, word, mask uint64) int
//
// R0 is the address at hand, R1 the last one from which nine bytes are left, R2
// and R3 marks.
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
			PAIRS($0, $1, R3)
			Get R1
			Get R0
			I64Sub
			I64Const $8
			I64GeS
			If
				PAIRS($8, $9, R2)
				Get R3
				Get R2
				I64Or
				I64Eqz
				If
					ADVANCE($16)
					Br next
				End
			End
			Get R3
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

// ENTITIES takes a word from the stack and leaves marks of its bytes that are
// escaped, which are ASCII. The first is right, those above it may be wrong. r is
// for its use.
#define ENTITIES(r) \
	Tee r; \
	I64Const $0x2626262626262626; \
	I64Xor; \
	I64Const $0x0101010101010101; \
	I64Sub; \
	Get r; \
	I64Const $0x0202020202020202; \
	I64Or; \
	I64Const $0x3e3e3e3e3e3e3e3e; \
	I64Xor; \
	I64Const $0x0101010101010101; \
	I64Sub; \
	I64Or; \
	Get r; \
	I64Const $-1; \
	I64Xor; \
	I64And

// COUNT takes a word from the stack and adds to R4 how many bytes longer it gets:
// by 4 for each "&", by 3 for each "<" and ">", which differ in one bit.
#define COUNT \
	Tee R2; \
	EXACT($0x2626262626262626, R3); \
	I64Popcnt; \
	I64Const $2; \
	I64Shl; \
	Get R2; \
	I64Const $0x0202020202020202; \
	I64Or; \
	EXACT($0x3e3e3e3e3e3e3e3e, R3); \
	I64Popcnt; \
	I64Const $3; \
	I64Mul; \
	I64Add; \
	Get R4; \
	I64Add; \
	Set R4

// func extraBytes(value []byte) int
//
// R0 is the address at hand, R1 the end, R2 and R5 the words there, R3 for EXACT,
// R4 the result.
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
		I64Const $16
		I64GeS
		If
			// Most have none.
			LOAD($0)
			ENTITIES(R2)
			LOAD($8)
			ENTITIES(R5)
			I64Or
			I64Const $-0x7f7f7f7f7f7f7f80
			I64And
			I64Eqz
			I32Eqz
			If
				Get R2
				COUNT
				Get R5
				COUNT
			End
			ADVANCE($16)
			Br next
		End
		Get R1
		Get R0
		I64Sub
		I64Const $8
		I64GeS
		If
			LOAD($0)
			COUNT
			ADVANCE($8)
			Br next
		End
		Get R0
		Get R1
		I64LtU
		If
			BYTE($0)
			COUNT
			ADVANCE($1)
			Br next
		End
	End

	Get SP
	Get R4
	I64Store ret+24(FP)
	RET

// func escape(dst, value []byte) int
//
// R0 is the address that is read, R1 the one that is written, R2 the end, R3 the
// word at hand, or how what is escaped is written, R4 marks, or how many bytes are before
// it, R5 the address of the table.
TEXT ·escape(SB), NOSPLIT, $0-56
	I64Load dst_base+0(FP)
	Set R1
	I64Load value_base+24(FP)
	Tee R0
	I64Load value_len+32(FP)
	I64Add
	Set R2
	MOVD $·written(SB), R5

done:
	Block
next:
		Loop
			Get R2
			Get R0
			I64Sub
			I64Const $8
			I64GeS
			If
				// Eight bytes; of them only those before the first that is escaped count.
				LOAD($0)
				ENTITIES(R3)
				I64Const $-0x7f7f7f7f7f7f7f80
				I64And
				Set R4
				Get R1
				I32WrapI64
				Get R3
				I64Store $0
				Get R4
				I64Eqz
				If
					MOVE(R1, $8)
					ADVANCE($8)
					Br next
				End
				Get R4
				I64Ctz
				I64Const $3
				I64ShrU
				Tee R4
				Get R0
				I64Add
				Set R0
				Get R1
				Get R4
				I64Add
				Set R1
			End

			// Where one is escaped, those behind it often are.
entities:
			Loop
				Get R0
				Get R2
				I64GeU
				BrIf done
				BYTE($0)
				I64Const $0x26
				I64Sub
				Tee R3
				I64Const $25
				I64GeU
				If
					Get R1
					I32WrapI64
					BYTE($0)
					I64Store8 $0
					MOVE(R1, $1)
					ADVANCE($1)
					Br next
				End
				Get R1
				I32WrapI64
				Get R5
				Get R3
				I64Const $3
				I64Shl
				I64Add
				I32WrapI64
				I64Load $0
				Tee R3
				I64Store $0
				Get R1
				Get R3
				I64Const $56
				I64ShrU
				I64Add
				Set R1
				ADVANCE($1)
				Get R3
				I64Const $57
				I64ShrU
				I64Eqz
				I32Eqz
				BrIf entities
			End
			Br next
		End
	End

	Get SP
	Get R1
	I64Load dst_base+0(FP)
	I64Sub
	I64Store ret+48(FP)
	RET

// EQUALS compares a register.
#define EQUALS(r, want) \
	Get r; \
	I64Const want; \
	I64Eq

// SET gives a register a value.
#define SET(r, value) \
	I64Const value; \
	Set r

// PASS goes on by the R3 bytes of a character.
#define PASS \
	Get R0; \
	Get R3; \
	I64Add; \
	Set R0

// INTRODUCES leaves 1 if R2 is, above first, one of P X ] ^ _ above P.
#define INTRODUCES(first) \
	Get R2; \
	WITHIN(first, $16); \
	I64Const $0xE101; \
	Get R2; \
	I64Const first; \
	I64Sub; \
	I64ShrU; \
	I32WrapI64; \
	I32And; \
	I32Const $1; \
	I32And

// func strip(dst, text []byte) (n, escapes int)
//
// R0 is the address that is read, R1 the end, R4 the address that is written, R2
// the character or word at hand, R3 its length, or marks. R6 says where it stands:
// 0 in text, 1 behind ESC, 2 behind it and an intermediate byte, 3 in the
// parameters of a control sequence, 4 in a control string. R5 is where text goes
// on if that does not end as it should, R7 the first of the bytes that it may end
// with, R9 whether no control string ends in the rest, R10 the address at which
// its end is looked for. R8 counts escapes.
TEXT ·strip(SB), NOSPLIT, $0-64
	I64Load dst_base+0(FP)
	Set R4
	I64Load text_base+24(FP)
	Tee R0
	I64Load text_len+32(FP)
	I64Add
	Set R1
	SET(R6, $0)
	SET(R8, $0)
	SET(R9, $0)

done:
	Block
next:
		Loop
			EQUALS(R6, $4)
			If
				SET(R6, $0)
				Get R9
				I64Eqz
				I32Eqz
				BrIf next
				Get R0
				Set R10
find:
				Loop
					Get R1
					Get R10
					I64Sub
					I64Const $8
					I64GeS
					If
						Get R10
						I32WrapI64
						I64Load $0
						Set R2
						MARK($0x5c5c5c5c5c5c5c5c)
						MARK($-0x3d3d3d3d3d3d3d3e)
						I64Or
						I64Const $-0x7f7f7f7f7f7f7f80
						I64And
						I64Eqz
						If
							MOVE(R10, $8)
							Br find
						End
					End
					Get R10
					Get R1
					I64GeU
					If
						SET(R9, $1)
						Br next
					End
					AT(R10, $0)
					Tee R2
					I64Const $0xC2
					I64Eq
					If
						AT(R10, $1)
						Set R2
						MOVE(R10, $2)
						EQUALS(R2, $0x9C)
						I32Eqz
						BrIf find
						Get R10
						Set R0
						Br next
					End
					EQUALS(R2, $0x5C)
					I32Eqz
					If
						MOVE(R10, $1)
						Br find
					End
					AT(R10, $1)
					I64Const $0x75
					I64Ne
					If
						MOVE(R10, $2)
						Br find
					End
					Get R10
					I32WrapI64
					I64Load32U $2
					Set R2
					MOVE(R10, $6)
					EQUALS(R2, $0x37303030) // BEL
					If
						Get R10
						Set R0
						Br next
					End
					EQUALS(R2, $0x62313030) // ESC
					Get R10
					Get R1
					I64LtU
					I32And
					I32Eqz
					BrIf find
					Get R10
					I32WrapI64
					I64Load16U $0
					I64Const $0x5C5C
					I64Ne
					BrIf find
					MOVE(R10, $2)
					Get R10
					Set R0
					Br next
				End
			End

			Get R6
			I64Eqz
			I32Eqz
			If
				// A character; of the escapes only \" and \\ may belong to it.
				SET(R2, $0)
				SET(R3, $1)
				Get R0
				Get R1
				I64LtU
				If
					BYTE($0)
					Tee R2
					I64Const $0x5C
					I64Eq
					If
						SET(R3, $2)
						BYTE($1)
						Tee R2
						I64Const $0
						EQUALS(R2, $0x22)
						EQUALS(R2, $0x5C)
						I32Or
						Select
						Set R2
					End
				End

				EQUALS(R6, $1)
				If
					SET(R6, $0)
					EQUALS(R2, $0x5B)
					If
						SET(R6, $3)
						SET(R7, $0x40)
					End
					INTRODUCES($0x50)
					If
						SET(R6, $4)
					End
					Get R2
					WITHIN($0x20, $0x10)
					If
						SET(R6, $2)
						SET(R7, $0x30)
					End
					Get R2
					WITHIN($0x20, $0x5F)
					If
						PASS
					End
					Get R0
					Set R5
					Br next
				End

				EQUALS(R6, $3)
				Get R2
				WITHIN($0x30, $0x10)
				I32And
				If
					PASS
					Br next
				End
				Get R2
				WITHIN($0x20, $0x10)
				If
					SET(R6, $2)
					PASS
					Br next
				End
				SET(R6, $0)
				Get R2
				Get R7
				I64GeU
				Get R2
				I64Const $0x7E
				I64LeU
				I32And
				If
					PASS
					Br next
				End
				Get R5
				Set R0
				Br next
			End

			Get R1
			Get R0
			I64Sub
			I64Const $8
			I64GeS
			If
				LOAD($0)
				Set R2
				Get R4
				I32WrapI64
				Get R2
				I64Store $0
				MARK($0x5c5c5c5c5c5c5c5c)
				MARK($0x7f7f7f7f7f7f7f7f)
				I64Or
				MARK($-0x3d3d3d3d3d3d3d3e)
				I64Or
				MARK($-0x1d1d1d1d1d1d1d1e)
				I64Or
				I64Const $-0x7f7f7f7f7f7f7f80
				I64And
				I64Ctz
				I64Const $3
				I64ShrU
				Tee R3
				Get R4
				I64Add
				Set R4
				PASS
				EQUALS(R3, $8)
				BrIf next
			End
			// Where one is taken out or escaped, those behind it often are.
again:
			Loop
				Get R0
				Get R1
				I64GeU
				BrIf done

				BYTE($0)
				Tee R2
				I64Const $0x5C
				I64Eq
				If
					BYTE($1)
					Tee R2
					I64Const $0x75
					I64Eq
					If
						Get R0
						I32WrapI64
						I64Load32U $2
						I64Const $0x62313030
						I64Eq
						I64ExtendI32U
						Set R6
						ADVANCE($6)
						Get R6
						I32WrapI64
						BrIf next
						Br again
					End
					Get R2
					I64Const $4
					I64Or
					I64Const $0x66
					I64Eq
					EQUALS(R2, $0x72)
					I32Or
					I32Eqz
					If
						Get R4
						I32WrapI64
						Get R0
						I32WrapI64
						I64Load16U $0
						I64Store16 $0
						MOVE(R4, $2)
						MOVE(R8, $1)
					End
					ADVANCE($2)
					Br again
				End

				EQUALS(R2, $0x7F)
				If
					ADVANCE($1)
					Br again
				End

				EQUALS(R2, $0xC2)
				If
					BYTE($1)
					Set R3
					Get R3
					I64Const $0xA0
					I64LtU
					If
						Get R3
						Set R2
						ADVANCE($2)
						Get R0
						Set R5
						EQUALS(R2, $0x9B)
						If
							SET(R6, $3)
							SET(R7, $0x40)
						End
						Get R9
						I64Eqz
						If
							INTRODUCES($0x90)
							If
								SET(R6, $4)
							End
						End
						Get R6
						I32WrapI64
						BrIf next
						Br again
					End
				End

				EQUALS(R2, $0xE2)
				If
					DIRECTION
					If
						ADVANCE($3)
						Br again
					End
				End

				Get R4
				I32WrapI64
				Get R2
				I64Store8 $0
				MOVE(R4, $1)
				ADVANCE($1)
				Br next
			End
		End
	End

	Get SP
	Get R4
	I64Load dst_base+0(FP)
	I64Sub
	I64Store n+48(FP)
	Get SP
	Get R8
	I64Store escapes+56(FP)
	RET
