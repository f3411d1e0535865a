// A character: its name, and its bytes in every encoding.

import { addressOf } from "./address.js";
import { Cells } from "./cells.js";
import { lookingUp } from "./snippets.js";
import { byId, codeName, element, hex, plural, visible } from "./text.js";

const MOST = 24; // characters of a text to choose from

/** Return the number of a code point that is written as U+3042, null if the text is none. A plus of an address is a space. */
export function codePointWritten(text) {
  const match = /^\s*(?:U[+ ]|&#x)([0-9a-f]{1,8});?\s*$/i.exec(text);
  return match && parseInt(match[1], 16);
}

export class Lookup {
  label = "utf-8";

  constructor(page) {
    Object.assign(this, page);
    this.cells = new Cells(page);
  }

  show() {
    this.run();
  }

  get state() {
    return { character: this.field.text };
  }

  get bytes() {
    return new TextEncoder().encode(this.text);
  }

  /** Show the first character of what is in the field. */
  run() {
    const { text } = this.field, number = codePointWritten(text);
    byId("fault").textContent = "";
    byId("characters").replaceChildren();
    for (const id of ["character", "snippets"]) byId(id).replaceChildren();
    this.text = text;
    if (number !== null) {
      const why = number > 0x10FFFF ? `U+${hex(number)} doesn’t exist: code points end at U+10FFFF.`
        : number >= 0xD800 && number <= 0xDFFF ? `${codeName(number)} is a surrogate, half of a pair in UTF-16. It is no character, so no encoding has bytes for it.` : "";
      byId("fault").textContent = why;
      this.text = why ? "" : String.fromCodePoint(number);
    }
    const all = [...new Set(this.text.length > 1 ? Array.from(this.text.slice(0, 4000)).filter((one) => one.trim()) : this.text)];
    if (!all.length) {
      if (!byId("fault").textContent) byId("character").append("Type or paste a character, or a code point such as U+20AC.");
      return;
    }
    if (all.length > 1) {
      byId("characters").append(...all.slice(0, MOST).map((one, at) => element("a", {
        href: addressOf({ character: one }), textContent: visible(one.codePointAt(0)) || codeName(one.codePointAt(0)),
        ...(at ? {} : { aria: { current: "true" } }),
      })));
    }
    this.#tell(all[0].codePointAt(0));
  }

  #tell(codePoint) {
    this.snippets(lookingUp(codePoint));
    const rows = this.cells.everywhere(codePoint), name = this.cells.name(codePoint);
    const have = new Set(rows.flatMap(([, encodings]) => encodings.split(", ")));
    const lacking = this.engine.encodings.map((one) => one.name).filter((one) => !have.has(one) && one !== "replacement");
    const places = [...this.indexes.values()].filter(({ layouts }) => layouts?.length)
      .flatMap((index) => index.pointersOf(codePoint).slice(0, 1).map((pointer) => [index.name, pointer]));
    byId("character").append(
      element("div", { className: "portrait" },
        element("span", { className: "glyph", textContent: visible(codePoint) || (/\p{Z}/u.test(String.fromCodePoint(codePoint)) ? "␣" : ""), aria: { hidden: "true" } }),
        element("div", {},
          element("h2", { textContent: name || "A character whose name is not in the page" }),
          element("p", { className: "code", textContent: codeName(codePoint) }),
          element("p", { className: "quiet", textContent: `In ${have.size} of ${have.size + lacking.length} encodings, as ${plural(rows.length, "sequence")} of bytes.` }),
          element("dl", { className: "escapes" }, ...escapes(codePoint).map(([where, text]) => element("div", {},
            element("dt", { textContent: where }), element("dd", {}, element("code", { textContent: text }))))))),
      element("ul", { className: "forms" }, ...rows.map(([bytes, encodings]) => {
        const first = encodings.split(", ")[0];
        return element("li", {},
          element("a", { className: "bytes", href: addressOf({ label: first.toLowerCase(), bytes: bytes.replaceAll(" ", "").toLowerCase() }), textContent: bytes }),
          element("span", {}, ...encodings.split(", ").flatMap((one, at) => [at ? ", " : "", element("span", { className: "whole", textContent: one })])));
      })),
      ...(lacking.length ? [element("p", { className: "lacking" }, element("b", { textContent: "Not in " }), lacking.join(", "), ".")] : []),
      ...(places.length ? [element("p", {}, element("b", { textContent: "In the indexes: " }), ...places.flatMap(([index, pointer], at) => [
        at ? ", " : "", element("a", { className: "whole", href: addressOf({ table: index, at: `pointer-${pointer}` }), textContent: index })]))] : []));
  }
}

// How a character is written where it can’t stand for itself.
function escapes(codePoint) {
  const text = String.fromCodePoint(codePoint), units = Array.from({ length: text.length }, (_, at) => `\\u${hex(text.charCodeAt(at), 4)}`);
  const url = Array.from(new TextEncoder().encode(text), (byte) => `%${hex(byte)}`).join("");
  return [["HTML", `&#x${hex(codePoint)};`], ["URL", url], ["JavaScript, JSON", units.join("")]];
}
