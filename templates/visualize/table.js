"use strict";
// Draw the table that the page's data describes, search it, and show the details of a cell. Only visible cells are
// elements; the overview of all cells is a canvas. The kind of a cell is in the data, except in comparisons.

const $ = (id) => document.getElementById(id);
const made = (name, properties) => Object.assign(document.createElement(name), properties);
const data = JSON.parse($("data").textContent);

// -- Code points and names --------------------------------------------------------------------------------------------

const hex = (number, digits) => number.toString(16).toUpperCase().padStart(digits, "0");
const code = (codePoint) => hex(codePoint, 4);
const spaced = (bytes) => bytes.replace(/..(?=.)/g, "$& ");
const isCodePoint = (value) => value !== null && value !== undefined;

/** Return the text to show for a character; empty if it is invisible or would affect the text around it. */
function character(codePoint) {
  const text = String.fromCodePoint(codePoint);
  return /[\p{C}\p{Z}]/u.test(text) ? "" : /\p{M}/u.test(text) ? "\u25CC" + text : text;
}

let names;

/** Return the Unicode name of a code point, from the lines that the generator's `name_lines` wrote to the page. */
function nameOf(codePoint) {
  if (!names) {
    names = new Map();
    let at = -1, name = "";
    for (const line of data.names.split("\n")) {
      const tilde = line.indexOf("~");
      at += tilde ? Number(line.slice(0, tilde)) : 1;
      name = name.slice(0, line.charCodeAt(tilde + 1) - 48) + line.slice(tilde + 2);
      names.set(at, name);
    }
  }
  const named = names.get(codePoint);
  if (named) return named;
  if (codePoint >= 0xD800 && codePoint <= 0xDFFF) return "surrogate";
  if (codePoint >= 0xE000 && codePoint <= 0xF8FF) return "private use";
  return codePoint <= 0x1F || codePoint >= 0x7F && codePoint <= 0x9F ? "control" : `not assigned in Unicode ${data.unicode}`;
}

function utf8(codePoint) {
  const bytes = new TextEncoder().encode(String.fromCodePoint(codePoint));
  return Array.from(bytes, (byte) => hex(byte, 2)).join("");
}

// -- Indexes ----------------------------------------------------------------------------------------------------------

/** Return a side of the data with its reverse index: code point → its pointers, in order. */
function indexed(side) {
  if (!side.pointers) {
    side.pointers = new Map();
    side.codePoints.forEach((codePoint, pointer) => {
      if (codePoint === null) return;
      const known = side.pointers.get(codePoint);
      if (known) known.push(pointer); else side.pointers.set(codePoint, [pointer]);
    });
  }
  return side;
}

/** Return pairs of encoding and bytes of a pointer, for each encoding that uses the index. */
function sequences(side, pointer) {
  const found = [];
  for (const layout of side.layouts) {
    const leading = layout.leading[Math.floor(pointer / layout.columns)];
    if (leading === undefined) continue;
    const bytes = spaced(leading + layout.trailing[pointer % layout.columns]);
    found.push([layout.encoding, layout.note ? `${bytes} ${layout.note}` : bytes]);
  }
  return found;
}

/** Return pairs of encoding and pointer for bytes, given in hexadecimal. */
function pointersOfBytes(side, bytes) {
  const found = [];
  for (const layout of side.layouts) {
    const trailing = bytes.slice(-layout.trailing[0].length);
    const row = layout.leading.indexOf(bytes.slice(0, -trailing.length));
    const column = layout.trailing.indexOf(trailing);
    const pointer = row * layout.columns + column;
    if (row >= 0 && column >= 0 && pointer < side.codePoints.length) found.push([layout.encoding, pointer]);
  }
  return found;
}

