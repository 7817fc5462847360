#include "go_asm.h"
#include "funcdata.h"
#include "shared_wasm.h"
#include "textflag.h"

// unknown.go says what these do, and tests hold them to the reading member by member
// and item by item.

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

// OFFSET leaves the offset in the text of the address in r.
#define OFFSET(r) \
	Get r; \
	Get R3; \
	I64Sub

// STRING moves R0 to the quote that ends a string. What is printable ASCII without
// escapes it reads by itself. R8 is how many bytes are saved with the escapes resolved,
// R13 is the form.
#define STRING(words) \
	I64Const $0; \
	Tee R8; \
	Set R13; \
words: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		Set R2; \
		SPECIALS(R2); \
		Tee R2; \
		I64Eqz; \
		If; \
			ADVANCE(R0, $8); \
			Br words; \
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
	If; \
		STORE(0, Get R3); \
		STORE(8, I64Load text_len+8(FP)); \
		STORE(16, I64Load text_cap+16(FP)); \
		STORE(24, OFFSET(R0)); \
		CALLNORESUME ·textEnd(SB); \
		RESULT(32); \
		Get R3; \
		I64Add; \
		Set R0; \
		RESULT(40); \
		Set R8; \
		Get SP; \
		I64Load8U $48; \
		Set R13; \
		BYTE; \
		I64Const $0x22; \
		I64Ne; \
		BrIf stop; \
	End

// KIND sets R12 to the bit of a kind.
#define KIND(kind) \
	I64Const $(1<<kind); \
	Set R12

// A value, whose first byte is in R2, is read by three that go past it where they know it, in
// this order: TEXTORNUMBER, EMPTY for brackets without anything between them, and LITERAL. They
// set R12 to the bit of its kind.
#define TEXTORNUMBER(past, words, whole, fraction, exponent) \
	IFBYTE($0x22); \
		KIND(const_KindString); \
		ADVANCE(R0, $1); \
		STRING(words); \
		ADVANCE(R0, $1); \
		Br past; \
	End; \
	ISDIGIT(R2); \
	Get R2; \
	I64Const $0x2D; \
	I64Eq; \
	I32Or; \
	If; \
		KIND(const_KindNumber); \
		NUMBER(R2, stop, whole, fraction, exponent); \
		Br past; \
	End

// EMPTY sets R2 to the first four bytes.
#define EMPTY(past) \
	Get R0; \
	I32WrapI64; \
	I64Load32U $0; \
	Tee R2; \
	I64Const $0xFFFF; \
	I64And; \
	Tee R12; \
	I64Const $0x5D5B; \
	I64Eq; \
	If; \
		KIND(const_KindArray); \
		ADVANCE(R0, $2); \
		Br past; \
	End; \
	Get R12; \
	I64Const $0x7D7B; \
	I64Eq; \
	If; \
		KIND(const_KindObject); \
		ADVANCE(R0, $2); \
		Br past; \
	End

#define LITERAL(past) \
	IFBYTE($0x6C6C756E); \
		KIND(const_KindNull); \
		ADVANCE(R0, $4); \
		Br past; \
	End; \
	KIND(const_KindBool); \
	IFBYTE($0x65757274); \
		ADVANCE(R0, $4); \
		Br past; \
	End; \
	EXPECT($0x66); \
	Get R0; \
	I32WrapI64; \
	I64Load32U $0; \
	I64Const $0x65736C61; \
	I64Ne; \
	BrIf stop; \
	ADVANCE(R0, $4)

// SKIP leaves whether there is a value at that offset in an object at that depth: RESULT(56) is
// where it ends.
#define SKIP(at, depth) \
	STORE(0, Get R3); \
	MOVD $·passedFrames(SB), R2; \
	STORE(24, Get R2); \
	STORE(32, at); \
	STORE(40, depth); \
	STORE(48, depth); \
	CALLNORESUME ·skipAhead(SB); \
	Get SP; \
	I64Load8U $72; \
	I64Const $const_pastAll; \
	I64Eq

