// The engine: the C library as WebAssembly, called through the table of whatwg_encoding.h.
//
// Its memory is scratch for one call: the state of a stream is 64 bytes, which are kept here between calls.

const FATAL = 1;
const BYTE_ORDER_MARKS = { keep: 0, sniff: 2, remove: 4 };
const INPUT_EMPTY = 0, MALFORMED = 2, UNMAPPABLE = 3;
const STATE_SIZE = 64;
const PIECE = 1 << 18; // bytes or code points that one call converts

const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * @typedef {{name: string, labels: string[], hasEncoder: boolean, isSingleByte: boolean}} Encoding
 * @typedef {{start: number, end: number}} Span offsets of what an error is about
 * @typedef {{text: string, errors: Span[], pending: number}} Decoded
 * @typedef {{bytes: Uint8Array, errors: Span[]}} Encoded
 */

export class Engine {
  #exports;
  #api;
  #addresses = new Map();
  #state;
  #lengths;
  #scratch;

  /** @param {Uint8Array} module the WebAssembly module @param {string[]} members the functions of its table */
  static async load(module, members) {
    return new Engine((await WebAssembly.instantiate(module)).instance.exports, members);
  }

  constructor(exports, members) {
    this.#exports = exports;
    const words = new Uint32Array(exports.memory.buffer, exports.whatwg_encoding_get());
    this.#api = Object.fromEntries(
      members.map((name, at) => [name, exports.__indirect_function_table.get(words[2 + at])]),
    );
    this.#state = (exports.__heap_base.value + 63) & ~63;
    this.#lengths = this.#state + STATE_SIZE;
    this.#scratch = this.#lengths + 64;
    /** @type {Encoding[]} in the standard's order */
    this.encodings = [];
    for (let at = 0, address; (address = this.#api.by_index(at)) !== 0; at++) {
      const name = this.#string(this.#api.name(address));
      const labels = [];
      for (let n = 0, label; (label = this.#api.label(address, n)) !== 0; n++) labels.push(this.#string(label));
      this.#addresses.set(name, address);
      const hasEncoder = this.#api.output_encoding(address) === address;
      this.encodings.push({ name, labels, hasEncoder, isSingleByte: this.#api.is_single_byte(address) === 1 });
    }
  }

  get #bytes() {
    return new Uint8Array(this.#exports.memory.buffer);
  }

  get #view() {
    return new DataView(this.#exports.memory.buffer);
  }

  #reserve(size) {
    const { memory } = this.#exports;
    const missing = this.#scratch + size - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  }

  #string(pointer) {
    const bytes = this.#bytes;
    return utf8.decode(bytes.slice(pointer, bytes.indexOf(0, pointer)));
  }

  /** Return the encoding that a label names, null if none. @returns {Encoding | null} */
  forLabel(label) {
    const encoded = new TextEncoder().encode(label);
    this.#reserve(encoded.length);
    this.#bytes.set(encoded, this.#scratch);
    const address = this.#api.for_label(this.#scratch, encoded.length);
    return this.encodings.find(({ name }) => this.#addresses.get(name) === address) ?? null;
  }

  // Call a member that converts, and return its result and the lengths that it set.
  #convert(member, sourceLength, target, capacity, isLast) {
    const view = this.#view;
    view.setUint32(this.#lengths, sourceLength, true);
    view.setUint32(this.#lengths + 4, capacity, true);
    const source = this.#scratch;
    const result = this.#api[member](this.#state, source, this.#lengths, target, this.#lengths + 4, isLast ? 1 : 0);
    if (result < 0) throw new Error(`the engine refuses ${member}`);
    const after = this.#view;
    return { result, read: after.getUint32(this.#lengths, true), written: after.getUint32(this.#lengths + 4, true) };
  }

  #load(state) {
    this.#bytes.set(state, this.#state);
  }

  #save(state) {
    state.set(this.#bytes.subarray(this.#state, this.#state + STATE_SIZE));
  }

  /** Return a decoder, as the standard's: errors are U+FFFD in its text. */
  decoder(name, byteOrderMark = "keep") {
    this.#api.decoder_init(this.#state, this.#addresses.get(name), FATAL | BYTE_ORDER_MARKS[byteOrderMark]);
    const state = new Uint8Array(STATE_SIZE);
    this.#save(state);
    return new Decoder(this, state, 0);
  }

  /** @returns {Decoded} what a chunk is decoded to; a decoder's `push` calls this */
  decode(decoder, source, isLast) {
    const capacity = 2 * Math.min(source.length, PIECE) + 16, room = (Math.min(source.length, PIECE) + 1) & ~1;
    this.#reserve(room + 2 * capacity);
    this.#load(decoder.state);
    const target = this.#scratch + room, parts = [], errors = [];
    for (let at = 0, isDone = false; !isDone; ) {
      const part = source.subarray(at, at + PIECE);
      this.#bytes.set(part, this.#scratch);
      const isEnd = at + part.length === source.length;
      const { result, read, written } = this.#convert("decode_to_utf16", part.length, target, capacity, isEnd && isLast);
      at += read;
      decoder.read += read;
      if (written) parts.push(utf16.decode(this.#bytes.slice(target, target + 2 * written)));
      if (result === MALFORMED) {
        this.#api.malformed(this.#state, this.#lengths, this.#lengths + 4);
        const view = this.#view;
        const end = decoder.read - view.getUint32(this.#lengths + 4, true);
        errors.push({ start: end - view.getUint32(this.#lengths, true), end });
        parts.push("\uFFFD");
      }
      isDone = result === INPUT_EMPTY && at === source.length;
    }
    this.#save(decoder.state);
    return { text: parts.join(""), errors, pending: this.#api.pending_length(this.#state) };
  }

  /** Return an encoder, as the standard's: errors are references such as `&#9731;` in its bytes. */
  encoder(name) {
    const result = this.#api.encoder_init(this.#state, this.#addresses.get(name), FATAL);
    if (result !== 0) throw new RangeError(`${name} has no encoder`);
    const state = new Uint8Array(STATE_SIZE);
    this.#save(state);
    return new Encoder(this, state, 0);
  }

  /** @returns {Encoded} what code points are encoded to; an encoder's `push` calls this */
  encode(encoder, source, isLast) {
    const piece = Math.min(source.length, PIECE), capacity = 16 * piece + 32;
    this.#reserve(4 * piece + capacity);
    this.#load(encoder.state);
    const target = this.#scratch + 4 * piece, parts = [], errors = [];
    for (let at = 0, isDone = false; !isDone; ) {
      const part = source.subarray(at, at + PIECE);
      new Uint32Array(this.#exports.memory.buffer, this.#scratch, part.length).set(part);
      const isEnd = at + part.length === source.length;
      const { result, read, written } = this.#convert("encode_from_utf32", part.length, target, capacity, isEnd && isLast);
      at += read;
      encoder.read += read;
      parts.push(this.#bytes.slice(target, target + written));
      if (result === UNMAPPABLE) {
        errors.push({ start: encoder.read - 1, end: encoder.read });
        parts.push(new TextEncoder().encode(`&#${this.#api.unmappable(this.#state) >>> 0};`));
      }
      isDone = result === INPUT_EMPTY && at === source.length;
    }
    this.#save(encoder.state);
    return { bytes: joined(parts), errors };
  }

  /** Return the code points of bytes that have no error, else null. They are a whole stream. */
  codePoints(name, source) {
    this.#api.decoder_init(this.#state, this.#addresses.get(name), FATAL);
    this.#reserve(64);
    this.#bytes.set(source, this.#scratch);
    const target = this.#scratch + 16;
    const { result, written } = this.#convert("decode_to_utf32", source.length, target, 8, true);
    if (result !== INPUT_EMPTY) return null;
    return [...new Uint32Array(this.#exports.memory.buffer, target, written)];
  }

  /** Return the bytes of a code point, null if the encoding lacks it. @returns {Uint8Array | null} */
  bytesOf(name, codePoint) {
    this.#api.encoder_init(this.#state, this.#addresses.get(name), FATAL);
    this.#reserve(64);
    this.#view.setUint32(this.#scratch, codePoint, true);
    const target = this.#scratch + 16;
    const { result, written } = this.#convert("encode_from_utf32", 1, target, 32, true);
    return result === INPUT_EMPTY ? this.#bytes.slice(target, target + written) : null;
  }

  /** Return what a text costs in bits under the model of text of the detector, as `sniff.text_cost` does. */
  textCost(text) {
    const units = Uint32Array.from(text, (one) => one.codePointAt(0));
    this.#reserve(4 * units.length);
    new Uint32Array(this.#exports.memory.buffer, this.#scratch, units.length).set(units);
    return this.#exports.whatwg_encoding_text_cost(this.#scratch, units.length);
  }

  /** Return the encodings that bytes may be in, the likeliest first. @returns {{encoding: string, bits: number}[]} */
  detect(source, candidates = []) {
    const size = 16, most = 40, list = this.#scratch + size * most + 32, data = list + 4 * candidates.length;
    this.#reserve(data - this.#scratch + source.length);
    const view = this.#view;
    [24, 0, list, candidates.length, 0, 0, 0, 0].forEach((each, at) =>
      view.setUint32(this.#scratch + size * most + 4 * at, each, true));
    candidates.forEach((name, at) => view.setUint32(list + 4 * at, this.#addresses.get(name), true));
    this.#bytes.set(source, data);
    const count = this.#api.detect(data, source.length, this.#scratch + size * most, this.#scratch, most);
    const names = new Map([...this.#addresses].map(([name, address]) => [address, name]));
    const after = this.#view;
    return Array.from({ length: Math.min(count, most) }, (_, at) => ({
      encoding: names.get(after.getUint32(this.#scratch + size * at, true)),
      bits: Number(after.getBigInt64(this.#scratch + size * at + 8, true)),
    }));
  }
}

class Stream {
  constructor(engine, state, read) {
    this.engine = engine;
    this.state = state;
    this.read = read;
  }

  /** Return a stream that continues where this one is. */
  copy() {
    return new this.constructor(this.engine, this.state.slice(), this.read);
  }
}

class Decoder extends Stream {
  /** @param {Uint8Array} source @returns {Decoded} */
  push(source, isLast = false) {
    return this.engine.decode(this, source, isLast);
  }
}

class Encoder extends Stream {
  /** @param {Uint32Array} source code points @returns {Encoded} */
  push(source, isLast = false) {
    return this.engine.encode(this, source, isLast);
  }
}

/** Return arrays of bytes as one. @param {Uint8Array[]} parts */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
