#include "funcdata.h"
#include "shared_wasm.h"
#include "textflag.h"

// Why assembler: in a function of this kind a loop is a loop of WebAssembly.
// What the Go compiler makes of one goes through a dispatch at every jump.
// scan.go and sort.go say what these functions do; the tests hold the two equal.

#define HALVES $-0x0f0f0f0f0f0f0f10

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

// MOVEDUP leaves r with its bits moved up.
#define MOVEDUP(r, shift) \
	Get r; \
	I64Const shift; \
	I64Shl

// UNLESS takes three words from the stack: it leaves the bits of the first that the
// second, moved up by the third, does not have.
#define UNLESS \
	I64Shl; \
	I64Const $-1; \
	I64Xor; \
	I64And

// LETTERS has a bit for each letter, less 64, that may follow a backslash in the
// output: \ b f n r t.
#define LETTERS $0x14404410000000

// BYTE leaves the byte at that offset from R0.
#define BYTE(offset) \
	Get R0; \
	I32WrapI64; \
	I64Load8U offset

// BITS leaves bits of a register.
#define BITS(r, shift, mask) \
	Get r; \
	I64Const shift; \
	I64ShrU; \
	I64Const mask; \
	I64And

// HEXDIGITS turns the hexadecimal digits in r into what they stand for, in the lower
// half of each byte. a gets a 1 in each byte that is a letter. What no digit is, it
// leaves so that HEXVALID knows.
#define HEXDIGITS(r, a) \
	Get r; \
	Get r; \
	I64Const $6; \
	I64ShrU; \
	I64Const ONES; \
	I64And; \
	Tee a; \
	I64Const $5; \
	I64Shl; \
	I64Or; \
	Get a; \
	I64Const $9; \
	I64Mul; \
	I64Add; \
	Set r

// HEXVALID leaves 0 if all bytes under halves were hexadecimal digits: then they
// are 30 to 39 or, if they are letters, 6A to 6F.
#define HEXVALID(r, a, halves) \
	Get r; \
	I64Const $0x3030303030303030; \
	I64Xor; \
	I64Const $0x0606060606060606; \
	I64Add; \
	Get a; \
	I64Const $0x60; \
	I64Mul; \
	I64Xor; \
	I64Const halves; \
	I64And

// HEXBYTES turns such digits into bytes, each of two that follow one another: the
// first is in byte 0, the third in byte 2, and the fourth byte is of no use.
#define HEXBYTES(r) \
	Get r; \
	I64Const $0x0F0F0F0F0F0F0F0F; \
	I64And; \
	Tee r; \
	I64Const $4; \
	I64Shl; \
	Get r; \
	I64Const $8; \
	I64ShrU; \
	I64Or; \
	Set r

// HEXVALUE turns four such digits into what they stand for.
#define HEXVALUE(r) \
	HEXBYTES(r); \
	BITS(r, $0, $0xFF); \
	I64Const $8; \
	I64Shl; \
	BITS(r, $16, $0xFF); \
	I64Or; \
	Set r

// HEXPAIR turns the digits of two characters in r into what they stand for, of 16
// bits each, in its lower half.
#define HEXPAIR(r) \
	HEXBYTES(r); \
	BITS(r, $0, $0x000000FF000000FF); \
	I64Const $8; \
	I64Shl; \
	BITS(r, $16, $0x000000FF000000FF); \
	I64Or; \
	Tee r; \
	Get r; \
	I64Const $16; \
	I64ShrU; \
	I64Or; \
	I64Const $0xFFFFFFFF; \
	I64And

// HEXUNITS turns the digits of two characters each in r and s into what they stand
// for, of 16 bits each.
#define HEXUNITS(r, s) \
	HEXPAIR(s); \
	I64Const $32; \
	I64Shl; \
	HEXPAIR(r); \
	I64Or; \
	Set r

// FOURESCAPES takes 24 bytes at R0 for four escapes in hexadecimal digits, the last of
// which ISFOURTH has seen: it sets r and s to the digits of two each, and leaves 0 if
// there are the others too.
#define FOURESCAPES(r, s, w) \
	Get R0; \
	I32WrapI64; \
	I64Load $16; \
	Tee w; \
	I64Const $-0x100000000; \
	I64And; \
	Get w; \
	I64Const $0xFFFF; \
	I64And; \
	I64Const $16; \
	I64Shl; \
	I64Or; \
	Get R0; \
	I32WrapI64; \
	I64Load $8; \
	Tee r; \
	I64Const $48; \
	I64ShrU; \
	I64Or; \
	Set s; \
	Get r; \
	I64Const $0xFFFF00000000; \
	I64And; \
	I64Const $0x755C00000000; \
	I64Xor; \
	Get R0; \
	I32WrapI64; \
	I64Load $0; \
	Tee w; \
	I64Const $-0xFFFFFFFF0001; \
	I64And; \
	I64Const $0x755C00000000755C; \
	I64Xor; \
	I64Or; \
	BITS(w, $16, $0xFFFFFFFF); \
	Get r; \
	I64Const $32; \
	I64Shl; \
	I64Or; \
	Set r

// THREEBYTES leaves 0 if the digits in r and s are of four characters from U+1000 on
// but for U+D000 to U+DFFF, which take three bytes: a carry says that the first digit
// is not 0, or not D.
#define THREEBYTES(r, s, w) \
	Get r; \
	I64Const $0x0F0000000F; \
	I64And; \
	Get s; \
	I64Const $0x0F0000000F; \
	I64And; \
	I64Const $8; \
	I64Shl; \
	I64Or; \
	Tee w; \
	I64Const $0x0F0F00000F0F; \
	I64Add; \
	Get w; \
	I64Const $0x0D0D00000D0D; \
	I64Xor; \
	I64Const $0x0F0F00000F0F; \
	I64Add; \
	I64And; \
	I64Const $0x101000001010; \
	I64And; \
	I64Const $0x101000001010; \
	I64Xor

// ISSURROGATE leaves whether a character of 16 bits is a surrogate.
#define ISSURROGATE(v) \
	Get v; \
	I64Const $11; \
	I64ShrU; \
	I64Const $0x1B; \
	I64Eq

// LONGER leaves how many bytes longer than one a character of 16 bits is.
#define LONGER(v) \
	Get v; \
	I64Const $0x80; \
	I64GeU; \
	Get v; \
	I64Const $0x800; \
	I64GeU; \
	I32Add; \
	I64ExtendI32U

// HASLETTER leaves whether a control character has an escape with a letter: \b \t \n
// \f \r.
#define HASLETTER(v) \
	I64Const $0x3700; \
	Get v; \
	I64ShrU; \
	I64Const $1; \
	I64And

