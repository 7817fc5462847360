#include "go_asm.h"
#include "reading_wasm.h"
#include "shared_wasm.h"
#include "textflag.h"
#include "writing_wasm.h"

// history.go and classify.go say what these do.

// AT leaves whether the eight bytes at that offset from r are word.
#define AT(r, offset, word) \
	Get r; \
	I32WrapI64; \
	I64Load offset; \
	I64Const word; \
	I64Eq

// Names and words of an item, in their quotes.
#define TYPE $0x226570797422
#define ROLE $0x22656c6f7222
#define TEXTNAME $0x227478657422
#define CONTENT $0x746e65746e6f6322
#define MESSAGE $0x6567617373656d22
#define USER $0x227265737522
#define DEVELOPER $0x706f6c6576656422
#define DEVELOPER_8 $0x227265
#define INPUT $0x745f7475706e6922
#define INPUT_4 $0x22747865745f7475
#define OUTPUT $0x5f74757074756f22
#define OUTPUT_5 $0x22747865745f7475

// What an item has: members that were read, a text in a part, and one that counts.
#define HASTYPE 1
#define HASROLE 2
#define HASCONTENT 4
#define INPART 8
#define HASTEXT 16

// HAS leaves whether it has that, HAVE says that it has.
#define HAS(what) \
	Get R11; \
	I64Const $what; \
	I64And; \
	I64Eqz; \
	I32Eqz
#define HAVE(what) \
	Get R11; \
	I64Const $what; \
	I64Or; \
	Set R11

// ONCE says so of a member, which may stand there once.
#define ONCE(what) \
	HAS(what); \
	BrIf stop; \
	HAVE(what)

// NAMED leaves whether the six bytes at R0 are word.
#define NAMED(word) \
	Get R0; \
	I32WrapI64; \
	I64Load $0; \
	I64Const $0xFFFFFFFFFFFF; \
	I64And; \
	I64Const word; \
	I64Eq

// func readItems(h *History, text []byte, i int) (end int)
//
// R0 is the address at hand, R1 the history, R2 a word or marks, R3 the address of the
// text, R4 that of the string to write, R5 the end of their room, R6 and R7 the same for
// items, R8 the index of the item, R9 the end of the item before, R10 the kind, R11
// what the item has, R12 how much escapes save, R13 the form, R14 and R15 where the text
// begins and ends.
TEXT ·readItems(SB), NOSPLIT, $56-48
	I64Load text_base+8(FP)
	Tee R3
	I64Load i+32(FP)
	I64Add
	Tee R0
	Set R9
	I64Load h+0(FP)
	Set R1
	LOAD(R1, History_n)
	Set R8
	LOAD(R1, History_parts)
	LOAD(R1, History_parts+SLICELEN)
	I64Const $4
	I64Shl
	I64Add
	Set R4
	LOAD(R1, History_parts)
	LOAD(R1, History_parts+SLICECAP)
	I64Const $4
	I64Shl
	I64Add
	Set R5
	LOAD(R1, History_items)
	LOAD(R1, History_items+SLICELEN)
	I64Const $item__size
	I64Mul
	I64Add
	Set R6
	LOAD(R1, History_items)
	LOAD(R1, History_items+SLICECAP)
	I64Const $item__size
	I64Mul
	I64Add
	Set R7

stop:
	Block
next:
		Loop
			Get R4
			Get R5
			I64GeU
			Get R6
			Get R7
			I64GeU
			I32Or
			BrIf stop

			I64Const $0
			Set R11
			I64Const $const_unread
			Set R10
			BYTE($0)
			I64Const $0x7B
			I64Ne
			BrIf stop
			ADVANCE(R0, $1)
			SPACE(bracket)
members:
			Loop
member:
				Block
					NAMED(ROLE)
					If
						ONCE(HASROLE)
						ADVANCE(R0, $6)
						EXPECT(role1, $0x3A, role2)
						NAMED(USER)
						If
							I64Const $const_untrusted
							Set R10
							ADVANCE(R0, $6)
							Br member
						End
						AT(R0, $0, DEVELOPER)
						Get R0
						I32WrapI64
						I64Load32U $8
						I64Const $0xFFFFFF
						I64And
						I64Const DEVELOPER_8
						I64Eq
						I32And
						If
							I64Const $const_application
							Set R10
							ADVANCE(R0, $11)
							Br member
						End
						BYTE($0)
						I64Const $0x22
						I64Ne
						BrIf stop
						ADVANCE(R0, $1)
						SPECIAL(other)
						BYTE($0)
						I64Const $0x22
						I64Ne
						BrIf stop
						ADVANCE(R0, $1)
						Br member
					End

					NAMED(TYPE)
					If
						ONCE(HASTYPE)
						ADVANCE(R0, $6)
						EXPECT(type1, $0x3A, type2)
						AT(R0, $0, MESSAGE)
						BYTE($8)
						I64Const $0x22
						I64Eq
						I32And
						I32Eqz
						BrIf stop
						ADVANCE(R0, $9)
						Br member
					End

					AT(R0, $0, CONTENT)
					BYTE($8)
					I64Const $0x22
					I64Eq
					I32And
					I32Eqz
					BrIf stop
					ONCE(HASCONTENT)
					ADVANCE(R0, $9)
					EXPECT(content1, $0x3A, content2)
					BYTE($0)
					I64Const $0x5B
					I64Eq
					If
						ADVANCE(R0, $1)
						SPACE(array)
						BYTE($0)
						I64Const $0x5D
						I64Eq
						If
							ADVANCE(R0, $1)
							Br member
						End
						HAVE(INPART)
						EXPECT(part1, $0x7B, part2)
						NAMED(TYPE)
						I32Eqz
						BrIf stop
						ADVANCE(R0, $6)
						EXPECT(form1, $0x3A, form2)
						AT(R0, $0, INPUT)
						AT(R0, $4, INPUT_4)
						I32And
						If
							HAVE(HASTEXT)
							ADVANCE(R0, $12)
						Else
							AT(R0, $0, OUTPUT)
							AT(R0, $5, OUTPUT_5)
							I32And
							I32Eqz
							BrIf stop
							ADVANCE(R0, $13)
						End
						EXPECT(comma1, $0x2C, comma2)
						NAMED(TEXTNAME)
						I32Eqz
						BrIf stop
						ADVANCE(R0, $6)
						EXPECT(text1, $0x3A, text2)
					Else
						HAVE(HASTEXT)
					End
					BYTE($0)
					I64Const $0x22
					I64Ne
					BrIf stop
					ADVANCE(R0, $1)

					Get R0
					Set R14
					I64Const $0
					Tee R12
					Set R13
					SPECIAL(ascii)
					BYTE($0)
					I64Const $0x22
					I64Ne
					If
others:
						Block
#ifdef const_simd
							SIMDTEXTEND(I64Const $0)
							Tee R2
							I64Const $0xFFFFFFFF
							I64And
							Get R0
							I64Add
							Set R0
							Get R2
							I64Const $32
							I64ShrU
							I64Const $0x3FFFFFFF
							I64And
							Set R12
							I64Const $const_foreign
							I64Const $0
							Get R2
							I64Const $0
							I64LtS
							Select
							Set R13
							BYTE($0)
							I64Const $0x22
							I64Eq
							BrIf others
