// Mojibake: what a text was before it was decoded with the wrong encoding.

import { mending } from "./snippets.js";
import { byId, element } from "./text.js";

const LONGEST = 2000; // characters of a text that are mended

export class Mend {
  constructor(page) {
    Object.assign(this, page);
  }

  /** Mend what is in the field. */
  run() {
    const given = this.field.text.slice(0, LONGEST);
    const { text, steps } = this.engine.mend(given) ?? { text: given, steps: [] };
    const isCut = given.length < this.field.text.length;
    const cut = isCut ? ` Only the first ${LONGEST.toLocaleString("en")} characters are mended.` : "";
    this.text = text;
    byId("fault").textContent = "";
    byId("mended").replaceChildren(...compared(given, text));
    const ways = steps.map(({ readAs, was }) => `bytes of ${was} were decoded as ${readAs}`).join(", and before that ");
    const finding = ways
      ? `${ways[0].toUpperCase()}${ways.slice(1)}.`
      : "The text is likelier as it is than anything it may have been.";
    byId("misread").textContent = given ? finding + cut : "Type or paste text that looks wrong.";
    this.snippets(mending(this.field.text));
  }
}

/** Return a text with what another one lacks marked, by words. */
function compared(before, after) {
  const old = new Set(before.split(/\s+/));
  return after.split(/(\s+)/).map((word) =>
    (old.has(word) || !word.trim() ? word : element("mark", { textContent: word })));
}