// ISFOURTH leaves whether there is a fourth escape in hexadecimal digits, if there are
// three.
#define ISFOURTH \
	Get R0; \
	I32WrapI64; \
	I64Load16U $18; \
	I64Const $0x755C; \
	I64Eq

// NEXTESCAPE goes on behind an escape: with the next one if there is one.
#define NEXTESCAPE \
	Get R0; \
	I32WrapI64; \
	I64Load $0; \
	Tee R1; \
	I64Const $0xFF; \
	I64And; \
	Tee R2; \
	I64Const $0x5C; \
	I64Eq; \
	BrIf escapes; \
	Br words

// func textEnd(text []byte, i int) (end, saved int, form Form)
//
// R0 is the address at hand, R1 the eight bytes there, R2 the marks in them or
// a part of the character, R3 what is saved, R4 whether the form is Foreign, R5
// to R8 are for leads and for digits.
TEXT ·textEnd(SB), NOSPLIT, $0-49
	I64Const $0
	Tee R3
	Tee R4
	Set R9
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

			// Any eight bytes, some of which are no ASCII, but for leads F4 and
			// above. At a backslash, and at the last character before one, as
			// lines have it, what comes below is quicker.
			BITS(R1, $0, $0xFF)
			I64Const $0x5C
			I64Ne
			BITS(R1, $24, $0xFF)
			I64Const $0x5C
			I64Ne
			I32And
			Get R1
			I64Const HIGHS
			I64And
			Tee R2
			I64Eqz
			I32Eqz
			I32And
			If
				// Marks in the high bits: R2 are the bytes of characters, R5 the leads
				// of two bytes and more, R6 of three and more, R7 of four.
				Get R2
				MOVEDUP(R1, $1)
				I64And
				Tee R5
				MOVEDUP(R1, $2)
				I64And
				Tee R6
				MOVEDUP(R1, $3)
				I64And
				Set R7

				// What goes on with a character stands behind its lead, and only
				// there. This and the words that follow are 0 where all is right.
				Get R2
				Get R5
				I64Xor
				MOVEDUP(R5, $8)
				MOVEDUP(R6, $16)
				I64Or
				MOVEDUP(R7, $24)
				I64Or
				I64Xor

				// Leads C0 and C1: a carry says of the others that they are not.
				Get R5
				Get R6
				I64Xor
				Get R1
				I64Const $0x1E1E1E1E1E1E1E1E
				I64And
				I64Const $0x1E1E1E1E1E1E1E1E
				I64Add
				I64Const $2
				UNLESS
				I64Or

				// Behind E0 and F0 stand A0 or 90 and above.
				Get R6
				BITS(R1, $0, $0x0F0F0F0F0F0F0F0F)
				Tee R8
				I64Const $0x0F0F0F0F0F0F0F0F
				I64Add
				I64Const $3
				UNLESS
				I64Const $8
				I64Shl
				MOVEDUP(R1, $2)
				MOVEDUP(R7, $8)
				MOVEDUP(R1, $3)
				I64And
				I64Or
				I64Const $0
				UNLESS
				I64Or

				// Behind ED stand 9F and below.
				Get R6
				Get R7
				I64Xor
				Get R8
				I64Const $0x0D0D0D0D0D0D0D0D
				I64Xor
				I64Const $0x0F0F0F0F0F0F0F0F
				I64Add
				I64Const $3
				UNLESS
				I64Const $8
				I64Shl
				MOVEDUP(R1, $2)
				I64And
				I64Or

				// F4 and above.
				Get R8
				I64Const $0x0C0C0C0C0C0C0C0C
				I64Add
				I64Const $3
				I64Shl
				Get R7
				I64And
				I64Or
				I64Eqz
				If
					// They are passed but for a lead that is not followed by all of
					// its character. R6 is where that stands.
					Get R5
					I64Const $-0x8000000000000000
					I64And
					BITS(R6, $0, $0x80000000000000)
					I64Or
					BITS(R7, $0, $0x800000000000)
					I64Or
					Set R6

					// Up to the first control, quote or backslash, if there is one.
					I64Const HIGHS
					BITS(R1, $0, $0x7F7F7F7F7F7F7F7F)
					Tee R8
					I64Const $0x6060606060606060
					I64Add
					Get R8
					I64Const $0x2222222222222222
					I64Xor
					I64Const $0x7F7F7F7F7F7F7F7F
					I64Add
					I64And
					Get R8
					I64Const BACKSLASHES
					I64Xor
					I64Const $0x7F7F7F7F7F7F7F7F
					I64Add
					I64And
					Get R1
					I64Or
					I64Const $0
					UNLESS
					Tee R8
					I64Eqz
					If
						Get R0
						Get R6
						I64Ctz
						I64Const $3
						I64ShrU
						I64Add
						Set R0
						Br sequences
					End
					Get R0
					Get R6
					Get R8
					I64Or
					I64Ctz
					I64Const $3
					I64ShrU
					Tee R2
					I64Add
					Set R0
					Get R2
					I64Eqz
					I32Eqz
					BrIf sequences
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

		// So does an escape. R2 is the byte behind the backslash.
escapes:
		Loop
			Get R2
			I64Const $0x5C
			I64Eq
			If
				BITS(R1, $8, $0xFF)
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
					NEXTESCAPE
				End

				Get R2
				I64Const $0x2F
				I64Eq
				If
					ADVANCE(R0, $2)
					ADVANCE(R3, $1)
					I64Const $1
					Set R4
					NEXTESCAPE
				End

				Get R2
				I64Const $0x75
				I64Eq
				If
					// They come in rows: four at once, if there is a second and a
					// fourth. R9 is from where on it is worth to try.
					Get R1
					I64Const $48
					I64ShrU
					I64Const $0x755C
					I64Eq
					Get R0
					Get R9
					I64GeU
					I32And
					If
						ISFOURTH
						If
