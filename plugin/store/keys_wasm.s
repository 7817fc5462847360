#include "go_asm.h"
#include "reading_wasm.h"
#include "shared_wasm.h"
#include "textflag.h"

// keys_wasm.go says what this does, and tests hold it to the reading key by key.

// The names of fields, and what a truncation may be, each with the quote behind it.
#define MAXVALUE $0x65756c615678616d
#define TOKENS $0x22736e656b6f54
#define TRUNCATI $0x697461636e757274
#define ON $0x226e6f
#define PRIORITY $0x797469726f697270
#define MIDDLE $0x22656c6464696d
#define HEAD $0x2264616568
#define TAIL $0x226c696174

// Fields, those that were there in R11.
#define ISTOKENS $1
#define ISTRUNCATION $2
#define ISPRIORITY $4

// SET sets a field, of 32 bits, of the settings at R4, SET8 one of 8.
#define SET(field, value) \
	Get R4; \
	I32WrapI64; \
	value; \
	I64Store32 $(field)
#define SET8(field, value) \
	Get R4; \
	I32WrapI64; \
	value; \
	I64Store8 $(field)

// IFBYTE begins what is done if the byte in R2, that at R0, is that one.
#define IFBYTE(c) \
	Get R2; \
	I64Const c; \
	I64Eq; \
	If

// QUOTE moves R0 past the quote that is to be there.
#define QUOTE \
	Get R2; \
	I64Const $0x22; \
	I64Ne; \
	BrIf stop; \
	ADVANCE(R0, $1)

// NULL moves R0 past null, whose first byte is there.
#define NULL \
	Get R0; \
	I32WrapI64; \
	I64Load32U $0; \
	I64Const $0x6C6C756E; \
	I64Ne; \
	BrIf stop; \
	ADVANCE(R0, $4)

// WORDS sets R14 and R15 to the bytes from R0 on, which are not resolved: R12 says so.
#define WORDS \
	Get R0; \
	I32WrapI64; \
	I64Load $0; \
	Set R14; \
	Get R0; \
	I32WrapI64; \
	I64Load $8; \
	Set R15; \
	I64Const $0; \
	Set R12

// RESOLVE goes on to the word at R0 with its escapes resolved, and R0 to where that would begin if
// it were written so. It stops the reading where there are none left.
#define WORD TEXTENDFRAME
#define RESOLVE \
	Get R12; \
	I32WrapI64; \
	BrIf stop; \
	I64Const $1; \
	Set R12; \
	Get SP; \
	Get R0; \
	I64Store $0; \
	Get SP; \
	Get SP; \
	I64ExtendI32U; \
	I64Const $WORD; \
	I64Add; \
	I64Store $8; \
	CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·resolveWord(SB); \
	RESULT(16); \
	Get R0; \
	I64Eq; \
	BrIf stop; \
	RESULT(16); \
	Set R0; \
	RESULT(WORD); \
	Set R14; \
	RESULT(WORD+8); \
	Set R15

// IFWORD begins what is done if they begin with a word of up to eight bytes, IFLONG if with a
// longer one: mask says which of the last bytes count.
#define IFWORD(word, mask) \
	Get R14; \
	I64Const mask; \
	I64And; \
	I64Const word; \
	I64Eq; \
	If
#define IFLONG(word, rest, mask) \
	Get R14; \
	I64Const word; \
	I64Eq; \
	Get R15; \
	I64Const mask; \
	I64And; \
	I64Const rest; \
	I64Eq; \
	I32And; \
	If

// ISFIELD says which field it is, and moves R0 past its name; TRUNCATION does so for its value.
#define ISFIELD(field, n) \
	I64Const field; \
	Set R10; \
	ADVANCE(R0, n)
#define TRUNCATION(value, n) \
	SET8(KeyPolicy_Truncation, I64Const value); \
	ADVANCE(R0, n)

// INTEGER moves R0 past an integer of 32 bits, and sets R8 to it and R7 to whether it has a sign.
#define INTEGER(digits) \
	I64Const $0; \
	Tee R7; \
	Set R8; \
	IFBYTE($0x2D); \
		ADVANCE(R0, $1); \
		I64Const $1; \
		Set R7; \
	End; \
	Get R0; \
	Set R12; \
digits: \
	Loop; \
		BYTE($0); \
		I64Const $0x30; \
		I64Sub; \
		Tee R2; \
		I64Const $10; \
		I64LtU; \
		If; \
			Get R8; \
			I64Const $10; \
			I64Mul; \
			Get R2; \
			I64Add; \
			Set R8; \
			ADVANCE(R0, $1); \
			Br digits; \
		End; \
	End; \
	Get R0; \
	Get R12; \
	I64Sub; \
	Tee R2; \
	I64Const $1; \
	I64Sub; \
	I64Const $10; \
	I64GeU; \
	BrIf stop; \
	Get R2; \
	I64Const $1; \
	I64Ne; \
	Get R12; \
	I32WrapI64; \
	I64Load8U $0; \
	I64Const $0x30; \
	I64Eq; \
	I32And; \
	BrIf stop; \
	Get R8; \
	Get R7; \
	I64Sub; \
	I64Const $0x7FFFFFFF; \
	I64GtU; \
	BrIf stop; \
	I64Const $0; \
	Get R8; \
	I64Sub; \
	Get R8; \
	Get R7; \
	I32WrapI64; \
	Select; \
	Set R8

