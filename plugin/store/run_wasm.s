#include "go_asm.h"
#include "reading_wasm.h"
#include "shared_wasm.h"
#include "textflag.h"

// run.go says what this does, and the tests hold it to the reading member by
// member.

// What stands in a member of the usual form behind the value: ","kind":" with the
// quote before it, then the kinds where they stand before the value.
#define KIND_8 $0x22646e696b222c22
#define KIND_10 $0x223a
#define UNTRUSTE $0x6574737572746e75
#define APPLICAT $0x746163696c707061

// The same with a space behind each colon and comma, as some serializers write.
#define SPACED_8 $0x6c6176227b203a22
#define SPACED_14 $0x22203a226575
#define SPACED_KIND_8 $0x646e696b22202c22
#define SPACED_KIND_12 $0x22203a22

// The first with the kind first: ":{"kind":" and what stands from the kind to the
// value.
#define FIRST_8 $0x646e696b227b3a22
#define FIRST_11 $0x223a22
#define D_VALU $0x756c6176222c2264
#define E_4 $0x223a2265
#define ION_VA $0x6176222c226e6f69
#define LUE_6 $0x223a2265756c

// NULL_6 is ":null, with the quote before it, and ISNULL what an entry then has at
// Entry_Kind and Entry_null.
#define NULL_6 $0x6c6c756e3a22
#define ISNULL $(0x100+const_untrusted)

// UNTRUST and what is behind it is a kind with the quote before it and behind it.
#define UNTRUST $0x74737572746e7522
#define ED $0x226465
#define APPLICA $0x6163696c70706122
#define TION $0x226e6f6974

// Escapes, with the backslash lowest.
#define N $0x6E5C
#define T $0x745C
#define QUOTE $0x225C
#define BACKSLASH $0x5C5C

// MANY is the bytes that so many entries have, up to which those that come out of
// order are put in place.
#define MANY $(32*Entry__size)

// SOUGHT is the bytes that so many entries have, up to which one is looked for that is
// not at hand.
#define SOUGHT $(256*Entry__size)

// FIELD leaves a field of the entry at r, of 32 bits.
#define FIELD(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load32U $(field)

// SETFIELD begins to set a field of the entry at R4, and TO ends it: what stands
// between leaves the value.
#define SETFIELD Get R4; I32WrapI64
#define TO(field) I64Store32 $(field)

// SUSPICIONS leaves marks in R2, and on the stack, of the bytes at R0 at which SPECIAL
// would stop, and of a less-than sign, a delete, and a bar, which differs from two of the
// others in one bit. The first is right.
#define SUSPICIONS \
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
	Tee R2

// SUSPICIOUS moves R0 to the first of them.
#define SUSPICIOUS(label) \
label: \
	Loop; \
		SUSPICIONS; \
		I64Eqz; \
		If; \
			ADVANCE(R0, $8); \
			Br label; \
		End; \
	End; \
	MARKED

// QUIET moves R0 to the first byte from it on at which SPECIAL would stop, or that is a
// delete, or a less-than sign before a slash: of these signs SUSPICIOUS stops at each.
#define QUIET(label) \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		Set R2; \
		SPECIALS; \
		Get R2; \
		I64Const ONES; \
		I64Add; \
		I64Or; \
		Get R2; \
		I64Const $0x3C3C3C3C3C3C3C3C; \
		I64Xor; \
		I64Const $0x7F7F7F7F7F7F7F7F; \
		I64Add; \
		Get R0; \
		I32WrapI64; \
		I64Load $1; \
		I64Const $0x2F2F2F2F2F2F2F2F; \
		I64Xor; \
		I64Const $0x7F7F7F7F7F7F7F7F; \
		I64Add; \
		I64Or; \
		I64Const $-1; \
		I64Xor; \
		I64Or; \
		NEXTUNLESSMARKED(label)

// PAIR is what two characters of three bytes have under PAIRMASK. WELLFORMED has a bit
// for each lead byte, less E0, behind which any two of the bytes that may follow make
// one, and CALM for each that begins no control character. LEAD leaves the bit of the
// first, and others above it, LEADS whether both have one.
#define PAIRMASK $0xC0C0F0C0C0F0
#define PAIR $0x8080E08080E0
#define WELLFORMED 0xDFFE
#define CALM 0xFFFB
#define LEAD(bits) \
	I64Const bits; \
	Get R2; \
	I64Const $0x0F; \
	I64And; \
	I64ShrU
#define LEADS(bits) \
	LEAD(bits); \
	I64Const bits; \
	Get R2; \
	I64Const $24; \
	I64ShrU; \
	I64Const $0x0F; \
	I64And; \
	I64ShrU; \
	I64And; \
	I64Const $1; \
	I64And

