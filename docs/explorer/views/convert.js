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
    for (const [id, to] of [["first", () => 0], ["previous", () => Math.max(0, this.from - WINDOW)],
      ["next", () => this.from + WINDOW], ["last", () => this.#lastWindow()]]) {
      byId(id).addEventListener("click", () => this.#go(to()));
    }
    byId("goto").addEventListener("change", ({ target }) => this.#go(Math.min(this.session.items.length, Math.max(0, Number(target.value) || 0))));
    byId("error-list").addEventListener("click", ({ target }) => target.dataset.at && this.#go(Number(target.dataset.at)));
    byId("labels").append(...page.engine.encodings.flatMap(({ labels }) => labels.map((value) => element("option", { value }))));
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
    const modes = [this.isDecoder ? ["replacement", "become U+FFFD"] : ["html", "become references: &#9731;"], ["fatal", "stop the conversion"]];
    byId("errors").replaceChildren(...modes.map(([value, textContent]) => element("option", { value, textContent })));
    for (const each of document.querySelectorAll(".decode-only")) each.hidden = !this.isDecoder;
    byId("conversion").dataset.question = this.isDecoder ? "decode" : "encode";
    byId("source-title").textContent = this.isDecoder ? "Bytes" : "Text";
    byId("result-title").textContent = this.isDecoder ? "Text" : "Bytes";
  }

  /** The state as it is now. */
  get state() {
    const [label, errors, bom] = ["label", "errors", "bom"].map((id) => byId(id).value), { field } = this;
    const found = { label };
    if (field.file) found.file = field.file.name;
    else if (this.isDecoder) found.bytes = field.address();
    else found.text = field.text;
    if (errors !== (this.isDecoder ? "replacement" : "html")) found.errors = errors;
    if (this.isDecoder && bom !== "keep") found.bom = bom;
    if (this.isDecoder && field.as !== "auto" && !field.file) found.as = field.as;
    if (this.from) found.at = String(this.from);
    return found;
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
    root.addEventListener("click", ({ target }) => target.closest(".chip") && this.#open(target.closest(".chip").dataset.unit));
    root.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], pane = event.target.closest(".joined");
      if (!pane || !this.units || event.ctrlKey || event.altKey || event.metaKey || !(step || event.key === "Enter")) return;
      event.preventDefault();
      const chips = [...pane.querySelectorAll(".chip")], lit = chips.findIndex(({ dataset }) => dataset.unit === this.lit);
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
    for (const each of unit.querySelectorAll("details")) each.open = true;
    unit.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }

  /** Convert the input; a long one in pieces, between which the page answers. */
  async #start() {
    const run = ++this.turn;
    byId("fault").textContent = "";
    byId("error-list").replaceChildren();
    try {
      this.#read();
      const options = { direction: this.isDecoder ? "decode" : "encode", label: byId("label").value, errors: byId("errors").value, bom: byId("bom").value };
      this.session = new Session(this.engine, this.machine, options, this.isDecoder ? this.source : scalarValues(this.field.text));
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

  #read() {
    this.source = this.isDecoder ? this.field.written().bytes : null;
  }

  #fail(message) {
    this.session = null;
    byId("fault").textContent = message;
    for (const id of ["source", "result", "rows", "about", "agreement", "snippets"]) byId(id).replaceChildren();
    byId("conversion").hidden = true;
  }

  #result() {
    const found = this.session.summary(), { isDecoder } = this;
    byId("conversion").hidden = false;
    byId("fault").textContent = "";
    this.found = found;
    this.#panes();
    const cut = found.head && found.length > found.head.length ? `, of which the first ${found.head.length.toLocaleString("en")} are shown` : "";
    const progress = found.isDone ? "" : ` (${Math.floor((100 * found.at) / found.total)} % so far)`;
    byId("about").replaceChildren(
      isDecoder ? "Decoded as " : "Encoded as ",
      element("a", { href: `${STANDARD}#${found.anchor}`, textContent: found.name }),
      `: ${isDecoder ? plural(found.length, "UTF-16 unit") : plural(found.length, "byte")}${cut}, ${plural(found.errorCount, "error")}${progress}.`);
    byId("agreement").textContent = !found.isWhole
      ? "A byte order mark is removed before the algorithm runs, so its steps are not compared."
      : !found.isChecked ? `The standard’s algorithm runs: ${Math.floor((100 * found.checked) / found.total)} % so far.`
      : found.agrees ? "The engine and the standard’s algorithm agree." : "The engine and the standard’s algorithm differ: please report this.";
    byId("agreement").dataset.agrees = String(found.agrees);
    byId("error-list").replaceChildren(...found.errors.map(({ start, end }) => {
      const what = isDecoder ? spaced(this.source.subarray(start, end)) : codeName(this.session.items[start]);
      return element("li", {}, element("button", { type: "button", data: { at: String(start) }, textContent: `${what} at ${start}` }));
    }));
    byId("error-count").textContent = found.errorCount > found.errors.length ? `The first ${found.errors.length} of ${plural(found.errorCount, "error")}:` : found.errorCount ? `${plural(found.errorCount, "error")}:` : "";
    const options = { label: byId("label").value, errors: byId("errors").value, bom: byId("bom").value };
    this.snippets(isDecoder ? decoding(options, this.source, this.field.file?.name) : encoding(options, this.field.text));
  }

  // The input and the result side by side: the units that are shown below in their colours, the rest plain.
  #panes() {
    const { found, units, session, isDecoder } = this;
    const joinedBy = (parts, isBytes) => parts.filter(Boolean).flatMap((part, at) => (at && isBytes ? [" ", part] : [part]));
    const chips = (units ?? []).map((unit) => this.steps.chips(unit, isDecoder));
    const source = joinedBy(chips.map(([input]) => input), isDecoder);
    if (this.from) source.unshift("… ");
    if (this.from + WINDOW < session.items.length) source.push(" …");
    byId("source").replaceChildren(...source);
    if (found.head === null) {
      byId("result").replaceChildren(element("em", { textContent: "no result: the first error ends it" }));
      return;
    }
    const output = this.from ? [] : joinedBy(chips.map(([, each]) => each), !isDecoder);
    const head = isDecoder ? found.head : spaced(found.head), done = output.reduce((sum, each) => sum + (each.textContent ?? each).length, 0);
    byId("result").replaceChildren(...output, head.slice(done));
  }

  #lastWindow() {
    return Math.max(0, Math.floor((this.session.items.length - 1) / WINDOW) * WINDOW);
  }

  #rows() {
    const { session, isDecoder } = this, { length } = session.items;
    this.from = Math.min(this.from, length);
    const options = { isDecoder, anchor: session.handler.anchor, initial: session.handler.initial, isWhole: session.isWhole, name: session.encoding.name, bytes: this.source };
    this.units = unitsOf(session.rows(this.from, WINDOW), isDecoder);
    byId("open-steps").textContent = "Open all steps";
    byId("rows").replaceChildren(...this.units.map((unit) => this.steps.unit(unit, options)));
    this.#panes();
    byId("paging").hidden = length <= WINDOW;
    byId("goto").value = this.from;
    byId("goto").max = length;
    byId("window").textContent = `${this.from.toLocaleString("en")} to ${Math.min(length, this.from + WINDOW).toLocaleString("en")} of ${length.toLocaleString("en")}`;
  }

  // Rows far ahead need the states before them.
  async #go(from) {
    const run = this.turn;
    while (this.session.checked < from) await new Promise((resolve) => setTimeout(resolve, 20));
    if (run !== this.turn) return;
    this.from = from;
    this.#rows();
    this.changed("at");
    byId("rows-title").scrollIntoView({ block: "nearest" });
  }

  #toggle() {
    const all = [...document.querySelectorAll("#rows details")], isOpen = all.some((one) => !one.open);
    for (const one of all) one.open = isOpen;
    byId("open-steps").textContent = isOpen ? "Close all steps" : "Open all steps";
  }
}
