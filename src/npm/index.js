// The Encoding Standard in WebAssembly: https://encoding.spec.whatwg.org/#api for all labels, encoders included.
import { BOM_REMOVE, Binding, FATAL, INPUT_EMPTY, MALFORMED, STATE_SIZE, UNMAPPABLE } from "./binding.js";
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

const RESULT = 0xff, ARE_BYTES = 0x100, ARE_ASCII = 0x200; // of decode_native
const PIECE = 1 << 20; // bytes or units of a source that are converted by one call

// The platform's, which are right for valid text.
const utf8Decoder = new globalThis.TextDecoder("utf-8", { ignoreBOM: true });
const utf16Decoder = new globalThis.TextDecoder("utf-16le", { ignoreBOM: true });
const latin1Decoder = new globalThis.TextDecoder("windows-1252"); // of bytes that are no C1 control
const utf8Encoder = new globalThis.TextEncoder();

// Node.js and others copy a string from memory, and into it, at its own width.
const Buffer = globalThis.Buffer;
const copiesStrings = ["latin1Slice", "ucs2Slice", "ucs2Write"].every((name) => Buffer?.prototype[name]);

class Module extends Binding {
  // More views of the memory.
  look() {
    super.look();
    this.units = new Uint16Array(this.memory.buffer);
    this.words = new Uint32Array(this.memory.buffer);
    if (copiesStrings) this.buffer = Buffer.from(this.memory.buffer);
  }
}

const library = new Module(exports, MEMBERS), { api, names: NAMES } = library;
const STATE = library.state, SCRATCH = library.scratch;

// The state of a stream. It stays in the module's memory until another stream needs the place.
class State {
  hasBegun = false;
  #saved = null;
  static #resident = null;

