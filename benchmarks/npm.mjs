// Measure decoders or encoders of JavaScript beside each other: node npm.mjs decode|encode PACKAGE LABEL FILE ROUNDS
// writes the seconds of processor time of a call, one value a round, by contender. A peer whose result is another one
// is left out.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createMultibyteEncoder } from "@exodus/bytes/multi-byte.js";
import { createSinglebyteEncoder } from "@exodus/bytes/single-byte.js";
import * as exodus from "@exodus/bytes/encoding.js";

const [direction, folder, label, file, rounds] = process.argv.slice(2);
const ours = await import(pathToFileURL(`${folder}/index.js`));
const iconv = createRequire(import.meta.url)("iconv-lite");
const data = new Uint8Array(readFileSync(file)), buffer = Buffer.from(data.buffer);
const SAMPLE = 2, WARM = 1000; // milliseconds: of a sample, and before it, until an engine has compiled its best code
const keep = { ignoreBOM: true };

const decoders = {
  "whatwg-encoding": () => new ours.TextDecoder(label, keep),
  "Node.js": () => new TextDecoder(label, keep),
  "@exodus/bytes": () => new exodus.TextDecoder(label, keep),
  "iconv-lite": () => iconv.encodingExists(label) && { decode: () => iconv.decode(buffer, label) },
};
const text = decoders["whatwg-encoding"]().decode(data);
const encoders = {
  "whatwg-encoding": () => new ours.TextEncoder(label),
  "Node.js": () => label === "UTF-8" && new TextEncoder(),
  "@exodus/bytes": () => ({ encode: exodusEncoder() }),
  "iconv-lite": () => iconv.encodingExists(label) && { encode: (text) => iconv.encode(text, label) },
};

function exodusEncoder() {
  if (label === "UTF-8") {
    const encoder = new exodus.TextEncoder();
    return (text) => encoder.encode(text);
  }
  try {
    return createSinglebyteEncoder(label.toLowerCase());
  } catch {
    return createMultibyteEncoder(label.toLowerCase());
  }
}

const calls = { decode: (decoder) => decoder.decode(data), encode: (encoder) => encoder.encode(text) };
const call = calls[direction], contenders = { decode: decoders, encode: encoders }[direction];
const same = (a, b) => (typeof a === "string" ? a === b : Buffer.compare(a, b) === 0);

let length = 0; // so that no call is left out
function seconds(contender, number) {
  const start = process.cpuUsage();
  for (let i = 0; i < number; i++) length += call(contender).length;
  const { user, system } = process.cpuUsage(start); // microseconds of the process
  return (user + system) / number / 1e6;
}

const expected = call(contenders["whatwg-encoding"]()), times = {}, made = {}, numbers = {};
for (const [name, make] of Object.entries(contenders)) {
  try {
    made[name] = make();
    if (!made[name] || !same(call(made[name]), expected)) continue;
  } catch {
    continue; // it has no such encoding
  }
  for (const end = performance.now() + WARM; performance.now() < end; ) seconds(made[name], 1);
  numbers[name] = Math.ceil(SAMPLE / 1000 / seconds(made[name], 10));
  times[name] = [];
}
for (let round = 0; round < Number(rounds); round++)
  for (const name in times) times[name].push(seconds(made[name], numbers[name]));
console.log(JSON.stringify(times));
