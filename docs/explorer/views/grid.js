// A table of cells, of which only those in sight are elements, and an overview of all of them on a canvas.

import { byId, element, hex, visible, worded } from "./text.js";

const HEAD_HEIGHT = 26;
const HEAD_WIDTH = 56;
const TALLEST = 420; // pixels of an overview
const BESIDE = 3; // rows and columns drawn beyond the visible ones on each side

export class Grid {
  /** @param {{tell(cell: number | null): void, selected(cell: number): void, label(cell: number): string}} page */
  constructor(page) {
    this.page = page;
    this.grid = byId("grid");
    this.canvas = byId("overview");
    this.view = null;
    this.active = null;
    this.only = null; // the line of the legend that is shown alone
    this.drawn = "";
    this.#listen();
  }

  get rows() {
    return Math.ceil(this.view.count / this.view.columns);
  }

  /** Lay out and draw the table of a view and its overview. */
  show(view) {
    this.view = view;
    this.active = this.only = null;
    const isBig = view.columns === 16, { grid } = this;
    grid.classList.toggle("big", isBig);
    // A narrow table fills its row; a wide one scrolls.
    this.size = isBig ? Math.min(84, Math.max(44, Math.floor((grid.clientWidth - HEAD_WIDTH) / view.columns))) : 44;
    grid.style.setProperty("--cell", `${this.size}px`);
    grid.setAttribute("aria-rowcount", this.rows + 1);
    grid.setAttribute("aria-colcount", view.columns + 1);
    grid.removeAttribute("aria-activedescendant");
    const [width, height] = [HEAD_WIDTH + view.columns * this.size, HEAD_HEIGHT + this.rows * this.size];
    byId("sheet").style.cssText = `width:${width}px;height:${height}px`;
    grid.style.height = isBig ? `${height + 18}px` : "";
    byId("heads").replaceChildren(
      element("div", { className: "corner", role: "columnheader", aria: { colindex: 1 } },
        worded("span", "visually-hidden", "Row")),
      ...view.columnHeads.map((textContent, column) => {
        const head = element("div", { role: "columnheader", aria: { colindex: column + 2 }, textContent });
        head.style.left = `${HEAD_WIDTH + column * this.size}px`;
        return head;
      }));
    byId("grid-rows").lang = view.index.language;
    grid.scrollTo(0, 0);
    this.redraw(true);
  }

  redraw(isWhole = false) {
    this.drawn = "";
    if (isWhole) this.#overview();
    this.#draw();
  }

