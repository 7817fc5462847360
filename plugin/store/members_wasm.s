#include "go_asm.h"
#include "shared_wasm.h"
#include "textflag.h"

// members.go says what this does.

// What stands between a key and a value, and behind a value, with the quotes.
#define KIND $0x22646e696b222c22
#define UNTRUS $0x737572746e75223a
#define TED $0x7d22646574
#define APPLIC $0x63696c707061223a
#define ATION $0x7d226e6f697461

// FIELD leaves a field of the entry at R2.
#define FIELD(field) \
	Get R2; \
	I32WrapI64; \
	I64Load32U $(field)

// FORMED leaves whether the value of the entry at R2 is not in other escapes.
#define FORMED \
	Get R2; \
	I32WrapI64; \
	I64Load8U $(Entry_Value+FORM); \
	I64Const $const_foreign; \
	I64LtU

// USUAL leaves whether the tokens around its value are what is to be written.
#define USUAL \
	FIELD(Entry_Value+START); \
	FIELD(Entry_Key+END); \
	I64Sub; \
	I64Const $12; \
	I64Eq; \
	FIELD(Entry_end); \
	FIELD(Entry_Value+END); \
	I64Sub; \
	I64Const $23; \
	I64Const $21; \
	Get R2; \
	I32WrapI64; \
	I64Load8U $Entry_Kind; \
	I64Const $const_application; \
	I64Eq; \
	Select; \
	I64Eq; \
	I32And

// PUT writes a word at that offset from R0.
#define PUT(offset, word) \
	Get R0; \
	I32WrapI64; \
	I64Const word; \
	I64Store offset

// COPY writes what is between two fields, and moves past it. COPYTO does that from the address
// in R5 on, R6 bytes.
#define COPY(words, start, end) \
	Get R1; \
	FIELD(start); \
	I64Add; \
	Set R5; \
	FIELD(end); \
	FIELD(start); \
	I64Sub; \
	Set R6; \
	COPYTO(words)
#define COPYTO(words) \
	Get R6; \
	I64Const $128; \
	I64GtU; \
	If; \
		Get R0; \
		I32WrapI64; \
		Get R5; \
		I32WrapI64; \
		Get R6; \
		I32WrapI64; \
		MemoryCopy; \
	Else; \
		I64Const $0; \
		Set R7; \
words: \
		Loop; \
			Get R0; \
			Get R7; \
			I64Add; \
			I32WrapI64; \
			Get R5; \
			Get R7; \
			I64Add; \
			I32WrapI64; \
			I64Load $0; \
			I64Store $0; \
			ADVANCE(R7, $8); \
			Get R7; \
			Get R6; \
			I64LtU; \
			BrIf words; \
		End; \
	End; \
	Get R0; \
	Get R6; \
	I64Add; \
	Set R0

// PUTEND writes what is behind a value, of that length.
#define PUTEND(middle, end, length) \
	PUT($0, KIND); \
	PUT($8, middle); \
	PUT($16, end); \
	ADVANCE(R0, length)

// COMMA writes a comma between entries.
#define COMMA \
	Get R0; \
	Get R10; \
	I64Ne; \
	If; \
		PUT($0, $0x2C); \
		ADVANCE(R0, $1); \
	End

// func writeMembers(dst, text []byte, entries []Entry) (written, n int)
//
// R0 is the address at hand, R1 that of the text, R2 that of the entry at hand, R3
// the end of the entries, R4 the end of dst, R5 is where a piece stands, R6 how long
// it is, R7 an offset in it or in the text, R8 where the last entry ends, R9 the first of those that
// are copied at once, R10 where dst begins.
TEXT ·writeMembers(SB), NOSPLIT, $0-88
	I64Load dst_base+0(FP)
	Tee R0
	Tee R8
	Tee R10
	I64Load dst_len+8(FP)
	I64Add
	Set R4
	I64Load text_base+24(FP)
	Set R1
	I64Load entries_base+48(FP)
	Tee R2
	I64Load entries_len+56(FP)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R3

stop:
	Block
next:
		Loop
			Get R2
			Get R3
			I64GeU
			BrIf stop

			FORMED
			I32Eqz
			BrIf stop

			// Those that stand as they are to be written, one after the other, are copied at
			// once. R6 is where they end.
			USUAL
			If
				FIELD(Entry_start)
				Tee R7
				Get R1
				I64Add
				Set R5
				Get R2
				Set R9
run:
				Loop
					FIELD(Entry_end)
					Set R6
					ADVANCE(R2, $Entry__size)
					Get R2
					Get R3
					I64LtU
					If
						FIELD(Entry_start)
						Get R6
						I64Const $1
						I64Add
						I64Eq
						FORMED
						I32And
						USUAL
						I32And
						BrIf run
					End
				End
				Get R6
				Get R7
				I64Sub
				Set R6
				Get R4
				Get R0
				I64Sub
				Get R6
				I64Const $(1+8)
				I64Add
				I64LtS
				If
					Get R9
					Set R2
					Br stop
				End
				COMMA
				COPYTO(members)
				Get R0
				Set R8
				Br next
			End

			// What is around key and value has 37 bytes, and up to 8 more are
			// written that do not count.
			Get R4
			Get R0
			I64Sub
			FIELD(Entry_Key+4)
			FIELD(Entry_Key+0)
			I64Sub
			FIELD(Entry_Value+4)
			FIELD(Entry_Value+0)
			I64Sub
			I64Add
			I64Const $48 // bytes
			I64Add
			I64LtS
			BrIf stop

			COMMA
			PUT($0, $0x22)
			ADVANCE(R0, $1)
			COPY(key, Entry_Key+0, Entry_Key+4)
			PUT($0, VALUE_8)
			PUT($8, VALUE_12)
			ADVANCE(R0, $12)
			COPY(value, Entry_Value+0, Entry_Value+4)
			Get R2
			I32WrapI64
			I64Load8U $Entry_Kind
			I64Const $const_application
			I64Eq
			If
				PUTEND(APPLIC, ATION, $23)
			Else
				PUTEND(UNTRUS, TED, $21)
			End
			Get R0
			Set R8
			ADVANCE(R2, $Entry__size)
			Br next
		End
	End

	Get SP
	Get R8
	I64Load dst_base+0(FP)
	I64Sub
	I64Store written+72(FP)
	Get SP
	Get R2
	I64Load entries_base+48(FP)
	I64Sub
	I64Const $Entry__size
	I64DivU
	I64Store n+80(FP)
	RET
