// The units of a conversion: bytes and what they decode to, or a character and its bytes, with the steps that ran.

import { CONTINUE, END_OF_QUEUE } from "../core/machine.js";
import { addressOf } from "./address.js";
import { codeName, element, hex, nameOf, plural, shown, spaced, visible } from "./text.js";

export const STANDARD = "https://encoding.spec.whatwg.org/";
const HUES = 6;

const link = (href, text, properties = {}) => element("a", { href, textContent: text, ...properties });

/** A value of a variable: bytes and code points in hexadecimal. */
function valueText(name, value) {
  if (value === END_OF_QUEUE) return END_OF_QUEUE.description;
  if (value === null) return "null";
  if (typeof value !== "number") return String(value);
  if (/code_point/.test(name) && !/offset/.test(name)) return codeName(value);
  return /pointer|count|needed|seen|offset/.test(name) ? String(value) : `0x${hex(value)}`;
}

/** A variable's name in words, without the encoding's. */
function words(name, anchor) {
  const own = anchor.replace(/^shared-|-(?:decoder|encoder)$/g, "").replaceAll("-", "_");
  return name.replace(new RegExp(`^${own}_(?:(?:decoder|encoder)_)?`), "").replaceAll("_", " ").trim();
}

/** The variables that are not as at first. */
function stateText(state, initial, anchor) {
  const changed = Object.entries(state).filter(([name, value]) => value !== initial[name]);
  return changed.map(([name, value]) => `${words(name, anchor)} = ${valueText(name, value)}`).join(", ");
}

const itemText = (item, isDecoder) =>
  (typeof item !== "number" ? "end of the input" : isDecoder ? hex(item) : `${codeName(item)} ${shown(String.fromCodePoint(item))}`);

const readAgain = (items, isDecoder) =>
  `${items.map((one) => itemText(one, isDecoder)).join(" ")} ${items.length > 1 ? "are" : "is"} read again`;

/** @typedef {{number: number, rows: import("../core/session.js").Row[], emitted: string | number[], isWrong: boolean}} Unit */

/** Return rows by what they make together: bytes until something is emitted, or a character. @returns {Unit[]} */
export function unitsOf(rows, isDecoder) {
  const units = [];
  let open = [];
  for (const row of rows) {
    open.push(row);
    if (isDecoder && row.item !== null && row.pending && !row.emitted.length && !row.errors.length) continue;
    units.push(open);
    open = [];
  }
  if (open.length) units.push(open);
  return units.map((each, number) => ({
    number, rows: each,
    emitted: isDecoder ? each.map((row) => row.emitted).join("") : each.flatMap((row) => [...row.emitted]),
    isWrong: each.some((row) => row.errors.length),
  }));
}

const isEnd = (unit) => unit.rows[0].item === null && !unit.emitted.length;
const colour = (unit) => (unit.isWrong ? "wrong" : isEnd(unit) ? "end" : `hue-${unit.number % HUES}`);

export class Steps {
  /** @param {Record<number, string>} names of characters @param {import("../core/engine.js").Encoding[]} encodings */
  constructor(names, encodings) {
    this.names = names;
    this.encodings = new Map(encodings.map(({ name }) => [name.toLowerCase(), name]));
  }

  /** The title of an algorithm in the standard. */
  title(anchor) {
    const [, shared, name, kind] = /^(shared-)?(.*)-(decoder|encoder)$/.exec(anchor) ?? [];
    if (!kind) return anchor.replaceAll("-", " ");
    return `${shared ? "shared " : ""}${this.encodings.get(name) ?? name.replace(/^utf/, "UTF")} ${kind}`;
  }

  character(codePoint) {
    return [codeName(codePoint), shown(String.fromCodePoint(codePoint)), nameOf(codePoint, this.names)].filter(Boolean).join(" ");
  }

  /** A character’s code point and name, as elements. */
  named(codePoint) {
    return [element("span", { className: "values", textContent: codeName(codePoint) }), ` ${nameOf(codePoint, this.names)}`];
  }

