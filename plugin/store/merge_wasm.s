#include "go_asm.h"
#include "shared_wasm.h"
#include "textflag.h"
#include "writing_wasm.h"

// merge_wasm.go says what these do of merge.go and store.go, which go on where one of
// them stops; a test holds them to what is done without them.

// STRINGAT sets r to the address of a string of the entry at e.
#define STRINGAT(r, e, field) \
	Get R9; \
	LOAD32(e, field+START); \
	I64Add; \
	Set r

// BITS leaves the bits in which the words at R12 and R13 differ.
#define BITS(offset) \
	Get R12; \
	I32WrapI64; \
	I64Load offset; \
	Get R13; \
	I32WrapI64; \
	I64Load offset; \
	I64Xor

#define BOTH(n) \
	ADVANCE(R12, n); \
	ADVANCE(R13, n)

// KEYAT writes where a key of what is at r begins, and its length, to that offset of the frame.
#define KEYAT(offset, r, field) \
	Get SP; \
	LOAD32(r, field+START); \
	I64Store $(offset); \
	Get SP; \
	LOAD32(r, field+END); \
	LOAD32(r, field+START); \
	I64Sub; \
	I64Store $(offset+8)

// ORDER leaves how the key of what is at r compares with that of the entry at R3, of the text at
// R9.
#define ORDER(r, field) \
	Get SP; \
	Get R9; \
	I64Store $0; \
	KEYAT(24, r, field); \
	KEYAT(40, R3, Entry_Key); \
	CALLNORESUME ·compareKeys(SB); \
	RESULT(56)
#define ORDERFRAME 64

// SETCHANGE sets what happened, SETNOTE whether it is told: if the policy says so.
#define SETCHANGE(c) \
	I64Const $c; \
	Set R7
#define SETNOTE \
	Get R10; \
	Set R14

// func compareEntries(m *Merge, before, now int) (newBefore, newNow int)
//
// R0 is the merge, R1 the entry at hand of the old map, R2 their end, R3 that of
// the new map, R4 their end, R5 the outcome at hand, R6 their end, R7 what
// happened, R8 an order, R9 the address of the text, R10 whether removals are told,
// R11 how much is left to compare, R12 and R13 what is compared, R14 whether there
// is a note, R15 bits or a number.
TEXT ·compareEntries(SB), NOSPLIT, $ORDERFRAME-40
	I64Load m+0(FP)
	Set R0
	LOAD(R0, Merge_text)
	Set R9
	I64Load before+8(FP)
	ITEM(Merge_Old+Map_entries)
	Set R1
	LOAD(R0, Merge_Old+Map_entries+SLICELEN)
	ITEM(Merge_Old+Map_entries)
	Set R2
	I64Load now+16(FP)
	ITEM(Merge_New+Map_entries)
	Set R3
	LOAD(R0, Merge_New+Map_entries+SLICELEN)
	ITEM(Merge_New+Map_entries)
	Set R4
	LOAD(R0, Merge_outcomes+SLICELEN)
	ITEM(Merge_outcomes)
	Set R5
	LOAD(R0, Merge_outcomes+SLICECAP)
	ITEM(Merge_outcomes)
	Set R6
	LOAD(R0, Merge_Policy)
	Tee R15
	I32WrapI64
	I64Load8U $Policy_Announce
	Set R10

stop:
	Block
next:
		Loop
			Get R5
			Get R6
			I64GeU
			BrIf stop
			I64Const $0
			Set R14

			// The order of the keys.
			Get R1
			Get R2
			I64GeU
			If
				Get R3
				Get R4
				I64GeU
				BrIf stop
				I64Const $1
				Set R8
			Else
				Get R3
				Get R4
				I64GeU
				If
					I64Const $-1
					Set R8
				Else
					I64Const $0
					Set R8
order:
					Block
						// One is written as the other.
						Get R3
						I32WrapI64
						I64Load32S $Entry_twin
						INDEX(R1, Merge_Old+Map_entries)
						I64Eq
						Get R1
						I32WrapI64
						I64Load32S $Entry_twin
						INDEX(R3, Merge_New+Map_entries)
						I64Eq
						I32Or
						If
							SETCHANGE(const_unchanged)
							Br order
						End
						SETCHANGE(const_changed)
						ORDER(R1, Entry_Key)
						Set R8
					End
				End
			End

			Get R8
			I64Eqz
			If
				Get R7
				I64Const $const_unchanged
				I64Ne
				If
					LOAD8(R3, Entry_null)
					LOAD8(R1, Entry_Value+FORM)
					I64Const $const_foreign
					I64Eq
					I64ExtendI32U
					I64Or
					I64Eqz
					I32Eqz
					BrIf stop