#endif
							TEXTEND
							RESULT(TEXTENDSAVED)
							Get R12
							I64Add
							Set R12
							RESULT8(TEXTENDFORM)
							I64Const $const_foreign
							I64And
							Get R13
							I64Or
							Set R13
							BYTE($0)
							I64Const $0x22
							I64Ne
							BrIf stop
						End
						// Where escapes save nothing, there are none.
						Get R13
						Get R12
						I64Const $0
						I64Ne
						I64ExtendI32U
						Get R13
						I32WrapI64
						Select
						Set R13
					End
					Get R0
					Set R15
					ADVANCE(R0, $1)
					HAS(INPART)
					If
						EXPECT(end1, $0x7D, end2)
						BYTE($0)
						I64Const $0x5D
						I64Ne
						BrIf stop
						ADVANCE(R0, $1)
					End
				End
				SPACE(behind)
				BYTE($0)
				I64Const $0x2C
				I64Eq
				If
					ADVANCE(R0, $1)
					SPACE(name)
					Br members
				End
			End
			BYTE($0)
			I64Const $0x7D
			I64Ne
			BrIf stop
			ADVANCE(R0, $1)

			HAS(HASTEXT)
			Get R10
			I64Const $const_unread
			I64Ne
			I32And
			If
				Get R4
				I32WrapI64
				OFFSET(R14)
				I64Store32 $START
				Get R4
				I32WrapI64
				OFFSET(R15)
				I64Store32 $END
				Get R4
				I32WrapI64
				Get R15
				Get R14
				I64Sub
				Get R12
				I64Sub
				I64Store32 $LEN
				Get R4
				I32WrapI64
				Get R13
				I64Store8 $FORM

				Get R6
				I32WrapI64
				Get R8
				I64Store32 $item_index
				Get R6
				I32WrapI64
				Get R4
				LOAD(R1, History_parts)
				I64Sub
				I64Const $4
				I64ShrU
				I64Store32 $item_parts
				Get R6
				I32WrapI64
				Get R10
				I64Store8 $item_kind
				ADVANCE(R4, $16)
				ADVANCE(R6, $item__size)
			End
			ADVANCE(R8, $1)
			Get R0
			Set R9
			SPACE(item)
			BYTE($0)
			I64Const $0x2C
			I64Ne
			BrIf stop
			ADVANCE(R0, $1)
			SPACE(next1)
			Br next
		End
	End

	Get R1
	I32WrapI64
	Get R4
	LOAD(R1, History_parts)
	I64Sub
	I64Const $4
	I64ShrU
	I64Store $(History_parts+SLICELEN)
	Get R1
	I32WrapI64
	Get R6
	LOAD(R1, History_items)
	I64Sub
	I64Const $item__size
	I64DivU
	I64Store $(History_items+SLICELEN)
	Get R1
	I32WrapI64
	Get R8
	I64Store $History_n
	Get SP
	OFFSET(R9)
	I64Store end+40(FP)
	RET

// What is written for an item: {"hidden":false} or {"hidden":true,"key":" and, behind the
// key, ","kind":"untrusted"} or ","kind":"application"}
#define HIDDEN $0x6e6564646968227b
#define FALSE_8 $0x7d65736c61663a22
#define TRUE_8 $0x222c657572743a22
#define KEY_14 $0x223a2279656b222c
#define KIND $0x22646e696b222c22
#define UNTRUSTED_8 $0x737572746e75223a
#define UNTRUSTED_16 $0x7d22646574
#define APPLICATION_8 $0x63696c707061223a
#define APPLICATION_15 $0x7d226e6f69746163

// What a fragment begins with, <external_ and what is before the key of its closing tag,
// </external_
#define OPENING $0x616e72657478653c
#define OPENING_8 $0x5f6c
#define CLOSING $0x6e72657478652f3c
#define CLOSING_3 $0x5f6c616e72657478

// KEYEND sets R0 to the first ">" from R9 on. There is one.
#define KEYEND(label) \
	Get R9; \
	Set R0; \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		I64Const $0x3e3e3e3e3e3e3e3e; \
		I64Xor; \
		Tee R2; \
		I64Const ONES; \
		I64Sub; \
		Get R2; \
		I64Const $-1; \
		I64Xor; \
		I64And; \
		NEXTUNLESSMARKED(label)

// NOTHIDDEN writes that an item is not hidden.
#define NOTHIDDEN \
	COMMA; \
	PUT($0, HIDDEN); \
	PUT($8, FALSE_8); \
	ADVANCE(R13, $16)

// Escapes, with the backslash lowest.
#define LINEFEED $0x6E5C
#define TAB $0x745C

// ROOM is more than what is written without a key takes.
#define ROOM $80

// The same of the attribute wrapper, <external_context source=" with the quote escaped.
#define SOURCE_8 $0x7865746e6f635f6c
#define SOURCE_16 $0x656372756f732074
#define SOURCE_19 $0x225c3d656372756f
#define SOURCED $0x3e225c
#define CONTEXT_8 $0x65746e6f635f6c61
#define CONTEXT_11 $0x3e747865746e6f63

// ZEROS leaves marks of the bytes that are zero in the word on the stack. The first is right.
// r is any register.
#define ZEROS(r) \
	Tee r; \
	I64Const ONES; \
	I64Sub; \
	Get r; \
	I64Const $-1; \
	I64Xor; \
	I64And

// MARKUP leaves marks of the bytes of R2 that are "&", "<" or ">". The first is right.
#define MARKUP(r) \
	Get R2; \
	I64Const $0x2626262626262626; \
	I64Xor; \
	ZEROS(r); \
	Get R2; \
	I64Const $0x0202020202020202; \
	I64Or; \
	I64Const $0x3e3e3e3e3e3e3e3e; \
	I64Xor; \
	ZEROS(r); \
	I64Or

// RESERVED moves R0 to the first "&", "<" or ">" from it on, or byte of R2 that is marked as
// well. There is one. r is any register.
#define RESERVED(label, r, marked) \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		Set R2; \
		MARKUP(r); \
		marked; \
		NEXTUNLESSMARKED(label)

// BACKSLASHED marks the backslashes.
#define BACKSLASHED(r) \
	Get R2; \
	I64Const BACKSLASHES; \
	I64Xor; \
	ZEROS(r); \
	I64Or

// ATSOURCED leaves whether the three bytes at R0 are SOURCED.
#define ATSOURCED \
	Get R0; \
	I32WrapI64; \
	I64Load32U $0; \
	I64Const $0xFFFFFF; \
	I64And; \
	I64Const SOURCED; \
	I64Eq

// ATSOURCE leaves whether the opening tag of a user's element is at R9, up to the key.
#define ATSOURCE \
	AT(R9, $0, OPENING); \
	AT(R9, $8, SOURCE_8); \
	I32And; \
	AT(R9, $16, SOURCE_16); \
	I32And; \
	AT(R9, $19, SOURCE_19); \
	I32And

// ATCONTEXT leaves whether its closing tag is at R12.
#define ATCONTEXT \
	AT(R12, $0, CLOSING); \
	AT(R12, $8, CONTEXT_8); \
	I32And; \
	AT(R12, $11, CONTEXT_11); \
	I32And

