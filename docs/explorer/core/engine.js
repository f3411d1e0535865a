// The engine: the npm package's binding, with positions of errors and streams that can be copied.

import { BOM_REMOVE, BOM_SNIFF, Binding, FATAL, INPUT_EMPTY, MALFORMED, STATE_SIZE, UNMAPPABLE } from "../../../src/npm/binding.js";

const BYTE_ORDER_MARKS = { keep: 0, sniff: BOM_SNIFF, remove: BOM_REMOVE };
const PIECE = 1 << 18; // bytes or code points that one call converts
const NAMES = 64; // of encodings, in which parts of a text were misread

const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });

/**
 * @typedef {{name: string, labels: string[], hasEncoder: boolean, isSingleByte: boolean}} Encoding
 * @typedef {{start: number, end: number}} Span offsets of what an error is about
 * @typedef {{text: string, errors: Span[], pending: number}} Decoded
 * @typedef {{bytes: Uint8Array, errors: Span[]}} Encoded
 */

export class Engine {
  #library;
  #addresses;

  /** @param {Uint8Array} module the WebAssembly module @param {string[]} members the functions of its table */
  static async load(module, members) {
    return new Engine(new Binding((await WebAssembly.instantiate(module)).instance.exports, members));
  }

  constructor(library) {
    const { api, names } = library;
    this.#library = library;
    this.#addresses = new Map([...names].map(([address, name]) => [name, address]));
    /** @type {Encoding[]} in the standard's order */
    this.encodings = [...names].map(([address, name]) => ({
      name, labels: library.labels(address), hasEncoder: api.output_encoding(address) === address,
      isSingleByte: api.is_single_byte(address) === 1,
    }));
  }

  /** Return the encoding that a label names, null if none. @returns {Encoding | null} */
  forLabel(label) {
    const name = this.#library.names.get(this.#library.forLabel(label));
    return this.encodings.find((one) => one.name === name) ?? null;
  }

