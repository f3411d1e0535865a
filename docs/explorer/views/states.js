// The states of a stateful algorithm as a small diagram: those of ISO-2022-JP, and of gb18030 by the bytes it has read.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 340, HEIGHT = 210;
const READ = ["no byte", "1 byte", "2 bytes", "3 bytes"]; // that gb18030 has read of a character

function drawn(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Return the symbols of a program, in their order. @returns {string[]} */
function symbolsOf(tree, found = new Set()) {
  if (!Array.isArray(tree)) return [...found];
  if (tree[0] === "Symbol") found.add(tree[1]);
  else for (const part of tree) symbolsOf(part, found);
  return [...found];
}

/** The states of an algorithm; `of` returns the one of a handler's variables. */
export class States {
  /** @returns {States | null} null for an algorithm that has too many states, or just one */
  static of(anchor, machine) {
    const base = /^(?:gbk|gb18030)-decoder$/.test(anchor) ? "gb18030" : /^iso-2022-jp-/.test(anchor) ? "iso-2022-jp" : null;
    return base && new States(anchor, base, machine);
  }

  constructor(anchor, base, machine) {
    if (base === "gb18030") {
      this.names = READ;
      this.of = ({ gb18030_first: first, gb18030_second: second, gb18030_third: third }) => READ[third ? 3 : second ? 2 : first ? 1 : 0];
    } else {
      const member = `${anchor.replaceAll("-", "_")}_state`;
      this.names = symbolsOf(machine.body(anchor));
      this.of = (members) => members[member];
    }
  }

  /** Return a picture of the states, with the transitions of some pairs. @param {[string, string][]} pairs */
  draw(pairs) {
    const { names } = this, places = new Map(names.map((name, at) => {
      const angle = (2 * Math.PI * at) / names.length - Math.PI / 2;
      return [name, [WIDTH / 2 + 118 * Math.cos(angle), HEIGHT / 2 + 78 * Math.sin(angle)]];
    }));
    const taken = new Map(pairs.filter(([from, to]) => from !== to).map((pair) => [pair.join(" → "), pair]));
    const lines = [...taken].map(([key, [from, to]]) => {
      const [[x0, y0], [x1, y1]] = [places.get(from), places.get(to)];
      // Bent towards one side, so that a way and the way back are two lines.
      const [x, y] = [(x0 + x1) / 2 - (y1 - y0) * 0.22, (y0 + y1) / 2 + (x1 - x0) * 0.22];
      const at = (t, a, b, c) => (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c;
      const tip = [at(0.62, x0, x, x1), at(0.62, y0, y, y1)], tail = [at(0.58, x0, x, x1), at(0.58, y0, y, y1)];
      const turn = (Math.atan2(tip[1] - tail[1], tip[0] - tail[0]) * 180) / Math.PI;
      return drawn("g", { class: "way", "data-way": key },
        drawn("path", { d: `M${x0} ${y0}Q${x} ${y} ${x1} ${y1}` }),
        drawn("path", { class: "tip", d: "M-5 -5L5 0L-5 5Z", transform: `translate(${tip[0]} ${tip[1]}) rotate(${turn})` }));
    });
    const visited = new Set(pairs.flat());
    const nodes = names.map((name) => {
      const [x, y] = places.get(name), width = 7 * name.length + 18;
      return drawn("g", { class: visited.has(name) ? "state visited" : "state", "data-state": name },
        drawn("rect", { x: x - width / 2, y: y - 13, width, height: 26, rx: 13 }), drawn("text", { x, y: y + 4 }, name));
    });
    const told = taken.size ? `Transitions of this input: ${[...taken.keys()].join(", ")}` : `All of this input is in the state “${pairs[0]?.[0] ?? names[0]}”`;
    return drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": told }, ...lines, ...nodes);
  }
}
