// The whole state of the page as the part of its address after `#`.

const MOST_BYTES = 4 << 20;

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream));
const digits = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join("")).replace(/[+/=]/g, digit => ({ "+": "-", "/": "_", "=": "" })[digit]);
const bytesOf = text => Uint8Array.from(atob(text.replace(/[-_]/g, digit => ({ "-": "+", _: "/" })[digit])), digit => digit.charCodeAt(0));

/** Writes a state, and the bytes of its input. */
export async function write(state, input) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  const bytes = new Uint8Array(4 + text.length + input.length);
  new DataView(bytes.buffer).setUint32(0, text.length);
  bytes.set(text, 4);
  bytes.set(input, 4 + text.length);
  return digits(new Uint8Array(await through(bytes, new CompressionStream("deflate-raw")).arrayBuffer()));
}

/** Reads what `write` wrote; null if it is something else, or would unpack to very much. */
export async function read(hash) {
  try {
    const reader = through(bytesOf(hash), new DecompressionStream("deflate-raw")).body.getReader(), parts = [];
    let count = 0;
    for (let part; !(part = await reader.read()).done;) {
      parts.push(part.value);
      if ((count += part.value.length) > MOST_BYTES) return null;
    }
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0);
    return { state: JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))), input: bytes.slice(4 + length) };
  } catch {
    return null;
  }
}