// FEW is up to how many bytes all that follows is scanned here: others scan more of
// some of it more quickly, the call included.
#define FEW $64

// REST leaves whether the bytes at that offset from r are not want, under mask.
#define REST(r, offset, mask, want) \
	Get r; \
	I32WrapI64; \
	I64Load offset; \
	I64Const mask; \
	I64And; \
	I64Const want; \
	I64Ne

// TOKENS moves R0 past the tokens from that address of tokens on, whose last one
// is before R10. Before each there may be white space. Anything else is no member
// of the usual form.
#define TOKENS(label, spaces, from, to) \
	MOVD from, R1; \
label: \
	Loop; \
		SPACE(spaces); \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		Get R1; \
		I32WrapI64; \
		I64Load $token_word; \
		I64Xor; \
		Get R1; \
		I32WrapI64; \
		I64Load $token_unused; \
		I64Shl; \
		I64Eqz; \
		I32Eqz; \
		BrIf stop; \
		Get R0; \
		Get R1; \
		I32WrapI64; \
		I64Load $token_length; \
		I64Add; \
		Set R0; \
		ADVANCE(R1, $token__size); \
		MOVD to, R2; \
		Get R1; \
		Get R2; \
		I64Ne; \
		BrIf label; \
	End

// KIND sets the kind to that at R0 and moves past it. There may be white space
// before it.
#define KIND(spaces) \
	SPACE(spaces); \
	Get R0; \
	I32WrapI64; \
	I64Load $0; \
	Tee R2; \
	I64Const UNTRUST; \
	I64Eq; \
	If; \
		REST(R0, $8, $0xFFFFFF, ED); \
		BrIf stop; \
		ADVANCE(R0, $11); \
		SETFIELD; \
		I64Const $const_untrusted; \
		TO(Entry_Kind); \
	Else; \
		Get R2; \
		I64Const APPLICA; \
		I64Ne; \
		REST(R0, $8, $0xFFFFFFFFFF, TION); \
		I32Or; \
		BrIf stop; \
		ADVANCE(R0, $13); \
		SETFIELD; \
		I64Const $const_application; \
		TO(Entry_Kind); \
	End

// MIDDLE sets R6 to the entry in the middle between R12 and R15.
#define MIDDLE \
	Get R15; \
	Get R12; \
	COUNT; \
	I64Const $1; \
	I64ShrU; \
	I64Const $Entry__size; \
	I64Mul; \
	Get R12; \
	I64Add; \
	Set R6

// AT leaves the byte at that offset from r.
#define AT(r, offset) \
	Get r; \
	I32WrapI64; \
	I64Load8U offset

// LEFT leaves how much of the key of the entry at r is behind the address in at.
#define LEFT(r, at) \
	Get R3; \
	FIELD(r, Entry_Key+END); \
	I64Add; \
	Get at; \
	I64Sub

// KEYORDER sets R2 to how the key of the entry at r compares with that of the
// entry at R4: less than 0, 0, more, or UNKNOWN. Words are compared up to the
// first that differs. There, where one has escapes, R0 is moved from where both
// were last compared up to where the character begins that differs, as it is
// written; if it is the same nevertheless, it goes on behind it.
#define KEYORDER(known, rest, words, units, r) \
	Get R3; \
	FIELD(r, Entry_Key+START); \
	I64Add; \
	Set R1; \
	Get R3; \
	FIELD(R4, Entry_Key+START); \
	I64Add; \
	Set R14; \
known: \
	Block; \
rest: \
		Loop; \
			Get R1; \
			Set R0; \
			LEFT(r, R1); \
			Tee R10; \
			LEFT(R4, R14); \
			Tee R11; \
			I64Sub; \
			Set R2; \
			Get R10; \
			Get R11; \
			Get R2; \
			I64Const $0; \
			I64LtS; \
			Select; \
			Set R10; \
words: \
			Loop; \
				Get R10; \
				I64Const $0; \
				I64LeS; \
				BrIf known; \
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
					Br words; \
				End; \
			End; \
			Get R11; \
			I64Ctz; \
			I64Const $3; \
			I64ShrU; \
			Tee R11; \
			Get R10; \
			I64GeU; \
			BrIf known; \
			Get R1; \
			Get R11; \
			I64Add; \
			Set R1; \
			Get R14; \
			Get R11; \
			I64Add; \
			Set R14; \
			Get r; \
			I32WrapI64; \
			I64Load8U $(Entry_Key+FORM); \
			Get R4; \
			I32WrapI64; \
			I64Load8U $(Entry_Key+FORM); \
			I64Or; \
			I64Eqz; \
			If; \
				AT(R1, $0); \
				AT(R14, $0); \
				I64Sub; \
				Set R2; \
				Br known; \
			End; \
