// What the tables show: the cells of an index, and of the Basic Multilingual Plane.
//
// A view has: columns, count, rowHeads, columnHeads; legend; kind(cell), a line of it; faces(cell), the texts to show;
// details(cell), parts of a title, a text and pairs of term and text; key(cell), its name in the address;
// cellsOf(codePoint), cellsAt(pointer), cellsOfBytes(hex), which return pairs of a cell and why it was found.

import { bytesOf } from "../core/indexes.js";
import { codeName, hex, isCompatibility, nameOf, spaced, visible } from "./text.js";

/** @typedef {{style: string, marker: string, meaning: string}} Kind a line of a legend */
const kindsOf = (...rows) => rows.map(([style, marker, meaning]) => ({ style, marker, meaning }));

/** The legend of the standard's visualizations: https://encoding.spec.whatwg.org/#indexes. */
const INDEX_LEGEND = kindsOf(
  ["unmapped", "", "Unmapped"],
  ["two", "2", "Two bytes in UTF-8"],
  ["two-next", "2+", "Two bytes in UTF-8, code point follows the previous pointer’s"],
  ["three", "3", "Three bytes in UTF-8"],
  ["three-next", "3+", "Three bytes in UTF-8, code point follows the previous pointer’s"],
  ["four", "4", "Four bytes in UTF-8"],
  ["four-next", "4+", "Four bytes in UTF-8, code point follows the previous pointer’s"],
  ["private", "P", "Private use"],
  ["private-next", "P+", "Private use, code point follows the previous pointer’s"],
  ["duplicate", "D", "Duplicate: an earlier pointer has the code point too"],
  ["compatibility", "C", "CJK Compatibility Ideograph"],
  ["extension-a", "A", "CJK Unified Ideographs Extension A"],
);
const COVERAGE_LEGEND = kindsOf(
  ["unmapped", "", "Unmapped"],
  ["mapped", "M", "Mapped: one pointer has it"],
  ["duplicate", "D", "Duplicate: several pointers have it"],
);
/** Return the line of the legend for each pointer. @returns {number[]} */
function indexKinds(codePoints) {
  const seen = new Set();
  let previous = null;
  return codePoints.map((codePoint) => {
    const style = styleOf(codePoint, previous, seen);
    if (codePoint !== null) seen.add(codePoint);
    previous = codePoint;
    return INDEX_LEGEND.findIndex((kind) => kind.style === style);
  });
}

function styleOf(codePoint, previous, seen) {
  if (codePoint === null) return "unmapped";
  if (seen.has(codePoint)) return "duplicate";
  if (isCompatibility(codePoint)) return "compatibility";
  if (codePoint >= 0x3400 && codePoint <= 0x4DBF) return "extension-a";
  const isPrivate = (codePoint >= 0xE000 && codePoint <= 0xF8FF) || codePoint >= 0xF0000;
  const style = isPrivate ? "private" : codePoint < 0x800 ? "two" : codePoint < 0x10000 ? "three" : "four";
  return previous !== null && codePoint === previous + 1 ? `${style}-next` : style;
}

const face = (codePoint) => (codePoint === null || codePoint === undefined ? "" : visible(codePoint));

export class Cells {
  constructor({ engine, indexes, data }) {
    Object.assign(this, { engine, indexes, names: data.names, date: data.date });
  }

  name(codePoint) {
    return nameOf(codePoint, this.names);
  }

  /** The bytes of a code point in every encoding that has it: pairs of bytes and encodings. */
  everywhere(codePoint) {
    if (codePoint >= 0xD800 && codePoint <= 0xDFFF) return [];
    const found = new Map();
    for (const { name, hasEncoder } of this.engine.encodings) {
      const bytes = hasEncoder ? this.engine.bytesOf(name, codePoint) : /^UTF-16/.test(name) ? utf16(codePoint, name.endsWith("LE")) : null;
      if (!bytes) continue;
      const key = spaced(bytes);
      found.set(key, [...(found.get(key) ?? []), name]);
    }
    return [...found].map(([bytes, encodings]) => [bytes, encodings.join(", ")]);
  }