  enter() {
    const resident = State.#resident;
    if (resident === this) return;
    if (resident !== null && resident.hasBegun) resident.#saved = library.bytes.slice(STATE, STATE + STATE_SIZE);
    if (this.hasBegun) library.bytes.set(this.#saved, STATE);
    State.#resident = this;
  }
}

const SHORTEST = 4; // units that are joined one by one
const FEW = 64; // units that are joined sooner than a decoder is called
const MOST = 8192; // arguments of a call

// Whether a byte may be a C1 control, U+0080 to U+009F, for which windows-1252 has other characters. The words of the
// text at an even address may have up to three bytes at either end that are not the text's.
function mayHaveC1(at, length) {
  const { words } = library;
  for (let position = at >> 2, end = (at + length + 3) >> 2; position < end; position++) {
    const word = words[position];
    if (word & ~(word << 1) & ~(word << 2) & 0x80808080) return true;
  }
  return false;
}

// The string of some characters at an even address: of bytes, or of UTF-16 units without a lone surrogate.
function text(at, length, kind) {
  if (length === 0) return "";
  const isWide = (kind & ARE_BYTES) === 0, { buffer, bytes, units } = library;
  if (length <= SHORTEST) {
    const from = isWide ? at / 2 : at, shortest = isWide ? units : bytes;
    let joined = String.fromCharCode(shortest[from]);
    for (let i = 1; i < length; i++) joined += String.fromCharCode(shortest[from + i]);
    return joined;
  }
  if (copiesStrings) return isWide ? buffer.ucs2Slice(at, at + 2 * length) : buffer.latin1Slice(at, at + length);
  const start = isWide ? at / 2 : at, all = isWide ? units : bytes;
  if (length > FEW && isWide) return utf16Decoder.decode(bytes.subarray(at, at + 2 * length));
  if (length > FEW && kind & ARE_ASCII) return utf8Decoder.decode(bytes.subarray(at, at + length));
  if (length > FEW && !mayHaveC1(at, length)) return latin1Decoder.decode(bytes.subarray(at, at + length));
  let joined = "";
  for (let from = start, end = start + length; from < end; from += MOST)
    joined += String.fromCharCode.apply(null, all.subarray(from, Math.min(end, from + MOST)));
  return joined;
}

const UTF_8 = library.forLabel("utf-8"), REPLACEMENT = library.forLabel("replacement");

const MOST_LABELS = 256; // that are remembered
const encodingsByLabel = new Map();

function forLabel(label) {
  const known = encodingsByLabel.get(label);
  if (known !== undefined) return known;
  const encoding = library.forLabel(label);
  if (encoding !== 0 && encodingsByLabel.size < MOST_LABELS) encodingsByLabel.set(label, encoding);
  return encoding;
}

/** Each encoding's name and labels, in the standard's order. */
export const encodings = Object.freeze(
  [...NAMES].map(([encoding, name]) => Object.freeze({ name, labels: Object.freeze(library.labels(encoding)) })),
);

/** Return the name of the encoding that a label names, or null. */
export function labelToName(label) {
  return NAMES.get(library.forLabel(String(label))) ?? null;
}

// https://webidl.spec.whatwg.org/#AllowSharedBufferSource, of any realm. A detached one has no bytes.
const getterOf = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const typedArrayName = getterOf(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const lengths = [getterOf(ArrayBuffer.prototype, "byteLength")];
try {
  // Where scripts do not see the constructor, there may be instances.
  const shared = new WebAssembly.Memory({ shared: true, initial: 0, maximum: 0 }).buffer;
  lengths.push(getterOf(Object.getPrototypeOf(shared), "byteLength"));
} catch {
  // Nobody has one.
}

function isBuffer(input) {
  return lengths.some((length) => {
    try {
      length.call(input);
      return true;
    } catch {
      return false;
    }
  });
}

const NOTHING = new Uint8Array();

function bytesOf(input) {
  if (input instanceof Uint8Array) return input.length === 0 ? NOTHING : input;
  if (ArrayBuffer.isView(input)) {
    return input.byteLength === 0 ? new Uint8Array() : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  }
  if (isBuffer(input)) return input.byteLength === 0 ? new Uint8Array() : new Uint8Array(input);
  throw new TypeError("the input is not an ArrayBuffer, nor a view of one");
}

function dictionary(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object" && typeof options !== "function") {
    throw new TypeError("the options are not an object");
  }
  return options;
}

const SHORT_UTF_8 = 128; // bytes of a whole text that the platform's decoder, with the same errors, decodes sooner
const SHORT_WIDE = 256; // bytes after a wide text that are decoded to UTF-16 without trying Latin-1 first
const shortDecoders = [true, false].map((ignoreBOM) => new globalThis.TextDecoder("utf-8", { ignoreBOM }));

/** https://encoding.spec.whatwg.org/#interface-textdecoder */
export class TextDecoder {
  #encoding;
  #flags;
  #state = new State();
  #unread = null; // what a stream has not read because of an error
  #doNotFlush = false;
  #isWide = false; // a text had characters above U+00FF, as the next one may

