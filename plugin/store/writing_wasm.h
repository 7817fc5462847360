// What the functions that compare and write have in common. R0 is the merge.

// LOAD leaves a field of what is at r; it has 64 bits. LOAD32 and LOAD8 do the same
// for fewer.
#define LOAD(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load $(field)
#define LOAD32(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load32U $(field)
#define LOAD8(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load8U $(field)

// What was rendered.
#define RENDERED_TOKENS 0
#define RENDERED_ORIGINAL 4
#define RENDERED_REMOVED 8
#define RENDERED_BEGIN 12
#define RENDERED_END 16
#define RENDERED_TRUNCATED 20
#define RENDERED_ESTIMATED 21
#define RENDERED_WARNINGS 22

// Where the text of an outcome that was rendered stands.
#define BEGINS (outcome_rendered+RENDERED_BEGIN)
#define ENDS (outcome_rendered+RENDERED_END)

// ITEM leaves the address of an item of a slice in the merge, whose index is on the
// stack. The items are of 48 bytes.
#define ITEM(slice) \
	I64Const $48; \
	I64Mul; \
	LOAD(R0, slice); \
	I64Add

// INDEX leaves the index of the item at r: a division by 48.
#define INDEX(r, slice) \
	Get r; \
	LOAD(R0, slice); \
	I64Sub; \
	I64Const $0xAAAAAAAB; \
	I64Mul; \
	I64Const $37; \
	I64ShrU

// WRITING sets R6 to the end of the outcomes, R8 to the end of the room of the writer in
// R4, and R13 to where it writes.
#define WRITING \
	LOAD(R0, Merge_outcomes+SLICELEN); \
	ITEM(Merge_outcomes); \
	Set R6; \
	Get R4; \
	I32WrapI64; \
	I64Load $0; \
	Tee R13; \
	LOAD(R4, SLICECAP); \
	I64Add; \
	Set R8; \
	Get R13; \
	LOAD(R4, SLICELEN); \
	I64Add; \
	Set R13

// WRITTEN has the writer end at R14.
#define WRITTEN \
	Get R4; \
	I32WrapI64; \
	Get R14; \
	LOAD(R4, 0); \
	I64Sub; \
	I64Store $SLICELEN

// COPY writes R11 bytes from R12 on to R13, and moves that on. It goes by words, so
// that up to eight bytes too many are read and written.
#define COPY(label) \
label: \
	Loop; \
		Get R13; \
		I32WrapI64; \
		Get R12; \
		I32WrapI64; \
		I64Load $0; \
		I64Store $0; \
		ADVANCE(R12, $8); \
		ADVANCE(R13, $8); \
		ADVANCE(R11, $-8); \
		Get R11; \
		I64Const $0; \
		I64GtS; \
		BrIf label; \
	End; \
	Get R13; \
	Get R11; \
	I64Add; \
	Set R13

// COPYLONG does what COPY does, and is quicker where they are a hundred or more.
#define COPYLONG \
	Get R13; \
	I32WrapI64; \
	Get R12; \
	I32WrapI64; \
	Get R11; \
	I32WrapI64; \
	MemoryCopy; \
	Get R13; \
	Get R11; \
	I64Add; \
	Set R13

// PUT writes a word at that offset from R13.
#define PUT(offset, word) \
	Get R13; \
	I32WrapI64; \
	I64Const word; \
	I64Store offset

// COMMA writes a comma, unless the array was begun just now.
#define COMMA \
	Get R13; \
	I64Const $1; \
	I64Sub; \
	I32WrapI64; \
	I64Load8U $0; \
	I64Const $0x5B; \
	I64Ne; \
	If; \
	Get R13; \
	I32WrapI64; \
	I64Const $0x2C; \
	I64Store8 $0; \
	ADVANCE(R13, $1); \
	End

// TRUNCATION and STRICT are where a limit has how a value is cut, and whether strictly.
#define TRUNCATION 8
#define STRICT 9

// BUDGET sets what the frame has at LIMIT, the budget in bytes of the value that an outcome is
// about, and at CUTBY, how it is cut. r is any register.
#define BUDGET(merge, outcome, r) \
	LOAD(merge, Merge_Policy); \
	Set r; \
	Get SP; \
	LOAD(r, Policy_Limit); \
	I64Const $2; \
	I64Shl; \
	I64Store $LIMIT; \
	Get SP; \
	LOAD8(r, Policy_Limit+TRUNCATION); \
	I64Store $CUTBY; \
	Get outcome; \
	I32WrapI64; \
	I64Load32S $outcome_policy; \
	I64Const $0; \
	I64GeS; \
	If; \
		LOAD32(outcome, outcome_policy); \
		I64Const $KeyPolicy__size; \
		I64Mul; \
		LOAD(r, Policy_Keys); \
		I64Add; \
		Set r; \
		LOAD8(r, KeyPolicy_HasTokens); \
		I32WrapI64; \
		If; \
			Get SP; \
			LOAD32(r, KeyPolicy_Tokens); \
			I64Const $2; \
			I64Shl; \
			I64Store $LIMIT; \
		End; \
		LOAD8(r, KeyPolicy_HasTruncation); \
		I32WrapI64; \
		If; \
			Get SP; \
			LOAD8(r, KeyPolicy_Truncation); \
			I64Store $CUTBY; \
		End; \
	End

// HEADOF leaves how many of so many bytes the beginning of a value that is cut has.
#define HEADOF(bytes) \
	bytes; \
	RESULT(CUTBY); \
	I64Eqz; \
	I64ExtendI32U; \
	I64ShrU; \
	I64Const $0; \
	RESULT(CUTBY); \
	I64Const $2; \
	I64LtU; \
	Select
