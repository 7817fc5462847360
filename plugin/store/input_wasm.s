#include "go_asm.h"
#include "shared_wasm.h"
#include "textflag.h"
#include "writing_wasm.h"

// input_wasm.go says what this does of merge.go, which goes on where it stops; a test
// holds it to what is done without it.

// SET32 sets a field of the outcome at hand to what value leaves, SET16 and SET8 shorter ones.
#define SET32(field, value) \
	Get R5; \
	I32WrapI64; \
	value; \
	I64Store32 $(field)
#define SET16(field, value) \
	Get R5; \
	I32WrapI64; \
	value; \
	I64Store16 $(field)
#define SET8(field, value) \
	Get R5; \
	I32WrapI64; \
	value; \
	I64Store8 $(field)

// What was rendered.
#define TOKENS (outcome_rendered+RENDERED_TOKENS)
#define ORIGINAL (outcome_rendered+RENDERED_ORIGINAL)
#define REMOVED (outcome_rendered+RENDERED_REMOVED)
#define TRUNCATED (outcome_rendered+RENDERED_TRUNCATED)
#define WARNINGS (outcome_rendered+RENDERED_WARNINGS)

// What the frame has behind what functions are called with: the value at hand, as a string of
// the text, how long the key is where it is escaped, how many bytes of the value are to be kept,
// its budget in bytes, how it is cut, where its beginning ends then and its end begins, how many
// bytes escapes of JSON save in what is kept, whether that may have control characters, whether it
// may have a closing tag, where the one behind it begins, and where the value stands in the text.
#define VALUE 64
#define KEYBYTES 80
#define KEPT 88
#define LIMIT 96
#define CUTBY 104
#define HEADEND 112
#define TAILAT 120
#define SAVED 128
#define CONTROLS 136
#define TAGS 144
#define TAGAT 152
#define ASREAD 160
#define SHORTFRAME 168

// WARN adds a warning to those of the outcome at hand.
#define WARN(warning) \
	SET8(WARNINGS, LOAD8(R5, WARNINGS); I64Const $warning; I64Or)

// SAVE sets something in the frame to what value leaves.
#define SAVE(field, value) \
	Get SP; \
	value; \
	I64Store $(field)

// OFVALUE leaves a field of the value at hand, SETVALUE sets it.
#define OFVALUE(field) \
	Get SP; \
	I64Load32S $(VALUE+field)
#define SETVALUE(field, value) \
	Get SP; \
	value; \
	I64Store32 $(VALUE+field)

// ESCAPES leaves 0 if it has no escapes of JSON.
#define ESCAPES \
	RESULT8(VALUE+FORM)

// A template has the address of its pieces, which are strings, then the lengths.
#define OPENING 24
#define BYTES 32
#define KEYS 40
#define ESCAPED 48
#define TEMPLATE_SIZE 64

// SHORT is up to how many bytes a key or a value is short: so the number of a marker has
// two digits at most. What stands around them and is written too much takes less than
// AROUND bytes, together with STRIPPED bytes for what is left of a value that is stripped.
#define SHORT $384
#define AROUND 1024
#define STRIPPED 400

// STRING sets R12 and R11 to a string of the entry.
#define STRING(field) \
	Get R9; \
	LOAD32(R3, field+START); \
	I64Add; \
	Set R12; \
	RAW(field); \
	Set R11
#define RAW(field) \
	LOAD32(R3, field+END); \
	LOAD32(R3, field+START); \
	I64Sub

// VALUEBYTES sets them to the value at hand.
#define VALUEBYTES \
	VALUEAT; \
	Set R12; \
	RAWVALUE; \
	Set R11
#define VALUEAT \
	Get R9; \
	OFVALUE(START); \
	I64Add
#define VALUEEND \
	Get R9; \
	OFVALUE(END); \
	I64Add
#define RAWVALUE \
	OFVALUE(END); \
	OFVALUE(START); \
	I64Sub

// ENDVALUE has no byte of a character behind a value that is no longer where it was.
#define ENDVALUE \
	VALUEEND; \
	I32WrapI64; \
	I64Const $0; \
	I64Store $0

// PIECE sets them to a piece of the template.
#define PIECE(n) \
	LOAD(R7, 0); \
	Tee R12; \
	I32WrapI64; \
	I64Load $(16*n+8); \
	Set R11; \
	LOAD(R12, 16*n); \
	Set R12

// ZEROS leaves marks of the bytes of the word on the stack that are 0: the first is
// right.
#define ZEROS \
	Tee R15; \
	I64Const ONES; \
	I64Sub; \
	Get R15; \
	I64Const $-1; \
	I64Xor; \
	I64And

