#include "go_asm.h"
#include "funcdata.h"
#include "shared_wasm.h"
#include "textflag.h"

// reader.go and shape.go say what these do, and the tests hold the two equal.

// LOAD leaves a field, of 64 bits, of what is at r. SET begins to set one, and TO
// and TO32 end it: what stands between leaves the value.
#define LOAD(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load $(field)
#define SET(r) Get r; I32WrapI64
#define TO(field) I64Store $(field)
#define TO32(field) I64Store32 $(field)
#define TO8(field) I64Store8 $(field)

// A slice has its address at 0, its length at 8; a string of the text its start at 0,
// its end at 4, its length at 8, its form at 12.
#define LENGTH 8
#define START 0
#define END 4
#define LEN 8
#define FORM 12

// SPACE moves R0 past white space, and sets R11 to the byte that it then is at.
#define SPACE(label) \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load8U $0; \
		Tee R11; \
		I64Const $0x20; \
		I64LeU; \
		If; \
			I64Const $0x100002600; \
			Get R11; \
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

// DIFFER leaves the bits in which the words at R0 and R1 differ.
#define DIFFER \
	Get R0; \
	I32WrapI64; \
	I64Load $0; \
	Get R1; \
	I32WrapI64; \
	I64Load $0; \
	I64Xor

// ALIKE goes to unlike if the bytes at R0 and R1, as many as R2 says, differ: of the last
// word only those that are left are looked at. Else R0 is at the last word.
#define ALIKE(words, unlike) \
words: \
	Loop; \
	Get R2; \
	I64Const $8; \
	I64GeS; \
	If; \
	DIFFER; \
	I64Eqz; \
	I32Eqz; \
	BrIf unlike; \
	ADVANCE(R0, $8); \
	ADVANCE(R1, $8); \
	ADVANCE(R2, $-8); \
	Br words; \
	End; \
	End; \
	DIFFER; \
	I64Const $1; \
	Get R2; \
	I64Const $3; \
	I64Shl; \
	I64Shl; \
	I64Const $1; \
	I64Sub; \
	I64And; \
	I64Eqz; \
	I32Eqz; \
	BrIf unlike

// OFFSET leaves the offset in the text of the address in r.
#define OFFSET(r) \
	Get r; \
	Get R9; \
	I64Sub

// func nextMember(r *Reader, f *Fields) int
//
// R0 and R1 are the addresses at hand, in the text and in a name, R2 is how many
// bytes of the name are left, R3 which it is, R4 the address of its header, R5 how
// many are left, R6 where the name in the text begins, R7 the fields, R8 the reader,
// R9 the address of the text, R10 that of the frame, R11 a byte, R12 a bit.
TEXT ·nextMember(SB), 0, $24-24
	NO_LOCAL_POINTERS
	I64Load f+8(FP)
	Set R7
	I64Load r+0(FP)
	Tee R8
	I32WrapI64
	I64Load $Reader_text
	Tee R9
	LOAD(R8, Reader_pos)
	I64Add
	Set R0
	Get R8
	LOAD(R8, Reader_depth)
	I64Const $frame__size
	I64Mul
	I64Add
	I64Const $Reader_frames
	I64Add
	Set R10

other:
	Block
		SPACE(before)
		Get R11
		I64Const $0x7D
		I64Eq
		If
			// There is no name to be compared with others.
			LOAD(R8, Reader_names+LENGTH)
			Get R7
			I32WrapI64
			I64Load32S $Fields_base
			I64Ne
			BrIf other
			SET(R8)
			OFFSET(R0)
			TO(Reader_last)
			SET(R8)
			OFFSET(R0)
			I64Const $1
			I64Add
			TO(Reader_pos)
			SET(R8)
			I64Const $0
			TO8(Reader_first)
			SET(R8)
			LOAD(R8, Reader_depth)
			I64Const $1
			I64Sub
			TO(Reader_depth)
			SET(R10)
			I64Const $const_between
			TO8(frame_at)
			Get SP
			I64Const $-1
			I64Store ret+16(FP)
			RET
		End
		Get R8
		I32WrapI64
		I64Load8U $Reader_first
		I64Eqz
		If
			Get R11
			I64Const $0x2C
			I64Ne
			BrIf other
			ADVANCE(R0, $1)
			SPACE(behind)
		End
		Get R11
		I64Const $0x22
		I64Ne
		BrIf other
		ADVANCE(R0, $1)
		Get R0
		Set R6

		// The name that probably comes next is the first that is looked at.
		LOAD(R7, Fields_names)
		I32WrapI64
		I64Load $LENGTH
		Set R5
		Get R7
		I32WrapI64
		I64Load16S $Fields_next
		Set R3
