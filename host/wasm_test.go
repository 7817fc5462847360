package host

import (
	"encoding/binary"
	"slices"

	"github.com/tetratelabs/wazero/api"
)

// This file writes small modules in WebAssembly's binary format (core
// specification, section 5): what the tests need of it.

const (
	i32 = api.ValueTypeI32
	i64 = api.ValueTypeI64
)

// wasmImport is an imported function.
type wasmImport struct {
	module, name string
	signature    signature
}

// wasmFunction is an exported function. Its code has no end; beside its
// parameters it has one local of type i32.
type wasmFunction struct {
	name      string
	signature signature
	code      []byte
}

// wasmData is what stands at an address of the memory from the beginning.
type wasmData struct {
	address uint32
	content []byte
}

// wasmFile is a module. Its functions are numbered imports first.
type wasmFile struct {
	imports      []wasmImport
	importMemory bool // of a module "foreign", instead of an own one
	functions    []wasmFunction
	pages        uint32
	data         []wasmData
}

// index returns the number of an exported function.
func (f *wasmFile) index(name string) uint32 {
	i := slices.IndexFunc(f.functions, func(function wasmFunction) bool { return function.name == name })
	return uint32(len(f.imports) + i)
}

// function returns an exported function to be changed.
func (f *wasmFile) function(name string) *wasmFunction {
	return &f.functions[int(f.index(name))-len(f.imports)]
}

// encode returns the module's bytes.
func (f *wasmFile) encode() []byte {
	var types, imports, functions, memories, exports, codes, data [][]byte
	typeIndex := func(s signature) []byte {
		types = append(types, join([]byte{0x60}, vector(s.params), vector(s.results)))
		return unsigned(uint32(len(types) - 1))
	}
	for _, imported := range f.imports {
		imports = append(imports, join(name(imported.module), name(imported.name), []byte{0x00}, typeIndex(imported.signature)))
	}
	limits := join([]byte{0x00}, unsigned(f.pages))
	if f.importMemory {
		imports = append(imports, join(name("foreign"), name("memory"), []byte{0x02}, limits))
	} else if f.pages > 0 {
		memories = append(memories, limits)
	}
	if f.pages > 0 {
		exports = append(exports, join(name(exportMemory), []byte{0x02, 0x00}))
	}
	for i, function := range f.functions {
		functions = append(functions, typeIndex(function.signature))
		exports = append(exports, join(name(function.name), []byte{0x00}, unsigned(uint32(len(f.imports)+i))))
		body := join([]byte{0x01, 0x01, i32}, function.code, []byte{0x0b})
		codes = append(codes, vector(body))
	}
	for _, segment := range f.data {
		data = append(data, join([]byte{0x00}, constant32(segment.address), []byte{0x0b}, vector(segment.content)))
	}
	return join([]byte("\x00asm\x01\x00\x00\x00"),
		section(1, types), section(2, imports), section(3, functions), section(5, memories),
		section(7, exports), section(10, codes), section(11, data))
}

// section writes a section that is a vector of items, nothing without items.
func section(id byte, items [][]byte) []byte {
	if len(items) == 0 {
		return nil
	}
	content := join(unsigned(uint32(len(items))), join(items...))
	return join([]byte{id}, vector(content))
}

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

func vector(content []byte) []byte { return join(unsigned(uint32(len(content))), content) }

func name(s string) []byte { return vector([]byte(s)) }

// unsigned is LEB128.
func unsigned(v uint32) []byte { return binary.AppendUvarint(nil, uint64(v)) }

// signed is LEB128 with a sign.
func signed(v int64) []byte {
	var out []byte
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if (v == 0 && low&0x40 == 0) || (v == -1 && low&0x40 != 0) {
			return append(out, low)
		}
		out = append(out, low|0x80)
	}
}

// Instructions.
var (
	unreachable = []byte{0x00}
	loopForever = []byte{0x03, 0x40, 0x0c, 0x00, 0x0b}
	leave       = []byte{0x0f}
	drop        = []byte{0x1a}
	load8       = []byte{0x2d, 0x00, 0x00}
	growMemory  = []byte{0x40, 0x00}
	equal       = []byte{0x46}
	greater     = []byte{0x4b} // unsigned
	extend      = []byte{0xad} // unsigned
	or64        = []byte{0x84}
)

func constant32(v uint32) []byte { return join([]byte{0x41}, signed(int64(int32(v)))) }
func constant64(v uint64) []byte { return join([]byte{0x42}, signed(int64(v))) }
func call(index uint32) []byte   { return join([]byte{0x10}, unsigned(index)) }
func get(local uint32) []byte    { return join([]byte{0x20}, unsigned(local)) }
func set(local uint32) []byte    { return join([]byte{0x21}, unsigned(local)) }

// when runs the code if the condition on the stack is not 0.
func when(code ...[]byte) []byte { return join([]byte{0x04, 0x40}, join(code...), []byte{0x0b}) }

// countdown takes a while: it counts local 1 down from n.
func countdown(n uint32) []byte {
	const loop, void, subtract, tee, branchIf, end = 0x03, 0x40, 0x6b, 0x22, 0x0d, 0x0b
	return join(constant32(n), set(1), []byte{loop, void}, get(1), constant32(1), []byte{subtract, tee, 1, branchIf, 0, end})
}

// packed is the result of a direct function.
func packed(address, size uint32) uint64 { return uint64(address)<<32 | uint64(size) }
