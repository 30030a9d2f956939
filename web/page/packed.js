// Bytes to text: deflate, then base64.

async function pipe(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function fromBase64(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

const CHUNK = 0x7ffe; // a multiple of 3 bytes

export function toBase64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += CHUNK) text += btoa(String.fromCharCode(...bytes.subarray(i, i + CHUNK)));
  return text;
}

export const unpack = (text) => pipe(fromBase64(text), new DecompressionStream("deflate"));
export const deflate = (bytes) => pipe(bytes, new CompressionStream("deflate"));
export const unpackText = async (text) => new TextDecoder().decode(await unpack(text));
