// The units of a conversion: bytes and what they decode to, or a character and its bytes, with the steps that ran.

import { CONTINUE, END_OF_QUEUE } from "../core/machine.js";
import { addressOf } from "./address.js";
import { codeName, element, hex, nameOf, plural, shown, spaced, visible, worded } from "./text.js";

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
function stateText(state, { anchor, initial }) {
  const changed = Object.entries(state).filter(([name, value]) => value !== initial[name]);
  return changed.map(([name, value]) => `${words(name, anchor)} = ${valueText(name, value)}`).join(", ");
}

function itemText(item, isDecoder) {
  if (typeof item !== "number") return "the end of the input";
  return isDecoder ? hex(item) : `${codeName(item)} ${shown(String.fromCodePoint(item))}`;
}

const readAgain = (items, isDecoder) =>
  `${items.map((item) => itemText(item, isDecoder)).join(" ")} ${items.length > 1 ? "are" : "is"} read again`;

/**
 * @typedef {import("../core/session.js").Row} Row
 * @typedef {{number: number, rows: Row[], emitted: string | number[], isWrong: boolean}} Unit
 */

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
  return units.map((group, number) => ({
    number, rows: group,
    emitted: isDecoder ? group.map((row) => row.emitted).join("") : group.flatMap((row) => [...row.emitted]),
    isWrong: group.some((row) => row.errors.length),
  }));
}