units: \
			Loop; \
				Get R0; \
				I64Const $1; \
				I64Const $2; \
				I64Const $6; \
				AT(R0, $1); \
				I64Const $0x75; \
				I64Ne; \
				Select; \
				AT(R0, $0); \
				I64Const $0x5C; \
				I64Ne; \
				Select; \
				I64Add; \
				Tee R11; \
				Get R1; \
				I64LeU; \
				If; \
					Get R11; \
					Set R0; \
					Br units; \
				End; \
			End; \
			Get R14; \
			Get R1; \
			Get R0; \
			I64Sub; \
			I64Sub; \
			Set R14; \
			Get R0; \
			Set R1; \
			UNIT(R1, R10, known); \
			UNIT(R14, R11, known); \
			Get R10; \
			Get R11; \
			I64Sub; \
			Tee R2; \
			I64Eqz; \
			BrIf rest; \
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

// SAMEWORDS leaves the block out unless the R10 bytes at R0 and at R1 are the same;
// where they are less than eight, those before them count. R2 is where the first end.
#define SAMEWORDS(lines, words, out) \
lines: \
	Loop; \
		Get R10; \
		I64Const $40; \
		I64GeU; \
		If; \
			DIFFER($24); \
			DIFFER($16); \
			I64Or; \
			DIFFER($8); \
			I64Or; \
			DIFFER($0); \
			I64Or; \
			I64Eqz; \
			I32Eqz; \
			BrIf out; \
			ADVANCE(R0, $32); \
			ADVANCE(R1, $32); \
			ADVANCE(R10, $-32); \
			Br lines; \
		End; \
	End; \
words: \
	Loop; \
		Get R10; \
		I64Const $8; \
		I64GtU; \
		If; \
			DIFFER($0); \
			I64Eqz; \
			I32Eqz; \
			BrIf out; \
			ADVANCE(R0, $8); \
			ADVANCE(R1, $8); \
			ADVANCE(R10, $-8); \
			Br words; \
		End; \
	End; \
	/* The last eight, some of them a second time. */ \
	Get R1; \
	Get R10; \
	I64Add; \
	I64Const $8; \
	I64Sub; \
	Set R1; \
	Get R2; \
	I64Const $8; \
	I64Sub; \
	Set R0; \
	DIFFER($0); \
	I64Eqz; \
	I32Eqz; \
	BrIf out

#ifdef const_simd
#define SAMEBYTES(lines, words, out) \
	Get R10; \
	I64Const LONG; \
	I64GeU; \
	If; \
		SIMDEQUAL(R0, R1, R10); \
		I64Eqz; \
		BrIf out; \
	Else; \
		SAMEWORDS(lines, words, out); \
	End
#else
#define SAMEBYTES(lines, words, out) SAMEWORDS(lines, words, out)
#endif

// BEFOREVALUE leaves how many bytes of the entry at r stand before its value.
#define BEFOREVALUE(r) \
	FIELD(r, Entry_Value+START); \
	FIELD(r, Entry_start); \
	I64Sub

// SETTWIN has the entry at R4 say which of like it is the twin of: that at R6.
#define SETTWIN \
	SETFIELD; \
	Get R6; \
	Get SP; \
	I64Load $LIKES; \
	COUNT; \
	TO(Entry_twin)

// TWIN makes the entry at R4 the twin of that at R6, and passes that: all but its
// key and its start.
#define TWIN \
	MOVED(Entry_Value+START); \
	MOVED(Entry_Value+END); \
	SAME(Entry_Value+LEN); \
	SAME(Entry_Value+FORM); \
	SAME(Entry_Kind); \
	MOVED(Entry_end); \
	SETTWIN; \
	ADVANCE(R6, $Entry__size)

// COUNT leaves how many entries lie between the addresses on the stack, one above
// the other: a division by 48.
#define COUNT \
	I64Sub; \
	I64Const $0xAAAAAAAB; \
	I64Mul; \
	I64Const $37; \
	I64ShrU

// FIELD64 and FIELD8 leave a field of what is at r.
#define FIELD64(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load $(field)
#define FIELD8(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load8U $(field)

// CALLFRAME is how many bytes of the frame calls take; passUnknowns takes most.
#define CALLFRAME 64

// What is kept in the frame: the first entries of both maps, the entry of like whose
// bytes were compared, how entries stand, whether a value is clean, what the cursor
// says, and whether the key at hand was read, and only its bytes are to be compared.
#define ENTRIES (CALLFRAME+0)
#define LIKES (CALLFRAME+8)
#define COMPARED (CALLFRAME+16)
#define AS (CALLFRAME+24)
#define CLEAN (CALLFRAME+32)
#define WATCHED (CALLFRAME+40)
#define NULLS (CALLFRAME+48)
#define KEYED (CALLFRAME+56)

