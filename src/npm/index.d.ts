export interface TextDecoderOptions {
  fatal?: boolean;
  ignoreBOM?: boolean;
}

/** https://encoding.spec.whatwg.org/#interface-textdecoder, the same in every browser and runtime. */
export class TextDecoder {
  /** @throws RangeError if the label names no encoding, or replacement. */
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** @throws TypeError for an error, with `fatal`. */
  decode(input?: ArrayBufferLike | ArrayBufferView, options?: { stream?: boolean }): string;
}

/** The standard's TextEncoder, for every encoding that has an encoder. */
export class TextEncoder {
  /** @throws RangeError if the label names no encoding, or one without an encoder. */
  constructor(label?: string, options?: { fatal?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  /**
   * A character that the encoding lacks becomes a reference such as `&#9731;`.
   * @throws TypeError for such a character, with `fatal`.
   */
  encode(input?: string): Uint8Array;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
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
export function detect(input: ArrayBufferLike | ArrayBufferView, options?: DetectOptions): Guess[];