values:
					Block
						LOAD8(R1, Entry_Kind)
						LOAD8(R3, Entry_Kind)
						I64Ne
						If
							SETNOTE
							Br values
						End
						LOAD32(R1, Entry_Value+LEN)
						LOAD32(R3, Entry_Value+LEN)
						I64Ne
						BrIf values
						LOAD32(R1, Entry_Value+END)
						LOAD32(R1, Entry_Value+START)
						I64Sub
						Tee R11
						LOAD32(R3, Entry_Value+END)
						LOAD32(R3, Entry_Value+START)
						I64Sub
						I64Ne
						BrIf values
						STRINGAT(R12, R1, Entry_Value)
						STRINGAT(R13, R3, Entry_Value)
#ifdef const_simd
						Get R11
						I64Const LONG
						I64GeU
						If
							SIMDEQUAL(R12, R13, R11)
							I64Eqz
							BrIf values
							SETCHANGE(const_unchanged)
							Br values
						End
#endif
lines:
						Loop
							Get R11
							I64Const $32
							I64GeU
							If
								BITS($24)
								BITS($16)
								I64Or
								BITS($8)
								I64Or
								BITS($0)
								I64Or
								I64Eqz
								I32Eqz
								BrIf values
								BOTH($32)
								ADVANCE(R11, $-32)
								Br lines
							End
						End
words:
						Loop
							Get R11
							I64Const $8
							I64GeU
							If
								BITS($0)
								I64Eqz
								I32Eqz
								BrIf values
								BOTH($8)
								ADVANCE(R11, $-8)
								Br words
							End
						End
						// Of the last word only the bytes that are left.
						BITS($0)
						I64Const $1
						Get R11
						I64Const $3
						I64Shl
						I64Shl
						I64Const $1
						I64Sub
						I64And
						I64Eqz
						I32Eqz
						BrIf values
						SETCHANGE(const_unchanged)
					End
				End
			Else
				Get R8
				I64Const $0
				I64LtS
				If
					SETCHANGE(const_unchanged)
					LOAD(R0, Merge_Policy)
					I32WrapI64
					I64Load8U $Policy_Patch
					I64Eqz
					If
						SETCHANGE(const_removed)
						SETNOTE
					End
				Else
					LOAD8(R3, Entry_null)
					I64Eqz
					I32Eqz
					BrIf stop
					SETCHANGE(const_added)
				End
			End

			// The outcome: the entries that it is about, and past them.
			Get R5
			I32WrapI64
			I64Const $-1
			I64Store32 $outcome_before
			Get R5
			I32WrapI64
			I64Const $-1
			I64Store32 $outcome_now
			Get R5
			I32WrapI64
			I64Const $-1
			I64Store32 $outcome_policy
			Get R5
			I32WrapI64
			Get R7
			I64Store8 $outcome_change
			Get R5
			I32WrapI64
			Get R14
			I64Store8 $outcome_note
			Get R8
			I64Const $0
			I64LeS
			If
				Get R5
				I32WrapI64
				INDEX(R1, Merge_Old+Map_entries)
				I64Store32 $outcome_before
				ADVANCE(R1, $Entry__size)
			End
			Get R8
			I64Const $0
			I64GeS
			If
				Get R5
				I32WrapI64
				INDEX(R3, Merge_New+Map_entries)
				I64Store32 $outcome_now
				ADVANCE(R3, $Entry__size)
			End
			ADVANCE(R5, $outcome__size)
			Br next
		End
	End

	Get R0
	I32WrapI64
	INDEX(R5, Merge_outcomes)
	I64Store $(Merge_outcomes+SLICELEN)
	Get SP
	INDEX(R1, Merge_Old+Map_entries)
	I64Store newBefore+24(FP)
	Get SP
	INDEX(R3, Merge_New+Map_entries)
	I64Store newNow+32(FP)
	RET

// What is written around receipts: ],"receipts":[ and what one begins with, {"key":"
#define RECEIPTS_8 $0x6965636572222c5d
#define RECEIPTS_14 $0x5b3a22737470
#define RECEIPT_8 $0x223a2279656b227b

// What stands before the numbers where something was cut: ,"truncated":{"originalTokens":
// and ,"removedTokens":
#define TRUNCATED_8 $0x61636e757274222c
#define TRUNCATED_16 $0x6f227b3a22646574
#define TRUNCATED_24 $0x546c616e69676972
#define TRUNCATED_31 $0x3a22736e656b6f
#define REMOVED_8 $0x65766f6d6572222c
#define REMOVED_16 $0x22736e656b6f5464
#define REMOVED_17 $0x3a

// NUMBER writes the number on the stack.
#define NUMBER(powers, digits) \
	Set R1; \
	I64Const $1; \
	Set R2; \
powers: \
	Loop; \
		Get R2; \
		I64Const $10; \
		I64Mul; \
		Tee R11; \
		Get R1; \
		I64LeU; \
		If; \
			Get R11; \
			Set R2; \
			Br powers; \
		End; \
	End; \