// How many unknown names the member at hand has, beside KEYED.
#define UNKNOWNS (CALLFRAME+57)

// KNOWN leaves whether the name at R0, in quotes, is the member's.
#define KNOWN(word, unused) \
	Get R0; \
	I32WrapI64; \
	I64Load $0; \
	I64Const unused; \
	I64Shl; \
	I64Const word<<unused; \
	I64Eq

// PASSUNKNOWNS moves R0, at the name of a member, past members that are not known.
#define PASSUNKNOWNS \
	Get SP; \
	Get R3; \
	I64Store $0; \
	Get SP; \
	OFFSET(R0); \
	I64Store $8; \
	MOVD $·entryFields(SB), R2; \
	Get SP; \
	Get R2; \
	I64Store $16; \
	MOVD $·entryUnknowns(SB), R2; \
	Get SP; \
	Get R2; \
	I64Store $24; \
	Get SP; \
	RESULT8(UNKNOWNS); \
	I64Store $32; \
	Get SP; \
	I64Load m+32(FP); \
	I32WrapI64; \
	I64Load $Map_depth; \
	I64Const $1; \
	I64Add; \
	I64Store $40; \
	CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·passUnknowns(SB); \
	Get SP; \
	RESULT(56); \
	I64Store8 $UNKNOWNS; \
	RESULT(48); \
	Tee R2; \
	I64Const $0; \
	I64LtS; \
	BrIf stop; \
	Get R3; \
	Get R2; \
	I64Add; \
	Set R0

// TOKNOWN moves R0 past white space, and past members that are not known, with the comma
// behind them.
#define TOKNOWN(spaces1, spaces2, spaces3) \
	SPACE(spaces1); \
	KNOWN(const_kindName, 16); \
	KNOWN(const_valueName, 8); \
	I32Or; \
	IFNOT; \
		PASSUNKNOWNS; \
		SPACE(spaces2); \
		Get R2; \
		I64Const $0x2C; \
		I64Ne; \
		BrIf stop; \
		ADVANCE(R0, $1); \
		SPACE(spaces3); \
	End

// RAISE sets form to the field of what is at r, if that is higher.
#define RAISE(form, r, field) \
	Get form; \
	FIELD8(r, field); \
	Get form; \
	FIELD8(r, field); \
	I64GtU; \
	Select; \
	Set form

// func readRun(text []byte, i int, m, like *Map, at *cursor) (end int, s runState)
//
// R0 is the address at hand, R1 that of what it is compared with, or whether a value
// has signs that need not be looked at one by one, R2 a word,
// marks or an order, R3 the address of the text, R4 that of the entry at hand, R5
// the end of entries, R6 and R7 the same for like, R8 the end of the text, R9 the
// end of the member before, R10 a length, or whether a value is clean, R11 and R14 are for KEYORDER, R12 is
// how much escapes save, where a member begins, or an entry before, R13 the forms,
// R15 the state, or with R12 the bounds of a search.
TEXT ·readRun(SB), NOSPLIT, $128-65
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
	I64Load m+32(FP)
	Set R1
	Get SP
	FIELD64(R1, Map_entries)
	Tee R2
	I64Store $ENTRIES
	Get R2
	FIELD64(R1, Map_entries+SLICELEN)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R4
	Get R2
	FIELD64(R1, Map_entries+SLICECAP)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R5
	I64Load like+40(FP)
	Set R1
	Get SP
	FIELD64(R1, Map_entries)
	Tee R2
	I64Store $LIKES
	Get R2
	FIELD64(R1, Map_entries+SLICELEN)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R7
	I64Load at+48(FP)
	Set R1
	Get R2
	FIELD64(R1, cursor_hint)
	I64Const $Entry__size
	I64Mul
	I64Add
	Set R6
	Get SP
	FIELD8(R1, cursor_as)
	I64Store8 $AS
	Get SP
	FIELD8(R1, cursor_watched)
	I64Store8 $WATCHED
	Get SP
	FIELD8(R1, cursor_nulls)
	I64Store8 $NULLS
	Get SP
	I64Const $0
	I64Store8 $CLEAN
	I64Const $0
	Tee R13
	Set R15

stop:
	Block
members:
		Loop
complete:
			Block
				SPACE(start)
				Get R2
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
				Get R9
				I64Const $1
				I64Sub
				I32WrapI64
				I64Load8U $0
				I64Const $0x7B
				I64Ne
				If
					Get R2
					I64Const $0x2C
					I64Ne
					BrIf stop
					ADVANCE(R0, $1)
					SPACE(quote)
				End
				Get R2
				I64Const $0x22
				I64Ne
				BrIf stop
				Get R0
				Set R12
				Get SP
				I64Const $0
				I64Store16 $KEYED

