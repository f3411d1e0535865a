// The standard's algorithms: the programs that the generator compiles from the standard's text, as functions of a run,
// of the handler's variables and of those of one call (programs.py), and decoders and encoders that call them.

import { PROGRAMS } from "./programs.js";

export const END_OF_QUEUE = Symbol("end-of-queue");
export const FINISHED = Symbol("finished");
export const CONTINUE = Symbol("continue");

/** An error, with the code point that an encoder could not encode. */
export class HandlerError {
  constructor(codePoint) {
    this.codePoint = codePoint;
  }
}

/**
 * @typedef {{anchor: string, step: string, text: string, values: [string, unknown][]}} Step
 * @typedef {{index: string, pointer: number | null, codePoint: number | null}} Lookup
 * @typedef {{position: number, item: number | symbol, steps: Step[], lookups: Lookup[], output: number[],
 *   error: HandlerError | null, restored: number[], state: Record<string, unknown>}} Call of a handler for an item:
 *   `position` items were read before this one and not restored, and `state` is that after it
 */

/** A run of an algorithm: what its function uses, and what it is recorded in. */
class Run {
  END_OF_QUEUE = END_OF_QUEUE;
  FINISHED = FINISHED;
  CONTINUE = CONTINUE;
  restored = [];
  #values = null; // of the step that runs

  constructor(machine, program, index, call) {
    Object.assign(this, { machine, program, index, call });
  }

  get table() {
    return this.program.table;
  }

  // Record a step as it begins; its values are added.
  took(number) {
    if (!this.call) return;
    const { anchor, steps } = this.program, [step, text] = steps[number];
    this.#values = [];
    this.call.steps.push({ anchor, step, text, values: this.#values });
  }

  /** Record a value and return it. A list is none. */
  set(name, value) {
    if (this.call && (typeof value !== "object" || value === null)) this.#values.push([name, value]);
    return value;
  }

  restore(restored) {
    const items = [restored].flat().filter((item) => item !== END_OF_QUEUE);
    this.restored.unshift(...items);
    for (const item of items) this.set("restored", item);
  }

  error(codePoint) {
    return new HandlerError(codePoint);
  }

  inRange(value, first, last) {
    return typeof value === "number" && first <= value && value <= last;
  }

  /** Return an index without some of its entries, in which encoders look up pointers. */
  excluding(index, isExcluded) {
    const pointersOf = (codePoint) => index.pointersOf(codePoint).filter((pointer) => !isExcluded({ pointer }));
    return { name: index.name, pointersOf };
  }

  lookup(what, index, key) {
    let pointer = key, codePoint = key;
    if (what === "code_point") codePoint = index.codePoint(pointer);
    else pointer = index.pointersOf(codePoint).at(what === "pointer" ? 0 : -1) ?? null;
    this.call?.lookups.push({ index: index.name, pointer, codePoint });
    return what === "code_point" ? codePoint : pointer;
  }

  lastRange(what, index, key) {
    const column = what === "pointer" ? 0 : 1, range = index.ranges.findLast((pair) => pair[column] <= key);
    return [range[column], range[1 - column]];
  }

  operation(name, key) {
    const program = this.machine.operation(name), [parameter] = program.parameters;
    const result = program.run(new Run(this.machine, program, null, this.call), {}, { [parameter]: key });
    if (program.anchor.startsWith("index-gb18030-ranges-")) {
      const [pointer, codePoint] = parameter === "pointer" ? [key, result] : [result, key];
      this.call?.lookups.push({ index: "gb18030-ranges", pointer, codePoint });
    }
    return result;
  }
}

export class Machine {
  #programs;
  #operations;

  /** @param {Record<string, object>} described by anchor @param {{get(name: string): object}} indexes by name */
  constructor(described, indexes) {
    this.#programs = new Map(Object.entries(described).map(([anchor, program]) =>
      [anchor, { members: {}, ...program, anchor, table: new Map(program.table), run: PROGRAMS[anchor] }]));
    this.#operations = new Map([...this.#programs].map(([anchor, program]) => [anchor.replaceAll("-", "_"), program]));
    this.indexes = indexes;
  }

  operation(name) {
    return this.#operations.get(name);
  }

  /** Return a ``decoder`` or ``encoder`` of an encoding, null if it has none. @returns {Handler | null} */
  handler({ name, isSingleByte }, kind) {
    const key = name.toLowerCase();
    const own = [...this.#programs.values()].find((program) => program.kind === kind && program.encoding === key);
    const isShared = !own && isSingleByte, program = isShared ? this.#programs.get(`single-byte-${kind}`) : own;
    if (!program) return null;
    const base = this.#programs.get(program.base) ?? program;
    const initial = { ...base.members, ...program.members };
    return new Handler(this, base, initial, isShared ? this.indexes.get(indexName(name)) : null);
  }
}

/** Return the name of the index of a single-byte encoding: ISO-8859-8-I has the one of ISO-8859-8. */
export function indexName(encoding) {
  return encoding.toLowerCase().replace(/^(iso-8859-8)-i$/, "$1");
}

/** A decoder or an encoder as the standard has it, one item after the other. */
export class Handler {
  constructor(machine, program, initial, index) {
    Object.assign(this, { machine, program, index, initial, anchor: program.anchor, members: { ...initial } });
    this.queue = []; // what was restored, the next item last
    this.isFinished = false;
  }

  /** Handle an item, and record the call if `call` is given: return the result. */
  handle(item, call = null) {
    const { machine, program, index, members } = this, run = new Run(machine, program, index, call), { restored } = run;
    const value = program.run(run, members, { [program.parameters[1]]: item });
    this.isFinished = value === FINISHED;
    for (let at = restored.length - 1; at >= 0; at--) this.queue.push(restored[at]);
    if (call) {
      call.restored = restored;
      if (value instanceof HandlerError) call.error = value;
      else if (Array.isArray(value)) call.output = value;
    }
    return value;
  }

  /**
   * Handle an item and all that is restored until the next one is needed. Pass each result to `take`, or each call,
   * with its record, if the item's `position` is given.
   */
  push(item, take, position = null) {
    for (let next = item, at = position; !this.isFinished; ) {
      const call = at === null ? null
        : { position: at, item: next, steps: [], lookups: [], output: [], error: null, restored: [] };
      const value = this.handle(next, call);
      if (call) call.state = { ...this.members };
      take(call ?? value);
      // Restoring end-of-queue is the same as reading it again.
      if (call) at += (typeof next === "symbol" ? 0 : 1) - call.restored.length;
      if (this.queue.length) next = this.queue.pop();
      else if (item === END_OF_QUEUE) next = END_OF_QUEUE;
      else return;
    }
  }
}
