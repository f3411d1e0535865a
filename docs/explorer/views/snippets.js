// A state of the page as a program, in Python, C and JavaScript.

import { compact, hex } from "./text.js";

const MOST = 256; // bytes or characters that a program has; a file has its name instead

const quoted = (text) => JSON.stringify(text).replace(/[\u007F-\uFFFF]/g, (one) => `\\u${hex(one.charCodeAt(0), 4)}`);
const pythonText = (text) => {
  const escaped = Array.from(text, (one) => {
    const codePoint = one.codePointAt(0);
    if (one === '"' || one === "\\") return `\\${one}`;
    if (codePoint >= 0x20 && codePoint < 0x7F) return one;
    return codePoint > 0xFFFF ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`;
  });
  return `"${escaped.join("")}"`;
};
const cBytes = (bytes) => Array.from(bytes, (byte) => `0x${hex(byte)}`).join(", ");
const flags = (isFatal, bom) =>
  [isFatal && "WHATWG_FATAL", bom === "sniff" && "WHATWG_BOM_SNIFF", bom === "remove" && "WHATWG_BOM_REMOVE"]
    .filter(Boolean).join(" | ") || "0";

/** @typedef {{Python: string, C: string, JavaScript: string}} Snippets */

/** Return programs that decode bytes. @returns {Snippets} */
export function decoding({ label, errors, bom }, bytes, fileName = "") {
  const isFatal = errors === "fatal", isFile = bytes.length > MOST, name = fileName || "file";
  const mode = isFatal ? ', "fatal"' : "";
  const given = isFile ? `open(${pythonText(name)}, "rb").read()` : `bytes.fromhex("${compact(bytes)}")`;
  const call = {
    keep: `we.lookup(${pythonText(label)}).decode(data${mode})`,
    sniff: `we.decode(data, ${pythonText(label)}).text`,
    remove: `we.TextDecoder(${pythonText(label)}${isFatal ? ", fatal=True" : ""}).decode(data)`,
  }[bom];
  return {
    Python: `import whatwg_encoding as we\n\ndata = ${given}\nprint(${call})\n`,
    C: `#define WHATWG_ENCODING_NO_PYTHON
#include <stdio.h>
#include <string.h>
#include <whatwg_encoding.h>

int main(void)
{
    const whatwg_encoding_api *we = whatwg_encoding_get();
    const char *label = ${quoted(label)};
${isFile
    ? `    static uint8_t source[${bytes.length}], target[${3 * bytes.length + 16}];
    FILE *file = fopen(${quoted(name)}, "rb");
    size_t read = file ? fread(source, 1, sizeof source, file) : 0, written = sizeof target;
`
    : `    const uint8_t source[] = {${cBytes(bytes) || "0"}};
    uint8_t target[${3 * bytes.length + 16}];
    size_t read = ${bytes.length}, written = sizeof target;
`}    whatwg_decoder decoder;
    we->decoder_init(&decoder, we->for_label(label, strlen(label)), ${flags(isFatal, bom)});
    int result = we->decode_to_utf8(&decoder, source, &read, target, &written, 1);
    fwrite(target, 1, written, stdout);
    return result;
}
`,
    JavaScript: `import { TextDecoder } from "whatwg-encoding-wasm";${isFile ? '\nimport { readFile } from "node:fs/promises";' : ""}

const data = ${isFile ? `await readFile(${quoted(name)})` : `Uint8Array.of(${cBytes(bytes)})`};
console.log(new TextDecoder(${quoted(label)}, { ${isFatal ? "fatal: true, " : ""}ignoreBOM: ${bom === "keep"} }).decode(data));
`,
  };
}

/** Return programs that encode a text. @returns {Snippets} */
export function encoding({ label, errors }, text) {
  const isFatal = errors === "fatal", few = Array.from(text).slice(0, MOST).join("");
  const utf8 = new TextEncoder().encode(few);
  return {
    Python: `import whatwg_encoding as we

text = ${pythonText(few)}
print(we.lookup(${pythonText(label)}).encode(text${isFatal ? ', "fatal"' : ""}))
`,
    C: `#define WHATWG_ENCODING_NO_PYTHON
#include <stdio.h>
#include <string.h>
#include <whatwg_encoding.h>

int main(void)
{
    const whatwg_encoding_api *we = whatwg_encoding_get();
    const char *label = ${quoted(label)};
    const uint8_t source[] = {${cBytes(utf8) || "0"}};
    uint8_t target[${13 * utf8.length + 16}];
    size_t read = ${utf8.length}, written = sizeof target;
    whatwg_encoder encoder;
    we->encoder_init(&encoder, we->for_label(label, strlen(label)), ${flags(isFatal, "")});
    int result = we->encode_from_utf8(&encoder, source, &read, target, &written, 1);
    fwrite(target, 1, written, stdout);
    return result;
}
`,
    JavaScript: `import { TextEncoder } from "whatwg-encoding-wasm";

const text = ${quoted(few)};
console.log(new TextEncoder(${quoted(label)}${isFatal ? ", { fatal: true }" : ""}).encode(text));
`,
  };
}

/** Return programs that detect the encoding of bytes. @returns {Snippets} */
export function detecting(bytes, fileName = "") {
  const isFile = bytes.length > MOST, name = fileName || "file";
  return {
    Python: `import whatwg_encoding as we

data = ${isFile ? `open(${pythonText(name)}, "rb").read()` : `bytes.fromhex("${compact(bytes)}")`}
for guess in we.sniff.detect(data):
    print(guess.encoding.name, guess.score, guess.encoding.decode(data))
`,
    C: `#define WHATWG_ENCODING_NO_PYTHON
#include <stdio.h>
#include <whatwg_encoding.h>

int main(void)
{
    const whatwg_encoding_api *we = whatwg_encoding_get();
${isFile
    ? `    static uint8_t source[${bytes.length}];
    FILE *file = fopen(${quoted(name)}, "rb");
    size_t length = file ? fread(source, 1, sizeof source, file) : 0;
`
    : `    const uint8_t source[] = {${cBytes(bytes) || "0"}};
    size_t length = ${bytes.length};
`}    whatwg_guess guesses[40];
    size_t count = we->detect(source, length, NULL, guesses, 40);
    for (size_t at = 0; at < count; at++)
        printf("%s %lld\\n", we->name(guesses[at].encoding), (long long)guesses[at].bits);
    return 0;
}
`,
    JavaScript: `import { detect } from "whatwg-encoding-wasm";${isFile ? '\nimport { readFile } from "node:fs/promises";' : ""}

const data = ${isFile ? `await readFile(${quoted(name)})` : `Uint8Array.of(${cBytes(bytes)})`};
console.log(detect(data));
`,
  };
}