/** Return the code point of four bytes by index gb18030 ranges; null for none, or for another index. */
function codePointOfFourBytes(side, bytes) {
  const four = bytes.match(/../g)?.map((byte) => parseInt(byte, 16)) ?? [];
  const firsts = [0x81, 0x30, 0x81, 0x30], lasts = [0xFE, 0x39, 0xFE, 0x39];
  if (!side.ranges.length || four.length !== 4 || four.some((byte, at) => byte < firsts[at] || byte > lasts[at])) return null;
  const pointer = [10, 126, 10].reduce((sum, count, at) => sum * count + four[at + 1] - firsts[at + 1], four[0] - firsts[0]);
  const { last_bmp: lastBmp, last, exception } = side.ranges_bounds;
  if (pointer === exception[0]) return exception[1];
  const [start, codePoint] = side.ranges.findLast(([first]) => first <= pointer);
  return pointer > last || (pointer > lastBmp && codePoint < 0x10000) ? null : codePoint + pointer - start;
}

const notesOf = (side, pointer) => side.notes.filter(([first, last]) => first <= pointer && pointer <= last).map((note) => ["Note", note[2]]);
const ofCodePoint = (codePoint) => [["Code point", "U+" + code(codePoint)], ["Name", nameOf(codePoint)]];
const duplicates = (side, codePoint, pointer) => {
  const others = side.pointers.get(codePoint).filter((other) => other !== pointer);
  return others.length ? [["Also at", others.map((other) => `pointer ${other}`).join(", ")]] : [];
};

/** Return the details of a pointer of an index: its character, if any, and pairs of term and text. */
function pointerDetail(side, pointer) {
  const { title, language } = side;
  const codePoint = side.codePoints[pointer];
  const rows = [];
  if (pointer >= side.codePoints.length) return { title, rows: [["Pointer", `${pointer}: beyond the index`]] };
  if (codePoint !== null) rows.push(...ofCodePoint(codePoint));
  rows.push(["Pointer", codePoint === null ? `${pointer}: unmapped` : `${pointer}`], ...sequences(side, pointer));
  if (codePoint !== null) rows.push(["UTF-8", spaced(utf8(codePoint))], ...duplicates(side, codePoint, pointer));
  return { title, codePoint, language, rows: [...rows, ...notesOf(side, pointer)] };
}

/** Return the details of a code point, in the same form. */
function codePointDetail(side, codePoint) {
  const pointers = side.pointers.get(codePoint) ?? [];
  const rows = ofCodePoint(codePoint);
  for (const pointer of pointers) rows.push(["Pointer", `${pointer}`], ...sequences(side, pointer));
  if (!pointers.length) rows.push(["Pointer", "none: unmapped"]);
  if (codePoint < 0xD800 || codePoint > 0xDFFF) rows.push(["UTF-8", spaced(utf8(codePoint))]);
  return { title: side.title, codePoint, language: side.language, rows };
}

// -- Views: the cells of a table --------------------------------------------------------------------------------------
// A view has: sides; columns, count, rowHeads, columnHeads; kind(cell), a line of the legend; faces(cell), the code
// points to show; details(cell); key(cell), its name in the URL; cellsOf(codePoint) and cellsAt(pointer).

/** Return a view of pointers, by the bytes that a layout has for them. */
function pointerView(sides, { columns, leading, trailing }, kind) {
  const count = Math.max(...sides.map((side) => side.codePoints.length));
  return {
    sides, columns, count, kind,
    // A row without a leading byte has its number as heading, from 1 as in the character sets.
    rowHeads: Array.from({ length: Math.ceil(count / columns) }, (_, row) => leading[row] ?? `№ ${row + 1}`),
    columnHeads: trailing,
    faces: (cell) => [...new Set(sides.map((side) => side.codePoints[cell]))],
    details: (cell) => sides.map((side) => pointerDetail(side, cell)),
    key: (cell) => `pointer-${cell}`,
    cellsOf: (codePoint) => [...new Set(sides.flatMap((side) => side.pointers.get(codePoint) ?? []))],
    cellsAt: (pointer) => [pointer],
  };
}