// NORMALISE makes the string at r Canonical, in place.
#define NORMALISE(r) \
	Get SP; \
	Get R3; \
	I64Store $0; \
	Get SP; \
	LOAD32(r, START); \
	I64Store $24; \
	Get SP; \
	LOAD32(r, START); \
	I64Store $32; \
	Get SP; \
	LOAD32(r, END); \
	I64Store $40; \
	CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·rewrite(SB); \
	Get r; \
	I32WrapI64; \
	RESULT(48); \
	I64Store32 $END; \
	Get r; \
	I32WrapI64; \
	I64Const $const_canonical; \
	I64Store8 $FORM; \
	Get R3; \
	RESULT(48); \
	I64Add; \
	I32WrapI64; \
	I64Const $0x22; \
	I64Store8 $0

// MAYBEGIN does that to the string at r if it is Foreign and its text, at R9, may begin with
// a tag, and sets R2 to its first byte then.
#define MAYBEGIN(r) \
	LOAD8(R9, 0); \
	Tee R2; \
	I64Const $0x3C; \
	I64Eq; \
	Get R2; \
	I64Const $0x5C; \
	I64Eq; \
	I32Or; \
	LOAD8(r, FORM); \
	I64Const $const_foreign; \
	I64GeU; \
	I32And; \
	If; \
		NORMALISE(r); \
		LOAD8(R9, 0); \
		Set R2; \
	End

// A text whose tags are a developer's begins with an opening tag of one byte, and its key
// is closed behind two.
#define SLASH $0x2f3c

// <application_context source=" and </application_context> where they differ from the others.
#define ASOURCE $0x6163696c7070613c
#define ASOURCE_8 $0x6e6f635f6e6f6974
#define ASOURCE_16 $0x756f732074786574
#define ACONTEXT $0x63696c7070612f3c
#define ACONTEXT_8 $0x6f635f6e6f697461

// ENTRYAT sets R15 to the entry whose index is in r.
#define ENTRYAT(r) \
	Get r; \
	I64Const $Entry__size; \
	I64Mul; \
	LOAD(R1, Merge_Old+Map_entries); \
	I64Add; \
	Set R15

// KEYLEN leaves how long the key of the entry at R15 is.
#define KEYLEN \
	LOAD32(R15, Entry_Key+END); \
	LOAD32(R15, Entry_Key+START); \
	I64Sub

// ORDER leaves how two keys compare, at a and of n bytes, and at b and of m.
#define ORDER(a, n, b, m) \
	Get SP; \
	Get R3; \
	I64Store $0; \
	Get SP; \
	a; \
	I64Store $24; \
	Get SP; \
	n; \
	I64Store $32; \
	Get SP; \
	b; \
	I64Store $40; \
	Get SP; \
	m; \
	I64Store $48; \
	CALLNORESUME ·compareKeys(SB); \
	RESULT(56)

// KEYORDER leaves how that key compares with so many bytes at R9.
#define KEYORDER(length) \
	ORDER(LOAD32(R15, Entry_Key+START), KEYLEN, OFFSET(R9), length)

// ISKEY leaves whether the R10 bytes at R9 are the key of the entry at R15.
#define ISKEY \
	KEYLEN; \
	Get R10; \
	I64Eq; \
	If; \
		KEYORDER(Get R10); \
		I64Eqz; \
		BrIf found; \
	End

// SEARCH begins to search for the last key that is not after so many bytes at R9: R15 is
// then the entry in the middle between R12 and R13, and what is behind decides.
#define SEARCH \
	I64Const $0; \
	Set R12; \
	LOAD(R1, Merge_Old+Map_entries+SLICELEN); \
	Set R13
#define MIDDLE \
	Get R12; \
	Get R13; \
	I64Add; \
	I64Const $1; \
	I64ShrU; \
	Set R2; \
	ENTRYAT(R2)
#define BETWEEN \
	Get R12; \
	Get R13; \
	I64LtU

// NARROW goes on with the search in the half that the order, on the stack, tells: in that
// behind the middle if it is up to most.
#define NARROW(most) \
	I64Const most; \
	I64LeS; \
	If; \
		Get R2; \
		I64Const $1; \
		I64Add; \
		Set R12; \
	Else; \
		Get R2; \
		Set R13; \
	End

// func compareKeys(text []byte, a, n, b, m int) int
//
// R0 and R1 are the addresses at hand, R2 how many bytes of the shorter are left, R3 bits that
// differ, R4 the result, R5 and R6 are characters.
TEXT ·compareKeys(SB), NOSPLIT, $0-64
	I64Load text_base+0(FP)
	I64Load a+24(FP)
	I64Add
	Set R0
	I64Load text_base+0(FP)
	I64Load b+40(FP)
	I64Add
	Set R1
	I64Load n+32(FP)
	I64Load m+48(FP)
	I64Load n+32(FP)
	I64Load m+48(FP)
	I64LtS
	Select
	Set R2

	// What decides where neither differs from the other: the lengths.
	I64Load n+32(FP)
	I64Load m+48(FP)
	I64GtS
	I64ExtendI32U
	I64Load n+32(FP)
	I64Load m+48(FP)
	I64LtS
	I64ExtendI32U
	I64Sub
	Set R4

done:
	Block
words:
		Loop
			Get R2
			I64Const $0
			I64LeS
			BrIf done
			Get R0
			I32WrapI64
			I64Load $0
			Get R1
			I32WrapI64
			I64Load $0
			I64Xor
			Tee R3
			I64Eqz
			If
				ADVANCE(R0, $8)
				ADVANCE(R1, $8)
				ADVANCE(R2, $-8)
				Br words
			End
		End
		Get R3
		I64Ctz
		I64Const $3
		I64ShrU
		Tee R3
		Get R2
		I64GeS
		BrIf done
		Get R0
		Get R3
		I64Add
		Tee R0
		Set R5
		Get R1
		Get R3
		I64Add
		Set R1

		// What differs behind a backslash that none stands before is the rest of an escape. Its
		// digits compare as they stand.
back:
		Loop
			Get R5
			I64Const $1
			I64Sub
			I32WrapI64
			I64Load8U $0
			I64Const $0x5C
			I64Eq
			If
				ADVANCE(R5, $-1)
				Br back
			End
		End
		Get R0
		Get R5
		I64Sub
		I64Const $1
		I64And
		Set R3
		Get R0
		Get R3
		I64Sub
		Set R0
		Get R1
		Get R3
		I64Sub
		Set R1
		UNIT(R0, R5, done)
		UNIT(R1, R6, done)
		Get R5
		Get R6
		I64GtU
		I64ExtendI32U
		I64Const $1
		I64Shl
		I64Const $1
		I64Sub
		Set R4
	End

	Get SP
	Get R4
	I64Store ret+56(FP)
	RET

// Entities, behind the "&".
#define AMP $0x3b706d61
#define LT $0x3b746c
#define GT $0x3b7467
#define QUOT $0x3b746f7571
#define TABULATOR $0x3b3923
#define NEWLINE $0x3b303123
#define RETURN $0x3b333123

// NAMES sets R10 to what the entity stands for, as the output has it, and R2 to how long it is, if
// it stands in the word in R12.
#define NAMES(entity, length, character) \
	Get R12; \
	I64Const $(1<<(8*(length-1))-1); \
	I64And; \
	I64Const entity; \
	I64Eq; \
	If; \
		I64Const $length; \
		Set R2; \
		I64Const character; \
		Set R10; \
	End