// NESTED goes past a container, which EMPTY has left: its kind is that of the bit 0x20 of its
// bracket.
#define NESTED(past) \
	Get R2; \
	I64Const $0xDF; \
	I64And; \
	I64Const $0x5B; \
	I64Eq; \
	If; \
		I64Const $(1<<const_KindArray); \
		Get R2; \
		I64Const $5; \
		I64ShrU; \
		I64Const $1; \
		I64And; \
		I64Shl; \
		Set R12; \
		SKIP(OFFSET(R0), I64Load depth+88(FP)); \
		I32Eqz; \
		BrIf stop; \
		RESULT(56); \
		Get R3; \
		I64Add; \
		Set R0; \
		Br past; \
	End

// NAME writes the String whose first byte is at R7 and whose quote is at R0 to R4.
#define NAME \
	Get R4; \
	I32WrapI64; \
	OFFSET(R7); \
	I64Store32 $0; \
	Get R4; \
	I32WrapI64; \
	OFFSET(R0); \
	I64Store32 $4; \
	Get R4; \
	I32WrapI64; \
	Get R8; \
	I64Store32 $8; \
	Get R4; \
	I32WrapI64; \
	Get R13; \
	I64Store32 $12

// LASTWORD leaves the eight bytes before the address on the stack.
#define LASTWORD \
	I64Const $8; \
	I64Sub; \
	I32WrapI64; \
	I64Load $0

// RESOLVE writes a part of the text to an address as the output would have it, by which RESULT(48)
// is where it ends.
#define RESOLVE(to, from, end) \
	STORE(0, Get R3); \
	STORE(24, to; Get R3; I64Sub); \
	STORE(32, from); \
	STORE(40, end); \
	CALLNORESUME ·rewrite(SB)

// FIRST leaves which bit stands for the first byte of the name at r: letters and digits
// have others. A shift takes the lowest six bits of it.
#define FIRST(r) \
	Get r; \
	I32WrapI64; \
	I64Load8U $0; \
	I64Const $1; \
	I64ShrU

// func unknowns(text []byte, i int, first bool, known []string, names []String, depth int) (end, n int)
//
// R0 is the address at hand, R1 that of a known name, R2 a byte or marks, R3 the
// address of the text, R4 that of the String to write, R5 the end of their room,
// R6 the end of the known names, R7 where the name begins, R8 how long it is, escapes
// resolved, R9 the end of the member before, R10 whether the next member is the first,
// R11 how many bits of a word are behind a name, R12 and R13 are for the value and STRING.
// R14 has a bit for what known names begin with, see
// FIRST. R15 is where the name begins that is compared, and R2 where it ends.
TEXT ·unknowns(SB), NOSPLIT, $80-112
	NO_LOCAL_POINTERS
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
	I64Const $0
	Set R14
	I64Load known_base+40(FP)
	Set R1
firsts:
	Loop
		Get R1
		Get R6
		I64LtU
		If
			Get R1
			I32WrapI64
			I64Load $0
			Set R2
			I64Const $1
			FIRST(R2)
			I64Shl
			Get R14
			I64Or
			Set R14
			ADVANCE(R1, $16)
			Br firsts
		End
	End

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
			STRING(nameEnd)
			Get R0
			Get R7
			I64Sub
			Get R8
			I64Sub
			Set R8

			// A known one, or one that begins and ends like it and is as long? No known one has
			// an escape, and what is Foreign is resolved if it is as long.
			Get R7
			Set R15
			Get R0
			Set R2
			Get R8
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
			// Most often none begins like it.
			Get R14
			FIRST(R7)
			I64ShrU
			I64Const $1
			I64And
			I32WrapI64
			Get R13
			I64Const $const_Foreign
			I64Eq
			I32Or
			If
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
							Get R13
							I64Const $const_Foreign
							I64Eq
							Get R15
							Get R7
							I64Eq
							I32And
							If
								Get R0
								Get R7
								I64Sub
								I64Const $const_resolvable
								I64GtU
								BrIf stop
								MOVD $·resolvedName(SB), R15
								RESOLVE(Get R15, OFFSET(R7), OFFSET(R0))
								RESULT(48)
								Get R3
								I64Add
								Set R2
							End
							Get R1
							I32WrapI64
							I64Load $0
							I32WrapI64
							I64Load $0
							Get R15
							I32WrapI64
							I64Load $0
							I64Xor
							Get R11
							I64Shl
							I64Eqz
							If
								Get R8
								I64Const $8
								I64LeU
								BrIf stop
								Get R1
								I32WrapI64
								I64Load $0
								Get R8
								I64Add
								LASTWORD
								Get R2
								LASTWORD
								I64Eq
								BrIf stop
							End
						End
						ADVANCE(R1, $16)
						Br others
					End
				End
			End

			NAME
			ADVANCE(R0, $1)
			SPACE(colon)
			EXPECT($0x3A)
			SPACE(value)
