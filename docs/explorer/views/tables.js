// The tables: an index, and what it covers.

import { addressOf } from "./address.js";
import { coverageOf, tableOf } from "./cells.js";
import { Chart } from "./chart.js";
import { walking } from "./snippets.js";
import { STANDARD } from "./steps.js";
import { byId, codeName, element, entitle, nameOf, visible, worded } from "./text.js";

const MOST = 60; // results of a search

export class Tables {
  constructor(page) {
    Object.assign(this, page);
    this.chart = new Chart({
      tell: (cell) => this.#tell(cell),
      selected: (cell) => this.address.put({ ...this.state, at: this.chart.view.key(cell) }, "at"),
      label: (cell) => this.#label(cell),
    });
    this.shown = [...page.indexes.values()].filter(({ layouts }) => layouts?.length).map(({ name }) => name);
    const options = (values) => values.map((value) => element("option", { value, textContent: value }));
    byId("index").append(...options(this.shown));
    byId("index").addEventListener("change", ({ target }) => this.#put({ [this.what]: target.value }));
    byId("arranged").addEventListener("change", ({ target }) =>
      this.#put({ table: this.state.table, as: target.value }));
    this.#listenToSearch();
  }

  #put(state) {
    this.address.put(state);
    this.show(state);
  }

  /** Show a state of the address. */
  show(state) {
    const { at = "", ...others } = state;
    this.what = "table" in others ? "table" : "coverage";
    const key = JSON.stringify(others);
    if (key !== this.key) this.#make(others);
    this.key = key;
    entitle(byId("table-title").textContent);
    const match = at ? this.#find(at)[0] : null;
    if (match && match.cell !== this.chart.active) this.chart.select(match.cell);
    else if (!match) this.#tell(null);
  }

  #make(state) {
    this.state = state;
    byId("table-fault").textContent = "";
    const name = this.shown.includes(state[this.what]) ? state[this.what] : this.#unknown(state[this.what]);
    byId("index").value = name;
    const index = this.indexes.get(name), { layouts } = index, { names } = this.data;
    const ways = layouts.filter(({ columns }, at) => layouts.findIndex((other) => other.columns === columns) === at);
    byId("arranged").replaceChildren(
      ...ways.map(({ encoding }) => element("option", { value: encoding, textContent: encoding })));
    byId("arranged").value = ways.find(({ encoding }) => encoding === state.as)?.encoding ?? ways[0].encoding;
    byId("arranged").parentElement.hidden = ways.length < 2 || this.what !== "table";
    const view = this.what === "table" ? tableOf(index, byId("arranged").value, names) : coverageOf(index, names);
    const anchor = layouts[0].columns === 16 ? "index-single-byte" : `index-${name}`;
    byId("table-title").replaceChildren(
      this.what === "table" ? "Index " : "Coverage of the Basic Multilingual Plane: index ",
      element("a", { href: `${STANDARD}#${anchor}`, textContent: name }));
    this.#legend(view);
    this.chart.show(view);
    this.snippets(walking(index));
  }

