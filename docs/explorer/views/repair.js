// Mojibake: what a text was before it was decoded with the wrong encoding.

import { mending } from "./snippets.js";
import { byId, collapse, element, shown } from "./text.js";

const SHOWN = 300; // characters of each text
const MOST = 12; // candidates
const NEAR = 30; // bits above the best one: what costs more is nonsense
const LINE = 2000; // characters of a text that are mended at once

const history = (steps) => steps.map(({ readAs, was }) => `${was}, read as ${readAs}`).join("; before that ");

export class Mend {
  label = "utf-8";

  constructor(page) {
    Object.assign(this, page);
  }

  show() {
    this.run();
  }

  get state() {
    return { repair: this.field.text };
  }

  get bytes() {
    return new TextEncoder().encode(this.field.text);
  }

  /** Mend what is in the field. */
  run() {
    const text = this.field.text.slice(0, LINE), found = text ? this.mender.candidates(text) : [];
    this.text = found[0]?.text ?? "";
    byId("fault").textContent = "";
    byId("mended-text").replaceChildren(...(text ? compared(text, this.text) : []));
    const [best] = found, cut = this.field.text.length > LINE ? ` Only the first ${LINE.toLocaleString("en")} characters are mended.` : "";
    byId("mended-count").textContent = !text ? "Type or paste text that looks wrong."
      : best.steps.length
        ? `${best.steps.map(({ readAs, was }) => `Bytes of ${was} were decoded as ${readAs}`).join(", and then again: ")}.${cut}`
        : `The text is likelier as it is than anything it may have been.${cut}`;
    byId("mended").replaceChildren(...found.slice(0, MOST).map(({ text: meant, bits, steps }, at) =>
      element("tr", { className: at ? "" : "best" },
        element("th", { scope: "row", textContent: String(at + 1) }),
        element("td", { data: { what: "text" }, className: "sample", textContent: meant.slice(0, SHOWN), title: shown(meant.slice(0, 40)) }),
        element("td", { data: { what: "was" }, textContent: history(steps) || "as it is" }),
        element("td", { data: { what: "bits" }, textContent: bits.toLocaleString("en") }))));
    // The text as it is stays in sight, to compare with.
    collapse(byId("mended"), byId("more-mended"), (at) => found[at].bits < best.bits + NEAR || !found[at].steps.length);
    this.snippets(mending(this.field.text));
  }
}

/** Return a text with what another one lacks marked, by words. */
function compared(before, after) {
  const old = new Set(before.split(/\s+/));
  return after.split(/(\s+)/).map((word) => (old.has(word) || !word.trim() ? word : element("mark", { textContent: word })));
}
