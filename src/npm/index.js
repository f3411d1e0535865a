// The Encoding Standard in WebAssembly: https://encoding.spec.whatwg.org/#api for all labels, encoders included.
//
// The module exports the C API's table (whatwg_encoding.h): `MEMBERS` are its functions, in their order. The state of a
// decoder is 64 bytes, kept here between calls; everything in the module's memory is scratch for one call.
import { MEMBERS } from "./members.js";

const module = new URL("./whatwg_encoding.wasm", import.meta.url);

async function load() {
  if (module.protocol === "file:" && typeof process !== "undefined") {
    const { readFile } = await import("node:fs/promises");
    return readFile(module);
  }
  const response = await fetch(module);
  if (!response.ok) throw new Error(`${module} cannot be loaded: ${response.status}`);
  return response.arrayBuffer();
}

const { exports } = (await WebAssembly.instantiate(await load())).instance;
const { memory, __heap_base, __indirect_function_table, whatwg_encoding_get } = exports;
const words = new Uint32Array(memory.buffer, whatwg_encoding_get());
const api = Object.fromEntries(MEMBERS.map((name, at) => [name, __indirect_function_table.get(words[2 + at])]));

const FATAL = 1, BOM_REMOVE = 4;
const INPUT_EMPTY = 0, MALFORMED = 2, UNMAPPABLE = 3;
const STATE = (__heap_base.value + 63) & ~63, STATE_SIZE = 64;
const LENGTHS = STATE + STATE_SIZE; // two lengths, for the source and for the target
const SCRATCH = LENGTHS + 64;
const PIECE = 1 << 20; // bytes or units of a source that are converted by one call

// The platform's, which are right for UTF-8.
const utf8Decoder = new globalThis.TextDecoder("utf-8", { ignoreBOM: true });
const utf8Encoder = new globalThis.TextEncoder();

// Views of the memory, anew after it has grown.
let bytes = new Uint8Array(memory.buffer);
let view = new DataView(memory.buffer);

function reserve(size) {
  const missing = SCRATCH + size - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  if (bytes.buffer !== memory.buffer) {
    bytes = new Uint8Array(memory.buffer);
    view = new DataView(memory.buffer);
  }
}

function string(pointer) {
  let end = pointer;
  while (bytes[end] !== 0) end++;
  return utf8Decoder.decode(bytes.slice(pointer, end));
}

// The address of the encoding with that label, 0 if there is none.
function forLabel(label) {
  const encoded = utf8Encoder.encode(label);
  reserve(encoded.length);
  bytes.set(encoded, SCRATCH);
  return api.for_label(SCRATCH, encoded.length);
}

const NAMES = new Map(); // by address
for (let at = 0, encoding; (encoding = api.by_index(at)) !== 0; at++) NAMES.set(encoding, string(api.name(encoding)));

function labelsOf(encoding) {
  const found = [];
  for (let at = 0, label; (label = api.label(encoding, at)) !== 0; at++) found.push(string(label));
  return Object.freeze(found);
}

/** Each encoding's name and labels, in the standard's order. */
export const encodings = Object.freeze(
  [...NAMES].map(([encoding, name]) => Object.freeze({ name, labels: labelsOf(encoding) })),
);

/** Return the name of the encoding that a label names, or null. */
export function labelToName(label) {
  return NAMES.get(forLabel(String(label))) ?? null;
}

function bytesOf(input) {
  if (input === undefined) return new Uint8Array();
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  const isShared = typeof SharedArrayBuffer !== "undefined" && input instanceof SharedArrayBuffer;
  if (input instanceof ArrayBuffer || isShared) return new Uint8Array(input);
  throw new TypeError("the input is not an ArrayBuffer, nor a view of one");
}

function dictionary(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object" && typeof options !== "function") throw new TypeError("the options are not an object");
  return options;
}

