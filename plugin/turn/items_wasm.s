#include "go_asm.h"
#include "funcdata.h"
#include "textflag.h"

// items.go says what this does.

// A Writer begins with its buffer: the address at 0, the length at 8, the capacity at 16. A
// string has its address at 0, its length at 8. A string of the text has its start at 0, its
// end at 4, its form at 12.

#define ADVANCE(p, n) \
	Get p; \
	I64Const n; \
	I64Add; \
	Set p

// LOAD leaves a field, of 64 bits, of what is at r, LOAD32 and LOAD8 one of fewer.
#define LOAD(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load $(field)
#define LOAD32(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load32U $(field)
#define LOAD8(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load8U $(field)

// STORE sets an argument of a call.
#define STORE(offset, value) Get SP; value; I64Store $(offset)

// ROOM stops unless there is room for R2 bytes.
#define ROOM \
	Get R1; \
	Get R2; \
	I64Add; \
	Get R9; \
	I64GtS; \
	BrIf stop

// COPY copies R2 bytes from R0 to R1, if there is room, and moves that on: few of them in
// words, so that up to eight too many are read and written.
#define COPY(label) \
	ROOM; \
	Get R2; \
	I64Const $96; \
	I64GtU; \
	If; \
		Get R1; \
		I32WrapI64; \
		Get R0; \
		I32WrapI64; \
		Get R2; \
		I32WrapI64; \
		MemoryCopy; \
	Else; \
label: \
		Loop; \
			Get R1; \
			I32WrapI64; \
			LOAD(R0, 0); \
			I64Store $0; \
			ADVANCE(R0, $8); \
			ADVANCE(R1, $8); \
			ADVANCE(R2, $-8); \
			Get R2; \
			I64Const $0; \
			I64GtS; \
			BrIf label; \
		End; \
	End; \
	Get R1; \
	Get R2; \
	I64Add; \
	Set R1

// HEADER sets R0 and R2 to the string of Go whose header is at r and field.
#define HEADER(r, field) \
	LOAD(r, field); \
	Set R0; \
	LOAD(r, field+8); \
	Set R2

// DIGITS sets R0 and R2 to the digits of the number in R2, which end in the frame behind the
// call. The factor divides by ten.
#define DIGITSEND 72
#define DIGITS(label) \
	Get SP; \
	I64ExtendI32U; \
	I64Const $DIGITSEND; \
	I64Add; \
	Set R0; \
label: \
	Loop; \
		ADVANCE(R0, $-1); \
		Get R0; \
		I32WrapI64; \
		Get R2; \
		Get R2; \
		I64Const $0xCCCCCCCD; \
		I64Mul; \
		I64Const $35; \
		I64ShrU; \
		Tee R2; \
		I64Const $10; \
		I64Mul; \
		I64Sub; \
		I64Const $0x30; \
		I64Add; \
		I64Store8 $0; \
		Get R2; \
		I64Eqz; \
		I32Eqz; \
		BrIf label; \
	End; \
	Get SP; \
	I64ExtendI32U; \
	I64Const $DIGITSEND; \
	I64Add; \
	Get R0; \
	I64Sub; \
	Set R2

// func writeItems(w *json.Writer, text []byte, items []params.UserInput, templates *templates, c *counts) (n int)
//
// R0 is the address that is read, R1 the one that is written, R2 how many bytes are left, R3
// the address of the text, R4 that of the item, R5 the end of those, R6 the writer, R7 the
// field, R8 the end of those, R9 that of the room, R10 the template, R11 which value it is, or
// the string, R12 and R13 what is counted, R14 the end of the item before, R15 the images with
// this one.
TEXT ·writeItems(SB), NOSPLIT, $72-80
	NO_LOCAL_POINTERS
	I64Load w+0(FP)
	Tee R6
	I32WrapI64
	I64Load $0
	Tee R1
	LOAD(R6, 16)
	I64Add
	I64Const $8
	I64Sub
	Set R9
	Get R1
	LOAD(R6, 8)
	I64Add
	Tee R1
	Set R14
	I64Load text_base+8(FP)
	Set R3
	I64Load items_base+32(FP)
	Tee R4
	I64Load items_len+40(FP)
	I64Const $const_itemSize
	I64Mul
	I64Add
	Set R5
	I64Load c+64(FP)
	Tee R0
	I32WrapI64
	I64Load $counts_parts
	Set R12
	LOAD(R0, counts_images)
	Set R13

stop:
	Block
items:
		Loop
			Get R4
			Get R5
			I64GeU
			BrIf stop
			LOAD(R4, const_itemVariant)
			I64Const $template__size
			I64Mul
			I64Load templates+56(FP)
			I64Add
			Tee R10
			I32WrapI64
			I64Load $template_image
			Get R13
			I64Add
			Set R15
			LOAD(R10, template_fields)
			Tee R7
			LOAD(R10, template_fields+8)
			I64Const $field__size
			I64Mul
			I64Add
			Set R8
written:
			Block
				Get R7
				Get R8
				I64Eq
				BrIf written
fields:
				Loop
					HEADER(R7, field_before)
					COPY(before)
string:
					Block
value:
						Block
							LOAD(R7, field_value)
							Tee R11
							I64Const $0
							I64LtS
							If
								Get R12
								Get R15
								Get R11
								I64Const $const_atPart
								I64Eq
								Select
								Set R2
								DIGITS(digits)
								Br value
							End
							Get R11
							I64Const $4
							I64Shl
							Get R4
							I64Add
							Tee R11
							I32WrapI64
							I64Load32U $const_itemStrings
							I64Eqz
							If
								HEADER(R7, field_otherwise)
								Br value
							End
							Get R3
							LOAD32(R11, const_itemStrings)
							I64Add
							Set R0
							LOAD32(R11, const_itemStrings+4)
							LOAD32(R11, const_itemStrings)
							I64Sub
							Set R2
							LOAD8(R11, const_itemStrings+12)
							I64Const $const_foreign
							I64Ne
							BrIf value

							// It is not rewritten in place, but where it is to be.
							Get R2
							I64Const $const_longForeign
							I64GtU
							BrIf stop
							ROOM
							STORE(0, Get R3)
							STORE(24, Get R1; Get R3; I64Sub)
							STORE(32, LOAD32(R11, const_itemStrings))
							STORE(40, LOAD32(R11, const_itemStrings+4))
							CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·rewrite(SB)
							Get R3
							Get SP
							I64Load $48
							I64Add
							Set R1
							Br string
						End
						COPY(bytes)
					End
					ADVANCE(R7, $field__size)
					Get R7
					Get R8
					I64LtU
					BrIf fields
				End
				HEADER(R10, template_after)
				COPY(after)
			End
			LOAD(R10, template_part)
			Get R12
			I64Add
			Set R12
			Get R15
			Set R13
			Get R1
			Set R14
			ADVANCE(R4, $const_itemSize)
			Br items
		End
	End

	I64Load c+64(FP)
	I32WrapI64
	Get R12
	I64Store $counts_parts
	I64Load c+64(FP)
	I32WrapI64
	Get R13
	I64Store $counts_images
	Get R6
	I32WrapI64
	Get R14
	LOAD(R6, 0)
	I64Sub
	I64Store $8
	Get SP
	Get R4
	I64Load items_base+32(FP)
	I64Sub
	I64Const $const_itemSize
	I64DivU
	I64Store n+72(FP)
	RET