  #unknown(name) {
    if (name) byId("table-fault").textContent = `“${name.slice(0, 60)}” is not the name of an index. This is jis0208.`;
    return "jis0208";
  }

  #legend(view) {
    const counts = view.legend.map(() => 0);
    for (let cell = 0; cell < view.count; cell++) counts[view.kind(cell)]++;
    byId("legend").replaceChildren(...view.legend.map(({ style, marker, meaning }, kind) => element("li", {},
      worded("span", `swatch ${style}${style.endsWith("-next") ? " next" : ""}`, marker),
      element("span", { textContent: meaning }),
      element("data", { value: counts[kind], textContent: counts[kind].toLocaleString("en") }))));
  }

  #label(cell) {
    const { view } = this.chart, kind = view.kind(cell), code = kind ? view.code(cell) : null;
    const what = code === null ? "" : `${this.#named(code)}; `;
    return `${view.key(cell)}: ${what}${view.legend[kind].meaning}`;
  }

  #named(codePoint) {
    return `${codeName(codePoint)} ${nameOf(codePoint, this.data.names)}`;
  }

  // Show the details of a cell.
  #tell(cell) {
    const { view } = this.chart;
    if (cell === null && this.chart.active !== null) cell = this.chart.active;
    if (cell === null || !view) {
      const textContent = "Point at a cell, or move with the arrow keys.";
      byId("detail").replaceChildren(element("p", { className: "quiet", textContent }));
      return;
    }
    const codePoint = view.code(cell), text = codePoint === null ? "" : visible(codePoint);
    const rows = view.details(cell).flatMap(([term, description]) =>
      [element("dt", { textContent: term }), element("dd", { textContent: description })]);
    byId("detail").replaceChildren(
      ...(text ? [element("span", { className: "character", lang: view.index.language, textContent: text })] : []),
      element("dl", {}, ...rows),
      element("p", { className: "quiet", textContent: view.legend[view.kind(cell)].meaning }),
      ...(codePoint === null ? [] : [element("a", {
        href: addressOf({ character: codeName(codePoint) }), textContent: "Its bytes in every encoding",
      })]));
  }

  // -- Search

  /** Return the cells that match a text as a character, code point, bytes, pointer or part of a name, best first. */
  #find(text) {
    const { view } = this.chart, query = text.trim(), matches = new Map();
    const add = (cells, why) => {
      for (const cell of cells) if (matches.size < MOST && !matches.has(cell)) matches.set(cell, why);
    };
    if (!query) return [];
    const characters = [...query.normalize("NFC")];
    if (characters.length === 1 || characters.every((character) => character > "\x7F")) {
      for (const character of new Set([...query, ...characters])) {
        add(view.cellsOf(character.codePointAt(0)), "character");
      }
    }
    const codePoint = /^(?:u[+ ]|\\u\{?|0x|&#x)?([0-9a-f]{2,6})[};]?$/i.exec(query);
    if (codePoint) add(view.cellsOf(parseInt(codePoint[1], 16)), "code point");
    const bytes = query.replace(/^bytes-/, "");
    if (/^(?:(?:0x|\\x|%)?[0-9a-f]{2}[\s,]*)+$/i.test(bytes)) {
      for (const [cell, why] of view.cellsOfBytes(bytes.replace(/0x|\\x|[%\s,]/gi, "").toUpperCase())) add([cell], why);
    }
    const pointer = /^(?:pointer[\s-]*|#)?(\d+)$/i.exec(query);
    if (pointer) add(view.cellsAt(Number(pointer[1])), "pointer");
    if (/[a-z]{2}/i.test(query) && !/^u[+ ]/i.test(query)) {
      const words = query.toUpperCase().split(/\s+/);
      for (const [named, name] of Object.entries(this.data.names)) {
        if (matches.size >= MOST) break;
        if (!words.every((word) => name.includes(word))) continue;
        add(view.cellsOf(Number(named)).filter((cell) => view.kind(cell)), "name");
      }
    }
    return Array.from(matches, ([cell, why]) => ({ cell, why }));
  }

  // Go to the first match, and when the same is searched again, to the next.
  #search() {
    const { value } = byId("search"), matches = this.#find(value);
    this.turn = value === this.searched ? this.turn + 1 : 0;
    this.searched = value;
    const match = matches[this.turn % matches.length];
    byId("count").textContent = !value.trim() ? "" : !match ? "nothing found"
      : `${(this.turn % matches.length) + 1} of ${matches.length}, found as ${match.why}`;
    if (match) this.chart.select(match.cell);
  }

  #listenToSearch() {
    const search = byId("search");
    search.addEventListener("keydown", ({ key }) => key === "Enter" && this.#search());
    document.addEventListener("keydown", (event) => {
      const isTyping = /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key !== "/" || byId("tables").hidden || isTyping) return;
      event.preventDefault();
      search.focus();
      search.select();
    });
  }
}
