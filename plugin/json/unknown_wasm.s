#include "shared_wasm.h"
#include "textflag.h"

// unknown.go says what this does, and a test holds it to the reading member by
// member.

// BYTE leaves the byte at R0.
#define BYTE \
	Get R0; \
	I32WrapI64; \
	I64Load8U $0

// IFBYTE begins what is done if the byte in R2 is that one.
#define IFBYTE(c) \
	Get R2; \
	I64Const c; \
	I64Eq; \
	If

// EXPECT ends the reading unless the byte at R0 is that one, and moves past it.
#define EXPECT(c) \
	BYTE; \
	I64Const c; \
	I64Ne; \
	BrIf stop; \
	ADVANCE(R0, $1)

// SPACE moves R0 past white space, and sets R2 to the byte there.
#define SPACE(label) \
label: \
	Loop; \
		BYTE; \
		Tee R2; \
		I64Const $0x20; \
		I64LeU; \
		If; \
			I64Const $0x100002600; \
			Get R2; \
			I64ShrU; \
			I64Const $1; \
			I64And; \
			I64Eqz; \
			I32Eqz; \
			If; \
				ADVANCE(R0, $1); \
				Br label; \
			End; \
		End; \
	End

// ENDSTRING moves R0 to the quote that ends a string, if all of it is printable
// ASCII without escapes.
#define ENDSTRING(label) \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		Tee R2; \
		I64Const $0x0202020202020202; \
		I64Xor; \
		I64Const $0x2121212121212121; \
		I64Sub; \
		Get R2; \
		I64Const $0x5c5c5c5c5c5c5c5c; \
		I64Xor; \
		I64Const $0x0101010101010101; \
		I64Sub; \
		I64Or; \
		Get R2; \
		I64Or; \
		I64Const $-0x7f7f7f7f7f7f7f80; \
		I64And; \
		Tee R2; \
		I64Eqz; \
		If; \
			ADVANCE(R0, $8); \
			Br label; \
		End; \
	End; \
	Get R0; \
	Get R2; \
	I64Ctz; \
	I64Const $3; \
	I64ShrU; \
	I64Add; \
	Set R0; \
	BYTE; \
	I64Const $0x22; \
	I64Ne; \
	BrIf stop

// func unknowns(text []byte, i int, first bool, known []string, names []String) (end, n int)
//
// R0 is the address at hand, R1 that of a known name, R2 a byte or marks, R3 the
// address of the text, R4 that of the String to write, R5 the end of their room,
// R6 the end of the known names, R7 where the name begins, R8 how long it is, R9
// the end of the member before, R10 whether the next member is the first, R11 how
// many bits of a word are behind a name.
TEXT ·unknowns(SB), NOSPLIT, $0-104
	I64Load text_base+0(FP)
	Tee R3
	I64Load i+24(FP)
	I64Add
	Tee R0
	Set R9
	I64Load8U first+32(FP)
	Set R10
	I64Load names_base+64(FP)
	I64Load names_len+72(FP)
	I64Const $4
	I64Shl
	I64Add
	Set R4
	I64Load names_base+64(FP)
	I64Load names_cap+80(FP)
	I64Const $4
	I64Shl
	I64Add
	Set R5
	I64Load known_base+40(FP)
	I64Load known_len+48(FP)
	I64Const $4
	I64Shl
	I64Add
	Set R6

stop:
	Block
members:
		Loop
			Get R4
			Get R5
			I64GeU
			BrIf stop
			SPACE(comma)
			Get R10
			I64Eqz
			If
				EXPECT($0x2C)
				SPACE(name)
			End
			I64Const $0
			Set R10
			EXPECT($0x22)
			Get R0
			Set R7
			ENDSTRING(nameEnd)
			Get R0
			Get R7
			I64Sub
			Tee R8

			// A known one, or one that begins like it and is as long?
			I64Const $8
			I64LtU
			If
				I64Const $64
				Get R8
				I64Const $3
				I64Shl
				I64Sub
				Set R11
			Else
				I64Const $0
				Set R11
			End
			I64Load known_base+40(FP)
			Set R1
others:
			Loop
				Get R1
				Get R6
				I64LtU
				If
					Get R1
					I32WrapI64
					I64Load $8
					Get R8
					I64Eq
					If
						Get R1
						I32WrapI64
						I64Load $0
						I32WrapI64
						I64Load $0
						Get R7
						I32WrapI64
						I64Load $0
						I64Xor
						Get R11
						I64Shl
						I64Eqz
						BrIf stop
					End
					ADVANCE(R1, $16)
					Br others
				End
			End

			Get R4
			I32WrapI64
			Get R7
			Get R3
			I64Sub
			I64Store32 $0
			Get R4
			I32WrapI64
			Get R0
			Get R3
			I64Sub
			I64Store32 $4
			Get R4
			I32WrapI64
			Get R8
			I64Store $8 // and Plain
			ADVANCE(R0, $1)
			SPACE(colon)
			EXPECT($0x3A)
			SPACE(value)

past:
			Block
				IFBYTE($0x22)
					ADVANCE(R0, $1)
					ENDSTRING(valueEnd)
					ADVANCE(R0, $1)
					Br past
				End

				// A number without sign, fraction and exponent.
				Get R2
				I64Const $0x31
				I64Sub
				I64Const $9
				I64LtU
				If
digits:
					Loop
						ADVANCE(R0, $1)
						BYTE
						Tee R2
						I64Const $0x30
						I64Sub
						I64Const $10
						I64LtU
						BrIf digits
					End
					Get R2
					I64Const $0x2E
					I64Eq
					Get R2
					I64Const $0x20
					I64Or
					I64Const $0x65
					I64Eq
					I32Or
					BrIf stop
					Br past
				End

				// null, true, false, or a zero before a comma
				Get R0
				I32WrapI64
				I64Load32U $0
				Tee R2
				I64Const $0x6C6C756E
				I64Eq
				Get R2
				I64Const $0x65757274
				I64Eq
				I32Or
				If
					ADVANCE(R0, $4)
					Br past
				End
				Get R2
				I64Const $0xFFFF
				I64And
				I64Const $0x2C30
				I64Eq
				If
					ADVANCE(R0, $1)
					Br past
				End
				EXPECT($0x66)
				Get R0
				I32WrapI64
				I64Load32U $0
				I64Const $0x65736C61
				I64Ne
				BrIf stop
				ADVANCE(R0, $4)
			End
			Get R0
			Set R9
			ADVANCE(R4, $16)
			Br members
		End
	End

	Get SP
	Get R9
	Get R3
	I64Sub
	I64Store end+88(FP)
	Get SP
	Get R4
	I64Load names_base+64(FP)
	I64Sub
	I64Const $4
	I64ShrU
	I64Store n+96(FP)
	RET