scanned:
				Block
again:
					Loop
						Get SP
						Get R6
						I64Store $COMPARED
sought:
						Block
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
								Get R3
								FIELD(R6, Entry_start)
								I64Add
								Set R1
								SAMEBYTES(lines, words, different)

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
								MOVED(Entry_start)
								TWIN
								Br complete
							End
							Get R12
							Set R0
							Get SP
							I64Load8U $KEYED
							I64Eqz
							IFNOT
								ADVANCE(R6, $Entry__size)
								Br sought
							End

							// The key: R10 is how much its escapes save, R11
							// their forms.
							SETFIELD
							I64Const $-1
							TO(Entry_twin)
							SETFIELD
							OFFSET(R0)
							TO(Entry_start)
							ADVANCE(R0, $1)
							SETFIELD
							OFFSET(R0)
							TO(Entry_Key+START)
							STRING(letters, key)
							SETFIELD
							OFFSET(R0)
							TO(Entry_Key+END)
							SETFIELD
							FIELD(R4, Entry_Key+END)
							FIELD(R4, Entry_Key+START)
							I64Sub
							Get R10
							I64Sub
							TO(Entry_Key+LEN)
							SETFIELD
							FORMOF(R11)
							Tee R2
							TO(Entry_Key+FORM)
							Get R13
							Get R2
							I64Const $8
							I64Shl
							I64Or
							Set R13

							// What stands up to the value, that is R10 from here on.
shape:
							Block
								Get R0
								I32WrapI64
								I64Load $0
								Tee R2
								I64Const VALUE_8
								I64Eq
								Get R0
								I32WrapI64
								I64Load32U $8
								I64Const VALUE_12
								I64Eq
								I32And
								If
									SETFIELD
									I64Const $const_unread
									TO(Entry_Kind)
									I64Const $12
									Set R10
									Br shape
								End
								Get R2
								I64Const SPACED_8
								I64Ne
								REST(R0, $8, $0xFFFFFFFFFFFF, SPACED_14)
								I32Or
								IFNOT
									SETFIELD
									I64Const $const_unread
									TO(Entry_Kind)
									I64Const $14
									Set R10
									Br shape
								End
								Get R2
								I64Const FIRST_8
								I64Ne
								REST(R0, $8, $0xFFFFFF, FIRST_11)
								I32Or
								IFNOT
									REST(R0, $11, $-1, UNTRUSTE)
									REST(R0, $19, $-1, D_VALU)
									I32Or
									REST(R0, $27, $0xFFFFFFFF, E_4)
									I32Or
									IFNOT
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
									IFNOT
										SETFIELD
										I64Const $const_application
										TO(Entry_Kind)
										I64Const $33
										Set R10
										Br shape
									End
								End
								Get R2
								I64Const $0xFFFFFFFFFFFF
								I64And
								I64Const NULL_6
								I64Eq
								If
									Get SP
									I64Load8U $NULLS
									I64Eqz
									BrIf stop
									SETFIELD
									I64Const $0
									I64Store $(Entry_Value+START)
									SETFIELD
									I64Const $0
									I64Store $(Entry_Value+LEN)
									SETFIELD
									I64Const ISNULL
									TO(Entry_Kind)
									ADVANCE(R0, $6)
									SETFIELD
									OFFSET(R0)
									TO(Entry_end)
									Br complete
								End
								// With white space, token by token.
								ADVANCE(R0, $1)
								TOKENS(tokens1, spaces1, $·tokens+(7*token__size)(SB), $·tokens+(9*token__size)(SB))
								TOKNOWN(spaces2, comma2, name2)
								BYTE($1)
								I64Const $0x6B
								I64Eq
								If
									TOKENS(tokens2, spaces3, $·tokens+token__size(SB), $·tokens+(3*token__size)(SB))
									KIND(spaces4)
									TOKENS(tokens3, spaces5, $·tokens+(3*token__size)(SB), $·tokens+(4*token__size)(SB))
									TOKNOWN(spaces10, comma3, name3)
									TOKENS(tokens6, spaces11, $·tokens+(4*token__size)(SB), $·tokens+(7*token__size)(SB))
								Else
									SETFIELD
									I64Const $const_unread
									TO(Entry_Kind)
									TOKENS(tokens4, spaces6, $·tokens+(4*token__size)(SB), $·tokens+(7*token__size)(SB))
								End
								I64Const $0
								Set R10
							End
							SETFIELD
							OFFSET(R0)
							Get R10
							I64Add
							TO(Entry_Value+START)

							// The entry of like that has the key, from R12 on and before
							// R15. In order, those that come before it are passed for
							// good; else it is looked for by halves, but not where they are so
							// many that each step would leave the caches: all are sorted
							// later. Where there is none, R6 is the one that comes behind it.