// RESOLVEKEY writes the key that an attribute has, from R9 on, as it stands in the store to
// Merge.resolved, which has room for the text up to R8 and a word, and moves R9 there and R0 to where it ends
// in the text. There is no such key if it is not just as it would be written.
#define RESOLVEKEY(label) \
	LOAD(R1, Merge_resolved); \
	Set R13; \
	Get R9; \
	Set R0; \
label: \
	Loop; \
		LOAD(R0, 0); \
		Set R2; \
		Get R13; \
		I32WrapI64; \
		Get R2; \
		I64Store $0; \
		MARKUP(R12); \
		BACKSLASHED(R12); \
		I64Const HIGHS; \
		I64And; \
		I64Ctz; \
		I64Const $3; \
		I64ShrU; \
		Set R10; \
		Get R0; \
		Get R10; \
		I64Add; \
		Set R0; \
		Get R13; \
		Get R10; \
		I64Add; \
		Set R13; \
		Get R10; \
		I64Const $8; \
		I64Eq; \
		BrIf label; \
		ATSOURCED; \
		I32Eqz; \
		If; \
			I64Const $0; \
			Set R10; \
			LOAD(R0, 1); \
			Set R12; \
			LOAD8(R0, 0); \
			Tee R2; \
			I64Const $0x26; \
			I64Eq; \
			If; \
				NAMES(AMP, 5, $0x26); \
				NAMES(LT, 4, $0x3C); \
				NAMES(GT, 4, $0x3E); \
				NAMES(QUOT, 6, $0x225C); \
				NAMES(TABULATOR, 4, TAB); \
				NAMES(NEWLINE, 5, LINEFEED); \
				NAMES(RETURN, 5, $0x725C); \
			Else; \
				Get R2; \
				I64Const $0x5C; \
				I64Ne; \
				BrIf nothing; \
				I64Const $2; \
				Set R2; \
				Get R0; \
				I32WrapI64; \
				I64Load16U $0; \
				Set R10; \
				I64Const $0; \
				Get R10; \
				ESCAPEOF(TAB); \
				ESCAPEOF(LINEFEED); \
				I32Or; \
				ESCAPEOF($0x725C); \
				I32Or; \
				ESCAPEOF($0x225C); \
				I32Or; \
				Select; \
				Set R10; \
			End; \
			Get R10; \
			I64Eqz; \
			BrIf nothing; \
			Get R13; \
			I32WrapI64; \
			Get R10; \
			I64Store16 $0; \
			Get R13; \
			I64Const $1; \
			I64Add; \
			Get R10; \
			I64Const $0xFF; \
			I64GtU; \
			I64ExtendI32U; \
			I64Add; \
			Set R13; \
			Get R0; \
			Get R2; \
			I64Add; \
			Set R0; \
			Br label; \
		End; \
	End; \
	Get R13; \
	LOAD(R1, Merge_resolved); \
	Tee R9; \
	I64Sub; \
	Set R10
#define ESCAPEOF(escape) \
	Get R10; \
	I64Const escape; \
	I64Eq

// func keyAround(m *Merge, part *json.String, kind fragment.Kind, attribute, nested bool, hint int) (found, begin, end int)
//
// R0 is the end of the key in the opening tag, then of that tag, R1 the merge, R2 marks, a word
// or the index in the middle, R3 the address of the text, R4 that of the part, R5 that of a key,
// R6 the result, R7 what it is if the key is not around, R8 the end of the part's text, R9 where the key begins, R10 how long it is,
// R11 the index of the entry, R12 and R13 are the bounds of a search, then where the closing tag
// begins and where its key does, R14 is the kind, or an order, R15 an entry.
TEXT ·keyAround(SB), NOSPLIT, $64-56
	I64Load m+0(FP)
	Tee R1
	I32WrapI64
	I64Load $Merge_text
	Set R3
	I64Load part+8(FP)
	Set R4
	I64Load8U kind+16(FP)
	Set R14
	I64Load hint+24(FP)
	Set R11
	Get R3
	LOAD32(R4, START)
	I64Add
	Set R9
	I64Const $-2
	Set R6
	I64Const $-1
	Set R7

stop:
	Block
nothing:
		Block
			// Has it the tags of any key?
			MAYBEGIN(R4)
			Get R2
			I64Const $0x3C
			I64Ne
			BrIf nothing
			Get R3
			LOAD32(R4, END)
			I64Add
			Tee R8
			I64Const $1
			I64Sub
			I32WrapI64
			I64Load8U $0
			I64Const $0x3E
			I64Ne
			BrIf nothing
			I64Load8U attribute+17(FP)
			I32WrapI64
			If
				Get R14
				I64Const $const_untrusted
				I64Eq
				If
					ATSOURCE
					I32Eqz
					BrIf nothing
					ADVANCE(R9, $27)
				Else
					AT(R9, $0, ASOURCE)
					AT(R9, $8, ASOURCE_8)
					I32And
					AT(R9, $16, ASOURCE_16)
					I32And
					AT(R9, $22, SOURCE_19)
					I32And
					I32Eqz
					BrIf nothing
					ADVANCE(R9, $30)
				End
				Get R9
				Set R0
				RESERVED(source, R12, BACKSLASHED(R12))
				Get R0
				Get R9
				I64Sub
				Set R10
				ATSOURCED
				I32Eqz
				If
					LOAD(R1, Merge_resolved+SLICECAP)
					I64Const $8
					I64Sub
					Get R8
					Get R9
					I64Sub
					I64LtS
					BrIf stop
					RESOLVEKEY(resolve)
				End
			Else
				Get R14
				I64Const $const_untrusted
				I64Eq
				If
					AT(R9, $0, OPENING)
					Get R9
					I32WrapI64
					I64Load16U $8
					I64Const OPENING_8
					I64Eq
					I32And
					I32Eqz
					BrIf nothing
					ADVANCE(R9, $10)
				Else
					ADVANCE(R9, $1)
				End
				KEYEND(key)
				Get R0
				Get R9
				I64Sub
				Set R10
			End

found:
			Block
				// A key that goes on behind a ">" may be there too. The longest one that the text
				// begins with is the only one if the text ends with it as well, unless a closing tag
				// begins within it.
				I64Load8U nested+18(FP)
				I32WrapI64
				If
					SEARCH
nested:
					Loop
						BETWEEN
						If
							MIDDLE
							KEYORDER(Get R8; Get R9; I64Sub)
							NARROW($0)
							Br nested
						End
					End
					Get R12
					I64Const $0
					I64Ne
					If
						ADVANCE(R12, $-1)
						ENTRYAT(R12)
						KEYLEN
						Get R10
						I64GtU
						If
							LOAD32(R15, Entry_Key+START)
							Get R3
							I64Add
							Set R13
							EQUAL(R13, R9, Get R10; I64Const $1; I64Add)
							I32WrapI64
							If
								I64Const $-2
								Set R7
								KEYLEN
								Tee R10
								Get R9
								I64Add
								Tee R0
								I32WrapI64
								I64Load8U $0
								I64Const $0x3E
								I64Ne
								BrIf nothing
								EQUAL(R13, R9, Get R10)
								I64Eqz
								BrIf nothing
								Get R12
								Set R11
								Br found
							End
						End
					End
				End

				// Texts follow one another as keys do most often.
				Get R11
				LOAD(R1, Merge_Old+Map_entries+SLICELEN)
				I64GeU
				BrIf nothing
				ENTRYAT(R11)
				ISKEY
				ADVANCE(R11, $1)
				Get R11
				LOAD(R1, Merge_Old+Map_entries+SLICELEN)
				I64LtU
				If
					ENTRYAT(R11)
					ISKEY
				End
				SEARCH