rows:
							Loop
								FOURESCAPES(R5, R7, R6)
								HEXDIGITS(R5, R6)
								HEXVALID(R5, R6, HALVES)
								I64Or
								HEXDIGITS(R7, R8)
								HEXVALID(R7, R8, HALVES)
								I64Or
								I64Eqz
								If
									// In Chinese or Japanese all take three bytes.
									THREEBYTES(R5, R7, R6)
									I64Eqz
									If
										ADVANCE(R0, $24)
										ADVANCE(R3, $12)
										I64Const $1
										Set R4
										ISFOURTH
										BrIf rows
										NEXTESCAPE
									End

									// R5 is the four characters, of 16 bits each, R6
									// the upper five bits. One of them at least is
									// U+0020 or above, so the form is Foreign, and none
									// is a surrogate: a carry says of each of the others
									// that they are not 0.
									HEXUNITS(R5, R7)
									BITS(R5, $11, $0x001F001F001F001F)
									Tee R6
									I64Const $0x001B001B001B001B
									I64Xor
									I64Const $0x001F001F001F001F
									I64Add
									I64Const $0x0020002000200020
									I64And
									I64Const $0x0020002000200020
									I64Eq
									Get R5
									I64Const $-0x001F001F001F0020
									I64And
									I64Eqz
									I32Eqz
									I32And
									If
										ADVANCE(R0, $24)
										ADVANCE(R3, $20)
										Get R3
										// From U+0800 on they take two bytes more than
										// one, from U+0080 on one.
										Get R6
										I64Const $0x001F001F001F001F
										I64Add
										I64Const $0x0020002000200020
										I64And
										BITS(R5, $7, $0x01FF01FF01FF01FF)
										I64Const $0x01FF01FF01FF01FF
										I64Add
										I64Const $0x0200020002000200
										I64And
										I64Or
										I64Popcnt
										I64Sub
										Set R3
										I64Const $1
										Set R4
										ISFOURTH
										BrIf rows
										NEXTESCAPE
									End
								End
							End
							Get R0
							I64Const $24
							I64Add
							Set R9
							NEXTESCAPE
						End
					End

					BITS(R1, $16, $0xFFFFFFFF)
					Set R5
					HEXDIGITS(R5, R6)
					HEXVALID(R5, R6, $0xF0F0F0F0)
					I64Eqz
					If
						HEXVALUE(R5)
						ISSURROGATE(R5)
						I32Eqz
						If
							ADVANCE(R0, $6)
							ADVANCE(R3, $5)
							Get R3
							LONGER(R5)
							I64Sub
							Set R3
							Get R5
							I64Const $0x20
							I64GeU
							If
								I64Const $1
								Set R4
								NEXTESCAPE
							End
							// Not Foreign is what has no other escape, with a small
							// letter. Of a digit's bits 5 and 6 only the upper one
							// is set if it is a capital.
							Get R4
							HASLETTER(R5)
							I64Or
							BITS(R1, $45, $3)
							I64Const $2
							I64Eq
							I64ExtendI32U
							I64Or
							Set R4
							NEXTESCAPE
						End

						// U+D800 to U+DBFF, with a backslash and a u behind it.
						BITS(R5, $10, $0x3F)
						I64Const $0x36
						I64Eq
						BITS(R1, $48, $0xFFFF)
						I64Const $0x755C
						I64Eq
						I32And
						If
							Get R0
							I32WrapI64
							I64Load32U $8
							Set R5
							HEXDIGITS(R5, R6)
							HEXVALID(R5, R6, $0xF0F0F0F0)
							I64Eqz
							If
								HEXVALUE(R5)
								BITS(R5, $10, $0x3F)
								I64Const $0x37
								I64Eq
								If
									ADVANCE(R0, $12)
									ADVANCE(R3, $8)
									I64Const $1
									Set R4
									NEXTESCAPE
								End
							End
						End
					End
				End
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
	I64Store saved+40(FP)
	// 2 is Foreign, 1 Canonical.
	Get SP
	I64Const $2
	Get R3
	I64Const $0
	I64Ne
	I64ExtendI32U
	Get R4
	I32WrapI64
	Select
	I64Store8 form+48(FP)
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
				DIFFER($24)
				DIFFER($16)
				I64Or
				DIFFER($8)
				I64Or
				DIFFER($0)
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

// CHARBYTE leaves a byte of a character of several: the bits of r, beside those
// of lead.
#define CHARBYTE(r, shift, lead) \
	BITS(r, shift, $0x3F); \
	I64Const lead; \
	I64Or

// PUTTHREEBYTES writes the two characters whose digits are in r, as HEXDIGITS leaves
// them, of three bytes each, and two bytes more. Each has its digits in four bytes:
// the first is the low half of its lead, the second and the upper half of the third
// are what comes then, and the rest is what ends it.
#define PUTTHREEBYTES(r, w) \
	Get r; \
	I64Const $0x0F0F0F0F0F0F0F0F; \
	I64And; \
	Tee r; \
	I64Const $0x0F0000000F; \
	I64And; \
	Get r; \
	I64Const $4; \
	I64Shl; \
	Get r; \
	I64Const $8; \
	I64ShrU; \
	I64Or; \
	Tee w; \
	I64Const $2; \
	I64ShrU; \
	I64Const $0x3F0000003F00; \
	I64And; \
	I64Or; \
	Get w; \
	I64Const $0x3F0000003F0000; \
	I64And; \
	I64Or; \
	I64Const $0x8080E0008080E0; \
	I64Or; \
	Set r; \
	Get R1; \
	I32WrapI64; \
	Get r; \
	I64Const $0xFFFFFF; \
	I64And; \
	Get r; \
	I64Const $8; \
	I64ShrU; \
	I64Const $0xFFFFFF000000; \
	I64And; \
	I64Or; \
	I64Store $0; \
	ADVANCE(R1, $6)

// HASFOUR leaves whether there may be four escapes in hexadecimal digits. Where too little
// is left for them, it looks further back: what is behind the end may be no memory.
#define HASFOUR \
	Get R0; \
	Get R2; \
	I64Const $24; \
	I64Sub; \
	Get R2; \
	Get R0; \
	I64Sub; \
	I64Const $24; \
	I64GeS; \
	Select; \
	I32WrapI64; \
	I64Load16U $18; \
	I64Const $0x755C; \
	I64Eq; \
	Get R2; \
	Get R0; \
	I64Sub; \
	I64Const $24; \
	I64GeS; \
	I32And

// BACKSLASHAT leaves how many bytes of the word in r stand before the first backslash,
// 8 if there is none.
#define BACKSLASHAT(r, w) \
	Get r; \
	I64Const BACKSLASHES; \
	I64Xor; \
	Tee w; \
	I64Const ONES; \
	I64Sub; \
	Get w; \
	I64Const $-1; \
	I64Xor; \
	I64And; \
	I64Const HIGHS; \
	I64And; \
	I64Ctz; \
	I64Const $3; \
	I64ShrU

// func rewrite(text []byte, to, from, end int) int
//
// R0 is the address that is read, R1 the one that is written, R2 the end, R3 to
// R6 are the word or the character at hand, R7 is from where on it is worth to look
// for four escapes of characters of three bytes.
TEXT ·rewrite(SB), NOSPLIT, $0-56
	I64Const $0
	Set R7
	I64Load text_base+0(FP)
	I64Load from+32(FP)
	I64Add
	Set R0
	I64Load text_base+0(FP)
	I64Load to+24(FP)
	I64Add
	Set R1
	I64Load text_base+0(FP)
	I64Load end+40(FP)
	I64Add
	Set R2

