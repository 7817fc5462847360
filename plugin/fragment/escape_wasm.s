#include "textflag.h"

// escape.go says what this does.

// MOVE goes on by n bytes in a register.
#define MOVE(r, n) \
	Get r; \
	I64Const n; \
	I64Add; \
	Set r

// ZEROS leaves marks of the bytes that are zero in the word on the stack. The first is right.
#define ZEROS \
	Tee R5; \
	I64Const $0x0101010101010101; \
	I64Sub; \
	Get R5; \
	I64Const $-1; \
	I64Xor; \
	I64And

// MARKUP leaves marks of the bytes of the word in R4 that are &, < or >.
#define MARKUP \
	Get R4; \
	I64Const $0x2626262626262626; \
	I64Xor; \
	ZEROS; \
	Get R4; \
	I64Const $0x0202020202020202; \
	I64Or; \
	I64Const $0x3e3e3e3e3e3e3e3e; \
	I64Xor; \
	ZEROS; \
	I64Or

// ENTITY goes on with the character if the word in R4 begins with the entity.
#define ENTITY(entity, length, char) \
	Get R4; \
	I64Const $(1<<(8*length)-1); \
	I64And; \
	I64Const entity; \
	I64Eq; \
	If; \
		I64Const $length; \
		Set R7; \
		I64Const char; \
		Set R5; \
		Br known; \
	End

// IS leaves whether the byte in R5 is that one.
#define IS(char) \
	Get R5; \
	I64Const char; \
	I64Eq

// func unescape(dst, text []byte, inKey bool) (n, read int)
//
// R0 is the address that is read, R1 the one that is written, R2 the end of the text, R3
// the last place to write at, R4 the word at hand, R5 a word or a character, R6 marks, R7
// how long the entity is, or how many bytes stand for themselves, R8 whether it is a key.
TEXT ·unescape(SB), NOSPLIT, $0-72
	I64Load dst_base+0(FP)
	Tee R1
	I64Load dst_len+8(FP)
	I64Add
	I64Const $8
	I64Sub
	Set R3
	I64Load text_base+24(FP)
	Tee R0
	I64Load text_len+32(FP)
	I64Add
	Set R2
	I64Load8U inKey+48(FP)
	Set R8

done:
	Block
next:
		Loop
			Get R0
			Get R2
			I64GeU
			Get R1
			Get R3
			I64GtS
			I32Or
			BrIf done

			// Eight bytes; of them only those before the first that may be escaped count.
			Get R0
			I32WrapI64
			I64Load $0
			Set R4
			Get R1
			I32WrapI64
			Get R4
			I64Store $0
			MARKUP
			Set R6
			Get R8
			I32WrapI64
			If
				Get R4
				I64Const $0x2222222222222222
				I64Xor
				ZEROS
				Get R4
				I64Const $0x2020202020202020
				I64Sub
				Get R4
				I64Const $-1
				I64Xor
				I64And
				I64Or
				Get R6
				I64Or
				Set R6
			End
			Get R6
			I64Const $-0x7f7f7f7f7f7f7f80
			I64And
			I64Ctz
			I64Const $3
			I64ShrU
			Tee R7
			Get R2
			Get R0
			I64Sub
			Tee R5
			Get R7
			Get R5
			I64LtU
			Select
			Tee R7
			I64Eqz
			If
				Get R4
				I64Const $0xFF
				I64And
				Tee R5
				I64Const $0x26
				I64Eq
				If
