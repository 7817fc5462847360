// What the assembler of this package has in common.

#define ONES $0x0101010101010101
#define HIGHS $-0x7f7f7f7f7f7f7f80
#define BACKSLASHES $0x5c5c5c5c5c5c5c5c

#define ADVANCE(p, n) \
	Get p; \
	I64Const n; \
	I64Add; \
	Set p

// LOAD leaves a field, of 64 bits, of what is at r.
#define LOAD(r, field) \
	Get r; \
	I32WrapI64; \
	I64Load $(field)

// BYTE leaves the byte at R0.
#define BYTE \
	Get R0; \
	I32WrapI64; \
	I64Load8U $0

// STORE sets an argument of a call, RESULT leaves a result of it.
#define STORE(offset, value) Get SP; value; I64Store $(offset)
#define RESULT(offset) Get SP; I64Load $(offset)

// OFFSET leaves the offset in the text of the address in r.
#define OFFSET(r) \
	Get r; \
	Get R3; \
	I64Sub

// SPACE moves R0 past white space, and sets R2 to the byte there.
#define SPACE(label) \
label: \
	Loop; \
		BYTE; \
		Tee R2; \
		I64Const $0x20; \
		I64LeU; \
		If; \
			I64Const $0x100002600; \
			Get R2; \
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

// IFBYTE begins what is done if the byte in R2, that at R0, is that one.
#define IFBYTE(c) \
	Get R2; \
	I64Const c; \
	I64Eq; \
	If

// ISNULL leaves whether null is at R0.
#define ISNULL \
	Get R0; \
	I32WrapI64; \
	I64Load32U $0; \
	I64Const $0x6C6C756E; \
	I64Eq

// EXPECT ends the reading unless the byte in R2 is that one, and moves R0 past it.
#define EXPECT(c) \
	Get R2; \
	I64Const c; \
	I64Ne; \
	BrIf stop; \
	ADVANCE(R0, $1)

// WORDS sets R14 and R15 to the bytes from R0 on. ISWORD goes to other unless they begin with
// the word at r.
#define WORDS \
	LOAD(R0, 0); \
	Set R14; \
	LOAD(R0, 8); \
	Set R15
#define ISWORD(r, other) \
	LOAD(r, word_bytes); \
	Get R14; \
	I64Xor; \
	LOAD(r, word_mask); \
	I64And; \
	I64Eqz; \
	I32Eqz; \
	BrIf other; \
	LOAD(r, word_bytes+8); \
	Get R15; \
	I64Xor; \
	LOAD(r, word_mask+8); \
	I64And; \
	I64Eqz; \
	I32Eqz; \
	BrIf other

// FINDNAME goes to known if R14 and R15 begin with a name of a table, in which R1 is at the first
// one and each takes so many bytes: R1 is its address then, R10 its place.
#define FINDNAME(size, count, names, other) \
	I64Const $0; \
	Set R10; \
names: \
	Loop; \
other: \
		Block; \
			ISWORD(R1, other); \
			Br known; \
		End; \
		ADVANCE(R1, size); \
		ADVANCE(R10, $8); \
		Get R10; \
		I64Const $(8*count); \
		I64LtU; \
		BrIf names; \
	End

// RESOLVED is where a name or a value is kept in the frame with its escapes resolved, behind what
// calls take.
#define RESOLVED 64

// FRAME leaves the address of what is kept there.
#define FRAME(offset) \
	Get SP; \
	I64ExtendI32U; \
	I64Const $(offset); \
	I64Add

// HASBACKSLASH leaves whether there may be a backslash among them. One behind them comes too late
// for a word of the table.
#define HASBACKSLASH \
	Get R14; \
	I64Const BACKSLASHES; \
	I64Xor; \
	I64Const ONES; \
	I64Sub; \
	Get R15; \
	I64Const BACKSLASHES; \
	I64Xor; \
	I64Const ONES; \
	I64Sub; \
	I64Or; \
	I64Const HIGHS; \
	I64And; \
	I64Eqz; \
	I32Eqz

