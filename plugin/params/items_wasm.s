#include "go_asm.h"
#include "funcdata.h"
#include "textflag.h"

// items_wasm.go says what this does, and tests hold it to the reading member by member.

#define ONES $0x0101010101010101
#define HIGHS $-0x7f7f7f7f7f7f7f80
#define BACKSLASHES $0x5c5c5c5c5c5c5c5c

#define ADVANCE(p, n) \
	Get p; \
	I64Const n; \
	I64Add; \
	Set p

// LOAD leaves a field, of 64 bits, of what is at r.
#define LOAD(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load $(field)

// BYTE leaves the byte at R0.
#define BYTE \
	Get R0; \
	I32WrapI64; \
	I64Load8U $0

// STORE sets an argument of a call, RESULT leaves a result of it.
#define STORE(offset, value) Get SP; value; I64Store $(offset)
#define RESULT(offset) Get SP; I64Load $(offset)

// OFFSET leaves the offset in the text of the address in r.
#define OFFSET(r) \
	Get r; \
	Get R3; \
	I64Sub

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
			I32WrapI64; \
			I32Const $1; \
			I32And; \
			If; \
				ADVANCE(R0, $1); \
				Br label; \
			End; \
		End; \
	End

// IFBYTE begins what is done if the byte in R2, that at R0, is that one.
#define IFBYTE(c) \
	Get R2; \
	I64Const c; \
	I64Eq; \
	If

// EXPECT ends the reading unless the byte in R2 is that one, and moves R0 past it.
#define EXPECT(c) \
	Get R2; \
	I64Const c; \
	I64Ne; \
	BrIf stop; \
	ADVANCE(R0, $1)

// WORDS sets R14 and R15 to the bytes from R0 on. ISWORD goes to other unless they begin with
// the word at r.
#define WORDS \
	LOAD(R0, 0); \
	Set R14; \
	LOAD(R0, 8); \
	Set R15
#define ISWORD(r, other) \
	LOAD(r, word_bytes); \
	Get R14; \
	I64Xor; \
	LOAD(r, word_mask); \
	I64And; \
	I64Eqz; \
	I32Eqz; \
	BrIf other; \
	LOAD(r, word_bytes+8); \
	Get R15; \
	I64Xor; \
	LOAD(r, word_mask+8); \
	I64And; \
	I64Eqz; \
	I32Eqz; \
	BrIf other

// FINDNAME goes to known if R14 and R15 begin with a name of the table: R1 is its address then, R10
// its place.
#define FINDNAME(names, other) \
	MOVD $·inputNames(SB), R1; \
	I64Const $0; \
	Set R10; \
names: \
	Loop; \
other: \
		Block; \
			ISWORD(R1, other); \
			Br known; \
		End; \
		ADVANCE(R1, $inputName__size); \
		ADVANCE(R10, $8); \
		Get R10; \
		I64Const $(8*const_inputMembers); \
		I64LtU; \
		BrIf names; \
	End

// FINDVALUE goes to found if they begin with a value that the name at R1 may have: R7 is which one
// then, R8 its address.
#define FINDVALUE(values, other) \
	LOAD(R1, inputName_enum); \
	Set R8; \
	I64Const $0; \
	Set R7; \
values: \
	Loop; \
other: \
		Block; \
			ISWORD(R8, other); \
			Br found; \
		End; \
		ADVANCE(R8, $word__size); \
		ADVANCE(R7, $1); \
		Get R7; \
		LOAD(R1, inputName_enum+8); \
		I64LtU; \
		BrIf values; \
	End

// HASBACKSLASH leaves whether there may be a backslash among them. One behind them comes too late
// for a word of the table.
#define HASBACKSLASH \
	Get R14; \
	I64Const BACKSLASHES; \
	I64Xor; \
	I64Const ONES; \
	I64Sub; \
	Get R15; \
	I64Const BACKSLASHES; \
	I64Xor; \
	I64Const ONES; \
	I64Sub; \
	I64Or; \
	I64Const HIGHS; \
	I64And; \
	I64Eqz; \
	I32Eqz

// IFRESOLVED sets R12 to R0, and begins what is done if a short string begins there that has
// escapes: R14 and R15 have it resolved, and R0 is where it would begin if it were written so.
#define IFRESOLVED \
	Get R0; \
	Set R12; \
	HASBACKSLASH; \
	If; \
		STORE(0, Get R0); \
		STORE(8, FRAME(RESOLVED)); \
		CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·resolveWord(SB); \
		RESULT(16); \
		Set R0; \
		RESULT(RESOLVED); \
		Set R14; \
		RESULT(RESOLVED+8); \
		Set R15; \
	End; \
	Get R0; \
	Get R12; \
	I64Ne; \
	If

// FROMHERE sets the first arguments of a call: the text, and where R0 is in it.
#define FROMHERE \
	STORE(0, Get R3); \
	STORE(8, I64Load text_len+8(FP)); \
	STORE(16, I64Load text_cap+16(FP)); \
	STORE(24, OFFSET(R0))

// LONG is from how many bytes on others look for the end of a string.
#define LONG $64

