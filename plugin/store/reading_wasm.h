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

// NEXTUNLESSMARKED ends a loop over words: it goes on with the next one unless the word on the
// stack marks a byte, to which R0 is moved.
#define NEXTUNLESSMARKED(label) \
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

// SPECIAL moves R0 to the first such byte from it on.
#define SPECIAL(label) \
label: \
	Loop; \
		Get R0; \
		I32WrapI64; \
		I64Load $0; \
		Set R2; \
		SPECIALS; \
		NEXTUNLESSMARKED(label)

// SPACE moves R0 past white space, and sets R2 to the byte there.
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

// EXPECT moves R0 past that byte, with white space before it and behind it, and sets R2 to the
// byte there. Any other byte stops the reading.
#define EXPECT(before, byte, behind) \
	SPACE(before); \
	Get R2; \
	I64Const byte; \
	I64Ne; \
	BrIf stop; \
	ADVANCE(R0, $1); \
	SPACE(behind)

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

// LETTERS has a bit for each letter, less 64, that may follow a backslash in the
// output: \ b f n r t.
#define LETTERS $0x14404410000000

// SHORT leaves whether the character in R2 may follow a backslash in the output,
// but for u.
#define SHORT \
	Get R2; \
	I64Const $0x22; \
	I64Eq; \
	I64Const LETTERS; \
	Get R2; \
	I64Const $64; \
	I64Sub; \
	I64ShrU; \
	I32WrapI64; \
	I32Const $1; \
	I32And; \
	Get R2; \
	I64Const $6; \
	I64ShrU; \
	I64Const $1; \
	I64Eq; \
	I32And; \
	I32Or

// FORMOF leaves the highest of the forms in r.
#define FORMOF(r) \
	Get r; \
	Get r; \
	I64Const $1; \
	I64ShrU; \
	I64Const $-1; \
	I64Xor; \
	I64And

// STRING moves R0, behind the quote that begins a string, to the one that ends it. R10 is how
// much its escapes save, R11 their forms.
#define STRING(letters, key) \
	I64Const $0; \
	Tee R10; \
	Set R11; \
letters: \
	Loop; \
		SPECIAL(key); \
		BYTE($0); \
		Tee R2; \
		I64Const $0x22; \
		I64Ne; \
		If; \
			Get R2; \
			I64Const $0x5C; \
			I64Eq; \
			If; \
				BYTE($1); \
				Set R2; \
				I64Const $const_canonical; \
				I64Const $const_foreign; \
				I64Const $0; \
				Get R2; \
				I64Const $0x2F; \
				I64Eq; \
				Select; \
				SHORT; \
				Select; \
				Tee R2; \
				I64Eqz; \
				IFNOT; \
					Get R11; \
					Get R2; \
					I64Or; \
					Set R11; \
					ADVANCE(R10, $1); \
					ADVANCE(R0, $2); \
					Br letters; \
				End; \
			End; \
			TEXTEND; \
			RESULT(TEXTENDSAVED); \
			Get R10; \
			I64Add; \
			Set R10; \
			RESULT8(TEXTENDFORM); \
			Get R11; \
			I64Or; \
			Set R11; \
			BYTE($0); \
			I64Const $0x22; \
			I64Ne; \
			BrIf stop; \
		End; \
	End

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

// CONTROLS has four bits for each of b f n r t: the character that it stands for
// behind a backslash. A letter's place is in its bits from the third on.
#define CONTROLS $0x9da0c8

// UNKNOWN is an order of keys that was not found out.
#define UNKNOWN $0x100000000

// BYTEAT leaves the byte at that offset from r.
#define BYTEAT(r, offset) \
	Get r; \
	I32WrapI64; \
	I64Load8U offset

// HEX leaves what the hexadecimal digit at that offset from r stands for.
#define HEX(r, offset) \
	BYTEAT(r, offset); \
	I64Const $15; \
	I64And; \
	BYTEAT(r, offset); \
	I64Const $6; \
	I64ShrU; \
	I64Const $9; \
	I64Mul; \
	I64Add

// UNIT sets v to the byte at r, or to the one that the escape there stands for,
// and moves r past it. If that is more than one byte, it leaves UNKNOWN in R2 and
// the block out.
#define UNIT(r, v, out) \
	BYTEAT(r, $0); \
	Tee v; \
	I64Const $0x5C; \
	I64Ne; \
	If; \
		ADVANCE(r, $1); \
	Else; \
		BYTEAT(r, $1); \
		Tee v; \
		I64Const $0x75; \
		I64Eq; \
		If; \
			HEX(r, $4); \
			I64Const $4; \
			I64Shl; \
			HEX(r, $5); \
			I64Or; \
			Tee v; \
			I64Const $0x80; \
			I64GeU; \
			Get r; \
			I32WrapI64; \
			I64Load16U $2; \
			I64Const $0x3030; \
			I64Ne; \
			I32Or; \
			If; \
				I64Const UNKNOWN; \
				Set R2; \
				Br out; \
			End; \
			ADVANCE(r, $6); \
		Else; \
			ADVANCE(r, $2); \
			Get v; \
			I64Const $0x60; \
			I64GtU; \
			If; \
				I64Const CONTROLS; \
				Get v; \
				I64Const $0x1C; \
				I64And; \
				I64ShrU; \
				I64Const $15; \
				I64And; \
				Set v; \
			End; \
		End; \
	End

// EQUAL leaves whether the n bytes of the text at a and at b are the same.
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