/** Return a view of code points, in the given rows of 256. */
function codePointView(sides, rows, kind) {
  const place = new Map(rows.map((row, number) => [row, number]));
  const at = (cell) => rows[cell >> 8] << 8 | cell & 0xFF;
  const cellsOf = (codePoint) => (place.has(codePoint >> 8) ? [place.get(codePoint >> 8) << 8 | codePoint & 0xFF] : []);
  return {
    sides, cellsOf,
    columns: 256,
    count: rows.length * 256,
    rowHeads: rows.map((row) => `U+${hex(row, 2)}__`),
    columnHeads: Array.from({ length: 256 }, (_, low) => hex(low, 2)),
    kind: (cell) => kind(at(cell)),
    faces: (cell) => [at(cell)],
    details: (cell) => sides.map((side) => codePointDetail(side, at(cell))),
    key: (cell) => `U+${code(at(cell))}`,
    cellsAt: (pointer) => [...new Set(sides.map((side) => side.codePoints[pointer]).filter(isCodePoint).flatMap(cellsOf))],
  };
}

function indexView() {
  return pointerView([indexed(data.side)], data.side.layouts[data.layout], (pointer) => data.kinds.charCodeAt(pointer) - 97);
}

function bmpView() {
  const side = indexed(data.side);
  return codePointView([side], [...Array(256).keys()], (codePoint) => Math.min(2, side.pointers.get(codePoint)?.length ?? 0));
}

const [NEITHER, SAME, DIFFERS, ONLY_A, ONLY_B] = [0, 1, 2, 3, 4];

function compareView(a, b, by) {
  const sides = [{ ...indexed(a), title: `A: ${a.label}` }, { ...indexed(b), title: `B: ${b.label}` }];
  if (by === "pointer") {
    return pointerView(sides, a.layouts[0], (pointer) => {
      const [x, y] = [a.codePoints[pointer] ?? null, b.codePoints[pointer] ?? null];
      return x === y ? (x === null ? NEITHER : SAME) : y === null ? ONLY_A : x === null ? ONLY_B : DIFFERS;
    });
  }
  // The rows that have a code point of either index.
  const rows = [...new Set([...a.pointers.keys(), ...b.pointers.keys()].map((codePoint) => codePoint >> 8))].sort((x, y) => x - y);
  return codePointView(sides, rows, (codePoint) => {
    const [x, y] = [a.pointers.has(codePoint), b.pointers.has(codePoint)];
    return x ? (y ? SAME : ONLY_A) : y ? ONLY_B : NEITHER;
  });
}

// -- Search -----------------------------------------------------------------------------------------------------------

const MOST = 60;

