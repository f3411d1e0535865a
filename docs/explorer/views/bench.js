// The workbench: one field for bytes or text, what it is taken for, and five questions about it.

import { addressOf } from "./address.js";
import { Convert } from "./convert.js";
import { Identify } from "./identify.js";
import { Lookup, codePointWritten } from "./lookup.js";
import { Mend } from "./repair.js";
import { byId, bytesOfText, compact, entitle, markCurrent, plural } from "./text.js";

const HELD = 20000; // characters of an address or a file that the field shows; what is longer is kept beside it
const SHOWN = 400; // characters shown of what is longer
const CARRIED = 4000; // characters or bytes that a question hands over to another one
const EXAMINED = 400; // characters of a text that are tried as mojibake

/** The key of the address that has the input of a question. */
const KEYS = { decode: "bytes", encode: "text", identify: "detect", mend: "repair", lookup: "character" };
const TAKES_BYTES = new Set(["decode", "identify"]);
const CONVERTS = new Set(["decode", "encode"]);

/** Return the question that a state of the address asks, null for none. */
function questionOf(state) {
  if ("repair" in state) return "mend";
  if ("character" in state) return "lookup";
  if ("detect" in state) return "identify";
  if ("text" in state) return "encode";
  if ("bytes" in state || "label" in state) return "decode";
  return "file" in state ? "identify" : null;
}

/** What was typed, opened or linked to, which may be longer than what the field shows. */
class Field {
  text = "";
  as = "auto"; // how bytes are written
  file = null; // {name, bytes}
  read = null; // the bytes that were read last, and from what
  lost = ""; // the name of a file that an address mentions and cannot contain

  /** Return the bytes; raise a RangeError that says why there are none. */
  written() {
    if (this.lost) throw new RangeError(`The file ${this.lost} is not part of the address. Open it again.`);
    if (this.file) return { bytes: this.file.bytes, as: "file" };
    // A megabyte is read once, and not for each link that leads somewhere with it.
    if (this.read?.text !== this.text || this.read.how !== this.as) {
      this.read = { text: this.text, how: this.as, written: bytesOfText(this.text, this.as) };
    }
    return this.read.written;
  }

  /** Return the bytes as an address has them: in hexadecimal, unless they were written in another way. */
  address() {
    try {
      const { bytes, as } = this.written();
      return as === "hex" && this.as === "auto" ? compact(bytes.subarray(0, 20000)) : this.text;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return this.text;
    }
  }
}

export class Bench {
  constructor(page) {
    Object.assign(this, page);
    this.field = new Field();
    this.views = {};
    this.question = null;
    this.isAuto = true; // whether the question follows from what is typed
    byId("input").addEventListener("input", () => this.#typed());
    byId("file").addEventListener("change", ({ target }) => target.files[0] && this.open(target.files[0]));
    byId("kinds").addEventListener("change", ({ target }) => this.#take(target.value));
    byId("questions").addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#ask(link.dataset.view);
    });
  }

