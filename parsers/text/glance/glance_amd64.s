//go:build !purego

#include "textflag.h"

// 32 bytes of each constant.
DATA halves<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA halves<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA halves<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA halves<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL halves<>(SB), RODATA|NOPTR, $32

DATA newline<>+0(SB)/8, $0x0a0a0a0a0a0a0a0a
DATA newline<>+8(SB)/8, $0x0a0a0a0a0a0a0a0a
DATA newline<>+16(SB)/8, $0x0a0a0a0a0a0a0a0a
DATA newline<>+24(SB)/8, $0x0a0a0a0a0a0a0a0a
GLOBL newline<>(SB), RODATA|NOPTR, $32

DATA tab<>+0(SB)/8, $0x0909090909090909
DATA tab<>+8(SB)/8, $0x0909090909090909
DATA tab<>+16(SB)/8, $0x0909090909090909
DATA tab<>+24(SB)/8, $0x0909090909090909
GLOBL tab<>(SB), RODATA|NOPTR, $32

DATA blank<>+0(SB)/8, $0x2020202020202020
DATA blank<>+8(SB)/8, $0x2020202020202020
DATA blank<>+16(SB)/8, $0x2020202020202020
DATA blank<>+24(SB)/8, $0x2020202020202020
GLOBL blank<>(SB), RODATA|NOPTR, $32

DATA delete<>+0(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA delete<>+8(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA delete<>+16(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA delete<>+24(SB)/8, $0x7f7f7f7f7f7f7f7f
GLOBL delete<>(SB), RODATA|NOPTR, $32

// HALVES takes the bytes at off apart, into their low halves and their high ones.
#define HALVES(off) \
	VMOVDQU off(SI), Y10;  \
	VPAND   Y15, Y10, Y9;  \
	VPSRLW  $4, Y10, Y10;  \
	VPAND   Y15, Y10, Y10

// AGREE takes from Y11 the groups of the first set that the bytes do not belong to,
// by the tables of their place.
#define AGREE(low, high) \
	VPSHUFB Y9, low, Y13;   \
	VPAND   Y13, Y11, Y11;  \
	VPSHUFB Y10, high, Y13; \
	VPAND   Y13, Y11, Y11

// AGREE2 takes from Y12 the groups of the second set, whose tables have no
// registers of their own.
#define AGREE2(low, high) \
	VBROADCASTI128 low(R8), Y13;  \
	VPSHUFB        Y9, Y13, Y13;  \
	VPAND          Y13, Y12, Y12; \
	VBROADCASTI128 high(R8), Y13; \
	VPSHUFB        Y10, Y13, Y13; \
	VPAND          Y13, Y12, Y12

// HALF glances at the 32 bytes at off and stores its halves of a sight. Bytes
// below a blank are odd, as signed numbers, so that those above ASCII are too.
#define HALF(off, half) \
	VPCMPEQB  Y11, Y11, Y11;          \
	VMOVDQA   Y11, Y12;               \
	HALVES(off);                      \
	AGREE(Y0, Y1);                    \
	AGREE2(128, 192);                 \
	HALVES(off+1);                    \
	AGREE(Y2, Y3);                    \
	AGREE2(144, 208);                 \
	HALVES(off+2);                    \
	AGREE(Y4, Y5);                    \
	AGREE2(160, 224);                 \
	HALVES(off+3);                    \
	AGREE(Y6, Y7);                    \
	AGREE2(176, 240);                 \
	VPOR      Y12, Y11, Y11;          \
	VPXOR     Y13, Y13, Y13;          \
	VPCMPEQB  Y13, Y11, Y11;          \
	VPMOVMSKB Y11, AX;                \
	NOTL      AX;                     \
	VMOVDQU   off(SI), Y8;            \
	VPCMPEQB  newline<>(SB), Y8, Y9;  \
	VPMOVMSKB Y9, BX;                 \
	VPCMPEQB  tab<>(SB), Y8, Y10;     \
	VPOR      Y9, Y10, Y10;           \
	VPCMPGTB  Y8, Y14, Y12;           \
	VPCMPEQB  delete<>(SB), Y8, Y13;  \
	VPOR      Y13, Y12, Y12;          \
	VPANDN    Y12, Y10, Y12;          \
	VPMOVMSKB Y12, DX;                \
	MOVL      BX, 0+half(DI);         \
	MOVL      DX, 8+half(DI);         \
	MOVL      AX, 16+half(DI)

// func glanceAVX2(t *[Sets]tables, text *byte, blocks int, seen *Sight)
TEXT ·glanceAVX2(SB), NOSPLIT, $0-32
	MOVQ t+0(FP), R8
	MOVQ text+8(FP), SI
	MOVQ blocks+16(FP), CX
	MOVQ seen+24(FP), DI
	VBROADCASTI128 0(R8), Y0
	VBROADCASTI128 64(R8), Y1
	VBROADCASTI128 16(R8), Y2
	VBROADCASTI128 80(R8), Y3
	VBROADCASTI128 32(R8), Y4
	VBROADCASTI128 96(R8), Y5
	VBROADCASTI128 48(R8), Y6
	VBROADCASTI128 112(R8), Y7
	VMOVDQU halves<>(SB), Y15
	VMOVDQU blank<>(SB), Y14

block:
	HALF(0, 0)
	HALF(32, 4)
	ADDQ $64, SI
	ADDQ $24, DI
	DECQ CX
	JNZ  block
	VZEROUPPER
	RET
