// The text of bytes of any encoding, for both programs of this folder.
import { TextDecoder, detect } from "whatwg-encoding-wasm";

/** Return the text and the name of its encoding: the label's, or else the likeliest one. */
export function textOf(bytes, label = undefined) {
  const decoder = new TextDecoder(label ?? detect(bytes)[0]?.encoding ?? "windows-1252");
  return { encoding: decoder.encoding, text: decoder.decode(bytes) };
}
