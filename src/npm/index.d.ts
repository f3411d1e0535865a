/** Bytes: a buffer or a view of one, of any kind, which may be shared with other threads. */
export type Bytes = ArrayBufferLike | ArrayBufferView<ArrayBufferLike>;

export interface TextDecoderOptions {
  /** Throw a TypeError for an error, in place of U+FFFD. */
  fatal?: boolean;
  /** Keep a byte order mark as U+FEFF. */
  ignoreBOM?: boolean;
}

/** https://encoding.spec.whatwg.org/#interface-textdecoder, the same in every browser and runtime. */
export class TextDecoder {
  /** @throws RangeError if the label names no encoding, or replacement. */
  constructor(label?: string, options?: TextDecoderOptions | null);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** @throws TypeError for an error, with `fatal`. */
  decode(input?: Bytes, options?: { stream?: boolean } | null): string;
}

export interface TextEncoderOptions {
  /** Throw a TypeError for a character that the encoding lacks, in place of a reference such as `&#9731;`. */
  fatal?: boolean;
}

/** The standard's TextEncoder, for every encoding that has an encoder. */
export class TextEncoder {
  /** @throws RangeError if the label names no encoding, or one without an encoder. */
  constructor(label?: string, options?: TextEncoderOptions | null);
  readonly encoding: string;
  readonly fatal: boolean;
  /** @throws TypeError for a character that the encoding lacks, with `fatal`. */
  encode(input?: string): Uint8Array<ArrayBuffer>;
  /** Write what fits of the text: `read` units of it as `written` bytes. */
  encodeInto(source: string, destination: Uint8Array<ArrayBufferLike>): { read: number; written: number };
}

/** https://encoding.spec.whatwg.org/#interface-textdecoderstream */
export class TextDecoderStream {
  /** @throws RangeError if the label names no encoding, or replacement. */
  constructor(label?: string, options?: TextDecoderOptions | null);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}

/** The standard's TextEncoderStream, for every encoding that has an encoder. */
export class TextEncoderStream {
  /** @throws RangeError if the label names no encoding, or one without an encoder. */
  constructor(label?: string, options?: TextEncoderOptions | null);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<string>;
}

export interface Encoding {
  readonly name: string;
  readonly labels: readonly string[];
}

/** The 40 encodings, in the standard's order. */
export const encodings: readonly Encoding[];

/** Return the name of the encoding that a label names, or null. */
export function labelToName(label: string): string | null;

export interface Guess {
  encoding: string;
  bits: number;
}

export interface DetectOptions {
  /** The bytes that are examined, 16384 without it. */
  limit?: number;
  /** Labels of the encodings to choose among. */
  candidates?: Iterable<string>;
  /** One or more labels that the text was declared with, the weightiest first. */
  declared?: string | Iterable<string>;
}

/** Return the encodings that bytes may be in, the likeliest first; fewer bits are likelier. */
export function detect(input: Bytes, options?: DetectOptions | null): Guess[];