// MARKUP leaves marks of the bytes of R1 that are &, < or >.
#define MARKUP \
	Get R1; \
	I64Const $0x2626262626262626; \
	I64Xor; \
	ZEROS; \
	Get R1; \
	I64Const $0x0202020202020202; \
	I64Or; \
	I64Const $0x3E3E3E3E3E3E3E3E; \
	I64Xor; \
	ZEROS; \
	I64Or

// UNUSUAL leaves marks of what may be a closing tag, a control character or the escape of
// one, or one that sets a direction. Of the letters that may follow a backslash only those
// of controls have bit 6, not bit 3, and bit 1 or 0.
#define UNUSUAL \
	Get R12; \
	I32WrapI64; \
	I64Load $1; \
	Set R10; \
	Get R1; \
	I64Const $0x5C5C5C5C5C5C5C5C; \
	I64Xor; \
	ZEROS; \
	Get R10; \
	I64Const $1; \
	I64Shl; \
	I64And; \
	Get R10; \
	I64Const $4; \
	I64Shl; \
	I64Const $-1; \
	I64Xor; \
	I64And; \
	Get R10; \
	I64Const $6; \
	I64Shl; \
	Get R10; \
	I64Const $7; \
	I64Shl; \
	I64Or; \
	I64And; \
	Get R1; \
	I64Const $0x3C3C3C3C3C3C3C3C; \
	I64Xor; \
	ZEROS; \
	Get R10; \
	I64Const $0x2F2F2F2F2F2F2F2F; \
	I64Xor; \
	ZEROS; \
	I64And; \
	I64Or; \
	Get R1; \
	I64Const $0x7F7F7F7F7F7F7F7F; \
	I64Xor; \
	ZEROS; \
	I64Or; \
	Get R1; \
	I64Const $-0x3D3D3D3D3D3D3D3E; \
	I64Xor; \
	ZEROS; \
	I64Or; \
	Get R1; \
	I64Const $-0x1D1D1D1D1D1D1D1E; \
	I64Xor; \
	ZEROS; \
	I64Or

// CLOSING leaves marks of what may be a closing tag.
#define CLOSING \
	Get R1; \
	I64Const $0x3C3C3C3C3C3C3C3C; \
	I64Xor; \
	ZEROS; \
	Get R12; \
	I32WrapI64; \
	I64Load $1; \
	I64Const $0x2F2F2F2F2F2F2F2F; \
	I64Xor; \
	ZEROS; \
	I64And

// SCAN sets R2 to the marks of the R11 bytes from R12 on. It looks at whole words.
#define SCAN(label, marks) \
	I64Const $0; \
	Set R2; \
label: \
	Loop; \
		Get R11; \
		I64Const $0; \
		I64GtS; \
		If; \
			Get R12; \
			I32WrapI64; \
			I64Load $0; \
			Set R1; \
			marks; \
			Get R2; \
			I64Or; \
			Set R2; \
			ADVANCE(R12, $8); \
			ADVANCE(R11, $-8); \
			Br label; \
		End; \
	End

// MARKED leaves whether there is one.
#define MARKED \
	Get R2; \
	I64Const HIGHS; \
	I64And; \
	I64Eqz; \
	I32Eqz

// CHANGED leaves whether that happened.
#define CHANGED(c) \
	LOAD8(R5, outcome_change); \
	I64Const $c; \
	I64Eq

// ISSTRICT leaves whether budgets are strict.
#define ISSTRICT \
	LOAD(R0, Merge_Policy); \
	I32WrapI64; \
	I64Load8U $(Policy_Limit+STRICT)

// HEAD leaves how many of the bytes that are kept are of the beginning of the value, OVER
// how many are not kept.
#define HEAD HEADOF(RESULT(KEPT))
#define OVER \
	OFVALUE(LEN); \
	RESULT(KEPT); \
	I64Sub

// ISTAIL leaves whether the end is kept.
#define ISTAIL \
	RESULT(CUTBY); \
	I64Const $2; \
	I64Eq

// KEEPLESS is for what is cut strictly, the limit in R15: no more is kept than leaves room
// for a marker, where what is halved at both ends may be six bytes less. From then on bytes of the
// value are those of the text.
#define KEEPLESS \
	SET8(TRUNCATED, I64Const $1); \
	Get R15; \
	I64Const $24; \
	I64LtU; \
	BrIf unmarked; \
	ESCAPES; \
	I32WrapI64; \
	If; \
		RESOLVE; \
	End; \
	Get R15; \
	I64Const $18; \
	I64Sub; \
	Tee R1; \
	RESULT(KEPT); \
	I64LtU; \
	If; \
		SAVE(KEPT, Get R1); \
	End