digits: \
	Loop; \
		Get R13; \
		I32WrapI64; \
		Get R1; \
		Get R2; \
		I64DivU; \
		Tee R11; \
		I64Const $0x30; \
		I64Add; \
		I64Store8 $0; \
		ADVANCE(R13, $1); \
		Get R1; \
		Get R11; \
		Get R2; \
		I64Mul; \
		I64Sub; \
		Set R1; \
		Get R2; \
		I64Const $10; \
		I64DivU; \
		Tee R2; \
		I64Eqz; \
		I32Eqz; \
		BrIf digits; \
	End

// MANY is more than a receipt has beside its key, with what is written too much.
#define MANY $256

// ENTRY sets R3 to the entry that the outcome is about: the new one, if there is one.
#define ENTRY \
	Get R5; \
	I32WrapI64; \
	I64Load32S $outcome_now; \
	Tee R3; \
	I64Const $0; \
	I64LtS; \
	If; \
	LOAD32(R5, outcome_before); \
	ITEM(Merge_Old+Map_entries); \
	Set R3; \
	Else; \
	Get R3; \
	ITEM(Merge_New+Map_entries); \
	Set R3; \
	End

// TEXTOF sets R12 and R11 to what the table has for the kind of the entry at R3 and
// the change in R7.
#define TEXTOF(table) \
	table; \
	LOAD8(R3, Entry_Kind); \
	I64Const $const_changes; \
	I64Mul; \
	Get R7; \
	I64Add; \
	I64Const $4; \
	I64Shl; \
	I64Add; \
	Tee R12; \
	I32WrapI64; \
	I64Load $8; \
	Set R11; \
	LOAD(R12, 0); \
	Set R12

// func writeReceiptRun(m *Merge, w *json.Writer, middle, quiet *[fragment.Kinds][changes]string, at int) (newAt int, ended bool)
//
// at is 0 for what comes before the first, and one more than the index of an outcome
// for its receipt.
//
// R0 is the merge, R1 how many tokens, R2 a power of ten, R3 the entry, R4 the
// writer, R5 the outcome at hand, R6 their end, R7 what happened, R8 the end of the
// room, R9 the address of the text, R11 how much is copied, R12 where from and R13
// where to, R14 where that goes if the receipt is not written, R15
// whether what comes before the first is written.
TEXT ·writeReceiptRun(SB), NOSPLIT, $0-49
	I64Load m+0(FP)
	Set R0
	LOAD(R0, Merge_text)
	Set R9
	LOAD(R0, Merge_outcomes)
	Set R5
	Get SP
	I64Const $0
	I64Store8 ended+48(FP)
	I64Load w+8(FP)
	Set R4
	WRITING

	Get R13
	Set R14
stop:
	Block
		I64Load at+32(FP)
		Tee R15
		I64Eqz
		If
			Get R13
			I64Const MANY
			I64Add
			Get R8
			I64GtU
			BrIf stop
			Get R13
			I32WrapI64
			I64Const RECEIPTS_8
			I64Store $0
			Get R13
			I32WrapI64
			I64Const RECEIPTS_14
			I64Store $8
			ADVANCE(R13, $14)
		Else
			I64Load at+32(FP)
			I64Const $1
			I64Sub
			ITEM(Merge_outcomes)
			Set R5
		End
		I64Const $1
		Set R15
