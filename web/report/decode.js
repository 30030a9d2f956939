// Decodes the data of a page: base64, deflate; then the length of the JSON, the JSON, and the series, all low bytes
// before all high bytes. formats/report/series.h defines the codes.

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new DecompressionStream("deflate"), into = stream.writable.getWriter();
  const whole = new Response(stream.readable).arrayBuffer();
  const [buffer] = await Promise.all([whole, into.write(bytes), into.close()]);
  return new Uint8Array(buffer);
}

// Reads series from the bytes after the JSON, in order or from an offset.
class SeriesReader {
  constructor(bytes) {
    this.low = bytes.subarray(0, bytes.length / 2);
    this.high = bytes.subarray(bytes.length / 2);
    this.place = 0;
  }

  // Code 0 is NaN: unknown.
  read(place, count, min, step) {
    const out = new Float32Array(count);
    for (let i = 0, code = 0; i < count; i++) {
      const folded = this.low[place + i] | (this.high[place + i] << 8);
      code = (code + ((folded >>> 1) ^ -(folded & 1))) & 0xffff;
      out[i] = code === 0 ? NaN : min + (code - 1) * step;
    }
    return out;
  }

  // Returns a function that reads the next series when called.
  later(count, min, step) {
    const place = this.place;
    this.place += count;
    return () => this.read(place, count, min, step);
  }

  next(count, min, step) {
    return this.later(count, min, step)();
  }
}

export const readData = (text) => readPacked(fromBase64(text));

// The same from the bytes of the base64.
export async function readPacked(packed) {
  const bytes = await inflate(packed);
  const size = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  return { head, series: new SeriesReader(bytes.subarray(4 + size)) };
}
