//go:build !purego

#include "textflag.h"

// Why a second set: escapes come at irregular distances, so that a jump for each
// is foretold wrongly every other time, and takes longer than all the rest. Here
// nothing jumps but at the end of a string: each byte is made room for two, all
// escapes of a block are put in at once, and an instruction of VBMI2 closes the
// gaps. text.go has what these functions do; the tests hold them equal.

// letters has what stands behind the backslash in the escape of a byte, 0 for
// one without such an escape.
DATA letters<>+0(SB)/8, $0
DATA letters<>+8(SB)/8, $0x00007266006e7462
DATA letters<>+16(SB)/8, $0
DATA letters<>+24(SB)/8, $0
DATA letters<>+32(SB)/8, $0x0000000000220000
DATA letters<>+40(SB)/8, $0
DATA letters<>+48(SB)/8, $0
DATA letters<>+56(SB)/8, $0
DATA letters<>+64(SB)/8, $0
DATA letters<>+72(SB)/8, $0
DATA letters<>+80(SB)/8, $0
DATA letters<>+88(SB)/8, $0x0000005c00000000
DATA letters<>+96(SB)/8, $0
DATA letters<>+104(SB)/8, $0
DATA letters<>+112(SB)/8, $0
DATA letters<>+120(SB)/8, $0
GLOBL letters<>(SB), RODATA|NOPTR, $128

// values has what stands for the letter or sign behind a backslash, 0 for one
// that there is not.
DATA values<>+0(SB)/8, $0
DATA values<>+8(SB)/8, $0
DATA values<>+16(SB)/8, $0
DATA values<>+24(SB)/8, $0
DATA values<>+32(SB)/8, $0x0000000000220000
DATA values<>+40(SB)/8, $0x2f00000000000000
DATA values<>+48(SB)/8, $0
DATA values<>+56(SB)/8, $0
DATA values<>+64(SB)/8, $0
DATA values<>+72(SB)/8, $0
DATA values<>+80(SB)/8, $0
DATA values<>+88(SB)/8, $0x0000005c00000000
DATA values<>+96(SB)/8, $0x000c000000080000
DATA values<>+104(SB)/8, $0x000a000000000000
DATA values<>+112(SB)/8, $0x00000009000d0000
DATA values<>+120(SB)/8, $0
GLOBL values<>(SB), RODATA|NOPTR, $128

// EVEN has a bit for each byte at an even place.
#define EVEN $0x5555555555555555

// AHEAD is how far before its use memory is fetched: a processor by itself looks
// less far, and starts anew with each string.
#define AHEAD 2048

// BYTES sets the registers that a block is compared with, and the table.
#define BYTES(table) \
	VMOVDQU64 table+0(SB), Z10; \
	VMOVDQU64 table+64(SB), Z11; \
	MOVL $'"', AX; \
	VPBROADCASTB AX, Z5; \
	MOVL $'\\', AX; \
	VPBROADCASTB AX, Z6; \
	MOVL $' ', AX; \
	VPBROADCASTB AX, Z7; \
	MOVQ EVEN, R11

// ESCAPEBLOCK writes the 64 bytes of Z0 to DI, each half with room for as many
// escapes. K7 has a bit for each byte that counts. AX becomes the number of
// escapes. Before a block with bytes whose escape has digits it goes to stop: K4
// has a bit for each of them.
//
// Where the backslashes belong is found in pairs of bits, one for the backslash
// that may be and one for the byte: PEXT takes out what is not.
#define ESCAPEBLOCK(stop) \
	VPCMPUB $1, Z7, Z0, K7, K1; \
	VPCMPEQB Z5, Z0, K7, K2; \
	VPCMPEQB Z6, Z0, K7, K3; \
	VMOVDQA64 Z0, Z1; \
	KORQ K1, K2, K2; \
	VPERMI2B Z11, Z10, Z1; \
	KORQ K3, K2, K2; \
	KMOVQ K2, AX; \
	VPTESTNMB Z1, Z1, K2, K4; \
	VMOVDQU8 Z1, K2, Z0; \
	KORTESTQ K4, K4; \
	JNE stop; \
	MOVL AX, BX; \
	SHRQ $32, AX; \
	VMOVDQA64 Z6, Z2; \
	VMOVDQA64 Z6, Z3; \
	VEXTRACTI64X4 $1, Z0, Y4; \
	POPCNTL BX, CX; \
	PDEPQ R11, BX, BX; \
	PDEPQ R11, AX, DX; \
	LEAQ (R12)(BX*1), R10; \
	LEAQ (R12)(DX*1), R13; \
	PEXTQ R10, BX, BX; \
	PEXTQ R13, DX, DX; \
	NOTQ BX; \
	NOTQ DX; \
	KMOVQ BX, K5; \
	KMOVQ DX, K6; \
	POPCNTL AX, AX; \
	VPEXPANDB Z0, K5, Z2; \
	VPEXPANDB Z4, K6, Z3; \
	VMOVDQU64 Z2, (DI); \
	VMOVDQU64 Z3, 32(DI)(CX*1); \
	ADDQ CX, AX

// func escapeVBMI2(to, from []byte) (wrote, read int)
TEXT ·escapeVBMI2(SB), NOSPLIT, $0-64
	MOVQ to_base+0(FP), DI
	MOVQ to_len+8(FP), R8
	MOVQ from_base+24(FP), SI
	MOVQ from_len+32(FP), R9
	SUBQ $128, R8
	JLT done
	ADDQ DI, R8 // the last place for a block
	BYTES(letters<>)
	LEAQ (R11)(R11*1), R12 // the bytes of pairs
	KXNORQ K7, K7, K7
	SUBQ $64, R9
	JLT tail
	ADDQ SI, R9 // the last whole block
	PCALIGN $32