// RESOLVE sets the value at hand to a copy with its escapes of JSON resolved, where the input is
// going to be written, ASREADAGAIN sets it back.
#define RESOLVE \
	VALUEBYTES; \
	Get R13; \
	I32WrapI64; \
	Get R12; \
	I32WrapI64; \
	Get R11; \
	I32WrapI64; \
	MemoryCopy; \
	SAVE(0, Get R13); \
	SAVE(8, Get R11); \
	SAVE(24, I64Const $0); \
	CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·decode(SB); \
	SETVALUE(START, Get R13; Get R9; I64Sub); \
	SETVALUE(END, OFVALUE(START); OFVALUE(LEN); I64Add); \
	ENDVALUE
#define ASREADAGAIN SAVE(VALUE, RESULT(ASREAD))

// PARTIAL leaves how many bytes of a character that a border cuts in two stand on the side that is
// kept, 0 if it cuts none. At the first offset from the address stands the byte behind the border,
// at the others those of that side that may be of the character.
#define PARTIAL(address, first, second, third) \
	CONTINUES(address, first); \
	I64Const $1; \
	CONTINUES(address, second); \
	I64Const $1; \
	CONTINUES(address, third); \
	I64Add; \
	I64Mul; \
	I64Add; \
	I64Mul
#define CONTINUES(address, offset) \
	address; \
	I32WrapI64; \
	I64Load8U $offset; \
	I64Const $0xC0; \
	I64And; \
	I64Const $0x80; \
	I64Eq; \
	I64ExtendI32U

// HEADBORDER and TAILBORDER leave where the beginning ends and the end begins, of which R12 bytes
// are kept and behind them R1 are not, before they are moved to where characters do.
#define HEADBORDER \
	VALUEAT; \
	Get R12; \
	I64Add
#define TAILBORDER \
	HEADBORDER; \
	Get R1; \
	I64Add
#define HEADPARTIAL PARTIAL(HEADBORDER; I64Const $2; I64Sub, 2, 1, 0)
#define TAILPARTIAL PARTIAL(TAILBORDER, 0, 1, 2)

// ENTITY leaves how many bytes longer the byte in R1 gets when it is escaped, EXTRA how
// many when it is written.
#define ENTITY \
	Get R1; \
	I64Const $0x26; \
	I64Eq; \
	I64ExtendI32U; \
	I64Const $2; \
	I64Shl; \
	Get R1; \
	I64Const $2; \
	I64Or; \
	I64Const $0x3E; \
	I64Eq; \
	I64ExtendI32U; \
	I64Const $3; \
	I64Mul; \
	I64Add
#define EXTRA \
	ENTITY; \
	I64Const $2; \
	LOAD(R7, KEYS); \
	I64Sub; \
	I64Mul

// ENTITIES adds to R11 what the bytes from R12 up to R2 get longer.
#define ENTITIES(label) \
label: \
	Loop; \
		Get R12; \
		Get R2; \
		I64LtU; \
		If; \
			FROM; \
			Set R1; \
			Get R11; \
			ENTITY; \
			I64Add; \
			Set R11; \
			ADVANCE(R12, $1); \
			Br label; \
		End; \
	End
#define FROM \
	Get R12; \
	I32WrapI64; \
	I64Load8U $0

// BYTEOF sets R1 to the byte of the value whose index is on the stack.
#define BYTEOF \
	VALUEAT; \
	I64Add; \
	I32WrapI64; \
	I64Load8U $0; \
	Set R1

// CHARACTER sets R1 to how many bytes the character at R12 has when it is written, escapes of
// JSON resolved, R2 to how many of them the value has, and R10 to how many stand there.
#define CHARACTER \
	FROM; \
	Tee R1; \
	I64Const $0x5C; \
	I64Eq; \
	If; \
		I64Const $1; \
		Set R2; \
		I64Const $6; \
		I64Const $2; \
		LOAD8(R12, 1); \
		I64Const $0x75; \
		I64Eq; \
		Select; \
		Set R10; \
	Else; \
		Get R1; \
		I64Const $0xC0; \
		I64GeU; \
		Get R1; \
		I64Const $0xE0; \
		I64GeU; \
		I32Add; \
		Get R1; \
		I64Const $0xF0; \
		I64GeU; \
		I32Add; \
		I64ExtendI32U; \
		I64Const $1; \
		I64Add; \
		Tee R2; \
		Set R10; \
	End; \
	EXTRA; \
	Get R2; \
	I64Add; \
	Set R1

// PASS goes on behind it, and counts it in R15.
#define PASS \
	Get R15; \
	Get R2; \
	I64Add; \
	Set R15; \
	Get R12; \
	Get R10; \
	I64Add; \
	Set R12

// ESCAPE does what COPY does, and escapes what the attribute wrapper does.
#define ESCAPE(label) \
	LOAD(R7, KEYS); \
	I64Const $2; \
	I64Eq; \
	If; \
		COPY(label); \
	Else; \
		SAVE(0, Get R13); \
		SAVE(24, Get R12); \
		SAVE(32, Get R11); \
		CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕fragment·escape(SB); \
		Get R13; \
		RESULT(48); \
		I64Add; \
		Set R13; \
	End

