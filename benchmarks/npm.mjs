// Measure decoders of JavaScript beside each other: node npm.mjs PACKAGE LABEL FILE ROUNDS writes the seconds of a call,
// one value a round, by contender. A peer whose text is another one is left out.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, label, file, rounds] = process.argv.slice(2);
const data = new Uint8Array(readFileSync(file));
const SAMPLE = 2, WARM = 1000; // milliseconds: of a sample, and before it, until an engine has compiled its best code
const decoders = {
  "whatwg-encoding": new (await import(pathToFileURL(`${folder}/index.js`))).TextDecoder(label, { ignoreBOM: true }),
  "Node.js": new TextDecoder(label, { ignoreBOM: true }),
  "@exodus/bytes": new (await import("@exodus/bytes/encoding.js")).TextDecoder(label, { ignoreBOM: true }),
};
const iconv = createRequire(import.meta.url)("iconv-lite"), buffer = Buffer.from(data.buffer);
if (iconv.encodingExists(label)) decoders["iconv-lite"] = { decode: () => iconv.decode(buffer, label) };

let length = 0; // so that no call is left out
function seconds(decoder, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) length += decoder.decode(data).length;
  return (performance.now() - start) / calls / 1000;
}

const expected = decoders["whatwg-encoding"].decode(data), found = {}, calls = {};
for (const [name, decoder] of Object.entries(decoders)) {
  if (decoder.decode(data) !== expected) continue;
  for (const end = performance.now() + WARM; performance.now() < end; ) seconds(decoder, 1);
  calls[name] = Math.ceil(SAMPLE / 1000 / seconds(decoder, 10));
  found[name] = [];
}
for (let round = 0; round < Number(rounds); round++)
  for (const name in found) found[name].push(seconds(decoders[name], calls[name]));
console.log(JSON.stringify(found));
