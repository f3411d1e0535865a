// Mojibake: text that was decoded with the wrong encoding, back to what was meant, and other readings beside it. The
// model of text that decides is the detector's; the package's `repair` decides by a table of good lines instead.

const LAYERS = 4; // misreadings of the same text
const WIDTH = 3; // texts of a layer that are examined further
const LAYER = 6; // bits against each misreading
const LEGACY = 5; // bits against an encoding other than UTF-8
const MARGIN = 6; // bits by which what was meant must be likelier
const WORSE = 30; // bits by which a text on the way may be unlikelier
const GUESSES = 2; // of the detector, for each reading
const PART = 8; // bits against some words in UTF-8 among others
const UNUSUAL_PART = 30; // if they were read as something else than
const USUAL = new Set(["windows-1252", "iso-8859-1"]);

// What the model does not know, and the bits for each: letters of other scripts within a Latin word, repeated
// characters, rules of box drawings.
const FOREIGN = /(?<=[a-z])[\u0370-\u052f\u3400-\u9fff\uff61-\uff9f]{1,2}(?=[a-z])|(?<=[a-z]{2})[\u0370-\u052f\u3400-\u9fff\uff61-\uff9f](?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])[\u3400-\u9fff\uff61-\uff9f](?=[a-z]{2})/gu;
const RULES = /(?<![\xa0-\u052f])(?:(?<![\p{L}\p{N}_])[\u2500-\u259f]+(?![\xa0-\u052f])|[\u2500-\u259f]+(?![\xa0-\u052f\p{L}\p{N}_]))/gu;
const REPEATED = /([^\x00-\x7f])\1+/gu;
const OF_FOREIGN = 8;

/** @typedef {{text: string, bits: number, steps: {readAs: string, was: string}[]}} Mended the first misreading first */

export class Mender {
  /** @param {{readAs: Record<string, number>, utf8ReadAs: Record<string, number>, codePages: Record<string, string>}} pairs */
  constructor(engine, pairs) {
    this.engine = engine;
    this.legacy = new Set(Object.keys(pairs.readAs));
    this.against = new Map([...Object.entries(pairs.readAs), ...Object.entries(pairs.utf8ReadAs)]);
    this.codePages = new Map(Object.entries(pairs.codePages).map(([name, high]) =>
      [name, new Map(Array.from(high, (character, at) => [character.codePointAt(0), at + 0x80]))]));
  }

  cost(text) {
    const plain = text.replace(RULES, " ").replace(REPEATED, "$1");
    return this.engine.textCost(plain) + OF_FOREIGN * (plain.match(FOREIGN)?.length ?? 0);
  }

  // The bytes that were read as a text with an encoding, null if there are none.
  #bytes(name, codePoints) {
    const page = this.codePages.get(name);
    if (page) {
      const bytes = codePoints.map((one) => (one < 0x80 ? one : page.get(one)));
      return bytes.includes(undefined) ? null : Uint8Array.from(bytes);
    }
    const found = this.engine.encoder(name).push(Uint32Array.from(codePoints), true);
    return found.errors.length ? null : found.bytes;
  }

  #decoded(name, bytes) {
    const found = this.engine.decoder(name).push(bytes, true);
    return found.errors.length ? null : found.text;
  }

  // A text whose runs beyond ASCII that were UTF-8 are as they were, whatever the others are.
  #partly(name, text) {
    return text.replace(/[^\x00-\x7f]+/gu, (run) => {
      const bytes = this.#bytes(name, Array.from(run, (one) => one.codePointAt(0)));
      return (bytes && this.#decoded("UTF-8", bytes)) ?? run;
    });
  }

  /** Yield what a text may have been before it was misread once, with the bits against that. */
  *misreadings(text) {
    const codePoints = Array.from(text, (one) => one.codePointAt(0));
    const hasControls = codePoints.some((one) => one >= 0x80 && one < 0xA0);
    for (const [readAs, against] of this.against) {
      if (readAs === "iso-8859-1" && !hasControls) continue; // as windows-1252
      const bytes = this.#bytes(readAs, codePoints);
      const whole = bytes && this.#decoded("UTF-8", bytes);
      const utf8 = whole ?? this.#partly(readAs, text);
      const more = whole !== null ? 0 : USUAL.has(readAs) ? PART : UNUSUAL_PART;
      if (utf8 !== text) yield { text: utf8, against: against + more, step: { readAs, was: "UTF-8" } };
      if (!this.legacy.has(readAs) || bytes === null || whole !== null) continue;
      for (const { encoding: was } of this.engine.detect(bytes).slice(0, GUESSES)) {
        const meant = was === readAs || was === "UTF-8" ? null : this.#decoded(was, bytes);
        if (meant !== null && meant !== text) yield { text: meant, against: against + LEGACY, step: { readAs, was } };
      }
    }
  }

  /**
   * Return what a text may have been, the likeliest first; the text itself is among them, without steps.
   * @param {string} text @returns {Mended[]}
   */
  candidates(text) {
    const own = this.cost(text), found = [{ text, bits: own, steps: [] }], seen = new Set([text]);
    let layer = [{ text, bits: own, steps: [], against: 0 }];
    for (let depth = 0; depth < LAYERS && layer.length; depth++) {
      const next = [];
      for (const each of layer) {
        for (const { text: meant, against, step } of this.misreadings(each.text)) {
          if (seen.has(meant)) continue;
          seen.add(meant);
          const all = each.against + against + LAYER;
          next.push({ text: meant, bits: this.cost(meant) + all, steps: [...each.steps, step], against: all });
        }
      }
      next.sort((a, b) => a.bits - b.bits);
      found.push(...next);
      layer = next.slice(0, WIDTH).filter(({ bits }) => bits < own + WORSE);
    }
    found.sort((a, b) => a.bits - b.bits);
    // What is not likelier by a margin stays as it is.
    const at = found.findIndex(({ steps }) => !steps.length);
    if (at > 0 && own - found[0].bits < MARGIN) found.unshift(...found.splice(at, 1));
    return found.map(({ text: meant, bits, steps }) => ({ text: meant, bits, steps }));
  }
}
