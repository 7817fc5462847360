#include "go_asm.h"
#include "textflag.h"

// run.go says what this does, and the tests hold it to the reading member by
// member.

#define ONES $0x0101010101010101
#define HIGHS $-0x7f7f7f7f7f7f7f80
#define BACKSLASHES $0x5c5c5c5c5c5c5c5c

// What stands in a member of the usual form: ":{"value":" and ","kind":" with the
// quote before them, then the kinds.
#define VALUE_8 $0x756c6176227b3a22
#define VALUE_12 $0x223a2265
#define KIND_8 $0x22646e696b222c22
#define KIND_10 $0x223a
#define UNTRUSTE $0x6574737572746e75
#define UNTRUSTED $0x7d2264
#define APPLICAT $0x746163696c707061
#define APPLICATION $0x7d226e6f69

// The same with a space behind each colon and comma, as some serializers write.
#define SPACED_8 $0x6c6176227b203a22
#define SPACED_14 $0x22203a226575
#define SPACED_KIND_8 $0x646e696b22202c22
#define SPACED_KIND_12 $0x22203a22

// And with the kind first: ":{"kind":" and what stands from the kind to the value.
#define FIRST_8 $0x646e696b227b3a22
#define FIRST_11 $0x223a22
#define D_VALU $0x756c6176222c2264
#define E_4 $0x223a2265
#define ION_VA $0x6176222c226e6f69
#define LUE_6 $0x223a2265756c

#define SPACED_FIRST_8 $0x6e696b227b203a22
#define SPACED_FIRST_13 $0x22203a2264
#define SPACED_D_VAL $0x6c617622202c2264
#define SPACED_UE_6 $0x22203a226575
#define SPACED_ION_V $0x7622202c226e6f69
#define SPACED_ALUE $0x22203a2265756c61

// LETTERS has a bit for each letter, less 64, that may follow a backslash in the
// output: \ b f n r t.
#define LETTERS $0x14404410000000

// FEW is up to how many entries of like are searched, MANY the bytes that as many
// entries have, up to which those that come out of order are put in place.
#define FEW $32
#define MANY $(32*Entry__size)

// A string has its start at 0, its end at 4, its length at 8, its form at 12.
#define START 0
#define END 4
#define LEN 8
#define FORM 12

#define ADVANCE(p, n) \
	Get p; \
	I64Const n; \
	I64Add; \
	Set p

// BYTE leaves the byte at that offset from R0.
#define BYTE(offset) \
	Get R0; \
	I32WrapI64; \
	I64Load8U offset

// FIELD leaves a field of the entry at r, of 32 bits.
#define FIELD(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load32U $(field)

// SETFIELD begins to set a field of the entry at R4, and TO ends it: what stands
// between leaves the value.
#define SETFIELD Get R4; I32WrapI64
#define TO(field) I64Store32 $(field)

// OFFSET leaves the offset in the text of the address in r.
#define OFFSET(r) \
	Get r; \
	Get R3; \
	I64Sub

// SPECIAL moves R0 to the first byte from it on that is no printable ASCII, a
// quote or a backslash.
#define SPECIAL(label) \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
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
		If; \
			ADVANCE(R0, $8); \
			Br label; \
		End; \
	End; \
	Get R0; \
	Get R2; \
	I64Ctz; \
	I64Const $3; \
	I64ShrU; \
	I64Add; \
	Set R0

// SUSPICIOUS does the same as SPECIAL, and stops at a less-than sign, a delete, and a
// bar, which differs from two of the others in one bit.
#define SUSPICIOUS(label) \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		Tee R2; \
		I64Const $0x0202020202020202; \
		I64Xor; \
		I64Const $0x2121212121212121; \
		I64Sub; \
		Get R2; \
		I64Const $-0x6060606060606061; \
		I64And; \
		I64Const $0x1C1C1C1C1C1C1C1C; \
		I64Xor; \
		I64Const ONES; \
		I64Sub; \
		I64Or; \
		Get R2; \
		I64Const ONES; \
		I64Add; \
		I64Or; \
		Get R2; \
		I64Or; \
		I64Const HIGHS; \
		I64And; \
		Tee R2; \
		I64Eqz; \
		If; \
			ADVANCE(R0, $8); \
			Br label; \
		End; \
	End; \
	Get R0; \
	Get R2; \
	I64Ctz; \
	I64Const $3; \
	I64ShrU; \
	I64Add; \
	Set R0

