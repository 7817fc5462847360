#include "textflag.h"

// Why assembler: in a function of this kind a loop is a loop of WebAssembly.
// What the Go compiler makes of one goes through a dispatch at every jump.
// scan.go says what these functions do; the tests hold the two equal.

#define ONES $0x0101010101010101
#define HIGHS $-0x7f7f7f7f7f7f7f80
#define SPACES $0x2020202020202020
#define QUOTES $0x2222222222222222
#define BACKSLASHES $0x5c5c5c5c5c5c5c5c

// SPECIALS turns the word in w, on the stack afterwards, into marks of the
// bytes that are no printable ASCII, a quote or a backslash. The first is right.
#define SPECIALS(w) \
	Get w; \
	I64Const SPACES; \
	I64Sub; \
	Get w; \
	I64Const QUOTES; \
	I64Xor; \
	I64Const ONES; \
	I64Sub; \
	I64Or; \
	Get w; \
	I64Const BACKSLASHES; \
	I64Xor; \
	I64Const ONES; \
	I64Sub; \
	I64Or; \
	Get w; \
	I64Or; \
	I64Const HIGHS; \
	I64And

#define ADVANCE(p, n) \
	Get p; \
	I64Const n; \
	I64Add; \
	Set p

// MATCHES leaves 1 if the bytes of R1 under mask are those of want.
#define MATCHES(mask, want) \
	Get R1; \
	I64Const mask; \
	I64And; \
	I64Const want; \
	I64Eq

// HIGHBITS(bits) leaves the bits of the character in R1's first two bytes, of
// the first as many as bits has.
#define HIGHBITS(bits) \
	Get R1; \
	I64Const bits; \
	I64And; \
	I64Const $6; \
	I64Shl; \
	Get R1; \
	I64Const $8; \
	I64ShrU; \
	I64Const $0x3F; \
	I64And; \
	I64Or

// LETTERS has a bit for each letter, less 64, that may follow a backslash in the
// output: \ b f n r t.
#define LETTERS $0x14404410000000

// func textEnd(text []byte, i int) (end, escapes int)
//
// R0 is the address at hand, R1 the eight bytes there, R2 the marks in them or
// a part of the character, R3 the number of escapes.
TEXT ·textEnd(SB), NOSPLIT, $0-48
	I64Const $0
	Set R3
	I64Load text_base+0(FP)
	I64Load i+24(FP)
	I64Add
	Set R0

words:
	Loop
		Get R0
		I32WrapI64
		I64Load $0
		Set R1
		SPECIALS(R1)
		Tee R2
		I64Eqz
		If
			ADVANCE(R0, $8)
			Br words
		End

		Get R0
		Get R2
		I64Ctz
		I64Const $3
		I64ShrU
		I64Add
		Set R0

sequences:
		Loop
			Get R0
			I32WrapI64
			I64Load $0
			Set R1

			// Two sequences of three bytes with leads E1 to EC, EE or EF, whose
			// second bytes may be any. R2 has the last four bits of both leads; a
			// carry out of them says that they are not 0, or not D.
			MATCHES($0xC0C0F0C0C0F0, $0x8080E08080E0)
			If
				Get R1
				I64Const $0x0F00000F
				I64And
				Tee R2
				I64Const $0x0F00000F
				I64Add
				Get R2
				I64Const $0x0D00000D
				I64Xor
				I64Const $0x0F00000F
				I64Add
				I64And
				I64Const $0x10000010
				I64And
				I64Const $0x10000010
				I64Eq
				If
					ADVANCE(R0, $6)
					Br sequences
				End
			End

			// Two of four bytes with lead F0, whose second bytes are 90 or more.
			MATCHES($-0x3f3f3f003f3f3f01, $-0x7f7f7f0f7f7f7f10)
			If
				Get R1
				I64Const $12
				I64ShrU
				Get R1
				I64Const $13
				I64ShrU
				I64Or
				I64Const $0x100000001
				I64And
				I64Const $0x100000001
				I64Eq
				If
					ADVANCE(R0, $8)
					Br sequences
				End
			End

			Get R1
			I64Const $0x80
			I64And
			I64Eqz
			I32Eqz
			If
				// One: U+0800 to U+FFFF, but not U+D800 to U+DFFF.
				MATCHES($0xC0C0F0, $0x8080E0)
				If
					HIGHBITS($0xF)
					Tee R2
					I64Const $0x20
					I64GeU
					Get R2
					I64Const $0x3E0
					I64And
					I64Const $0x360
					I64Ne
					I32And
					If
						ADVANCE(R0, $3)
						Br sequences
					End
				End

				// Two bytes: U+0080 to U+07FF.
				MATCHES($0xC0E0, $0x80C0)
				If
					HIGHBITS($0x1F)
					I64Const $0x80
					I64GeU
					If
						ADVANCE(R0, $2)
						Br sequences
					End
				End

				// Four bytes: U+10000 to U+10FFFF.
				MATCHES($0xC0C0C0F8, $0x808080F0)
				If
					HIGHBITS($7)
					I64Const $0x10
					I64Sub
					I64Const $0x100
					I64LtU
					If
						ADVANCE(R0, $4)
						Br sequences
					End
				End
			End
		End

		// The byte at hand begins no sequence. Printable ASCII goes on.
		Get R1
		I64Const $0xFF
		I64And
		Tee R2
		I64Const $0x20
		I64Sub
		I64Const $0x60
		I64LtU
		Get R2
		I64Const $0x22
		I64Ne
		I32And
		Get R2
		I64Const $0x5C
		I64Ne
		I32And
		BrIf words

		// So does an escape of two bytes that the output would write.
		Get R2
		I64Const $0x5C
		I64Eq
		If
			Get R1
			I64Const $8
			I64ShrU
			I64Const $0xFF
			I64And
			Tee R2
			I64Const $0x22
			I64Eq
			I64Const LETTERS
			Get R2
			I64Const $64
			I64Sub
			I64ShrU
			I32WrapI64
			I32Const $1
			I32And
			Get R2
			I64Const $6
			I64ShrU
			I64Const $1
			I64Eq
			I32And
			I32Or
			If
				ADVANCE(R0, $2)
				ADVANCE(R3, $1)
				Br words
			End
		End
	End

	Get SP
	Get R0
	I64Load text_base+0(FP)
	I64Sub
	I64Store end+32(FP)
	Get SP
	Get R3
	I64Store escapes+40(FP)
	RET

