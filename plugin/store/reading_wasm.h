// What the functions that read have in common. R0 is the address at hand, R3 that of the
// text.

#define BACKSLASHES $0x5c5c5c5c5c5c5c5c

// BYTE leaves the byte at that offset from R0.
#define BYTE(offset) \
	Get R0; \
	I32WrapI64; \
	I64Load8U offset

// SPACES has a bit for each character that is white space.
#define SPACES $0x100002600

// OFFSET leaves the offset in the text of the address in r.
#define OFFSET(r) \
	Get r; \
	Get R3; \
	I64Sub

// SPECIALS leaves marks of the bytes of the word in R2 that are no printable ASCII, a
// quote or a backslash, but for the other bits of these bytes.
#define SPECIALS \
	Get R2; \
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
	I64Or

// MARKED moves R0 to the first byte that has a mark in R2.
#define MARKED \
	Get R0; \
	Get R2; \
	I64Ctz; \
	I64Const $3; \
	I64ShrU; \
	I64Add; \
	Set R0

// SPECIAL moves R0 to the first such byte from it on.
#define SPECIAL(label) \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		Set R2; \
		SPECIALS; \
		I64Const HIGHS; \
		I64And; \
		Tee R2; \
		I64Eqz; \
		If; \
			ADVANCE(R0, $8); \
			Br label; \
		End; \
	End; \
	MARKED

// SPACE moves R0 past white space.
#define SPACE(label) \
label: \
	Loop; \
		BYTE($0); \
		Tee R2; \
		I64Const $0x20; \
		I64LeU; \
		If; \
			I64Const SPACES; \
			Get R2; \
			I64ShrU; \
			I32WrapI64; \
			I32Const $1; \
			I32And; \
			If; \
				ADVANCE(R0, $1); \
				Get R0; \
				Get R0; \
				I32WrapI64; \
				I64Load $0; \
				I64Const $0x2020202020202020; \
				I64Xor; \
				I64Ctz; \
				I64Const $3; \
				I64ShrU; \
				I64Add; \
				Set R0; \
				Br label; \
			End; \
		End; \
	End

// TEXTEND moves R0, in a text, to where it ends, or goes wrong. What it is called with, and
// returns, is at the beginning of the frame.
#define TEXTEND \
	Get SP; \
	Get R3; \
	I64Store $0; \
	Get SP; \
	OFFSET(R0); \
	I64Store $24; \
	CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·textEnd(SB); \
	Get R3; \
	RESULT(32); \
	I64Add; \
	Set R0
#define TEXTENDSAVED 40
#define TEXTENDFORM 48
#define TEXTENDFRAME 56

// SIMDTEXTEND leaves what the kernel says of the text at R0: SIMDFLAGS at least where a
// form is foreign, or there may be something to warn of.
#define SIMDTEXTEND(watched) \
	Get SP; \
	Get R0; \
	I64Store $0; \
	Get SP; \
	watched; \
	I64Store32 $8; \
	CALLNORESUME ·simdTextEnd(SB); \
	RESULT(16)
#define SIMDFLAGS 0x4000000000000000

// EQUAL leaves whether the n bytes of the text at a and at b are the same, ORDER how two
// strings of it compare, at a and of n bytes, and at b and of m.
#define EQUAL(a, b, n) \
	Get SP; \
	Get R3; \
	I64Store $0; \
	Get SP; \
	OFFSET(a); \
	I64Store $24; \
	Get SP; \
	OFFSET(b); \
	I64Store $32; \
	Get SP; \
	n; \
	I64Store $40; \
	CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·equal(SB); \
	Get SP; \
	I64Load8U $48
#define EQUALFRAME 56
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
	CALLNORESUME github·com∕turncontext∕turncontext∕plugin∕json·compare(SB); \
	RESULT(56)
#define ORDERFRAME 64
