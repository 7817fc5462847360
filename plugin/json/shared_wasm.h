// What the assembler of this package has in common.

#define ONES $0x0101010101010101
#define HIGHS $-0x7f7f7f7f7f7f7f80
#define BACKSLASHES $0x5c5c5c5c5c5c5c5c

#define ADVANCE(p, n) \
	Get p; \
	I64Const n; \
	I64Add; \
	Set p

// SPECIALS turns the word in w, on the stack afterwards, into marks of the
// bytes that are no printable ASCII, a quote or a backslash. The first is right.
// With one bit turned round, control characters and the quote are those below
// 0x21.
#define SPECIALS(w) \
	Get w; \
	I64Const $0x0202020202020202; \
	I64Xor; \
	I64Const $0x2121212121212121; \
	I64Sub; \
	Get w; \
	I64Const BACKSLASHES; \
	I64Xor; \
	I64Const ONES; \
	I64Sub; \
	I64Or; \
	Get w; \
	I64Or; \
	I64Const HIGHS; \
	I64And

// STORE sets an argument of a call, RESULT leaves a result of it.
#define STORE(offset, value) Get SP; value; I64Store $(offset)
#define RESULT(offset) Get SP; I64Load $(offset)

// ISDIGIT leaves whether the byte in c is a digit.
#define ISDIGIT(c) \
	Get c; \
	I64Const $0x30; \
	I64Sub; \
	I64Const $10; \
	I64LtU

// NEXTBYTE moves R0 by one, and sets c to the byte there.
#define NEXTBYTE(c) \
	ADVANCE(R0, $1); \
	Get R0; \
	I32WrapI64; \
	I64Load8U $0; \
	Set c

// DIGITS moves R0 past digits, of which the first is in c, and sets c to the byte there. It
// goes to failed if that is none.
#define DIGITS(c, failed, label) \
	ISDIGIT(c); \
	I32Eqz; \
	BrIf failed; \
label: \
	Loop; \
		NEXTBYTE(c); \
		ISDIGIT(c); \
		BrIf label; \
	End

// NUMBER moves R0 past a number, whose first byte is in c, or goes to failed.
#define NUMBER(c, failed, whole, fraction, exponent) \
	Get c; \
	I64Const $0x2D; \
	I64Eq; \
	If; \
		NEXTBYTE(c); \
	End; \
	Get c; \
	I64Const $0x30; \
	I64Eq; \
	If; \
		NEXTBYTE(c); \
	Else; \
		DIGITS(c, failed, whole); \
	End; \
	Get c; \
	I64Const $0x2E; \
	I64Eq; \
	If; \
		NEXTBYTE(c); \
		DIGITS(c, failed, fraction); \
	End; \
	Get c; \
	I64Const $0x20; \
	I64Or; \
	I64Const $0x65; \
	I64Eq; \
	If; \
		NEXTBYTE(c); \
		Get c; \
		I64Const $0x2B; \
		I64Eq; \
		Get c; \
		I64Const $0x2D; \
		I64Eq; \
		I32Or; \
		If; \
			NEXTBYTE(c); \
		End; \
		DIGITS(c, failed, exponent); \
	End

// COPY copies R2 bytes from R0 to R1: few of them in words, so that up to seven too many
// are read and written.
#define COPY(label) \
	Get R2; \
	I64Const $96; \
	I64GtU; \
	If; \
		Get R1; \
		I32WrapI64; \
		Get R0; \
		I32WrapI64; \
		Get R2; \
		I32WrapI64; \
		MemoryCopy; \
	Else; \
label: \
		Loop; \
			Get R1; \
			I32WrapI64; \
			Get R0; \
			I32WrapI64; \
			I64Load $0; \
			I64Store $0; \
			ADVANCE(R0, $8); \
			ADVANCE(R1, $8); \
			ADVANCE(R2, $-8); \
			Get R2; \
			I64Const $0; \
			I64GtS; \
			BrIf label; \
		End; \
	End; \
	Get R1; \
	Get R2; \
	I64Add; \
	Set R1