/** Return the cells that match a text as a character, code point, bytes, pointer or part of a name, best first. */
function find(view, text) {
  const query = text.trim();
  const found = new Map();
  const outside = new Map();  // Matching code points without a cell in this table.
  const add = (cells, why) => cells.forEach((cell) => found.size < MOST && !found.has(cell) && found.set(cell, why));
  if (!query) return [];
  const characters = [...query.normalize("NFC")];
  if (characters.length === 1 || characters.every((one) => one > "\x7F")) {
    for (const one of new Set([...query, ...characters])) add(view.cellsOf(one.codePointAt(0)), "character");
  }
  const codePoint = /^(?:u[+ ]|\\u\{?|0x|&#x)?([0-9a-f]{2,6})[};]?$/i.exec(query);
  if (codePoint) add(view.cellsOf(parseInt(codePoint[1], 16)), "code point");
  if (/^(?:(?:0x|\\x|%)?[0-9a-f]{2}[\s,]*)+$/i.test(query)) {
    const bytes = query.replace(/0x|\\x|[%\s,]/gi, "").toUpperCase();
    for (const side of view.sides) {
      for (const [encoding, pointer] of pointersOfBytes(side, bytes)) add(view.cellsAt(pointer), `bytes in ${encoding}`);
      const byRange = codePointOfFourBytes(side, bytes);
      if (byRange === null) continue;
      const cells = view.cellsOf(byRange);
      add(cells, "four bytes in gb18030");
      if (!cells.length) outside.set(byRange, "four bytes in gb18030, by the index of ranges; no cell of this table");
    }
  }
  const pointer = /^(?:pointer[\s-]*|#)?(\d+)$/i.exec(query);
  if (pointer) add(view.cellsAt(Number(pointer[1])).filter((cell) => cell >= 0 && cell < view.count), "pointer");
  if (/[a-z]{2}/i.test(query) && !/^u[+ ]/i.test(query)) {
    const words = query.toUpperCase().split(/\s+/);
    nameOf(0x41);
    for (const [named, name] of names) {
      if (found.size >= MOST) break;
      if (words.every((word) => name.includes(word)) && view.sides.some((side) => side.pointers.has(named))) add(view.cellsOf(named), "name");
    }
  }
  return [
    ...Array.from(found, ([cell, why]) => ({ cell, why })),
    ...Array.from(outside, ([codePoint, why]) => ({ cell: null, codePoint, why })),
  ];
}

// -- The table --------------------------------------------------------------------------------------------------------

const grid = $("grid");
const HEAD_HEIGHT = 26;
const HEAD_WIDTH = 52;
const BESIDE = 3;  // Rows and columns drawn beyond the visible ones on each side.
let view, size, active = null, only = null, drawn = "";

const rowsOf = () => Math.ceil(view.count / view.columns);
const plain = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

function label(cell) {
  const [codePoint] = view.faces(cell).filter(isCodePoint);
  const what = isCodePoint(codePoint) ? `U+${code(codePoint)} ${nameOf(codePoint)}` : "unmapped";
  return `${view.key(cell)}: ${what}; ${data.legend[view.kind(cell)].meaning}`;
}

function cellHtml(cell, column) {
  const kind = view.kind(cell);
  const { style, marker } = data.legend[kind];
  const faces = view.faces(cell);
  const shown = faces.filter(isCodePoint);
  const text = faces.map((face) => `<span>${isCodePoint(face) ? plain(character(face)) : ""}</span>`).join("");
  const classes = ["cell", style];
  if (style.endsWith("-next")) classes.push("next");
  if (faces.length > 1) classes.push("pair");
  if (only !== null && only !== kind) classes.push("dim");
  if (cell === active) classes.push("active");
  return `<div role="gridcell" id="cell-${cell}" class="${classes.join(" ")}" data-cell="${cell}" data-marker="${marker}" data-code="${shown.length === 1 ? code(shown[0]) : ""}"`
    + ` aria-colindex="${column + 2}" aria-label="${plain(label(cell))}"${cell === active ? ' aria-selected="true"' : ""}>${text}</div>`;
}

/** Draw the visible cells, if they have changed. */
function draw() {
  const row0 = Math.max(0, Math.floor(grid.scrollTop / size) - BESIDE);
  const row1 = Math.min(rowsOf(), Math.ceil((grid.scrollTop + grid.clientHeight) / size) + BESIDE);
  const column0 = Math.max(0, Math.floor(grid.scrollLeft / size) - BESIDE);
  const column1 = Math.min(view.columns, Math.ceil((grid.scrollLeft + grid.clientWidth) / size) + BESIDE);
  $("viewport").style.cssText = viewport();
  const now = [row0, row1, column0, column1].join();
  if (now === drawn) return;
  drawn = now;
  const html = [];
  for (let row = row0; row < row1; row++) {
    const cells = [];
    for (let column = column0; column < column1; column++) {
      const cell = row * view.columns + column;
      if (cell < view.count) cells.push(cellHtml(cell, column));
    }
    html.push(`<div class="row" role="row" aria-rowindex="${row + 2}" style="top:${HEAD_HEIGHT + row * size}px"><div class="rowhead" role="rowheader" aria-colindex="1">`
      + `${plain(view.rowHeads[row])}</div><div class="gap" role="presentation" style="width:${column0 * size}px"></div>${cells.join("")}</div>`);
  }
  $("rows").innerHTML = html.join("");
}

function redraw() {
  drawn = "";
  draw();
}

/** Lay out and draw the table of a view and its overview. */
function show(next) {
  view = next;
  active = only = null;
  const big = view.columns === 16;
  grid.classList.toggle("big", big);
  size = big ? 58 : 44;
  grid.setAttribute("aria-rowcount", rowsOf() + 1);
  grid.setAttribute("aria-colcount", view.columns + 1);
  grid.removeAttribute("aria-activedescendant");
  $("sheet").style.cssText = `width:${HEAD_WIDTH + view.columns * size}px;height:${HEAD_HEIGHT + rowsOf() * size}px`;
  if (big) grid.style.height = `${HEAD_HEIGHT + rowsOf() * size + 2}px`; else grid.style.height = "";
  $("heads").innerHTML = '<div class="corner" role="columnheader" aria-colindex="1"><span class="visually-hidden">Row</span></div>' + view.columnHeads.map((head, column) =>
    `<div role="columnheader" aria-colindex="${column + 2}" style="left:${HEAD_WIDTH + column * size}px">${plain(head)}</div>`).join("");
  $("rows").lang = view.sides[0].language;
  grid.scrollTo(0, 0);
  for (const button of $("legend").querySelectorAll("button")) button.setAttribute("aria-pressed", "false");
  drawOverview();
  redraw();
}

// -- The overview -----------------------------------------------------------------------------------------------------

const canvas = $("overview");
let dot;

function drawOverview() {
  const big = view.columns === 16;
  canvas.parentElement.hidden = big;  // The table itself is as small as an overview.
  if (big) return;
  const width = canvas.parentElement.parentElement.clientWidth - 2;
  dot = Math.max(2, Math.min(8, Math.floor(width / view.columns), Math.floor(420 / rowsOf())));
  const sharp = window.devicePixelRatio || 1;
  [canvas.width, canvas.height] = [view.columns * dot * sharp, rowsOf() * dot * sharp];
  canvas.style.cssText = `width:${view.columns * dot}px;height:${rowsOf() * dot}px`;
  const context = canvas.getContext("2d");
  context.scale(sharp, sharp);
  const swatches = [...$("legend").querySelectorAll(".swatch")].map((swatch) => getComputedStyle(swatch).backgroundColor);
  const { backgroundColor, color } = getComputedStyle(grid);
  swatches[0] = color;  // Unmapped cells are drawn only if they alone are selected.
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (let cell = 0; cell < view.count; cell++) {
    const kind = view.kind(cell);
    if (only === null ? kind === 0 : kind !== only) continue;
    context.fillStyle = swatches[kind];
    context.fillRect(cell % view.columns * dot, Math.floor(cell / view.columns) * dot, dot, dot);
  }
}

/** Return the style of the frame that marks the visible part of the table in the overview. */
function viewport() {
  if (canvas.parentElement.hidden) return "display:none";
  const scale = dot / size;
  const [width, height] = [grid.clientWidth - HEAD_WIDTH, grid.clientHeight - HEAD_HEIGHT].map((length) => length * scale);
  return `left:${grid.scrollLeft * scale}px;top:${grid.scrollTop * scale}px;width:${Math.min(width, view.columns * dot)}px;height:${Math.min(height, rowsOf() * dot)}px`;
}

function cellUnder(event) {
  const { left, top } = canvas.getBoundingClientRect();
  const [column, row] = [Math.floor((event.clientX - left) / dot), Math.floor((event.clientY - top) / dot)];
  const cell = row * view.columns + column;
  return column >= 0 && column < view.columns && cell >= 0 && cell < view.count ? cell : null;
}

// -- One cell ---------------------------------------------------------------------------------------------------------

function tell(cell) {
  const parts = [];
  for (const { title, codePoint, language, rows } of cell === null ? [] : view.details(cell)) {
    if (title) parts.push(made("h2", { textContent: title }));
    if (isCodePoint(codePoint)) parts.push(made("span", { className: "character", lang: language ?? "", textContent: character(codePoint) }));
    const list = made("dl");
    for (const [term, text] of rows) list.append(made("dt", { textContent: term }), made("dd", { textContent: text }));
    parts.push(list);
  }
  if (cell !== null) parts.push(made("p", { className: "quiet", textContent: data.legend[view.kind(cell)].meaning }));
  if (parts.length) $("detail").replaceChildren(...parts);
}

/** Make a cell the active one: scroll to it, show its details, and put it into the URL. */
function select(cell) {
  active = cell;
  const [row, column] = [Math.floor(cell / view.columns), cell % view.columns];
  const [x, y] = [column * size, row * size];
  const [width, height] = [grid.clientWidth - HEAD_WIDTH, grid.clientHeight - HEAD_HEIGHT];
  // Scroll as little as possible to a near cell, and center a distant one.
  const along = (from, to, length) => {
    if (to >= from && to + size <= from + length) return from;
    const near = to + size > from + length ? to + size - length : to;
    return Math.abs(near - from) <= 2 * size ? near : Math.max(0, to - length / 2);
  };
  grid.scrollTo(along(grid.scrollLeft, x, width), along(grid.scrollTop, y, height));
  redraw();
  grid.setAttribute("aria-activedescendant", `cell-${cell}`);
  tell(cell);
  remember();
}

function moved(key, control) {
  const last = view.count - 1;
  const cell = active ?? 0;
  const start = cell - cell % view.columns;
  const page = Math.max(1, Math.floor((grid.clientHeight - HEAD_HEIGHT) / size)) * view.columns;
  const far = {
    ArrowLeft: start, ArrowRight: start + view.columns - 1, ArrowUp: cell % view.columns, ArrowDown: last - (last - cell) % view.columns, Home: 0, End: last,
  };
  const near = {
    ArrowLeft: cell - 1, ArrowRight: cell + 1, ArrowUp: cell - view.columns, ArrowDown: cell + view.columns,
    Home: start, End: start + view.columns - 1, PageUp: cell - page, PageDown: cell + page,
  };
  const to = control ? far[key] : near[key];
  if (to === undefined) return null;
  if (active === null) return 0;
  if (key === "End" || control) return Math.min(last, to);
  // Up and down stay in the column, unless the target row lacks it.
  if (to < 0) return key === "PageUp" ? cell % view.columns : cell;
  if (to > last) return key === "PageDown" ? last - (last - cell) % view.columns : cell;
  return to;
}

/** Return the next or the previous cell of the selected kind, wrapping around at the end; null if there is none. */
function another(step) {
  if (only === null) return null;
  for (let n = 1; n <= view.count; n++) {
    const cell = (((active ?? (step > 0 ? -1 : 0)) + step * n) % view.count + view.count) % view.count;
    if (view.kind(cell) === only) return cell;
  }
  return null;
}

grid.addEventListener("keydown", (event) => {
  if (event.altKey || event.metaKey) return;
  const cell = event.key === "n" ? another(1) : event.key === "N" ? another(-1) : moved(event.key, event.ctrlKey);
  if (cell === null) return;
  event.preventDefault();
  select(cell);
});
grid.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
function cellIn({ target }) {
  const under = target.closest("[data-cell]");
  return under && Number(under.dataset.cell);
}

for (const [element, cellOf] of [[grid, cellIn], [canvas, cellUnder]]) {
  element.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (cell !== null) select(cell);
  });
  element.addEventListener("pointermove", (event) => tell(cellOf(event)));
  element.addEventListener("pointerleave", () => tell(active));
}

$("legend").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const kind = Number(button.dataset.kind);
  only = only === kind ? null : kind;
  for (const other of $("legend").querySelectorAll("button")) other.setAttribute("aria-pressed", String(Number(other.dataset.kind) === only));
  drawOverview();
  redraw();
});