next:
	CMPQ DI, R8
	JHI done
	VMOVDQU64 (SI), Z0
	PREFETCHT0 AHEAD(SI)
	ESCAPEBLOCK(stop)
	ADDQ $64, SI
	LEAQ 64(DI)(AX*1), DI
	CMPQ SI, R9
	JLS next
	SUBQ SI, R9
tail:
	ADDQ $64, R9
part: // of a block, so many bytes
	TESTQ R9, R9
	JEQ done
	CMPQ DI, R8
	JHI done
	MOVQ $-1, AX
	BZHIQ R9, AX, AX
	KMOVQ AX, K7
	VMOVDQU8.Z (SI), K7, Z0
	ESCAPEBLOCK(stop)
	ADDQ R9, SI
	ADDQ R9, DI
	ADDQ AX, DI
	JMP done
stop:
	KMOVQ K4, R9
	TZCNTQ R9, R9
	JMP part
done:
	VZEROUPPER
	SUBQ to_base+0(FP), DI
	MOVQ DI, wrote+48(FP)
	SUBQ from_base+24(FP), SI
	MOVQ SI, read+56(FP)
	RET

// func unescapeVBMI2(to, from []byte) (wrote, read int)
//
// Of backslashes in a row, every other one begins an escape, and the one after
// it is escaped. A carry through a sum finds which: it runs along the row, and
// leaves it at a place that tells whether its length is even. R12 is 1 where the
// first byte of a block is escaped by the last of the one before.
TEXT ·unescapeVBMI2(SB), NOSPLIT, $0-64
	MOVQ to_base+0(FP), DI
	MOVQ to_len+8(FP), R8
	MOVQ from_base+24(FP), SI
	MOVQ from_len+32(FP), R9
	SUBQ $64, R8
	JLT done
	ADDQ DI, R8 // the last place for a block
	ADDQ SI, R9 // the end
	BYTES(values<>)
	XORL R12, R12
	PCALIGN $32
next:
	CMPQ DI, R8
	JHI full
	MOVQ R9, R10
	SUBQ SI, R10
	CMPQ R10, $64
	JLT tail
	VMOVDQU64 (SI), Z0
block:
	VPCMPEQB Z6, Z0, K1
	VPCMPEQB Z5, Z0, K2
	VPCMPUB $1, Z7, Z0, K3
	VMOVDQA64 Z0, Z1
	VPERMI2B Z11, Z10, Z1
	KMOVQ K1, AX
	ANDNQ AX, R12, AX    // backslashes, but for one that is escaped from before
	LEAQ (R12)(AX*2), BX // what stands behind one
	MOVQ BX, DX
	ORQ R11, DX
	ANDNQ AX, DX, DX // the first of a row, at an odd place
	ADDQ AX, DX
	ADDQ DX, DX
	XORQ R11, DX
	ANDQ BX, DX     // what is escaped
	ANDNQ AX, DX, CX // what begins an escape
	KMOVQ DX, K4
	MOVQ CX, R12
	SHRQ $63, R12
	KMOVQ CX, K1
	VPTESTNMB Z1, Z1, K4, K5
	VPMOVB2M Z0, K7 // of these the table has nothing, but the lookup finds something
	KANDQ K4, K7, K7
	KORQ K5, K7, K5    // what is escaped, but stands for nothing here
	KANDNQ K2, K4, K2  // the quote at the end
	KORQ K3, K2, K2    // or a control character
	KORQ K5, K2, K3
	VMOVDQU8 Z1, K4, Z0
	KNOTQ K1, K1
	VPCOMPRESSB Z0, K1, Z0
	VMOVDQU64 Z0, (DI)
	KORTESTQ K3, K3
	JNE stop
	POPCNTQ CX, AX
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ AX, DI
	JMP next
tail: // zeros behind the end make it stop there
	MOVQ $-1, AX
	BZHIQ R10, AX, AX
	KMOVQ AX, K1
	VMOVDQU8.Z (SI), K1, Z0
	JMP block
stop:
	KMOVQ K5, DX
	BTQ $0, DX
	JCS before
	SHRQ $1, DX // stop at its backslash
	KMOVQ K2, AX
	ORQ DX, AX
	TZCNTQ AX, AX
	ADDQ AX, SI
	NOTQ CX
	BZHIQ AX, CX, CX
	POPCNTQ CX, CX
	ADDQ CX, DI
	JMP done
full:
	SUBQ R12, SI // what is escaped is not written
	JMP done
before:
	DECQ SI // the backslash is in the block before
done:
	VZEROUPPER
	SUBQ to_base+0(FP), DI
	MOVQ DI, wrote+48(FP)
	SUBQ from_base+24(FP), SI
	MOVQ SI, read+56(FP)
	RET

// func detectVBMI2() bool
TEXT ·detectVBMI2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT no
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $(1<<27 | 1<<23), CX // OSXSAVE, POPCNT
	CMPL CX, $(1<<27 | 1<<23)
	JNE no
	XORL CX, CX
	XGETBV
	ANDL $0xe6, AX // the system saves all of these registers
	CMPL AX, $0xe6
	JNE no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	ANDL $(1<<31 | 1<<30 | 1<<16 | 1<<8 | 1<<3), BX // AVX512 VL, BW and F, BMI2, BMI1
	CMPL BX, $(1<<31 | 1<<30 | 1<<16 | 1<<8 | 1<<3)
	JNE no
	ANDL $(1<<6 | 1<<1), CX // AVX512 VBMI2 and VBMI
	CMPL CX, $(1<<6 | 1<<1)
	JNE no
	MOVB $1, ret+0(FP)
no:
	RET
