// Converts between encodings: node convert.mjs FROM TO < old.txt > new.txt, where FROM may be "auto". Any number of
// bytes passes through in constant memory, but for "auto", which reads the whole input first.
import { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { TextDecoderStream, TextEncoderStream } from "whatwg-encoding-wasm";
import { textOf } from "./text.mjs";

const [from, to = "utf-8"] = process.argv.slice(2);
if (from === undefined) {
  console.error("usage: node convert.mjs FROM [TO] < old.txt > new.txt");
  process.exit(2);
}

async function* decoded() {
  const { encoding, text } = textOf(await buffer(process.stdin));
  console.error(encoding);
  yield text;
}

const text = from === "auto"
  ? Readable.toWeb(Readable.from(decoded()))
  : Readable.toWeb(process.stdin).pipeThrough(new TextDecoderStream(from));
await text.pipeThrough(new TextEncoderStream(to)).pipeTo(Writable.toWeb(process.stdout));