// -- The search box ---------------------------------------------------------------------------------------------------

const search = $("search");

function showFound() {
  const found = find(view, search.value);
  $("count").textContent = !search.value.trim() ? "" : found.length === MOST ? `${MOST} or more found` : `${found.length || "nothing"} found`;
  if (search.value.trim() && !found.length) $("detail").replaceChildren();
  $("found").replaceChildren(...found.map(({ cell, codePoint: outside, why }) => {
    if (cell === null) return made("li", { textContent: `${character(outside)} U+${code(outside)} (found as ${why})` });
    const [codePoint] = view.faces(cell).filter(isCodePoint);
    const what = isCodePoint(codePoint) ? `${character(codePoint)} U+${code(codePoint)} ${nameOf(codePoint)}` : "unmapped";
    const button = made("button", { type: "button", textContent: `${what} (${view.key(cell)}, found as ${why})` });
    button.dataset.found = cell;
    const item = made("li");
    item.append(button);
    return item;
  }));
  return found;
}

function go(cell) {
  $("found").replaceChildren();
  grid.scrollIntoView({ block: "nearest" });
  select(cell);
  grid.focus({ preventScroll: true });
}

search.addEventListener("input", showFound);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    const first = showFound().find(({ cell }) => cell !== null);
    if (first) go(first.cell);
  } else if (event.key === "ArrowDown") {
    $("found").querySelector("button")?.focus();
    event.preventDefault();
  } else if (event.key === "Escape") {
    $("found").replaceChildren();
    grid.focus({ preventScroll: true });
  }
});
$("found").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) go(Number(button.dataset.found));
});
$("found").addEventListener("keydown", (event) => {
  const item = event.target.closest("li");
  const other = { ArrowDown: item?.nextSibling, ArrowUp: item?.previousSibling }[event.key];
  if (event.key === "ArrowUp" && !other) search.focus();
  if (event.key === "Escape") search.focus();
  if (event.key === "ArrowDown" || event.key === "ArrowUp") event.preventDefault();
  other?.firstChild.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  search.focus();
  search.select();
});
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest(".controls")) $("found").replaceChildren();
});

