// The link to the tables on the front page: a picture of an index, a pixel for each pointer.

import { Cells } from "./cells.js";
import { byId, element } from "./text.js";

export class Teaser {
  constructor(page) {
    const idle = window.requestIdleCallback ?? setTimeout;
    idle(() => {
      this.view = new Cells(page).table("gb18030");
      this.#draw();
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
    });
  }

  #draw() {
    const { columns, count, kind, legend } = this.view, link = byId("teaser"), canvas = link.querySelector("canvas");
    [canvas.width, canvas.height] = [columns, Math.ceil(count / columns)];
    const context = canvas.getContext("2d");
    const swatches = legend.map(({ style }) => link.appendChild(element("i", { className: `swatch ${style}` })));
    const colours = swatches.map((swatch) => getComputedStyle(swatch).backgroundColor);
    for (const swatch of swatches) swatch.remove();
    for (let cell = 0; cell < count; cell++) {
      if (!kind(cell)) continue;
      context.fillStyle = colours[kind(cell)];
      context.fillRect(cell % columns, Math.floor(cell / columns), 1, 1);
    }
  }
}