next:
	Loop
		// Eight bytes; of them only those before the first backslash count. To
		// write all eight must not spoil what is to be read: they go nowhere, or
		// at least eight bytes down.
		Get R2
		Get R0
		I64Sub
		I64Const $8
		I64GeS
		Get R0
		Get R1
		I64Sub
		I64Const $1
		I64Sub
		I64Const $7
		I64GeU
		I32And
		If
			Get R1
			I32WrapI64
			Get R0
			I32WrapI64
			I64Load $0
			Tee R3
			I64Store $0
			BACKSLASHAT(R3, R4)
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
		Else
			Get R0
			Get R2
			I64LtS
			If
				Get R0
				Get R1
				I64Sub
				I64Const $8
				I64GeS
				If
					// The last of them, with zeros behind.
					Get R1
					I32WrapI64
					Get R2
					I64Const $8
					I64Sub
					I32WrapI64
					I64Load $0
					I64Const $8
					Get R2
					Get R0
					I64Sub
					Tee R4
					I64Sub
					I64Const $3
					I64Shl
					I64ShrU
					Tee R3
					I64Store $0
					BACKSLASHAT(R3, R5)
					Tee R3
					Get R4
					Get R3
					I64Const $8
					I64LtU
					Select
					Tee R4
					Get R0
					I64Add
					Set R0
					Get R4
					Get R1
					I64Add
					Set R1
				Else
					BYTE($0)
					Tee R3
					I64Const $0x5C
					I64Ne
					If
						Get R1
						I32WrapI64
						Get R3
						I64Store8 $0
						ADVANCE(R0, $1)
						ADVANCE(R1, $1)
						Br next
					End
				End
			End
		End

escapes:
		Loop
			Get R0
			Get R2
			I64LtS
			If
				BYTE($0)
				I64Const $0x5C
				I64Ne
				BrIf next

				BYTE($1)
				Tee R3
				I64Const $0x75
				I64Ne
				If
					Get R3
					I64Const $0x2F
					I64Ne
					If
						Get R1
						I32WrapI64
						I64Const $0x5C
						I64Store8 $0
						ADVANCE(R1, $1)
					End
					Get R1
					I32WrapI64
					Get R3
					I64Store8 $0
					ADVANCE(R1, $1)
					ADVANCE(R0, $2)
					Br next
				End

				Get R0
				Get R7
				I64GeU
				If
					HASFOUR
					If
rows:
						Loop
							FOURESCAPES(R3, R5, R6)
							HEXDIGITS(R3, R4)
							HEXDIGITS(R5, R6)
							I64Eqz
							If
								THREEBYTES(R3, R5, R6)
								I64Eqz
								If
									PUTTHREEBYTES(R3, R4)
									PUTTHREEBYTES(R5, R6)
									ADVANCE(R0, $24)
									HASFOUR
									BrIf rows
									Br escapes
								End

								// In Russian or Greek all take two: none has the bits of
								// U+0800 and above, and a carry says of each that it is
								// U+0080 or above.
								HEXUNITS(R3, R5)
								Get R3
								I64Const $-0x07FF07FF07FF0800
								I64And
								BITS(R3, $7, $0x001F001F001F001F)
								I64Const $0x001F001F001F001F
								I64Add
								I64Const $0x0020002000200020
								I64And
								I64Const $0x0020002000200020
								I64Xor
								I64Or
								I64Eqz
								If
									Get R1
									I32WrapI64
									BITS(R3, $6, $0x001F001F001F001F)
									BITS(R3, $0, $0x003F003F003F003F)
									I64Const $8
									I64Shl
									I64Or
									I64Const $-0x7f3f7f3f7f3f7f40
									I64Or
									I64Store $0
									ADVANCE(R1, $8)
									ADVANCE(R0, $24)
									HASFOUR
									BrIf rows
									Br escapes
								End
							End
						End
						Get R0
						I64Const $24
						I64Add
						Set R7
						Br escapes
					End
				End

				Get R0
				I32WrapI64
				I64Load32U $2
				Set R3
				HEXDIGITS(R3, R4)
				HEXVALUE(R3)

				Get R3
				I64Const $0x800
				I64GeU
				If
					ISSURROGATE(R3)
					I32Eqz
					If
						// Three bytes.
						Get R1
						I32WrapI64
						CHARBYTE(R3, $12, $0xE0)
						CHARBYTE(R3, $6, $0x80)
						I64Const $8
						I64Shl
						I64Or
						CHARBYTE(R3, $0, $0x80)
						I64Const $16
						I64Shl
						I64Or
						I64Store32 $0
						ADVANCE(R1, $3)
						ADVANCE(R0, $6)
						Br escapes
					End

					// Four bytes: what a pair of surrogates stands for.
					Get R0
					I32WrapI64
					I64Load32U $8
					Set R5
					HEXDIGITS(R5, R6)
					HEXVALUE(R5)
					Get R3
					I64Const $10
					I64Shl
					Get R5
					I64Add
					I64Const $0x35FDC00
					I64Sub
					Set R3
					Get R1
					I32WrapI64
					CHARBYTE(R3, $18, $0xF0)
					CHARBYTE(R3, $12, $0x80)
					I64Const $8
					I64Shl
					I64Or
					CHARBYTE(R3, $6, $0x80)
					I64Const $16
					I64Shl
					I64Or
					CHARBYTE(R3, $0, $0x80)
					I64Const $24
					I64Shl
					I64Or
					I64Store32 $0
					ADVANCE(R1, $4)
					ADVANCE(R0, $12)
					Br escapes
				End

				ADVANCE(R0, $6)
				Get R3
				I64Const $0x80
				I64GeU
				If
					// Two bytes.
					Get R1
					I32WrapI64
					CHARBYTE(R3, $6, $0xC0)
					CHARBYTE(R3, $0, $0x80)
					I64Const $8
					I64Shl
					I64Or
					I64Store16 $0
					ADVANCE(R1, $2)
					Br escapes
				End

				Get R3
				I64Const $0x20
				I64GeU
				If
					// One byte, and a backslash before a quote and a backslash.
					Get R3
					I64Const $0x22
					I64Eq
					Get R3
					I64Const $0x5C
					I64Eq
					I32Or
					If
						Get R1
						I32WrapI64
						I64Const $0x5C
						I64Store8 $0
						ADVANCE(R1, $1)
					End
					Get R1
					I32WrapI64
					Get R3
					I64Store8 $0
					ADVANCE(R1, $1)
					Br escapes
				End

				HASLETTER(R3)
				I64Eqz
				If
					// Four digits: the third is 0 or 1, the last one perhaps a letter.
					Get R1
					I32WrapI64
					I64Const $0x3030755C
					I64Store32 $0
					Get R1
					I32WrapI64
					Get R3
					I64Const $4
					I64ShrU
					BITS(R3, $0, $0xF)
					Tee R3
					I64Const $8
					I64Shl
					I64Or
					I64Const $0x3030
					I64Add
					Get R3
					I64Const $10
					I64GeU
					I64ExtendI32U
					I64Const $0x2700
					I64Mul
					I64Add
					I64Store16 $4
					ADVANCE(R1, $6)
					Br escapes
				End
				Get R1
				I32WrapI64
				I64Const $0x7266006E7462 // b t n - f r
				Get R3
				I64Const $8
				I64Sub
				I64Const $3
				I64Shl
				I64ShrU
				I64Const $8
				I64Shl
				I64Const $0x5C
				I64Or
				I64Store16 $0
				ADVANCE(R1, $2)
				Br escapes
			End
		End
	End

	Get SP
	Get R1
	I64Load text_base+0(FP)
	I64Sub
	I64Store ret+48(FP)
	RET