  /** Where a pointer was looked up, with a link to the table, and what it has there. */
  lookup({ index, pointer, codePoint }) {
    const at = pointer === null ? codeName(codePoint) : `pointer-${pointer}`;
    const text = pointer === null ? `index ${index}` : `index ${index}, pointer ${pointer}`;
    const what = codePoint === null ? ": no character" : pointer === null ? ` doesn’t contain ${codeName(codePoint)}` : `: ${this.character(codePoint)}`;
    return element("p", { className: "lookup" }, index === "gb18030-ranges" ? text : link(addressOf({ table: index, at }), text), what);
  }

  /** A call of the handler: each step that ran, with what it says. @param {import("../core/machine.js").Call} call */
  call(call, isDecoder) {
    const items = [];
    let last = {};
    for (const { anchor, step, text, values } of call.steps.filter((one) => one.text)) {
      if (anchor !== last.anchor) {
        items.push(element("li", { className: "algorithm" }, link(`${STANDARD}#${anchor}`, this.title(anchor))));
      }
      if (anchor !== last.anchor || step !== last.step) {
        const name = step.replace(/[.[\]]*\[|\]\.?/g, " › ").replace(/^[ ›]+|[ ›]+$/g, "").replace(/(?: › ?)+/g, " › ");
        items.push(element("li", {}, link(`${STANDARD}#${anchor}`, name, { ariaLabel: `Step ${name} of the ${this.title(anchor)}` }), element("span")));
      }
      const shown = values.map(([name, value]) => `${words(name, anchor)} = ${valueText(name, value)}`);
      items.at(-1).lastChild.append(`${text} `, ...shown.flatMap((one) => [element("span", { className: "values", textContent: one }), " "]));
      last = { anchor, step };
    }
    const result = call.error
      ? call.error.codePoint === null ? "an error" : `an error for ${codeName(call.error.codePoint)}`
      : call.output.length
        ? isDecoder ? call.output.map((one) => this.character(one)).join(", ") : spaced(call.output)
        : call.item === END_OF_QUEUE ? "finished" : CONTINUE.description;
    const restored = call.restored.length ? `; ${readAgain(call.restored, isDecoder)}` : "";
    return element("section", { className: "call" },
      element("h3", { textContent: `${itemText(call.item, isDecoder)} → ${result}${restored}` }), element("ol", {}, ...items));
  }

  /** Why a unit has an error, in one sentence. @param {Unit} unit */
  why(unit, { isDecoder, name, bytes }) {
    const row = unit.rows.find(({ errors }) => errors.length), [{ start, end }] = row.errors;
    const call = row.calls.find(({ error }) => error), lookup = call?.lookups.at(-1);
    if (!isDecoder) {
      const what = this.character(row.item);
      return lookup || !call ? `${name} has no bytes for ${what}. The reference ${String.fromCharCode(...row.emitted)} replaces it.`
        : `${name} doesn’t encode ${what}. The reference ${String.fromCharCode(...row.emitted)} replaces it.`;
    }
    const wrong = spaced(bytes.subarray(start, end)), before = bytes.subarray(start, row.offset);
    const also = call?.restored.length ? ` ${wrong} is one error, and ${readAgain(call.restored, true)}.` : "";
    if (row.item === null) return `The input ends within a character: ${wrong} ${end - start > 1 ? "are" : "is"} incomplete.`;
    if (name === "replacement") return "The labels of this encoding are unsafe, so that the standard makes one error of any input.";
    if (lookup && lookup.codePoint === null) return `Index ${lookup.index} has no character for ${spaced(bytes.subarray(start, row.offset + 1))} (pointer ${lookup.pointer}).${also}`;
    return before.length ? `${hex(row.item)} can’t follow ${spaced(before)} in ${name}.${also}` : `${wrong} doesn’t start a character in ${name}.`;
  }

  /** The chips of a unit's input, and of its output, for the two panes. @param {Unit} unit */
  chips(unit, isDecoder) {
    const made = (text, title) => element("span", { className: `chip ${colour(unit)}`, data: { unit: unit.number }, textContent: text, title });
    const items = unit.rows.filter(({ item }) => item !== null).map(({ item }) => item);
    const input = isDecoder ? spaced(items) : items.map((one) => String.fromCodePoint(one)).join("");
    const output = isDecoder ? unit.emitted : spaced(unit.emitted);
    return [input && made(input, isDecoder ? "" : codeName(items[0])), output && made(output, "")];
  }

