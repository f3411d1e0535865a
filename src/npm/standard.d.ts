export { TextDecoder, TextDecoderStream } from "./index.js";

/** https://encoding.spec.whatwg.org/#interface-textencoder: UTF-8 alone. */
export class TextEncoder {
  constructor();
  readonly encoding: string;
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array<ArrayBufferLike>): { read: number; written: number };
}

/** https://encoding.spec.whatwg.org/#interface-textencoderstream: UTF-8 alone. */
export class TextEncoderStream {
  constructor();
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<string>;
}

/** Put the four classes in the place of those of a global object: `globalThis` without an argument. */
export function install(target?: object): void;