next:
		Loop
			Get R13
			Set R14
			Get R13
			I64Const MANY
			I64Add
			Get R8
			I64GtU
			BrIf stop
			Get R5
			Get R6
			I64GeU
			If
				Get R13
				I32WrapI64
				I64Const $0x7D5D
				I64Store16 $0
				ADVANCE(R14, $2)
				Get SP
				I64Const $1
				I64Store8 ended+48(FP)
				Br stop
			End
			LOAD8(R5, outcome_change)
			Set R7
			ENTRY
			LOAD32(R3, Entry_Key+END)
			LOAD32(R3, Entry_Key+START)
			I64Sub
			Tee R11
			Get R13
			I64Add
			I64Const MANY
			I64Add
			Get R8
			I64GtU
			BrIf stop
			COMMA
			Get R13
			I32WrapI64
			I64Const RECEIPT_8
			I64Store $0
			ADVANCE(R13, $8)
			STRINGAT(R12, R3, Entry_Key)
			COPY(key)

			// Is anything injected?
			Get R7
			I64Const $const_unchanged
			I64Eq
			Get R7
			I64Const $const_dropped
			I64Eq
			I32Or
			Get R7
			I64Const $const_removed
			I64Eq
			LOAD8(R5, outcome_note)
			I64Eqz
			I32And
			I32Or
			If
				TEXTOF(I64Load quiet+24(FP))
				COPY(quiets)
			Else
				// Is there more to tell of it?
				LOAD8(R5, outcome_rendered+RENDERED_TRUNCATED)
				LOAD8(R5, outcome_rendered+RENDERED_ESTIMATED)
				I64And
				I64Eqz
				I32Eqz
				BrIf stop
				TEXTOF(I64Load middle+16(FP))
				COPY(middles)
				LOAD32(R5, outcome_rendered+RENDERED_TOKENS)
				NUMBER(tokensPowers, tokens)
				LOAD8(R5, outcome_rendered+RENDERED_TRUNCATED)
				I32WrapI64
				If
					PUT($0, TRUNCATED_8)
					PUT($8, TRUNCATED_16)
					PUT($16, TRUNCATED_24)
					PUT($24, TRUNCATED_31)
					ADVANCE(R13, $31)
					LOAD32(R5, outcome_rendered+RENDERED_ORIGINAL)
					NUMBER(originalPowers, original)
					PUT($0, REMOVED_8)
					PUT($8, REMOVED_16)
					PUT($16, REMOVED_17)
					ADVANCE(R13, $17)
					LOAD32(R5, outcome_rendered+RENDERED_REMOVED)
					NUMBER(removedPowers, removed)
					PUT($0, $0x7D)
					ADVANCE(R13, $1)
				End
				MOVD $github·com∕turncontext∕turncontext∕plugin∕fragment·warningMembers(SB), R12
				LOAD8(R5, outcome_rendered+RENDERED_WARNINGS)
				I64Const $4
				I64Shl
				Get R12
				I64Add
				Set R12
				LOAD(R12, 8)
				Set R11
				LOAD(R12, 0)
				Set R12
				COPY(warnings)
			End
			ADVANCE(R5, $outcome__size)
			Br next
		End
	End

	WRITTEN
	Get SP
	INDEX(R5, Merge_outcomes)
	Get R15
	I64Add
	I64Store newAt+40(FP)
	RET

// func matchKeys(m *Merge)
//
// R0 is the merge, R1 the settings of a key at hand, R2 their end, R3 the entry, R4 the policy,
// or how the keys compare, R5 the outcome at hand, R6 their end, R7 the index of the settings,
// R9 the address of the text.
TEXT ·matchKeys(SB), NOSPLIT, $ORDERFRAME-8
	I64Load m+0(FP)
	Tee R0
	I32WrapI64
	I64Load $Merge_Policy
	Set R4
	LOAD(R4, Policy_Keys)
	Tee R1
	LOAD(R4, Policy_Keys+SLICELEN)
	I64Const $KeyPolicy__size
	I64Mul
	I64Add
	Set R2
	LOAD(R0, Merge_outcomes)
	Set R5
	LOAD(R0, Merge_outcomes+SLICELEN)
	ITEM(Merge_outcomes)
	Set R6
	I64Const $0
	Set R7
	LOAD(R0, Merge_text)
	Set R9

done:
	Block
next:
		Loop
			Get R1
			Get R2
			I64GeU
			Get R5
			Get R6
			I64GeU
			I32Or
			BrIf done
			ENTRY
			ORDER(R1, KeyPolicy_Key)
			Tee R4
			I64Eqz
			If
				// Its index, below 0 if it has nothing but a priority.
				Get R5
				I32WrapI64
				Get R7
				I64Const $-2
				Get R7
				I64Sub
				LOAD8(R1, KeyPolicy_HasTokens)
				LOAD8(R1, KeyPolicy_HasTruncation)
				I64Or
				I32WrapI64
				Select
				I64Store32 $outcome_policy
			End
			Get R4
			I64Const $0
			I64GeS
			If
				ADVANCE(R5, $outcome__size)
			End
			Get R4
			I64Const $0
			I64LeS
			If
				ADVANCE(R1, $KeyPolicy__size)
				ADVANCE(R7, $1)
			End
			Br next
		End
	End
	RET

// LENGTH leaves the length of a string of the entry at e.
#define LENGTH(e, field) \
	LOAD32(e, field+END); \
	LOAD32(e, field+START); \
	I64Sub

// ADD adds what is on the stack to R1.
#define ADD \
	Get R1; \
	I64Add; \
	Set R1

// FORMER sets R13 to the entry as it was.
#define FORMER \
	LOAD32(R5, outcome_before); \
	ITEM(Merge_Old+Map_entries); \
	Set R13

// ADDTAGS adds what an input of the entry at e has around its value.
#define ADDTAGS(e) \
	LOAD(R7, bounds_tags); \
	LOAD8(e, Entry_Kind); \
	I64Const $3; \
	I64Shl; \
	I64Add; \
	I32WrapI64; \
	I64Load $0; \
	LOAD(R7, bounds_keys); \
	LENGTH(e, Entry_Key); \
	I64Mul; \
	I64Add; \
	ADD

