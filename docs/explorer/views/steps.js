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

const colour = (unit) => (unit.isWrong ? "wrong" : `hue-${unit.number % HUES}`);

export class Steps {
  /** @param {string} names lines of names of characters */
  constructor(names) {
    this.names = names;
  }

  character(codePoint) {
    return [codeName(codePoint), shown(String.fromCodePoint(codePoint)), nameOf(codePoint, this.names)].filter(Boolean).join(" ");
  }

  /** Where a pointer was looked up, with a link to the table, and what it has there. */
  lookup({ index, pointer, codePoint }) {
    const what = codePoint === null ? "null" : this.character(codePoint), text = `index ${index}, pointer ${pointer ?? "null"}`;
    const at = pointer === null ? codeName(codePoint) : `pointer-${pointer}`;
    return element("p", { className: "lookup" },
      index === "gb18030-ranges" ? text : link(addressOf({ table: index, at }), text), `: ${what}`);
  }

  /** A call of the handler, as a list of the steps that ran. @param {import("../core/machine.js").Call} call */
  call(call, isDecoder) {
    const items = call.steps.filter(({ text }) => text).map(({ anchor, step, text, values }) => {
      const told = values.map(([name, value]) => `${words(name, anchor)} = ${valueText(name, value)}`).join(", ");
      return element("li", {},
        link(`${STANDARD}#${anchor}`, `${anchor} ${step}`), element("span", {}, text,
          ...(told ? [" ", element("span", { className: "values", textContent: told })] : [])));
    });
    const result = call.error
      ? call.error.codePoint === null ? "an error" : `an error for ${codeName(call.error.codePoint)}`
      : call.output.length
        ? isDecoder ? call.output.map((one) => this.character(one)).join(", ") : spaced(call.output)
        : call.item === END_OF_QUEUE ? "finished" : CONTINUE.description;
    const restored = call.restored.length ? `; ${call.restored.map((one) => itemText(one, isDecoder)).join(" ")} is read again` : "";
    return element("section", { className: "call" },
      element("h3", { textContent: `${itemText(call.item, isDecoder)} → ${result}${restored}` }),
      element("ol", {}, ...items), ...call.lookups.map((one) => this.lookup(one)));
  }

  /** Why a unit has an error, in one sentence. @param {Unit} unit */
  why(unit, { isDecoder, name, bytes }) {
    const row = unit.rows.find(({ errors }) => errors.length), [{ start, end }] = row.errors;
    const call = row.calls.find(({ error }) => error), lookup = call?.lookups.at(-1);
    if (!isDecoder) {
      const what = this.character(row.item);
      return lookup || !call ? `${name} has no bytes for ${what}. The reference ${String.fromCharCode(...row.emitted)} replaces it.`
        : `${name} does not encode ${what}. The reference ${String.fromCharCode(...row.emitted)} replaces it.`;
    }
    const wrong = spaced(bytes.subarray(start, end)), many = end - start > 1;
    const also = row.offset >= end && row.item !== null ? ` ${hex(row.item)} is read again, as the start of what follows.` : "";
    if (row.item === null) return `The input ends within a character: ${wrong} ${many ? "are" : "is"} incomplete.`;
    if (lookup && lookup.codePoint === null) return `Index ${lookup.index} has no character at pointer ${lookup.pointer}, which ${wrong} means.${also}`;
    if (row.offset > start || also) return `${hex(row.item)} cannot follow ${spaced(bytes.subarray(start, Math.max(start + 1, Math.min(end, row.offset))))} in ${name}.${also}`;
    return `${wrong} does not start a character in ${name}.`;
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
    const names = characters.map((one) => this.character(one.codePointAt(0))).join(", ");
    const head = [
      element("span", { className: "bytes", data: isDecoder ? {} : { what: "emitted" }, textContent: spaced(bytes) || (items.length ? "no bytes" : "") }),
      element("span", { className: "arrow", textContent: "→", aria: { hidden: "true" } }),
      element("span", { className: "glyph", textContent: characters.map((one) => visible(one.codePointAt(0)) || "·").join(""), aria: { hidden: "true" } }),
      element("span", { className: "named", data: isDecoder ? { what: "emitted" } : {}, textContent: names || (items.length ? "nothing is emitted" : "The input ends.") }),
    ];
    const [from, arrow, glyph, named] = head;
    for (const each of [from, glyph]) each.hidden = !each.textContent;
    arrow.hidden = from.hidden || (glyph.hidden && !items.length && isDecoder);
    return element("li", { className: `unit ${colour(unit)}`, data: { unit: unit.number } },
      element("div", { className: "head" }, ...(isDecoder ? [from, arrow, glyph, named] : [glyph, named, arrow, from])),
      ...(unit.isWrong ? [element("p", { className: "why" }, element("b", { textContent: "Error. " }), this.why(unit, options))] : []),
      ...unit.rows.map((row) => this.row(row, options)));
  }

  /** An item: what it did, and its steps folded. @param {import("../core/session.js").Row} row */
  row(row, { isDecoder, initial, anchor, isWhole, waysOf }) {
    const isEnd = row.item === null;
    const errors = isDecoder ? row.errors.map(({ start, end }) =>
      (end - start > 1 ? `bytes ${start}–${end - 1} (${plural(end - start, "byte")})` : `byte ${start}`)) : [];
    const ways = waysOf(row), members = row.calls.at(-1)?.state ?? {};
    const { lookups } = row.calls.findLast((call) => call.lookups.length) ?? { lookups: [] };
    const parts = [
      [isEnd ? "the end" : String(row.offset), "offset"],
      [isEnd ? "" : itemText(row.item, isDecoder), "item"],
      ...(isDecoder ? [[row.pending ? String(row.pending) : "", "pending"]] : []),
      [stateText(members, initial, anchor), "state"],
      [errors.join("; "), "error"],
    ];
    const told = parts.map(([textContent, what]) => element("span", { textContent, data: { what } }));
    const body = element("div", { className: "line" }, ...told, element("span", { data: { what: "index" } }, ...lookups.slice(-1).map((one) => this.lookup(one))));
    const item = element("div", { id: `row-${isEnd ? "end" : row.offset}`, className: "item", data: ways.length ? { way: ways.map((way) => way.join(" → ")).join("|") } : {} }, body);
    if (isWhole) {
      const count = row.calls.reduce((sum, { steps }) => sum + new Set(steps.map(({ step }) => step)).size, 0);
      const steps = element("details", {}, element("summary", { textContent: `${plural(count, "step")} of the standard` }));
      steps.addEventListener("toggle", () => {
        if (steps.children.length === 1 && steps.open) steps.append(...row.calls.map((call) => this.call(call, isDecoder)));
      });
      item.append(steps);
    }
    return item;
  }
}
