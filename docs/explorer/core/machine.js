// The standard's algorithms: an interpreter of the programs that the generator compiles from the standard's text.
//
// A program comes as JSON: a node is an array of its kind and its fields, a number or a constant is itself. Each node
// becomes a function of a frame: the variables of one run, the handler's variables, and what the run is recorded in.

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
 *   error: HandlerError | null, restored: number[], state: Record<string, unknown>}} Call
 *   the call of a handler for an item: `position` items were read before this one and not restored
 */

const OPERATORS = {
  "|": (a, b) => a | b, "&": (a, b) => a & b, "<<": (a, b) => a << b, ">>": (a, b) => a >> b,
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "//": (a, b) => Math.floor(a / b), "%": (a, b) => a % b,
};
const isNumber = (value) => typeof value === "number";
const COMPARISONS = {
  "==": (a, b) => a === b, "<": (a, b) => isNumber(a) && a < b, ">": (a, b) => isNumber(a) && a > b,
  "<=": (a, b) => isNumber(a) && a <= b, ">=": (a, b) => isNumber(a) && a >= b,
};

// Takes the values of a step that is not recorded.
const UNRECORDED = { push() {} };

/** An index without some of its entries. */
class Excluding {
  constructor(index, isExcluded) {
    this.name = index.name;
    this.index = index;
    this.isExcluded = isExcluded;
  }

  codePoint(pointer) {
    return this.isExcluded(pointer) ? null : this.index.codePoint(pointer);
  }

  pointersOf(codePoint) {
    return this.index.pointersOf(codePoint).filter((pointer) => !this.isExcluded(pointer));
  }
}

class Compiler {
  constructor(machine, algorithm) {
    this.machine = machine;
    this.anchor = algorithm.anchor;
    this.table = new Map(algorithm.table ?? []);
  }

  expression(node) {
    if (!Array.isArray(node)) return () => node;
    const [kind, ...fields] = node;
    return this[kind](...fields);
  }

  all(nodes) {
    return nodes.map((node) => this.expression(node));
  }

  Local(name) {
    return (frame) => frame.locals[name];
  }

  Member(name) {
    return (frame) => frame.members[name];
  }

  Symbol(name) {
    return () => name;
  }

  EndOfQueue() {
    return () => END_OF_QUEUE;
  }

  Arithmetic(operator, left, right) {
    const [a, b, calculate] = [this.expression(left), this.expression(right), OPERATORS[operator]];
    return (frame) => calculate(a(frame), b(frame));
  }

  Choice(condition, then, otherwise) {
    const [is, a, b] = this.all([condition, then, otherwise]);
    return (frame) => (is(frame) ? a(frame) : b(frame));
  }

  Items(items) {
    const values = this.all(items);
    return (frame) => values.map((value) => value(frame));
  }

  Index(name) {
    return () => this.machine.indexes.get(name);
  }

  IndexSingleByte() {
    return (frame) => frame.index;
  }

  Excluding(index, condition) {
    const [of, is] = this.all([index, condition]);
    const isExcluded = (pointer) => is({ locals: { pointer }, members: {} });
    return (frame) => new Excluding(of(frame), isExcluded);
  }

  Lookup(what, index, key) {
    const [of, keyOf] = this.all([index, key]);
    return (frame) => {
      const found = of(frame), value = keyOf(frame);
      let pointer = value, codePoint = value;
      if (what === "code_point") codePoint = found.codePoint(pointer);
      else pointer = found.pointersOf(codePoint).at(what === "pointer" ? 0 : -1) ?? null;
      if (frame.call) frame.call.lookups.push({ index: found.name, pointer, codePoint });
      return what === "code_point" ? codePoint : pointer;
    };
  }

  LastRange(what, index, key) {
    const [of, keyOf] = this.all([index, key]);
    const column = what === "pointer" ? 0 : 1;
    return (frame) => {
      const range = of(frame).ranges.findLast((one) => one[column] <= keyOf(frame));
      return [range[column], range[1 - column]];
    };
  }

