// The module that has the cores, and requests to it: playground/src/lib.rs says how they are written.

const compiled = WebAssembly.compileStreaming(fetch(new URL("utfhdl.wasm", import.meta.url)));
let instance = null;

/** Bytes of the module's memory. */
const memory = (start, length) => new Uint8Array(instance.exports.memory.buffer, start, length);

function answer(request, input) {
  const { request_room, answer_request, answer_length } = instance.exports;
  const text = new TextEncoder().encode(JSON.stringify(request));
  const room = request_room(4 + text.length + input.length);
  new DataView(instance.exports.memory.buffer).setUint32(room, text.length, true);
  memory(room + 4, text.length).set(text);
  memory(room + 4 + text.length, input.length).set(input);
  const start = answer_request() >>> 0, bytes = memory(start, answer_length() >>> 0);
  const length = new DataView(bytes.buffer, start).getUint32(0, true);
  return [JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))), bytes.slice(4 + length).buffer];
}

onmessage = async ({ data: { id, request, input } }) => {
  try {
    instance ??= await WebAssembly.instantiate(await compiled);
    const [text, bytes] = answer(request, input);
    postMessage({ id, text, bytes }, [bytes]);
  } catch (error) {
    let failed = String(error);
    if (error instanceof WebAssembly.RuntimeError && instance) {
      const start = instance.exports.panic_message() >>> 0;
      failed = new TextDecoder().decode(memory(start, instance.exports.answer_length() >>> 0)) || failed;
    }
    // What a panic leaves in memory is not used again.
    instance = null;
    postMessage({ id, failed });
  }
};