// CONTAINS calls contains, which leaves its result at 32.
#define CONTAINS(text, n, part, length) \
	SAVE(0, text); \
	SAVE(8, n); \
	SAVE(16, part); \
	SAVE(24, length); \
	CALLNORESUME ·contains(SB)

// TOKENSOF makes tokens of the bytes on the stack.
#define TOKENSOF \
	I64Const $3; \
	I64Add; \
	I64Const $2; \
	I64ShrU

// The marker: "…", a number, " tokens truncated…".
#define MARKER_3 $0xA680E2
#define MARKER_8 $0x20736e656b6f7420
#define MARKER_16 $0x657461636e757274
#define MARKER_20 $0xa680e264

// func writeShortRun(m *Merge, w *json.Writer, templates *[fragment.Kinds]fragment.Template, note string, i int) (next int)
//
// R0 is the merge, R1 a word or byte of the text or a number, R2 marks, R3 the entry, R4
// the writer, R5 the outcome at hand, R6 their end, R7 the template, R8 the end of the
// room, R9 the address of the text, R10 whether it is a note that is written, or meanwhile a
// word or a number, R11 how much is copied, R12 where from and R13 where to, R14 where that goes if the input is
// not written, R15 a number, or the length of what is left of the value.
TEXT ·writeShortRun(SB), NOSPLIT, $SHORTFRAME-56
	I64Load m+0(FP)
	Set R0
	LOAD(R0, Merge_text)
	Set R9
	I64Load i+40(FP)
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

			// Is anything injected, and not yet rendered?
			LOAD8(R5, outcome_note)
			Set R10
			CHANGED(const_unchanged)
			CHANGED(const_dropped)
			I32Or
			CHANGED(const_removed)
			Get R10
			I64Eqz
			I32And
			I32Or
			If
				ADVANCE(R5, $outcome__size)
				Br next
			End
			LOAD8(R0, Merge_isEarly)
			LOAD32(R5, outcome_to)
			I64Mul
			I64Eqz
			I32Eqz
			BrIf stop
			SET32(TOKENS, I64Const $0)
			SET16(TRUNCATED, I64Const $0) // and nothing is estimated
			SET8(WARNINGS, I64Const $0)

part:
			Loop
				// The entry: the former one for a note, else the new one, if there is one.
				Get R5
				I32WrapI64
				I64Load32S $outcome_now
				Tee R15
				I64Const $0
				I64LtS
				Get R10
				I64Eqz
				I32Eqz
				I32Or
				If
					LOAD32(R5, outcome_before)
					ITEM(Merge_Old+Map_entries)
					Set R3
				Else
					Get R15
					ITEM(Merge_New+Map_entries)
					Set R3
				End
				I64Load templates+16(FP)
				LOAD8(R3, Entry_Kind)
				I64Const $TEMPLATE_SIZE
				I64Mul
				I64Add
				Set R7

				SAVE(TAGS, I64Const $0)

				// Is there room, and something in the key to warn of?
				LOAD8(R3, Entry_Key+FORM)
				I64Const $const_foreign
				I64Eq
				RAW(Entry_Key)
				Tee R11
				I64Const SHORT
				I64GtU
				I32Or
				Get R13
				Get R11
				I64Const $6
				I64Mul
				I64Add
				I64Const $(5*384+AROUND)
				I64Add
				Get R8
				I64GtU
				I32Or
				BrIf stop
				STRING(Entry_Key)
				SCAN(key, MARKUP)
				LOAD(R7, KEYS)
				I64Const $2
				I64Eq
				LOAD8(R3, Entry_Kind)
				I64Const $const_untrusted
				I64Eq
				I32And
				MARKED
				I32And
				If
					STRING(Entry_Key)
