#include "go_asm.h"
#include "shared_wasm.h"
#include "textflag.h"

// sort.go says what these do, and a test holds the two equal.

// SWAP exchanges the parts of R3 that the mask has with those above them.
#define SWAP(mask, bits) \
	Get R3; \
	I64Const mask; \
	I64And; \
	I64Const bits; \
	I64Shl; \
	Get R3; \
	I64Const bits; \
	I64ShrU; \
	I64Const mask; \
	I64And; \
	I64Or; \
	Set R3

// STRING leaves a field of the name at R3, and LENGTH how long it is as it stands in the text.
#define STRING(load, field) \
	Get R3; \
	I32WrapI64; \
	load $(field)
#define LENGTH \
	STRING(I64Load32U, String_End); \
	STRING(I64Load32U, String_Start); \
	I64Sub

// SETSTRING sets a field of the String at R4.
#define SETSTRING(field, value) \
	Get R4; \
	I32WrapI64; \
	value; \
	I64Store32 $(field)

// WRITTEN leaves the offset in what is written of the address in r.
#define WRITTEN(r) \
	Get r; \
	I64Load dst_base+0(FP); \
	I64Sub

// ARG sets an argument of a call.
#define ARG(offset, value) Get SP; value; I64Store $(offset)

// func setKeys(text []byte, names nameList, keys []sortKey, offset int) (form Form)
//
// R0 is the address of the name, R1 that of the key, R2 how many there are, R3 the digit,
// R4 the length of the name, R5 how many bits are behind it but one, R6 is counted, R7 the
// forms of the names.
TEXT ·setKeys(SB), NOSPLIT, $0-81
	I64Const $0
	Set R7
	I64Load keys_base+48(FP)
	Set R1
	I64Load keys_len+56(FP)
	Set R2
	I64Const $0
	Set R6
next:
	Loop
		Get R6
		Get R2
		I64LtU
		If
			I64Load offset+72(FP)
			I64Eqz
			If
				Get R1
				I32WrapI64
				Get R6
				I64Store32 $sortKey_index
			End
			I64Load names_first+24(FP)
			Get R1
			I32WrapI64
			I64Load32U $sortKey_index
			I64Load names_step+32(FP)
			I64Mul
			I64Add
			Tee R0
			I32WrapI64
			I64Load8U $String_Form
			Get R7
			I64Or
			Set R7
			I64Load text_base+0(FP)
			Get R0
			I32WrapI64
			I64Load32U $String_Start
			I64Add
			I64Load offset+72(FP)
			I64Add
			I32WrapI64
			I64Load $0
			Set R3
			SWAP($0x00FF00FF00FF00FF, $8)
			SWAP($0x0000FFFF0000FFFF, $16)
			Get R3
			I64Const $32
			I64Rotl
			Set R3
			Get R0
			I32WrapI64
			I64Load32U $String_Len
			I64Load offset+72(FP)
			I64Sub
			Tee R4
			I64Const $const_digitBytes
			I64GtU
			If
				Get R3
				I64Const $-0x100
				I64And
				I64Const $(const_digitBytes+1)
				I64Or
				Set R3
			Else
				I64Const $63
				Get R4
				I64Const $3
				I64Shl
				I64Sub
				Set R5
				Get R3
				I64Const $1
				I64ShrU
				Get R5
				I64ShrU
				Get R5
				I64Shl
				I64Const $1
				I64Shl
				Get R4
				I64Or
				Set R3
			End
			Get R1
			I32WrapI64
			Get R3
			I64Store $sortKey_digit
			ADVANCE(R1, $sortKey__size)
			ADVANCE(R6, $1)
			Br next
		End
	End
	Get SP
	Get R7
	I64Store8 form+80(FP)
	RET

// KEY adds to an address as many keys as are on the stack.
#define KEY \
	I64Const $sortKey__size; \
	I64Mul; \
	I64Add

// NEIGHBOURS moves R0 on to the first key, or to the last at R1, that does not compare so
// with the one behind it.
#define NEIGHBOURS(label, compare) \
label: \
	Loop; \
		Get R0; \
		Get R1; \
		I64LtS; \
		If; \
			Get R0; \
			I32WrapI64; \
			I64Load $sortKey_digit; \
			Get R0; \
			I32WrapI64; \
			I64Load $(sortKey_digit+sortKey__size); \
			compare; \
			If; \
				ADVANCE(R0, $sortKey__size); \
				Br label; \
			End; \
		End; \
	End

// func resolveNames(dst, text []byte, names nameList, resolved []String) (end int)
//
// R0 is the address that is read, R1 the one that is written, R2 how many bytes are left, R3 the
// name, R4 the String to write, R5 the end of those, R6 where the name begins that is written.
TEXT ·resolveNames(SB), NOSPLIT, $56-104
	I64Load dst_base+0(FP)
	Set R1
	I64Load names_first+48(FP)
	Set R3
	I64Load resolved_base+72(FP)
	Tee R4
	I64Load resolved_len+80(FP)
	I64Const $4
	I64Shl
	I64Add
	Set R5