#ifdef const_simd
// SIMDEND moves R0 as far as the kernel goes, and sets R8 and R9, as STRING does.
#define SIMDEND \
	STORE(0, Get R0); \
	STORE(8, I64Const $0); \
	CALLNORESUME ·simdTextEnd(SB); \
	RESULT(16); \
	Tee R2; \
	I64Const $0xFFFFFFFF; \
	I64And; \
	Get R0; \
	I64Add; \
	Set R0; \
	Get R2; \
	I64Const $32; \
	I64ShrU; \
	I64Const $0x7FFFFFFF; \
	I64And; \
	Tee R8; \
	I64Eqz; \
	I32Eqz; \
	I64ExtendI32U; \
	Set R9; \
	Get R2; \
	I64Const $0; \
	I64LtS; \
	If; \
		I64Const $const_foreign; \
		Set R9; \
	End
#else
#define SIMDEND
#endif

// STRING moves R0, where a string begins, and R12 too, to the quote that ends it. R8 is how
// many bytes are saved with the escapes resolved, R9 the form.
#define STRING(words) \
	I64Const $0; \
	Tee R8; \
	Set R9; \
words: \
	Loop; \
		LOAD(R0, 0); \
		Tee R2; \
		I64Const $0x0202020202020202; \
		I64Xor; \
		I64Const $0x2121212121212121; \
		I64Sub; \
		Get R2; \
		I64Const BACKSLASHES; \
		I64Xor; \
		I64Const ONES; \
		I64Sub; \
		I64Or; \
		Get R2; \
		I64Or; \
		I64Const HIGHS; \
		I64And; \
		Tee R2; \
		I64Eqz; \
		Get R0; \
		Get R12; \
		I64Sub; \
		I64Const LONG; \
		I64LtU; \
		I32And; \
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
		SIMDEND; \
		FROMHERE; \
		CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·textEnd(SB); \
		RESULT(32); \
		Get R3; \
		I64Add; \
		Set R0; \
		RESULT(40); \
		Get R8; \
		I64Add; \
		Set R8; \
		Get R9; \
		Get SP; \
		I64Load8U $48; \
		Tee R2; \
		Get R9; \
		Get R2; \
		I64GtU; \
		Select; \
		Set R9; \
		BYTE; \
		I64Const $0x22; \
		I64Ne; \
		BrIf stop; \
	End

// SET32 writes a field of the string in the item at R1.
#define SET32(field, value) \
	Get R1; \
	I32WrapI64; \
	value; \
	I64Store32 $(UserInput_Strings+field)

// A string has its start at 0, its end at 4, its length at 8, its form at 12.
#define START 0
#define END 4
#define LEN 8
#define FORM 12

// CLEAR writes two words of zero at that offset from R4.
#define CLEAR(offset) \
	Get R4; \
	I32WrapI64; \
	I64Const $0; \
	I64Store $(offset); \
	Get R4; \
	I32WrapI64; \
	I64Const $0; \
	I64Store $(offset+8)

// UNKNOWNS is the place of how many unknown names there are, behind those of the known ones.
#define UNKNOWNS $56

// What is kept in the frame: the unknown names, and a name or a value with its escapes resolved.
#define NAMES 72
#define RESOLVED 328

// FRAME leaves the address of what is kept there.
#define FRAME(offset) \
	Get SP; \
	I64ExtendI32U; \
	I64Const $(offset); \
	I64Add

// func readItems(text []byte, i int, items []UserInput, depth int) (end, read int)
//
// R0 is the address at hand, R1 that of a name of the table, or of what is before a string of
// the item, R2 a byte, marks or a kind, R3 the address of the text, R4 that of the item, R5 the
// end of their room, R6 the end of the item before, R7 which of a few a string is, R8 how many
// bytes are saved, or the address of a word, R9 the form, R10 the place of the member in R11,
// R11 what was there, as inputVariant has it, R12 where the name or the string begins, R13 the
// variant, R14 and R15 are the bytes that are compared.
TEXT ·readItems(SB), NOSPLIT, $344-80
	NO_LOCAL_POINTERS
	I64Load text_base+0(FP)
	Tee R3
	I64Load i+24(FP)
	I64Add
	Tee R0
	Set R6
	I64Load items_base+32(FP)
	Tee R4
	I64Load items_len+40(FP)
	I64Const $UserInput__size
	I64Mul
	I64Add
	Set R5

stop:
	Block
items:
		Loop
			Get R4
			Get R5
			I64GeU
			BrIf stop
			SPACE(item)
			EXPECT($0x7B)
			CLEAR(UserInput_Strings)
			CLEAR(UserInput_Strings+16)
			CLEAR(UserInput_Strings+32)
			CLEAR(UserInput_Strings+48)
			CLEAR(UserInput_Strings+64)
			I64Const $0
			Set R11
			I64Const $-1
			Set R13
members:
			Loop
				SPACE(name)
				EXPECT($0x22)
				WORDS
passed:
				Block
member:
					Block