past:
			Block
				TEXTORNUMBER(past, words, whole, fraction, exponent)
				EMPTY(past)
				NESTED(past)
				LITERAL(past)
			End
			Get R0
			Set R9
			ADVANCE(R4, $16)
			Br members
		End
	End

	Get SP
	OFFSET(R9)
	I64Store end+96(FP)
	Get SP
	Get R4
	I64Load names_base+64(FP)
	I64Sub
	I64Const $4
	I64ShrU
	I64Store n+104(FP)
	RET

// LENGTH leaves the length of the name at r, FORMAT its form, START and END the addresses of
// its first byte and past its last, and WRITTEN how long it is as it is written.
#define LENGTH(r) \
	Get r; \
	I32WrapI64; \
	I64Load32U $8
#define FORMAT(r) \
	Get r; \
	I32WrapI64; \
	I64Load8U $12
#define START(r) \
	Get R3; \
	Get r; \
	I32WrapI64; \
	I64Load32U $0; \
	I64Add
#define END(r) \
	Get R3; \
	Get r; \
	I32WrapI64; \
	I64Load32U $4; \
	I64Add
#define WRITTEN(r) \
	END(r); \
	START(r); \
	I64Sub

// func passUnknowns(text *byte, i int, known *[]string, names *Unknowns, n, depth int) (end, now int)
//
// R0 is a name, R1 one before it, or the known ones, R2 the first, R3 the address of the text,
// R4 the end of names, R5 how many bits of a word are behind a name, or where one is resolved, R6 where the members end.
TEXT ·passUnknowns(SB), NOSPLIT, $112-64
	NO_LOCAL_POINTERS
	STORE(0, I64Load text+0(FP); Tee R3)
	STORE(24, I64Load i+8(FP))
	STORE(32, I64Const $1) // no comma is before it
	I64Load known+16(FP)
	Set R1
	STORE(40, Get R1; I32WrapI64; I64Load $0)
	STORE(48, Get R1; I32WrapI64; I64Load $8)
	STORE(64, I64Load names+24(FP); Tee R2)
	STORE(72, I64Load n+32(FP))
	STORE(80, I64Const $const_mostUnknown)
	STORE(88, I64Load depth+40(FP))
	CALLNORESUME ·unknowns(SB)
	RESULT(96)
	Set R6
	Get SP
	RESULT(104)
	I64Store now+56(FP)

	// Where there is none, or a new one may be one before it, the rest is left to others.
	Get R2
	RESULT(104)
	I64Const $4
	I64Shl
	I64Add
	Set R4
	Get R2
	I64Load n+32(FP)
	I64Const $4
	I64Shl
	I64Add
	Set R0
differ:
	Block
same:
		Block
			Get R0
			Get R4
			I64Eq
			BrIf same
names:
			Loop
				Get R0
				Get R4
				I64GeU
				BrIf differ
				FORMAT(R0)
				I64Const $const_Foreign
				I64Eq
				If
					WRITTEN(R0)
					I64Const $const_resolvable
					I64GtU
					BrIf same
					Get R0
					Get R2
					I64Sub
					I64Const $(const_resolvedRoom/16)
					I64Mul
					Get R2
					I64Add
					I64Const $Unknowns_resolved
					I64Add
					Set R5
					RESOLVE(Get R5, Get R0; I32WrapI64; I64Load32U $0, Get R0; I32WrapI64; I64Load32U $4)
					Get R0
					I32WrapI64
					OFFSET(R5)
					I64Store32 $0
					Get R0
					I32WrapI64
					RESULT(48)
					I64Store32 $4
				End
				Get R2
				Set R1