names:
		Loop
			Get R5
			I64Eqz
			BrIf other
			ADVANCE(R5, $-1)
			Get R3
			LOAD(R7, Fields_names)
			I32WrapI64
			I64Load $LENGTH
			I64GeU
			If
				I64Const $0
				Set R3
			End
			LOAD(R7, Fields_names)
			I32WrapI64
			I64Load $0
			Get R3
			I64Const $4
			I64Shl
			I64Add
			Tee R4
			I32WrapI64
			I64Load $0
			Set R1
			LOAD(R4, LENGTH)
			Set R2
			Get R6
			Set R0
unlike:
			Block
				ALIKE(words, unlike)
				Get R0
				Get R2
				I64Add
				Tee R0
				I32WrapI64
				I64Load16U $0
				I64Const $0x3A22
				I64Ne
				BrIf unlike

				// It is this one. Has it been there before?
				I64Const $1
				Get R3
				I64Shl
				Tee R12
				LOAD(R7, Fields_seen)
				I64And
				I64Eqz
				I32Eqz
				BrIf other
				SET(R7)
				LOAD(R7, Fields_seen)
				Get R12
				I64Or
				TO(Fields_seen)
				SET(R7)
				Get R3
				I64Const $1
				I64Add
				I64Store16 $Fields_next
				SET(R10)
				I64Const $const_inName
				TO8(frame_at)
				SET(R10)
				OFFSET(R6)
				TO32(frame_name+START)
				SET(R10)
				OFFSET(R0)
				TO32(frame_name+END)
				SET(R10)
				Get R0
				Get R6
				I64Sub
				TO32(frame_name+LEN)
				SET(R10)
				I64Const $0
				TO8(frame_name+FORM)
				SET(R8)
				I64Const $0
				TO8(Reader_first)
				SET(R8)
				OFFSET(R0)
				I64Const $2
				I64Add
				TO(Reader_pos)
				Get SP
				Get R3
				I64Store ret+16(FP)
				RET
			End
			ADVANCE(R3, $1)
			Br names
		End
	End

	Get SP
	I64Load r+0(FP)
	I64Store $0
	Get SP
	I64Load f+8(FP)
	I64Store $8
	CALL ·nextOther(SB)
	Get SP
	Get SP
	I64Load $16
	I64Store ret+16(FP)
	RET

// func openFields(r *Reader, f *Fields, names *[]string) bool
//
// R0 is the address at hand, R7 the fields, R8 the reader, R9 the address of the
// text, R10 that of the frame, R11 a byte.
TEXT ·openFields(SB), 0, $32-25
	NO_LOCAL_POINTERS
	I64Load f+8(FP)
	Set R7
	I64Load r+0(FP)
	Tee R8
	I32WrapI64
	I64Load $Reader_text
	Tee R9
	LOAD(R8, Reader_pos)
	I64Add
	Set R0