// func readKeys(text []byte, i int, keys []KeyPolicy) (end, read int)
//
// R0 is the address at hand, R2 a byte or marks, R3 the address of the text, R4 that of the
// settings to write, R5 the end of their room, R6 the end of the key before, R7 whether an integer
// has a sign, R8 the integer, R10 how much escapes save, or the field, R11 the forms of a key, or
// the fields that were there, R12 where a key or an integer begins, or whether a word is resolved,
// R14 and R15 are a word.
TEXT ·readKeys(SB), NOSPLIT, $72-72
	I64Load text_base+0(FP)
	Tee R3
	I64Load i+24(FP)
	I64Add
	Tee R0
	Set R6
	I64Load keys_base+32(FP)
	Tee R4
	I64Load keys_len+40(FP)
	I64Const $KeyPolicy__size
	I64Mul
	I64Add
	Set R5

stop:
	Block
keys:
		Loop
			Get R4
			Get R5
			I64GeU
			BrIf stop
			EXPECT(comma, $0x2C, quote)
			QUOTE
			Get R0
			Set R12
			STRING(letters, name)
			SET(KeyPolicy_Key+START, OFFSET(R12))
			SET(KeyPolicy_Key+END, OFFSET(R0))
			SET(KeyPolicy_Key+LEN, Get R0; Get R12; I64Sub; Get R10; I64Sub)
			SET(KeyPolicy_Key+FORM, FORMOF(R11))
			SET(KeyPolicy_Priority, I64Const $0)
			SET8(KeyPolicy_HasTokens, I64Const $0)
			SET8(KeyPolicy_HasTruncation, I64Const $0)
			ADVANCE(R0, $1)
			EXPECT(colon, $0x3A, settings)

read:
			Block
				IFBYTE($0x6E)
					NULL
					Br read
				End
				IFBYTE($0x7B)
					ADVANCE(R0, $1)
					SPACE(first)
				Else
					Br stop
				End
				I64Const $0
				Set R11
				IFBYTE($0x7D)
					ADVANCE(R0, $1)
					Br read
				End
fields:
				Loop
					QUOTE
					WORDS
resolved:
					Loop
known:
						Block
							IFLONG(MAXVALUE, TOKENS, $0xFFFFFFFFFFFFFF)
								ISFIELD(ISTOKENS, $15)
								Br known
							End
							IFLONG(TRUNCATI, ON, $0xFFFFFF)
								ISFIELD(ISTRUNCATION, $11)
								Br known
							End
							IFLONG(PRIORITY, $0x22, $0xFF)
								ISFIELD(ISPRIORITY, $9)
								Br known
							End
							RESOLVE
							Br resolved
						End
					End
					Get R11
					Get R10
					I64And
					I32WrapI64
					BrIf stop
					Get R11
					Get R10
					I64Or
					Set R11
					EXPECT(colon2, $0x3A, value)

given:
					Block
						IFBYTE($0x6E)
							NULL
							Br given
						End
						Get R10
						I64Const ISTRUNCATION
						I64Eq
						If
							QUOTE
							WORDS
resolvedWord:
							Loop
knownWord:
								Block
									IFWORD(HEAD, $0xFFFFFFFFFF)
										TRUNCATION($const_head, $5)
										Br knownWord
									End
									IFWORD(TAIL, $0xFFFFFFFFFF)
										TRUNCATION($const_tail, $5)
										Br knownWord
									End
									IFWORD(MIDDLE, $0xFFFFFFFFFFFFFF)
										TRUNCATION($const_middle, $7)
										Br knownWord
									End
									RESOLVE
									Br resolvedWord
								End
							End
							SET8(KeyPolicy_HasTruncation, I64Const $1)
							Br given
						End
						INTEGER(digits)
						Get R10
						I64Const ISTOKENS
						I64Eq
						If
							Get R7
							I32WrapI64
							BrIf stop
							SET(KeyPolicy_Tokens, Get R8)
							SET8(KeyPolicy_HasTokens, I64Const $1)
						Else
							SET(KeyPolicy_Priority, Get R8)
						End
					End
					SPACE(behind)
					IFBYTE($0x2C)
						ADVANCE(R0, $1)
						SPACE(next)
						Br fields
					End
				End
				Get R2
				I64Const $0x7D
				I64Ne
				BrIf stop
				ADVANCE(R0, $1)
			End

			Get R0
			Set R6
			ADVANCE(R4, $KeyPolicy__size)
			Br keys
		End
	End

	Get SP
	OFFSET(R6)
	I64Store end+56(FP)
	Get SP
	Get R4
	I64Load keys_base+32(FP)
	I64Sub
	I64Const $KeyPolicy__size
	I64DivU
	I64Store read+64(FP)
	RET
