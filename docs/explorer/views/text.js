// Text and bytes as people write them, and elements of the page.

import { joined } from "../core/engine.js";

/** Return a new element with properties and children. @returns {HTMLElement} */
export function element(name, properties = {}, ...children) {
  const { data = {}, aria = {}, role, ...others } = properties;
  const made = Object.assign(document.createElement(name), others);
  Object.assign(made.dataset, data);
  if (role) made.setAttribute("role", role);
  for (const [key, value] of Object.entries(aria)) made.setAttribute(`aria-${key}`, value);
  made.append(...children);
  return made;
}

/** Return a new element with a class and a text. */
export const worded = (name, className, textContent, properties = {}) =>
  element(name, { className, textContent, ...properties });

export const byId = (id) => document.getElementById(id);
export const hex = (number, digits = 2) => number.toString(16).toUpperCase().padStart(digits, "0");
export const codeName = (codePoint) => `U+${hex(codePoint, 4)}`;
export const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
export const spaced = (bytes) => Array.from(bytes, (byte) => hex(byte)).join(" ");
export const compact = (bytes) => Array.from(bytes, (byte) => hex(byte).toLowerCase()).join("");

/** Name what the page shows in its title, which tabs, bookmarks and the history have. */
export function entitle(what) {
  document.title = `${what}${what && " · "}Encoding explorer`;
}

/** Mark one of some links as the page that is shown. */
export function markCurrent(links, view) {
  for (const link of document.querySelectorAll(links)) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

const ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Return a character to show; empty if it is invisible or would affect the text around it. */
export function visible(codePoint) {
  const text = String.fromCodePoint(codePoint);
  return /[\p{C}\p{Z}]/u.test(text) ? "" : /\p{M}/u.test(text) ? "\u25CC" + text : text;
}

/** Return a text with its invisible characters by their code points. */
export function shown(text) {
  return Array.from(text, (character) => {
    const codePoint = character.codePointAt(0);
    return visible(codePoint) || ESCAPES[character] || (character === " " ? "␠" : `⟨${codeName(codePoint)}⟩`);
  }).join("");
}

// -- Bytes that a person writes

// Each byte is a match by itself: a repeated group would need a stack as long as the text.
const HEX = /(?:0x|\\x|%|x)?[0-9a-f]{2}[\s,;:-]*/gi;
const NO_HEX = /[^0-9a-fx\\%\s,;:-]/i;
const isHex = (text) => !NO_HEX.test(text) && text.replace(HEX, "") === "";
const ESCAPED = /(?:%|\\x|=)([0-9a-f]{2})/gi;

/** @typedef {{bytes: Uint8Array, as: "hex" | "escapes" | "text"}} Written */

/**
 * Return the bytes that are written: in hexadecimal, with escapes such as %82 or \x82 among characters, or as the UTF-8
 * of a text. @param {string} text @param {"auto" | "hex" | "escapes" | "text"} as @returns {Written}
 */
export function bytesOfText(text, as = "auto") {
  const trimmed = text.trim();
  if (!trimmed) return { bytes: new Uint8Array(), as: as === "auto" ? "hex" : as };
  if (as === "hex" || (as === "auto" && isHex(trimmed))) return { bytes: ofHex(trimmed), as: "hex" };
  const isEscaped = as === "escapes" || (as === "auto" && text.search(ESCAPED) >= 0);
  return isEscaped ? { bytes: ofEscapes(text), as: "escapes" } : { bytes: new TextEncoder().encode(text), as: "text" };
}

function ofHex(text) {
  const digits = text.replace(/0x|\\x|[%\s,;:-]|\bx/gi, "");
  const wrong = /[^0-9a-f]/i.exec(digits);
  if (wrong) throw new RangeError(`“${wrong[0]}” is not a hexadecimal digit.`);
  if (digits.length % 2) {
    throw new RangeError(`${plural(digits.length, "hexadecimal digit")} can’t be bytes, which have two each.`);
  }
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function ofEscapes(text) {
  const parts = [], utf8 = new TextEncoder();
  let at = 0;
  for (const match of text.matchAll(ESCAPED)) {
    parts.push(utf8.encode(text.slice(at, match.index)), Uint8Array.of(parseInt(match[1], 16)));
    at = match.index + match[0].length;
  }
  return joined([...parts, utf8.encode(text.slice(at))]);
}

// -- Names of characters

/** Return the Unicode name of a code point, empty if `names`, by code point, doesn’t have it. */
export function nameOf(codePoint, names) {
  if (codePoint in names) return names[codePoint];
  if (codePoint >= 0xD800 && codePoint <= 0xDFFF) return "surrogate";
  if (/\p{Co}/u.test(String.fromCodePoint(codePoint))) return "private use";
  if (/\p{Cc}/u.test(String.fromCodePoint(codePoint))) return "control";
  if (codePoint >= 0xAC00 && codePoint <= 0xD7A3) return hangul(codePoint);
  if (/\p{Unified_Ideograph}/u.test(String.fromCodePoint(codePoint)) && !isCompatibility(codePoint)) {
    return `CJK UNIFIED IDEOGRAPH-${hex(codePoint, 4)}`;
  }
  return isCompatibility(codePoint) ? `CJK COMPATIBILITY IDEOGRAPH-${hex(codePoint, 4)}` : "";
}

/** Whether a code point is a CJK compatibility ideograph by its name. */
export const isCompatibility = (codePoint) =>
  (codePoint >= 0xF900 && codePoint <= 0xFAD9) || (codePoint >= 0x2F800 && codePoint <= 0x2FA1D);

// https://www.unicode.org/versions/latest/core-spec/chapter-3/#G24646: a syllable is named after its letters.
const LETTERS = [
  "G GG N D DD R M B BB S SS  J JJ C K T P H".split(" "),
  "A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I".split(" "),
  " G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H".split(" "),
];

function hangul(codePoint) {
  const syllable = codePoint - 0xAC00;
  const [leading, vowel, trailing] = [Math.floor(syllable / 588), Math.floor(syllable / 28) % 21, syllable % 28];
  return `HANGUL SYLLABLE ${LETTERS[0][leading]}${LETTERS[1][vowel]}${LETTERS[2][trailing]}`;
}
