// What the assembler of this package has in common.

#define ONES $0x0101010101010101
#define HIGHS $-0x7f7f7f7f7f7f7f80

// A slice has its address at 0, its length at 8, its capacity at 16.
#define SLICELEN 8
#define SLICECAP 16

// A string of the text has its start at 0, its end at 4, its length at 8, its form at
// 12.
#define START 0
#define END 4
#define LEN 8
#define FORM 12

// What stands between a key and its value as the output has it: ":{"value":" with the
// quote before it.
#define VALUE_8 $0x756c6176227b3a22
#define VALUE_12 $0x223a2265

// LONG is from how many bytes on SIMD is quicker, the call included.
#define LONG $64

#define ADVANCE(p, n) \
	Get p; \
	I64Const n; \
	I64Add; \
	Set p

// IFNOT begins what is done if what is on the stack is 0.
#define IFNOT \
	I32Eqz; \
	If

// RESULT leaves a result of a call, of 64 bits, RESULT8 one of 8.
#define RESULT(offset) \
	Get SP; \
	I64Load $(offset)
#define RESULT8(offset) \
	Get SP; \
	I64Load8U $(offset)

// SIMDEQUAL leaves whether the n bytes at a and at b are the same. What it is called
// with, and returns, is at the beginning of the frame.
#define SIMDEQUAL(a, b, n) \
	Get SP; \
	Get a; \
	I64Store $0; \
	Get SP; \
	Get b; \
	I64Store $8; \
	Get SP; \
	Get n; \
	I64Store32 $16; \
	CALLNORESUME ·simdEqual(SB); \
	Get SP; \
	I64Load32U $24
#define SIMDEQUALFRAME 32
