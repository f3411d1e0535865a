// The C library in WebAssembly, called through the table of whatwg_encoding.h. The standard's API is in index.js.
//
// The module's memory holds the state of one stream, 64 bytes, which callers save, and scratch for one call.

// Flags of a stream, and results of a call.
export const FATAL = 1;
export const BOM_SNIFF = 2;
export const BOM_REMOVE = 4;
export const INPUT_EMPTY = 0;
export const MALFORMED = 2;
export const UNMAPPABLE = 3;
export const STATE_SIZE = 64;

const utf8 = new globalThis.TextDecoder("utf-8", { ignoreBOM: true });
const toUTF8 = new globalThis.TextEncoder();

const GUESS = 16, OPTIONS = 32; // the sizes of whatwg_guess and of whatwg_detect_options
const MOST = 40; // guesses

export class Binding {
  /** @param {WebAssembly.Exports} exports @param {string[]} members the functions of the table, in their order */
  constructor(exports, members) {
    this.exports = exports;
    this.memory = exports.memory;
    const words = new Uint32Array(this.memory.buffer, exports.whatwg_encoding_get());
    const functions = exports.__indirect_function_table;
    this.api = Object.fromEntries(members.map((name, at) => [name, functions.get(words[2 + at])]));
    this.state = (exports.__heap_base.value + 63) & ~63;
    this.lengths = this.state + STATE_SIZE; // two lengths, for the source and for the target
    this.scratch = this.lengths + 64;
    this.read = this.written = 0;
    this.look();
    /** The names of the encodings by their addresses, in the standard's order. */
    this.names = new Map();
    for (let at = 0, encoding; (encoding = this.api.by_index(at)) !== 0; at++)
      this.names.set(encoding, this.string(this.api.name(encoding)));
  }

  /** Renew the views of the memory, which has grown. */
  look() {
    this.bytes = new Uint8Array(this.memory.buffer);
    this.view = new DataView(this.memory.buffer);
    this.lengthPair = new Uint32Array(this.memory.buffer, this.lengths, 2);
  }

  /** Make room for so many bytes of scratch memory. */
  reserve(size) {
    const missing = this.scratch + size - this.bytes.length;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
    if (this.bytes.length === 0 || missing > 0) this.look();
  }

  /** Return the text at an address that ends with a null byte. */
  string(pointer) {
    return utf8.decode(this.bytes.slice(pointer, this.bytes.indexOf(0, pointer)));
  }

  /** Return the address of the encoding that a label names, 0 if none. */
  forLabel(label) {
    const encoded = toUTF8.encode(label);
    this.reserve(encoded.length);
    this.bytes.set(encoded, this.scratch);
    return this.api.for_label(this.scratch, encoded.length);
  }

  /** Return the labels of an encoding. @returns {string[]} */
  labels(encoding) {
    const labels = [];
    for (let at = 0, label; (label = this.api.label(encoding, at)) !== 0; at++) labels.push(this.string(label));
    return labels;
  }

  /** Call a function that converts, for the stream in the state; return its result, and set `read` and `written`. */
  convert(member, source, sourceLength, target, capacity, last) {
    const { lengthPair, lengths } = this;
    lengthPair[0] = sourceLength;
    lengthPair[1] = capacity;
    const result = member(this.state, source, lengths, target, lengths + 4, last ? 1 : 0);
    this.read = lengthPair[0];
    this.written = lengthPair[1];
    return result;
  }

  /**
   * Return the encodings that bytes may be in, the likeliest first. Candidates and declared encodings are addresses.
   * @returns {{encoding: string, bits: number}[]}
   */
  detect(source, limit = 0, candidates = [], declared = []) {
    const options = this.scratch + MOST * GUESS, lists = options + OPTIONS;
    const data = lists + 4 * (candidates.length + declared.length);
    this.reserve(data - this.scratch + source.length);
    const { view } = this;
    const given = [24, limit, lists, candidates.length, lists + 4 * candidates.length, declared.length, 0, 0];
    [...given, ...candidates, ...declared].forEach((value, at) => view.setUint32(options + 4 * at, value, true));
    this.bytes.set(source, data);
    const count = this.api.detect(data, source.length, options, this.scratch, MOST);
    return Array.from({ length: Math.min(count, MOST) }, (_, at) => ({
      encoding: this.names.get(view.getUint32(this.scratch + GUESS * at, true)),
      bits: Number(view.getBigInt64(this.scratch + GUESS * at + 8, true)),
    }));
  }
}
