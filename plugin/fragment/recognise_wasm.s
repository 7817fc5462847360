#include "textflag.h"

// recognise.go says what this does.

// LINE leaves whether the byte in R2 is a space, or one of those from tab to carriage return.
#define LINE \
	Get R2; \
	I64Const $0x20; \
	I64Eq; \
	Get R2; \
	I64Const $9; \
	I64Sub; \
	I64Const $5; \
	I64LtU; \
	I32Or

// TWO and THREE leave whether the bytes in R2 are such a character. Of U+2000 to U+203F a
// bit tells: U+2000 to U+200A, U+2028, U+2029 and U+202F are.
#define IS(bytes) \
	Get R2; \
	I64Const bytes; \
	I64Eq
#define TWO \
	IS($0x85C2); \
	IS($0xA0C2); \
	I32Or
#define THREE \
	IS($0x8080E3); \
	IS($0x9F81E2); \
	I32Or; \
	IS($0x809AE1); \
	I32Or; \
	Get R2; \
	I64Const $0xFFFF; \
	I64And; \
	I64Const $0x80E2; \
	I64Eq; \
	I64Const $0x8300000007FF; \
	Get R2; \
	I64Const $16; \
	I64ShrU; \
	I64ShrU; \
	I32WrapI64; \
	I32And; \
	I32Const $1; \
	I32And; \
	I32Or

// BYTES sets R2 to what mask leaves of the bytes at that place.
#define BYTES(place, mask) \
	place; \
	I32WrapI64; \
	I64Load32U $0; \
	I64Const mask; \
	I64And; \
	Set R2

// BEFORE is so many bytes before R1.
#define BEFORE(n) Get R1; I64Const n; I64Sub

// MOVE goes on by n bytes in a register.
#define MOVE(r, n) \
	Get r; \
	I64Const n; \
	I64Add; \
	Set r

// func ends(text []byte) (start, end int)
//
// R0 is where the text begins, R1 where it ends, R2 what stands there. In well-formed text
// a character that is not complete begins and ends none.
TEXT ·ends(SB), NOSPLIT, $0-40
	I64Load text_base+0(FP)
	Tee R0
	I64Load text_len+8(FP)
	I64Add
	Set R1

done:
	Block
start:
		Loop
			Get R0
			Get R1
			I64GeU
			BrIf done
			BYTES(Get R0, $0xFF)
			LINE
			If
				MOVE(R0, $1)
				Br start
			End
			BYTES(Get R0, $0xFFFFFF)
			THREE
			If
				MOVE(R0, $3)
				Br start
			End
			BYTES(Get R0, $0xFFFF)
			TWO
			If
				MOVE(R0, $2)
				Br start
			End
		End
end:
		Loop
			// What is not white space stands behind R0.
			BYTES(BEFORE($1), $0xFF)
			LINE
			If
				MOVE(R1, $-1)
				Br end
			End
			BYTES(BEFORE($3), $0xFFFFFF)
			THREE
			If
				MOVE(R1, $-3)
				Br end
			End
			BYTES(BEFORE($2), $0xFFFF)
			TWO
			If
				MOVE(R1, $-2)
				Br end
			End
		End
	End

	Get SP
	Get R0
	I64Load text_base+0(FP)
	I64Sub
	I64Store start+24(FP)
	Get SP
	Get R1
	I64Load text_base+0(FP)
	I64Sub
	I64Store end+32(FP)
	RET
