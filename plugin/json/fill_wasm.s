#include "go_asm.h"
#include "funcdata.h"
#include "shared_wasm.h"
#include "textflag.h"

// fill.go says what this does.

// A Writer begins with its buffer: the address at 0, the length at 8, the capacity
// at 16. A string has its address at 0, its length at 8.

// PIECE copies the string whose header is at the address in header to R1.
#define PIECE(label, header) \
	Get header; \
	I32WrapI64; \
	I64Load $0; \
	Set R0; \
	Get header; \
	I32WrapI64; \
	I64Load $8; \
	Set R2; \
	COPY(label); \
	ADVANCE(header, $16)

// func fill(w *Writer, template, values []string)
//
// R0 is the address that is read, R1 the one that is written, or the new length, R2
// how many bytes are left, R3 and R4 the headers at hand of the template and of the
// values, R5 the end of the values, R6 the writer.
TEXT ·fill(SB), 0, $56-56
	NO_LOCAL_POINTERS
	I64Load template_base+8(FP)
	Set R3
	I64Load values_base+32(FP)
	Tee R4
	I64Load values_len+40(FP)
	I64Const $4
	I64Shl
	I64Add
	Set R5
	I64Load w+0(FP)
	Tee R6
	I32WrapI64
	I64Load $8
	Get R3
	Get R5
	Get R4
	I64Sub
	I64Add
	I32WrapI64
	I64Load $8
	I64Add
	Set R1
lengths:
	Loop
		Get R4
		Get R5
		I64LtU
		If
			Get R1
			Get R3
			I32WrapI64
			I64Load $8
			I64Add
			Get R4
			I32WrapI64
			I64Load $8
			I64Add
			Set R1
			Get R3
			I64Const $16
			I64Add
			Set R3
			Get R4
			I64Const $16
			I64Add
			Set R4
			Br lengths
		End
	End

	// Room for all, and for what is written too much.
	Get R1
	I64Const $8
	I64Add
	Get R6
	I32WrapI64
	I64Load $16
	I64LeS
	If
		Get R6
		I32WrapI64
		I64Load $0
		Get R6
		I32WrapI64
		I64Load $8
		I64Add
		Get R6
		I32WrapI64
		Get R1
		I64Store $8
		Set R1
		I64Load template_base+8(FP)
		Set R3
		I64Load values_base+32(FP)
		Set R4
pieces:
		Loop
			PIECE(fixed, R3)
			Get R4
			Get R5
			I64LtU
			If
				PIECE(value, R4)
				Br pieces
			End
		End
		RET
	End

	Get SP
	I64Load w+0(FP)
	I64Store $0
	Get SP
	I64Load template_base+8(FP)
	I64Store $8
	Get SP
	I64Load template_len+16(FP)
	I64Store $16
	Get SP
	I64Load template_cap+24(FP)
	I64Store $24
	Get SP
	I64Load values_base+32(FP)
	I64Store $32
	Get SP
	I64Load values_len+40(FP)
	I64Store $40
	Get SP
	I64Load values_cap+48(FP)
	I64Store $48
	CALL ·growFill(SB)
	RET

// STRING leaves a field of the String at R3.
#define STRING(field) \
	Get R3; \
	I32WrapI64; \
	I64Load32U $(field)

// func each(w *Writer, text []byte, strings []String, after string) (n int)
//
// R0 is the address that is read, R1 the one that is written, R2 how many bytes are left,
// R3 the String, R4 the end of those, R5 how many bytes come after each, R6 the writer, R7
// the end of the room.
TEXT ·each(SB), NOSPLIT, $56-80
	I64Load w+0(FP)
	Tee R6
	I32WrapI64
	I64Load $0
	Tee R1
	Get R6
	I32WrapI64
	I64Load $16
	I64Add
	I64Load after_len+64(FP)
	Tee R5
	I64Sub
	I64Const $8
	I64Sub
	Set R7
	Get R1
	Get R6
	I32WrapI64
	I64Load $8
	I64Add
	Set R1
	I64Load strings_base+32(FP)
	Tee R3
	I64Load strings_len+40(FP)
	I64Const $String__size
	I64Mul
	I64Add
	Set R4
stop:
	Block
next:
		Loop
			Get R3
			Get R4
			I64GeU
			BrIf stop
			STRING(String_End)
			STRING(String_Start)
			I64Sub
			Tee R2
			Get R1
			I64Add
			Get R7
			I64GtS
			BrIf stop
			Get R3
			I32WrapI64
			I64Load8U $String_Form
			I64Const $const_Foreign
			I64Eq
			If
				// It is not rewritten in place, but where it is to be.
				Get R2
				I64Const $const_LongForeign
				I64GtU
				BrIf stop
				Get SP
				I64Load text_base+8(FP)
				I64Store $0
				Get SP
				Get R1
				I64Load text_base+8(FP)
				I64Sub
				I64Store $24
				Get SP
				STRING(String_Start)
				I64Store $32
				Get SP
				STRING(String_End)
				I64Store $40
				CALLNORESUME ·rewrite(SB)
				Get SP
				I64Load $48
				I64Load text_base+8(FP)
				I64Add
				Set R1
			Else
				I64Load text_base+8(FP)
				STRING(String_Start)
				I64Add
				Set R0
				COPY(string)
			End
			I64Load after_base+56(FP)
			Set R0
			Get R5
			Set R2
			COPY(after)
			ADVANCE(R3, $String__size)
			Br next
		End
	End
	Get R6
	I32WrapI64
	Get R1
	Get R6
	I32WrapI64
	I64Load $0
	I64Sub
	I64Store $8
	Get SP
	Get R3
	I64Load strings_base+32(FP)
	I64Sub
	I64Const $String__size
	I64DivU
	I64Store n+72(FP)
	RET
