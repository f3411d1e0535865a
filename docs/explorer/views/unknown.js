// Unknown bytes: what the detector takes them for, with the text under each; and mojibake, mended.

import { Mender } from "../core/mend.js";
import { addressOf } from "./address.js";
import { detecting } from "./snippets.js";
import { byId, bytesOfText, compact, element, shown } from "./text.js";

const SHOWN = 300; // characters of each text
const SAMPLE = 4000; // bytes of a long input that each guess decodes
const MOST_MENDED = 12;
const LINE = 2000; // characters of a text that are mended at once

export class Unknown {
  constructor(page) {
    Object.assign(this, page);
    this.mender = new Mender(page.engine, page.data.pairs);
    this.file = null;
    byId("unknown-bytes").addEventListener("input", () => {
      this.file = null;
      this.#detect();
      this.address.put({ detect: this.#written() }, "detect");
    });
    byId("mojibake").addEventListener("input", () => {
      this.#mend();
      this.address.put({ repair: byId("mojibake").value }, "repair");
    });
    byId("unknown-file").addEventListener("change", ({ target }) => target.files[0] && this.open(target.files[0]));
  }

  /** Show a state of the address. */
  show(state) {
    if (state.detect !== undefined && !(this.file && state.file)) this.file = null;
    if (state.detect !== undefined && !this.file) byId("unknown-bytes").value = state.detect;
    if (state.repair !== undefined) byId("mojibake").value = state.repair;
    this.#detect();
    this.#mend();
  }

  // Hexadecimal as an address has it, or else as it is written.
  #written() {
    const { value } = byId("unknown-bytes");
    return this.as === "hex" ? compact(this.bytes) : value;
  }

  /** Take the bytes of a file. @param {File} file */
  async open(file) {
    this.file = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
    byId("unknown-bytes").value = `${file.name}: ${this.file.bytes.length.toLocaleString("en")} bytes`;
    this.address.put({ detect: "", file: file.name });
    this.#detect();
  }

  #detect() {
    byId("unknown-fault").textContent = "";
    byId("guesses").replaceChildren();
    try {
      const { bytes, as } = this.file ? { bytes: this.file.bytes, as: "file" } : bytesOfText(byId("unknown-bytes").value);
      this.bytes = bytes;
      this.as = as;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      byId("unknown-fault").textContent = error.message;
      return;
    }
    if (!this.bytes.length) return;
    const guesses = this.engine.detect(this.bytes);
    const sample = this.bytes.subarray(0, SAMPLE), isHead = sample.length < this.bytes.length;
    byId("guesses").replaceChildren(...guesses.map(({ encoding, bits }, at) => {
      const { text, errors } = this.engine.decoder(encoding, "remove").push(sample, !isHead);
      const address = { label: encoding.toLowerCase(), bytes: compact(this.bytes.subarray(0, 4000)) };
      return element("tr", {},
        element("th", { scope: "row", textContent: String(at + 1) }),
        element("td", { data: { what: "encoding" } }, element("a", { href: addressOf(address), textContent: encoding })),
        element("td", { data: { what: "bits" }, textContent: bits.toLocaleString("en") }),
        element("td", { data: { what: "errors" }, textContent: errors.length ? String(errors.length) : "" }),
        element("td", { data: { what: "text" }, className: "sample", textContent: text.slice(0, SHOWN) }));
    }));
    byId("guess-count").textContent = guesses.length
      ? `${guesses.length === 1 ? "One encoding" : `${guesses.length} encodings`}, the likeliest first: fewer bits are likelier${isHead ? `. The texts are those of the first ${SAMPLE.toLocaleString("en")} bytes` : ""}.`
      : "No encoding: the bytes rule out all that are in use.";
    this.snippets(detecting(this.bytes, this.file?.name));
  }

  #mend() {
    const text = byId("mojibake").value.slice(0, LINE);
    byId("mended").replaceChildren();
    byId("mended-count").textContent = "";
    if (!text) return;
    const found = this.mender.candidates(text);
    byId("mended-count").textContent = found[0].steps.length ? "The likeliest first:" : "The text is likelier as it is than what it may have been.";
    byId("mended").replaceChildren(...found.slice(0, MOST_MENDED).map(({ text: meant, bits, steps }, at) => {
      const how = steps.map(({ readAs, was }) => `${was}, read as ${readAs}`).join("; before that ");
      return element("tr", { className: at ? "" : "best" },
        element("th", { scope: "row", textContent: String(at + 1) }),
        element("td", { data: { what: "was" }, textContent: how || "as it is" }),
        element("td", { data: { what: "bits" }, textContent: bits.toLocaleString("en") }),
        element("td", { data: { what: "text" }, className: "sample", textContent: meant.slice(0, SHOWN), title: shown(meant.slice(0, 40)) }));
    }));
  }
}
