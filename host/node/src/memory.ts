// Extism's SDK for JavaScript bounds no memory, but the engine keeps to the maximum that a module declares. So it is
// written into the module before it is compiled (WebAssembly core specification, 5.5.8 and 5.3.8).

/** The unit in bytes in which a memory grows. */
export const pageBytes = 65536;

const preambleBytes = 8;
const memorySection = 5;

/**
 * Returns the module with its memory bounded to so many pages; as it is, where it has no memory of its own; undefined,
 * where it has several, or one that is shared or of 64 bits. Of what is malformed the engine says what is wrong.
 */
export function boundMemory(module: Uint8Array, maxPages: number): Uint8Array | undefined {
  for (let at = preambleBytes; at < module.length; ) {
    const start = at;
    const size = readNumber(module, start + 1);
    const end = size.end + size.value;
    if (end > module.length) return module;
    if (module[start] === memorySection) {
      const section = boundSection(module.subarray(size.end, end), maxPages);
      return section && Buffer.concat([module.subarray(0, start), section, module.subarray(end)]);
    }
    at = end;
  }
  return module;
}

/** Returns the section with its only memory bounded. */
function boundSection(content: Uint8Array, maxPages: number): Uint8Array | undefined {
  const [count, flags] = content;
  if (count !== 1 || flags === undefined || flags > 1) return undefined;
  const min = readNumber(content, 2);
  const declared = flags === 1 ? readNumber(content, min.end).value : maxPages;
  const limits = [1, 1, ...writeNumber(min.value), ...writeNumber(Math.min(declared, maxPages))];
  return Uint8Array.from([memorySection, ...writeNumber(limits.length), ...limits]);
}

/** Reads an unsigned LEB128 of at most 32 bits; beyond the end there are zeros. */
function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = bytes[start + i] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: start + i + 1 };
  }
  return { value, end: start + 5 };
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...writeNumber(Math.floor(value / 0x80))];
}