// REST leaves whether the bytes at that offset from r are not want, under mask.
#define REST(r, offset, mask, want) \
	Get r; \
	I32WrapI64; \
	I64Load offset; \
	I64Const mask; \
	I64And; \
	I64Const want; \
	I64Ne

// KEYORDER sets R2 to how the key of the entry at r compares with that of the
// entry at R4: less than 0, 0, or more. Both are plain.
#define KEYORDER(label, r) \
	Get R3; \
	FIELD(r, Entry_Key+START); \
	I64Add; \
	Set R1; \
	Get R3; \
	FIELD(R4, Entry_Key+START); \
	I64Add; \
	Set R14; \
	FIELD(r, Entry_Key+LEN); \
	FIELD(R4, Entry_Key+LEN); \
	I64Sub; \
	Set R2; \
	FIELD(r, Entry_Key+LEN); \
	FIELD(R4, Entry_Key+LEN); \
	Get R2; \
	I64Const $0; \
	I64LtS; \
	Select; \
	Set R10; \
label: \
	Loop; \
		Get R10; \
		I64Const $0; \
		I64GtS; \
		If; \
			Get R1; \
			I32WrapI64; \
			I64Load $0; \
			Get R14; \
			I32WrapI64; \
			I64Load $0; \
			I64Xor; \
			Tee R11; \
			I64Eqz; \
			If; \
				ADVANCE(R1, $8); \
				ADVANCE(R14, $8); \
				ADVANCE(R10, $-8); \
				Br label; \
			End; \
			Get R11; \
			I64Ctz; \
			I64Const $3; \
			I64ShrU; \
			Tee R11; \
			Get R10; \
			I64LtU; \
			If; \
				Get R1; \
				Get R11; \
				I64Add; \
				I32WrapI64; \
				I64Load8U $0; \
				Get R14; \
				Get R11; \
				I64Add; \
				I32WrapI64; \
				I64Load8U $0; \
				I64Sub; \
				Set R2; \
			End; \
		End; \
	End

// SAME copies a field of the entry at R6 to that at R4, MOVED one that is an offset.
#define SAME(field) \
	SETFIELD; \
	FIELD(R6, field); \
	TO(field)
#define MOVED(field) \
	SETFIELD; \
	FIELD(R6, field); \
	Get R10; \
	I64Add; \
	TO(field)

// DIFFER leaves the bits in which the words at R0 and R1 differ.
#define DIFFER(offset) \
	Get R0; \
	I32WrapI64; \
	I64Load offset; \
	Get R1; \
	I32WrapI64; \
	I64Load offset; \
	I64Xor

#define IFNOT \
	I32Eqz; \
	If

// COUNT leaves how many entries lie between the addresses on the stack, one above
// the other: a division by 48.
#define COUNT \
	I64Sub; \
	I64Const $0xAAAAAAAB; \
	I64Mul; \
	I64Const $37; \
	I64ShrU

// func readRun(text []byte, i int, entries, like []Entry, hint int, scan scanMode, resumed, unordered bool) (end, n, newHint int, form json.Form, s runState, nowUnordered bool)
//
// R0 is the address at hand, R1 that of what it is compared with, R2 a word,
// marks or an order, R3 the address of the text, R4 that of the entry at hand, R5
// the end of entries, R6 and R7 the same for like, R8 the end of the text, R9 the
// end of the member before, R10 a length, or whether a value is clean, R11 and R14 are for KEYORDER, R12 is
// how much escapes save, where a member begins, or an entry before, R13 the form,
// R15 the state. newHint is, on the way, the address of the entry of like whose
// bytes were compared.
TEXT ·readRun(SB), NOSPLIT, $0-123
	I64Load text_base+0(FP)
	Tee R3
	I64Load i+24(FP)
	I64Add
	Tee R0
	Set R9
	Get R3
	I64Load text_len+8(FP)
	I64Add
	I64Const $32
	I64Sub
	Set R8
	I64Load entries_base+32(FP)
	I64Load entries_len+40(FP)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R4
	I64Load entries_base+32(FP)
	I64Load entries_cap+48(FP)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R5
	I64Load like_base+56(FP)
	I64Load hint+80(FP)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R6
	I64Load like_base+56(FP)
	I64Load like_len+64(FP)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R7
	I64Const $0
	Tee R13
	Set R15