// ADDENTRY adds what the store has of the entry at e.
#define ADDENTRY(e) \
	LENGTH(e, Entry_Key); \
	LENGTH(e, Entry_Value); \
	I64Add; \
	I64Const $(const_lenMemberRest+const_lenMemberValue+const_lenUntrustedEnd); \
	I64Add; \
	ADD; \
	LOAD8(e, Entry_Kind); \
	I64Const $const_application; \
	I64Eq; \
	If; \
	I64Const $(const_lenApplicationEnd-const_lenUntrustedEnd); \
	ADD; \
	End

// func maxRun(m *Merge, b *bounds, i int) (bytes, next int)
//
// R0 is the merge, R1 the sum, R2 the length of the value, R3 the entry, R4 whether it
// is told, R5 the outcome at hand, R6 their end, R7 the bounds, R8 what happened, R9
// what is left of the value, R10 its length without escapes, R11 a bound of that, R12
// the sum before the outcome, R13 the entry as it was, R14 whether that is told to
// apply no longer.
TEXT ·maxRun(SB), NOSPLIT, $0-40
	I64Load m+0(FP)
	Set R0
	I64Load b+8(FP)
	Set R7
	I64Load i+16(FP)
	ITEM(Merge_outcomes)
	Set R5
	LOAD(R0, Merge_outcomes+SLICELEN)
	ITEM(Merge_outcomes)
	Set R6
	I64Const $0
	Set R1

stop:
	Block
next:
		Loop
			Get R1
			Set R12
			Get R5
			Get R6
			I64GeU
			BrIf stop
			Get R5
			I32WrapI64
			I64Load32S $outcome_policy
			I64Const $0
			I64GeS
			BrIf stop
			ENTRY
			LENGTH(R3, Entry_Value)
			Set R2
			LOAD8(R5, outcome_change)
			Set R8
			LOAD8(R5, outcome_note)
			Set R14
			Get R8
			I64Const $const_added
			I64Eq
			Get R8
			I64Const $const_changed
			I64Eq
			I32Or
			Get R8
			I64Const $const_restored
			I64Eq
			I32Or
			I64ExtendI32U
			Set R4

			// The receipt.
			LOAD(R7, bounds_receipt)
			LENGTH(R3, Entry_Key)
			I64Add
			ADD

			// The inputs.
			Get R8
			I64Const $const_removed
			I64Eq
			I64ExtendI32U
			Get R14
			I64And
			Get R4
			I64Or
			I32WrapI64
			If
				LOAD(R7, bounds_injected)
				ADD
				Get R14
				I32WrapI64
				If
					FORMER
					LOAD(R7, bounds_note)
					ADD
					ADDTAGS(R13)
				End
				Get R4
				I32WrapI64
				If
					ADDTAGS(R3)
				End
			End

			// The value.
			Get R4
			LOAD32(R3, Entry_Value+LEN)
			Tee R10
			I64Const $0
			I64Ne
			I64ExtendI32U
			I64And
			I32WrapI64
			If
				LOAD(R7, bounds_limit)
				Tee R11
				I64Const $0
				I64LtS
				If
					Get R12
					Set R1
					Br stop
				End
				Get R2
				Set R9
				Get R10
				Get R11
				I64GtU
				If
					Get R2
					Get R11
					I64Const $const_longestEscape
					I64Mul
					Tee R11
					Get R2
					Get R11
					I64LtU
					Select
					Set R9
				End
				Get R9
				ADD
				Get R10
				LOAD(R7, bounds_limit)
				I64GtU
				LOAD8(R7, bounds_strict)
				I32WrapI64
				I32Or
				If
					// It is cut, or may be.
					LOAD(R7, bounds_cut)
					ADD
					Get R10
					I64Const $const_shortValue
					I64GeU
					If
						I64Const $(2*(const_maxNumber-const_maxShortNumber))
						ADD
					End
				End
				LOAD8(R7, bounds_strict)
				LOAD8(R3, Entry_clean)
				I64Eqz
				I64ExtendI32U
				I64Or
				I32WrapI64
				If
					LOAD(R7, bounds_warnings)
					ADD
				End
			End

			// The entry, if it stays.
			Get R8
			I64Const $const_removed
			I64Ne
			Get R5
			I32WrapI64
			I64Load32S $outcome_now
			I64Const $0
			I64GeS
			I32Or
			If
				ADDENTRY(R3)
			End

			// The former one, which may stay in place of it.
			Get R8
			I64Const $const_removed
			I64Ne
			Get R5
			I32WrapI64
			I64Load32S $outcome_now
			I64Const $0
			I64GeS
			I32And
			Get R5
			I32WrapI64
			I64Load32S $outcome_before
			I64Const $0
			I64GeS
			I32And
			LOAD8(R7, bounds_total)
			I32WrapI64
			I32And
			If
				FORMER
				ADDENTRY(R13)
			End
			ADVANCE(R5, $outcome__size)
			Br next
		End
	End

	Get SP
	Get R1
	I64Store bytes+24(FP)
	Get SP
	INDEX(R5, Merge_outcomes)
	I64Store next+32(FP)
	RET