// ESCAPELENGTH leaves the length of the escape at r.
#define ESCAPELENGTH(r) \
	I64Const $6; \
	I64Const $2; \
	Get r; \
	I32WrapI64; \
	I64Load8U $1; \
	I64Const $0x75; \
	I64Eq; \
	Select

// func resolveWord(s *byte, word *[2]uint64) (at *byte)
//
// R0 is the address that is read, R1 the one that is written, R2 the end of the word, R3 a byte
// or digits.
TEXT ·resolveWord(SB), NOSPLIT, $0-24
	I64Load s+0(FP)
	Set R0
	I64Load word+8(FP)
	Tee R1
	I64Const $16
	I64Add
	Set R2
other:
	Block
bytes:
		Loop
			Get R1
			Get R2
			I64GeU
			BrIf other
			BYTE($0)
			Tee R3
			I64Const $0x5C
			I64Eq
			If
				BYTE($1)
				I64Const $0x75
				I64Ne
				BrIf other
				Get R0
				I32WrapI64
				I64Load32U $2
				Set R3
				HEXDIGITS(R3, R4)
				HEXVALID(R3, R4, $0xF0F0F0F0)
				I64Eqz
				I32Eqz
				BrIf other
				HEXVALUE(R3)
				// None of those is a quote, which would end it.
				Get R3
				I64Const $0x40
				I64Sub
				I64Const $0x40
				I64GeU
				BrIf other
				ADVANCE(R0, $5)
			End
			Get R1
			I32WrapI64
			Get R3
			I64Store8 $0
			ADVANCE(R0, $1)
			ADVANCE(R1, $1)
			Get R3
			I64Const $0x22
			I64Ne
			BrIf bytes
		End
		Get SP
		Get R0
		I64Load word+8(FP)
		I64Add
		Get R1
		I64Sub
		I64Store at+16(FP)
		RET
	End
	Get SP
	I64Load s+0(FP)
	I64Store at+16(FP)
	RET

// func forward(text []byte, i, n int) int
//
// R0 is the address at hand, R1 how many bytes are left, R2 marks of backslashes
// or how many bytes there are before one.
TEXT ·forward(SB), NOSPLIT, $0-48
	I64Load text_base+0(FP)
	I64Load i+24(FP)
	I64Add
	Set R0
	I64Load n+32(FP)
	Set R1

words:
	Loop
		Get R1
		I64Const $8
		I64GeS
		If
			Get R0
			I32WrapI64
			I64Load $0
			I64Const BACKSLASHES
			I64Xor
			Tee R2
			I64Const ONES
			I64Sub
			Get R2
			I64Const $-1
			I64Xor
			I64And
			I64Const HIGHS
			I64And
			Tee R2
			I64Eqz
			If
				ADVANCE(R0, $8)
				ADVANCE(R1, $-8)
				Br words
			End
			Get R1
			Get R2
			I64Ctz
			I64Const $3
			I64ShrU
			Tee R2
			I64Sub
			I64Const $1
			I64Sub
			Set R1
			Get R0
			Get R2
			I64Add
			Tee R0
			ESCAPELENGTH(R0)
			I64Add
			Set R0
			Br words
		End
	End

bytes:
	Loop
		Get R1
		I64Eqz
		I32Eqz
		If
			Get R0
			ESCAPELENGTH(R0)
			I64Const $1
			BYTE($0)
			I64Const $0x5C
			I64Eq
			Select
			I64Add
			Set R0
			ADVANCE(R1, $-1)
			Br bytes
		End
	End

	Get SP
	Get R0
	I64Load text_base+0(FP)
	I64Sub
	I64Store ret+40(FP)
	RET

// BACKSLASHESIN leaves marks of all backslashes among the eight bytes at that
// offset from R0, and of nothing else.
#define BACKSLASHESIN(offset) \
	Get R0; \
	I64Const offset; \
	I64Add; \
	I32WrapI64; \
	I64Load $0; \
	I64Const BACKSLASHES; \
	I64Xor; \
	Tee R4; \
	I64Const $0x7F7F7F7F7F7F7F7F; \
	I64And; \
	I64Const $0x7F7F7F7F7F7F7F7F; \
	I64Add; \
	Get R4; \
	I64Or; \
	I64Const $-1; \
	I64Xor; \
	I64Const HIGHS; \
	I64And

// LASTMARK takes marks from the stack and leaves the address of the last one,
// in the eight bytes at that offset from R0.
#define LASTMARK(offset) \
	I64Clz; \
	I64Const $3; \
	I64ShrU; \
	Set R4; \
	Get R0; \
	I64Const offset; \
	I64Add; \
	Get R4; \
	I64Sub

// func backward(text []byte, start, i, n int) int
//
// R0 is the address at hand, R1 how many bytes are left, R2 the start, R3 marks
// or the address of the last backslash, R4 is for marks, R5 goes back over the
// backslashes before it.
TEXT ·backward(SB), NOSPLIT, $0-56
	I64Load text_base+0(FP)
	I64Load start+24(FP)
	I64Add
	Set R2
	I64Load text_base+0(FP)
	I64Load i+32(FP)
	I64Add
	Set R0
	I64Load n+40(FP)
	Set R1

next:
	Loop
		Get R1
		I64Eqz
		I32Eqz
		If
			// The last backslash of the sixteen bytes before. Where there is none,
			// or only before the start, no escape ends in the last eleven bytes.
			BACKSLASHESIN($-8)
			Tee R3
			I64Eqz
			If
				BACKSLASHESIN($-16)
				Tee R3
				I64Eqz
				If
					I64Const $0
					Set R3
				Else
					Get R3
					LASTMARK($-9)
					Set R3
				End
			Else
				Get R3
				LASTMARK($-1)
				Set R3
			End

			Get R3
			Get R2
			I64LtU
			If
				Get R1
				I64Const $11
				Get R1
				I64Const $11
				I64LtU
				Select
				Set R3
				Get R0
				Get R3
				I64Sub
				Set R0
				Get R1
				Get R3
				I64Sub
				Set R1
				Br next
			End

			// Right before a boundary it is the second half of an escaped one;
			// else it begins an escape if it is the first, third, … of its run.
			Get R3
			Set R5