// DIFFER leaves the bits in which the words at R0 and R1 differ.
#define DIFFER(offset) \
	Get R0; \
	I32WrapI64; \
	I64Load offset; \
	Get R1; \
	I32WrapI64; \
	I64Load offset; \
	I64Xor

// func equal(text []byte, a, b, n int) bool
//
// R0 and R1 are the addresses at hand, R2 is how many bytes are left, R3 is the
// result.
TEXT ·equal(SB), NOSPLIT, $0-49
	I64Load text_base+0(FP)
	I64Load a+24(FP)
	I64Add
	Set R0
	I64Load text_base+0(FP)
	I64Load b+32(FP)
	I64Add
	Set R1
	I64Load n+40(FP)
	Set R2
	I64Const $0
	Set R3

done:
	Block
lines:
		Loop
			Get R2
			I64Const $32
			I64GeS
			If
				DIFFER($0)
				DIFFER($8)
				I64Or
				DIFFER($16)
				I64Or
				DIFFER($24)
				I64Or
				I64Eqz
				I32Eqz
				BrIf done
				ADVANCE(R0, $32)
				ADVANCE(R1, $32)
				ADVANCE(R2, $-32)
				Br lines
			End
		End

pairs:
		Loop
			Get R2
			I64Const $8
			I64GeS
			If
				DIFFER($0)
				I64Eqz
				I32Eqz
				BrIf done
				ADVANCE(R0, $8)
				ADVANCE(R1, $8)
				ADVANCE(R2, $-8)
				Br pairs
			End
		End

		// Of the last word only the bytes that are left.
		DIFFER($0)
		I64Const $1
		Get R2
		I64Const $3
		I64Shl
		I64Shl
		I64Const $1
		I64Sub
		I64And
		I64Eqz
		I64ExtendI32U
		Set R3
	End

	Get SP
	Get R3
	I64Store8 ret+48(FP)
	RET

// func leads(text []byte, from, to int) int
//
// R0 is the address at hand, R1 the end, R2 the word or byte there, R3 the
// result.
TEXT ·leads(SB), NOSPLIT, $0-48
	I64Load text_base+0(FP)
	I64Load from+24(FP)
	I64Add
	Set R0
	I64Load text_base+0(FP)
	I64Load to+32(FP)
	I64Add
	Set R1
	Get R1
	Get R0
	I64Sub
	Set R3

words:
	Loop
		Get R1
		Get R0
		I64Sub
		I64Const $8
		I64GeS
		If
			Get R3
			Get R0
			I32WrapI64
			I64Load $0
			Tee R2
			Get R2
			I64Const $1
			I64Shl
			I64Const $-1
			I64Xor
			I64And
			I64Const HIGHS
			I64And
			I64Popcnt
			I64Sub
			Set R3
			ADVANCE(R0, $8)
			Br words
		End
	End

bytes:
	Loop
		Get R0
		Get R1
		I64LtU
		If
			Get R3
			Get R0
			I32WrapI64
			I64Load8U $0
			I64Const $0xC0
			I64And
			I64Const $0x80
			I64Eq
			I64ExtendI32U
			I64Sub
			Set R3
			ADVANCE(R0, $1)
			Br bytes
		End
	End

	Get SP
	Get R3
	I64Store ret+40(FP)
	RET