stop:
	Block
members:
		Loop
complete:
			Block
				// A value that was read already is gone on with behind it.
				I64Load8U resumed+89(FP)
				I64Eqz
				If
					BYTE($0)
					I64Const $0x7D
					I64Eq
					If
						ADVANCE(R0, $1)
						Get R0
						Set R9
						I64Const $const_runClosed
						Set R15
						Br stop
					End
					Get R4
					Get R5
					I64GeU
					If
						I64Const $const_runFull
						Set R15
						Br stop
					End

					// A comma, but not behind the opening bracket, and a quote.
					Get R0
					I64Const $1
					I64Sub
					I32WrapI64
					I64Load8U $0
					I64Const $0x7B
					I64Ne
					If
						BYTE($0)
						I64Const $0x2C
						I64Ne
						BrIf stop
						ADVANCE(R0, $1)
						BYTE($0)
						I64Const $0x20
						I64Eq
						If
							ADVANCE(R0, $1)
						End
					End
					BYTE($0)
					I64Const $0x22
					I64Ne
					BrIf stop
					Get R0
					Set R12

again:
					Loop
						Get SP
						Get R6
						I64Store newHint+112(FP)
different:
						Block
							// The same bytes as the entry at hand of like?
							Get R6
							Get R7
							I64GeU
							BrIf different
							Get R6
							I32WrapI64
							I64Load8U $Entry_null
							I64Eqz
							I32Eqz
							BrIf different
							FIELD(R6, Entry_end)
							FIELD(R6, Entry_start)
							I64Sub
							Tee R10
							Get R0
							I64Add
							Tee R2
							Get R8
							I64GtU
							BrIf different
							I64Load8U scan+88(FP)
							I64Eqz
							If
								Get R10
								I64Const $64
								I64GtU
								BrIf stop
							End
							Get R3
							FIELD(R6, Entry_start)
							I64Add
							Set R1
lines:
							Loop
								Get R10
								I64Const $40
								I64GeU
								If
									DIFFER($0)
									DIFFER($8)
									I64Or
									DIFFER($16)
									I64Or
									DIFFER($24)
									I64Or
									I64Eqz
									IFNOT
										Get R12
										Set R0
										Br different
									End
									ADVANCE(R0, $32)
									ADVANCE(R1, $32)
									ADVANCE(R10, $-32)
									Br lines
								End
							End
words:
							Loop
								Get R10
								I64Const $8
								I64GtU
								If
									DIFFER($0)
									I64Eqz
									IFNOT
										Get R12
										Set R0
										Br different
									End
									ADVANCE(R0, $8)
									ADVANCE(R1, $8)
									ADVANCE(R10, $-8)
									Br words
								End
							End
							// The last eight, some of them a second time.
							Get R1
							Get R10
							I64Add
							I64Const $8
							I64Sub
							Set R1
							Get R2
							I64Const $8
							I64Sub
							Set R0
							DIFFER($0)
							I64Eqz
							IFNOT
								Get R12
								Set R0
								Br different
							End

							// It is. R10 is how far behind it stands.
							Get R2
							Set R0
							Get R12
							Get R3
							FIELD(R6, Entry_start)
							I64Add
							I64Sub
							Set R10
							MOVED(Entry_Key+START)
							MOVED(Entry_Key+END)
							SAME(Entry_Key+LEN)
							SAME(Entry_Key+FORM)
							MOVED(Entry_Value+START)
							MOVED(Entry_Value+END)
							SAME(Entry_Value+LEN)
							SAME(Entry_Value+FORM)
							SAME(Entry_Kind)
							MOVED(Entry_start)
							MOVED(Entry_end)
							SETFIELD
							Get R6
							I64Load like_base+56(FP)
							COUNT
							TO(Entry_twin)
							ADVANCE(R6, $Entry__size)
							Br complete
						End

						// The key.
						SETFIELD
						OFFSET(R0)
						TO(Entry_start)
						ADVANCE(R0, $1)
						SETFIELD
						OFFSET(R0)
						TO(Entry_Key+START)
						SPECIAL(key)
						BYTE($0)
						I64Const $0x22
						I64Ne
						BrIf stop
						SETFIELD
						OFFSET(R0)
						TO(Entry_Key+END)
						SETFIELD
						FIELD(R4, Entry_Key+END)
						FIELD(R4, Entry_Key+START)
						I64Sub
						TO(Entry_Key+LEN)
						SETFIELD
						I64Const $0
						TO(Entry_Key+FORM)

						// What stands up to the value: R10 is how long it is.