// Pieces of an input are four strings, then the lengths.
#define PIECES_CLOSING 32
#define PIECES_TAG 64
#define PIECES_END 72
#define PIECES_BYTES 80
#define PIECES_SIZE 88

// FROM leaves the byte at that offset from R12.
#define FROM(offset) \
	Get R12; \
	I32WrapI64; \
	I64Load8U offset

// ZEROS leaves marks of the bytes of R1 that are c, eight times in eights: the first
// is right.
#define ZEROS(eights) \
	Get R1; \
	I64Const eights; \
	I64Xor; \
	Tee R15; \
	I64Const ONES; \
	I64Sub; \
	Get R15; \
	I64Const $-1; \
	I64Xor; \
	I64And

// PIECE sets R12 and R11 to a piece of the input.
#define PIECE(field) \
	LOAD(R7, field+8); \
	Set R11; \
	LOAD(R7, field); \
	Set R12

// KEY sets R12 and R11 to the key.
#define KEY \
	STRINGAT(R12, R3, Entry_Key); \
	LOAD32(R3, Entry_Key+END); \
	LOAD32(R3, Entry_Key+START); \
	I64Sub; \
	Set R11

// func writeInputRun(m *Merge, w *json.Writer, pieces *[fragment.Kinds]fragment.Pieces, limit, i int) (next int)
//
// R0 is the merge, R1 a word or byte of the text, R2 marks, R3 the entry, R4 the
// writer, R5 the outcome at hand, R6 their end, R7 the pieces, R8 the end of the
// room, R9 the address of the text, R10 the bytes behind the slash of the closing
// tag, R11 how much is copied, R12 where from and R13 where to, R14 where that goes if
// the input is not written, R15 a number.
TEXT ·writeInputRun(SB), NOSPLIT, $0-48
	I64Load m+0(FP)
	Set R0
	LOAD(R0, Merge_text)
	Set R9
	I64Load i+32(FP)
	ITEM(Merge_outcomes)
	Set R5
	I64Load w+8(FP)
	Set R4
	WRITING

stop:
	Block
next:
		Loop
			Get R13
			Set R14
			Get R5
			Get R6
			I64GeU
			BrIf stop

			// Is anything injected? A note is left to others.
			LOAD8(R5, outcome_note)
			I64Eqz
			I32Eqz
			BrIf stop
			LOAD8(R5, outcome_change)
			Tee R2
			I64Const $const_unchanged
			I64Eq
			Get R2
			I64Const $const_removed
			I64Eq
			I32Or
			Get R2
			I64Const $const_dropped
			I64Eq
			I32Or
			If
				ADVANCE(R5, $outcome__size)
				Br next
			End
			ENTRY

			// Is the value too long?
			LOAD32(R3, Entry_Value+LEN)
			Tee R2
			I64Load limit+24(FP)
			I64GtU
			BrIf stop
#ifdef const_simd
			// What may have something to warn of, and is long, is left to others.
			Get R2
			I64Const LONG
			I64GtU
			LOAD8(R3, Entry_clean)
			I64Eqz
			I32And
			BrIf stop
#endif
			LOAD32(R3, Entry_Value+END)
			LOAD32(R3, Entry_Value+START)
			I64Sub
			LOAD32(R3, Entry_Key+END)
			LOAD32(R3, Entry_Key+START)
			I64Sub
			I64Const $3
			I64Mul
			I64Add
			Get R13
			I64Add
			I64Const $(2*256)
			I64Add
			Get R8
			I64GtU
			BrIf stop

			// A comma, and up to the value.
			I64Load pieces+16(FP)
			LOAD8(R3, Entry_Kind)
			I64Const $PIECES_SIZE
			I64Mul
			I64Add
			Set R7
			COMMA
			PIECE(0)
			COPY(start)
			KEY
			LOAD(R7, PIECES_CLOSING)
			I64Const $2
			I64Add
			Set R10
			LOAD8(R3, Entry_Kind)
			I64Const $const_application
			I64Eq
			If
				// A tag without a name is left to others.
				Get R11
				I64Eqz
				BrIf stop
				Get R12
				Set R10
			End
			LOAD(R10, 0)
			Set R10
			COPY(key)
			PIECE(16)
			COPYLONG
			Get R5
			I32WrapI64
			Get R13
			LOAD(R7, PIECES_TAG)
			I64Sub
			LOAD(R4, 0)
			I64Sub
			I64Store32 $(outcome_rendered+RENDERED_BEGIN)

			// The key again: has it a character that would end the tag?
			KEY
			I64Const $0
			Set R2
