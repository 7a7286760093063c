// Questions to the module that has the cores, which answers in a worker.

/** The module in a worker. A question that takes too long is ended with `restart`. */
export class Engine {
  #worker = null;
  #waiting = new Map();
  #next = 0;

  constructor() {
    this.restart();
  }

  /** Ends what is running, and starts anew. */
  restart() {
    if (this.#worker) this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Error("stopped"));
    this.#waiting.clear();
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data: { id, text, bytes, failed } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failed) reject(new Error(failed)); else resolve({ ...text, bytes });
    };
    this.#worker.onerror = event => {
      for (const { reject } of this.#waiting.values()) reject(new Error(event.message || "worker.js can't be loaded"));
      this.#waiting.clear();
    };
  }

  /** Whether an answer is awaited. */
  get isBusy() {
    return this.#waiting.size > 0;
  }

  /** Asks for something of a state, such as the first `cycles` cycles of a run: the answer's text, with its bytes. */
  ask(ask, state, input, cycles) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request: { ask, state, cycles }, input });
    });
  }
}
