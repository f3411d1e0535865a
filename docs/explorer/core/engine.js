// The engine: the npm package's binding, with positions of errors and streams that can be copied.

import {
  BOM_REMOVE, BOM_SNIFF, Binding, FATAL, INPUT_EMPTY, MALFORMED, STATE_SIZE, UNMAPPABLE,
} from "../../../src/npm/binding.js";

const BYTE_ORDER_MARKS = { keep: 0, sniff: BOM_SNIFF, remove: BOM_REMOVE };
const PIECE = 1 << 18; // bytes or code points that one call converts
const NAMES = 64; // of encodings, in which parts of a text were misread

/** A function of the engine, the type of its source, the bytes of a unit of its target, and the units for an item. */
const DECODING = ["decode_to_utf16", Uint8Array, 2, 2];
const ENCODING = ["encode_from_utf32", Uint32Array, 1, 16];

const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });
const REPLACEMENT = Uint8Array.of(0xFD, 0xFF); // U+FFFD in UTF-16LE

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
    return this.encodings.find((encoding) => encoding.name === name) ?? null;
  }

  #reserved(size) {
    this.#library.reserve(size);
    return this.#library;
  }

  #saved() {
    const { bytes, state } = this.#library;
    return bytes.slice(state, state + STATE_SIZE);
  }

  /** Return a decoder, as the standard's: errors are U+FFFD in its text. */
  decoder(name, byteOrderMark = "keep") {
    const { api, state } = this.#library;
    api.decoder_init(state, this.#addresses.get(name), FATAL | BYTE_ORDER_MARKS[byteOrderMark]);
    return new Stream(this, true, this.#saved());
  }

  /** Return an encoder, as the standard's: errors are references such as `&#9731;` in its bytes. */
  encoder(name) {
    const { api, state } = this.#library;
    if (api.encoder_init(state, this.#addresses.get(name), FATAL) !== 0) throw new RangeError(`${name} has no encoder`);
    return new Stream(this, false, this.#saved());
  }

  /** @returns {Decoded | Encoded} what a chunk is converted to; a stream's `push` calls this */
  convert(stream, source, isLast) {
    const library = this.#library, { isDecoder } = stream, longest = Math.min(source.length, PIECE);
    const [member, Items, unitSize, growth] = isDecoder ? DECODING : ENCODING;
    const capacity = growth * longest + 32; // units of the target
    const sourceSize = (longest * Items.BYTES_PER_ELEMENT + 1) & ~1;
    const { api, bytes, lengths, memory, scratch, state, view } = this.#reserved(sourceSize + unitSize * capacity);
    const items = new Items(memory.buffer, scratch, longest), target = scratch + sourceSize, parts = [], errors = [];
    bytes.set(stream.state, state);
    for (let at = 0, isDone = false; !isDone; ) {
      const piece = source.subarray(at, at + PIECE), isEnd = isLast && at + piece.length === source.length;
      items.set(piece);
      const result = library.convert(api[member], scratch, piece.length, target, capacity, isEnd);
      if (result < 0) throw new Error(`the engine refuses ${member}`);
      at += library.read;
      stream.read += library.read;
      parts.push(bytes.slice(target, target + unitSize * library.written));
      if (result === MALFORMED) {
        api.malformed(state, lengths, lengths + 4);
        const end = stream.read - view.getUint32(lengths + 4, true);
        errors.push({ start: end - view.getUint32(lengths, true), end });
        parts.push(REPLACEMENT);
      } else if (result === UNMAPPABLE) {
        errors.push({ start: stream.read - 1, end: stream.read });
        parts.push(new TextEncoder().encode(`&#${api.unmappable(state) >>> 0};`));
      }
      isDone = result === INPUT_EMPTY && at === source.length;
    }
    stream.state = this.#saved();
    const converted = joined(parts);
    if (!isDecoder) return { bytes: converted, errors };
    return { text: utf16.decode(converted), errors, pending: api.pending_length(state) };
  }

  /** Return the code points of bytes that have no error, else null. They are a whole stream. */
  codePoints(name, source) {
    const { text, errors } = this.decoder(name).push(source, true);
    return errors.length ? null : Array.from(text, (character) => character.codePointAt(0));
  }

  /** Return the bytes of a code point, null if the encoding lacks it. @returns {Uint8Array | null} */
  bytesOf(name, codePoint) {
    const { bytes, errors } = this.encoder(name).push(Uint32Array.of(codePoint), true);
    return errors.length ? null : bytes;
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

/** A decoder or an encoder between two chunks. */
class Stream {
  constructor(engine, isDecoder, state, read = 0) {
    Object.assign(this, { engine, isDecoder, state, read });
  }

  /** Return a stream that continues where this one is. */
  copy() {
    return new Stream(this.engine, this.isDecoder, this.state.slice(), this.read);
  }

  /** Convert a chunk: bytes to text, or code points to bytes. @param {Uint8Array | Uint32Array} source */
  push(source, isLast = false) {
    return this.engine.convert(this, source, isLast);
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