name:
			Loop
				Get R13
				I32WrapI64
				Get R12
				I32WrapI64
				I64Load $0
				Tee R1
				I64Store $0
				ZEROS($0x3E3E3E3E3E3E3E3E)
				Get R2
				I64Or
				Set R2
				BOTH($8)
				Get R11
				I64Const $8
				I64Sub
				Tee R11
				I64Const $0
				I64GtS
				BrIf name
			End
			Get R13
			Get R11
			I64Add
			Set R13
			Get R2
			I64Const HIGHS
			I64And
			I64Eqz
			I32Eqz
			BrIf stop
			Get R13
			I32WrapI64
			I64Const $0x3E
			I64Store8 $0
			ADVANCE(R13, $1)

			// The value, and whether there is something to warn of: what may be a
			// closing tag, a control character or the escape of one.
			STRINGAT(R12, R3, Entry_Value)
			LOAD32(R3, Entry_Value+END)
			LOAD32(R3, Entry_Value+START)
			I64Sub
			Tee R11
			I64Const $256
			I64GtU
			If
				Get R13
				I32WrapI64
				Get R12
				I32WrapI64
				Get R11
				I32WrapI64
				MemoryCopy
				Get R13
				Get R11
				I64Add
				Set R13
			Else
				COPY(short)
				STRINGAT(R12, R3, Entry_Value)
				LOAD32(R3, Entry_Value+END)
				LOAD32(R3, Entry_Value+START)
				I64Sub
				Set R11
			End
			LOAD8(R3, Entry_clean)
			I64Eqz
			I32Eqz
			If
				I64Const $0
				Set R11
			End
value:
			Loop
				Get R11
				I64Const $0
				I64GtS
				If
					// Of the letters that may follow a backslash only those of controls
					// have bit 6, not bit 3, and bit 1 or 0.
					Get R12
					I32WrapI64
					I64Load $1
					Set R15
					Get R12
					I32WrapI64
					I64Load $0
					Tee R1
					I64Const $0x5C5C5C5C5C5C5C5C
					I64Xor
					I64Const ONES
					I64Sub
					Get R15
					I64Const $1
					I64Shl
					I64And
					Get R15
					I64Const $4
					I64Shl
					I64Const $-1
					I64Xor
					I64And
					Get R15
					I64Const $6
					I64Shl
					Get R15
					I64Const $7
					I64Shl
					I64Or
					I64And
					Get R1
					I64Const $0x3C3C3C3C3C3C3C3C
					I64Xor
					I64Const ONES
					I64Sub
					Get R15
					I64Const $0x2F2F2F2F2F2F2F2F
					I64Xor
					I64Const ONES
					I64Sub
					I64And
					I64Or
					Tee R2
					Get R1
					I64Const ONES
					I64Add
					I64Or
					Get R1
					I64Or
					I64Const HIGHS
					I64And
					I64Eqz
					If
						ADVANCE(R12, $8)
						ADVANCE(R11, $-8)
						Br value
					End

					// In other scripts these are the first bytes of some.
					ZEROS($0x7F7F7F7F7F7F7F7F)
					ZEROS($-0x3D3D3D3D3D3D3D3E)
					I64Or
					ZEROS($-0x1D1D1D1D1D1D1D1E)
					I64Or
					Get R2
					Get R1
					I64Const $-1
					I64Xor
					I64And
					I64Or
					I64Const HIGHS
					I64And
					Tee R2
					I64Eqz
					If
						ADVANCE(R12, $8)
						ADVANCE(R11, $-8)
						Br value
					End
					Get R2
					I64Ctz
					I64Const $3
					I64ShrU
					Tee R2
					Get R11
					I64LtU
					If
						Get R12
						Get R2
						I64Add
						Set R12
						Get R11
						Get R2
						I64Sub
						I64Const $1
						I64Sub
						Set R11
						FROM($0)
						Tee R1
						I64Const $0x3C
						I64Eq
						FROM($1)
						I64Const $0x2F
						I64Eq
						I32And
						Get R12
						I32WrapI64
						I64Load $2
						Get R10
						I64Xor
						LOAD8(R3, Entry_Kind)
						I64Const $56 // of a key only the first byte counts
						I64Mul
						I64Shl
						I64Eqz
						I32And
						Get R1
						I64Const $0x5C
						I64Eq
						I32Or
						Get R1
						I64Const $0x7F
						I64Eq
						I32Or
						Get R1
						I64Const $0xC2
						I64Eq
						FROM($1)
						I64Const $0xA0
						I64LtU
						I32And
						I32Or
						BrIf stop
						FROM($1)
						I64Const $0x80
						I64Eq
						FROM($2)
						I64Const $0xAA
						I64Sub
						I64Const $5
						I64LtU
						I32And
						FROM($1)
						I64Const $0x81
						I64Eq
						FROM($2)
						I64Const $0xA6
						I64Sub
						I64Const $4
						I64LtU
						I32And
						I32Or
						Get R1
						I64Const $0xE2
						I64Eq
						I32And
						BrIf stop
						ADVANCE(R12, $1)
						Br value
					End
				End
			End

			PIECE(32)
			COPY(closing)
			KEY
			COPY(tag)
			PIECE(48)
			COPY(end)

			// What there is to tell of it.
			Get R5
			I32WrapI64
			Get R13
			LOAD(R7, PIECES_END)
			I64Sub
			LOAD(R4, 0)
			I64Sub
			I64Store32 $(outcome_rendered+RENDERED_END)
			Get R5
			I32WrapI64
			LOAD32(R3, Entry_Key+LEN)
			I64Const $1
			I64Shl
			LOAD32(R3, Entry_Value+LEN)
			I64Add
			LOAD(R7, PIECES_BYTES)
			I64Add
			I64Const $3
			I64Add
			I64Const $2
			I64ShrU
			I64Store32 $(outcome_rendered+RENDERED_TOKENS)
			Get R5
			I32WrapI64
			I64Const $0
			I64Store8 $(outcome_rendered+RENDERED_TRUNCATED)
			Get R5
			I32WrapI64
			I64Const $0
			I64Store8 $(outcome_rendered+RENDERED_WARNINGS)
			ADVANCE(R5, $outcome__size)
			Br next
		End
	End

	WRITTEN
	Get SP
	INDEX(R5, Merge_outcomes)
	I64Store next+40(FP)
	RET