run:
			Loop
				Get R5
				Get R2
				I64GtU
				If
					Get R5
					I32WrapI64
					I32Const $1
					I32Sub
					I64Load8U $0
					I64Const $0x5C
					I64Eq
					Get R3
					Get R0
					I64Const $1
					I64Sub
					I64Ne
					I32And
					If
						ADVANCE(R5, $-1)
						Br run
					End
				End
			End
			Get R3
			Get R3
			Get R5
			I64Sub
			I64Const $1
			I64And
			I64Sub
			Get R3
			Get R0
			I64Const $1
			I64Sub
			I64Eq
			I64ExtendI32U
			I64Sub
			Tee R3
			ESCAPELENGTH(R3)
			I64Add
			Set R5

			// R3 is where the escape begins, R5 where it ends.
			Get R1
			Get R0
			Get R5
			I64Sub
			Tee R4
			I64LeU
			If
				Get R0
				Get R1
				I64Sub
				Set R0
			Else
				Get R1
				Get R4
				I64Sub
				I64Const $1
				I64Sub
				Set R1
				Get R3
				Set R0
				Br next
			End
		End
	End

	Get SP
	Get R0
	I64Load text_base+0(FP)
	I64Sub
	I64Store ret+48(FP)
	RET

// SKIPSPACE moves R0 past white space; R4 is the byte there then.
#define SKIPSPACE(label) \
label: \
	Loop; \
		BYTE($0); \
		Tee R4; \
		I64Const $0x20; \
		I64LeU; \
		If; \
			I64Const $0x100002600; \
			Get R4; \
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

// func follows(text []byte, i int, s string) int
//
// R0 and R1 are the addresses at hand, R2 the end of s or its last eight bytes,
// R3 whether a string is open, R4 the byte at hand, R5 the result.
TEXT ·follows(SB), NOSPLIT, $0-56
	I64Load text_base+0(FP)
	I64Load i+24(FP)
	I64Add
	Set R0
	I64Load s_base+32(FP)
	Tee R1
	I64Load s_len+40(FP)
	I64Add
	I64Const $8
	I64Sub
	Set R2
	I64Load i+24(FP)
	I64Load s_len+40(FP)
	I64Add
	Set R5

done:
	Block
different:
		Block
			// Most often it is there to the byte.
			Get R5
			I64Load text_len+8(FP)
			I64GtS
			BrIf different
words:
			Loop
				Get R1
				Get R2
				I64LtU
				If
					DIFFER($0)
					I64Eqz
					I32Eqz
					BrIf different
					ADVANCE(R0, $8)
					ADVANCE(R1, $8)
					Br words
				End
			End
			// The last eight, some of them a second time.
			Get R0
			Get R1
			Get R2
			I64Sub
			I64Sub
			Set R0
			Get R2
			Set R1
			DIFFER($0)
			I64Eqz
			BrIf done
		End

		I64Load text_base+0(FP)
		I64Load i+24(FP)
		I64Add
		Set R0
		I64Load s_base+32(FP)
		Set R1
		ADVANCE(R2, $8)
		I64Const $0
		Set R3
		I64Const $-1
		Set R5
bytes:
		Loop
			Get R3
			I64Eqz
			If
				SKIPSPACE(spaces)
			End
			BYTE($0)
			Tee R4
			Get R1
			I32WrapI64
			I64Load8U $0
			I64Ne
			BrIf done
			Get R3
			Get R4
			I64Const $0x22
			I64Eq
			I64ExtendI32U
			I64Xor
			Set R3
			ADVANCE(R0, $1)
			ADVANCE(R1, $1)
			Get R1
			Get R2
			I64LtU
			BrIf bytes
		End
		Get R0
		I64Load text_base+0(FP)
		I64Sub
		Set R5
	End

	Get SP
	Get R5
	I64Store ret+48(FP)
	RET

// func spaceEnd(text []byte, i int) int
//
// R0 is the address at hand, R4 the byte there.
TEXT ·spaceEnd(SB), NOSPLIT, $0-40
	I64Load text_base+0(FP)
	I64Load i+24(FP)
	I64Add
	Set R0
	SKIPSPACE(spaces)
	Get SP
	Get R0
	I64Load text_base+0(FP)
	I64Sub
	I64Store ret+32(FP)
	RET

// func compare(text []byte, a, n, b, m int) int
//
// R0 and R1 are the addresses at hand, R2 how many bytes of the shorter are left,
// R3 bits that differ, R4 the result.
TEXT ·compare(SB), NOSPLIT, $0-64
	I64Load text_base+0(FP)
	I64Load a+24(FP)
	I64Add
	Set R0
	I64Load text_base+0(FP)
	I64Load b+40(FP)
	I64Add
	Set R1
	I64Load n+32(FP)
	I64Load m+48(FP)
	I64Load n+32(FP)
	I64Load m+48(FP)
	I64LtS
	Select
	Set R2

	// What decides where neither differs from the other: the lengths.
	I64Load n+32(FP)
	I64Load m+48(FP)
	I64GtS
	I64ExtendI32U
	I64Load n+32(FP)
	I64Load m+48(FP)
	I64LtS
	I64ExtendI32U
	I64Sub
	Set R4

words:
	Loop
		Get R2
		I64Const $0
		I64GtS
		If
			DIFFER($0)
			Tee R3
			I64Eqz
			If
				ADVANCE(R0, $8)
				ADVANCE(R1, $8)
				ADVANCE(R2, $-8)
				Br words
			End
			Get R3
			I64Ctz
			I64Const $3
			I64ShrU
			Tee R3
			Get R2
			I64LtS
			If
				// 1 or -1, by the first byte that differs.
				Get R0
				Get R3
				I64Add
				I32WrapI64
				I64Load8U $0
				Get R1
				Get R3
				I64Add
				I32WrapI64
				I64Load8U $0
				I64GtU
				I64ExtendI32U
				I64Const $1
				I64Shl
				I64Const $1
				I64Sub
				Set R4
			End
		End
	End

	Get SP
	Get R4
	I64Store ret+56(FP)
	RET

// A frame has its name (offsets, length, form) at 0, the index at 16, the place at
// 20, and whether it is an array's at 21.
#define FRAMESIZE $24
#define DEEPEST $(128*24)
#define ITEM0 $0x10200000000 // an array, in its item 0

// IFBYTE(c) begins a branch for R4 being c.
#define IFBYTE(c) \
	Get R4; \
	I64Const c; \
	I64Eq; \
	If

