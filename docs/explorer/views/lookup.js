// A character: its name, and its bytes in every encoding.

import { addressOf } from "./address.js";
import { lookingUp } from "./snippets.js";
import { byId, codeName, element, hex, nameOf, spaced, visible } from "./text.js";

const MOST = 24; // characters of a text to choose from

/** Return the number of a code point that is written as U+3042, else null. A plus of an address is a space. */
export function codePointWritten(text) {
  const match = /^\s*(?:U[+ ]|&#x)([0-9a-f]{1,8});?\s*$/i.exec(text);
  return match && parseInt(match[1], 16);
}

export class Lookup {
  constructor(page) {
    Object.assign(this, page);
  }

  /** Show the first character of what is in the field. */
  run() {
    const number = codePointWritten(this.field.text);
    byId("fault").textContent = "";
    byId("characters").replaceChildren();
    for (const id of ["character", "snippets"]) byId(id).replaceChildren();
    this.text = this.field.text;
    if (number !== null) {
      const surrogate = `${codeName(number)} is a surrogate, half of a pair in UTF-16. `
        + "It is no character, so no encoding has bytes for it.";
      const why = number > 0x10FFFF ? `U+${hex(number)} doesn’t exist: code points end at U+10FFFF.`
        : number >= 0xD800 && number <= 0xDFFF ? surrogate : "";
      byId("fault").textContent = why;
      this.text = why ? "" : String.fromCodePoint(number);
    }
    const isOne = this.text.length < 2, text = this.text.slice(0, 4000);
    const characters = [...new Set(isOne ? text : Array.from(text).filter((character) => character.trim()))];
    if (!characters.length) {
      const hint = "Type or paste a character, or a code point such as U+20AC.";
      if (!byId("fault").textContent) byId("character").append(hint);
      return;
    }
    if (characters.length > 1) {
      byId("characters").append(...characters.slice(0, MOST).map((character, at) => element("a", {
        href: addressOf({ character }),
        textContent: visible(character.codePointAt(0)) || codeName(character.codePointAt(0)),
        ...(at ? {} : { aria: { current: "true" } }),
      })));
    }
    this.#tell(characters[0].codePointAt(0));
  }

  // What there is to say of a character: a portrait, its bytes by encoding, and its place in the indexes.
  #tell(codePoint) {
    this.snippets(lookingUp(codePoint));
    const { encodings } = this.engine, forms = new Map(); // the encodings of each sequence of bytes
    for (const { name, hasEncoder } of encodings) {
      const bytes = hasEncoder ? this.engine.bytesOf(name, codePoint) : bytesInUTF16(codePoint, name);
      const key = bytes && spaced(bytes);
      if (bytes) forms.set(key, [...forms.get(key) ?? [], name]);
    }
    const having = new Set(["replacement", ...[...forms.values()].flat()]);
    const lacking = encodings.map(({ name }) => name).filter((name) => !having.has(name));
    const places = [...this.indexes.values()].filter(({ layouts }) => layouts?.length)
      .flatMap((index) => index.pointersOf(codePoint).slice(0, 1).map((pointer) => [index.name, pointer]));
    const inIndexes = places.map(([table, pointer]) =>
      whole("a", { href: addressOf({ table, at: `pointer-${pointer}` }), textContent: table }));
    byId("character").append(
      this.#portrait(codePoint),
      element("ul", { className: "forms" }, ...Array.from(forms, form)),
      ...(lacking.length ? [element("p", { className: "lacking" }, bold("Not in "), lacking.join(", "), ".")] : []),
      ...(places.length ? [element("p", {}, bold("In the indexes: "), ...listed(inIndexes))] : []));
  }

  #portrait(codePoint) {
    const space = /\p{Z}/u.test(String.fromCodePoint(codePoint)) ? "␣" : "";
    const name = nameOf(codePoint, this.data.names) || "A character whose name is not in the page";
    return element("div", { className: "portrait" },
      element("span", { className: "glyph", textContent: visible(codePoint) || space, aria: { hidden: "true" } }),
      element("div", {},
        element("h2", { textContent: name }),
        element("p", { className: "code", textContent: codeName(codePoint) }),
        element("dl", { className: "escapes" }, ...escapes(codePoint).map(([language, text]) => element("div", {},
          element("dt", { textContent: language }), element("dd", {}, element("code", { textContent: text })))))));
  }
}

const bold = (textContent) => element("b", { textContent });
const whole = (name, properties) => element(name, { className: "whole", ...properties });
const listed = (elements) => elements.flatMap((part, at) => (at ? [", ", part] : [part]));

// Bytes, which lead to their decoding, and the encodings that have them.
function form([bytes, encodings]) {
  const href = addressOf({ label: encodings[0].toLowerCase(), bytes: bytes.replaceAll(" ", "").toLowerCase() });
  return element("li", {}, element("a", { className: "bytes", href, textContent: bytes }),
    element("span", {}, ...listed(encodings.map((textContent) => whole("span", { textContent })))));
}

// The bytes in UTF-16, which has no encoder; null for another encoding.
function bytesInUTF16(codePoint, name) {
  if (!name.startsWith("UTF-16")) return null;
  const units = String.fromCodePoint(codePoint), view = new DataView(new ArrayBuffer(2 * units.length));
  for (let at = 0; at < units.length; at++) view.setUint16(2 * at, units.charCodeAt(at), name.endsWith("LE"));
  return new Uint8Array(view.buffer);
}

// How a character is written where it can’t stand for itself.
function escapes(codePoint) {
  const text = String.fromCodePoint(codePoint), units = text.split(""), bytes = new TextEncoder().encode(text);
  return [["HTML", `&#x${hex(codePoint)};`], ["URL", Array.from(bytes, (byte) => `%${hex(byte)}`).join("")],
    ["JavaScript, JSON", units.map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join("")]];
}
