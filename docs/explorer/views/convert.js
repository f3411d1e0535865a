// Bytes to text, and text to bytes.

import { Session, scalarValues } from "../core/session.js";
import { decoding, encoding } from "./snippets.js";
import { STANDARD, Steps, unitsOf } from "./steps.js";
import { byId, codeName, element, plural, spaced } from "./text.js";

const WINDOW = 128; // items at a time
const SLICE = 16; // milliseconds of work between two answers of the page
const CARRIED = 4000; // bytes or characters of the result for another question
const SHOWN = 20000; // of the result
const LISTED = 20; // errors

export class Convert {
  /** @param {{engine, machine, data, field, changed}} page */
  constructor(page) {
    Object.assign(this, page);
    this.steps = new Steps(page.data.names, page.engine.encodings);
    this.turn = 0;
    for (const id of ["label", "errors", "bom"]) byId(id).addEventListener("input", () => this.#edited(id));
    byId("open-steps").addEventListener("click", () => this.#toggle());
    byId("previous").addEventListener("click", () => this.#go(this.from - WINDOW));
    byId("next").addEventListener("click", () => this.#go(this.from + WINDOW));
    byId("goto").addEventListener("change", ({ target }) => this.#go(Number(target.value) || 0));
    byId("error-list").addEventListener("click", ({ target: { dataset: { at } } }) => at && this.#go(Number(at)));
    const labels = page.engine.encodings.flatMap((encoding) => encoding.labels);
    byId("labels").append(...labels.map((value) => element("option", { value })));
    byId("result").addEventListener("click", ({ target: { dataset: { unit } } }) => unit && this.#open(unit));
  }

  #choices() {
    const replaced = this.isDecoder ? ["replacement", "become U+FFFD"] : ["html", "become references: &#9731;"];
    byId("errors").replaceChildren(...[replaced, ["fatal", "stop the conversion"]].map(([value, textContent]) =>
      element("option", { value, textContent })));
    for (const option of document.querySelectorAll(".decode-only")) option.hidden = !this.isDecoder;
    byId("result").classList.toggle("bytes", !this.isDecoder);
  }

  /** What is chosen beside the encoding, as an address has it. */
  get options() {
    const { errors, bom } = this.#chosen, isUsual = errors === (this.isDecoder ? "replacement" : "html");
    return {
      errors: isUsual ? "" : errors, bom: this.isDecoder && bom !== "keep" ? bom : "",
      at: this.from ? String(this.from) : "",
    };
  }

  get label() {
    return byId("label").value;
  }

  /** The text of the conversion, whose start other questions are asked about. */
  get text() {
    return this.isDecoder ? this.session?.head(CARRIED) ?? "" : this.field.text;
  }

  /** The bytes of the conversion. */
  get bytes() {
    if (this.isDecoder) return this.source ?? new Uint8Array();
    return this.session?.head(CARRIED) ?? new Uint8Array();
  }

  #edited(id) {
    this.run();
    this.changed(id);
  }

  /** Convert what is in the field, as a state of the address says, or from its start. */
  run(state = null, question = "decode") {
    if (state) {
      this.isDecoder = question === "decode";
      byId("label").value = state.label || "utf-8";
      this.#choices();
      byId("errors").value = state.errors === "fatal" ? "fatal" : byId("errors").options[0].value;
      byId("bom").value = ["sniff", "remove"].includes(state.bom) ? state.bom : "keep";
    }
    this.from = Math.max(0, Math.floor(Number(state?.at)) || 0);
    this.#start();
  }

  // Open the steps of a unit.
  #open(number) {
    const unit = byId("rows").querySelector(`[data-unit="${number}"]`);
    for (const steps of unit.querySelectorAll("details")) steps.open = true;
    unit.scrollIntoView({ block: "nearest" });
  }

  /** Convert the input; a long one in pieces, between which the page answers. */
  async #start() {
    const run = ++this.turn;
    byId("fault").textContent = "";
    byId("error-list").replaceChildren();
    try {
      this.source = this.isDecoder ? this.field.written().bytes : null;
      const items = this.source ?? scalarValues(this.field.text);
      const options = { direction: this.isDecoder ? "decode" : "encode", ...this.#chosen };
      this.session = new Session(this.engine, this.machine, options, items);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#fail(error.message);
      return;
    }
    const { session } = this;
    this.units = null;
    session.step();
    this.#result();
    this.#rows();
    // The page answers in between.
    for (let shown = performance.now(); !session.isDone; ) {
      await new Promise((resolve) => setTimeout(resolve));
      if (run !== this.turn) return;
      const begun = performance.now();
      while (!session.isDone && performance.now() < begun + SLICE) session.step();
      if (session.isDone || begun > shown + 300) {
        this.#result();
        shown = begun;
      }
    }
  }

  get #chosen() {
    const [label, errors, bom] = ["label", "errors", "bom"].map((id) => byId(id).value);
    return { label, errors, bom };
  }

  #fail(message) {
    this.session = null;
    byId("fault").textContent = message;
    for (const id of ["result", "rows", "about", "agreement", "snippets"]) byId(id).replaceChildren();
    byId("conversion").hidden = true;
  }

  #result() {
    const { isDecoder, session } = this, { agrees, errorCount, isDone, isWhole, length } = session;
    byId("conversion").hidden = false;
    byId("fault").textContent = "";
    this.head = session.head(SHOWN);
    this.#pane();
    const cut = this.head && length > this.head.length
      ? `, of which the first ${this.head.length.toLocaleString("en")} are shown` : "";
    const progress = isDone ? "" : ` (${Math.floor((100 * session.at) / session.items.length)} % so far)`;
    byId("about").replaceChildren(
      isDecoder ? "Decoded as " : "Encoded as ",
      element("a", { href: `${STANDARD}#${session.handler.anchor}`, textContent: session.encoding.name }),
      `: ${plural(length, isDecoder ? "UTF-16 unit" : "byte")}${cut}, ${plural(errorCount, "error")}${progress}.`);
    byId("agreement").textContent = !isWhole
      ? "A byte order mark is removed before the algorithm runs, so its steps are not compared."
      : !agrees ? "The engine and the standard’s algorithm differ: please report this."
      : isDone ? "The engine and the standard’s algorithm agree." : "";
    byId("agreement").dataset.agrees = String(agrees);
    byId("error-list").replaceChildren(...session.errors.slice(0, LISTED).map(({ start, end }) => {
      const what = isDecoder ? spaced(this.source.subarray(start, end)) : codeName(session.items[start]);
      const textContent = `${what} at ${start}`;
      return element("li", {}, element("button", { type: "button", data: { at: String(start) }, textContent }));
    }), ...(errorCount > LISTED ? [element("li", { textContent: "…" })] : []));
    const { file, text } = this.field;
    this.snippets(isDecoder ? decoding(this.#chosen, this.source, file?.name) : encoding(this.#chosen, text));
  }

  // The result: that of the units that are shown below in their colours, the rest plain.
  #pane() {
    const { head, isDecoder } = this;
    const chips = (this.from ? [] : this.units ?? []).map((unit) => this.steps.chip(unit, isDecoder)).filter(Boolean);
    const parts = chips.flatMap((chip, at) => (at && !isDecoder ? [" ", chip] : [chip]));
    const { length } = parts.map((part) => part.textContent ?? part).join("");
    byId("result").replaceChildren(...head === null
      ? [element("em", { textContent: "no result: the first error ends it" })]
      : [...parts, (isDecoder ? head : spaced(head)).slice(length)]);
  }

  #rows() {
    const { session, isDecoder } = this, { items: { length }, isWhole } = session;
    this.from = Math.min(this.from, length);
    const options = { isDecoder, isWhole, name: session.encoding.name, bytes: this.source };
    this.units = unitsOf(session.rows(this.from, WINDOW), isDecoder);
    byId("open-steps").textContent = "Open all steps";
    byId("rows").replaceChildren(...this.units.map((unit) => this.steps.unit(unit, options)));
    this.#pane();
    byId("paging").hidden = length <= WINDOW;
    byId("goto").value = this.from;
    byId("goto").max = length;
    const [from, to, of] = [this.from, Math.min(length, this.from + WINDOW), length].map((count) =>
      count.toLocaleString("en"));
    byId("window").textContent = `${from} to ${to} of ${of}`;
  }

  // Rows far ahead need the states before them.
  async #go(to) {
    const run = this.turn, from = Math.max(0, Math.min(this.session.items.length, to));
    while (this.session.at < from) await new Promise((resolve) => setTimeout(resolve, 20));
    if (run !== this.turn) return;
    this.from = from;
    this.#rows();
    this.changed("at");
    byId("rows-title").scrollIntoView({ block: "nearest" });
  }

  #toggle() {
    const all = [...document.querySelectorAll("#rows details")], isOpen = all.some((steps) => !steps.open);
    for (const steps of all) steps.open = isOpen;
    byId("open-steps").textContent = isOpen ? "Close all steps" : "Open all steps";
  }
}