found:
							Block
								Get SP
								I64Load8U $AS
								I64Const $const_asRead
								I64Eq
								Get R7
								Get SP
								I64Load $LIKES
								I64Sub
								I64Const SOUGHT
								I64GtU
								I32And
								BrIf found
								Get R6
								Get SP
								I64Load $LIKES
								Get SP
								I64Load8U $AS
								I64Eqz
								Select
								Set R12
								Get R7
								Set R15
search:
								Loop
									Get R12
									Get R15
									I64GeU
									If
										Get R12
										Set R6
										Br found
									End
									Get R6
									Get R15
									I64GeU
									If
										MIDDLE
									End
									KEYORDER(likeOrder, likeRest, likeWords, likeUnits, R6)
									Get R2
									I64Eqz
									If
										// Where the key is written otherwise, what is
										// behind it may be the same.
otherwise:
										Block
											AT(R4, $(Entry_Key+FORM))
											AT(R6, $(Entry_Key+FORM))
											I64Or
											I64Eqz
											BrIf otherwise
											Get R3
											FIELD(R4, Entry_Key+END)
											I64Add
											Set R0
											Get R3
											FIELD(R6, Entry_Key+END)
											I64Add
											Set R1
											FIELD(R6, Entry_end)
											FIELD(R6, Entry_Key+END)
											I64Sub
											Tee R10
											Get R0
											I64Add
											Tee R2
											Get R8
											I64GtU
											BrIf otherwise
											SAMEBYTES(lines2, words2, otherwise)
											Get R2
											Tee R0
											Get R3
											FIELD(R6, Entry_end)
											I64Add
											I64Sub
											Set R10
											I64Const $0
											Set R15
											TWIN
											Br complete
										End
										Get R6
										Get SP
										I64Load $COMPARED
										I64Eq
										If
											// Where other bytes stand before it, the value may
											// be the same.
unlike:
											Block
												BEFOREVALUE(R4)
												BEFOREVALUE(R6)
												I64Eq
												AT(R6, $Entry_null)
												I32WrapI64
												I32Or
												BrIf unlike
												Get R3
												FIELD(R4, Entry_Value+START)
												I64Add
												Set R0
												Get R3
												FIELD(R6, Entry_Value+START)
												I64Add
												Set R1
												FIELD(R6, Entry_Value+END)
												FIELD(R6, Entry_Value+START)
												I64Sub
												I64Const $1
												I64Add
												Tee R10
												Get R0
												I64Add
												Tee R2
												Get R8
												I64GtU
												BrIf unlike
												SAMEBYTES(lines3, words3, unlike)
												Get R2
												I64Const $1
												I64Sub
												Set R0
												SETFIELD
												OFFSET(R0)
												TO(Entry_Value+END)
												SAME(Entry_Value+LEN)
												SAME(Entry_Value+FORM)
												Get R13
												AT(R6, $(Entry_Value+FORM))
												I64Or
												Set R13
												Get SP
												AT(R6, $Entry_clean)
												I64Store8 $CLEAN
												I64Const $0
												Set R15
												SETTWIN
												ADVANCE(R6, $Entry__size)
												Br scanned
											End
											ADVANCE(R6, $Entry__size)
											Br found
										End
										// Its bytes are to be compared.
										Get SP
										I64Const $1
										I64Store8 $KEYED
										Get R3
										FIELD(R4, Entry_start)
										I64Add
										Tee R0
										Set R12
										Br again
									End
									Get R2
									I64Const $0
									I64LtS
									If
										Get R6
										I64Const $Entry__size
										I64Add
										Set R12
									Else
										Get R6
										Set R15
									End
									Get SP
									I64Load8U $AS
									I64Eqz
									If
										Get R12
										Set R6
									Else
										MIDDLE
									End
									Br search
								End
							End
						End
					End
					Get R3
					FIELD(R4, Entry_Value+START)
					I64Add
					Set R0
					I64Const $0
					Tee R1
					Tee R12
					Set R15
					Get SP
					I64Load8U $WATCHED
					Set R10
					I64Const $0
					Set R11
					Get R0
					I64Const FEW
					I64Add
					Set R14
value:
					Block
others:
						Block
strings:
							Loop
#ifdef const_simd
shortly:
								Loop
									Get R0
									Get R14
									I64GtU
									BrIf others
									SUSPICIONS
									I64Eqz
									If
										ADVANCE(R0, $8)
										Br shortly
									End
								End
								MARKED
#else
								Get R10
								I64Eqz
								If
									SPECIAL(ascii)
								Else
									Get R1
									I64Eqz
									If
										SUSPICIOUS(watched)
									Else
										QUIET(signs)
									End
								End
