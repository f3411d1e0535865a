// A page of cells as a chart of sixteen columns, and an overview of all pages on a canvas.

import { byId, element, hex, visible } from "./text.js";

const TALLEST = 340; // pixels of an overview

export class Chart {
  /** @param {{tell(cell: number | null): void, selected(cell: number): void, label(cell: number): string}} page */
  constructor(page) {
    this.page = page;
    this.grid = byId("grid");
    this.canvas = byId("overview");
    this.view = null;
    this.#listen();
  }

  /** Show the first page of a view, and the overview. */
  show(view) {
    this.view = view;
    this.active = null;
    this.columnAt = new Map(view.positions.map((position, column) => [position, column]));
    this.grid.lang = view.index.language;
    byId("row").replaceChildren(
      ...view.heads.map((textContent, value) => element("option", { value, textContent })));
    byId("row").parentElement.hidden = view.heads.length < 2;
    this.#overview();
    this.turn(0);
  }

  /** Draw a page. */
  turn(number) {
    const { view, dot } = this, start = number * view.positions.length;
    this.number = number;
    if (this.active === null) this.grid.removeAttribute("aria-activedescendant");
    byId("row").value = number;
    byId("here").style.cssText = dot ? `top:${number * dot.height}px;height:${Math.max(3, dot.height)}px` : "";
    const head = (role, textContent) => element("div", { role, textContent });
    const line = (first, cells) => element("div", { role: "row" }, first, ...cells);
    const lines = [...new Set(view.positions.map((position) => position >> 4))].map((high) =>
      line(head("rowheader", `${hex(high, 1)}_`), Array.from({ length: 16 }, (_, low) => {
        const cell = start + (this.columnAt.get(16 * high + low) ?? NaN);
        return cell < view.count ? this.#cell(cell) : element("div", { role: "gridcell" });
      })));
    const heads = Array.from({ length: 16 }, (_, low) => head("columnheader", hex(low, 1)));
    this.grid.replaceChildren(line(element("div", { role: "gridcell" }), heads), ...lines);
  }

  #cell(cell) {
    const { view } = this, kind = view.kind(cell), { style, marker } = view.legend[kind];
    const code = kind ? view.code(cell) : null, isActive = cell === this.active;
    return element("div", {
      role: "gridcell", id: `cell-${cell}`,
      className: `cell ${style}${style.endsWith("-next") ? " next" : ""}${isActive ? " active" : ""}`,
      data: { cell, marker, code: code === null ? "" : hex(code, 4) },
      aria: { label: this.page.label(cell), selected: String(isActive) },
    }, code === null ? "" : visible(code));
  }

  // -- The overview

  #overview() {
    if (!this.view) return;
    const { canvas, view } = this, frame = canvas.parentElement, { length } = view.positions;
    this.dot = null;
    frame.hidden = view.heads.length < 2;
    if (frame.hidden) return;
    const width = frame.parentElement.clientWidth - 2;
    // A cell is as wide as the row allows, and no higher than wide: the overview is an image of the table.
    const side = width / length, sharp = window.devicePixelRatio || 1;
    const dot = this.dot = { width: side, height: Math.max(1, Math.min(side, TALLEST / view.heads.length)) };
    const x = (column) => Math.round(column * dot.width * sharp), y = (row) => Math.round(row * dot.height * sharp);
    [canvas.width, canvas.height] = [x(length), y(view.heads.length)];
    canvas.style.cssText = `width:${width}px;height:${view.heads.length * dot.height}px`;
    const context = canvas.getContext("2d");
    const swatches = Array.from(byId("legend").querySelectorAll(".swatch"), (swatch) =>
      getComputedStyle(swatch).backgroundColor);
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (let cell = 0; cell < view.count; cell++) {
      const kind = view.kind(cell);
      if (kind === 0) continue;
      context.fillStyle = swatches[kind];
      const column = cell % length, row = Math.floor(cell / length);
      context.fillRect(x(column), y(row), x(column + 1) - x(column), y(row + 1) - y(row));
    }
  }

  #cellUnder(event) {
    const { left, top } = this.canvas.getBoundingClientRect(), { view, dot } = this, { length } = view.positions;
    const column = Math.floor((event.clientX - left) / dot.width), row = Math.floor((event.clientY - top) / dot.height);
    const cell = row * length + column;
    return column >= 0 && column < length && cell >= 0 && cell < view.count ? cell : null;
  }

  // -- One cell

  /** Make a cell the active one, on its page. */
  select(cell) {
    this.active = cell;
    this.turn(Math.floor(cell / this.view.positions.length));
    this.grid.setAttribute("aria-activedescendant", `cell-${cell}`);
    byId(`cell-${cell}`).scrollIntoView({ block: "nearest", inline: "nearest" });
    this.page.tell(cell);
    this.page.selected(cell);
  }

  #moved(key) {
    const { positions, count } = this.view, { length } = positions, start = this.number * length;
    if (this.active === null) return start;
    const cell = this.active, column = cell - start;
    const above = (step) => {
      for (let at = positions[column] + step; at >= 0 && at < 256; at += step) {
        if (this.columnAt.has(at)) return start + this.columnAt.get(at);
      }
      return cell;
    };
    const to = {
      ArrowLeft: () => cell - 1, ArrowRight: () => cell + 1, ArrowUp: () => above(-16), ArrowDown: () => above(16),
      Home: () => start, End: () => start + length - 1, PageUp: () => cell - length, PageDown: () => cell + length,
    }[key]();
    return to >= 0 && to < count ? to : cell;
  }

  #listen() {
    const { grid, canvas } = this;
    grid.addEventListener("keydown", (event) => {
      if (event.altKey || event.metaKey || event.ctrlKey || !/^(?:Arrow|Home$|End$|Page)/.test(event.key)) return;
      event.preventDefault();
      this.select(this.#moved(event.key));
    });
    byId("row").addEventListener("change", ({ target }) => {
      this.active = null;
      this.turn(Number(target.value));
    });
    const cellIn = ({ target }) => {
      const under = target.closest("[data-cell]");
      return under && Number(under.dataset.cell);
    };
    for (const [over, cellOf] of [[grid, cellIn], [canvas, (event) => this.#cellUnder(event)]]) {
      over.addEventListener("click", (event) => {
        const cell = cellOf(event);
        if (cell !== null) this.select(cell);
      });
      over.addEventListener("pointermove", (event) => this.page.tell(cellOf(event)));
      over.addEventListener("pointerleave", () => this.page.tell(this.active));
    }
    const redraw = () => {
      this.#overview();
      if (this.view) this.turn(this.number);
    };
    addEventListener("resize", redraw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  }
}