gt:
					Loop
						Get R11
						I64Const $0
						I64GtS
						If
							FROM
							I64Const $0x3E
							I64Eq
							If
								WARN(const_keyHasGT)
							End
							ADVANCE(R12, $1)
							ADVANCE(R11, $-1)
							Br gt
						End
					End
				End
				SAVE(KEYBYTES, LOAD32(R3, Entry_Key+LEN))
				LOAD(R7, KEYS)
				I64Const $1
				I64Eq
				MARKED
				LOAD8(R3, Entry_Key+FORM)
				I32WrapI64
				I32Or
				I32And
				If
					SAVE(KEYBYTES, I64Const $-1) // it is known when it is escaped
				End

				// And in the value?
				Get R10
				I64Eqz
				If
					RAW(Entry_Value)
					I64Const SHORT
					I64GtU
					BrIf stop
					SAVE(VALUE, LOAD(R3, Entry_Value))
					SAVE(VALUE+LEN, LOAD(R3, Entry_Value+LEN))
					BUDGET(R0, R5, R12)
					VALUEBYTES
					LOAD8(R3, Entry_clean)
					LOAD(R7, KEYS)
					I64Const $1
					I64ShrU
					I64And
					ISSTRICT
					I64GtU
					If
						I64Const $0
						Set R11
					End
					SCAN(value, UNUSUAL)
					I64Const $0
					Set R10
					SAVE(CONTROLS, I64Const $0)
					MARKED
					If
						// If it is stripped it has no control characters left.
						SAVE(CONTROLS, I64Const $1; LOAD(R0, Merge_Policy); I32WrapI64; I64Load8U $Policy_Strip; I64Sub)
						RESULT(CONTROLS)
						I64Eqz
						If
							Get R8
							I64Const $STRIPPED
							I64Sub
							Set R1
							SAVE(0, Get R1)
							SAVE(8, I64Const $STRIPPED)
							SAVE(24, VALUEAT)
							SAVE(32, RAWVALUE)
							CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕fragment·strip(SB)
							SETVALUE(START, Get R1; Get R9; I64Sub)
							SETVALUE(END, OFVALUE(START); RESULT(48); I64Add)
							SETVALUE(LEN, RESULT(48); RESULT(56); I64Sub)
							SETVALUE(FORM, RESULT(56); I64Const $0; I64Ne; I64ExtendI32U)
							ENDVALUE
						End
						VALUEBYTES
						SCAN(tags, CLOSING)
						SAVE(TAGS, MARKED; I64ExtendI32U)
					End

					// Is it cut?
					SAVE(KEPT, OFVALUE(LEN))
					RESULT(LIMIT)
					OFVALUE(LEN)
					I64LtS
					If
						SET8(TRUNCATED, I64Const $1)
						SAVE(KEPT, RESULT(LIMIT))
					End
					ISSTRICT
					I32WrapI64
					If
						SAVE(ASREAD, RESULT(VALUE))
cut:
						Block
unmarked:
							Block
								// How many bytes is what is kept, as it is written? R10 is whether any gets
								// longer.
								VALUEBYTES
								SCAN(markup, MARKUP)
								MARKED
								LOAD(R7, KEYS)
								I64Const $1
								I64Eq
								I32And
								I64ExtendI32U
								Set R10
								RESULT(LIMIT)
								Set R15
								LOAD8(R5, TRUNCATED)
								I32WrapI64
								If
									KEEPLESS
								End
sizes:
								Loop
									RESULT(KEPT)
									Set R11
									Get R10
									I32WrapI64
									If
										LOAD8(R5, TRUNCATED)
										I64Eqz
										If
											// Of all, escapes of JSON included.
											SAVE(0, VALUEAT)
											SAVE(8, RAWVALUE)
											CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕fragment·extraBytes(SB)
											Get R11
											RESULT(24)
											I64Add
											Set R11
										Else
											// Of the beginning, then of the end.
											VALUEAT
											Tee R12
											HEAD
											I64Add
											Set R2
											ENTITIES(heads)
											Get R12
											OVER
											I64Add
											Set R12
											VALUEEND
											Set R2
											ENTITIES(tails)
										End
									End
									LOAD8(R5, TRUNCATED)
									I64Eqz
									If
										Get R11
										Get R15
										I64GtU
										If
											KEEPLESS
											Br sizes
										End
									Else
										// A byte less is five less at most, as it is written, but for the six
										// bytes. Where that is half of them, it pays to begin again.
										Get R11
										Get R15
										I64Sub
										I64Const $(24-6)
										I64Add
										I64Const $5
										I64DivS
										Tee R1
										I64Const $1
										I64Shl
										RESULT(KEPT)
										I64GeS
										Get R1
										I64Const $0
										I64GtS
										I32And
										If
											SAVE(KEPT, RESULT(KEPT); Get R1; I64Sub)
											Br sizes
										End
									End
								End
								HEAD
								Set R12
								LOAD8(R5, TRUNCATED)
								I64Eqz
								I32Eqz
								If
									// Byte by byte less is kept, until there is room for the marker. R2 is
									// how many, R12 how many of them are of the beginning.
									RESULT(KEPT)
									Set R2
