// A state of the page as a program in Python.

import { codeName, compact, hex } from "./text.js";

const MOST = 256; // bytes or characters that a program has; a file has its name instead

const pythonText = (text) => {
  const escaped = Array.from(text, (character) => {
    const codePoint = character.codePointAt(0);
    if (character === '"' || character === "\\") return `\\${character}`;
    if (codePoint >= 0x20 && codePoint < 0x7F) return character;
    return codePoint > 0xFFFF ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`;
  });
  return `"${escaped.join("")}"`;
};
const few = (text) => pythonText(Array.from(text).slice(0, MOST).join(""));
const dataOf = (bytes, fileName) =>
  (bytes.length > MOST ? `open(${pythonText(fileName || "file")}, "rb").read()` : `bytes.fromhex("${compact(bytes)}")`);
const program = (...lines) => ["import whatwg_encoding as we", "", ...lines, ""].join("\n");

/** Return a program that decodes bytes. */
export function decoding({ label, errors, bom }, bytes, fileName = "") {
  const isFatal = errors === "fatal", mode = isFatal ? ', "fatal"' : "";
  const call = {
    keep: `we.lookup(${pythonText(label)}).decode(data${mode})`,
    sniff: `we.decode(data, ${pythonText(label)}).text`,
    remove: `we.TextDecoder(${pythonText(label)}${isFatal ? ", fatal=True" : ""}).decode(data)`,
  }[bom];
  return program(`data = ${dataOf(bytes, fileName)}`, `print(${call})`);
}

/** Return a program that encodes a text. */
export function encoding({ label, errors }, text) {
  const mode = errors === "fatal" ? ', "fatal"' : "";
  return program(`text = ${few(text)}`, `print(we.lookup(${pythonText(label)}).encode(text${mode}))`);
}

/** Return a program that detects the encoding of bytes. */
export function detecting(bytes, fileName = "") {
  return program(`data = ${dataOf(bytes, fileName)}`, "for guess in we.sniff.detect(data):",
    "    print(guess.encoding.name, guess.score, guess.encoding.decode(data))");
}

/** Return a program that undoes mojibake. */
export const mending = (text) => program(`print(we.repair(${few(text)}))`);

/** Return a program that prints the bytes of a character in every encoding that has it. */
export const lookingUp = (codePoint) => program(`character = chr(0x${codeName(codePoint).slice(2)})`,
  "for encoding in we.ENCODINGS.values():",
  "    if encoding.has_encoder and encoding.decode(encoding.encode(character)) == character:",
  '        print(encoding.name, encoding.encode(character).hex(" "))');

/** Return a program that prints an index. */
export const walking = ({ name, length }) => program(`for pointer in range(${length}):`,
  `    print(pointer, we.standard.index_code_point("${name}", pointer))`);
