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
    this.#join();
  }

  #choices() {
    const replaced = this.isDecoder ? ["replacement", "become U+FFFD"] : ["html", "become references: &#9731;"];
    byId("errors").replaceChildren(...[replaced, ["fatal", "stop the conversion"]].map(([value, textContent]) =>
      element("option", { value, textContent })));
    for (const option of document.querySelectorAll(".decode-only")) option.hidden = !this.isDecoder;
    byId("conversion").dataset.question = this.isDecoder ? "decode" : "encode";
    byId("source-title").textContent = this.isDecoder ? "Bytes" : "Text";
    byId("result-title").textContent = this.isDecoder ? "Text" : "Bytes";
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

  // Bytes and characters light up together: by the pointer, by the focus, and by the arrow keys in the panes.
  #join() {
    const root = byId("conversion");
    const light = ({ target }) => this.#light(target.closest?.("[data-unit]")?.dataset.unit);
    let at = "";
    root.addEventListener("pointerover", (event) => {
      // What scrolls below a pointer at rest is not pointed at.
      const now = `${event.clientX},${event.clientY}`;
      if (now !== at) light(event);
      at = now;
    });
    root.addEventListener("focusin", light);
    root.addEventListener("pointerleave", light);
    root.addEventListener("click", ({ target }) => {
      const chip = target.closest(".chip");
      if (chip) this.#open(chip.dataset.unit);
    });
    root.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const pane = event.target.closest(".joined"), isOther = event.ctrlKey || event.altKey || event.metaKey;
      if (!pane || !this.units || isOther || !(step || event.key === "Enter")) return;
      event.preventDefault();
      const chips = [...pane.querySelectorAll(".chip")];
      const lit = chips.findIndex(({ dataset }) => dataset.unit === this.lit);
      if (event.key === "Enter") return lit >= 0 && this.#open(this.lit);
      const next = chips[lit < 0 ? 0 : Math.min(chips.length - 1, Math.max(0, lit + step))];
      this.#light(next?.dataset.unit);
      next?.scrollIntoView({ block: "nearest" });
      const unit = next && byId("rows").querySelector(`[data-unit="${next.dataset.unit}"]`);
      byId("announcement").textContent = unit ? this.steps.announcement(unit) : "";
    });
  }

  // Light up a unit wherever it is shown.
  #light(unit) {
    const root = byId("conversion");
    this.lit = unit;
    for (const old of root.querySelectorAll(".lit")) old.classList.remove("lit");
    if (unit === undefined) return;
    for (const part of root.querySelectorAll(`[data-unit="${unit}"]`)) part.classList.add("lit");
  }

  // Open the steps of a unit.
  #open(number) {
    const unit = byId("rows").querySelector(`[data-unit="${number}"]`);
    for (const steps of unit.querySelectorAll("details")) steps.open = true;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    unit.scrollIntoView({ block: "nearest", behavior: isStill ? "auto" : "smooth" });
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
    for (const id of ["source", "result", "rows", "about", "agreement", "snippets"]) byId(id).replaceChildren();
    byId("conversion").hidden = true;
  }

  #result() {
    const { isDecoder, session } = this, { agrees, errorCount, isDone, isWhole, length } = session;
    byId("conversion").hidden = false;
    byId("fault").textContent = "";
    this.head = session.head(SHOWN);
    this.#panes();
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

  // The input and the result side by side: the units that are shown below in their colours, the rest plain.
  #panes() {
    const { head, units, session, isDecoder } = this;
    const spread = (parts, isBytes) =>
      parts.filter(Boolean).flatMap((part, at) => (at && isBytes ? [" ", part] : [part]));
    const chips = (units ?? []).map((unit) => this.steps.chips(unit, isDecoder));
    const source = spread(chips.map(([input]) => input), isDecoder);
    if (this.from) source.unshift("… ");
    if (this.from + WINDOW < session.items.length) source.push(" …");
    byId("source").replaceChildren(...source);
    if (head === null) {
      byId("result").replaceChildren(element("em", { textContent: "no result: the first error ends it" }));
      return;
    }
    const result = this.from ? [] : spread(chips.map(([, output]) => output), !isDecoder);
    const shownLength = result.reduce((sum, part) => sum + (part.textContent ?? part).length, 0);
    byId("result").replaceChildren(...result, (isDecoder ? head : spaced(head)).slice(shownLength));
  }

  #rows() {
    const { session, isDecoder } = this, { items: { length }, isWhole } = session;
    this.from = Math.min(this.from, length);
    const options = { isDecoder, isWhole, handler: session.handler, name: session.encoding.name, bytes: this.source };
    this.units = unitsOf(session.rows(this.from, WINDOW), isDecoder);
    byId("open-steps").textContent = "Open all steps";
    byId("rows").replaceChildren(...this.units.map((unit) => this.steps.unit(unit, options)));
    this.#panes();
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