  #cell(cell, column) {
    const { view } = this, kind = view.kind(cell), { style, marker } = view.legend[kind];
    const classes = ["cell", style], code = kind ? view.code(cell) : null;
    if (style.endsWith("-next")) classes.push("next");
    if (this.only !== null && this.only !== kind) classes.push("dim");
    if (cell === this.active) classes.push("active");
    return element("div", {
      role: "gridcell", id: `cell-${cell}`, className: classes.join(" "),
      data: { cell, marker, code: code === null ? "" : hex(code, 4) },
      aria: { colindex: column + 2, label: this.page.label(cell), selected: String(cell === this.active) },
    }, element("span", { textContent: code === null ? "" : visible(code) }));
  }

  // Draw the visible cells, if they have changed.
  #draw() {
    if (!this.view) return;
    const { grid, view, size } = this;
    const [row0, column0] = [grid.scrollTop, grid.scrollLeft].map((at) => Math.max(0, Math.floor(at / size) - BESIDE));
    const row1 = Math.min(this.rows, Math.ceil((grid.scrollTop + grid.clientHeight) / size) + BESIDE);
    const column1 = Math.min(view.columns, Math.ceil((grid.scrollLeft + grid.clientWidth) / size) + BESIDE);
    byId("viewport").style.cssText = this.#viewport();
    const now = [row0, row1, column0, column1].join();
    if (now === this.drawn) return;
    this.drawn = now;
    const rows = [];
    for (let row = row0; row < row1; row++) {
      const cells = [];
      for (let column = column0; column < column1; column++) {
        const cell = row * view.columns + column;
        if (cell < view.count) cells.push(this.#cell(cell, column));
      }
      const gap = element("div", { className: "gap", role: "presentation" });
      gap.style.width = `${column0 * size}px`;
      const head = worded("div", "rowhead", view.rowHeads[row], { role: "rowheader", aria: { colindex: 1 } });
      const line = element("div", { className: "row", role: "row", aria: { rowindex: row + 2 } }, head, gap, ...cells);
      line.style.top = `${HEAD_HEIGHT + row * size}px`;
      rows.push(line);
    }
    byId("grid-rows").replaceChildren(...rows);
  }

  // -- The overview

  #overview() {
    if (!this.view) return;
    const { canvas, view } = this, frame = canvas.parentElement;
    frame.hidden = view.columns === 16; // The table itself is as small as an overview.
    if (frame.hidden) return;
    const width = frame.parentElement.clientWidth - 2;
    // A cell is as wide as the row allows, and no higher than wide: the overview is an image of the table.
    const side = width / view.columns, sharp = window.devicePixelRatio || 1;
    const dot = this.dot = { width: side, height: Math.max(1, Math.min(side, TALLEST / this.rows)) };
    const x = (column) => Math.round(column * dot.width * sharp), y = (row) => Math.round(row * dot.height * sharp);
    [canvas.width, canvas.height] = [x(view.columns), y(this.rows)];
    canvas.style.cssText = `width:${width}px;height:${this.rows * dot.height}px`;
    const context = canvas.getContext("2d");
    const swatches = Array.from(byId("legend").querySelectorAll(".swatch"), (swatch) =>
      getComputedStyle(swatch).backgroundColor);
    const { backgroundColor, color } = getComputedStyle(this.grid);
    swatches[0] = color; // Unmapped cells are drawn only if they alone are selected.
    context.fillStyle = backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (let cell = 0; cell < view.count; cell++) {
      const kind = view.kind(cell);
      if (this.only === null ? kind === 0 : kind !== this.only) continue;
      context.fillStyle = swatches[kind];
      const column = cell % view.columns, row = Math.floor(cell / view.columns);
      context.fillRect(x(column), y(row), x(column + 1) - x(column), y(row + 1) - y(row));
    }
  }

  // The style of the frame that marks the visible part of the table in the overview.
  #viewport() {
    if (this.canvas.parentElement.hidden) return "display:none";
    const { grid, view, dot } = this, [across, down] = [dot.width / this.size, dot.height / this.size];
    const width = Math.min((grid.clientWidth - HEAD_WIDTH) * across, view.columns * dot.width);
    const height = Math.min((grid.clientHeight - HEAD_HEIGHT) * down, this.rows * dot.height);
    return `left:${grid.scrollLeft * across}px;top:${grid.scrollTop * down}px;width:${width}px;height:${height}px`;
  }

  #cellUnder(event) {
    const { left, top } = this.canvas.getBoundingClientRect(), { view, dot } = this;
    const column = Math.floor((event.clientX - left) / dot.width), row = Math.floor((event.clientY - top) / dot.height);
    const cell = row * view.columns + column;
    return column >= 0 && column < view.columns && cell >= 0 && cell < view.count ? cell : null;
  }

  // -- One cell

  /** Make a cell the active one, and scroll to it: as little as possible to a near one, to the middle otherwise. */
  select(cell) {
    const { grid, size, view } = this;
    this.active = cell;
    const [x, y] = [(cell % view.columns) * size, Math.floor(cell / view.columns) * size];
    const [width, height] = [grid.clientWidth - HEAD_WIDTH, grid.clientHeight - HEAD_HEIGHT];
    const along = (from, to, length) => {
      if (to >= from && to + size <= from + length) return from;
      const near = to + size > from + length ? to + size - length : to;
      return Math.abs(near - from) <= 2 * size ? near : Math.max(0, to - length / 2);
    };
    grid.scrollTo(along(grid.scrollLeft, x, width), along(grid.scrollTop, y, height));
    this.redraw();
    grid.setAttribute("aria-activedescendant", `cell-${cell}`);
    this.page.tell(cell);
    this.page.selected(cell);
  }

  /** Show one line of the legend alone, or all again. */
  filter(kind) {
    this.only = this.only === kind ? null : kind;
    this.redraw(true);
  }

  #moved(key, isControl) {
    const { view, grid } = this, last = view.count - 1, cell = this.active ?? 0, start = cell - (cell % view.columns);
    const page = Math.max(1, Math.floor((grid.clientHeight - HEAD_HEIGHT) / this.size)) * view.columns;
    const lowest = last - ((last - cell) % view.columns);
    const end = start + view.columns - 1;
    const far = {
      ArrowLeft: start, ArrowRight: end, ArrowUp: cell % view.columns, ArrowDown: lowest, Home: 0, End: last,
    };
    const near = {
      ArrowLeft: cell - 1, ArrowRight: cell + 1, ArrowUp: cell - view.columns, ArrowDown: cell + view.columns,
      Home: start, End: end, PageUp: cell - page, PageDown: cell + page,
    };
    const to = isControl ? far[key] : near[key];
    if (to === undefined) return null;
    if (this.active === null) return 0;
    if (key === "End" || isControl) return Math.min(last, to);
    // Up and down stay in the column, unless the target row lacks it.
    if (to < 0) return key === "PageUp" ? cell % view.columns : cell;
    if (to > last) return key === "PageDown" ? lowest : cell;
    return to;
  }

  // The next or the previous cell of the line that is shown alone, wrapping around at the end.
  #another(step) {
    if (this.only === null) return null;
    const { count } = this.view;
    const start = this.active ?? (step > 0 ? -1 : 0);
    for (let distance = 1; distance <= count; distance++) {
      const cell = (start + step * distance + count) % count;
      if (this.view.kind(cell) === this.only) return cell;
    }
    return null;
  }

  #listen() {
    const { grid, canvas } = this;
    grid.addEventListener("keydown", (event) => {
      if (event.altKey || event.metaKey) return;
      const step = { n: 1, N: -1 }[event.key];
      const cell = step ? this.#another(step) : this.#moved(event.key, event.ctrlKey);
      if (cell === null) return;
      event.preventDefault();
      this.select(cell);
    });
    grid.addEventListener("scroll", () => requestAnimationFrame(() => this.#draw()), { passive: true });
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
    addEventListener("resize", () => this.redraw(true));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw(true));
  }
}
