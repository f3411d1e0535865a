// Reads one JSON request per line for the package in the folder that is the argument, and writes one line of JSON each.
//
//   {"decode": label, "inputs": [hex, ...], "fatal": bool} -> [text, or null for an error, ...]
//   {"stream": label, "inputs": [[hex, ...], ...]}         -> [text of all chunks, ...]
//   {"encode": label, "inputs": [text, ...], "fatal": bool} -> [hex, or null for an error, ...]
//   {"decodePipe": label, "inputs": [[hex, ...], ...]}     -> [text of all chunks through a TextDecoderStream, ...]
//   {"encodePipe": label, "inputs": [[hex of UTF-16LE, ...], ...]} -> [hex of all chunks through the stream, ...]
//   {"detect": [hex, ...], "options": {}}                  -> [[[encoding, bits], ...], ...]
//   {"run": source}                                        -> what the function body returns, or [name of the error]
import { Buffer } from "node:buffer";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

// As in a browser, which has no Buffer: strings are copied by decoders and by String.fromCharCode.
if (process.argv[3] === "without-buffer") delete globalThis.Buffer;
const wasm = await import(pathToFileURL(`${process.argv[2]}/index.js`));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const hexOf = (data) => Buffer.from(data).toString("hex");
const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

async function piped(chunks, transform) {
  const converted = [];
  const source = new ReadableStream({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  });
  for await (const chunk of source.pipeThrough(transform)) converted.push(chunk);
  return converted;
}

const answers = {
  decode: ({ decode, inputs, fatal }) => {
    const decoder = new wasm.TextDecoder(decode, { fatal, ignoreBOM: true });
    return inputs.map((hex) => attempt(() => decoder.decode(bytes(hex))));
  },
  stream: ({ stream, inputs }) => {
    const decoder = new wasm.TextDecoder(stream, { ignoreBOM: true });
    const decodeChunk = (hex) => decoder.decode(bytes(hex), { stream: true });
    return inputs.map((chunks) => chunks.map(decodeChunk).join("") + decoder.decode());
  },
  encode: ({ encode, inputs, fatal }) => {
    const encoder = new wasm.TextEncoder(encode, { fatal });
    return inputs.map((text) => attempt(() => hexOf(encoder.encode(text))));
  },
  decodePipe: ({ decodePipe, inputs }) =>
    Promise.all(inputs.map(async (chunks) => {
      const texts = await piped(chunks.map(bytes), new wasm.TextDecoderStream(decodePipe, { ignoreBOM: true }));
      return texts.join("");
    })),
  encodePipe: ({ encodePipe, inputs }) =>
    Promise.all(inputs.map(async (chunks) => {
      const texts = chunks.map((hex) => String.fromCharCode(...new Uint16Array(bytes(hex).buffer)));
      return hexOf(Buffer.concat(await piped(texts, new wasm.TextEncoderStream(encodePipe))));
    })),
  detect: ({ detect, options }) =>
    detect.map((hex) => wasm.detect(bytes(hex), options).map(({ encoding, bits }) => [encoding, bits])),
  run: ({ run }) => {
    try {
      return new Function("wasm", run)(wasm);
    } catch (error) {
      return [error.name];
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const kind = Object.keys(answers).find((name) => name in request);
  console.log(JSON.stringify(await answers[kind](request)));
}