other:
	Block
		SPACE(before)
		Get R11
		I64Const $0x7B
		I64Ne
		BrIf other
		LOAD(R8, Reader_depth)
		I64Const $const_MaxDepth
		I64Eq
		BrIf other
		SET(R7)
		I64Load names+16(FP)
		TO(Fields_names)
		SET(R7)
		I64Const $0
		TO(Fields_seen)
		SET(R7)
		LOAD(R8, Reader_names+LENGTH)
		TO32(Fields_base)
		SET(R7)
		I64Const $0
		I64Store16 $Fields_next
		SET(R7)
		I64Const $0
		TO8(Fields_strict)
		SET(R8)
		LOAD(R8, Reader_depth)
		I64Const $1
		I64Add
		Tee R10
		TO(Reader_depth)
		Get R8
		Get R10
		I64Const $frame__size
		I64Mul
		I64Add
		I64Const $Reader_frames
		I64Add
		Set R10
		SET(R10)
		I64Const $const_between
		TO8(frame_at)
		SET(R10)
		I64Const $0
		TO8(frame_array)
		SET(R8)
		I64Const $1
		TO8(Reader_first)
		SET(R8)
		OFFSET(R0)
		I64Const $1
		I64Add
		TO(Reader_pos)
		Get SP
		I64Const $1
		I64Store8 ret+24(FP)
		RET
	End

	Get SP
	I64Load r+0(FP)
	I64Store $0
	Get SP
	I64Load f+8(FP)
	I64Store $8
	Get SP
	I64Load names+16(FP)
	I64Store $16
	CALL ·openOther(SB)
	Get SP
	Get SP
	I64Load8U $24
	I64Store8 ret+24(FP)
	RET

// func shape(text []byte, i int, pieces []string, strings []String) (end, n int)
//
// R0 and R1 are the addresses at hand, in the text and in a piece, R2 is how many
// bytes of the piece are left, or marks, R3 the address of its header, R4 the end of
// those, R5 that of the string, R6 a word, R9 the address of the text.
TEXT ·shape(SB), NOSPLIT, $0-96
	I64Load text_base+0(FP)
	Tee R9
	I64Load i+24(FP)
	I64Add
	Set R0
	I64Load pieces_base+32(FP)
	Tee R3
	I64Load pieces_len+40(FP)
	I64Const $4
	I64Shl
	I64Add
	Set R4
	I64Load strings_base+56(FP)
	Set R5
unlike:
	Block
done:
		Block
pieces:
			Loop
				LOAD(R3, 0)
				Set R1
				LOAD(R3, LENGTH)
				Set R2
				ALIKE(words, unlike)
				Get R0
				Get R2
				I64Add
				Set R0
				ADVANCE(R3, $16)
				Get R3
				Get R4
				I64GeU
				BrIf done

				SET(R5)
				OFFSET(R0)
				TO32(START)
ascii:
				Loop
					Get R0
					I32WrapI64
					I64Load $0
					Tee R6
					I64Const $0x0202020202020202
					I64Xor
					I64Const $0x2121212121212121
					I64Sub
					Get R6
					I64Const BACKSLASHES
					I64Xor
					I64Const ONES
					I64Sub
					I64Or
					Get R6
					I64Or
					I64Const HIGHS
					I64And
					Tee R2
					I64Eqz
					If
						ADVANCE(R0, $8)
						Br ascii
					End
				End
				Get R0
				Get R2
				I64Ctz
				I64Const $3
				I64ShrU
				I64Add
				Tee R0
				I32WrapI64
				I64Load8U $0
				I64Const $0x22
				I64Ne
				BrIf done
				SET(R5)
				OFFSET(R0)
				TO32(END)
				SET(R5)
				OFFSET(R0)
				Get R5
				I32WrapI64
				I64Load32U $START
				I64Sub
				TO32(LEN)
				SET(R5)
				I64Const $0
				TO8(FORM)
				ADVANCE(R5, $16)
				Br pieces
			End
		End
		Get SP
		OFFSET(R0)
		I64Store end+80(FP)
		Get SP
		Get R5
		I64Load strings_base+56(FP)
		I64Sub
		I64Const $4
		I64ShrU
		I64Store n+88(FP)
		RET
	End
	Get SP
	I64Const $-1
	I64Store end+80(FP)
	Get SP
	Get R5
	I64Load strings_base+56(FP)
	I64Sub
	I64Const $4
	I64ShrU
	I64Store n+88(FP)
	RET