// OFFSET leaves the offset in the text of the address in r, as 32 bits.
#define OFFSET(r) \
	Get r; \
	I64Load text_base+0(FP); \
	I64Sub; \
	I32WrapI64

// ASCIIEND moves R0, in a string, to what is no printable ASCII without escapes, or
// ends it.
#define ASCIIEND(label) \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		Set R5; \
		SPECIALS(R5); \
		Tee R5; \
		I64Eqz; \
		If; \
			ADVANCE(R0, $8); \
			Br label; \
		End; \
	End; \
	Get R0; \
	Get R5; \
	I64Ctz; \
	I64Const $3; \
	I64ShrU; \
	I64Add; \
	Set R0

// ATQUOTE leaves whether a quote is at R0.
#define ATQUOTE \
	BYTE($0); \
	I64Const $0x22; \
	I64Eq

// ANYEND moves R0 from there to the quote that ends the string, or goes to failed. R10 is
// how many bytes are saved with the escapes resolved, R11 the form.
#define ANYEND(failed) \
	I64Const $0; \
	Tee R10; \
	Set R11; \
	ATQUOTE; \
	I32Eqz; \
	If; \
		STORE(0, I64Load text_base+0(FP)); \
		STORE(8, I64Load text_len+8(FP)); \
		STORE(16, I64Load text_cap+16(FP)); \
		STORE(24, Get R0; I64Load text_base+0(FP); I64Sub); \
		CALLNORESUME ·textEnd(SB); \
		RESULT(32); \
		I64Load text_base+0(FP); \
		I64Add; \
		Set R0; \
		RESULT(40); \
		Set R10; \
		Get SP; \
		I64Load8U $48; \
		Set R11; \
		ATQUOTE; \
		I32Eqz; \
		BrIf failed; \
	End

#ifdef const_simd
// FOREIGNEND moves R0 from there as far as the kernel goes.
#define FOREIGNEND \
	ATQUOTE; \
	I32Eqz; \
	If; \
		STORE(0, Get R0); \
		STORE(8, I64Const $0); \
		CALLNORESUME ·simdTextEnd(SB); \
		RESULT(16); \
		I64Const $0xFFFFFFFF; \
		I64And; \
		Get R0; \
		I64Add; \
		Set R0; \
	End
#else
#define FOREIGNEND
#endif

// ISARRAY leaves whether the container at hand
// is an array.
#define ISARRAY \
	Get R1; \
	I32WrapI64; \
	I32Load8U $21

// func skipAhead(text []byte, frames *[MaxDepth + 1]frame, i, depth, base int) (end, newDepth int, s state)
//
// R0 is the address at hand, R1 that of the frame, R2 that of the frame at base,
// R3 where it stops if it has to, R4 the byte at hand, R5 a word or marks, R6 the
// state if it stops, R7 whether a name comes before the value, R8 the address of
// the deepest frame, R9 where a name begins, R10 and R11 are for ANYEND.
TEXT ·skipAhead(SB), NOSPLIT, $56-73
	NO_LOCAL_POINTERS
	I64Load text_base+0(FP)
	I64Load i+32(FP)
	I64Add
	Set R0
	I64Load frames+24(FP)
	I64Const DEEPEST
	I64Add
	Set R8
	I64Load frames+24(FP)
	I64Load depth+40(FP)
	I64Const FRAMESIZE
	I64Mul
	I64Add
	Set R1
	I64Load frames+24(FP)
	I64Load base+48(FP)
	I64Const FRAMESIZE
	I64Mul
	I64Add
	Set R2
	I64Const $0
	Set R7

stopped:
	Block
next:
		Loop
past:
			Block
				Get R7
				I64Eqz
				I32Eqz
				If
					BYTE($0)
					I64Const $0x22
					I64Ne
					BrIf stopped
					ADVANCE(R0, $1)
					Get R0
					Set R9
					ASCIIEND(nameEnd)
					ANYEND(stopped)
					Get R1
					I32WrapI64
					OFFSET(R9)
					I32Store $0
					Get R1
					I32WrapI64
					OFFSET(R0)
					I32Store $4
					Get R1
					I32WrapI64
					Get R0
					Get R9
					I64Sub
					Get R10
					I64Sub
					Get R11
					I64Const $32
					I64Shl
					I64Or
					I64Store $8 // its length and form
					ADVANCE(R0, $1)
					SKIPSPACE(colon)
					Get R4
					I64Const $0x3A
					I64Ne
					BrIf stopped
					ADVANCE(R0, $1)
					Get R1
					I32WrapI64
					I64Const $1 // inName
					I64Store8 $20
					I64Const $0
					Set R7
				End

				I64Const $0
				Set R6
				SKIPSPACE(spaces)
				Get R0
				Set R3

				IFBYTE($0x22)
					ADVANCE(R0, $1)
					ASCIIEND(stringEnd)
					FOREIGNEND
					ANYEND(stopped)
					ADVANCE(R0, $1)
					Br past
				End

				ISDIGIT(R4)
				Get R4
				I64Const $0x2D
				I64Eq
				I32Or
				If
					NUMBER(R4, stopped, whole, fraction, exponent)
					Br past
				End

				IFBYTE($0x5B)
					Get R1
					Get R8
					I64Eq
					BrIf stopped
					ADVANCE(R0, $1)
					ADVANCE(R1, FRAMESIZE)
					Get R1
					I32WrapI64
					I64Const ITEM0
					I64Store $16
					SKIPSPACE(item)
					Get R4
					I64Const $0x5D
					I64Ne
					BrIf next
					ADVANCE(R0, $1)
					ADVANCE(R1, $-24)
					Br past
				End

				IFBYTE($0x7B)
					Get R1
					Get R8
					I64Eq
					BrIf stopped
					ADVANCE(R0, $1)
					ADVANCE(R1, FRAMESIZE)
					Get R1
					I32WrapI64
					I64Const $0 // between members
					I64Store $16
					SKIPSPACE(member)
					I64Const $1
					Tee R6
					Set R7
					Get R0
					Set R3
					Get R4
					I64Const $0x7D
					I64Ne
					BrIf next
					I64Const $0
					Set R7
					ADVANCE(R0, $1)
					ADVANCE(R1, $-24)
					Br past
				End

				// null, true, false
				Get R0
				I32WrapI64
				I64Load32U $0
				Tee R5
				I64Const $0x6C6C756E
				I64Eq
				Get R5
				I64Const $0x65757274
				I64Eq
				I32Or
				If
					ADVANCE(R0, $4)
					Br past
				End
				Get R5
				I64Const $0x736C6166
				I64Ne
				BrIf stopped
				BYTE($4)
				I64Const $0x65
				I64Ne
				BrIf stopped
				ADVANCE(R0, $5)
			End