// -- The URL, the theme, the size -------------------------------------------------------------------------------------

const choice = { a: $("a"), b: $("b"), by: $("by") };

/** Put the state of the page into the URL, so that a link or a reload restores it. */
function remember() {
  const state = new URLSearchParams();
  if (choice.a) {
    for (const side of ["a", "b"]) state.set(side, data.sides[choice[side].value].label);
    state.set("by", choice.by.value);
  }
  if (active !== null) state.set("at", view.key(active));
  history.replaceState(null, "", `#${state}`);
}

function compare() {
  const [a, b] = [data.sides[choice.a.value], data.sides[choice.b.value]];
  const next = compareView(a, b, choice.by.value);
  const counts = data.legend.map(() => 0);
  for (let cell = 0; cell < next.count; cell++) counts[next.kind(cell)]++;
  for (const button of $("legend").querySelectorAll("button")) {
    const count = button.querySelector("data");
    count.value = counts[button.dataset.kind];
    count.textContent = counts[button.dataset.kind].toLocaleString("en");
  }
  const things = choice.by.value === "pointer" ? "pointers" : "code points";
  const parts = [[SAME, "the same in both"], [DIFFERS, "different"], [ONLY_A, `in ${a.label} only`], [ONLY_B, `in ${b.label} only`]]
    .filter(([kind]) => kind !== DIFFERS || choice.by.value === "pointer")
    .map(([kind, words]) => `${counts[kind].toLocaleString("en")} ${words}`);
  $("summary").textContent = `${a.label} (A) and ${b.label} (B), ${things}: ${parts.join(", ")}.`;
  show(next);
}