  // The source is at the start of the scratch memory.
  #convert(member, sourceLength, target, capacity, isLast) {
    const library = this.#library;
    const result = library.convert(library.api[member], library.scratch, sourceLength, target, capacity, isLast);
    if (result < 0) throw new Error(`the engine refuses ${member}`);
    return { result, read: library.read, written: library.written };
  }

  #reserved(size) {
    this.#library.reserve(size);
    return this.#library;
  }

  #load(state) {
    this.#library.bytes.set(state, this.#library.state);
  }

  #saved() {
    const { bytes, state } = this.#library;
    return bytes.slice(state, state + STATE_SIZE);
  }

  /** Return a decoder, as the standard's: errors are U+FFFD in its text. */
  decoder(name, byteOrderMark = "keep") {
    const { api, state } = this.#library;
    api.decoder_init(state, this.#addresses.get(name), FATAL | BYTE_ORDER_MARKS[byteOrderMark]);
    return new Decoder(this, this.#saved(), 0);
  }

  /** @returns {Decoded} what a chunk is decoded to; a decoder's `push` calls this */
  decode(decoder, source, isLast) {
    const capacity = 2 * Math.min(source.length, PIECE) + 16, room = (Math.min(source.length, PIECE) + 1) & ~1;
    const { api, bytes, lengths, scratch, state, view } = this.#reserved(room + 2 * capacity);
    this.#load(decoder.state);
    const target = scratch + room, parts = [], errors = [];
    for (let at = 0, isDone = false; !isDone; ) {
      const part = source.subarray(at, at + PIECE);
      bytes.set(part, scratch);
      const isEnd = at + part.length === source.length;
      const { result, read, written } = this.#convert("decode_to_utf16", part.length, target, capacity, isEnd && isLast);
      at += read;
      decoder.read += read;
      if (written) parts.push(utf16.decode(bytes.slice(target, target + 2 * written)));
      if (result === MALFORMED) {
        api.malformed(state, lengths, lengths + 4);
        const end = decoder.read - view.getUint32(lengths + 4, true);
        errors.push({ start: end - view.getUint32(lengths, true), end });
        parts.push("\uFFFD");
      }
      isDone = result === INPUT_EMPTY && at === source.length;
    }
    decoder.state = this.#saved();
    return { text: parts.join(""), errors, pending: api.pending_length(state) };
  }

  /** Return an encoder, as the standard's: errors are references such as `&#9731;` in its bytes. */
  encoder(name) {
    const { api, state } = this.#library;
    if (api.encoder_init(state, this.#addresses.get(name), FATAL) !== 0) throw new RangeError(`${name} has no encoder`);
    return new Encoder(this, this.#saved(), 0);
  }

  /** @returns {Encoded} what code points are encoded to; an encoder's `push` calls this */
  encode(encoder, source, isLast) {
    const piece = Math.min(source.length, PIECE), capacity = 16 * piece + 32;
    const { api, bytes, memory, scratch, state } = this.#reserved(4 * piece + capacity);
    this.#load(encoder.state);
    const target = scratch + 4 * piece, parts = [], errors = [];
    for (let at = 0, isDone = false; !isDone; ) {
      const part = source.subarray(at, at + PIECE);
      new Uint32Array(memory.buffer, scratch, part.length).set(part);
      const isEnd = at + part.length === source.length;
      const { result, read, written } = this.#convert("encode_from_utf32", part.length, target, capacity, isEnd && isLast);
      at += read;
      encoder.read += read;
      parts.push(bytes.slice(target, target + written));
      if (result === UNMAPPABLE) {
        errors.push({ start: encoder.read - 1, end: encoder.read });
        parts.push(new TextEncoder().encode(`&#${api.unmappable(state) >>> 0};`));
      }
      isDone = result === INPUT_EMPTY && at === source.length;
    }
    encoder.state = this.#saved();
    return { bytes: joined(parts), errors };
  }

  /** Return the code points of bytes that have no error, else null. They are a whole stream. */
  codePoints(name, source) {
    const { api, bytes, memory, scratch, state } = this.#reserved(64), target = scratch + 16;
    api.decoder_init(state, this.#addresses.get(name), FATAL);
    bytes.set(source, scratch);
    const { result, written } = this.#convert("decode_to_utf32", source.length, target, 8, true);
    if (result !== INPUT_EMPTY) return null;
    return [...new Uint32Array(memory.buffer, target, written)];
  }

  /** Return the bytes of a code point, null if the encoding lacks it. @returns {Uint8Array | null} */
  bytesOf(name, codePoint) {
    const { api, bytes, scratch, state, view } = this.#reserved(64), target = scratch + 16;
    api.encoder_init(state, this.#addresses.get(name), FATAL);
    view.setUint32(scratch, codePoint, true);
    const { result, written } = this.#convert("encode_from_utf32", 1, target, 32, true);
    return result === INPUT_EMPTY ? bytes.slice(target, target + written) : null;
  }

  /**
   * Return what a text was before it was misread, as `repair` does, and how it was: the last misreading first.
   * @returns {{text: string, steps: {readAs: string, was: string}[]} | null} null if nothing was misread
   */
  mend(text) {
    const { length } = Array.from(text), size = 4 * length;
    const library = this.#reserved(3 * size + 4 * NAMES), { exports, memory, scratch } = library;
    const target = scratch + size, names = target + 2 * size;
    new Uint32Array(memory.buffer, scratch, length).set(Array.from(text, (character) => character.codePointAt(0)));
    const written = exports.whatwg_encoding_mend(scratch, length, target, names, NAMES);
    if (!written) return null;
    const mended = Array.from(new Uint32Array(memory.buffer, target, written), (code) => String.fromCodePoint(code));
    const pointers = new Uint32Array(memory.buffer, names, NAMES);
    const ways = new Map(); // in which parts of the text were misread
    for (let at = 0; pointers[at]; at++) {
      const steps = [];
      for (; pointers[at]; at += 2) {
        steps.push({ readAs: library.string(pointers[at]), was: library.string(pointers[at + 1]) });
      }
      ways.set(JSON.stringify(steps), steps);
    }
    return { text: mended.join(""), steps: [...ways.values()].flat() };
  }

  /** Return the encodings that bytes may be in, the likeliest first. @returns {{encoding: string, bits: number}[]} */
  detect(source) {
    return this.#library.detect(source);
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
