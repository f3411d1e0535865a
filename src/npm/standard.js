// The standard's four classes, exactly: TextEncoder and TextEncoderStream know UTF-8 alone, whatever they are given.
import * as all from "./index.js";

export const { TextDecoder, TextDecoderStream } = all;

/** https://encoding.spec.whatwg.org/#interface-textencoder */
export class TextEncoder {
  #encoder = new all.TextEncoder();

  get encoding() {
    return this.#encoder.encoding;
  }

  encode(input = "") {
    return this.#encoder.encode(input);
  }

  encodeInto(source, destination) {
    return this.#encoder.encodeInto(source, destination);
  }
}

/** https://encoding.spec.whatwg.org/#interface-textencoderstream */
export class TextEncoderStream {
  #stream = new all.TextEncoderStream();

  get encoding() {
    return this.#stream.encoding;
  }

  get readable() {
    return this.#stream.readable;
  }

  get writable() {
    return this.#stream.writable;
  }
}

all.expose(TextEncoder, TextEncoderStream);

/** Put the four classes in the place of those of a global object, whose decoders may be wrong or missing. */
export function install(target = globalThis) {
  for (const value of [TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream]) {
    Object.defineProperty(target, value.name, { value, writable: true, configurable: true, enumerable: false });
  }
}
