// The indexes of the standard, as the engine has them: what it decodes the bytes of each pointer to.

/**
 * @typedef {{encoding: string, columns: number, leading: string[], trailing: string[], note: string}} Layout
 *   the bytes of an index's pointers in an encoding: those of `row * columns + column` are leading and trailing, in
 *   hexadecimal. Pointers after the last leading byte have none.
 */

export class Index {
  #engine;
  #codePoints = null;
  #pointers = null;

  /** @param {{length: number, layouts: Layout[], without: number[], codePoints?: (number | null)[]}} data */
  constructor(engine, name, data) {
    this.#engine = engine;
    this.name = name;
    const { codePoints = null, ...others } = data;
    Object.assign(this, { language: "", layouts: [], without: [], ...others });
    this.#codePoints = codePoints;
  }

  /** The code point of each pointer, null for none. @returns {(number | null)[]} */
  get codePoints() {
    this.#codePoints ??= this.#read();
    return this.#codePoints;
  }

  #read() {
    const without = new Set(this.without);
    // Of the encodings that have it, the one with bytes for the most pointers.
    const layout = this.layouts.reduce((a, b) => (b.leading.length * b.columns > a.leading.length * a.columns ? b : a));
    return Array.from({ length: this.length }, (_, pointer) => {
      const bytes = bytesOf(layout, pointer);
      const codePoints = without.has(pointer) || !bytes ? null : this.#engine.codePoints(layout.encoding, bytes);
      return codePoints?.length === 1 ? codePoints[0] : null;
    });
  }

  /** Return the code point of a pointer, null for none. */
  codePoint(pointer) {
    return this.codePoints[pointer] ?? null;
  }

  /** Return the pointers of a code point, in order. @returns {number[]} */
  pointersOf(codePoint) {
    this.#pointers ??= reversed(this.codePoints);
    return this.#pointers.get(codePoint) ?? [];
  }
}

function reversed(codePoints) {
  const pointers = new Map();
  codePoints.forEach((codePoint, pointer) => {
    if (codePoint === null) return;
    const earlier = pointers.get(codePoint);
    if (earlier) earlier.push(pointer);
    else pointers.set(codePoint, [pointer]);
  });
  return pointers;
}

/** Return the bytes of a pointer, null if the layout has none. @param {Layout} layout @returns {Uint8Array | null} */
export function bytesOf(layout, pointer) {
  const leading = layout.leading[Math.floor(pointer / layout.columns)];
  if (leading === undefined) return null;
  const hex = (layout.note ? "1B2442" : "") + leading + layout.trailing[pointer % layout.columns];
  return Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
}

/** Return all indexes by name; each is read when it is first needed. @returns {Map<string, Index>} */
export function indexesOf(engine, data) {
  const entries = Object.entries(data.indexes).map(([name, index]) => [name, new Index(engine, name, index)]);
  return new Map([...entries, ["gb18030-ranges", { name: "gb18030-ranges", ranges: data.ranges }]]);
}
