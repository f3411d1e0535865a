// Bytes to text, and text to bytes.

import { Session, scalarValues } from "../core/session.js";
import { decoding, encoding } from "./snippets.js";
import { STANDARD, Steps } from "./steps.js";
import { byId, bytesOfText, codeName, compact, element, plural, spaced } from "./text.js";

const WINDOW = 128; // rows at a time
const SLICE = 16; // milliseconds of work between two answers of the page
const OPEN = 32; // rows whose steps are shown at once
const EDITABLE = 20000; // bytes that the field shows
const EXAMPLE = { label: "shift_jis", bytes: "82a0874081fd41" };

export class Convert {
  /** @param {{engine, machine, data, address}} page */
  constructor(page) {
    Object.assign(this, page);
    this.steps = new Steps(page.data.names);
    this.file = null; // the bytes of a file, which are not in the address
    this.run = 0;
    for (const id of ["label", "errors", "bom", "input", "as"]) byId(id).addEventListener("input", () => this.#edited(id));
    byId("file").addEventListener("change", ({ target }) => target.files[0] && this.open(target.files[0]));
    byId("save").addEventListener("click", () => this.#save());
    byId("open-steps").addEventListener("click", () => this.#toggle());
    for (const [id, to] of [["first", () => 0], ["previous", () => Math.max(0, this.from - WINDOW)],
      ["next", () => this.from + WINDOW], ["last", () => this.#lastWindow()]]) {
      byId(id).addEventListener("click", () => this.#go(to()));
    }
    byId("goto").addEventListener("change", ({ target }) => this.#go(Math.min(this.session.items.length, Math.max(0, Number(target.value) || 0))));
    byId("error-list").addEventListener("click", ({ target }) => target.dataset.at && this.#go(Number(target.dataset.at)));
    byId("labels").append(...page.engine.encodings.flatMap(({ labels }) => labels.map((value) => element("option", { value }))));
  }

  /** Show a state of the address. */
  show(state) {
    this.isDecoder = state.text === undefined;
    if (this.isDecoder && state.bytes === undefined && !state.label && !this.file) Object.assign(state, EXAMPLE);
    if (!(state.file && this.file?.name === state.file)) this.file = null;
    byId("label").value = state.label || "utf-8";
    this.#choices();
    const { value } = byId("errors");
    byId("errors").value = state.errors || (this.isDecoder ? "replacement" : "html");
    if (!byId("errors").value) byId("errors").value = value;
    byId("bom").value = state.bom || "keep";
    byId("as").value = this.isDecoder && ["hex", "escapes", "text"].includes(state.as) ? state.as : "auto";
    if (!this.file) byId("input").value = this.isDecoder ? state.bytes ?? "" : state.text;
    this.from = Number(state.at) || 0;
    this.fileGone = state.file && !this.file ? state.file : "";
    this.#start();
  }

  #choices() {
    const modes = [this.isDecoder ? ["replacement", "U+FFFD for each error"] : ["html", "references such as &#9731;"], ["fatal", "fatal: stop at an error"]];
    byId("errors").replaceChildren(...modes.map(([value, textContent]) => element("option", { value, textContent })));
    for (const each of document.querySelectorAll(".decode-only")) each.hidden = !this.isDecoder;
    byId("input-label").textContent = this.isDecoder ? "Bytes" : "Text";
    byId("input").placeholder = this.isDecoder ? "82 A0, %82%A0, \\x82\\xa0 or text" : "any text";
  }

  /** The state as it is now. */
  get state() {
    const [label, errors, bom, input, as] = ["label", "errors", "bom", "input", "as"].map((id) => byId(id).value);
    const found = { label };
    if (this.file) Object.assign(found, { file: this.file.name });
    else if (this.isDecoder) found.bytes = as === "auto" && this.written?.as === "hex" ? compact(this.bytes) : input;
    else found.text = input;
    if (errors !== (this.isDecoder ? "replacement" : "html")) found.errors = errors;
    if (this.isDecoder && bom !== "keep") found.bom = bom;
    if (this.isDecoder && as !== "auto" && !this.file) found.as = as;
    if (this.from) found.at = String(this.from);
    return found;
  }

  #edited(id) {
    if (id === "input" || id === "as") this.file = null;
    this.from = 0;
    this.#start();
    this.address.put(this.state, id);
  }

  /** Take the bytes of a file. @param {File} file */
  async open(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.isDecoder = true;
    this.#choices();
    this.file = { name: file.name, bytes };
    this.from = 0;
    byId("input").value = bytes.length > EDITABLE ? `${spaced(bytes.subarray(0, 64))} …` : spaced(bytes);
    this.address.put({ label: byId("label").value, file: file.name });
    this.#start();
  }

  /** Convert the input; a long one in pieces, between which the page answers. */
  async #start() {
    const run = ++this.run;
    byId("fault").textContent = "";
    byId("error-list").replaceChildren();
    try {
      this.#read();
      const options = { direction: this.isDecoder ? "decode" : "encode", label: byId("label").value, errors: byId("errors").value, bom: byId("bom").value };
      this.session = new Session(this.engine, this.machine, options, this.isDecoder ? this.bytes : scalarValues(this.text));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#fail(error.message);
      return;
    }
    const { session } = this;
    session.check();
    this.#result();
    this.#rows();
    // The engine first, which is quick, then the algorithm; the page answers in between.
    for (let shown = performance.now(); !session.isChecked; ) {
      await new Promise((resolve) => setTimeout(resolve));
      if (run !== this.run) return;
      const begun = performance.now(), wasDone = session.isDone;
      while (!session.isChecked && performance.now() < begun + SLICE) session[session.isDone ? "check" : "step"]();
      if (session.isChecked || session.isDone !== wasDone || begun > shown + 300) {
        this.#result();
        shown = begun;
      }
    }
  }

  #read() {
    this.text = byId("input").value;
    this.written = null;
    if (this.fileGone) throw new RangeError(`the file ${this.fileGone} is not in the address: open it again`);
    if (!this.isDecoder) return;
    this.written = this.file ? { bytes: this.file.bytes, as: "file" } : bytesOfText(this.text, byId("as").value);
    this.bytes = this.written.bytes;
  }

  #fail(message) {
    this.session = null;
    byId("fault").textContent = message;
    for (const id of ["result", "rows", "about", "agreement", "snippets"]) byId(id).replaceChildren();
    byId("conversion").hidden = true;
  }

  #result() {
    const found = this.session.summary(), { isDecoder } = this;
    byId("conversion").hidden = false;
    byId("fault").textContent = "";
    const result = byId("result");
    if (found.head === null) result.replaceChildren(element("em", { textContent: "no result: the first error ends it" }));
    else result.textContent = isDecoder ? found.head : spaced(found.head);
    const cut = found.head && found.length > found.head.length ? `, the first ${found.head.length.toLocaleString("en")} shown` : "";
    const as = this.written && { hex: "hexadecimal", escapes: "text with escapes", text: "text, by its UTF-8 bytes", file: `the file ${this.file?.name}` }[this.written.as];
    const progress = found.isDone ? "" : ` (${Math.floor((100 * found.at) / found.total)} % so far)`;
    byId("about").replaceChildren(
      isDecoder ? `${plural(found.total, "byte")}, read as ${as}, decoded as ` : `${plural(found.total, "character")}, encoded as `,
      element("a", { href: `${STANDARD}#${found.anchor}`, textContent: found.name }),
      `: ${isDecoder ? plural(found.length, "UTF-16 unit") : plural(found.length, "byte")}${cut}, ${plural(found.errorCount, "error")}${progress}.`);
    byId("agreement").textContent = !found.isWhole
      ? "A byte order mark is removed before the algorithm runs, so its steps are not compared."
      : !found.isChecked ? `The standard’s algorithm runs: ${Math.floor((100 * found.checked) / found.total)} % so far.`
      : found.agrees ? "The engine and the standard’s algorithm agree." : "The engine and the standard’s algorithm differ: please report this.";
    byId("agreement").dataset.agrees = String(found.agrees);
    byId("error-list").replaceChildren(...found.errors.map(({ start, end }) => {
      const what = isDecoder ? spaced(this.bytes.subarray(start, end)) : codeName(this.session.items[start]);
      return element("li", {}, element("button", { type: "button", data: { at: String(start) }, textContent: `${start}: ${what}` }));
    }));
    byId("error-count").textContent = found.errorCount > found.errors.length ? `The first ${found.errors.length} of ${plural(found.errorCount, "error")}:` : found.errorCount ? `${plural(found.errorCount, "error")}:` : "";
    const options = { label: byId("label").value, errors: byId("errors").value, bom: byId("bom").value };
    this.snippets(isDecoder ? decoding(options, this.bytes, this.file?.name) : encoding(options, this.text));
  }

  #lastWindow() {
    return Math.max(0, Math.floor((this.session.items.length - 1) / WINDOW) * WINDOW);
  }

  #rows() {
    const { session, isDecoder } = this, { length } = session.items;
    this.from = Math.min(this.from, length);
    const rows = session.rows(this.from, WINDOW);
    const options = { isDecoder, initial: session.handler.initial, isOpen: rows.length <= OPEN, isWhole: session.isWhole };
    byId("row-head").replaceChildren(this.steps.head(isDecoder));
    byId("rows").replaceChildren(...rows.flatMap((row) => this.steps.row(row, options)));
    byId("paging").hidden = length <= WINDOW;
    byId("goto").value = this.from;
    byId("goto").max = length;
    byId("window").textContent = `${this.from.toLocaleString("en")} to ${Math.min(length, this.from + WINDOW).toLocaleString("en")} of ${length.toLocaleString("en")}`;
  }

  // Rows far ahead need the states before them.
  async #go(from) {
    const run = this.run;
    while (this.session.checked < from) await new Promise((resolve) => setTimeout(resolve, 20));
    if (run !== this.run) return;
    this.from = from;
    this.#rows();
    this.address.put(this.state, "at");
    byId("row-head").scrollIntoView({ block: "nearest" });
  }

  #toggle() {
    const all = [...document.querySelectorAll("#rows details")], isOpen = all.some((one) => !one.open);
    for (const one of all) one.open = isOpen;
  }

  #save() {
    const whole = this.session.finish().result;
    if (whole === null) return;
    const url = URL.createObjectURL(new Blob([whole], { type: this.isDecoder ? "text/plain;charset=utf-8" : "application/octet-stream" }));
    element("a", { href: url, download: this.isDecoder ? "decoded.txt" : "encoded.bin" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}
