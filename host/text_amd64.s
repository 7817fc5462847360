//go:build !purego

#include "textflag.h"

DATA blocks<>+0(SB)/8, $0x2222222222222222
DATA blocks<>+8(SB)/8, $0x2222222222222222
DATA blocks<>+16(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA blocks<>+24(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA blocks<>+32(SB)/8, $0x1f1f1f1f1f1f1f1f
DATA blocks<>+40(SB)/8, $0x1f1f1f1f1f1f1f1f
GLOBL blocks<>(SB), RODATA|NOPTR, $48

// Why assembler: sixteen bytes at a time, with the instructions that every
// processor of this kind has. text.go has what these functions do; the tests
// hold them equal.
//
// A block is copied first as if nothing in it were an escape. Then, for each
// that is one, the escape is mended, and the rest of the block copied once more
// to where it belongs: SI stays at the block, and DI, where the block would
// begin if all of it had moved as far as what follows. So nothing waits for a
// byte to be found but the next copy's address.

// FROM and TO are how many bytes from where a block begins on may be read and
// written: it has sixteen escapes at most.
#define FROM 33
#define TO 48

// COPYBLOCK copies 16 bytes from SI to DI, and sets a bit of AX for each that
// is a quote, a backslash or a control character.
#define COPYBLOCK \
	MOVOU (SI), X0; \
	MOVOU X0, (DI); \
	MOVO X0, X1; \
	PCMPEQB X5, X1; \
	MOVO X0, X2; \
	PCMPEQB X6, X2; \
	MOVO X0, X3; \
	PMINUB X7, X3; \
	PCMPEQB X0, X3; \
	POR X2, X1; \
	POR X3, X1; \
	PMOVMSKB X1, AX

// func escapeBlocks(to, from []byte) (wrote, read int)
TEXT ·escapeBlocks(SB), NOSPLIT, $0-64
	MOVQ to_base+0(FP), DI
	MOVQ to_len+8(FP), R8
	MOVQ from_base+24(FP), SI
	MOVQ from_len+32(FP), R9
	CMPQ R8, $TO
	JLT done
	CMPQ R9, $FROM
	JLT done
	LEAQ -TO(DI)(R8*1), R8
	LEAQ -FROM(SI)(R9*1), R9
	LEAQ ·shortEscapes(SB), R10
	MOVOU blocks<>+0(SB), X5
	MOVOU blocks<>+16(SB), X6
	MOVOU blocks<>+32(SB), X7
	JMP next
escape:
	BSFL AX, CX
	MOVBLZX (SI)(CX*1), DX
	MOVBLZX (R10)(DX*1), DX
	TESTL DX, DX
	JEQ stop
	SHLL $8, DX
	ORL $'\\', DX
	MOVOU 1(SI)(CX*1), X0
	MOVW DX, (DI)(CX*1)
	MOVOU X0, 2(DI)(CX*1)
	INCQ DI
	LEAL -1(AX), DX
	ANDL DX, AX // the next
	JNE escape
plain:
	ADDQ $16, SI
	ADDQ $16, DI
next:
	CMPQ SI, R9
	JHI done
	CMPQ DI, R8
	JHI done
	COPYBLOCK
	TESTL AX, AX
	JEQ plain
	JMP escape
stop:
	ADDQ CX, SI
	ADDQ CX, DI
done:
	SUBQ to_base+0(FP), DI
	MOVQ DI, wrote+48(FP)
	SUBQ from_base+24(FP), SI
	MOVQ SI, read+56(FP)
	RET

// MASK sets a bit of dst for each of the 64 bytes of X0 to X3 that is what byte
// has, with X4 and tmp.
#define MASK(byte, dst, tmp) \
	MOVO X3, X4; \
	PCMPEQB byte, X4; \
	PMOVMSKB X4, dst; \
	SHLQ $16, dst; \
	MOVO X2, X4; \
	PCMPEQB byte, X4; \
	PMOVMSKB X4, tmp; \
	ORQ tmp, dst; \
	SHLQ $16, dst; \
	MOVO X1, X4; \
	PCMPEQB byte, X4; \
	PMOVMSKB X4, tmp; \
	ORQ tmp, dst; \
	SHLQ $16, dst; \
	MOVO X0, X4; \
	PCMPEQB byte, X4; \
	PMOVMSKB X4, tmp; \
	ORQ tmp, dst

// func passBlocks(text []byte) (n int)
//
// What is escaped is found as in unescapeVBMI2.
TEXT ·passBlocks(SB), NOSPLIT, $0-32
	MOVQ text_base+0(FP), SI
	MOVQ text_len+8(FP), R9
	SUBQ $64, R9
	JLT done
	ADDQ SI, R9 // the last whole block
	MOVOU blocks<>+0(SB), X5
	MOVOU blocks<>+16(SB), X6
	MOVQ $0x5555555555555555, R11
	XORL R12, R12
next:
	MOVOU (SI), X0
	MOVOU 16(SI), X1
	MOVOU 32(SI), X2
	MOVOU 48(SI), X3
	MOVO X0, X7
	PCMPEQB X5, X7
	MOVO X1, X8
	PCMPEQB X5, X8
	POR X8, X7
	MOVO X2, X8
	PCMPEQB X5, X8
	POR X8, X7
	MOVO X3, X8
	PCMPEQB X5, X8
	POR X8, X7
	PMOVMSKB X7, AX
	TESTL AX, AX
	JNE look
	CMPB 63(SI), $'\\'
	JEQ look
	XORL R12, R12 // no quote here, and none escaped behind
	JMP pass
look:
	MASK(X6, AX, R8)
	MASK(X5, BX, R8)
	MOVQ R12, DX
	NOTQ DX
	ANDQ DX, AX
	LEAQ (R12)(AX*2), DI // what stands behind a backslash
	MOVQ DI, DX
	ORQ R11, DX
	NOTQ DX
	ANDQ AX, DX
	ADDQ AX, DX
	ADDQ DX, DX
	XORQ R11, DX
	ANDQ DI, DX
	NOTQ DX // what is not escaped
	ANDQ DX, BX
	JNE found
	ANDQ DX, AX
	MOVQ AX, R12
	SHRQ $63, R12
pass:
	ADDQ $64, SI
	CMPQ SI, R9
	JLS next
	JMP done
found:
	BSFQ BX, BX
	ADDQ BX, SI
done:
	SUBQ text_base+0(FP), SI
	MOVQ SI, n+24(FP)
	RET

// func prefetch(s string)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	CMPQ CX, $2048
	JLE short
	MOVL $2048, CX
short:
	ADDQ SI, CX
	JMP more
fetch:
	PREFETCHT0 (SI)
	ADDQ $64, SI
more:
	CMPQ SI, CX
	JCS fetch
	RET

// func unescapeBlocks(to, from []byte) (wrote, read int)
TEXT ·unescapeBlocks(SB), NOSPLIT, $0-64
	MOVQ to_base+0(FP), DI
	MOVQ to_len+8(FP), R8
	MOVQ from_base+24(FP), SI
	MOVQ from_len+32(FP), R9
	CMPQ R8, $TO
	JLT done
	CMPQ R9, $FROM
	JLT done
	LEAQ -TO(DI)(R8*1), R8
	LEAQ -FROM(SI)(R9*1), R9
	LEAQ ·escapes(SB), R10
	MOVOU blocks<>+0(SB), X5
	MOVOU blocks<>+16(SB), X6
	MOVOU blocks<>+32(SB), X7
	JMP next
unescape:
	BSFL AX, CX
	CMPB (SI)(CX*1), $'\\'
	JNE stop
	MOVBLZX 1(SI)(CX*1), DX
	MOVBLZX (R10)(DX*1), DX
	TESTL DX, DX
	JEQ stop
	MOVOU 2(SI)(CX*1), X0
	MOVB DX, (DI)(CX*1)
	MOVOU X0, 1(DI)(CX*1)
	DECQ DI
	MOVL $3, DX
	SHLL CX, DX
	NOTL DX
	ANDL DX, AX // the next, behind the letter
	JNE unescape
	CMPL CX, $15 // the letter is in the next block
	JNE plain
	INCQ SI
	INCQ DI
plain:
	ADDQ $16, SI
	ADDQ $16, DI
next:
	CMPQ SI, R9
	JHI done
	CMPQ DI, R8
	JHI done
	COPYBLOCK
	TESTL AX, AX
	JEQ plain
	JMP unescape
stop:
	ADDQ CX, SI
	ADDQ CX, DI
done:
	SUBQ to_base+0(FP), DI
	MOVQ DI, wrote+48(FP)
	SUBQ from_base+24(FP), SI
	MOVQ SI, read+56(FP)
	RET