  Operation(name, argument) {
    const value = this.expression(argument);
    return (frame) => {
      const { parameter, body, anchor } = this.machine.operation(name);
      const key = value(frame);
      const result = body({ locals: { [parameter]: key }, members: {}, call: frame.call }).value;
      if (anchor.startsWith("index-gb18030-ranges-")) {
        const [pointer, codePoint] = parameter === "pointer" ? [key, result] : [result, key];
        frame.call?.lookups.push({ index: "gb18030-ranges", pointer, codePoint });
      }
      return result;
    };
  }

  Surrogates(leading, trailing) {
    const [a, b] = this.all([leading, trailing]);
    return (frame) => 0x10000 + ((a(frame) - 0xD800) << 10) + (b(frame) - 0xDC00);
  }

  Row(key) {
    const value = this.expression(key);
    return (frame) => this.table.get(value(frame));
  }

  Compare(operator, left, right) {
    const [a, b, compare] = [this.expression(left), this.expression(right), COMPARISONS[operator]];
    return (frame) => compare(a(frame), b(frame));
  }

  InRange(value, first, last) {
    const [of, from, to] = this.all([value, first, last]);
    return (frame) => {
      const item = of(frame);
      return isNumber(item) && from(frame) <= item && item <= to(frame);
    };
  }

  InTable(key) {
    const value = this.expression(key);
    return (frame) => this.table.has(value(frame));
  }

  Not(condition) {
    const is = this.expression(condition);
    return (frame) => !is(frame);
  }

  Junction(operator, conditions) {
    const each = this.all(conditions);
    return operator === "and" ? (frame) => each.every((is) => is(frame)) : (frame) => each.some((is) => is(frame));
  }

  Signal(name) {
    const signal = { finished: FINISHED, continue: CONTINUE }[name];
    return () => signal;
  }

  Error(codePoint) {
    const value = this.expression(codePoint);
    return (frame) => new HandlerError(value(frame));
  }

  // -- Statements: functions that return {value} if the algorithm returns, else undefined

  body(statements) {
    const each = this.all(statements);
    return (frame) => {
      for (const run of each) {
        const returned = run(frame);
        if (returned) return returned;
      }
    };
  }

  // Record a step as it begins; its values are added.
  took(frame, step, text) {
    if (!frame.call) return UNRECORDED;
    const values = [];
    if (step) frame.call.steps.push({ anchor: this.anchor, step, text, values });
    return values;
  }

  Assign(targets, value, step, text) {
    const of = this.expression(value), isPair = value?.[0] === "LastRange";
    return (frame) => {
      const values = this.took(frame, step, text);
      const found = of(frame);
      for (let at = 0; at < targets.length; at++) {
        const [kind, name] = targets[at], one = isPair ? found[at] : found;
        (kind === "Member" ? frame.members : frame.locals)[name] = one;
        if (frame.call && (typeof one !== "object" || one === null)) values.push([name, one]);
      }
    };
  }

  Append(target, value, step, text) {
    const [list, of] = this.all([target, value]);
    return (frame) => {
      const values = this.took(frame, step, text), item = of(frame);
      list(frame).push(item);
      values.push(["appended", item]);
    };
  }

  Restore(queue, value, step, text) {
    const of = this.expression(value);
    return (frame) => {
      const values = this.took(frame, step, text);
      const items = [of(frame)].flat().filter((item) => item !== END_OF_QUEUE);
      frame.restored.unshift(...items);
      values.push(...items.map((item) => ["restored", item]));
    };
  }

  Return(value, step, text) {
    const of = this.expression(value);
    return (frame) => {
      this.took(frame, step, text);
      return { value: of(frame) };
    };
  }

  If(cases) {
    const each = cases.map(([, condition, body, step, text]) => [
      condition === null ? () => true : this.expression(condition), this.body(body), step, text,
    ]);
    return (frame) => {
      for (const [is, run, step, text] of each) {
        if (!is(frame)) continue;
        this.took(frame, step, text);
        return run(frame);
      }
    };
  }

  While(condition, inner, step, text) {
    const [is, run] = [this.expression(condition), this.body(inner)];
    return (frame) => {
      while (is(frame)) {
        this.took(frame, step, text);
        const returned = run(frame);
        if (returned) return returned;
      }
    };
  }
}