/** Restore the state from the URL, or show the default state. */
function start() {
  const state = new URLSearchParams(location.hash.slice(1));
  if (data.view === "compare") {
    const sideOf = (text) => data.sides.findIndex((side) => side.label === text || side.name === text);
    const a = Math.max(0, sideOf(state.get("a")));
    // The default is the index of the same name in the other snapshot, else the next index.
    const same = data.sides.findIndex((side) => side.name === data.sides[a].name && side.snapshot !== data.sides[a].snapshot);
    const b = sideOf(state.get("b"));
    choice.a.value = a;
    choice.b.value = b >= 0 ? b : same >= 0 ? same : (a + 1) % data.sides.length;
    // Pointers are comparable only between tables of the same shape.
    const [{ layouts: [one] }, { layouts: [other] }] = [data.sides[choice.a.value], data.sides[choice.b.value]];
    choice.by.value = state.get("by") ?? (one.columns === other.columns ? "pointer" : "code-point");
    compare();
  } else {
    show(data.view === "bmp" ? bmpView() : indexView());
  }
  const [found] = state.get("at") ? find(view, state.get("at")).filter(({ cell }) => cell !== null) : [];
  if (found) select(found.cell);
}

for (const element of Object.values(choice)) {
  element?.addEventListener("change", () => {
    compare();
    remember();
  });
}
document.addEventListener("theme", drawOverview);
addEventListener("hashchange", start);
addEventListener("resize", () => {
  drawOverview();
  redraw();
});
start();
performance.mark("ready");