keys:
				Loop
					BETWEEN
					If
						MIDDLE
order:
						Block
							// Most often the first bytes tell, and none is of an escape.
							LOAD32(R15, Entry_Key+START)
							Get R3
							I64Add
							Tee R5
							I32WrapI64
							I64Load $0
							Get R9
							I32WrapI64
							I64Load $0
							I64Xor
							I64Ctz
							I64Const $3
							I64ShrU
							Tee R14
							I64Const $8
							I64LtU
							Get R14
							KEYLEN
							I64LtU
							I32And
							Get R14
							Get R10
							I64LtU
							I32And
							LOAD8(R15, Entry_Key+FORM)
							LOAD8(R4, FORM)
							I64Or
							I64Eqz
							I32And
							If
								Get R5
								Get R14
								I64Add
								I32WrapI64
								I64Load8U $0
								Get R9
								Get R14
								I64Add
								I32WrapI64
								I64Load8U $0
								I64Sub
								Set R14
								Br order
							End
							KEYORDER(Get R10)
							Set R14
						End
						Get R14
						I64Eqz
						If
							Get R2
							Set R11
							Br found
						End
						Get R14
						NARROW($-1)
						Br keys
					End
				End
				Br nothing
			End
			I64Load8U kind+16(FP)
			Set R14

around:
			Block
				// Has it the closing tag?
				I64Load8U attribute+17(FP)
				I32WrapI64
				If
					ADVANCE(R0, $2)
					Get R8
					I64Const $19
					I64Const $22
					Get R14
					I64Const $const_untrusted
					I64Eq
					Select
					I64Sub
					Tee R12
					Get R0
					I64LeS
					BrIf nothing
					Get R14
					I64Const $const_untrusted
					I64Eq
					If
						ATCONTEXT
						I32Eqz
						BrIf nothing
					Else
						AT(R12, $0, ACONTEXT)
						AT(R12, $8, ACONTEXT_8)
						I32And
						AT(R12, $14, CONTEXT_11)
						I32And
						I32Eqz
						BrIf nothing
					End
					Br around
				End
				Get R8
				I64Const $1
				I64Sub
				Get R10
				I64Sub
				Set R13
				Get R14
				I64Const $const_untrusted
				I64Eq
				If
					Get R13
					I64Const $11
					I64Sub
					Tee R12
					Get R0
					I64LeS
					BrIf nothing
					AT(R12, $0, CLOSING)
					AT(R12, $3, CLOSING_3)
					I32And
					I32Eqz
					BrIf nothing
				Else
					Get R13
					I64Const $2
					I64Sub
					Tee R12
					Get R0
					I64LeS
					BrIf nothing
					Get R12
					I32WrapI64
					I64Load16U $0
					I64Const SLASH
					I64Ne
					BrIf nothing
				End
				EQUAL(R9, R13, Get R10)
				I64Eqz
				BrIf nothing
				Get R7
				I64Const $-1
				I64Ne
				If
within:
					Loop
						LOAD8(R9, 0)
						I64Const $0x3C
						I64Eq
						BrIf nothing
						ADVANCE(R9, $1)
						Get R9
						Get R0
						I64LtU
						BrIf within
					End
				End
			End
			ADVANCE(R0, $1)
			Get R11
			Set R6
			Br stop
		End
		Get R7
		Set R6
	End

	Get SP
	Get R6
	I64Store found+32(FP)
	Get SP
	OFFSET(R0)
	I64Store begin+40(FP)
	Get SP
	OFFSET(R12)
	I64Store end+48(FP)
	RET

// CALLKEYAROUND calls it. What it returns is in the frame.
#define CALLKEYAROUND(merge, part, kind, attribute, nested, hint) \
	Get SP; \
	merge; \
	I64Store $0; \
	Get SP; \
	part; \
	I64Store $8; \
	Get SP; \
	kind; \
	I64Store8 $16; \
	Get SP; \
	attribute; \
	I64Store8 $17; \
	Get SP; \
	nested; \
	I64Store8 $18; \
	Get SP; \
	hint; \
	I64Store $24; \
	CALLNORESUME ·keyAround(SB)
#define KEYFOUND 32
#define KEYBEGIN 40
#define KEYSHUT 48
#define KEYFRAME 56

// HINT is where the index of the entry that was found last is kept.
#define HINT KEYFRAME

// func classifyRun(m *Merge, w *json.Writer, h *History, i, next int, attribute, nested bool) (newI, newNext int)
//
// R0 is the end of the key, R1 the item, R2 a byte or marks, R3 the address of the text,
// R4 the writer, R5 the string, R6 the end of the items, R7 the end of the text, R8 the
// end of the room, R9 where the key begins, R10 how long it is, R11 and R12 what is
// copied or compared, R13 where it is written, R14 what comes next, R15 the history.
TEXT ·classifyRun(SB), NOSPLIT, $64-64
	Get SP
	I64Const $0
	I64Store $HINT
	I64Load m+0(FP)
	I32WrapI64
	I64Load $Merge_text
	Set R3
	I64Load h+16(FP)
	Set R15
	LOAD(R15, History_items)
	LOAD(R15, History_items+SLICELEN)
	I64Const $item__size
	I64Mul
	I64Add
	Set R6
	LOAD(R15, History_items)
	I64Load i+24(FP)
	I64Const $item__size
	I64Mul
	I64Add
	Set R1
	I64Load next+32(FP)
	Set R14
	I64Load w+8(FP)
	Tee R4
	I32WrapI64
	I64Load $0
	Tee R13
	LOAD(R4, SLICECAP)
	I64Add
	I64Const ROOM
	I64Sub
	Set R8
	Get R13
	LOAD(R4, SLICELEN)
	I64Add
	Set R13

stop:
	Block
next:
		Loop
			Get R1
			Get R6
			I64GeU
			Get R13
			Get R8
			I64GtS
			I32Or
			BrIf stop
			Get R14
			LOAD32(R1, item_index)
			I64LtU
			If
				NOTHIDDEN
				ADVANCE(R14, $1)
				Br next
			End

			// Has it one part?
			Get R1
			I64Const $item__size
			I64Add
			Tee R2
			Get R6
			I64LtU
			If
				LOAD32(R2, item_parts)
				Set R2
			Else
				LOAD(R15, History_parts+SLICELEN)
				Set R2
			End
			Get R2
			LOAD32(R1, item_parts)
			Tee R5
			I64Sub
			I64Const $1
			I64Ne
			BrIf stop
			LOAD(R15, History_parts)
			Get R5
			I64Const $4
			I64Shl
			I64Add
			Set R5
			Get R3
			LOAD32(R5, START)
			I64Add
			Set R9
			LOAD8(R1, item_kind)
			I64Const $const_untrusted
			I64Eq
			If
				// What white space there is most often before a tag.
