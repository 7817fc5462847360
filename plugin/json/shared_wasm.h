// What the assembler of this package has in common.

#define ONES $0x0101010101010101
#define HIGHS $-0x7f7f7f7f7f7f7f80
#define BACKSLASHES $0x5c5c5c5c5c5c5c5c

#define ADVANCE(p, n) \
	Get p; \
	I64Const n; \
	I64Add; \
	Set p