// func writeWhole(w *json.Writer, text []byte, entries []Entry) bool
//
// R1 is the entry at hand, R2 the end of them, R4 the writer, R9 the address of the
// text, R11 how much is copied, R12 where from and R13 where to, R15 a number.
TEXT ·writeWhole(SB), NOSPLIT, $0-57
	Get SP
	I64Const $0
	I64Store8 ret+56(FP)
	I64Load text_base+8(FP)
	Set R9
	I64Load entries_base+32(FP)
	Tee R1
	I64Load entries_len+40(FP)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R2
	// Where the first begins, what is before it, and where the last ends.
	Get R9
	LOAD32(R1, Entry_start)
	I64Add
	I64Const $1
	I64Sub
	Tee R12
	I32WrapI64
	I64Load8U $0
	I64Const $0x7B
	I64Ne
	If
		RET
	End
	LOAD32(R1, Entry_start)
	Set R15
entries:
	Loop
		Get R1
		Get R2
		I64LtU
		If
			LOAD32(R1, Entry_start)
			Get R15
			I64Ne
			LOAD8(R1, Entry_Key+FORM)
			I64Const $const_foreign
			I64Eq
			I32Or
			LOAD8(R1, Entry_Value+FORM)
			I64Const $const_foreign
			I64Eq
			I32Or
			LOAD32(R1, Entry_Value+START)
			LOAD32(R1, Entry_Key+END)
			I64Sub
			I64Const $(1+const_lenMemberValue)
			I64Ne
			I32Or
			LOAD32(R1, Entry_end)
			Tee R15
			LOAD32(R1, Entry_Value+END)
			I64Sub
			LOAD8(R1, Entry_Kind)
			I64Const $(const_lenApplicationEnd-const_lenUntrustedEnd)
			I64Mul
			I64Const $(1+const_lenUntrustedEnd)
			I64Add
			I64Ne
			I32Or
			If
				RET
			End
			ADVANCE(R15, $1)
			ADVANCE(R1, $Entry__size)
			Br entries
		End
	End
	Get R9
	Get R15
	I64Add
	Tee R15
	I64Const $1
	I64Sub
	I32WrapI64
	I64Load8U $0
	I64Const $0x7D
	I64Ne
	If
		RET
	End

	Get R15
	Get R12
	I64Sub
	Set R11
	I64Load w+0(FP)
	Tee R4
	I32WrapI64
	I64Load $SLICELEN
	Get R11
	I64Add
	I64Const $8
	I64Add
	LOAD(R4, SLICECAP)
	I64GtU
	If
		RET
	End
	LOAD(R4, 0)
	LOAD(R4, SLICELEN)
	I64Add
	Set R13
	Get R4
	I32WrapI64
	LOAD(R4, SLICELEN)
	Get R11
	I64Add
	I64Store $SLICELEN
	Get SP
	I64Const $1
	I64Store8 ret+56(FP)
	Get R11
	I64Const $256
	I64GtU
	If
		Get R13
		I32WrapI64
		Get R12
		I32WrapI64
		Get R11
		I32WrapI64
		MemoryCopy
		RET
	End
	COPY(bytes)
	RET
