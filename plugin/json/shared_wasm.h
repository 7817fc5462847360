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