  // What is known of a code point, and of its pointers in an index.
  #rows(index, codePoint, pointer) {
    const rows = codePoint === null ? [] : [["Code point", codeName(codePoint)], ["Name", this.name(codePoint) || "not in the page"]];
    rows.push(["Pointer", codePoint === null ? `${pointer}: unmapped` : `${pointer}`]);
    for (const layout of index.layouts) {
      const bytes = bytesOf(layout, pointer);
      if (bytes) rows.push([layout.encoding, spaced(layout.note ? bytes.slice(3) : bytes) + (layout.note ? ` ${layout.note}` : "")]);
    }
    return rows;
  }

  /** The table of an index, as an encoding arranges it. */
  table(name, encoding) {
    const index = this.indexes.get(name), { codePoints } = index;
    const layout = index.layouts.find((one) => one.encoding === encoding) ?? index.layouts[0];
    const kinds = indexKinds(codePoints);
    return {
      legend: INDEX_LEGEND, language: index.language, index,
      columns: layout.columns,
      count: codePoints.length,
      rowHeads: Array.from({ length: Math.ceil(codePoints.length / layout.columns) }, (_, row) => layout.leading[row] ?? `№ ${row + 1}`),
      columnHeads: layout.trailing,
      kind: (cell) => kinds[cell],
      faces: (cell) => [face(codePoints[cell])],
      code: (cell) => codePoints[cell],
      key: (cell) => `pointer-${cell}`,
      details: (cell) => {
        const codePoint = codePoints[cell], rows = this.#rows(index, codePoint, cell);
        const others = codePoint === null ? [] : index.pointersOf(codePoint).filter((other) => other !== cell);
        if (others.length) rows.push(["Also at", others.map((other) => `pointer ${other}`).join(", ")]);
        for (const [first, last, note] of index.notes) if (first <= cell && cell <= last) rows.push(["Note", note]);
        return [{ text: face(codePoint), rows }, ...(codePoint === null ? [] : [{ title: "Bytes of the character", rows: this.everywhere(codePoint) }])];
      },
      cellsOf: (codePoint) => index.pointersOf(codePoint),
      cellsAt: (pointer) => (pointer < codePoints.length ? [pointer] : []),
      cellsOfBytes: (bytes) => pointersOfBytes(index, bytes),
    };
  }

  /** What an index covers of the Basic Multilingual Plane. */
  coverage(name) {
    const index = this.indexes.get(name);
    return {
      ...plane,
      legend: COVERAGE_LEGEND, language: index.language, index,
      kind: (cell) => Math.min(2, index.pointersOf(cell).length),
      details: (cell) => {
        const pointers = index.pointersOf(cell);
        const rows = pointers.length ? pointers.flatMap((pointer) => this.#rows(index, cell, pointer))
          : [["Code point", codeName(cell)], ["Name", this.name(cell) || "not in the page"], ["Pointer", "none: unmapped"]];
        return [{ text: face(cell), rows }, { title: "Bytes of the character", rows: this.everywhere(cell) }];
      },
      cellsAt: (pointer) => [index.codePoint(pointer)].filter((one) => one !== null && one < 0x10000),
      cellsOfBytes: (bytes) => pointersOfBytes(index, bytes).map(([pointer, why]) => [index.codePoint(pointer), why]).filter(([one]) => one !== null && one < 0x10000),
    };
  }
}

function utf16(codePoint, isLittle) {
  const text = String.fromCodePoint(codePoint);
  return Uint8Array.from({ length: 2 * text.length }, (_, at) => {
    const unit = text.charCodeAt(at >> 1);
    return (at & 1) === (isLittle ? 1 : 0) ? unit >> 8 : unit & 0xFF;
  });
}

// The cells of the Basic Multilingual Plane, in rows of 256 code points.
const plane = {
  columns: 256,
  count: 0x10000,
  rowHeads: Array.from({ length: 256 }, (_, row) => `U+${hex(row)}__`),
  columnHeads: Array.from({ length: 256 }, (_, low) => hex(low)),
  code: (cell) => cell,
  faces: (cell) => [face(cell)],
  key: codeName,
  cellsOf: (codePoint) => (codePoint < 0x10000 ? [codePoint] : []),
};

// Pairs of a pointer and the encoding that has these bytes for it.
function pointersOfBytes(index, bytes) {
  const found = [];
  for (const { encoding, columns, leading, trailing } of index.layouts) {
    const last = bytes.slice(-trailing[0].length);
    const row = leading.indexOf(bytes.slice(0, -last.length)), column = trailing.indexOf(last);
    const pointer = row * columns + column;
    if (row >= 0 && column >= 0 && pointer < index.length) found.push([pointer, `bytes in ${encoding}`]);
  }
  return found;
}
