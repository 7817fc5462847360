#include "funcdata.h"
#include "go_asm.h"
#include "shared_wasm.h"
#include "textflag.h"

// What Go code does between the kernels costs as much as they do where a request is
// small. So what comes after what in a usual one is said here once more: usual.go and
// merge.go have it, and go on where one of these stops.

// What stands around the maps in a request, and the store in an answer.
#define STORE_8 $0x2265726f7473227b
#define STORE_10 $0x7b3a
#define CONTEXT_8 $0x697469646461222c
#define CONTEXT_16 $0x746e6f436c616e6f
#define CONTEXT_22 $0x7b3a22747865
#define INPUTS_8 $0x737475706e69222c
#define INPUTS_11 $0x5b3a22

// ARG begins to set an argument, and TO and TO8 end it: what stands between leaves
// the value.
#define ARG Get SP
#define TO(offset) I64Store $(offset)
#define TO8(offset) I64Store8 $(offset)

// FIELD leaves a field of the merge in R0, of 64 bits, FIELD8 one of 8.
#define FIELD(field) \
	Get R0; \
	I32WrapI64; \
	I64Load $(field)
#define FIELD8(field) \
	Get R0; \
	I32WrapI64; \
	I64Load8U $(field)

// DIFFERS leaves whether the bytes at that offset from R1 are not want, under mask.
#define DIFFERS(offset, mask, want) \
	Get R1; \
	I32WrapI64; \
	I64Load offset; \
	I64Const mask; \
	I64And; \
	I64Const want; \
	I64Ne

// The frame has the arguments and results of readRun, then a cursor.
#define CURSOR 72

// READ reads a map up to its end, from the offset in R2 on, and sets R2 to where it
// ends and R1 to the address of that. Anything unusual goes to other.
#define READ(map, like, watched) \
	ARG; \
	I64Load text_base+8(FP); \
	TO(0); \
	ARG; \
	I64Load text_len+16(FP); \
	TO(8); \
	ARG; \
	Get R2; \
	TO(24); \
	ARG; \
	Get R0; \
	I64Const $(map); \
	I64Add; \
	TO(32); \
	ARG; \
	Get R0; \
	I64Const $(like); \
	I64Add; \
	TO(40); \
	ARG; \
	Get SP; \
	I64ExtendI32U; \
	I64Const $CURSOR; \
	I64Add; \
	TO(48); \
	ARG; \
	I64Const $0; \
	TO(CURSOR+cursor_hint); \
	ARG; \
	I64Const $const_inOrder; \
	TO8(CURSOR+cursor_as); \
	ARG; \
	I64Const $watched; \
	TO8(CURSOR+cursor_watched); \
	ARG; \
	I64Const $0; \
	TO8(CURSOR+cursor_nulls); \
	CALLNORESUME ·readRun(SB); \
	RESULT8(64); \
	I64Const $const_runClosed; \
	I64Ne; \
	RESULT8(CURSOR+cursor_as); \
	I64Const $const_asRead; \
	I64Eq; \
	I32Or; \
	BrIf other; \
	RESULT(56); \
	Tee R2; \
	I64Load text_base+8(FP); \
	I64Add; \
	Set R1

// func readMaps(m *Merge, text []byte) (end int)
//
// R0 is the merge, R1 the address at hand, R2 its offset in the text.
TEXT ·readMaps(SB), 0, $104-40
	NO_LOCAL_POINTERS
	I64Load m+0(FP)
	Set R0
	I64Load text_base+8(FP)
	Set R1
other:
	Block
		DIFFERS($0, $-1, STORE_8)
		DIFFERS($8, $0xFFFF, STORE_10)
		I32Or
		BrIf other
		I64Const $10
		Set R2
		READ(Merge_Old, Merge_New, 0)
		DIFFERS($0, $-1, CONTEXT_8)
		DIFFERS($8, $-1, CONTEXT_16)
		I32Or
		DIFFERS($16, $0xFFFFFFFFFFFF, CONTEXT_22)
		I32Or
		BrIf other
		Get R2
		I64Const $22
		I64Add
		Set R2
		READ(Merge_New, Merge_Old, 1)
		ARG
		Get R2
		I64Store end+32(FP)
		RET
	End
	ARG
	I64Const $-1
	I64Store end+32(FP)
	RET

// A call for which the writer has room for so many bytes goes on; else to other.
#define ROOM(bytes) \
	Get R4; \
	I32WrapI64; \
	I64Load $SLICELEN; \
	I64Const bytes; \
	I64Add; \
	Get R4; \
	I32WrapI64; \
	I64Load $SLICECAP; \
	I64GtU; \
	BrIf other

