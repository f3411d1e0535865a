// Unknown bytes: what the detector takes them for, with the text under each.

import { addressOf } from "./address.js";
import { detecting } from "./snippets.js";
import { byId, compact, element, plural, worded } from "./text.js";

const SHOWN = 300; // characters of each text
const SAMPLE = 4000; // bytes of a long input that each guess decodes
const SURE = 10; // bits by which the next guess costs more: odds of a thousand to one

export class Identify {
  constructor(page) {
    Object.assign(this, page);
  }

  /** Detect the encoding of what is in the field. */
  run() {
    byId("fault").textContent = byId("guess-count").textContent = "";
    byId("guesses").replaceChildren();
    byId("snippets").replaceChildren();
    Object.assign(this, { bytes: new Uint8Array(), text: "", label: "utf-8" });
    try {
      this.bytes = this.field.written().bytes;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      byId("fault").textContent = error.message;
      return;
    }
    if (!this.bytes.length) {
      byId("guess-count").textContent = "Type or paste bytes, or open a file.";
      return;
    }
    const guesses = this.engine.detect(this.bytes);
    const sample = this.bytes.subarray(0, SAMPLE), isHead = sample.length < this.bytes.length;
    byId("guesses").replaceChildren(...guesses.map(({ encoding, bits }, at) => {
      const { text, errors } = this.engine.decoder(encoding, "remove").push(sample, !isHead);
      if (!at) Object.assign(this, { text, label: encoding.toLowerCase() });
      const address = { label: encoding.toLowerCase(), bytes: compact(sample) };
      const cost = worded("data", "quiet", plural(bits, "bit"), { value: bits });
      const damage = errors.length ? [", ", worded("span", "why", plural(errors.length, "error"))] : [];
      return element("li", {},
        element("a", { href: addressOf(address), textContent: encoding }), " ", cost, ...damage,
        worded("div", "sample", text.slice(0, SHOWN)));
    }));
    byId("guess-count").textContent = guesses.length
      ? verdict(guesses) + (isHead ? ` The texts are those of the first ${SAMPLE.toLocaleString("en")} bytes.` : "")
      : "No encoding fits: the bytes rule out all that are in use.";
    this.snippets(detecting(this.bytes, this.field.file?.name));
  }
}

// How sure the first guess is.
function verdict([best, next]) {
  const { encoding } = best;
  if (!next) return `This is ${encoding}: no other encoding fits.`;
  const bits = plural(next.bits - best.bits, "bit");
  const finding = next.bits - best.bits < SURE
    ? `This may be ${encoding} or ${next.encoding}: their costs differ by only ${bits}`
    : `This is most likely ${encoding}. As ${next.encoding}, the text costs ${bits} more`;
  return `${finding}, and each bit halves the odds.`;
}