export class Machine {
  #programs;
  #operations = new Map();
  #handlers = new Map();

  /** @param {Record<string, object>} programs by anchor @param {{get(name: string): object}} indexes by name */
  constructor(programs, indexes) {
    this.#programs = programs;
    this.indexes = indexes;
  }

  #compiled(anchor) {
    const algorithm = this.#programs[anchor];
    return { anchor, algorithm, body: new Compiler(this, { anchor, ...algorithm }).body(algorithm.body) };
  }

  /** Return the statements of a program, as data. */
  body(anchor) {
    return this.#programs[anchor].body;
  }

  operation(name) {
    if (!this.#operations.has(name)) {
      const compiled = this.#compiled(Object.keys(this.#programs).find((anchor) => anchor.replaceAll("-", "_") === name));
      this.#operations.set(name, { ...compiled, parameter: compiled.algorithm.parameters[0] });
    }
    return this.#operations.get(name);
  }

  /** Return a ``decoder`` or ``encoder`` of an encoding, null if it has none. @returns {Handler | null} */
  handler({ name, isSingleByte }, kind) {
    const key = name.toLowerCase(), entries = Object.entries(this.#programs);
    const found = entries.find(([, one]) => one.kind === kind && one.encoding === key);
    const isShared = !found && isSingleByte;
    const anchor = isShared ? `single-byte-${kind}` : found?.[0];
    if (!anchor) return null;
    const algorithm = this.#programs[anchor], base = algorithm.base || anchor;
    if (!this.#handlers.has(base)) this.#handlers.set(base, this.#compiled(base));
    const initial = { ...this.#programs[base].members, ...algorithm.members };
    return new Handler(this.#handlers.get(base), initial, isShared ? this.indexes.get(indexName(name)) : null);
  }
}

/** Return the name of the index of a single-byte encoding: ISO-8859-8-I has the one of ISO-8859-8. */
export function indexName(encoding) {
  return encoding.toLowerCase().replace(/^(iso-8859-8)-i$/, "$1");
}

/** A decoder or an encoder as the standard has it, one item after the other. */
export class Handler {
  constructor({ anchor, algorithm, body }, initial, index) {
    this.anchor = anchor;
    this.initial = initial;
    this.members = { ...initial };
    this.index = index;
    this.body = body;
    this.parameter = algorithm.parameters[1];
    this.queue = []; // what was restored, the next item last
    this.isFinished = false;
  }

  /** Handle an item, and record the call if `call` is given: return the result. */
  handle(item, call = null) {
    const restored = [];
    const frame = { locals: { [this.parameter]: item }, members: this.members, index: this.index, restored, call };
    const { value } = this.body(frame);
    this.isFinished = value === FINISHED;
    for (let at = restored.length - 1; at >= 0; at--) this.queue.push(restored[at]);
    if (call) {
      call.restored = restored;
      if (value instanceof HandlerError) call.error = value;
      else if (Array.isArray(value)) call.output = value;
      call.state = { ...this.members };
    }
    return value;
  }

  /**
   * Yield the calls for an item and for all that is restored until the next one is needed. `position` is that of the
   * item. @returns {Generator<Call>}
   */
  *calls(item, position) {
    let next = item, at = position;
    while (!this.isFinished) {
      const call = { position: at, item: next, steps: [], lookups: [], output: [], error: null, restored: [], state: {} };
      this.handle(next, call);
      yield call;
      // Restoring end-of-queue is the same as reading it again.
      at += (typeof next === "symbol" ? 0 : 1) - call.restored.length;
      if (this.queue.length) next = this.queue.pop();
      else if (item === END_OF_QUEUE) next = END_OF_QUEUE;
      else return;
    }
  }

  /** Handle an item and all that is restored, without a record; pass each result to `result`. */
  push(item, result) {
    for (let next = item; !this.isFinished; ) {
      result(this.handle(next));
      if (this.queue.length) next = this.queue.pop();
      else if (item === END_OF_QUEUE) next = END_OF_QUEUE;
      else return;
    }
  }
}
