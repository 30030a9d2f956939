// Reads npz archives of numpy as written by kane export: a zip of stored .npy entries.
const AT_SIZE = 18, AT_NAME_LENGTH = 26, HEADER = 30;

function readArray(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset), length = view.getUint16(8, true);
  const header = bytes.subarray(10, 10 + length).toString("latin1"), data = bytes.subarray(10 + length);
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(",").filter((part) => part.trim()).map(Number);
  if (!header.includes("'<f8'")) return null;
  return { shape, values: new Float64Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length)) };
}

// {name: {shape, values}} of the float64 arrays.
export function readNpz(bytes) {
  const arrays = {};
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const size = bytes.readUInt32LE(at + AT_SIZE), nameLength = bytes.readUInt16LE(at + AT_NAME_LENGTH);
    const extra = bytes.readUInt16LE(at + AT_NAME_LENGTH + 2), begin = at + HEADER + nameLength + extra;
    const name = bytes.subarray(at + HEADER, at + HEADER + nameLength).toString().replace(/\.npy$/, "");
    const array = readArray(bytes.subarray(begin, begin + size));
    if (array) arrays[name] = array;
    at = begin + size;
  }
  return arrays;
}