after:
			Loop
				Get R0
				Set R3
				I64Const $3
				Set R6
				Get R1
				Get R2
				I64Eq
				BrIf stopped
				I64Const $2
				Set R6
				SKIPSPACE(comma)
				Get R0
				Set R3
				IFBYTE($0x2C)
					ADVANCE(R0, $1)
					ISARRAY
					If
						Get R1
						I32WrapI64
						Get R1
						I32WrapI64
						I64Load32U $16
						I64Const $1
						I64Add
						I64Store32 $16
						Br next
					End
					SKIPSPACE(name)
					I64Const $1
					Set R7
					Br next
				End
				Get R4
				I64Const $0x5D
				I64Const $0x7D
				ISARRAY
				Select
				I64Ne
				BrIf stopped
				ADVANCE(R0, $1)
				ADVANCE(R1, $-24)
				Br after
			End
		End
	End

	Get SP
	Get R3
	I64Load text_base+0(FP)
	I64Sub
	I64Store end+56(FP)
	Get SP
	Get R1
	I64Load frames+24(FP)
	I64Sub
	I64Const FRAMESIZE
	I64DivU
	I64Store newDepth+64(FP)
	Get SP
	Get R6
	I64Store8 s+72(FP)
	RET

// PUTKEY copies the key at src to R4.
#define PUTKEY(src) \
	Get R4; \
	I32WrapI64; \
	Get src; \
	I32WrapI64; \
	I64Load $0; \
	I64Store $0; \
	Get R4; \
	I32WrapI64; \
	Get src; \
	I32WrapI64; \
	I64Load $8; \
	I64Store $8; \
	ADVANCE(R4, $16)

// RUNEND leaves the end of a slice of keys.
#define RUNEND(base, length) \
	I64Load base; \
	I64Load length; \
	I64Const $4; \
	I64Shl; \
	I64Add

// func mergeRuns(dst, a, b []sortKey)
//
// R0 and R2 are the addresses at hand in a and b, R1 and R3 their ends, R4 the
// one that is written, R5 whether a has the next key, R6 where it is. The choice
// is no jump, since it could not be foreseen.
TEXT ·mergeRuns(SB), NOSPLIT, $0-72
	I64Load dst_base+0(FP)
	Set R4
	I64Load a_base+24(FP)
	Set R0
	RUNEND(a_base+24(FP), a_len+32(FP))
	Set R1
	I64Load b_base+48(FP)
	Set R2
	RUNEND(b_base+48(FP), b_len+56(FP))
	Set R3

both:
	Loop
		Get R0
		Get R1
		I64LtU
		Get R2
		Get R3
		I64LtU
		I32And
		If
			Get R0
			Get R2
			Get R0
			I32WrapI64
			I64Load $0
			Get R2
			I32WrapI64
			I64Load $0
			I64LeU
			I64ExtendI32U
			Tee R5
			I32WrapI64
			Select
			Set R6
			PUTKEY(R6)
			Get R5
			I64Const $4
			I64Shl
			Tee R5
			Get R0
			I64Add
			Set R0
			Get R2
			I64Const $16
			I64Add
			Get R5
			I64Sub
			Set R2
			Br both
		End
	End

restOfA:
	Loop
		Get R0
		Get R1
		I64LtU
		If
			PUTKEY(R0)
			ADVANCE(R0, $16)
			Br restOfA
		End
	End

restOfB:
	Loop
		Get R2
		Get R3
		I64LtU
		If
			PUTKEY(R2)
			ADVANCE(R2, $16)
			Br restOfB
		End
	End
	RET

// A Writer begins with its buffer: the address at 0, the length at 8, the capacity
// at 16.

// func text(w *Writer, s string)
//
// R0 is the address that is read, R1 the one that is written, R2 the end, or the
// last eight bytes of s, R3 the length, R4 half of it or the new length, R5 the
// writer.
TEXT ·text(SB), 0, $24-24
	NO_LOCAL_POINTERS
	I64Load w+0(FP)
	Tee R5
	I32WrapI64
	I64Load $8
	Tee R1
	I64Load s_len+16(FP)
	Tee R3
	I64Add
	Tee R4
	Get R5
	I32WrapI64
	I64Load $16
	I64LeS
	If
		Get R5
		I32WrapI64
		Get R4
		I64Store $8
		Get R5
		I32WrapI64
		I64Load $0
		Get R1
		I64Add
		Set R1
		I64Load s_base+8(FP)
		Tee R0
		Get R3
		I64Add
		Set R2

		// To have them copied costs as much, however few they are.
		Get R3
		I64Const $256
		I64GtU
		If
			Get R1
			I32WrapI64
			Get R0
			I32WrapI64
			Get R3
			I32WrapI64
			MemoryCopy
			RET
		End

		Get R3
		I64Const $8
		I64GeS
		If
			ADVANCE(R2, $-8)
words:
			Loop
				Get R0
				Get R2
				I64LtU
				If
					Get R1
					I32WrapI64
					Get R0
					I32WrapI64
					I64Load $0
					I64Store $0
					ADVANCE(R0, $8)
					ADVANCE(R1, $8)
					Br words
				End
			End
			// The last eight, some of them a second time.
			Get R1
			Get R2
			Get R0
			I64Sub
			I64Add
			I32WrapI64
			Get R2
			I32WrapI64
			I64Load $0
			I64Store $0
			RET
		End

		// Four to seven bytes are two times four; one to three are the first, the
		// middle and the last.
		Get R3
		I64Const $4
		I64GeS
		If
			Get R1
			I32WrapI64
			Get R0
			I32WrapI64
			I64Load32U $0
			I64Store32 $0
			Get R1
			Get R3
			I64Add
			I64Const $4
			I64Sub
			I32WrapI64
			Get R2
			I64Const $4
			I64Sub
			I32WrapI64
			I64Load32U $0
			I64Store32 $0
			RET
		End
		Get R3
		I64Eqz
		I32Eqz
		If
			Get R1
			I32WrapI64
			BYTE($0)
			I64Store8 $0
			Get R1
			Get R3
			I64Const $1
			I64ShrU
			Tee R4
			I64Add
			I32WrapI64
			Get R0
			Get R4
			I64Add
			I32WrapI64
			I64Load8U $0
			I64Store8 $0
			Get R1
			Get R3
			I64Add
			I64Const $1
			I64Sub
			I32WrapI64
			Get R2
			I64Const $1
			I64Sub
			I32WrapI64
			I64Load8U $0
			I64Store8 $0
		End
		RET
	End

	Get SP
	I64Load w+0(FP)
	I64Store $0
	Get SP
	I64Load s_base+8(FP)
	I64Store $8
	Get SP
	I64Load s_len+16(FP)
	I64Store $16
	CALL ·growText(SB)
	RET