space:
				Loop
					LOAD8(R9, 0)
					I64Const $0x20
					I64Eq
					If
						ADVANCE(R9, $1)
						Br space
					End
					Get R9
					I32WrapI64
					I64Load16U $0
					Tee R2
					I64Const LINEFEED
					I64Eq
					Get R2
					I64Const TAB
					I64Eq
					I32Or
					If
						ADVANCE(R9, $2)
						Br space
					End
				End
			End
			MAYBEGIN(R5)
			Get R3
			LOAD32(R5, END)
			I64Add
			Set R7

hidden:
			Block
clear:
				Block
					// What begins with none of these is no tag behind white space.
					Get R2
					I64Const $0x3C
					I64Ne
					If
						Get R2
						I64Const $0x21
						I64LtU
						Get R2
						I64Const $0x5C
						I64Eq
						I32Or
						Get R2
						I64Const $0x7F
						I64GtU
						I32Or
						BrIf stop
						Br clear
					End
known:
					Block
						LOAD8(R1, item_kind)
						I64Const $const_untrusted
						I64Ne
						If
							// A developer's text is hidden if it is in the tags of a key.
							I64Load8U attribute+40(FP)
							I32WrapI64
							BrIf stop
							CALLKEYAROUND(I64Load m+0(FP), Get R5, I64Const $const_application, I64Const $0, I64Load8U nested+41(FP), RESULT(HINT))
							RESULT(KEYFOUND)
							Tee R2
							I64Const $-1
							I64Eq
							BrIf clear
							Get R2
							I64Const $0
							I64LtS
							BrIf stop
							Get SP
							Get R2
							I64Store $HINT
							I64Load m+0(FP)
							Set R0
							LOAD(R0, Merge_Old+Map_entries)
							Get R2
							I64Const $Entry__size
							I64Mul
							I64Add
							Set R0
							Get R3
							LOAD32(R0, Entry_Key+START)
							I64Add
							Set R9
							LOAD32(R0, Entry_Key+END)
							LOAD32(R0, Entry_Key+START)
							I64Sub
							Set R10
							Br known
						End
						AT(R9, $0, OPENING)
						Get R9
						I32WrapI64
						I64Load16U $8
						I64Const OPENING_8
						I64Eq
						I32And
						I32Eqz
						BrIf clear

behind:
						Loop
							Get R7
							I64Const $1
							I64Sub
							I32WrapI64
							I64Load8U $0
							I64Const $0x20
							I64Eq
							If
								ADVANCE(R7, $-1)
								Br behind
							End
						End

						// The tags without a key have 23 bytes, and end in a ">".
						Get R7
						Get R9
						I64Sub
						I64Const $23
						I64LtS
						Get R7
						I64Const $1
						I64Sub
						I32WrapI64
						I64Load8U $0
						I64Const $0x3E
						I64Ne
						I32Or
						BrIf stop
fragment:
						Block
element:
							Block
								ADVANCE(R9, $10)
								KEYEND(key)
								Get R0
								Get R9
								I64Sub
								Set R10
								Get R7
								I64Const $12
								I64Sub
								Get R10
								I64Sub
								Tee R12
								Get R0
								I64LeS
								BrIf element
								AT(R12, $0, CLOSING)
								AT(R12, $3, CLOSING_3)
								I32And
								I32Eqz
								BrIf element
								ADVANCE(R12, $11)
								EQUAL(R9, R12, Get R10)
								I32WrapI64
								BrIf fragment
							End

							// Under the attribute wrapper the key ends before an escaped quote, and
							// neither it nor the value has an entity, or what would be one.
							I64Load8U attribute+40(FP)
							I64Eqz
							BrIf clear
							ADVANCE(R9, $-10)
							ATSOURCE
							I32Eqz
							BrIf clear
							ADVANCE(R9, $27)
							Get R9
							Set R0
							RESERVED(source, R11, BACKSLASHED(R11))
							ATSOURCED
							I32Eqz
							BrIf stop
							Get R0
							Get R9
							I64Sub
							Set R10
							ADVANCE(R0, $3)
							Get R7
							I64Const $19
							I64Sub
							Tee R12
							Get R0
							I64LtS
							ATCONTEXT
							I32Eqz
							I32Or
							BrIf stop
							RESERVED(value, R11, I64Const $0; I64Or)
							Get R0
							Get R12
							I64Ne
							BrIf stop
						End
					End

					Get R13
					Get R10
					I64Add
					Get R8
					I64GtS
					BrIf stop
					COMMA
					PUT($0, HIDDEN)
					PUT($8, TRUE_8)
					PUT($14, KEY_14)
					ADVANCE(R13, $22)
					Get R9
					Set R12
					Get R10
					Set R11
					COPY(bytes)
					PUT($0, KIND)
					LOAD8(R1, item_kind)
					I64Const $const_untrusted
					I64Eq
					If
						PUT($8, UNTRUSTED_8)
						PUT($16, UNTRUSTED_16)
						ADVANCE(R13, $21)
					Else
						PUT($8, APPLICATION_8)
						PUT($15, APPLICATION_15)
						ADVANCE(R13, $23)
					End
					Br hidden
				End
				NOTHIDDEN
			End
			ADVANCE(R1, $item__size)
			ADVANCE(R14, $1)
			Br next
		End
	End

	Get R4
	I32WrapI64
	Get R13
	LOAD(R4, 0)
	I64Sub
	I64Store $SLICELEN
	Get SP
	Get R1
	LOAD(R15, History_items)
	I64Sub
	I64Const $item__size
	I64DivU
	I64Store newI+48(FP)
	Get SP
	Get R14
	I64Store newNext+56(FP)
	RET

// ENTITY passes the character at R0, if it is that one, and its entity at R1.
#define ENTITY(char, word, bits, length) \
	Get R6; \
	I64Const char; \
	I64Eq; \
	If; \
		Get R1; \
		I32WrapI64; \
		I64Load8U $0; \
		I64Const $0x26; \
		I64Ne; \
		Get R1; \
		I32WrapI64; \
		I64Load32U $1; \
		I64Const bits; \
		I64And; \
		I64Const word; \
		I64Ne; \
		I32Or; \
		BrIf done; \
		ADVANCE(R0, $1); \
		ADVANCE(R1, length); \
		Br next; \
	End

// func compareWritten(text *byte, value *json.String, i, n int, attribute, strip bool) (same int)
//
// R0 is the address at hand of the value, R1 that of what is written, R2 marks, R3 the result, R4
// and R5 the ends, R6 a byte, R7 how many bytes stand there as they are, R8 and R9 are which
// marks count, R10 is a word.
TEXT ·compareWritten(SB), NOSPLIT, $0-48
	I64Load value+8(FP)
	Set R2
	I64Load text+0(FP)
	LOAD32(R2, START)
	I64Add
	Set R0
	I64Load text+0(FP)
	LOAD32(R2, END)
	I64Add
	Set R4
	I64Load text+0(FP)
	I64Load i+16(FP)
	I64Add
	Tee R1
	I64Load n+24(FP)
	I64Add
	Set R5
	I64Const $0
	I64Load8U attribute+32(FP)
	I64Sub
	I64Const HIGHS
	I64And
	Set R8
	I64Const $0
	I64Load8U strip+33(FP)
	I64Sub
	I64Const HIGHS
	I64And
	Set R9
	I64Const $0
	Set R3