shape:
						Block
							Get R0
							I32WrapI64
							I64Load $0
							Tee R2
							I64Const VALUE_8
							I64Eq
							If
								Get R0
								I32WrapI64
								I64Load32U $8
								I64Const VALUE_12
								I64Ne
								BrIf stop
								SETFIELD
								I64Const $const_unread
								TO(Entry_Kind)
								I64Const $12
								Set R10
								Br shape
							End
							Get R2
							I64Const SPACED_8
							I64Eq
							If
								REST(R0, $8, $0xFFFFFFFFFFFF, SPACED_14)
								BrIf stop
								SETFIELD
								I64Const $const_unread
								TO(Entry_Kind)
								I64Const $14
								Set R10
								Br shape
							End
							Get R2
							I64Const FIRST_8
							I64Eq
							If
								REST(R0, $8, $0xFFFFFF, FIRST_11)
								BrIf stop
								Get R0
								I32WrapI64
								I64Load $11
								I64Const UNTRUSTE
								I64Eq
								If
									REST(R0, $19, $-1, D_VALU)
									REST(R0, $27, $0xFFFFFFFF, E_4)
									I32Or
									BrIf stop
									SETFIELD
									I64Const $const_untrusted
									TO(Entry_Kind)
									I64Const $31
									Set R10
									Br shape
								End
								REST(R0, $11, $-1, APPLICAT)
								REST(R0, $19, $-1, ION_VA)
								I32Or
								REST(R0, $27, $0xFFFFFFFFFFFF, LUE_6)
								I32Or
								BrIf stop
								SETFIELD
								I64Const $const_application
								TO(Entry_Kind)
								I64Const $33
								Set R10
								Br shape
							End
							Get R2
							I64Const SPACED_FIRST_8
							I64Ne
							REST(R0, $8, $0xFFFFFFFFFF, SPACED_FIRST_13)
							I32Or
							BrIf stop
							Get R0
							I32WrapI64
							I64Load $13
							I64Const UNTRUSTE
							I64Eq
							If
								REST(R0, $21, $-1, SPACED_D_VAL)
								REST(R0, $29, $0xFFFFFFFFFFFF, SPACED_UE_6)
								I32Or
								BrIf stop
								SETFIELD
								I64Const $const_untrusted
								TO(Entry_Kind)
								I64Const $35
								Set R10
								Br shape
							End
							REST(R0, $13, $-1, APPLICAT)
							REST(R0, $21, $-1, SPACED_ION_V)
							I32Or
							REST(R0, $29, $-1, SPACED_ALUE)
							I32Or
							BrIf stop
							SETFIELD
							I64Const $const_application
							TO(Entry_Kind)
							I64Const $37
							Set R10
						End
						SETFIELD
						OFFSET(R0)
						Get R10
						I64Add
						TO(Entry_Value+START)

						// The entry of like that has the key. In order, those that come
						// before it are passed for good; else it is looked for, where
						// they are few.
found:
						Block
							I64Load8U unordered+90(FP)
							I64Eqz
							If
passed:
								Loop
									Get R6
									Get R7
									I64GeU
									BrIf found
									KEYORDER(likes, R6)
									Get R2
									I64Const $0
									I64GtS
									BrIf found
									Get R2
									I64Eqz
									IFNOT
										ADVANCE(R6, $Entry__size)
										Br passed
									End
								End
							Else
								I64Load like_len+64(FP)
								I64Const FEW
								I64GtU
								BrIf found
								I64Load like_base+56(FP)
								Set R6
