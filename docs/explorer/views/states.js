// The states of a stateful algorithm as a small diagram: those of ISO-2022-JP, and of gb18030 by the bytes it has read.

const SVG = "http://www.w3.org/2000/svg";
const HALF = 13; // of a state's height
const LETTER = 7; // the width of a letter, on average
const BEND = 0.16; // how far a way is bent from the straight line, as a part of its length
const BACK = 0.42; // likewise a way back on the same line, around the states between
const MOST = 2; // bytes that are shown at a way
const PICTURES = { gb18030: "0 6 405 122", decoder: "0 0 405 190", encoder: "0 40 400 110" };
const READ = ["no byte", "1 byte", "2 bytes", "3 bytes"]; // that gb18030 has read of a character

// Where the states are. An escape sequence leads from the left or the right through the middle.
const PLACES = {
  "no byte": [45, 95], "1 byte": [150, 95], "2 bytes": [255, 95], "3 bytes": [360, 95],
  ASCII: [50, 30], Roman: [50, 95], katakana: [50, 160], "escape start": [200, 40], escape: [200, 150],
  "leading byte": [350, 40], "trailing byte": [350, 150],
};
const OF_ENCODER = { ASCII: [50, 95], Roman: [200, 95], jis0208: [350, 95] };

/** @typedef {{from: string, to: string, item: string}} Way a transition, and the byte or character that caused it */

function drawn(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const widthOf = (name) => LETTER * name.length + 20;

/** Return the points of a curve between two states, outside of both. */
function curve([x0, y0], [x1, y1], from, to, bend) {
  const [x, y] = [(x0 + x1) / 2 - (y1 - y0) * bend, (y0 + y1) / 2 + (x1 - x0) * bend];
  const points = Array.from({ length: 41 }, (_, at) => {
    const t = at / 40, s = 1 - t;
    return [s * s * x0 + 2 * s * t * x + t * t * x1, s * s * y0 + 2 * s * t * y + t * t * y1];
  });
  const isOutside = (name, [left, top]) => ([px, py]) => Math.abs(px - left) > widthOf(name) / 2 + 3 || Math.abs(py - top) > HALF + 3;
  return points.filter((point) => isOutside(from, [x0, y0])(point) && isOutside(to, [x1, y1])(point));
}

/** The states of an algorithm; `of` returns the one of a handler's variables. */
export class States {
  /** @returns {States | null} null for an algorithm that has too many states, or just one */
  static of(anchor, machine) {
    const base = /^(?:gbk|gb18030)-decoder$/.test(anchor) ? "gb18030" : /^iso-2022-jp-/.test(anchor) ? "iso-2022-jp" : null;
    return base && new States(anchor, base, machine);
  }

  constructor(anchor, base, machine) {
    const isEncoder = anchor.endsWith("-encoder");
    this.places = isEncoder ? OF_ENCODER : PLACES;
    this.picture = PICTURES[isEncoder ? "encoder" : base] ?? PICTURES.decoder;
    if (base === "gb18030") {
      this.names = READ;
      this.of = ({ gb18030_first: first, gb18030_second: second, gb18030_third: third }) => READ[third ? 3 : second ? 2 : first ? 1 : 0];
    } else {
      const member = `${anchor.replaceAll("-", "_")}_state`;
      this.names = machine.symbols(anchor);
      this.of = (members) => members[member];
    }
  }

  /** Return a picture of the states with the transitions of an input. @param {Way[]} ways */
  draw(ways) {
    const taken = new Map();
    for (const { from, to, item } of ways) {
      if (from === to) continue;
      const key = `${from} → ${to}`, way = taken.get(key) ?? { from, to, items: new Set() };
      way.items.add(item);
      taken.set(key, way);
    }
    const lines = [...taken].map(([key, { from, to, items }]) => {
      const [[x0, y0], [x1, y1]] = [this.places[from], this.places[to]];
      const bend = this.names === READ && x1 < x0 ? BACK : BEND;
      const points = curve([x0, y0], [x1, y1], from, to, bend), [tip, tail] = [points.at(-1), points.at(-4) ?? points[0]];
      const turn = (Math.atan2(tip[1] - tail[1], tip[0] - tail[0]) * 180) / Math.PI;
      const [x, y] = points[points.length >> 1], length = Math.hypot(x1 - x0, y1 - y0);
      const some = [...items].slice(0, MOST).join(" ") + (items.size > MOST ? " …" : "");
      const away = 10 + (3.5 * some.length * Math.abs(y1 - y0)) / length;
      return drawn("g", { class: "way", "data-way": key },
        drawn("polyline", { points: points.map((point) => point.map((one) => one.toFixed(1)).join()).join(" ") }),
        drawn("path", { class: "tip", d: "M-7 -4.5L1 0L-7 4.5Z", transform: `translate(${tip[0].toFixed(1)} ${tip[1].toFixed(1)}) rotate(${turn.toFixed()})` }),
        drawn("text", { x: (x - ((y1 - y0) / length) * away).toFixed(1), y: (y + ((x1 - x0) / length) * away + 4).toFixed(1) }, some));
    });
    const visited = new Set(ways.flatMap(({ from, to }) => [from, to]));
    const nodes = this.names.map((name) => {
      const [x, y] = this.places[name], width = widthOf(name);
      return drawn("g", { class: visited.has(name) ? "state visited" : "state", "data-state": name },
        drawn("rect", { x: x - width / 2, y: y - HALF, width, height: 2 * HALF, rx: HALF }), drawn("text", { x, y: y + 4.5 }, name));
    });
    const label = taken.size ? `Transitions of this input: ${[...taken.keys()].join(", ")}` : `All of this input is in the state “${ways[0]?.from ?? this.names[0]}”`;
    return drawn("svg", { viewBox: this.picture, role: "img", "aria-label": label }, ...lines, ...nodes);
  }
}
