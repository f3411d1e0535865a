// Bytes to text, and text to bytes.

import { Session, scalarValues } from "../core/session.js";
import { decoding, encoding } from "./snippets.js";
import { STANDARD, Steps, unitsOf } from "./steps.js";
import { byId, codeName, element, hex, plural, spaced } from "./text.js";

const WINDOW = 128; // items at a time
const SLICE = 16; // milliseconds of work between two answers of the page
const CARRIED = 4000; // bytes or characters of the result for another question

export class Convert {
  /** @param {{engine, machine, data, field, changed}} page */
  constructor(page) {
    Object.assign(this, page);
    this.steps = new Steps(page.data.names, page.engine.encodings);
    this.turn = 0;
    for (const id of ["label", "errors", "bom"]) byId(id).addEventListener("input", () => this.#edited(id));
    byId("open-steps").addEventListener("click", () => this.#toggle());
    const pages = {
      first: () => 0, previous: () => this.from - WINDOW, next: () => this.from + WINDOW,
      last: () => Math.floor((this.session.items.length - 1) / WINDOW) * WINDOW,
    };
    for (const [id, start] of Object.entries(pages)) byId(id).addEventListener("click", () => this.#go(start()));
    byId("goto").addEventListener("change", ({ target }) => this.#go(Number(target.value) || 0));
    byId("error-list").addEventListener("click", ({ target: { dataset: { at } } }) => at && this.#go(Number(at)));
    const labels = page.engine.encodings.flatMap((encoding) => encoding.labels);
    byId("labels").append(...labels.map((value) => element("option", { value })));
    this.#join();
  }

  /** Show a state of the address. */
  show(state, question) {
    this.isDecoder = question === "decode";
    byId("label").value = state.label || "utf-8";
    this.#choices();
    const { value } = byId("errors");
    byId("errors").value = state.errors || (this.isDecoder ? "replacement" : "html");
    if (!byId("errors").value) byId("errors").value = value;
    byId("bom").value = ["sniff", "remove"].includes(state.bom) ? state.bom : "keep";
    this.from = Math.max(0, Math.floor(Number(state.at)) || 0);
    this.#start();
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

  /** The state as it is now. */
  get state() {
    const [label, errors, bom] = ["label", "errors", "bom"].map((id) => byId(id).value), { field } = this;
    const state = { label };
    if (field.file) state.file = field.file.name;
    else if (this.isDecoder) state.bytes = field.address();
    else state.text = field.text;
    if (errors !== (this.isDecoder ? "replacement" : "html")) state.errors = errors;
    if (this.isDecoder && bom !== "keep") state.bom = bom;
    if (this.isDecoder && field.as !== "auto" && !field.file) state.as = field.as;
    if (this.from) state.at = String(this.from);
    return state;
  }

  get label() {
    return byId("label").value;
  }

  /** The text of the conversion, whose start other questions are asked about. */
  get text() {
    return this.isDecoder ? this.session?.summary(CARRIED).head ?? "" : this.field.text;
  }

  /** The bytes of the conversion. */
  get bytes() {
    if (this.isDecoder) return this.source ?? new Uint8Array();
    return this.session?.summary(CARRIED).head ?? new Uint8Array();
  }

  #edited(id) {
    this.run();
    this.changed(id);
  }

  /** Convert what is in the field, from its start. */
  run() {
    this.from = 0;
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
      this.session = new Session(this.engine, this.machine, this.#options, items);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#fail(error.message);
      return;
    }
    const { session } = this;
    this.units = null;
    session.check();
    this.#result();
    this.#rows();
    // The engine first, which is quick, then the algorithm; the page answers in between.
    for (let shown = performance.now(); !session.isChecked; ) {
      await new Promise((resolve) => setTimeout(resolve));
      if (run !== this.turn) return;
      const begun = performance.now(), wasDone = session.isDone;
      while (!session.isChecked && performance.now() < begun + SLICE) session[session.isDone ? "check" : "step"]();
      if (session.isChecked || session.isDone !== wasDone || begun > shown + 300) {
        this.#result();
        shown = begun;
      }
    }
  }

  get #options() {
    const [label, errors, bom] = ["label", "errors", "bom"].map((id) => byId(id).value);
    return { direction: this.isDecoder ? "decode" : "encode", label, errors, bom };
  }

  #fail(message) {
    this.session = null;
    byId("fault").textContent = message;
    for (const id of ["source", "result", "rows", "about", "agreement", "snippets"]) byId(id).replaceChildren();
    byId("conversion").hidden = true;
  }

  #result() {
    const { isDecoder } = this, summary = this.session.summary();
    const { at, checked, errors, errorCount, head, total } = summary;
    const percent = (count) => `${Math.floor((100 * count) / total)} % so far`;
    byId("conversion").hidden = false;
    byId("fault").textContent = "";
    this.summary = summary;
    this.#panes();
    const length = plural(summary.length, isDecoder ? "UTF-16 unit" : "byte");
    const isCut = head && summary.length > head.length;
    const cut = isCut ? `, of which the first ${head.length.toLocaleString("en")} are shown` : "";
    byId("about").replaceChildren(
      isDecoder ? "Decoded as " : "Encoded as ",
      element("a", { href: `${STANDARD}#${summary.anchor}`, textContent: summary.name }),
      `: ${length}${cut}, ${plural(errorCount, "error")}${summary.isDone ? "" : ` (${percent(at)})`}.`);
    byId("agreement").textContent = !summary.isWhole
      ? "A byte order mark is removed before the algorithm runs, so its steps are not compared."
      : !summary.isChecked ? `The standard’s algorithm runs: ${percent(checked)}.`
      : summary.agrees ? "The engine and the standard’s algorithm agree."
      : "The engine and the standard’s algorithm differ: please report this.";
    byId("agreement").dataset.agrees = String(summary.agrees);
    byId("error-list").replaceChildren(...errors.map(({ start, end }) => {
      const what = isDecoder ? spaced(this.source.subarray(start, end)) : codeName(this.session.items[start]);
      const textContent = `${what} at ${start}`;
      return element("li", {}, element("button", { type: "button", data: { at: String(start) }, textContent }));
    }));
    const first = errorCount > errors.length ? `The first ${errors.length} of ` : "";
    byId("error-count").textContent = errorCount ? `${first}${plural(errorCount, "error")}:` : "";
    const { file, text } = this.field;
    this.snippets(isDecoder ? decoding(this.#options, this.source, file?.name) : encoding(this.#options, text));
  }

  // The input and the result side by side: the units that are shown below in their colours, the rest plain.
  #panes() {
    const { summary: { head }, units, session, isDecoder } = this;
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
    const { session, isDecoder } = this, { items: { length }, handler: { anchor, initial }, isWhole } = session;
    this.from = Math.min(this.from, length);
    const options = { isDecoder, anchor, initial, isWhole, name: session.encoding.name, bytes: this.source };
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
    while (this.session.checked < from) await new Promise((resolve) => setTimeout(resolve, 20));
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