  /** A unit with a line for each of its items. @param {Unit} unit */
  unit(unit, options) {
    const { isDecoder } = options, items = unit.rows.filter(({ item }) => item !== null).map(({ item }) => item);
    const characters = isDecoder ? Array.from(unit.emitted) : items.map((one) => String.fromCodePoint(one));
    const bytes = isDecoder ? items : unit.emitted;
    const names = characters.map((one) => element("span", {}, ...this.named(one.codePointAt(0))));
    const head = [
      element("span", { className: "bytes", data: isDecoder ? {} : { what: "emitted" }, textContent: spaced(bytes) || (items.length ? "no bytes" : "") }),
      element("span", { className: "arrow", textContent: "→", aria: { hidden: "true" } }),
      element("span", { className: "glyph", textContent: characters.map((one) => visible(one.codePointAt(0)) || "·").join(""), aria: { hidden: "true" } }),
      element("span", { className: "named", data: isDecoder ? { what: "emitted" } : {} },
        ...(names.length ? names.flatMap((one, at) => [at ? ", " : "", one]) : [items.length ? "no character" : "The input ends."])),
    ];
    const [from, arrow, glyph, named] = head;
    for (const each of [from, glyph]) each.hidden = !each.textContent;
    arrow.hidden = from.hidden || (glyph.hidden && !items.length && isDecoder);
    return element("li", { className: `unit ${colour(unit)}`, data: { unit: unit.number } },
      element("div", { className: "head" }, ...(isDecoder ? [from, arrow, glyph, named] : [glyph, named, arrow, from])),
      ...(unit.isWrong ? [element("p", { className: "why" }, element("b", { textContent: "Error. " }), this.why(unit, options))] : []),
      ...unit.rows.map((row) => this.row(row, options)));
  }

  /** The text of a unit's element, in one line, for screen readers. */
  announcement(unit) {
    const parts = [...unit.querySelectorAll(".head > :not([hidden], [aria-hidden])"), ...unit.querySelectorAll(".why")];
    return parts.map(({ textContent }) => textContent).join(", ");
  }

  /** An item: what it did, and its steps folded. @param {import("../core/session.js").Row} row */
  row(row, { isDecoder, initial, anchor, isWhole }) {
    const isEnd = row.item === null;
    const errors = isDecoder ? row.errors.map(({ start, end }) =>
      (end - start > 1 ? `bytes ${start}–${end - 1} (${plural(end - start, "byte")})` : `byte ${start}`)) : [];
    const members = row.calls.at(-1)?.state ?? {};
    const { lookups } = row.calls.findLast((call) => call.lookups.length) ?? { lookups: [] };
    const parts = [
      [isEnd ? "the end" : String(row.offset), "offset"],
      [isEnd ? "" : itemText(row.item, isDecoder), "item"],
      ...(isDecoder ? [[row.pending ? String(row.pending) : "", "pending"]] : []),
      [stateText(members, initial, anchor), "state"],
      [errors.join("; "), "error"],
    ];
    const cells = parts.map(([textContent, what]) => element("span", { textContent, data: { what } }));
    const index = element("span", { data: { what: "index" } }, ...lookups.slice(-1).map((one) => this.lookup(one)));
    const body = element("div", { className: "line" }, ...cells.slice(0, 2), element("div", { className: "rest" }, ...cells.slice(2), index));
    const item = element("div", { id: `row-${isEnd ? "end" : row.offset}`, className: "item" }, body);
    if (isWhole) {
      const count = row.calls.reduce((sum, { steps }) => sum + new Set(steps.map(({ step }) => step)).size, 0);
      const steps = element("details", {}, element("summary", {}, plural(count, "step"), element("span", { className: "visually-hidden", textContent: ` for ${isEnd ? "the end" : itemText(row.item, isDecoder)}` })));
      steps.addEventListener("toggle", () => {
        if (steps.children.length === 1 && steps.open) steps.append(...row.calls.map((call) => this.call(call, isDecoder)));
      });
      item.append(steps);
    }
    return item;
  }
}