#endif
								// Most often it is one of these escapes.
								Get R0
								I32WrapI64
								I64Load16U $0
								Tee R2
								I64Const N
								I64Eq
								Get R2
								I64Const QUOTE
								I64Eq
								I32Or
								Get R2
								I64Const T
								I64Eq
								I32Or
								Get R2
								I64Const BACKSLASH
								I64Eq
								I32Or
								If
									ADVANCE(R0, $2)
									ADVANCE(R12, $1)
									Br strings
								End
								BYTE($0)
								Tee R2
								I64Const $0x22
								I64Eq
								BrIf value
								Get R2
								I64Const $0x80
								I64GeU
								If
#ifdef const_simd
									Br others
#else
									// Characters of three bytes, two at a time. Other
									// sequences are left to others.
									Get R0
									Get R14
									I64GtU
									BrIf others
pairs:
									Loop
										Get R0
										I32WrapI64
										I64Load $0
										Tee R2
										I64Const PAIRMASK
										I64And
										I64Const PAIR
										I64Eq
										If
											LEADS($WELLFORMED)
											I64Eqz
											BrIf others
											Get R10
											LEADS($CALM)
											I64And
											Set R10
											ADVANCE(R0, $6)
											Br pairs
										End
									End
									Get R2
									I64Const $0xFF
									I64And
									I64Const $0x80
									I64LtU
									BrIf strings
									Get R2
									I64Const $0xC0C0F0
									I64And
									I64Const $0x8080E0
									I64Ne
									BrIf others
									LEAD($WELLFORMED)
									I64Const $1
									I64And
									I64Eqz
									BrIf others
									Get R10
									LEAD($CALM)
									I64And
									Set R10
									ADVANCE(R0, $3)
									Br strings
#endif
								End
								Get R2
								I64Const $0x5C
								I64Ne
								If
									// What only ends the watched scan: < is not clean before a
									// slash, and delete never is.
									Get R2
									I64Const $0x3C
									I64Eq
									Get R2
									I64Const $0x7C
									I64Eq
									I32Or
									Get R2
									I64Const $0x7F
									I64Eq
									I32Or
									I32Eqz
									BrIf others
									Get R10
									Get R2
									I64Const $0x3C
									I64Eq
									BYTE($1)
									I64Const $0x2F
									I64Eq
									I32And
									Get R2
									I64Const $0x7F
									I64Eq
									I32Or
									I32Eqz
									I64ExtendI32U
									I64And
									Set R10
									I64Const $1
									Set R1
									ADVANCE(R0, $1)
									Br strings
								End
								BYTE($1)
								Set R2
								SHORT
								I32Eqz
								BrIf others
							// Those that are left are controls: b, f and r.
							I64Const $0
								Set R10
								ADVANCE(R0, $2)
								ADVANCE(R12, $1)
								Br strings
							End
						End
#ifdef const_simd
						SIMDTEXTEND(Get R10)
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
						Get R12
						I64Add
						Set R12
						Get R10
						Get R2
						I64Const $SIMDFLAGS
						I64LtU
						I64ExtendI32U
						I64And
						Set R10
						I64Const $const_foreign
						I64Const $0
						Get R2
						I64Const $0
						I64LtS
						Select
						Set R11
						BYTE($0)
						I64Const $0x22
						I64Eq
						BrIf value
#endif
						// What is not looked at here, and not watched.
						TEXTEND
						RESULT(TEXTENDSAVED)
						Get R12
						I64Add
						Set R12
						RESULT8(TEXTENDFORM)
						I64Const $const_foreign
						I64And
						Get R11
						I64Or
						Set R11
						I64Const $0
						Set R10
						BYTE($0)
						I64Const $0x22
						I64Ne
						BrIf stop
					End
					Get SP
					Get R10
					I64Store8 $CLEAN
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
					Get R11
					Get R12
					I64Const $0
					I64Ne
					I64ExtendI32U
					Get R11
					I32WrapI64
					Select
					Tee R2
					TO(Entry_Value+FORM)
					Get R13
					Get R2
					I64Or
					Set R13
				End

				// The kind, or the end.
				Get R4
				I32WrapI64
				I64Load8U $Entry_Kind
				I64Const $const_unread
				I64Ne
				If
					ADVANCE(R0, $1)
				Else
