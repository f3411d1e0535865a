// The rows of a conversion: each byte or character with what it did, and the steps of the algorithm that ran.

import { CONTINUE, END_OF_QUEUE } from "../core/machine.js";
import { addressOf } from "./address.js";
import { codeName, element, hex, nameOf, plural, shown, spaced } from "./text.js";

export const STANDARD = "https://encoding.spec.whatwg.org/";

const link = (href, text, properties = {}) => element("a", { href, textContent: text, ...properties });

/** A value of a variable: bytes and code points in hexadecimal. */
function valueText(name, value) {
  if (value === END_OF_QUEUE) return END_OF_QUEUE.description;
  if (value === null) return "null";
  if (typeof value !== "number") return String(value);
  if (/code_point/.test(name) && !/offset/.test(name)) return codeName(value);
  return /pointer|count|needed|seen|offset/.test(name) ? String(value) : `0x${hex(value)}`;
}

/** The variables that are not as at first. */
function stateText(state, initial) {
  const changed = Object.entries(state).filter(([name, value]) => value !== initial[name]);
  return changed.map(([name, value]) => `${name} = ${valueText(name, value)}`).join(", ");
}

const itemText = (item, isDecoder) =>
  (typeof item !== "number" ? "end of the input" : isDecoder ? hex(item) : `${codeName(item)} ${shown(String.fromCodePoint(item))}`);

export class Steps {
  /** @param {string} names lines of names of characters */
  constructor(names) {
    this.names = names;
  }

  character(codePoint) {
    return [codeName(codePoint), shown(String.fromCodePoint(codePoint)), nameOf(codePoint, this.names)].filter(Boolean).join(" ");
  }

  /** Where a pointer was looked up, with a link to the table. */
  lookup({ index, pointer, codePoint }) {
    const what = codePoint === null ? "null" : this.character(codePoint);
    if (index === "gb18030-ranges") return element("p", {}, `index gb18030-ranges: pointer ${pointer ?? "null"}: ${what}`);
    const at = pointer === null ? codeName(codePoint) : `pointer-${pointer}`;
    return element("p", { className: "lookup" },
      link(addressOf({ table: index, at }), `index ${index}, pointer ${pointer ?? "null"}`), `: ${what}`);
  }

  /** A call of the handler, as a list of the steps that ran. @param {import("../core/machine.js").Call} call */
  call(call, isDecoder) {
    const items = call.steps.map(({ anchor, step, text, values }) => {
      const told = values.map(([name, value]) => `${name} = ${valueText(name, value)}`).join(", ");
      return element("li", {},
        link(`${STANDARD}#${anchor}`, `${anchor} ${step}`), " ", element("code", { textContent: text }),
        ...(told && !text.endsWith(told) ? [element("span", { className: "values", textContent: ` → ${told}` })] : []));
    });
    const result = call.error
      ? call.error.codePoint === null ? "error" : `error with ${codeName(call.error.codePoint)}`
      : call.output.length
        ? isDecoder ? call.output.map((one) => this.character(one)).join(", ") : spaced(call.output)
        : call.item === END_OF_QUEUE ? "finished" : CONTINUE.description;
    const restored = call.restored.length ? `, restores ${call.restored.map((one) => itemText(one, isDecoder)).join(" ")}` : "";
    return element("section", { className: "call" },
      element("h4", { textContent: `${itemText(call.item, isDecoder)} → ${result}${restored}` }),
      element("ol", {}, ...items), ...call.lookups.map((one) => this.lookup(one)));
  }

  /** A row of the table and the one with its steps. @param {import("../core/session.js").Row} row */
  row(row, { isDecoder, initial, isOpen, isWhole }) {
    const isEnd = row.item === null;
    const emitted = isDecoder
      ? Array.from(row.emitted, (one) => this.character(one.codePointAt(0))).join(", ")
      : row.emitted.length ? spaced(row.emitted) : "";
    const errors = row.errors.map(({ start, end }) =>
      (isDecoder ? `bytes ${start}–${end - 1} (${plural(end - start, "byte")})` : `character ${start}: a reference replaces it`));
    const steps = element("details", { open: isOpen }, element("summary", {
      textContent: `${plural(row.calls.reduce((sum, { steps: each }) => sum + each.length, 0), "step")} of the algorithm`,
    }));
    const fill = () => {
      if (steps.children.length === 1 && steps.open) steps.append(...row.calls.map((call) => this.call(call, isDecoder)));
    };
    fill();
    steps.addEventListener("toggle", fill);
    const cells = [
      [isEnd ? "end" : String(row.offset), "offset"],
      [isEnd ? "—" : itemText(row.item, isDecoder), "item"],
      [emitted, "emitted"],
      ...(isDecoder ? [[row.pending ? String(row.pending) : "", "pending"]] : []),
      [stateText(row.calls.at(-1)?.state ?? {}, initial), "state"],
      [errors.join("; "), "error"],
    ];
    const { lookups } = row.calls.findLast((call) => call.lookups.length) ?? { lookups: [] };
    const line = element("tr", { id: `row-${isEnd ? "end" : row.offset}`, className: row.errors.length ? "wrong" : "" },
      ...cells.map(([text, what], at) => element(at ? "td" : "th", { textContent: text, data: { what }, ...(at ? {} : { scope: "row" }) })));
    line.lastChild.before(element("td", { data: { what: "index" } }, ...lookups.slice(-1).map((one) => this.lookup(one))));
    const below = element("tr", { className: "steps" }, element("td", { colSpan: line.children.length }, steps));
    return isWhole ? [line, below] : [line];
  }

  /** The head of the table. */
  head(isDecoder) {
    const names = ["Offset", isDecoder ? "Byte" : "Character", "Emitted", ...(isDecoder ? ["Pending"] : []), "State", "Index entry", "Error"];
    return element("tr", {}, ...names.map((name) => element("th", { scope: "col", textContent: name })));
  }
}
