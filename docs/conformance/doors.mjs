// Decode the jobs of docs/conformance by an implementation in JavaScript.

import { readFileSync, writeFileSync } from "node:fs";

const [door, way] = process.argv[2].split(", ");
const streamed = way !== undefined;

function ofTextDecoder(TextDecoder, name) {
  const options = { ignoreBOM: true };
  new TextDecoder(name, options);
  if (!streamed) return (data) => new TextDecoder(name, options).decode(data);
  return (data) => {
    const decoder = new TextDecoder(name, options);
    const texts = Array.from(data, (byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));
    return texts.join("") + decoder.decode();
  };
}

let version, make;
if (door === "Node TextDecoder") {
  version = process.versions.node;
  make = (name) => ofTextDecoder(globalThis.TextDecoder, name);
} else if (door === "@exodus/bytes") {
  const { TextDecoder } = await import("@exodus/bytes/encoding.js");
  version = JSON.parse(readFileSync("node/node_modules/@exodus/bytes/package.json")).version;
  make = (name) => ofTextDecoder(TextDecoder, name);
} else {
  const { default: iconv } = await import("iconv-lite");
  version = JSON.parse(readFileSync("node/node_modules/iconv-lite/package.json")).version;
  make = (name) => {
    if (!iconv.encodingExists(name)) throw new RangeError(name);
    if (!streamed) return (data) => iconv.decode(Buffer.from(data), name, { stripBOM: false });
    return (data) => {
      const decoder = iconv.getDecoder(name, { stripBOM: false });
      return Array.from(data, (byte) => decoder.write(Buffer.of(byte))).join("") + (decoder.end() ?? "");
    };
  };
}

const hex = (text) => text.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0")).join("");

console.log(version);
for (const line of readFileSync("jobs.txt", "ascii").trim().split("\n")) {
  const [name, other, number] = line.split("\t");
  let decode;
  try {
    decode = make(other);
  } catch {
    continue; // it has no encoding of this name
  }
  const texts = readFileSync(`${name}.in`, "ascii").trim().split("\n").map((data) => {
    try {
      return hex(decode(Uint8Array.from(Buffer.from(data, "hex"))));
    } catch {
      return "!";
    }
  });
  writeFileSync(`${name}.${number}.out`, `${texts.join("\n")}\n`);
}