literal:
					Block
						REST(R0, $0, $-1, KIND_8)
						REST(R0, $8, $0xFFFF, KIND_10)
						I32Or
						IFNOT
							ADVANCE(R0, $9)
							Br literal
						End
						REST(R0, $0, $-1, SPACED_KIND_8)
						REST(R0, $8, $0xFFFFFFFF, SPACED_KIND_12)
						I32Or
						IFNOT
							ADVANCE(R0, $11)
							Br literal
						End
						ADVANCE(R0, $1)
						TOKENS(tokens5, spaces7, $·tokens+0(SB), $·tokens+token__size(SB))
						TOKNOWN(spaces12, comma5, name5)
						TOKENS(tokens7, spaces13, $·tokens+token__size(SB), $·tokens+(3*token__size)(SB))
					End
					KIND(spaces8)
				End
				SPACE(spaces9)
				Get R2
				I64Const $0x2C
				I64Eq
				If
					ADVANCE(R0, $1)
					SPACE(spaces14)
					PASSUNKNOWNS
					SPACE(spaces15)
				End
				Get R2
				I64Const $0x7D
				I64Ne
				BrIf stop
				ADVANCE(R0, $1)
				SETFIELD
				Get SP
				I64Load8U $CLEAN
				I64Store8 $Entry_clean
				SETFIELD
				OFFSET(R0)
				TO(Entry_end)

				// It is no twin where only the value is the same.
				FIELD(R4, Entry_twin)
				I64Const $0xFFFFFFFF
				I64Ne
				If
					AT(R4, $Entry_Kind)
					Get R6
					I64Const $Entry__size
					I64Sub
					I32WrapI64
					I64Load8U $Entry_Kind
					I64Ne
					If
						SETFIELD
						I64Const $-1
						TO(Entry_twin)
					End
				End
			End
			Get R0
			Set R9

			// Its place among those before it. Twins stand in the order of like.
placed:
			Block
				Get SP
				I64Load8U $AS
				I64Const $const_asRead
				I64Eq
				BrIf placed
				Get R4
				I64Const $Entry__size
				I64Sub
				Tee R12
				Get SP
				I64Load $ENTRIES
				I64LtU
				BrIf placed
				Get R12
				I32WrapI64
				I64Load32S $Entry_twin
				Tee R2
				I64Const $0
				I64GeS
				Get R2
				Get R4
				I32WrapI64
				I64Load32S $Entry_twin
				I64LtS
				I32And
				BrIf placed
behind:
				Block
before:
					Loop
						Get R12
						Get SP
						I64Load $ENTRIES
						I64LtU
						BrIf behind
						KEYORDER(order, orderRest, orderWords, orderUnits, R12)
						Get R2
						I64Const $0
						I64LtS
						BrIf behind
						// Where one stands twice, or they are many, or their order is
						// not found out, they are sorted later.
						Get R2
						I64Eqz
						Get R2
						I64Const UNKNOWN
						I64Eq
						I32Or
						Get R4
						Get SP
						I64Load $ENTRIES
						I64Sub
						I64Const MANY
						I64GtU
						I32Or
						If
							Get SP
							I64Const $const_asRead
							I64Store8 $AS
							Br placed
						End
						Get SP
						I64Const $const_inPlace
						I64Store8 $AS
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
			Get R9
			Set R0
			ADVANCE(R4, $Entry__size)
			Br members
		End
	End

	I64Load m+32(FP)
	Set R1
	// The bytes that were the same may be of the highest forms of like.
	Get R13
	I64Const $0xFF
	I64And
	Tee R11
	I64Const $const_foreign
	Get R11
	I64Const $const_foreign
	I64LtU
	Select
	Set R11
	Get R13
	I64Const $8
	I64ShrU
	Set R14
	Get R4
	Get SP
	I64Load $ENTRIES
	COUNT
	Tee R2
	FIELD64(R1, Map_entries+SLICELEN)
	I64Ne
	If
		I64Load like+40(FP)
		Set R10
		RAISE(R11, R10, Map_form)
		RAISE(R14, R10, Map_keyForm)
	End
	RAISE(R11, R1, Map_form)
	// Keys of different forms make one that is none.
	Get R14
	I64Const $const_foreign
	Get R14
	I64Const $const_foreign
	I64LtU
	Select
	Set R14
	RAISE(R14, R1, Map_keyForm)
	Get R1
	I32WrapI64
	Get R11
	I64Store8 $Map_form
	Get R1
	I32WrapI64
	Get R14
	I64Store8 $Map_keyForm
	Get R1
	I32WrapI64
	Get R2
	I64Store $(Map_entries+SLICELEN)
	I64Load at+48(FP)
	Tee R1
	I32WrapI64
	Get R6
	Get SP
	I64Load $LIKES
	COUNT
	I64Store $cursor_hint
	Get R1
	I32WrapI64
	Get SP
	I64Load8U $AS
	I64Store8 $cursor_as
	Get SP
	OFFSET(R9)
	I64Store end+56(FP)
	Get SP
	Get R15
	I64Store8 s+64(FP)
	RET