// IFRESOLVED sets R12 to R0, and begins what is done if a short string begins there that has
// escapes: R14 and R15 have it resolved, and R0 is where it would begin if it were written so.
#define IFRESOLVED \
	Get R0; \
	Set R12; \
	HASBACKSLASH; \
	If; \
		STORE(0, Get R0); \
		STORE(8, FRAME(RESOLVED)); \
		CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·resolveWord(SB); \
		RESULT(16); \
		Set R0; \
		RESULT(RESOLVED); \
		Set R14; \
		RESULT(RESOLVED+8); \
		Set R15; \
	End; \
	Get R0; \
	Get R12; \
	I64Ne; \
	If

// FROMHERE sets the first arguments of a call: the text, and where R0 is in it.
#define FROMHERE \
	STORE(0, Get R3); \
	STORE(8, I64Load text_len+8(FP)); \
	STORE(16, I64Load text_cap+16(FP)); \
	STORE(24, OFFSET(R0))

// LONG is from how many bytes on others look for the end of a string.
#define LONG $64

#ifdef const_simd
// SIMDEND moves R0 as far as the kernel goes, and sets R8 and R9, as STRING does.
#define SIMDEND \
	STORE(0, Get R0); \
	STORE(8, I64Const $0); \
	CALLNORESUME ·simdTextEnd(SB); \
	RESULT(16); \
	Tee R2; \
	I64Const $0xFFFFFFFF; \
	I64And; \
	Get R0; \
	I64Add; \
	Set R0; \
	Get R2; \
	I64Const $32; \
	I64ShrU; \
	I64Const $0x7FFFFFFF; \
	I64And; \
	Tee R8; \
	I64Eqz; \
	I32Eqz; \
	I64ExtendI32U; \
	Set R9; \
	Get R2; \
	I64Const $0; \
	I64LtS; \
	If; \
		I64Const $const_foreign; \
		Set R9; \
	End
#else
#define SIMDEND
#endif

// STRING moves R0, where a string begins, and R12 too, to the quote that ends it. R8 is how
// many bytes are saved with the escapes resolved, R9 the form.
#define STRING(words) \
	I64Const $0; \
	Tee R8; \
	Set R9; \
words: \
	Loop; \
		LOAD(R0, 0); \
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
		Get R0; \
		Get R12; \
		I64Sub; \
		I64Const LONG; \
		I64LtU; \
		I32And; \
		If; \
			ADVANCE(R0, $8); \
			Br words; \
		End; \
	End; \
	Get R0; \
	Get R2; \
	I64Ctz; \
	I64Const $3; \
	I64ShrU; \
	I64Add; \
	Set R0; \
	BYTE; \
	I64Const $0x22; \
	I64Ne; \
	If; \
		SIMDEND; \
		FROMHERE; \
		CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·textEnd(SB); \
		RESULT(32); \
		Get R3; \
		I64Add; \
		Set R0; \
		RESULT(40); \
		Get R8; \
		I64Add; \
		Set R8; \
		Get R9; \
		Get SP; \
		I64Load8U $48; \
		Tee R2; \
		Get R9; \
		Get R2; \
		I64GtU; \
		Select; \
		Set R9; \
		BYTE; \
		I64Const $0x22; \
		I64Ne; \
		BrIf stop; \
	End

// UNKNOWNS is the place of how many unknown names there are, behind those of the known ones.
#define UNKNOWNS $56

// PASSUNKNOWNS moves R0 past members that are not known, the first of which has its name at R12.
// R2 is the address of the known names, R7 that of the room for the others, of which R11 says how
// many there are.
#define PASSUNKNOWNS(depth) \
	STORE(0, Get R3); \
	STORE(8, OFFSET(R12); I64Const $1; I64Sub); \
	STORE(16, Get R2); \
	STORE(24, Get R7); \
	STORE(32, Get R11; I64Const UNKNOWNS; I64ShrU); \
	STORE(40, depth); \
	CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·passUnknowns(SB); \
	RESULT(56); \
	I64Const UNKNOWNS; \
	I64Shl; \
	Get R11; \
	I64Const $(1<<56-1); \
	I64And; \
	I64Or; \
	Set R11; \
	RESULT(48); \
	Tee R2; \
	I64Const $0; \
	I64LtS; \
	BrIf stop; \
	Get R3; \
	Get R2; \
	I64Add; \
	Set R0