next:
	Loop
		Get R4
		Get R5
		I64LtU
		If
			Get R1
			Set R6
			STRING(I64Load8U, String_Form)
			I64Const $const_Foreign
			I64Eq
			If
				ARG(0, I64Load text_base+24(FP))
				ARG(24, Get R1; I64Load text_base+24(FP); I64Sub)
				ARG(32, STRING(I64Load32U, String_Start))
				ARG(40, STRING(I64Load32U, String_End))
				CALLNORESUME ·rewrite(SB)
				I64Load text_base+24(FP)
				Get SP
				I64Load $48
				I64Add
				Set R1
			Else
				I64Load text_base+24(FP)
				STRING(I64Load32U, String_Start)
				I64Add
				Set R0
				LENGTH
				Set R2
				COPY(words)
			End
			STRING(I64Load8U, String_Form)
			I64Const $const_Plain
			I64Ne
			If
				ARG(0, I64Load dst_base+0(FP))
				ARG(8, WRITTEN(R1))
				ARG(24, WRITTEN(R6))
				CALLNORESUME ·decode(SB)
				I64Load dst_base+0(FP)
				Get SP
				I64Load $32
				I64Add
				Set R1
			End
			SETSTRING(String_Start, WRITTEN(R6))
			SETSTRING(String_End, WRITTEN(R1))
			SETSTRING(String_Len, Get R1; Get R6; I64Sub)
			SETSTRING(String_Form, I64Const $0)
			Get R3
			I64Load names_step+56(FP)
			I64Add
			Set R3
			ADVANCE(R4, $String__size)
			Br next
		End
	End
	Get SP
	WRITTEN(R1)
	I64Store end+96(FP)
	RET

// func firstSame(keys []sortKey, i int) int
//
// R0 is the address of the key, R1 that of the last.
TEXT ·firstSame(SB), NOSPLIT, $0-40
	I64Load keys_base+0(FP)
	I64Load i+24(FP)
	KEY
	Set R0
	I64Load keys_base+0(FP)
	I64Load keys_len+8(FP)
	I64Const $1
	I64Sub
	KEY
	Set R1
	NEIGHBOURS(next, I64Ne)
	Get SP
	Get R0
	I64Load keys_base+0(FP)
	I64Sub
	I64Const $sortKey__size
	I64DivU
	I64Load keys_len+8(FP)
	Get R0
	Get R1
	I64LtS
	Select
	I64Store ret+32(FP)
	RET

// func runEnd(keys []sortKey, i int) int
//
// R0 is the address of the key, R1 that of the last.
TEXT ·runEnd(SB), NOSPLIT, $0-40
	I64Load keys_base+0(FP)
	I64Load i+24(FP)
	KEY
	Set R0
	I64Load keys_base+0(FP)
	I64Load keys_len+8(FP)
	I64Const $1
	I64Sub
	KEY
	Set R1
	NEIGHBOURS(next, I64LeU)
	Get SP
	Get R0
	I64Load keys_base+0(FP)
	I64Sub
	I64Const $sortKey__size
	I64DivU
	I64Const $1
	I64Add
	I64Store ret+32(FP)
	RET

// func insert(keys []sortKey)
//
// R0 is the address of the keys, R1 their end, R2 the key to insert, R3 where it may
// stand, R4 its digit, R5 its index, R6 the key before that, R7 its digit.
TEXT ·insert(SB), NOSPLIT, $0-24
	I64Load keys_base+0(FP)
	Tee R0
	Tee R2
	I64Load keys_len+8(FP)
	I64Const $sortKey__size
	I64Mul
	I64Add
	Set R1

keys:
	Loop
		ADVANCE(R2, $sortKey__size)
		Get R2
		Get R1
		I64LtU
		If
			Get R2
			Tee R3
			I32WrapI64
			I64Load $sortKey_digit
			Set R4
			Get R2
			I32WrapI64
			I64Load $sortKey_index
			Set R5
place:
			Block
larger:
				Loop
					Get R3
					Get R0
					I64Eq
					BrIf place
					Get R3
					I64Const $sortKey__size
					I64Sub
					Tee R6
					I32WrapI64
					I64Load $sortKey_digit
					Tee R7
					Get R4
					I64LeU
					BrIf place
					Get R3
					I32WrapI64
					Get R7
					I64Store $sortKey_digit
					Get R3
					I32WrapI64
					Get R6
					I32WrapI64
					I64Load $sortKey_index
					I64Store $sortKey_index
					Get R6
					Set R3
					Br larger
				End
			End
			Get R3
			I32WrapI64
			Get R4
			I64Store $sortKey_digit
			Get R3
			I32WrapI64
			Get R5
			I64Store $sortKey_index
			Br keys
		End
	End
	RET