  #view(question) {
    const make = { decode: Convert, encode: Convert, identify: Identify, mend: Mend, lookup: Lookup }[question];
    const name = make === Convert ? "convert" : question;
    this.views[name] ??= new make({ ...this, changed: (field) => this.changed(field) });
    return this.views[name];
  }

  /** Show a state of the address. */
  show(state) {
    const question = questionOf(state), { field } = this;
    if (!(state.file && field.file?.name === state.file)) field.file = null;
    field.lost = state.file && !field.file ? state.file : "";
    field.text = question ? state[KEYS[question]] ?? "" : "";
    field.as = ["hex", "escapes", "text"].includes(state.as) ? state.as : "auto";
    this.isAuto = question === null;
    if (!field.file) this.#fill();
    const unknown = Object.keys(state);
    byId("notice").textContent = question === null && unknown.length
      ? `The address asks for “${unknown[0].slice(0, 40)}”, which the explorer doesn’t know. `
        + "Start here, or with an example."
      : !TAKES_BYTES.has(question) && isMalformed(field.text)
        ? "Part of the address is not UTF-8 (an escaped lone surrogate, for example), so it is shown as it is written."
        : byId("notice").textContent;
    this.#set(question, state);
  }

  // Put the text into the field, or the start of a long one.
  #fill() {
    const { text } = this.field, isHeld = text.length > HELD;
    byId("input").value = isHeld ? `${text.slice(0, SHOWN)}…` : text;
    byId("notice").textContent = isHeld
      ? `The address contains ${plural(text.length, "character")}. The field shows the first ${SHOWN}; `
        + "typing replaces all of them." : "";
  }

  // Show a question and its answer.
  #set(question, state) {
    this.question = question;
    document.body.classList.toggle("front", question === null);
    byId("answer").hidden = question === null;
    byId("snippets").replaceChildren();
    for (const id of ["convert", "identify", "mend", "lookup"]) {
      byId(id).hidden = id !== (CONVERTS.has(question) ? "convert" : question);
    }
    byId("fault").textContent = "";
    markCurrent("#questions a", question);
    if (question !== null) this.#view(question).run(state, question);
    this.#describe();
  }

  /** Take a change of an option of the view into the address. */
  changed(field) {
    this.address.put(this.state, field);
    this.#describe();
  }

  #typed() {
    const { field } = this;
    field.file = null;
    field.lost = "";
    field.text = byId("input").value;
    byId("notice").textContent = "";
    if (this.isAuto) {
      field.as = "auto";
      const question = this.#routed(field.text);
      if (question === this.question && question !== null) this.#view(question).run();
      else this.#set(question, {});
    } else {
      this.#view(this.question).run();
    }
    this.address.put(this.state, "input");
    this.#describe();
  }

  // The question that a text asks by itself.
  #routed(text) {
    const trimmed = text.trim();
    if (!trimmed) return null;
    if (Array.from(trimmed).length === 1 || codePointWritten(trimmed) !== null) return "lookup";
    if (bytesOfText(text).as !== "text") return "identify";
    return this.engine.mend(text.slice(0, EXAMINED)) ? "mend" : "encode";
  }

  // Take the text for what a person says that it is.
  #take(kind) {
    const { field, question } = this, takesBytes = TAKES_BYTES.has(question);
    field.as = "auto";
    if (kind === "mojibake") {
      this.#change("mend");
    } else if (kind === "text" && !(takesBytes && !this.isAuto)) {
      this.#change(Array.from(field.text.trim()).length === 1 ? "lookup" : "encode");
    } else {
      if (bytesOfText(field.text).as !== kind) field.as = kind;
      this.#change(takesBytes ? question : "identify");
    }
  }

  // Ask another question about the same input.
  #change(question) {
    this.isAuto = false;
    this.#set(question, question === this.question ? this.state : {});
    this.address.put(this.state);
    this.#describe();
  }

  // The state that asks a question about what is in the field.
  #asked(question, label) {
    const { field } = this, state = CONVERTS.has(question) ? { label } : {};
    if (!TAKES_BYTES.has(question)) return { ...state, [KEYS[question]]: field.text };
    if (field.file) return { ...state, file: field.file.name };
    return { ...state, [KEYS[question]]: field.address(), as: field.as === "auto" ? "" : field.as };
  }

  /** The state as it is now. */
  get state() {
    if (this.question === null) return {};
    const { label, options } = this.#view(this.question);
    return { ...this.#asked(this.question, label), ...options };
  }

  // The state that asks a question about the same bytes, or about the present answer: its text, or its bytes.
  #handed(question) {
    if (question === this.question) return this.state;
    const { label = "", text = "", bytes = new TextEncoder().encode(text) } = this.#view(this.question);
    const state = this.#asked(question, label || "utf-8"), takesBytes = TAKES_BYTES.has(question);
    if (takesBytes && TAKES_BYTES.has(this.question)) return state;
    const { file: _, as: __, ...others } = state;
    const answer = takesBytes ? compact(bytes.subarray(0, CARRIED)) : text.slice(0, CARRIED);
    return { ...others, [KEYS[question]]: answer };
  }

  #ask(question) {
    const state = this.#handed(question);
    this.address.put(state);
    this.show(state);
    byId("questions").querySelector("[aria-current]")?.focus();
  }

  /** Take the bytes of a file. @param {File} file */
  async open(file) {
    const { field } = this, bytes = new Uint8Array(await file.arrayBuffer());
    Object.assign(field, { file: { name: file.name, bytes }, as: "auto", lost: "", text: "" });
    byId("input").value = "";
    byId("notice").textContent = "";
    const state = { ...(this.question === "decode" ? { label: byId("label").value } : {}), file: file.name };
    this.address.put(state);
    this.isAuto = false;
    this.#set(questionOf(state), state);
  }

  // Say what the input is taken for, and where the other questions lead.
  #describe() {
    const { field, question } = this;
    let kind = null, what = "";
    if (question === "mend") {
      [kind, what] = ["mojibake", "text that was decoded with the wrong encoding"];
    } else if (question === "encode" || question === "lookup") {
      [kind, what] = ["text", plural(Array.from(field.text).length, "character")];
    } else if (question) {
      try {
        const { bytes, as } = field.written(), count = plural(bytes.length, "byte");
        kind = as;
        what = {
          hex: `${count} in hexadecimal`, escapes: `${count}, some as escapes`, text: `${count}: the text in UTF-8`,
          file: `the file ${field.file?.name}, ${count}`,
        }[as];
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        kind = field.as;
      }
    }
    byId("taken").textContent = what;
    for (const radio of byId("kinds").querySelectorAll("input")) radio.checked = radio.value === kind;
    if (question === null) {
      entitle("");
      return;
    }
    const tabs = byId("questions"), current = tabs.querySelector("[aria-current]");
    entitle(`${current.textContent} ${field.file?.name ?? field.text.slice(0, 40).trim()}`);
    tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
    for (const link of byId("questions").children) link.href = addressOf(this.#handed(link.dataset.view));
  }
}

// Whether a text has percent-escapes that are not UTF-8, which the address keeps as they are.
function isMalformed(text) {
  if (!/%[0-9a-f]{2}/i.test(text)) return false;
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
}
