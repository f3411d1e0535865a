// Answer requests, one a line, with the scripts of the explorer's page: node answers.mjs index.html
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";

const html = readFileSync(process.argv[2], "utf8");
const script = (head) => html.slice(html.indexOf(head) + head.length, html.indexOf("</script>", html.indexOf(head)));
const [unpack] = /const module_unpack = [^]*?\n\}\)\(\);\n/.exec(script("<script>"));
const { unpacked } = runInThisContext(`${unpack}module_unpack`);
const texts = ["core", "engine", "data"].map((id) => unpacked(script(`id="${id}">`)));
const [core, module, written] = await Promise.all(texts);
runInThisContext(new TextDecoder().decode(core));
const page = runInThisContext(
  "({ ...module_engine, ...module_indexes, ...module_machine, ...module_session })");
const data = JSON.parse(new TextDecoder().decode(written));
const engine = await page.Engine.load(module, data.members);
const indexes = page.indexesOf(engine, data), machine = new page.Machine(data.programs, indexes);

const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const session = (options, items) => new page.Session(engine, machine, options, items).finish();
const calls = (rows) => rows.flatMap((row) => row.calls).map((call) => [
  call.position, typeof call.item === "number" ? call.item : null,
  [...new Set(call.steps.map(({ anchor, step }) => `${anchor} ${step}`))],
  call.lookups.map(({ index, pointer, codePoint }) => [index, pointer, codePoint]), call.output,
  call.error ? [call.error.codePoint ?? null] : null,
]);

/** What each request is answered with, by its only member. */
const answers = {
  decode: ({ decode: label, inputs }) => inputs.map((input) => {
    const decoding = session({ direction: "decode", label, errors: "replacement" }, bytes(input));
    const { items, result, errors, agrees } = decoding, rows = decoding.rows(0, items.length);
    return { text: result, spans: errors.map(({ start, end }) => [start, end]), agrees,
      rowSpans: rows.flatMap((row) => row.errors).map(({ start, end }) => [start, end]),
      emitted: rows.map((row) => row.emitted).join(""), calls: calls(rows) };
  }),
  encode: ({ encode: label, inputs }) => inputs.map((input) => {
    const encoding = session({ direction: "encode", label, errors: "html" }, page.scalarValues(input));
    const { items, result, errorCount, agrees } = encoding, rows = encoding.rows(0, items.length);
    return { bytes: hex(result), count: errorCount, agrees,
      emitted: rows.map((row) => hex(row.emitted)).join(""), calls: calls(rows) };
  }),
  index: ({ index }) => indexes.get(index).codePoints,
  mend: ({ mend }) => mend.map((text) => engine.mend(text) ?? { text, steps: [] }),
  run: ({ run }) => {
    const body = runInThisContext(`(page, engine, machine, indexes, data) => {${run}}`);
    return body(page, engine, machine, indexes, data);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = answers[Object.keys(answers).find((name) => name in request)](request);
  } catch (error) {
    answer = { error: String(error.stack) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
