// A session: one input, decoded or encoded by the engine, and step by step by the standard's algorithm.

import { joined } from "./engine.js";
import { END_OF_QUEUE, HandlerError } from "./machine.js";

const CHUNK = 1 << 14; // items between two states that are kept
const MOST_ERRORS = 1000; // whose positions are kept

/**
 * @typedef {{direction: "decode" | "encode", label: string, errors: string, bom?: string}} Options
 * @typedef {import("./machine.js").Call} Call
 * @typedef {{offset: number, item: number | null, emitted: string | Uint8Array, pending: number,
 *   errors: import("./engine.js").Span[], calls: Call[]}} Row what an item did: null is the end of the input
 */

/** Return the scalar values of a text: a lone surrogate counts as U+FFFD. */
export function scalarValues(text) {
  return Uint32Array.from(text, (character) => {
    const codePoint = character.codePointAt(0);
    return codePoint >= 0xD800 && codePoint <= 0xDFFF ? 0xFFFD : codePoint;
  });
}

export class Session {
  /** @param {Options} options @param {Uint8Array | Uint32Array} items bytes, or code points */
  constructor(engine, machine, options, items) {
    const encoding = engine.forLabel(options.label);
    if (!encoding) throw new RangeError(`“${options.label.slice(0, 60)}” is not the label of an encoding.`);
    Object.assign(this, { encoding, items });
    this.isDecoder = options.direction === "decode";
    this.isFatal = options.errors === "fatal";
    this.handler = machine.handler(encoding, this.isDecoder ? "decoder" : "encoder");
    if (!this.handler) throw new RangeError(`${encoding.name} has no encoder: forms and URLs use UTF-8 instead.`);
    this.stream = this.isDecoder ? engine.decoder(encoding.name, options.bom) : engine.encoder(encoding.name);
    this.at = 0; // what is converted
    this.parts = [];
    this.errors = [];
    this.errorCount = 0;
    this.isDone = false;
    this.agrees = true;
    // The algorithm of an encoding does not see a byte order mark that the hook before it removes.
    this.isWhole = !this.isDecoder || !options.bom || options.bom === "keep";
    this.kept = [this.#state()]; // before each chunk
  }

  #state() {
    const { members, isFinished } = this.handler;
    return { members: { ...members }, isFinished, stream: this.stream.copy() };
  }

  /** Convert the next chunk by the engine and by the algorithm, and compare what they emit. */
  step() {
    const end = Math.min(this.at + CHUNK, this.items.length), chunk = this.items.subarray(this.at, end), output = [];
    this.isDone = end === this.items.length;
    const { text, bytes, errors } = this.stream.push(chunk, this.isDone);
    const take = (value) => {
      if (value instanceof HandlerError) {
        if (this.isDecoder) output.push("\uFFFD");
        else output.push(`&#${value.codePoint};`);
      } else if (Array.isArray(value)) {
        output.push(this.isDecoder ? String.fromCodePoint(...value) : String.fromCharCode(...value));
      }
    };
    for (const item of chunk) this.handler.push(item, take);
    if (this.isDone) this.handler.push(END_OF_QUEUE, take);
    // What is read and not yet emitted at a chunk's end is the same for both.
    if (this.isWhole) this.agrees &&= output.join("") === (text ?? characters(bytes));
    this.parts.push(text ?? bytes);
    this.errorCount += errors.length;
    this.errors.push(...errors.slice(0, MOST_ERRORS - this.errors.length));
    this.at = end;
    if (!this.isDone) this.kept.push(this.#state());
  }

  /** Convert all that is left. */
  finish() {
    while (!this.isDone) this.step();
    return this;
  }

  /** The text, or null if an error is fatal. @returns {string | Uint8Array | null} */
  get result() {
    if (this.isFatal && this.errorCount) return null;
    return this.isDecoder ? this.parts.join("") : joined(this.parts);
  }

  /** How long the text or the bytes are so far. */
  get length() {
    return this.parts.reduce((sum, part) => sum + part.length, 0);
  }

  /** The start of the text or the bytes, null if an error is fatal. @returns {string | Uint8Array | null} */
  head(most) {
    if (this.isFatal && this.errorCount) return null;
    const parts = [];
    for (let at = 0, size = 0; at < this.parts.length && size < most; size += this.parts[at++].length) {
      parts.push(this.parts[at]);
    }
    if (!this.isDecoder) return joined(parts).slice(0, most);
    const text = parts.join("").slice(0, most);
    return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
  }

  /** Return the rows of some items, and of the end if they reach it. @returns {Row[]} */
  rows(from, count) {
    const start = Math.min(Math.floor(from / CHUNK), this.kept.length - 1);
    const { members, isFinished, stream } = this.kept[start];
    const handler = Object.assign(Object.create(Object.getPrototypeOf(this.handler)), this.handler, {
      members: { ...members }, queue: [], isFinished,
    });
    const engine = stream.copy(), first = start * CHUNK;
    const end = Math.min(from + count, this.items.length);
    if (from > first) engine.push(this.items.subarray(first, from));
    for (const item of this.items.subarray(first, from)) handler.push(item, () => {});
    const rows = [];
    const last = end === this.items.length ? end : end - 1;
    for (let offset = from; offset <= last; offset++) {
      rows.push(this.#row(engine, handler, offset));
      if (this.isFatal && rows.at(-1).errors.length) break;
    }
    return rows;
  }

  #row(engine, handler, offset) {
    const isEnd = offset === this.items.length;
    const { text, bytes, errors, pending = 0 } = engine.push(this.items.subarray(offset, offset + 1), isEnd);
    const item = isEnd ? null : this.items[offset];
    const calls = [];
    handler.push(isEnd ? END_OF_QUEUE : item, (call) => calls.push(call), offset);
    return { offset, item, emitted: text ?? bytes, pending, errors, calls };
  }
}

/** Return a character for each byte. @param {Uint8Array} bytes */
export function characters(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 4096) parts.push(String.fromCharCode(...bytes.subarray(at, at + 4096)));
  return parts.join("");
}