shrink:
									Loop
										OFVALUE(LEN)
										Get R2
										I64Sub
										Tee R1
										I64Const $37
										I64GeU
										I64ExtendI32U
										I64Const $24
										I64Add
										Tee R10
										Get R15
										I64GtU
										BrIf unmarked
										HEADBORDER
										I32WrapI64
										I64Load8U $0
										TAILBORDER
										I32WrapI64
										I64Load8U $0
										I64Or
										I64Const $0x80
										I64GeU
										If
											Get R10
											HEADPARTIAL
											I64Sub
											TAILPARTIAL
											I64Sub
											Set R10
										End
										Get R1
										I64Eqz
										Get R11
										Get R10
										I64Add
										Get R15
										I64GtU
										I32Or
										If
											// It is the last of the beginning that goes, or the first of the
											// end where that has more.
											Get R2
											Get R12
											I64Sub
											Get R12
											I64LeU
											If
												ADVANCE(R12, $-1)
												Get R12
												BYTEOF
											Else
												Get R12
												Get R1
												I64Add
												BYTEOF
											End
											Get R11
											I64Const $1
											I64Sub
											EXTRA
											I64Sub
											Set R11
											ADVANCE(R2, $-1)
											Br shrink
										End
									End
									SAVE(KEPT, Get R2)
									ASREADAGAIN
								End
								Br cut
							End

							// There is no room for a marker: the longest beginning that fits stays, or
							// the longest end. R11 is how much there is room for, or is too much, R15
							// how many bytes of the value are passed.
							ASREADAGAIN
							SET32(ORIGINAL, OFVALUE(LEN); TOKENSOF)
							VALUEAT
							Set R12
							ISTAIL
							If
								OFVALUE(LEN)
								Get R15
								I64Sub
								Set R11
								LOAD(R7, KEYS)
								I64Const $1
								I64Eq
								If
									VALUEEND
									Set R2
									ENTITIES(extra)
									VALUEAT
									Set R12
								End
							Else
								Get R15
								Set R11
							End
							I64Const $0
							Set R15
walk:
							Loop
								CHARACTER
								Get R11
								I64Const $1
								Get R1
								ISTAIL
								Select
								I64GeS
								If
									Get R11
									Get R1
									I64Sub
									Set R11
									PASS
									Br walk
								End
							End
							ISTAIL
							If
								SETVALUE(START, Get R12; Get R9; I64Sub)
								SET32(REMOVED, Get R15; TOKENSOF)
								SETVALUE(LEN, OFVALUE(LEN); Get R15; I64Sub)
							Else
								SETVALUE(END, Get R12; Get R9; I64Sub)
								SET32(REMOVED, OFVALUE(LEN); Get R15; I64Sub; TOKENSOF)
								SETVALUE(LEN, Get R15)
							End
							SAVE(KEPT, OFVALUE(LEN))
						End
					End

					SAVE(SAVED, RAWVALUE; OFVALUE(LEN); I64Sub)
					OVER
					I64Eqz
					I32Eqz
					If
						// Beginning and end are moved to where characters begin.
						ESCAPES
						I64Eqz
						If
							HEAD
							Set R12
							OVER
							Set R1
							SAVE(HEADEND, HEADBORDER; HEADPARTIAL; I64Sub)
							SAVE(TAILAT, TAILBORDER; TAILPARTIAL; I64Add)
						Else
							// R15 is how many bytes are passed, R11 how many are to be.
							VALUEAT
							Set R12
							I64Const $0
							Set R15
							HEAD
							Set R11
heads1:
							Loop
								CHARACTER
								Get R15
								Get R2
								I64Add
								Get R11
								I64LeU
								If
									PASS
									Br heads1
								End
							End
							SAVE(HEADEND, Get R12)
							SAVE(SAVED, Get R12; VALUEAT; I64Sub; Get R15; I64Sub)
							OVER
							Get R11
							I64Add
							Set R11
