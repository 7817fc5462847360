#include "shared_wasm.h"
#include "textflag.h"

// escape.go and writer.go say what these do, and a test holds the two equal.

// BYTE leaves the byte at that offset from the address in R0.
#define BYTE(offset) \
	Get R0; \
	I32WrapI64; \
	I64Load8U offset

// PUT writes at the address in R1, and moves past it. What stands between the two
// leaves the value.
#define PUT Get R1; I32WrapI64
#define DONE(store, n) \
	store $0; \
	ADVANCE(R1, n)

// func decode(text []byte, i int) (end int)
//
// R0 is the address that is read, R1 the one that is written, R2 the end of the text, R3
// a word or a byte.
TEXT ·decode(SB), NOSPLIT, $0-40
	I64Load text_base+0(FP)
	I64Load text_len+8(FP)
	I64Add
	Set R2
	I64Load text_base+0(FP)
	I64Load i+24(FP)
	I64Add
	Tee R0
	Set R1
next:
	Loop
		Get R0
		Get R2
		I64LtU
		If
			BYTE($0)
			Tee R3
			I64Const $0x5C
			I64Ne
			If
				// Eight bytes, if none of them is a backslash?
				Get R0
				I64Const $8
				I64Add
				Get R2
				I64LeU
				If
					Get R0
					I32WrapI64
					I64Load $0
					I64Const BACKSLASHES
					I64Xor
					Tee R3
					I64Const ONES
					I64Sub
					Get R3
					I64Const $-1
					I64Xor
					I64And
					I64Const HIGHS
					I64And
					I64Eqz
					If
						PUT
						Get R0
						I32WrapI64
						I64Load $0
						DONE(I64Store, $8)
						ADVANCE(R0, $8)
						Br next
					End
				End
				PUT
				BYTE($0)
				DONE(I64Store8, $1)
				ADVANCE(R0, $1)
				Br next
			End
			BYTE($1)
			Tee R3
			I64Const $0x75 // u
			I64Eq
			If
				// \u0000 to \u001f: digits 0 and 1, then 0 to 9 or a to f.
				PUT
				BYTE($4)
				I64Const $4
				I64Shl
				BYTE($5)
				I64Const $15
				I64And
				I64Or
				BYTE($5)
				I64Const $6
				I64ShrU
				I64Const $9
				I64Mul
				I64Add
				DONE(I64Store8, $1)
				ADVANCE(R0, $6)
				Br next
			End
			ADVANCE(R0, $2)
			Get R3
			I64Const $0x62 // b; before it are those that stand for themselves
			I64GeU
			If
				// b, f, n, r and t, by their bits 1 to 4.
				I64Const $0x9D0A000C080
				Get R3
				I64Const $1
				I64ShrU
				I64Const $15
				I64And
				I64Const $2
				I64Shl
				I64ShrU
				I64Const $15
				I64And
				Set R3
			End
			PUT
			Get R3
			DONE(I64Store8, $1)
			Br next
		End
	End
	Get SP
	Get R1
	I64Load text_base+0(FP)
	I64Sub
	I64Store end+32(FP)
	RET

// func escape(dst []byte, s string) (n, read int)
//
// R0 is the address that is read, R1 the one that is written, R2 the end of s, R3 a word,
// marks or a byte, R4 from where on there is no room, R5 the letter of an escape.
TEXT ·escape(SB), NOSPLIT, $0-56
	I64Load s_base+24(FP)
	Tee R0
	I64Load s_len+32(FP)
	I64Add
	Set R2
	I64Load dst_base+0(FP)
	Tee R1
	I64Load dst_len+8(FP)
	I64Add
	I64Const $7
	I64Sub
	Set R4
next:
	Loop
		Get R0
		Get R2
		I64LtU
		Get R1
		Get R4
		I64LtS
		I32And
		If
			Get R0
			I64Const $8
			I64Add
			Get R2
			I64LeU
			If
				// What stands before the first byte that is to be escaped is right.
				PUT
				Get R0
				I32WrapI64
				I64Load $0
				Tee R3
				I64Store $0
				Get R3
				I64Const $0x0202020202020202
				I64Xor
				I64Const $0x2121212121212121
				I64Sub
				Get R3
				I64Const BACKSLASHES
				I64Xor
				I64Const ONES
				I64Sub
				I64Or
				Get R3
				I64Const $-1
				I64Xor
				I64And
				I64Const HIGHS
				I64And
				Tee R3
				I64Eqz
				If
					ADVANCE(R0, $8)
					ADVANCE(R1, $8)
					Br next
				End
				Get R3
				I64Ctz
				I64Const $3
				I64ShrU
				Tee R3
				I64Eqz
				I32Eqz
				If
					Get R0
					Get R3
					I64Add
					Set R0
					Get R1
					Get R3
					I64Add
					Set R1
					Br next
				End
			End
			BYTE($0)
			Tee R3
			Set R5
			ADVANCE(R0, $1)
plain:
			Block
				Get R3
				I64Const $0x22
				I64Eq
				Get R3
				I64Const $0x5C
				I64Eq
				I32Or
				BrIf plain
				Get R3
				I64Const $0x20
				I64GeU
				If
					PUT
					Get R3
					DONE(I64Store8, $1)
					Br next
				End
				// The letters of U+0008 to U+000D, none for U+000B.
				I64Const $0
				Set R5
				Get R3
				I64Const $8
				I64Sub
				I64Const $6
				I64LtU
				If
					I64Const $0x7266006E7462
					Get R3
					I64Const $8
					I64Sub
					I64Const $3
					I64Shl
					I64ShrU
					I64Const $0xFF
					I64And
					Set R5
				End
				Get R5
				I64Eqz
				I32Eqz
				BrIf plain
				PUT
				I64Const $0x3030755C // \u00
				DONE(I64Store32, $4)
				PUT
				Get R3
				I64Const $4
				I64ShrU
				I64Const $0x30
				I64Or
				DONE(I64Store8, $1)
				PUT
				Get R3
				I64Const $15
				I64And
				Tee R3
				I64Const $0x30
				I64Const $0x57
				Get R3
				I64Const $10
				I64LtU
				Select
				I64Add
				DONE(I64Store8, $1)
				Br next
			End
			PUT
			I64Const $0x5C
			DONE(I64Store8, $1)
			PUT
			Get R5
			DONE(I64Store8, $1)
			Br next
		End
	End
	Get SP
	Get R1
	I64Load dst_base+0(FP)
	I64Sub
	I64Store n+40(FP)
	Get SP
	Get R0
	I64Load s_base+24(FP)
	I64Sub
	I64Store read+48(FP)
	RET