search:
								Loop
									Get R6
									Get R7
									I64GeU
									If
										I64Load newHint+112(FP)
										Set R6
										Br found
									End
									FIELD(R6, Entry_Key+LEN)
									FIELD(R4, Entry_Key+LEN)
									I64Ne
									If
										ADVANCE(R6, $Entry__size)
										Br search
									End
									KEYORDER(same, R6)
									Get R2
									I64Eqz
									IFNOT
										ADVANCE(R6, $Entry__size)
										Br search
									End
								End
							End
							// Its bytes are to be compared, if they were not.
							Get R6
							I64Load newHint+112(FP)
							I64Ne
							If
								Get R12
								Set R0
								Br again
							End
							ADVANCE(R6, $Entry__size)
						End
					End
					Get R3
					FIELD(R4, Entry_Value+START)
					I64Add
					Set R0
					I64Const $0
					Set R12
					I64Load8U scan+88(FP)
					I64Const $const_scanWatching
					I64Eq
					I64ExtendI32U
					Set R10
value:
					Block
others:
						Block
							I64Load8U scan+88(FP)
							I64Eqz
							BrIf others
strings:
							Loop
								I64Load8U scan+88(FP)
								I64Const $const_scanWatching
								I64Eq
								If
									SUSPICIOUS(watched)
								Else
									SPECIAL(ascii)
								End
								BYTE($0)
								Tee R2
								I64Const $0x22
								I64Eq
								BrIf value
								Get R2
								I64Const $0x5C
								I64Ne
								If
									// One that only ends the watched scan.
									Get R2
									I64Const $0x3C
									I64Eq
									If
										Get R10
										BYTE($1)
										I64Const $0x2F
										I64Ne
										I64ExtendI32U
										I64And
										Set R10
										ADVANCE(R0, $1)
										Br strings
									End
									Get R2
									I64Const $0x7C
									I64Eq
									If
										ADVANCE(R0, $1)
										Br strings
									End
									Get R2
									I64Const $0x7F
									I64Eq
									If
										I64Const $0
										Set R10
										ADVANCE(R0, $1)
										Br strings
									End
									Br others
								End
								BYTE($1)
								Tee R2
								I64Const $0x22
								I64Eq
								I64Const LETTERS
								Get R2
								I64Const $64
								I64Sub
								I64ShrU
								I32WrapI64
								I32Const $1
								I32And
								Get R2
								I64Const $6
								I64ShrU
								I64Const $1
								I64Eq
								I32And
								I32Or
								I32Eqz
								BrIf others
								// Of them only b, f and r, controls, have bits 6 and 1, not bit 3.
								Get R10
								Get R2
								I64Const $0x4A
								I64And
								I64Const $0x42
								I64Ne
								I64ExtendI32U
								I64And
								Set R10
								ADVANCE(R0, $2)
								ADVANCE(R12, $1)
								Br strings
							End
						End
						// Something that is not looked at here: where it stands, and
						// what there was so far.
						SETFIELD
						Get R12
						TO(Entry_Value+LEN)
						Get R0
						Set R9
						I64Const $const_runInValue
						Set R15
						Br stop
					End
					SETFIELD
					OFFSET(R0)
					TO(Entry_Value+END)
					SETFIELD
					FIELD(R4, Entry_Value+END)
					FIELD(R4, Entry_Value+START)
					I64Sub
					Get R12
					I64Sub
					TO(Entry_Value+LEN)
					SETFIELD
					Get R12
					I64Const $0
					I64Ne
					I64ExtendI32U
					Tee R2
					TO(Entry_Value+FORM)
					Get R13
					Get R2
					I64Or
					Set R13
				End
				Get SP
				I64Const $0
				I64Store8 resumed+89(FP)

				// The kind, or the end.
				Get R4
				I32WrapI64
				I64Load8U $Entry_Kind
				I64Const $const_unread
				I64Ne
				If
					BYTE($1)
					I64Const $0x7D
					I64Ne
					BrIf stop
					ADVANCE(R0, $2)
				Else
					Get R0
					I32WrapI64
					I64Load $0
					Tee R2
					I64Const KIND_8
					I64Eq
					If
						REST(R0, $8, $0xFFFF, KIND_10)
						BrIf stop
						ADVANCE(R0, $10)
					Else
						Get R2
						I64Const SPACED_KIND_8
						I64Ne
						REST(R0, $8, $0xFFFFFFFF, SPACED_KIND_12)
						I32Or
						BrIf stop
						ADVANCE(R0, $12)
					End
					Get R0
					I32WrapI64
					I64Load $0
					Tee R2
					I64Const UNTRUSTE
					I64Eq
					If
						REST(R0, $8, $0xFFFFFF, UNTRUSTED)
						BrIf stop
						ADVANCE(R0, $11)
						SETFIELD
						I64Const $const_untrusted
						TO(Entry_Kind)
					Else
						Get R2
						I64Const APPLICAT
						I64Ne
						REST(R0, $8, $0xFFFFFFFFFF, APPLICATION)
						I32Or
						BrIf stop
						ADVANCE(R0, $13)
						SETFIELD
						I64Const $const_application
						TO(Entry_Kind)
					End
				End
				SETFIELD
				Get R10
				I64Store8 $Entry_clean
				SETFIELD
				OFFSET(R0)
				TO(Entry_end)
				SETFIELD
				I64Const $-1
				TO(Entry_twin)
			End

			// Its place among those before it. Twins stand in the order of like.
			I64Load8U unordered+90(FP)
			I64Eqz
			Get R4
			I32WrapI64
			I64Load32S $Entry_twin
			I64Const $0
			I64GeS
			I32And
			I32Eqz
			If
				Get R4
				I64Const $Entry__size
				I64Sub
				Set R12