tails1:
							Loop
								Get R15
								Get R11
								I64LtU
								If
									CHARACTER
									PASS
									Br tails1
								End
							End
							SAVE(TAILAT, Get R12)
							SAVE(SAVED, RESULT(SAVED); VALUEEND; Get R12; I64Sub; I64Add; OFVALUE(LEN); I64Sub; Get R15; I64Add)
						End
					End
					I64Const $0
					Set R10
				End

				// A comma, unless the array was begun just now, and up to the value.
				Get R13
				I64Const $1
				I64Sub
				I32WrapI64
				I64Load8U $0
				I64Const $0x5B
				I64Ne
				If
					Get R13
					I32WrapI64
					I64Const $0x2C
					I64Store8 $0
					ADVANCE(R13, $1)
				End
				PIECE(0)
				COPY(start)
				STRING(Entry_Key)
				COPY(name)
				PIECE(1)
				COPYLONG
				SET32(BEGINS, Get R13; LOAD(R7, OPENING); I64Sub; LOAD(R4, 0); I64Sub)
				STRING(Entry_Key)
				RESULT(KEYBYTES)
				I64Const $0
				I64GeS
				If
					COPY(tag)
				Else
					SAVE(0, Get R13)
					SAVE(24, Get R12)
					SAVE(32, Get R11)
					CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕fragment·escapeKey(SB)
					SAVE(KEYBYTES, RESULT(56))
					Get R13
					RESULT(48)
					I64Add
					Set R13
				End
				PIECE(2)
				COPY(middle)

				Get R10
				I64Eqz
				If
					SET32(ENDS, Get R13) // for a while, where the value begins
					VALUEBYTES
					OVER
					I64Eqz
					If
						ESCAPE(whole)
					Else
						SET32(REMOVED, OVER; TOKENSOF)
						RESULT(HEADEND)
						Get R12
						I64Sub
						Set R11
						ESCAPE(head)
						Get R13
						Tee R2
						I32WrapI64
						I64Const MARKER_3
						I64Store $0
						ADVANCE(R13, $3)
						LOAD32(R5, REMOVED)
						I64Const $10
						I64GeU
						If
							Get R13
							I32WrapI64
							LOAD32(R5, REMOVED)
							I64Const $10
							I64DivU
							I64Const $0x30
							I64Add
							I64Store8 $0
							ADVANCE(R13, $1)
						End
						Get R13
						I32WrapI64
						LOAD32(R5, REMOVED)
						I64Const $10
						I64RemU
						I64Const $0x30
						I64Add
						I64Store8 $0
						Get R13
						I32WrapI64
						I64Const MARKER_8
						I64Store $1
						Get R13
						I32WrapI64
						I64Const MARKER_16
						I64Store $9
						Get R13
						I32WrapI64
						I64Const MARKER_20
						I64Store $17
						ADVANCE(R13, $21)

						// Is the marker the very text that it replaces?
						RESULT(TAILAT)
						RESULT(HEADEND)
						I64Sub
						Get R13
						Get R2
						I64Sub
						Tee R11
						I64Eq
						If
							CONTAINS(RESULT(HEADEND), Get R11, Get R2, Get R11)
							SET8(TRUNCATED, RESULT8(32); I64Eqz; I64ExtendI32U)
						End
						RESULT(TAILAT)
						Set R12
						VALUEEND
						Get R12
						I64Sub
						Set R11
						ESCAPE(tail)
						SET32(ORIGINAL, OFVALUE(LEN); TOKENSOF)
					End
					Get R13
					LOAD32(R5, ENDS)
					I64Sub
					RESULT(SAVED)
					I64Sub
					Set R15
					RESULT(CONTROLS)
					I32WrapI64
					If
						SAVE(0, LOAD32(R5, ENDS))
						SAVE(8, Get R13; LOAD32(R5, ENDS); I64Sub)
						CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕fragment·controlAt(SB)
						RESULT(24)
						I64Const $0
						I64GeS
						If
							WARN(const_controlCharacters)
						End
					End
				Else
					I64Load note_base+24(FP)
					Set R12
					I64Load note_len+32(FP)
					Tee R11
					Set R15
					COPY(noted)
				End

				SAVE(TAGAT, Get R13)
				PIECE(3)
				COPY(closing)
				LOAD(R7, KEYS)
				I64Const $2
				I64Eq
				If
					STRING(Entry_Key)
					COPY(closed)
				End
				PIECE(4)
				COPY(end)
				RESULT(TAGS)
				I32WrapI64
				If
					// Has what was written of the value the tag that ends it?
					LOAD(R7, ESCAPED)
					Set R12
					LOAD(R7, ESCAPED+8)
					Set R11
					LOAD(R7, KEYS)
					I64Const $2
					I64Eq
					If
						RESULT(TAGAT)
						Set R12
						Get R13
						I64Const $const_lenInputEnd
						I64Sub
						Get R12
						I64Sub
						Set R11
					End
					CONTAINS(LOAD32(R5, ENDS), RESULT(TAGAT); LOAD32(R5, ENDS); I64Sub, Get R12, Get R11)
					RESULT8(32)
					I32WrapI64
					If
						WARN(const_valueHasClosingTag)
					End
				End
				SET32(ENDS, Get R13; I64Const $const_lenInputEnd; I64Sub; LOAD(R4, 0); I64Sub)
				LOAD(R7, KEYS)
				RESULT(KEYBYTES)
				I64Mul
				LOAD(R7, BYTES)
				I64Add
				Get R15
				I64Add
				TOKENSOF
				Set R1
				SET32(TOKENS, LOAD32(R5, TOKENS); Get R1; I64Add)

				// Behind the note, is there an entry?
				Get R10
				I64Eqz
				CHANGED(const_removed)
				I32Or
				I32Eqz
				If
					I64Const $0
					Set R10
					Br part
				End
			End
			ADVANCE(R5, $outcome__size)
			Br next
		End
	End

	WRITTEN
	Get SP
	INDEX(R5, Merge_outcomes)
	I64Store next+48(FP)
	RET

// EVERY leaves a word of nothing but the byte at that offset from R2.
#define EVERY(offset) \
	LOAD8(R2, offset); \
	I64Const ONES; \
	I64Mul

