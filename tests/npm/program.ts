// Every declaration of the package, used as its documentation says; `@ts-expect-error` marks what the types refuse.
import * as all from "whatwg-encoding-wasm";
import * as standard from "whatwg-encoding-wasm/standard";
import { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream, detect } from "whatwg-encoding-wasm";

const text: string = new TextDecoder("sjis", { fatal: true, ignoreBOM: false }).decode(Uint8Array.of(0x83, 0x6e));
new TextDecoder(undefined, null).decode(new DataView(new ArrayBuffer(1)), { stream: true });
new TextDecoder().decode(new SharedArrayBuffer(1));
const { encoding, fatal }: { encoding: string; fatal: boolean } = new TextEncoder("gbk", { fatal: true });
const body: BodyInit = new TextEncoder("windows-1252").encode("é");
const { read, written }: { read: number; written: number } = new TextEncoder().encodeInto(text, new Uint8Array(3));
const converted: ReadableStream<Uint8Array> = new Blob(["a"]).stream()
  .pipeThrough(new TextDecoderStream("euc-jp"))
  .pipeThrough(new TextEncoderStream("iso-2022-jp", { fatal }));
const [guess] = detect(new Uint8Array(2), { limit: 9, candidates: ["sjis"], declared: "utf-8" });
const told: [string, number] | undefined = guess && [guess.encoding, guess.bits];
const labels: readonly string[] | undefined = all.encodings[0]?.labels;
const name: string | null = all.labelToName("latin1");
standard.install();
standard.install({});
const globals: typeof globalThis.TextEncoder = standard.TextEncoder;
const decoders: typeof globalThis.TextDecoder = standard.TextDecoder;
export { body, converted, decoders, encoding, globals, labels, name, read, told, written };

// @ts-expect-error: text is not bytes
new TextDecoder().decode("text");
// @ts-expect-error: no such option
new TextDecoder("utf-8", { ignoreBom: true });
// @ts-expect-error: the standard's class takes no label
new standard.TextEncoder("gbk");
// @ts-expect-error: not bytes
new TextEncoder().encodeInto("a", new Uint16Array(1));
// @ts-expect-error: read-only
all.encodings[0]!.name = "x";