const itemsOf = (unit) => unit.rows.map(({ item }) => item).filter((item) => item !== null);
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
    const text = shown(String.fromCodePoint(codePoint)), name = nameOf(codePoint, this.names);
    return [codeName(codePoint), text, name].filter(Boolean).join(" ");
  }

  /** A character’s code point and name, as elements. */
  named(codePoint) {
    return [worded("span", "values", codeName(codePoint)), ` ${nameOf(codePoint, this.names)}`];
  }

  /** Where a pointer was looked up, with a link to the table, and what is missing there. */
  lookup({ index, pointer, codePoint }) {
    const at = pointer === null ? codeName(codePoint) : `pointer-${pointer}`;
    const text = pointer === null ? `index ${index}` : `index ${index}, pointer ${pointer}`;
    const missing = codePoint === null ? ": no character" : "";
    const lack = pointer === null ? ` doesn’t contain ${codeName(codePoint)}` : missing;
    const place = index === "gb18030-ranges" ? text : link(addressOf({ table: index, at }), text);
    return element("p", { className: "lookup" }, place, lack);
  }

  /** A call of the handler: each step that ran, with what it says. @param {import("../core/machine.js").Call} call */
  call(call, isDecoder) {
    const items = [];
    let last = {};
    for (const { anchor, step, text, values } of call.steps) {
      if (!text) continue;
      if (anchor !== last.anchor) {
        items.push(element("li", { className: "algorithm" }, link(`${STANDARD}#${anchor}`, this.title(anchor))));
      }
      if (anchor !== last.anchor || step !== last.step) {
        const name = step.replace(/[.[\]]*\[|\]\.?/g, " › ").replace(/^[ ›]+|[ ›]+$/g, "").replace(/(?: › ?)+/g, " › ");
        const ariaLabel = `Step ${name} of the ${this.title(anchor)}`;
        items.push(element("li", {}, link(`${STANDARD}#${anchor}`, name, { ariaLabel }), element("span")));
      }
      const set = values.map(([name, value]) =>
        worded("span", "values", `${words(name, anchor)} = ${valueText(name, value)}`));
      items.at(-1).lastChild.append(`${text} `, ...set.flatMap((variable) => [variable, " "]));
      last = { anchor, step };
    }
    const result = call.error
      ? call.error.codePoint === null ? "an error" : `an error for ${codeName(call.error.codePoint)}`
      : call.output.length
        ? isDecoder ? call.output.map((codePoint) => this.character(codePoint)).join(", ") : spaced(call.output)
        : call.item === END_OF_QUEUE ? "finished" : CONTINUE.description;
    const restored = call.restored.length ? `; ${readAgain(call.restored, isDecoder)}` : "";
    const textContent = `${itemText(call.item, isDecoder)} → ${result}${restored}`;
    return element("section", { className: "call" }, element("h3", { textContent }), element("ol", {}, ...items));
  }

  /** Why a unit has an error, in one sentence. @param {Unit} unit */
  why(unit, { isDecoder, name, bytes }) {
    const row = unit.rows.find(({ errors }) => errors.length), [{ start, end }] = row.errors;
    const call = row.calls.find(({ error }) => error), lookup = call?.lookups.at(-1);
    if (!isDecoder) {
      const what = this.character(row.item);
      const reason = lookup || !call ? "has no bytes for" : "doesn’t encode";
      return `${name} ${reason} ${what}. The reference ${String.fromCharCode(...row.emitted)} replaces it.`;
    }
    const wrong = spaced(bytes.subarray(start, end)), before = bytes.subarray(start, row.offset);
    const also = call?.restored.length ? ` ${wrong} is one error, and ${readAgain(call.restored, true)}.` : "";
    if (row.item === null) {
      return `The input ends within a character: ${wrong} ${end - start > 1 ? "are" : "is"} incomplete.`;
    }
    if (name === "replacement") {
      return "The labels of this encoding are unsafe, so that the standard makes one error of any input.";
    }
    if (lookup && lookup.codePoint === null) {
      const read = spaced(bytes.subarray(start, row.offset + 1));
      return `Index ${lookup.index} has no character for ${read} (pointer ${lookup.pointer}).${also}`;
    }
    if (!before.length) return `${wrong} doesn’t start a character in ${name}.`;
    return `${hex(row.item)} can’t follow ${spaced(before)} in ${name}.${also}`;
  }

  /** The chips of a unit's input, and of its output, for the two panes. @param {Unit} unit */
  chips(unit, isDecoder) {
    const chip = (text, title = "") =>
      worded("span", `chip ${colour(unit)}`, text, { data: { unit: unit.number }, title });
    const items = itemsOf(unit), input = isDecoder ? spaced(items) : String.fromCodePoint(...items);
    const output = isDecoder ? unit.emitted : spaced(unit.emitted);
    return [input && chip(input, isDecoder ? "" : codeName(items[0])), output && chip(output)];
  }

  /** A unit with a line for each of its items. @param {Unit} unit */
  unit(unit, options) {
    const { isDecoder } = options, items = itemsOf(unit), bytes = spaced(isDecoder ? items : unit.emitted);
    const codePoints = isDecoder ? Array.from(unit.emitted, (character) => character.codePointAt(0)) : items;
    const names = codePoints.map((codePoint) => element("span", {}, ...this.named(codePoint)));
    const glyphs = codePoints.map((codePoint) => visible(codePoint) || "·").join("");
    const emitted = { what: "emitted" }, aria = { hidden: "true" };
    const from = worded("span", "bytes", bytes || (items.length ? "no bytes" : ""), { data: isDecoder ? {} : emitted });
    const arrow = worded("span", "arrow", "→", { aria }), glyph = worded("span", "glyph", glyphs, { aria });
    const nothing = items.length ? "no character" : "The input ends.";
    const named = element("span", { className: "named", data: isDecoder ? emitted : {} },
      ...(names.length ? names.flatMap((name, at) => [at ? ", " : "", name]) : [nothing]));
    for (const part of [from, glyph]) part.hidden = !part.textContent;
    arrow.hidden = from.hidden || (glyph.hidden && !items.length && isDecoder);
    const head = isDecoder ? [from, arrow, glyph, named] : [glyph, named, arrow, from];
    const error = element("p", { className: "why" }, element("b", { textContent: "Error. " }));
    if (unit.isWrong) error.append(this.why(unit, options));
    return element("li", { className: `unit ${colour(unit)}`, data: { unit: unit.number } },
      element("div", { className: "head" }, ...head),
      ...(unit.isWrong ? [error] : []), ...unit.rows.map((row) => this.row(row, options)));
  }

  /** The text of a unit's element, in one line, for screen readers. */
  announcement(unit) {
    const parts = [...unit.querySelectorAll(".head > :not([hidden], [aria-hidden])"), ...unit.querySelectorAll(".why")];
    return parts.map(({ textContent }) => textContent).join(", ");
  }

  /** An item: what is pending after it, the state, where it was looked up, and its steps folded. @param {Row} row */
  row({ offset, item, pending, calls }, { isDecoder, isWhole, handler }) {
    const isEnd = item === null, about = itemText(item, isDecoder);
    const { lookups } = calls.findLast((call) => call.lookups.length) ?? { lookups: [] };
    const after = [pending ? `${pending} waiting` : "", stateText(calls.at(-1)?.state ?? {}, handler)].filter(Boolean);
    const line = element("div", { id: `row-${isEnd ? "end" : offset}`, className: "item" },
      worded("span", "quiet", isEnd ? "" : `at ${offset}`), worded("span", "bytes", isEnd ? "the end" : about),
      ...after.map((text) => worded("span", "quiet", text)),
      ...lookups.slice(-1).map((lookup) => this.lookup(lookup)));
    if (isWhole) {
      const count = calls.reduce((sum, { steps }) => sum + new Set(steps.map(({ step }) => step)).size, 0);
      const steps = element("details", {},
        element("summary", {}, plural(count, "step"), worded("span", "visually-hidden", ` for ${about}`)));
      steps.addEventListener("toggle", () => {
        const isNew = steps.children.length === 1 && steps.open;
        if (isNew) steps.append(...calls.map((call) => this.call(call, isDecoder)));
      });
      line.append(steps);
    }
    return line;
  }
}