before:
				Loop
					Get R1
					Get R0
					I64LtU
					If
unlike:
						Block
							LENGTH(R0)
							LENGTH(R1)
							I64Ne
							BrIf unlike
							// They are the same if they are written alike. Of the words only the bytes that
							// are the names'; a shift is of less than 64 bits.
							START(R0)
							I32WrapI64
							I64Load $0
							START(R1)
							I32WrapI64
							I64Load $0
							I64Xor
							I64Const $32
							WRITTEN(R0)
							I64Const $8
							WRITTEN(R0)
							I64Const $8
							I64LtU
							Select
							I64Const $2
							I64Shl
							I64Sub
							Tee R5
							I64Shl
							Get R5
							I64Shl
							I64Eqz
							I32Eqz
							BrIf unlike
							WRITTEN(R0)
							I64Const $8
							I64LeU
							BrIf same

							// The last words tell most often, then all.
							END(R0)
							LASTWORD
							END(R1)
							LASTWORD
							I64Ne
							BrIf unlike
							STORE(0, Get R3)
							STORE(24, START(R0); Get R3; I64Sub)
							STORE(32, START(R1); Get R3; I64Sub)
							STORE(40, WRITTEN(R0))
							CALLNORESUME ·equal(SB)
							Get SP
							I64Load8U $48
							I32WrapI64
							BrIf same
						End
						ADVANCE(R1, $16)
						Br before
					End
				End
				ADVANCE(R0, $16)
				Br names
			End
		End
		I64Const $-1
		Set R6
	End
	Get SP
	Get R6
	I64Store end+48(FP)
	RET

// func passValue(text *byte, i, depth int) (end int)
//
// R2 is an address, R3 that of the text, R4 the end.
TEXT ·passValue(SB), NOSPLIT, $80-32
	NO_LOCAL_POINTERS
	I64Load text+0(FP)
	Set R3
	I64Const $-1
	Set R4
	SKIP(I64Load i+8(FP), I64Load depth+16(FP))
	If
		RESULT(56)
		Set R4
	End
	Get SP
	Get R4
	I64Store end+24(FP)
	RET

// func items(text []byte, i int, kinds Kinds, strings []String) (end, n int)
//
// R0 is the address at hand, R2 a byte or marks, R3 the address of the text, R4 that of
// the String to write, R5 the end of their room, R6 how many items were read, R7 where
// the item begins, R9 the end of the item before, R8, R12 and R13 are for the value.
TEXT ·items(SB), NOSPLIT, $56-80
	NO_LOCAL_POINTERS
	I64Load text_base+0(FP)
	Tee R3
	I64Load i+24(FP)
	I64Add
	Tee R0
	Set R9
	I64Load strings_base+40(FP)
	Tee R4
	I64Load strings_cap+56(FP)
	I64Const $4
	I64Shl
	I64Add
	Set R5
	I64Const $0
	Set R6

stop:
	Block
next:
		Loop
			SPACE(value)
			Get R0
			Set R7
past:
			Block
				TEXTORNUMBER(past, words, whole, fraction, exponent)
				EMPTY(past)
				LITERAL(past)
			End
			I64Load8U kinds+32(FP)
			Get R12
			I64And
			I64Eqz
			BrIf stop
			Get R4
			Get R5
			I64LtU
			If
				// It is a string: its quotes are at R7 and before R0.
				ADVANCE(R7, $1)
				ADVANCE(R0, $-1)
				Get R0
				Get R7
				I64Sub
				Get R8
				I64Sub
				Set R8
				NAME
				ADVANCE(R0, $1)
				ADVANCE(R4, $16)
			End
			Get R0
			Set R9
			ADVANCE(R6, $1)
			Get R4
			Get R5
			I64Eq
			I64Load strings_cap+56(FP)
			I64Eqz
			I32Eqz
			I32And
			BrIf stop
			SPACE(comma)
			EXPECT($0x2C)
			Br next
		End
	End

	Get SP
	OFFSET(R9)
	I64Store end+64(FP)
	Get SP
	Get R6
	I64Store n+72(FP)
	RET