done:
	Block
next:
		Loop
			// How many bytes stand there as they are? Of the bytes that are marked the first one
			// is sure to be looked at.
			Get R0
			I32WrapI64
			I64Load $0
			Set R2
			MARKUP(R10)
			Get R8
			I64And
			Get R2
			I64Const BACKSLASHES
			I64Xor
			I64Const ONES
			I64Sub
			Get R2
			I64Const ONES
			I64Add
			I64Or
			Get R2
			I64Or
			Get R9
			I64And
			I64Or
			I64Ctz
			I64Const $3
			I64ShrU
			Tee R7
			Get R4
			Get R0
			I64Sub
			Tee R6
			Get R7
			Get R6
			I64LtS
			Select
			Tee R7
			Get R5
			Get R1
			I64Sub
			I64GtS
			BrIf done
			Get R2
			Get R1
			I32WrapI64
			I64Load $0
			I64Xor
			I64Ctz
			I64Const $3
			I64ShrU
			Get R7
			I64LtS
			BrIf done
			Get R0
			Get R7
			I64Add
			Set R0
			Get R1
			Get R7
			I64Add
			Set R1
			Get R0
			Get R4
			I64GeU
			If
				Get R1
				Get R5
				I64Eq
				I64ExtendI32U
				Set R3
				Br done
			End
			Get R7
			I64Const $8
			I64Eq
			BrIf next

			// May it be stripped?
			LOAD8(R0, 0)
			Set R6
			LOAD8(R0, 1)
			Set R7
			Get R9
			I64Eqz
			I32Eqz
			If
				Get R6
				I64Const $0x7F
				I64Eq
				Get R6
				I64Const $0xC2
				I64Eq
				Get R7
				I64Const $0xA0
				I64LtU
				I32And
				I32Or
				Get R6
				I64Const $0xE2
				I64Eq
				Get R7
				I64Const $0x82
				I64LtU
				I32And
				// U+202A to U+202E, U+2066 to U+2069, and some between, but not "…".
				LOAD8(R0, 2)
				Get R7
				I64Add
				I64Const $0x127
				I64Sub
				I64Const $8
				I64LtU
				I32And
				I32Or
				Get R6
				I64Const $0x5C
				I64Eq
				Get R7
				I64Const $0x6E
				I64Ne
				Get R7
				I64Const $0x74
				I64Ne
				I32And
				Get R7
				I64Const $0x22
				I64Ne
				I32And
				Get R7
				I64Const $0x5C
				I64Ne
				I32And
				I32And
				I32Or
				If
					I64Const $-1
					Set R3
					Br done
				End
			End
			Get R8
			I64Eqz
			I32Eqz
			If
				ENTITY($0x26, AMP, $0xFFFFFFFF, $5)
				ENTITY($0x3C, LT, $0xFFFFFF, $4)
				ENTITY($0x3E, GT, $0xFFFFFF, $4)
			End

			// It stands there as it is, an escape with the character behind the backslash.
			Get R6
			LOAD8(R1, 0)
			I64Ne
			BrIf done
			Get R6
			I64Const $0x5C
			I64Eq
			If
				Get R7
				LOAD8(R1, 1)
				I64Ne
				BrIf done
				ADVANCE(R0, $1)
				ADVANCE(R1, $1)
			End
			ADVANCE(R0, $1)
			ADVANCE(R1, $1)
			Br next
		End
	End

	Get SP
	Get R3
	I64Store same+40(FP)
	RET

// FOUND is where the index of what is found for others to compare is kept.
#define FOUND KEYFRAME

// LIMIT is where the budget of the value in bytes is kept, and CUTBY where it is how it is cut.
#define LIMIT (KEYFRAME+8)
#define CUTBY (KEYFRAME+16)

// HEADLIMIT leaves how many bytes of a value that is cut the beginning may have.
#define HEADLIMIT HEADOF(RESULT(LIMIT))

// WITHIN moves r by steps to where a character begins.
#define WITHIN(r, label, step) \
label: \
	Loop; \
		LOAD8(r, 0); \
		I64Const $0xC0; \
		I64And; \
		I64Const $0x80; \
		I64Eq; \
		If; \
			ADVANCE(r, step); \
			Br label; \
		End; \
	End

// The marker: "…", a number, " tokens truncated…".
#define MARKER $0xa680e2
#define MARKER_3 $0x20736e656b6f7420
#define MARKER_11 $0x657461636e757274
#define MARKER_19 $0xa680e264

// func weighRun(m *Merge, h *History, templates *[fragment.Kinds]fragment.Template, limit int, attribute, nested bool, i, p int) (newI, newP, found int)
//
// R0 is where the value begins between the tags, R1 the merge, R2 an index or a word, R3 the
// address of the text, R4 that of the part, R5 the end of the parts, R6 the item, R7 the end
// of the items, R8 the standing, R9 how long what stands between the tags is, R10 a length, an
// address or a number, R11 the index of the entry that was found last, R12 where the closing tag
// begins, R13 where the entry's value does, or a number, R14 is the kind, then the policy,
// R15 the entry.
TEXT ·weighRun(SB), NOSPLIT, $80-80
	Get SP
	I64Const $-1
	I64Store $FOUND
	I64Load m+0(FP)
	Tee R1
	I32WrapI64
	I64Load $Merge_text
	Set R3
	I64Load h+8(FP)
	Set R2
	LOAD(R2, History_parts)
	I64Load p+48(FP)
	I64Const $4
	I64Shl
	I64Add
	Set R4
	LOAD(R2, History_parts)
	LOAD(R2, History_parts+SLICELEN)
	I64Const $4
	I64Shl
	I64Add
	Set R5
	LOAD(R2, History_items)
	I64Load i+40(FP)
	I64Const $item__size
	I64Mul
	I64Add
	Set R6
	LOAD(R2, History_items)
	LOAD(R2, History_items+SLICELEN)
	I64Const $item__size
	I64Mul
	I64Add
	Set R7
	I64Const $0
	Set R11

stop:
	Block
next:
		Loop
			Get R4
			Get R5
			I64GeU
			BrIf stop

nothing:
			Block
				LOAD8(R6, item_kind)
				Set R14
				CALLKEYAROUND(Get R1, Get R4, Get R14, I64Load8U attribute+32(FP), I64Load8U nested+33(FP), Get R11)
				RESULT(KEYFOUND)
				Tee R2
				I64Const $-1
				I64Eq
				BrIf nothing
				Get R2
				I64Const $0
				I64LtS
				BrIf stop
				Get R2
				Set R11
				ENTRYAT(R11)
				Get R3
				RESULT(KEYBEGIN)
				I64Add
				Set R0
				Get R3
				RESULT(KEYSHUT)
				I64Add
				Set R12

judged:
				Block