// Call a function of the table that converts, and return its result and the lengths that it set.
function convert(member, source, sourceLength, target, capacity, last) {
  view.setUint32(LENGTHS, sourceLength, true);
  view.setUint32(LENGTHS + 4, capacity, true);
  const result = api[member](STATE, source, LENGTHS, target, LENGTHS + 4, last ? 1 : 0);
  return { result, read: view.getUint32(LENGTHS, true), written: view.getUint32(LENGTHS + 4, true) };
}

/** https://encoding.spec.whatwg.org/#interface-textdecoder */
export class TextDecoder {
  #encoding;
  #flags;
  #state = null; // of a stream that has begun
  #unread = null; // what a stream has not read because of an error
  #doNotFlush = false;

  constructor(label = "utf-8", options = undefined) {
    const { fatal, ignoreBOM } = dictionary(options);
    this.#encoding = forLabel(`${label}`);
    if (this.#encoding === 0 || NAMES.get(this.#encoding) === "replacement")
      throw new RangeError(`unknown encoding label: ${label}`);
    this.#flags = (fatal ? FATAL : 0) | (ignoreBOM ? 0 : BOM_REMOVE);
  }

  get encoding() {
    return NAMES.get(this.#encoding).toLowerCase();
  }

  get fatal() {
    return (this.#flags & FATAL) !== 0;
  }

  get ignoreBOM() {
    return (this.#flags & BOM_REMOVE) === 0;
  }

  decode(input = undefined, options = undefined) {
    let source = bytesOf(input);
    const stream = Boolean(dictionary(options).stream);
    if (!this.#doNotFlush) this.#state = this.#unread = null;
    this.#doNotFlush = stream;
    if (this.#unread !== null) {
      const joined = new Uint8Array(this.#unread.length + source.length);
      joined.set(this.#unread);
      joined.set(source, this.#unread.length);
      source = joined;
      this.#unread = null;
    }
    const piece = Math.min(source.length, PIECE), capacity = 3 * piece + 16;
    reserve(piece + capacity);
    if (this.#state === null) api.decoder_init(STATE, this.#encoding, this.#flags);
    else bytes.set(this.#state, STATE);
    let text = "";
    for (let at = 0, done = false; !done; ) {
      const part = source.subarray(at, at + PIECE), isEnd = at + part.length === source.length;
      bytes.set(part, SCRATCH);
      const found = convert("decode_to_utf8", SCRATCH, part.length, SCRATCH + piece, capacity, isEnd && !stream);
      at += found.read;
      if (found.result === MALFORMED) {
        this.#state = bytes.slice(STATE, STATE + STATE_SIZE);
        this.#unread = source.slice(at);
        throw new TypeError(`the data is not valid ${this.encoding}`);
      }
      const target = SCRATCH + piece;
      text += utf8Decoder.decode(bytes.slice(target, target + found.written));
      done = found.result === INPUT_EMPTY && at === source.length;
    }
    this.#state = stream ? bytes.slice(STATE, STATE + STATE_SIZE) : null;
    return text;
  }
}

/**
 * https://encoding.spec.whatwg.org/#interface-textencoder, for all encodings that have an encoder. A character that the
 * encoding lacks becomes a reference such as `&#9731;`, as in forms, or with `fatal` a TypeError.
 */
export class TextEncoder {
  #encoding;
  #fatal;

  constructor(label = "utf-8", options = undefined) {
    const { fatal } = dictionary(options);
    this.#encoding = forLabel(`${label}`);
    if (this.#encoding === 0) throw new RangeError(`unknown encoding label: ${label}`);
    if (api.encoder_init(STATE, this.#encoding, 0) !== 0)
      throw new RangeError(`${NAMES.get(this.#encoding)} has no encoder`);
    this.#fatal = Boolean(fatal);
  }

  get encoding() {
    return NAMES.get(this.#encoding).toLowerCase();
  }

  get fatal() {
    return this.#fatal;
  }

  #unmappable() {
    const codePoint = api.unmappable(STATE) >>> 0;
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
    return new TypeError(`${name} is not in ${this.encoding}`);
  }

  // Write the units of a text to memory. A surrogate pair may be split: the encoder joins it.
  #units(text, at, length) {
    const units = new Uint16Array(memory.buffer, SCRATCH, length);
    for (let i = 0; i < length; i++) units[i] = text.charCodeAt(at + i);
  }

  encode(input = "") {
    const text = `${input}`;
    const length = Math.min(text.length, PIECE), capacity = 16 * PIECE;
    reserve(2 * length + Math.min(capacity, 16 * length + 64));
    const room = Math.min(capacity, 16 * length + 64), target = SCRATCH + 2 * length;
    api.encoder_init(STATE, this.#encoding, this.#fatal ? FATAL : 0);
    const parts = [];
    let total = 0;
    for (let at = 0, done = false; !done; ) {
      const part = Math.min(PIECE, text.length - at);
      this.#units(text, at, part);
      const { result, read, written } = convert(
        "encode_from_utf16", SCRATCH, part, target, room, at + part === text.length,
      );
      if (result === UNMAPPABLE) throw this.#unmappable();
      at += read;
      parts.push(bytes.slice(target, target + written));
      total += written;
      done = result === INPUT_EMPTY && at === text.length;
    }
    if (parts.length === 1) return parts[0];
    const whole = new Uint8Array(total);
    for (let i = 0, at = 0; i < parts.length; at += parts[i++].length) whole.set(parts[i], at);
    return whole;
  }

  /** Write what fits of the text. The text ends there: for ISO-2022-JP with the return to ASCII. */
  encodeInto(source, destination) {
    const text = `${source}`;
    if (!(destination instanceof Uint8Array)) throw new TypeError("the destination is not a Uint8Array");
    if (NAMES.get(this.#encoding) === "UTF-8") return utf8Encoder.encodeInto(text, destination);
    const capacity = destination.length;
    // The longest beginning whose bytes fit: each unit gives a byte or more, but for the escape sequences.
    let low = 0, high = Math.min(text.length, capacity), best = new Uint8Array();
    while (low < high) {
      const middle = (low + high + 1) >> 1, end = middle - (isInPair(text, middle) ? 1 : 0);
      const encoded = this.encode(text.slice(0, end));
      if (encoded.length <= capacity) {
        low = middle;
        best = encoded;
      } else {
        high = middle - 1;
      }
    }
    destination.set(best);
    return { read: low - (isInPair(text, low) ? 1 : 0), written: best.length };
  }
}

// Whether a position of a text is within a surrogate pair.
function isInPair(text, at) {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

/**
 * Return the encodings that the bytes may be in, the likeliest first: `{ encoding, bits }`, where fewer bits are
 * likelier. `candidates` and `declared` are labels; unknown ones among the declared are ignored.
 */
export function detect(input, options = undefined) {
  const { limit = 0, candidates = [], declared = [] } = dictionary(options);
  const source = bytesOf(input);
  const chosen = [...candidates].map((label) => {
    const encoding = forLabel(`${label}`);
    if (encoding === 0) throw new RangeError(`unknown encoding label: ${label}`);
    return encoding;
  });
  const hints = (typeof declared === "string" ? [declared] : [...declared]).map((label) => forLabel(`${label}`));
  const GUESS = 16, MOST = 40, most = MOST * GUESS, given = 32;
  const lists = SCRATCH + most + given, data = lists + 4 * (chosen.length + hints.length);
  reserve(data - SCRATCH + source.length);
  const numbers = [24, limit, lists, chosen.length, lists + 4 * chosen.length, hints.length, ...Array(2).fill(0)];
  [...numbers, ...chosen, ...hints].forEach((each, at) => view.setUint32(SCRATCH + most + 4 * at, each, true));
  bytes.set(source, data);
  const count = api.detect(data, source.length, SCRATCH + most, SCRATCH, MOST);
  return Array.from({ length: Math.min(count, MOST) }, (_, at) => ({
    encoding: NAMES.get(view.getUint32(SCRATCH + GUESS * at, true)),
    bits: Number(view.getBigInt64(SCRATCH + GUESS * at + 8, true)),
  }));
}