// WORDAT leaves the word at that offset from the address on the stack.
#define WORDAT(offset) \
	I32WrapI64; \
	I64Load $offset

// func contains(text *byte, n int, part *byte, length int) bool
//
// R0 is the address at hand, R1 the last one at which the part may begin, R2 that of the part, R3
// its length, R4 marks or bits that differ, R5 and R6 words of its first and second byte, R7 how many
// bytes are the same, R15 a number.
TEXT ·contains(SB), NOSPLIT, $0-33
	I64Load text+0(FP)
	Tee R0
	I64Load n+8(FP)
	I64Add
	I64Load length+24(FP)
	Tee R3
	I64Sub
	Set R1
	I64Load part+16(FP)
	Set R2
	EVERY(0)
	Set R5
	EVERY(1)
	Set R6

none:
	Block
next:
		Loop
			Get R0
			Get R1
			I64GtS
			BrIf none
			Get R0
			WORDAT(0)
			Get R5
			I64Xor
			ZEROS
			Get R0
			WORDAT(1)
			Get R6
			I64Xor
			ZEROS
			I64And
			I64Const HIGHS
			I64And
			Tee R4
			I64Eqz
			If
				ADVANCE(R0, $8)
				Br next
			End
			Get R0
			Get R4
			I64Ctz
			I64Const $3
			I64ShrU
			I64Add
			Tee R0
			Get R1
			I64GtS
			BrIf none

			// The last word is shifted, so that only the bytes of the part count.
			I64Const $0
			Set R7
words:
			Loop
				Get R0
				Get R7
				I64Add
				WORDAT(0)
				Get R2
				Get R7
				I64Add
				WORDAT(0)
				I64Xor
				I64Const $64
				Get R3
				Get R7
				I64Sub
				Tee R4
				I64Const $8
				Get R4
				I64Const $8
				I64LtU
				Select
				I64Const $3
				I64Shl
				I64Sub
				I64Shl
				I64Eqz
				If
					ADVANCE(R7, $8)
					Get R4
					I64Const $8
					I64GtU
					BrIf words
					Get SP
					I64Const $1
					I64Store8 ret+32(FP)
					RET
				End
			End
			ADVANCE(R0, $1)
			Br next
		End
	End
	Get SP
	I64Const $0
	I64Store8 ret+32(FP)
	RET

// EARLIER leaves how much was rendered early up to R13.
#define EARLIER \
	Get R13; \
	LOAD(R0, Merge_early); \
	I64Sub

// func renderShort(m *Merge, templates *[fragment.Kinds]fragment.Template, i int) (rendered bool)
//
// R0 is the merge, R5 the outcome, R6 how many there are, R11 is how much is moved, R12 where
// from and R13 where to.
TEXT ·renderShort(SB), NOSPLIT, $56-25
	I64Load m+0(FP)
	Set R0
	I64Load i+16(FP)
	ITEM(Merge_outcomes)
	Set R5
	LOAD(R0, Merge_early)
	LOAD(R0, Merge_early+SLICELEN)
	I64Add
	Set R13

	// It is the last one for the while.
	LOAD(R0, Merge_outcomes+SLICELEN)
	Set R6
	Get R0
	I32WrapI64
	I64Load i+16(FP)
	I64Const $1
	I64Add
	I64Store $(Merge_outcomes+SLICELEN)
	Get SP
	Get R0
	I64Store $0
	Get SP
	Get R0
	I64Const $Merge_early
	I64Add
	I64Store $8
	Get SP
	I64Load templates+8(FP)
	I64Store $16
	Get SP
	I64Const $0 // there is no note
	I64Store $24
	Get SP
	I64Const $0
	I64Store $32
	Get SP
	I64Load i+16(FP)
	I64Store $40
	CALLNORESUME ·writeShortRun(SB)
	Get R0
	I32WrapI64
	Get R6
	I64Store $(Merge_outcomes+SLICELEN)

	RESULT(48)
	I64Load i+16(FP)
	I64GtU
	If
		Get R13
		LOAD8(R13, 0)
		I64Const $0x2C
		I64Eq
		I64ExtendI32U
		I64Add
		Set R13
		LOAD32(R5, BEGINS)
		LOAD(R0, Merge_early)
		I64Add
		Set R12
		LOAD32(R5, ENDS)
		LOAD32(R5, BEGINS)
		I64Sub
		Set R11
		SET32(outcome_from, EARLIER)
		SET32(BEGINS, EARLIER)
		COPYLONG
		SET32(ENDS, EARLIER)
		Get R0
		I32WrapI64
		EARLIER
		I64Store $(Merge_early+SLICELEN)
	End

	Get SP
	RESULT(48)
	I64Load i+16(FP)
	I64GtU
	I64ExtendI32U
	I64Store8 rendered+24(FP)
	RET
