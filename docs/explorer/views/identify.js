// Unknown bytes: what the detector takes them for, with the text under each.

import { addressOf } from "./address.js";
import { detecting } from "./snippets.js";
import { byId, compact, element } from "./text.js";

const SHOWN = 300; // characters of each text
const SAMPLE = 4000; // bytes of a long input that each guess decodes

export class Identify {
  constructor(page) {
    Object.assign(this, page);
  }

  show() {
    this.run();
  }

  get state() {
    const { field } = this, state = { detect: field.file ? "" : field.address() };
    if (field.file) state.file = field.file.name;
    else if (field.as !== "auto") state.as = field.as;
    return state;
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
    if (!this.bytes.length) return;
    const guesses = this.engine.detect(this.bytes);
    const sample = this.bytes.subarray(0, SAMPLE), isHead = sample.length < this.bytes.length;
    const most = Math.max(1, ...guesses.map(({ bits }) => bits));
    byId("guesses").replaceChildren(...guesses.map(({ encoding, bits }, at) => {
      const { text, errors } = this.engine.decoder(encoding, "remove").push(sample, !isHead);
      if (!at) Object.assign(this, { text, label: encoding.toLowerCase() });
      const address = { label: encoding.toLowerCase(), bytes: compact(sample) };
      const bar = element("span", { className: "gauge", aria: { hidden: "true" } });
      bar.style.setProperty("--part", String(Math.max(0.02, bits / most)));
      return element("tr", { className: at ? "" : "best" },
        element("th", { scope: "row", textContent: String(at + 1) }),
        element("td", { data: { what: "encoding" } }, element("a", { href: addressOf(address), textContent: encoding })),
        element("td", { data: { what: "text" }, className: "sample", textContent: text.slice(0, SHOWN) }),
        element("td", { data: { what: "bits" } }, bits.toLocaleString("en"), bar),
        element("td", { data: { what: "errors" }, textContent: errors.length ? String(errors.length) : "" }));
    }));
    byId("guess-count").textContent = guesses.length
      ? `${guesses.length === 1 ? "One encoding fits" : `${guesses.length} encodings fit`}. The likeliest comes first and costs the fewest bits${isHead ? `; the texts are those of the first ${SAMPLE.toLocaleString("en")} bytes` : ""}.`
      : "No encoding fits: the bytes rule out all that are in use.";
    this.snippets(detecting(this.bytes, this.field.file?.name));
  }
}