others:
					Block
						I64Load limit+24(FP)
						I64Const $0
						I64LtS
						BrIf others

						// The budget, as the key may have one of its own.
						Get R11
						I64Const $outcome__size
						I64Mul
						LOAD(R1, Merge_outcomes)
						I64Add
						Set R2
						BUDGET(R1, R2, R9)
						I64Const $const_stale
						Set R8
						LOAD8(R15, Entry_Kind)
						Get R14
						I64Ne
						BrIf judged
						Get R12
						Get R0
						I64Sub
						Set R9
						LOAD(R1, Merge_Policy)
						Set R14
						LOAD32(R15, Entry_Value+LEN)
						Tee R13
						RESULT(LIMIT)
						I64LeS
						If
							// Between the tags stands the value, if it is what the entry renders to.
							Get SP
							Get R3
							I64Store $0
							Get SP
							Get R15
							I64Const $Entry_Value
							I64Add
							I64Store $8
							Get SP
							OFFSET(R0)
							I64Store $16
							Get SP
							Get R9
							I64Store $24
							Get SP
							I64Load8U attribute+32(FP)
							I64Store8 $32
							Get SP
							LOAD8(R14, Policy_Strip)
							I64Store8 $33
							CALLNORESUME ·compareWritten(SB)
							RESULT(40)
							Tee R2
							I64Const $0
							I64LtS
							BrIf others

							// By a strict limit it is cut where it gets too long, escaped.
							LOAD8(R14, Policy_Limit+STRICT)
							I64Load8U attribute+32(FP)
							I64And
							I32WrapI64
							If
								Get R13
								I64Const $5
								I64Mul
								Get R13
								Get R9
								I64Add
								LOAD32(R15, Entry_Value+END)
								LOAD32(R15, Entry_Value+START)
								I64Sub
								I64Sub
								Get R2
								I64Eqz
								Select
								RESULT(LIMIT)
								I64GtS
								BrIf others
							End
							I64Const $const_current
							I64Const $const_stale
							Get R2
							I32WrapI64
							Select
							Set R8
							Br judged
						End

						// Of one that is cut a beginning, the marker and an end. What is shorter than
						// these is not looked at, so that the work grows with the text.
						LOAD8(R14, Policy_Strip)
						LOAD8(R14, Policy_Limit+STRICT)
						I64Or
						I64Load8U attribute+32(FP)
						I64Or
						I32WrapI64
						BrIf others
						Get R9
						I64Const $(24-6)
						I64Sub
						RESULT(LIMIT)
						I64LtS
						BrIf judged
						Get SP
						Get R3
						I64Store $0
						Get SP
						LOAD32(R15, Entry_Value+START)
						I64Store $24
						Get SP
						HEADLIMIT
						I64Store $32
						CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·forward(SB)
						LOAD32(R15, Entry_Value+START)
						Get R3
						I64Add
						Set R13
						Get R3
						RESULT(40)
						I64Add
						Set R10
						WITHIN(R10, head, $-1)
						Get R9
						Get R10
						Get R13
						I64Sub
						Tee R10
						I64Sub
						I64Const $24
						I64LtS
						BrIf judged
						EQUAL(R0, R13, Get R10)
						I64Eqz
						BrIf judged
						Get R0
						Get R10
						I64Add
						Tee R0
						I32WrapI64
						I64Load32U $0
						I64Const $0xFFFFFF
						I64And
						I64Const MARKER
						I64Ne
						BrIf judged
						ADVANCE(R0, $3)
						LOAD32(R15, Entry_Value+LEN)
						RESULT(LIMIT)
						I64Sub
						I64Const $3
						I64Add
						I64Const $2
						I64ShrU
						Set R13
						I64Const $0
						Set R10
digits:
						Loop
							LOAD8(R0, 0)
							I64Const $0x30
							I64Sub
							Tee R2
							I64Const $10
							I64LtU
							If
								Get R10
								I64Const $10
								I64Mul
								Get R2
								I64Add
								Tee R10
								I64Const $1
								I64Sub
								Get R13
								I64GeU // nor does it begin with a zero
								BrIf judged
								ADVANCE(R0, $1)
								Br digits
							End
						End
						Get R10
						Get R13
						I64Ne
						BrIf judged
						AT(R0, $0, MARKER_3)
						AT(R0, $8, MARKER_11)
						I32And
						Get R0
						I32WrapI64
						I64Load32U $16
						I64Const MARKER_19
						I64Eq
						I32And
						I32Eqz
						BrIf judged
						ADVANCE(R0, $20)
						Get SP
						Get R3
						I64Store $0
						Get SP
						LOAD32(R15, Entry_Value+START)
						I64Store $24
						Get SP
						LOAD32(R15, Entry_Value+END)
						I64Store $32
						Get SP
						RESULT(LIMIT)
						HEADLIMIT
						I64Sub
						I64Store $40
						CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·backward(SB)
						Get R3
						RESULT(48)
						I64Add
						Set R10
						WITHIN(R10, tail, $1)
						Get R3
						LOAD32(R15, Entry_Value+END)
						I64Add
						Get R10
						I64Sub
						Get R12
						Get R0
						I64Sub
						I64Ne
						BrIf judged
						EQUAL(R0, R10, Get R12; Get R0; I64Sub)
						I64Eqz
						BrIf judged
						I64Const $const_current
						Set R8
						Br judged
					End

					// It is rendered to be compared, where that is done at once.
failed:
					Block
						I64Load limit+24(FP)
						I64Const $0
						I64LtS
						BrIf failed
						Get R11
						I64Const $outcome__size
						I64Mul
						LOAD(R1, Merge_outcomes)
						I64Add
						Set R10
						LOAD32(R10, outcome_from)
						I64Eqz
						If
							Get SP
							Get R1
							I64Store $0
							Get SP
							I64Load templates+16(FP)
							I64Store $8
							Get SP
							Get R11
							I64Store $16
							CALLNORESUME ·renderShort(SB)
							RESULT8(24)
							I64Eqz
							BrIf failed
						End
						Get R3
						LOAD32(R4, START)
						I64Add
						Set R0
						LOAD32(R10, BEGINS)
						LOAD(R1, Merge_early)
						I64Add
						Set R13
						I64Const $const_stale
						Set R8
						LOAD32(R10, ENDS)
						LOAD32(R10, BEGINS)
						I64Sub
						Tee R9
						LOAD32(R4, END)
						LOAD32(R4, START)
						I64Sub
						I64Ne
						BrIf judged
						EQUAL(R0, R13, Get R9)
						I32WrapI64
						If
							I64Const $const_current
							Set R8
						End
						Br judged
					End
					Get SP
					Get R11
					I64Store $FOUND
					Br stop
				End
				LOAD(R1, Merge_standing)
				Get R11
				I64Add
				I32WrapI64
				Get R8
				I64Store8 $0
			End
			ADVANCE(R4, $16)
			Get R6
			I64Const $item__size
			I64Add
			Tee R2
			Get R7
			I64LtU
			If
				LOAD32(R2, item_parts)
				Get R4
				I64Load h+8(FP)
				I32WrapI64
				I64Load $History_parts
				I64Sub
				I64Const $4
				I64ShrU
				I64Eq
				If
					Get R2
					Set R6
				End
			End
			Br next
		End
	End

	I64Load h+8(FP)
	Set R2
	Get SP
	Get R6
	LOAD(R2, History_items)
	I64Sub
	I64Const $item__size
	I64DivU
	I64Store newI+56(FP)
	Get SP
	Get R4
	LOAD(R2, History_parts)
	I64Sub
	I64Const $4
	I64ShrU
	I64Store newP+64(FP)
	Get SP
	RESULT(FOUND)
	I64Store found+72(FP)
	RET
