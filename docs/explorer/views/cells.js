// What the tables show: the cells of an index, and of the Basic Multilingual Plane.
//
// A view has: index, count; heads of its pages, positions of a page's cells in a chart of 16 by 16; legend; kind(cell),
// a line of it; code(cell), a code point or null; details(cell), pairs of term and text; key(cell), its name in the
// address; cellsOf(codePoint), cellsAt(pointer); cellsOfBytes(hex), pairs of a cell and the encoding.

import { bytesOf } from "../core/indexes.js";
import { codeName, hex, isCompatibility, nameOf, spaced } from "./text.js";

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

const isInPlane = (codePoint) => codePoint !== null && codePoint < 0x10000;

/** The table of an index, as an encoding arranges it. */
export function tableOf(index, encoding, names) {
  const { codePoints } = index, kinds = indexKinds(codePoints);
  const layout = index.layouts.find((arranged) => arranged.encoding === encoding) ?? index.layouts[0];
  const trailing = layout.trailing.map((byte) => parseInt(byte, 16)), pages = codePoints.length / layout.columns;
  return {
    legend: INDEX_LEGEND, index,
    count: codePoints.length,
    ...(layout.columns === 16
      ? { heads: [""], positions: codePoints.map((_, pointer) => 0x80 + pointer) }
      : { heads: Array.from({ length: Math.ceil(pages) }, (_, row) => layout.leading[row] ?? `№ ${row + 1}`),
        positions: trailing }),
    kind: (cell) => kinds[cell],
    code: (cell) => codePoints[cell],
    key: (cell) => `pointer-${cell}`,
    details: (cell) => {
      const codePoint = codePoints[cell], rows = [...character(codePoint, names), ...place(index, codePoint, cell)];
      const others = codePoint === null ? [] : index.pointersOf(codePoint).filter((other) => other !== cell);
      if (others.length) rows.push(["Also at", others.map((other) => `pointer ${other}`).join(", ")]);
      return rows;
    },
    cellsOf: (codePoint) => index.pointersOf(codePoint),
    cellsAt: (pointer) => (pointer < codePoints.length ? [pointer] : []),
    cellsOfBytes: (bytes) => pointersOfBytes(index, bytes),
  };
}

/** What an index covers of the Basic Multilingual Plane, in pages of 256 code points. */
export function coverageOf(index, names) {
  return {
    legend: COVERAGE_LEGEND, index,
    count: 0x10000,
    heads: Array.from({ length: 256 }, (_, row) => `U+${hex(row)}__`),
    positions: Array.from({ length: 256 }, (_, low) => low),
    kind: (cell) => Math.min(2, index.pointersOf(cell).length),
    code: (cell) => cell,
    key: codeName,
    details: (cell) => {
      const pointers = index.pointersOf(cell), places = pointers.flatMap((pointer) => place(index, cell, pointer));
      return [...character(cell, names), ...(pointers.length ? places : [["Pointer", "none: unmapped"]])];
    },
    cellsOf: (codePoint) => [codePoint].filter(isInPlane),
    cellsAt: (pointer) => [index.codePoint(pointer)].filter(isInPlane),
    cellsOfBytes: (bytes) => pointersOfBytes(index, bytes)
      .map(([pointer, why]) => [index.codePoint(pointer), why]).filter(([codePoint]) => isInPlane(codePoint)),
  };
}

function character(codePoint, names) {
  if (codePoint === null) return [];
  return [["Code point", codeName(codePoint)], ["Name", nameOf(codePoint, names) || "not in the page"]];
}

// A pointer, and its bytes in each encoding.
function place(index, codePoint, pointer) {
  const rows = [["Pointer", codePoint === null ? `${pointer}: unmapped` : `${pointer}`]];
  for (const layout of index.layouts) {
    const bytes = bytesOf(layout, pointer), { encoding, note } = layout;
    if (bytes) rows.push([encoding, note ? `${spaced(bytes.slice(3))} ${note}` : spaced(bytes)]);
  }
  return rows;
}

// Pairs of a pointer and the encoding that has these bytes for it.
function pointersOfBytes(index, bytes) {
  const pointers = [];
  for (const { encoding, columns, leading, trailing } of index.layouts) {
    const last = bytes.slice(-trailing[0].length);
    const row = leading.indexOf(bytes.slice(0, -last.length)), column = trailing.indexOf(last);
    const pointer = row * columns + column;
    if (row >= 0 && column >= 0 && pointer < index.length) pointers.push([pointer, `bytes in ${encoding}`]);
  }
  return pointers;
}