  constructor(label = "utf-8", options = undefined) {
    const { fatal, ignoreBOM } = dictionary(options);
    this.#encoding = forLabel(`${label}`);
    if (this.#encoding === 0 || this.#encoding === REPLACEMENT)
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
    let source = input === undefined ? NOTHING : bytesOf(input);
    const stream = options !== undefined && Boolean(dictionary(options).stream), state = this.#state;
    const isShort = source.length < SHORT_UTF_8 && this.#encoding === UTF_8 && !stream && !this.#doNotFlush;
    // Not every platform takes shared memory.
    if (isShort && !(this.#flags & FATAL) && source.buffer instanceof ArrayBuffer) {
      state.hasBegun = false;
      return shortDecoders[this.#flags & BOM_REMOVE ? 1 : 0].decode(source);
    }
    state.enter();
    if (!this.#doNotFlush) {
      state.hasBegun = false;
      this.#unread = null;
    }
    this.#doNotFlush = stream;
    if (this.#unread !== null) {
      const joined = new Uint8Array(this.#unread.length + source.length);
      joined.set(this.#unread);
      joined.set(source, this.#unread.length);
      source = joined;
      this.#unread = null;
    }
    const piece = Math.min(source.length, PIECE), capacity = piece + 16, target = SCRATCH + ((piece + 15) & ~15);
    library.reserve(piece + 16 + 2 * capacity);
    if (!state.hasBegun) api.decoder_init(STATE, this.#encoding, this.#flags);
    state.hasBegun = true;
    let decoded = "";
    for (let at = 0, isDone = false; !isDone; ) {
      const part = source.length <= PIECE ? source : source.subarray(at, at + PIECE), { length } = part;
      library.bytes.set(part, SCRATCH);
      const isEnd = at + length === source.length && !stream;
      const decode = this.#isWide && length <= SHORT_WIDE ? api.decode_to_utf16 : exports.whatwg_encoding_decode_native;
      const result = library.convert(decode, SCRATCH, length, target, capacity, isEnd);
      this.#isWide = (result & ARE_BYTES) === 0;
      at += library.read;
      if ((result & RESULT) === MALFORMED) {
        this.#unread = source.slice(at);
        throw new TypeError(`the data is not valid ${this.encoding}`);
      }
      const string = text(target, library.written, result);
      decoded = decoded === "" ? string : decoded + string;
      isDone = (result & RESULT) === INPUT_EMPTY && at === source.length;
    }
    state.hasBegun = stream;
    return decoded;
  }
}

const SHORT = 4096; // units of a text of which the platform's encoder makes UTF-8 sooner
const TINY = 512; // units of a text from which it fills memory, of which a copy is returned, sooner than a new array

function shortAsUTF8(text) {
  if (text.length < TINY) return utf8Encoder.encode(text);
  const capacity = 3 * text.length;
  library.reserve(capacity);
  const { written } = utf8Encoder.encodeInto(text, library.bytes.subarray(SCRATCH, SCRATCH + capacity));
  return library.bytes.slice(SCRATCH, SCRATCH + written);
}

// An encoder, with the state of a stream.
class Encoder {
  #encoding;
  #flags;
  #state = new State();

  constructor(label, options) {
    const { fatal } = dictionary(options);
    this.#encoding = forLabel(`${label}`);
    this.#flags = fatal ? FATAL : 0;
    if (this.#encoding === 0) throw new RangeError(`unknown encoding label: ${label}`);
    this.#state.enter();
    if (api.encoder_init(STATE, this.#encoding, this.#flags) !== 0)
      throw new RangeError(`${this.name} has no encoder`);
  }

  #begin() {
    this.#state.enter();
    if (!this.#state.hasBegun) api.encoder_init(STATE, this.#encoding, this.#flags);
  }

  get name() {
    return NAMES.get(this.#encoding);
  }

  get fatal() {
    return this.#flags === FATAL;
  }

  // Convert units of a text from a position into the scratch memory. A surrogate pair may be split: the state has half.
  #convert(text, at, length, capacity, last) {
    const target = SCRATCH + 2 * length;
    library.reserve(2 * length + capacity);
    const part = length === text.length ? text : text.slice(at, at + length);
    if (copiesStrings) library.buffer.ucs2Write(part, SCRATCH, 2 * length);
    else for (let i = 0, to = SCRATCH / 2; i < length; i++) library.units[to + i] = part.charCodeAt(i);
    const result = library.convert(api.encode_from_utf16, SCRATCH, length, target, capacity, last);
    if (result === UNMAPPABLE) {
      const codePoint = api.unmappable(STATE).toString(16).toUpperCase().padStart(4, "0");
      throw new TypeError(`U+${codePoint} is not in ${this.name.toLowerCase()}`);
    }
    return result;
  }

  encode(text, stream) {
    const isWhole = !this.#state.hasBegun && !stream;
    if (isWhole && this.#encoding === UTF_8 && text.length < SHORT) return shortAsUTF8(text);
    const capacity = 16 * Math.min(text.length, PIECE) + 64, parts = [];
    this.#begin();
    let total = 0;
    for (let at = 0, done = false; !done; ) {
      const length = Math.min(PIECE, text.length - at), isEnd = at + length === text.length;
      const result = this.#convert(text, at, length, capacity, isEnd && !stream), target = SCRATCH + 2 * length;
      const { read, written } = library;
      at += read;
      parts.push(library.bytes.slice(target, target + written));
      total += written;
      done = result === INPUT_EMPTY && at === text.length;
    }
    this.#state.hasBegun = stream;
    if (parts.length === 1) return parts[0];
    const whole = new Uint8Array(total);
    for (let i = 0, at = 0; i < parts.length; at += parts[i++].length) whole.set(parts[i], at);
    return whole;
  }

  encodeInto(text, destination) {
    if (this.name === "ISO-2022-JP") return this.#encodeWholeInto(text, destination);
    const capacity = destination.length, length = Math.min(text.length, capacity + 1); // no unit gives less than a byte
    this.#begin();
    this.#convert(text, 0, length, capacity, true);
    const target = SCRATCH + 2 * length, { read, written } = library;
    if (written > 0) destination.set(library.bytes.subarray(target, target + written)); // a detached one cannot be set
    return { read, written };
  }

  // The longest beginning of a text that fits with the return to ASCII at its end.
  #encodeWholeInto(text, destination) {
    let low = 0, high = Math.min(text.length, destination.length), best = new Uint8Array();
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const encoded = this.encode(text.slice(0, middle - (isInPair(text, middle) ? 1 : 0)), false);
      if (encoded.length <= destination.length) {
        low = middle;
        best = encoded;
      } else {
        high = middle - 1;
      }
    }
    if (best.length > 0) destination.set(best);
    return { read: low - (isInPair(text, low) ? 1 : 0), written: best.length };
  }
}

/**
 * https://encoding.spec.whatwg.org/#interface-textencoder, for all encodings that have an encoder. A character that the
 * encoding lacks becomes a reference such as `&#9731;`, as in forms, or with `fatal` a TypeError.
 */
export class TextEncoder {
  #encoder;

  constructor(label = "utf-8", options = undefined) {
    this.#encoder = new Encoder(label, options);
  }

  get encoding() {
    return this.#encoder.name.toLowerCase();
  }

  get fatal() {
    return this.#encoder.fatal;
  }

  encode(input = "") {
    return this.#encoder.encode(`${input}`, false);
  }

  /** Write what fits of the text. The text ends there: for ISO-2022-JP with the return to ASCII. */
  encodeInto(source, destination) {
    const text = `${source}`;
    if (!ArrayBuffer.isView(destination) || typedArrayName.call(destination) !== "Uint8Array")
      throw new TypeError("the destination is not a Uint8Array");
    return this.#encoder.encodeInto(text, destination);
  }
}

/** https://encoding.spec.whatwg.org/#interface-textdecoderstream */
export class TextDecoderStream {
  #decoder;
  #transform;

  constructor(label = "utf-8", options = undefined) {
    const decoder = new TextDecoder(label, options);
    const enqueue = (controller, text) => text !== "" && controller.enqueue(text);
    this.#decoder = decoder;
    this.#transform = new TransformStream({
      transform: (chunk, controller) => void enqueue(controller, decoder.decode(bytesOf(chunk), { stream: true })),
      flush: (controller) => void enqueue(controller, decoder.decode()),
    });
  }

  get encoding() {
    return this.#decoder.encoding;
  }

  get fatal() {
    return this.#decoder.fatal;
  }

  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }

  get readable() {
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }
}

/** https://encoding.spec.whatwg.org/#interface-textencoderstream, for all encodings that have an encoder. */
export class TextEncoderStream {
  #encoder;
  #transform;

  constructor(label = "utf-8", options = undefined) {
    const encoder = new Encoder(label, options);
    const enqueue = (controller, data) => data.length > 0 && controller.enqueue(data);
    this.#encoder = encoder;
    this.#transform = new TransformStream({
      transform: (chunk, controller) => void enqueue(controller, encoder.encode(`${chunk}`, true)),
      flush: (controller) => void enqueue(controller, encoder.encode("", false)),
    });
  }

  get encoding() {
    return this.#encoder.name.toLowerCase();
  }

  get fatal() {
    return this.#encoder.fatal;
  }

  get readable() {
    return this.#transform.readable;
  }

  get writable() {
    return this.#transform.writable;
  }
}

/** Give classes the properties that Web IDL gives them: their members are enumerable, and their name is a tag. */
export function expose(...classes) {
  for (const { name, prototype } of classes) {
    const members = Object.getOwnPropertyNames(prototype).filter((member) => member !== "constructor");
    for (const member of members) Object.defineProperty(prototype, member, { enumerable: true });
    Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  }
}

expose(TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream);

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
    const encoding = library.forLabel(`${label}`);
    if (encoding === 0) throw new RangeError(`unknown encoding label: ${label}`);
    return encoding;
  });
  const labels = typeof declared === "string" ? [declared] : [...declared];
  const hints = labels.map((label) => library.forLabel(`${label}`));
  return library.detect(source, limit, chosen, hints);
}