known:
					Block
						ENTITY($0x3b706d6126, 5, $0x26)
						ENTITY($0x3b746c26, 4, $0x3C)
						ENTITY($0x3b746726, 4, $0x3E)
						Get R8
						I64Eqz
						BrIf done
						ENTITY($0x3b746f757126, 6, $0x22)
						ENTITY($0x3b392326, 4, $0x09)
						ENTITY($0x3b30312326, 5, $0x0A)
						ENTITY($0x3b33312326, 5, $0x0D)
						Br done
					End
					Get R7
					Get R2
					Get R0
					I64Sub
					I64GtU
					BrIf done
				Else
					// Other control characters stand for themselves.
					Get R5
					I64Const $0x1F
					I64GtU
					IS($0x09)
					I32Or
					IS($0x0A)
					I32Or
					IS($0x0D)
					I32Or
					BrIf done
					I64Const $1
					Set R7
				End
				Get R1
				I32WrapI64
				Get R5
				I64Store8 $0
				MOVE(R1, $1)
				Get R0
				Get R7
				I64Add
				Set R0
				Br next
			End
			Get R0
			Get R7
			I64Add
			Set R0
			Get R1
			Get R7
			I64Add
			Set R1
			Br next
		End
	End

	Get SP
	Get R1
	I64Load dst_base+0(FP)
	I64Sub
	I64Store n+56(FP)
	Get SP
	Get R0
	I64Load text_base+24(FP)
	I64Sub
	I64Store read+64(FP)
	RET

// ESCAPED sets R6 to the entity if the byte in R5 is that one.
#define ESCAPED(char, entity) \
	IS(char); \
	If; \
		I64Const entity; \
		Set R6; \
	End

// func escapeKey(dst, key []byte) (n, length int)
//
// R0 is the address that is read, R1 the one that is written, R2 how much is left of the key, R3
// how many bytes escapes of JSON save, R4 the word at hand, R5 a word or a character, R6 marks or
// an entity, R7 how much is read.
TEXT ·escapeKey(SB), NOSPLIT, $0-64
	I64Load dst_base+0(FP)
	Set R1
	I64Load key_base+24(FP)
	Set R0
	I64Load key_len+32(FP)
	Set R2
	I64Const $0
	Set R3

done:
	Block
next:
		Loop
			Get R2
			I64Eqz
			BrIf done

			// Eight bytes; of them only those before the first that may be escaped count.
			Get R0
			I32WrapI64
			I64Load $0
			Set R4
			Get R1
			I32WrapI64
			Get R4
			I64Store $0
			MARKUP
			Get R4
			I64Const $0x5c5c5c5c5c5c5c5c
			I64Xor
			ZEROS
			I64Or
			I64Const $-0x7f7f7f7f7f7f7f80
			I64And
			I64Ctz
			I64Const $3
			I64ShrU
			Tee R7
			Get R2
			Get R7
			Get R2
			I64LtU
			Select
			Tee R7
			I64Eqz
			If
				I64Const $1
				Set R7
				I64Const $0
				Set R6
				Get R4
				I64Const $0xFF
				I64And
				Tee R5
				I64Const $0x5C
				I64Eq
				If
					I64Const $2
					Set R7
					Get R4
					I64Const $8
					I64ShrU
					I64Const $0xFF
					I64And
					Set R5
					ESCAPED($0x22, $0x3b746f757126)
					ESCAPED($0x74, $0x3b392326)
					ESCAPED($0x6E, $0x3b30312326)
					ESCAPED($0x72, $0x3b33312326)
					Get R6
					I64Eqz
					If
						// It stays.
						I64Const $6
						I64Const $2
						IS($0x75)
						Select
						Tee R7
						Get R3
						I64Add
						I64Const $1
						I64Sub
						Set R3
					End
				Else
					ESCAPED($0x26, $0x3b706d6126)
					ESCAPED($0x3C, $0x3b746c26)
					ESCAPED($0x3E, $0x3b746726)
				End
				Get R6
				I64Eqz
				I32Eqz
				If
					Get R1
					I32WrapI64
					Get R6
					I64Store $0
					Get R1
					I64Const $71
					Get R6
					I64Clz
					I64Sub
					I64Const $3
					I64ShrU
					I64Add
					Get R7
					I64Sub // which is added again
					Set R1
				End
			End
			Get R0
			Get R7
			I64Add
			Set R0
			Get R1
			Get R7
			I64Add
			Set R1
			Get R2
			Get R7
			I64Sub
			Set R2
			Br next
		End
	End

	Get SP
	Get R1
	I64Load dst_base+0(FP)
	I64Sub
	Tee R1
	I64Store n+48(FP)
	Get SP
	Get R1
	Get R3
	I64Sub
	I64Store length+56(FP)
	RET
