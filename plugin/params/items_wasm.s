#include "go_asm.h"
#include "funcdata.h"
#include "shared_wasm.h"
#include "textflag.h"

// items_wasm.go says what these do, and tests hold them to the reading member by member.

// FINDINPUT is FINDNAME for the members of an item.
#define FINDINPUT(names, other) \
	MOVD $·inputNames(SB), R1; \
	FINDNAME($inputName__size, const_inputMembers, names, other)

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

// func readItems(text []byte, i int, items []UserInput, depth int) (end, read int)
//
// R0 is the address at hand, R1 that of a name of the table, or of what is before a string of
// the item, R2 a byte, marks or a kind, R3 the address of the text, R4 that of the item, R5 the
// end of their room, R6 the end of the item before, R7 which of a few a string is, R8 how many
// bytes are saved, or the address of a word, R9 the form, R10 the place of the member in R11,
// R11 what was there, as inputVariant has it, R12 where the name begins, or behind the first byte of the value, R13 the
// variant, R14 and R15 are the bytes that are compared.
TEXT ·readItems(SB), NOSPLIT, $80-80
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
							FINDINPUT(names, other)

							// Not as it is written, but it may have escapes.
							IFRESOLVED
								FINDINPUT(resolvedNames, resolvedOther)
							End

							// An unknown one, and those behind it.
							MOVD $·inputFields(SB), R2
							MOVD $·inputUnknowns(SB), R7
							PASSUNKNOWNS(I64Load depth+56(FP))
							Br passed
						End

						Get R0
						LOAD(R1, inputName_name+word_length)
						I64Add
						Set R0
						SPACE(colon)
						EXPECT($0x3A)
						SPACE(value)
						Get R0
						I64Const $1
						I64Add
						Set R12
strange:
						Block
							IFBYTE($0x22)
								ADVANCE(R0, $1)
								LOAD(R1, inputName_enum+8)
								I64Eqz
								If
									Get R10
									I64Const $(8*const_inputStrings)
									I64GtU
									BrIf strange
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
										Br strange
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
								ISNULL
								I32Eqz
								BrIf stop
								ADVANCE(R0, $4)
								I64Const $const_nullKind
								Set R2
								Br member
							End
							Get R2
							I64Const $0x5B
							I64Ne
							BrIf strange
							ADVANCE(R0, $1)
							Get R10
							I64Const $(8*const_inputElements)
							I64Eq
							If
								FROMHERE
								STORE(32, I64Load depth+56(FP); I64Const $2; I64Add)
								CALLNORESUME ·readElements(SB)
								RESULT(40)
								Get R3
								I64Add
								Set R0
							End
							SPACE(bracket)
							Get R2
							I64Const $0x5D
							I64Ne
							BrIf strange
							ADVANCE(R0, $1)
							I64Const $const_arrayKind
							Set R2
							Br member
						End

						// Something else, which is right if the variant does not know the name.
						STORE(0, Get R3)
						STORE(8, OFFSET(R12); I64Const $1; I64Sub)
						STORE(16, I64Load depth+56(FP))
						CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·passValue(SB)
						RESULT(24)
						Tee R2
						I64Const $0
						I64LtS
						BrIf stop
						Get R3
						Get R2
						I64Add
						Set R0
						I64Const $const_otherKind
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

// FINDELEMENT is FINDNAME for those of an element, or of its range.
#define FINDELEMENT(names, other) \
	MOVD $·elementNames(SB), R1; \
	Get R1; \
	Get R13; \
	I64Const $(2*word__size); \
	I64Mul; \
	I64Add; \
	Set R1; \
	FINDNAME($word__size, 2, names, other)

// ISBOTH is what R11 has of both members of an object.
#define ISBOTH $0x101