// EXTEND makes the output longer by so many bytes, and leaves where they stand.
#define EXTEND(bytes) \
	Get R4; \
	I32WrapI64; \
	I64Load $0; \
	Get R4; \
	I32WrapI64; \
	I64Load $SLICELEN; \
	I64Add; \
	Get R4; \
	I32WrapI64; \
	Get R4; \
	I32WrapI64; \
	I64Load $SLICELEN; \
	I64Const bytes; \
	I64Add; \
	I64Store $SLICELEN

// PASS passes on an argument, or a field of the merge.
#define PASS(from, offset) \
	ARG; \
	I64Load from; \
	TO(offset)
#define PASSFIELD(field, offset) \
	ARG; \
	FIELD(field); \
	TO(offset)

// func writeAnswer(m *Merge, w *json.Writer, middle, quiet *[fragment.Kinds][changes]string, pieces *[fragment.Kinds]fragment.Pieces, limit int) (stage answerStage, at int)
//
// R0 is the merge, R1 an address, R4 the writer.
TEXT ·writeAnswer(SB), 0, $64-64
	NO_LOCAL_POINTERS
	I64Load m+0(FP)
	Set R0
	I64Load w+8(FP)
	Set R4
other:
	Block
		// Keys are to be as the kernels know them, and there is to be a store.
		FIELD8(Merge_New+Map_keyForm)
		FIELD8(Merge_Old+Map_keyForm)
		I64Or
		I64Eqz
		I32Eqz
		FIELD(Merge_New+Map_entries+SLICELEN)
		I64Eqz
		I32Or
		BrIf other

		ARG
		Get R0
		TO(0)
		ARG
		I64Const $0
		TO(8)
		ARG
		I64Const $0
		TO(16)
		CALLNORESUME ·compareEntries(SB)
		RESULT(24)
		FIELD(Merge_Old+Map_entries+SLICELEN)
		I64Ne
		RESULT(32)
		FIELD(Merge_New+Map_entries+SLICELEN)
		I64Ne
		I32Or
		BrIf other

		ROOM($16)
		EXTEND($9)
		Tee R1
		I32WrapI64
		I64Const STORE_8
		I64Store $0
		Get R1
		I32WrapI64
		I64Const $0x3A
		I64Store8 $8
		PASS(w+8(FP), 0)
		PASSFIELD(Merge_text, 8)
		PASSFIELD(Merge_text+SLICELEN, 16)
		PASSFIELD(Merge_text+SLICECAP, 24)
		PASSFIELD(Merge_New+Map_entries, 32)
		PASSFIELD(Merge_New+Map_entries+SLICELEN, 40)
		PASSFIELD(Merge_New+Map_entries+SLICECAP, 48)
		CALLNORESUME ·writeWhole(SB)
		RESULT8(56)
		I64Eqz
		If
			ARG
			I64Const $const_toStore
			I64Store8 stage+48(FP)
			RET
		End

		ROOM($16)
		EXTEND($11)
		Tee R1
		I32WrapI64
		I64Const INPUTS_8
		I64Store $0
		Get R1
		I32WrapI64
		I64Const INPUTS_11
		I64Store32 $8
		ARG
		Get R0
		TO(0)
		PASS(w+8(FP), 8)
		PASS(pieces+32(FP), 16)
		PASS(limit+40(FP), 24)
		ARG
		I64Const $0
		TO(32)
		CALLNORESUME ·writeInputRun(SB)
		RESULT(40)
		Tee R1
		FIELD(Merge_outcomes+SLICELEN)
		I64Ne
		If
			ARG
			I64Const $const_toInputs
			I64Store8 stage+48(FP)
			ARG
			Get R1
			I64Store at+56(FP)
			RET
		End

		ARG
		Get R0
		TO(0)
		PASS(w+8(FP), 8)
		PASS(middle+16(FP), 16)
		PASS(quiet+24(FP), 24)
		ARG
		I64Const $0
		TO(32)
		CALLNORESUME ·writeReceiptRun(SB)
		ARG
		RESULT(40)
		I64Store at+56(FP)
		ARG
		I64Const $const_toReceipts
		I64Const $const_answered
		RESULT8(48)
		I64Eqz
		Select
		I64Store8 stage+48(FP)
		RET
	End
	ARG
	I64Const $const_toCompare
	I64Store8 stage+48(FP)
	RET
