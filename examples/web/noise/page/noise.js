// Calls the noise, which is compiled from Rust, and moves text and numbers in and out of its memory. The other side is
// ../src/exports.rs.

export class Noise {
  #wasm;
  #compiled = null;
  /** The reply to the last compile. */
  about = null;

  static async load(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url.pathname} is missing: README.md says how to build it`);
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer());
    const noise = new Noise();
    noise.#wasm = instance.exports;
    return noise;
  }

  /** Returns all parameters and presets. */
  describe() {
    this.#wasm.describe();
    return this.#reply();
  }

  /** Compiles the noise of `settings`, lines of `name=value`. */
  compile(settings) {
    if (settings === this.#compiled) return;
    const bytes = new TextEncoder().encode(settings);
    // Memory may grow, which moves it: a view of it is made after the call that gives the address.
    const address = this.#wasm.request(bytes.length);
    new Uint8Array(this.#wasm.memory.buffer, address, bytes.length).set(bytes);
    this.#wasm.compile();
    this.about = this.#reply();
    for (const problem of this.about.problems) console.error(problem);
    this.#compiled = settings;
  }

  /** Computes a grid of values row by row. Its first sample is at `x`, `y`: in the plane, or in the slice at height `z`. */
  fill({ x, y, z, stepTicks, columns, rows }) {
    if (z === null) {
      this.#wasm.fill(x, y, stepTicks, columns, rows);
    } else {
      this.#wasm.fill_slice(x, y, z, stepTicks, columns, rows);
    }
    return this.#values();
  }

  /** Returns the values of the darkest and the lightest shade. */
  levels(z) {
    if (z === null) return this.about.levels;
    this.#wasm.find_slice_levels();
    return Array.from(this.#values());
  }

  /** Returns four numbers for each lattice node in a rectangle: its position in the rectangle and its gradient. */
  nodes(x, y, width, height) {
    this.#wasm.list_nodes(x, y, x + width, y + height);
    return this.#values();
  }

  #reply() {
    const bytes = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.reply(), this.#wasm.reply_bytes());
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  #values() {
    return new Float32Array(this.#wasm.memory.buffer, this.#wasm.values(), this.#wasm.values_length()).slice();
  }
}