placed:
				Block
before:
					Loop
						Get R12
						I64Load entries_base+32(FP)
						I64LtU
						BrIf placed
						Get R12
						I32WrapI64
						I64Load8U $(Entry_Key+FORM)
						I64Eqz
						I32Eqz
						BrIf stop
						KEYORDER(orders, R12)
						Get R2
						I64Const $0
						I64LtS
						BrIf placed
						// One that stands twice is left to others, and so are many.
						Get R2
						I64Eqz
						BrIf stop
						Get R4
						I64Load entries_base+32(FP)
						I64Sub
						I64Const MANY
						I64GtU
						BrIf stop
						Get SP
						I64Const $1
						I64Store8 unordered+90(FP)
						ADVANCE(R12, $-Entry__size)
						Br before
					End
				End
				ADVANCE(R12, $Entry__size)

				// Those behind it move by one, a word at a time.
				Get R12
				Get R4
				I64Ne
				If
					I64Const $0
					Set R10
columns:
					Loop
						Get R4
						Get R10
						I64Add
						Tee R1
						I32WrapI64
						I64Load $0
						Set R11
rows:
						Loop
							Get R1
							Get R10
							I64Sub
							Get R12
							I64GtU
							If
								Get R1
								I32WrapI64
								Get R1
								I64Const $Entry__size
								I64Sub
								Tee R1
								I32WrapI64
								I64Load $0
								I64Store $0
								Br rows
							End
						End
						Get R1
						I32WrapI64
						Get R11
						I64Store $0
						ADVANCE(R10, $8)
						Get R10
						I64Const $Entry__size
						I64LtU
						BrIf columns
					End
				End
			End
			Get R0
			Set R9
			ADVANCE(R4, $Entry__size)
			Br members
		End
	End

	Get SP
	OFFSET(R9)
	I64Store end+96(FP)
	Get SP
	Get R4
	I64Load entries_base+32(FP)
	COUNT
	I64Store n+104(FP)
	Get SP
	Get R6
	I64Load like_base+56(FP)
	COUNT
	I64Store newHint+112(FP)
	Get SP
	Get R13
	I64Store8 form+120(FP)
	Get SP
	Get R15
	I64Store8 s+121(FP)
	Get SP
	I64Load8U unordered+90(FP)
	I64Store8 nowUnordered+122(FP)
	RET