// func readElements(text []byte, i, depth int) (end, read int)
//
// R0 is the address at hand, R1 that of a name of the table, R2 a byte, marks or an address, R3
// the address of the text, R4 how many were read, R5 what R11 is of the element whose range is
// read, R6 the end of the element before, R7 an integer, or an address, R8, R9 and R12 are for
// STRING, R10 the place of the member in R11, R11 which there were, R13 whether it is the range's,
// R14 and R15 are the bytes that are compared.
TEXT ·readElements(SB), NOSPLIT, $80-56
	NO_LOCAL_POINTERS
	I64Load text_base+0(FP)
	Tee R3
	I64Load i+24(FP)
	I64Add
	Tee R0
	Set R6
	I64Const $0
	Set R4

stop:
	Block
elements:
		Loop
			SPACE(element)
			EXPECT($0x7B)
			I64Const $0
			Tee R11
			Set R13
members:
			Loop
				SPACE(name)
				EXPECT($0x22)
				WORDS
passed:
				Block
known:
					Block
						FINDELEMENT(names, other)
						IFRESOLVED
							FINDELEMENT(resolvedNames, resolvedOther)
						End
						MOVD $·nodes+(const_textElement*node__size+node_fields)(SB), R1
						MOVD $·nodes+(const_byteRange*node__size+node_fields)(SB), R2
						Get R2
						Get R1
						Get R13
						I32WrapI64
						Select
						Set R2
						MOVD $·elementUnknowns(SB), R7
						Get R7
						Get R13
						I64Const $const_unknownsSize
						I64Mul
						I64Add
						Set R7
						PASSUNKNOWNS(I64Load depth+32(FP); Get R13; I64Add)
						Br passed
					End

					Get R0
					LOAD(R1, word_length)
					I64Add
					Set R0
					SPACE(colon)
					EXPECT($0x3A)
					SPACE(value)
					Get R11
					Get R10
					I64ShrU
					I64Const $1
					I64And
					I32WrapI64
					BrIf stop
					I64Const $1
					Get R10
					I64Shl
					Get R11
					I64Or
					Set R11

					Get R13
					I64Eqz
					If
						Get R10
						I64Eqz
						If
							EXPECT($0x7B)
							Get R11
							Set R5
							I64Const $0
							Set R11
							I64Const $1
							Set R13
							Br members
						End
						IFBYTE($0x22)
							ADVANCE(R0, $1)
							Get R0
							Set R12
							STRING(words)
							ADVANCE(R0, $1)
							Br passed
						End
						ISNULL
						I32Eqz
						BrIf stop
						ADVANCE(R0, $4)
						Br passed
					End

					// An integer of 32 bits, without a sign.
					I64Const $0
					Set R7
					IFBYTE($0x30)
						ADVANCE(R0, $1)
						Br passed
					End
digits:
					Loop
						Get R2
						I64Const $0x30
						I64Sub
						Tee R2
						I64Const $10
						I64LtU
						If
							Get R7
							I64Const $10
							I64Mul
							Get R2
							I64Add
							Tee R7
							I64Const $0x7FFFFFFF
							I64GtU
							BrIf stop
							ADVANCE(R0, $1)
							BYTE
							Set R2
							Br digits
						End
					End
					Get R7
					I64Eqz
					BrIf stop
				End
closing:
				Loop
					SPACE(behind)
					IFBYTE($0x2C)
						ADVANCE(R0, $1)
						Br members
					End
					EXPECT($0x7D)
					Get R13
					I32WrapI64
					If
						Get R11
						I64Const ISBOTH
						I64And
						I64Const ISBOTH
						I64Ne
						BrIf stop
						Get R5
						Set R11
						I64Const $0
						Set R13
						Br closing
					End
				End
			End
			Get R11
			I64Const $1
			I64And
			I64Eqz
			BrIf stop
			ADVANCE(R4, $1)
			Get R0
			Set R6
			SPACE(comma)
			EXPECT($0x2C)
			Br elements
		End
	End

	Get SP
	OFFSET(R6)
	I64Store end+40(FP)
	Get SP
	Get R4
	I64Store read+48(FP)
	RET