known:
						Block
							FINDNAME(names, other)

							// Not as it is written, but it may have escapes.
							IFRESOLVED
								FINDNAME(resolvedNames, resolvedOther)
							End

							// An unknown one, and those behind it.
							STORE(0, Get R3)
							STORE(8, OFFSET(R12); I64Const $1; I64Sub)
							MOVD $·inputFields(SB), R2
							STORE(16, Get R2)
							STORE(24, FRAME(NAMES))
							STORE(32, Get R11; I64Const UNKNOWNS; I64ShrU)
							STORE(40, I64Load depth+56(FP))
							CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·passUnknowns(SB)
							RESULT(56)
							I64Const UNKNOWNS
							I64Shl
							Get R11
							I64Const $(1<<56-1)
							I64And
							I64Or
							Set R11
							RESULT(48)
							Tee R2
							I64Const $0
							I64LtS
							BrIf stop
							Get R3
							Get R2
							I64Add
							Set R0
							Br passed
						End

						Get R0
						LOAD(R1, inputName_name+word_length)
						I64Add
						Set R0
						SPACE(colon)
						EXPECT($0x3A)
						SPACE(value)
						IFBYTE($0x22)
							ADVANCE(R0, $1)
							Get R0
							Set R12
							LOAD(R1, inputName_enum+8)
							I64Eqz
							If
								Get R10
								I64Const $(8*const_inputStrings)
								I64GtU
								BrIf stop
								STRING(words)
							Else
								// One of a few.
								WORDS
found:
								Block
									FINDVALUE(values, different)
									IFRESOLVED
										FINDVALUE(resolvedValues, resolvedDifferent)
									End
									Br stop
								End
								Get R0
								LOAD(R8, word_length)
								I64Add
								I64Const $1
								I64Sub
								Tee R0
								Get R12
								I64Sub
								LOAD(R8, word_length)
								I64Sub
								I64Const $1
								I64Add
								Set R8
								I64Const $const_foreign
								I64Const $0
								Get R8
								I64Eqz
								I32Eqz
								Select
								Set R9
							End
							Get R10
							I64Eqz
							If
								Get R7
								Set R13
							Else
								// The first string is the second member.
								Get R10
								I64Const $1
								I64Shl
								Get R4
								I64Add
								I64Const $16
								I64Sub
								Set R1
								SET32(START, OFFSET(R12))
								SET32(END, OFFSET(R0))
								SET32(LEN, Get R0; Get R12; I64Sub; Get R8; I64Sub)
								SET32(FORM, Get R9)
							End
							ADVANCE(R0, $1)
							I64Const $const_stringKind
							Set R2
							Br member
						End
						IFBYTE($0x6E)
							Get R0
							I32WrapI64
							I64Load32U $0
							I64Const $0x6C6C756E
							I64Ne
							BrIf stop
							ADVANCE(R0, $4)
							I64Const $const_nullKind
							Set R2
							Br member
						End
						EXPECT($0x5B)
						Get R10
						I64Const $(8*const_inputElements)
						I64Eq
						BYTE
						I64Const $0x5D
						I64Ne
						I32And
						If
							// Most often all are of one form.
							MOVD $·usualElements(SB), R1
forms:
							Loop
								FROMHERE
								STORE(32, LOAD(R1, 0))
								STORE(40, LOAD(R1, 8))
								STORE(48, LOAD(R1, 16))
								CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·integers(SB)
								RESULT(56)
								Get R3
								I64Add
								Set R0
								ADVANCE(R1, $24)
								RESULT(64)
								I64Eqz
								MOVD $·usualElements+(24*const_elementForms)(SB), R2
								Get R1
								Get R2
								I64LtU
								I32And
								BrIf forms
							End
						End
						BYTE
						Set R2
						EXPECT($0x5D)
						I64Const $const_arrayKind
						Set R2
					End
					Get R11
					Get R10
					I64ShrU
					I64Const $1
					I64And
					I32WrapI64
					BrIf stop
					Get R2
					I64Const $1
					I64Or
					Get R10
					I64Shl
					Get R11
					I64Or
					Set R11
				End
				SPACE(behind)
				IFBYTE($0x2C)
					ADVANCE(R0, $1)
					Br members
				End
			End
			EXPECT($0x7D)

			Get R13
			I64Const $0
			I64LtS
			BrIf stop
			Get R4
			I32WrapI64
			Get R13
			I64Store $UserInput_Variant
			MOVD $·inputVariants(SB), R1
			Get R1
			Get R13
			I64Const $inputVariant__size
			I64Mul
			I64Add
			Set R1
			Get R11
			LOAD(R1, inputVariant_allowed)
			I64Or
			LOAD(R1, inputVariant_allowed)
			I64Ne
			BrIf stop
			Get R11
			LOAD(R1, inputVariant_required)
			I64And
			LOAD(R1, inputVariant_required)
			I64Ne
			BrIf stop
			ADVANCE(R4, $UserInput__size)
			Get R0
			Set R6
			SPACE(comma)
			EXPECT($0x2C)
			Br items
		End
	End

	Get SP
	OFFSET(R6)
	I64Store end+64(FP)
	Get SP
	Get R4
	I64Load items_base+32(FP)
	I64Sub
	I64Const $UserInput__size
	I64DivU
	I64Store read+72(FP)
	RET
